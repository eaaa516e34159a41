import { checkNames, readInteger, readObject } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { Journal } from './journal.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */

const where = 'record'
const MOST_STEPS = 2 ** 31

/**
 * A recording that is being made: `world.record()`. It keeps its world from being collected until it is stopped.
 */
export class Recording {
  #core
  #journal
  /** @type {Uint8Array | undefined} */
  #bytes

  /**
   * @internal
   * @param {WorldCore} core
   * @param {unknown} options RecordOptions
   */
  constructor(core, options) {
    core.begin(where)
    core.callbacks.checkUnlocked(where)
    const given = readObject(options, `${where}: options`)
    checkNames(given, ['every', 'keyframes'], `${where}: options`)
    const { every = 1, keyframes = 60 } = given
    if (core.journal !== undefined) {
      throw new MoreauError('invalid-argument', `${where}: the world is being recorded already`)
    }
    this.#core = core
    this.#journal = new Journal(core, {
      every: readInteger(every, `${where}: options.every`, 1, MOST_STEPS),
      keyframes: readInteger(keyframes, `${where}: options.keyframes`, 1, MOST_STEPS),
    })
  }

  /** How many steps it has. */
  get steps() {
    return this.#journal.steps
  }

  /**
   * Ends the recording.
   * @returns {Uint8Array} for `World.replay`; the same at a second call
   * @throws {MoreauError} `stale-handle` if the world was freed before
   */
  stop() {
    if (this.#bytes !== undefined) return this.#bytes
    this.#core.alive('stop')
    this.#core.callbacks.checkUnlocked('stop')
    this.#bytes = this.#journal.bytes()
    this.#journal.end()
    return this.#bytes
  }
}
