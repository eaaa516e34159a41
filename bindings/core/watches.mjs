/** @import { WorldCore } from './world-core.mjs' */

/** Bits of the engine. */
const BITS = Object.freeze({ contact: 1, sensor: 2 })
const AT_ONCE = 4

/**
 * What a world watches for its events: what somebody listens to, and what was read once. The engine
 * does nothing for the rest.
 */
export class Watches {
  #core
  #polled = 0
  /** Listeners of each. */
  #counts = { contact: 0, sensor: 0, sleep: 0 }
  #watched = 0

  /** @param {WorldCore} core */
  constructor(core) {
    this.#core = core
  }

  /** Whether anything is watched. */
  get isWatching() {
    return this.#watched !== 0
  }

  /** @param {'contact' | 'sensor' | 'sleep'} name */
  isListened(name) {
    return this.#counts[name] > 0
  }

  /**
   * Somebody reads: from now on, and what touches already.
   * @param {keyof typeof BITS} name
   */
  poll(name) {
    if ((this.#polled & BITS[name]) !== 0) return
    const isNew = (this.#watched & BITS[name]) === 0
    if (isNew) this.#set(this.#watched | BITS[name] | AT_ONCE)
    this.#polled |= BITS[name]
  }

  /**
   * @param {string} name
   * @param {1 | -1} change a listener more or less
   */
  count(name, change) {
    if (name === 'sleep') this.#counts.sleep += change
    if (name !== 'contact' && name !== 'sensor') return
    this.#counts[name] += change
    if (this.#core.isFreed) return
    const isWanted = this.#counts[name] > 0 || (this.#polled & BITS[name]) !== 0
    const wanted = isWanted ? this.#watched | BITS[name] : this.#watched & ~BITS[name]
    if (wanted !== this.#watched) this.#set(wanted)
  }

  /** @param {number} what */
  #set(what) {
    const core = this.#core
    core.callbacks.checkUnlocked('events')
    core.check(core.engine.exports.world_watch(core.pointerFor('events'), what), 'events')
    this.#watched = what & ~AT_ONCE
  }
}
