import { readFunction } from '../core/arguments.mjs'
import { errorOf } from './link.mjs'

/** @import { MoreauError } from '../core/errors.mjs' */
/** @import { Follower } from './follower.mjs' */
/** @import { Link } from './link.mjs' */
/** @import { News } from './protocol.mjs' */

/**
 * What a world in a worker has besides.
 * @typedef {object} WorkerEvents
 * @property {MoreauError} crash the worker has failed or ended; `restart` goes on
 * @property {MoreauError} error the worker refused a call that nobody waits for. Where nobody listens, the next
 *   `update` or `advance` throws it
 */

/** Tells what a worker has told: to the listeners, and to who waits. */
export class Hearing {
  /** @type {{ crash: Set<(error: MoreauError) => void>, error: Set<(error: MoreauError) => void> }} */
  #listeners = { crash: new Set(), error: new Set() }
  /** What a listener threw, or the worker refused: for who waits, or calls `update`. @type {{ error: unknown } | undefined} */
  #failure
  #isFreed

  /** @param {() => boolean} isFreed whether the world was: a listener may free it */
  constructor(isFreed) {
    this.#isFreed = isFreed
  }

  /**
   * @param {keyof WorkerEvents} name
   * @param {unknown} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    const given = readFunction(/** @type {any} */ (listener), 'on: listener')
    const set = this.#listeners[name]
    set.add(given)
    return () => void set.delete(given)
  }

  /**
   * @param {readonly News[]} news
   * @param {Link} link who waits
   * @param {Follower} follower who listens
   */
  hear(news, link, follower) {
    for (const { steps = [] } of news) this.#tellSteps(follower, steps)
    if (this.#isFreed()) return
    for (const refused of news.flatMap(({ failures = [] }) => failures)) {
      const error = errorOf(refused)
      this.tell('error', error)
      if (this.#listeners.error.size === 0) this.#failure ??= { error }
    }
    for (const { ticket, value, failure } of news.flatMap(({ answers = [] }) => answers)) {
      const own = failure && { error: errorOf(failure) }
      link.settle(ticket, follower.revive(value), own ?? this.takeFailure())
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
      try {
        follower.tell(events)
      } catch (error) {
        this.#failure ??= { error }
      }
    }
  }

  /** @param {keyof WorkerEvents} name @param {MoreauError} error */
  tell(name, error) {
    for (const listener of this.#listeners[name]) listener(error)
  }
}
