import { World as LocalWorld } from '../index.mjs'
import { inside } from './inside.mjs'
import { WorldTime } from './world-time.mjs'

/** @import { WorldEvents } from '../index.mjs' */
/** @import { WorkerEvents } from './hearing.mjs' */

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
    if (name === 'crash' || name === 'error') return hearing.on(name, listener)
    const world = /** @type {any} */ (this)
    return LocalWorld.prototype.on.call(
      world,
      /** @type {any} */ (name),
      /** @type {any} */ (listener),
    )
  }
}
