import { inside } from './inside.mjs'
import { checkPostable } from './postable.mjs'
import { WorkerHistory, WorkerRecording } from './remote.mjs'
import { WorldControls } from './world-controls.mjs'

/** @import { HistoryOptions, RecordOptions } from '../index.mjs' */

/** What a world in a worker has opened there, to go back in time. */
export class WorldHistory extends WorldControls {
  /** Histories and recordings that were opened. */
  #opened = 0

  /**
   * As `history` of `moreau`, by promises: the worker keeps the state after every step.
   * @param {HistoryOptions} options
   * @returns {Promise<WorkerHistory>}
   */
  async history(options) {
    return new WorkerHistory(await this.#open('history', options))
  }

  /**
   * As `record` of `moreau`, by promises: the worker notes its calls and steps. `World.replay` of `moreau` takes what it
   * gives, with the functions of the module in its options.
   * @param {RecordOptions} [options]
   * @returns {Promise<WorkerRecording>}
   */
  async record(options = {}) {
    return new WorkerRecording(await this.#open('record', options))
  }

  /**
   * @param {'history' | 'record'} what
   * @param {unknown} options
   */
  async #open(what, options) {
    inside.of(this).alive(what)
    checkPostable(options, `${what}: options`)
    const number = ++this.#opened
    await inside
      .of(this)
      .wait((ticket) => inside.of(this).mark('open', ticket, what, number, options))
    return {
      ask: (/** @type {string} */ name, /** @type {unknown[]} */ args) =>
        this.#askOpened('of', number, name, args),
      jump: async (/** @type {string} */ name, /** @type {unknown[]} */ args) =>
        inside.of(this).jump(await this.#askOpened('jump', number, name, args)),
      close: () => {
        if (!inside.of(this).isFreed()) inside.of(this).mark('close', number)
      },
    }
  }

  /**
   * @param {'of' | 'jump'} kind
   * @param {number} number
   * @param {string} name
   * @param {unknown[]} args
   */
  #askOpened(kind, number, name, args) {
    inside.of(this).alive(name)
    return inside.of(this).wait((ticket) => inside.of(this).mark(kind, ticket, number, name, args))
  }
}
