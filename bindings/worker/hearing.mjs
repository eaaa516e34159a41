import { readFunction } from '../core/arguments.mjs'
import { errorOf } from './failures.mjs'

/** @import { MoreauError } from '../core/errors.mjs' */
/** @import { Follower } from './follower.mjs' */
/** @import { Link } from './link.mjs' */

/**
 * What a world in a worker has besides.
 * @typedef {object} WorkerEvents
 * @property {MoreauError} crash the worker has failed or ended; `restart` goes on. Where nobody listens or waits, the next
 *   `update` or `advance` throws it
 * @property {MoreauError} error the worker refused a call that nobody waits for. Where nobody listens, the next
 *   `update` or `advance` throws it
 */

/** @typedef {(error: MoreauError) => void} Listener */

/** Tells what a worker has told: to the listeners, and to who waits. */
export class Hearing {
  /** And whether they are told but once. @type {{ crash: Map<Listener, boolean>, error: Map<Listener, boolean> }} */
  #listeners = { crash: new Map(), error: new Map() }
  /** What a listener threw, or the worker refused: for who waits, or calls `update`. @type {{ error: unknown } | undefined} */
  #failure
  #isFreed
  #isTelling = false

  /** @param {() => boolean} isFreed whether the world was: a listener may free it */
  constructor(isFreed) {
    this.#isFreed = isFreed
  }

  /**
   * @param {keyof WorkerEvents} name
   * @param {unknown} listener
   * @param {'on' | 'once'} how
   * @returns {() => void} ends it
   */
  add(name, listener, how) {
    const given = /** @type {Listener} */ (
      readFunction(/** @type {any} */ (listener), `${how}: listener`)
    )
    const all = this.#listeners[name]
    all.set(given, how === 'once')
    return () => void all.delete(given)
  }

  /**
   * Ends what `on` or `once` began with this listener.
   * @param {keyof WorkerEvents} name
   * @param {any} listener
   * @returns {boolean} whether it listened
   */
  off(name, listener) {
    return this.#listeners[name].delete(listener)
  }

  /**
   * Tells what has come to a link. What a listener has come while it is told is told after it.
   * @param {Link} link
   * @param {Follower} follower
   */
  hear(link, follower) {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      while (link.hasNews && !this.#isFreed()) this.#hearOnce(link, follower)
    } finally {
      this.#isTelling = false
    }
  }

  /**
   * @param {Link} link
   * @param {Follower} follower
   */
  #hearOnce(link, follower) {
    const { steps, news } = link.takeNews()
    this.#tellSteps(follower, steps)
    if (this.#isFreed()) return
    for (const refused of news.flatMap(({ failures = [] }) => failures)) {
      this.#tellOrKeep('error', errorOf(refused))
    }
    for (const { ticket, value, failure } of news.flatMap(({ answers = [] }) => answers)) {
      const own = failure && { error: errorOf(failure) }
      const kept = link.isWanted(ticket) ? this.takeFailure() : undefined
      link.settle(ticket, follower.revive(value), own ?? kept)
    }
  }

  /** @returns {{ error: unknown } | undefined} what was thrown or refused since the last call */
  takeFailure() {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  /**
   * Tells the listeners of steps. All are told, also where one of them throws.
   * @param {Follower} follower
   * @param {readonly unknown[]} steps
   */
  #tellSteps(follower, steps) {
    for (const events of steps) {
      if (this.#isFreed()) break
      this.#safely(() => follower.tell(events))
    }
  }

  /**
   * @param {MoreauError} error
   * @param {boolean} isKnown somebody waited, and was refused
   */
  crash(error, isKnown) {
    if (isKnown) this.#tell('crash', error)
    else this.#tellOrKeep('crash', error)
  }

  /** Where nobody listens, the next `update` throws it. @param {keyof WorkerEvents} name @param {MoreauError} error */
  #tellOrKeep(name, error) {
    if (this.#listeners[name].size === 0) this.#failure ??= { error }
    else this.#tell(name, error)
  }

  /** @param {keyof WorkerEvents} name @param {MoreauError} error */
  #tell(name, error) {
    const all = this.#listeners[name]
    for (const [listener, isOnce] of [...all]) {
      if (isOnce) all.delete(listener)
      this.#safely(() => listener(error))
    }
  }

  /** Others are told, and answered, also where one throws. @param {() => void} action */
  #safely(action) {
    try {
      action()
    } catch (error) {
      this.#failure ??= { error }
    }
  }
}
