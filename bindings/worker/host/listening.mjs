import { noEvents } from '../untold.mjs'

/** @import { World } from '../../index.mjs' */

/** Hears what happens in steps, of what somebody on the page listens to; of joints that break always. */
export class Listening {
  #world
  #refer
  /** How to end it, by names. @type {Map<string, () => void>} */
  #ends = new Map()
  /** Of the step that is being made. @type {any} */
  #events = noEvents()

  /**
   * @param {World} world
   * @param {(event: unknown) => unknown} refer what may be posted of an event
   */
  constructor(world, refer) {
    this.#world = world
    this.#refer = refer
    world.on('joint', (event) => this.#hear('joint', event))
  }

  /** @param {readonly string[]} names of what somebody listens to */
  to(names) {
    for (const [name, end] of this.#ends) {
      if (names.includes(name)) continue
      end()
      this.#ends.delete(name)
    }
    for (const name of names) {
      if (this.#ends.has(name)) continue
      const end = this.#world.on(/** @type {any} */ (name), (event) => this.#hear(name, event))
      this.#ends.set(name, end)
    }
  }

  /**
   * @param {string} name
   * @param {unknown} event
   */
  #hear(name, event) {
    if (name === 'sleep') this.#events.sleep = this.#refer(event)
    else this.#events[name].push(this.#refer(event))
  }

  /** A step begins. */
  begin() {
    this.#events = noEvents()
  }

  /** @returns {any[]} what was heard in the step: none, or its events */
  end() {
    const { sleep, ...lists } = this.#events
    const isEmpty = !sleep && Object.values(lists).every(({ length }) => length === 0)
    return isEmpty ? [] : [this.#events]
  }
}
