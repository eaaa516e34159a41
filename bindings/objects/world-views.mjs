import { BulkView } from '../core/bulk-view.mjs'
import { coreOf } from './settings-owner.mjs'
import { WorldQueries } from './world-queries.mjs'

/** Floats or doubles per slot in `transforms` and `velocities`. */
const SLOT_STRIDE = 8

/**
 * What is read of all bodies of a world at once: bulk arrays. A part of `World`, and nothing by itself.
 */
export class WorldViews extends WorldQueries {
  #transforms = new BulkView(Float32Array)
  #transforms64 = new BulkView(Float64Array)
  #velocities = new BulkView(Float64Array)
  #bodyIds = new BulkView(Float64Array)
  #moved = new BulkView(Uint32Array)

  // --- bulk arrays, by slot ---------------------------------------------------------------------

  /**
   * Poses of all bodies for renderers, 8 floats per slot: `x y z 0 qx qy qz qw` at `8 * body.index`.
   * Free slots hold zeros. Always up to date; read the property each frame instead of keeping the
   * array, as it is a new one after bodies were added or the memory has grown.
   * @returns {Float32Array}
   */
  get transforms() {
    const core = coreOf(this)
    core.viewedBuffer = core.engine.buffer
    core.alive('transforms')
    return this.#transforms.at(core.engine.buffer, core.transforms, SLOT_STRIDE * core.slotCount)
  }

  /**
   * The same in double precision.
   * @returns {Float64Array}
   */
  get transforms64() {
    const core = coreOf(this)
    core.viewedBuffer = core.engine.buffer
    core.alive('transforms64')
    const address = 8 * core.transforms64
    return this.#transforms64.at(core.engine.buffer, address, SLOT_STRIDE * core.slotCount)
  }

  /**
   * Velocities of all bodies, 8 doubles per slot: `vx vy vz 0 wx wy wz 0`, m/s and rad/s, world.
   * @returns {Float64Array}
   */
  get velocities() {
    const core = coreOf(this)
    core.viewedBuffer = core.engine.buffer
    core.alive('velocities')
    const address = 8 * core.velocities
    return this.#velocities.at(core.engine.buffer, address, SLOT_STRIDE * core.slotCount)
  }

  /**
   * Which body is in which slot: its id, or 0 where the slot is free.
   * @returns {Float64Array}
   */
  get bodyIds() {
    const core = coreOf(this)
    core.alive('bodyIds')
    return this.#bodyIds.at(core.ids, 0, core.slotCount)
  }

  /**
   * Slots whose pose changed in the last step, ascending. A new array where their number changed.
   * The slot of a body that was destroyed since is still among them, until the next step.
   * @returns {Uint32Array}
   */
  get moved() {
    const core = coreOf(this)
    core.viewedBuffer = core.engine.buffer
    const pointer = core.pointerFor('moved')
    const { buffer, exports } = core.engine
    const count = exports.world_moved_count(pointer)
    return this.#moved.at(buffer, exports.world_moved(pointer), count)
  }

  /**
   * Bodies that are awake: all but static ones, in this version.
   * @returns {number}
   */
  get awakeCount() {
    const core = coreOf(this)
    return core.engine.exports.world_awake_count(core.pointerFor('awakeCount'))
  }
}
