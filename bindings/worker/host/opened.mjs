import { MoreauError } from '../../core/errors.mjs'

/** @import { World } from '../../index.mjs' */

/** The histories and recordings that the page has opened, by the numbers that it gave them. */
export class Opened {
  #world
  /** @type {Map<number, any>} */
  #all = new Map()

  /** @param {World} world */
  constructor(world) {
    this.#world = world
  }

  /**
   * @param {'history' | 'record'} what
   * @param {number} number
   * @param {any} options
   */
  open(what, number, options) {
    this.#all.set(number, this.#world[what](options))
  }

  /**
   * @param {number} number
   * @param {string} name of a member
   * @param {unknown[]} args
   * @returns {unknown} what it gives
   */
  ask(number, name, args) {
    const one = this.#all.get(number)
    if (one === undefined) {
      const message = `${name}: it was freed, or the worker that had it has ended`
      throw new MoreauError('stale-handle', message)
    }
    return typeof one[name] === 'function' ? one[name](...args) : one[name]
  }

  /** @param {number} number */
  close(number) {
    this.#all.get(number)?.free?.()
    this.#all.delete(number)
  }
}
