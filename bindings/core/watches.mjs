/** @import { EngineWorld } from './engine-world.mjs' */

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

  /** @param {EngineWorld} core */
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
   * Somebody reads: from now on, and what touches already. That is allowed at any time, since no step
   * depends on what is watched; inside of a function that the engine calls there is nothing yet, and
   * the next end of a step has what touches.
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
    if (name === 'contact' || name === 'sensor') this.#watchFor(name, this.#counts[name] + change)
    if (name === 'contact' || name === 'sensor' || name === 'sleep') this.#counts[name] += change
  }

  /**
   * @param {keyof typeof BITS} name
   * @param {number} listeners how many there will be
   */
  #watchFor(name, listeners) {
    const core = this.#core
    const isWanted = listeners > 0 || (this.#polled & BITS[name]) !== 0
    const wanted = isWanted ? this.#watched | BITS[name] : this.#watched & ~BITS[name]
    if (core.isFreed || wanted === this.#watched) return
    // A listener may end itself inside of a function that the engine calls; the watch ends later.
    if (core.callbacks.isActive && !isWanted) return
    core.callbacks.checkUnlocked('on')
    this.#set(wanted)
  }

  /** The engine watches what the world of a snapshot did: it is to watch what this one does. */
  renew() {
    this.#set(this.#watched)
  }

  /** @param {number} what */
  #set(what) {
    const core = this.#core
    core.check(core.engine.exports.world_watch(core.pointerFor('events'), what), 'events')
    this.#watched = what & ~AT_ONCE
  }
}
