import { readWord } from '../core/arguments.mjs'
import { World as LocalWorld } from '../index.mjs'
import { inside } from './inside.mjs'
import { WorldTime } from './world-time.mjs'

/** @import { WorldEvents } from '../index.mjs' */
/** @import { WorkerEvents } from './hearing.mjs' */

/** Those of a world here, and its own. */
const NAMES = Object.freeze(['contact', 'sensor', 'joint', 'sleep', 'solver', 'crash', 'error'])

/** What a world in a worker tells. */
export class WorldListening extends WorldTime {
  /**
   * As `on` of `moreau`, told by `update`, `advance` and `await step`; besides `crash` and `error`.
   * @template {keyof WorldEvents | keyof WorkerEvents} Name
   * @param {Name} name
   * @param {(event: (WorldEvents & WorkerEvents)[Name]) => void} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    const { alive, hearing } = inside.of(this)
    alive('on')
    if (isOfWorkers(name, 'on')) return hearing.add(name, listener, 'on')
    const world = /** @type {any} */ (this)
    return LocalWorld.prototype.on.call(
      world,
      /** @type {any} */ (name),
      /** @type {any} */ (listener),
    )
  }

  /**
   * As `once` of `moreau`, likewise.
   * @template {keyof WorldEvents | keyof WorkerEvents} Name
   * @param {Name} name
   * @param {(event: (WorldEvents & WorkerEvents)[Name]) => void} listener
   * @returns {() => void} ends it
   */
  once(name, listener) {
    const { alive, hearing } = inside.of(this)
    alive('once')
    if (isOfWorkers(name, 'once')) return hearing.add(name, listener, 'once')
    return LocalWorld.prototype.once.call(
      /** @type {any} */ (this),
      /** @type {any} */ (name),
      /** @type {any} */ (listener),
    )
  }

  /**
   * As `off` of `moreau`, likewise.
   * @template {keyof WorldEvents | keyof WorkerEvents} Name
   * @param {Name} name
   * @param {(event: (WorldEvents & WorkerEvents)[Name]) => void} listener
   * @returns {boolean} whether it listened
   */
  off(name, listener) {
    const { alive, hearing } = inside.of(this)
    alive('off')
    if (isOfWorkers(name, 'off')) return hearing.off(name, listener)
    return LocalWorld.prototype.off.call(
      /** @type {any} */ (this),
      /** @type {any} */ (name),
      /** @type {any} */ (listener),
    )
  }
}

/**
 * @param {string} name
 * @param {string} where
 * @returns {name is keyof WorkerEvents}
 */
function isOfWorkers(name, where) {
  readWord(name, `${where}: name`, NAMES)
  return name === 'crash' || name === 'error'
}
