import { makeHistory } from '../state/history.mjs'
import { Recording } from '../state/recording.mjs'
import { restoreSnapshot, takeAssets, takeSnapshot } from '../state/snapshot.mjs'
import { writeScene } from '../scene/writer.mjs'
import { coreOf } from './settings-owner.mjs'
import { restartTime, WorldTime } from './world-time.mjs'

/** @import { History } from '../state/history.mjs' */
/** @import { HistoryOptions, RecordOptions, Restoring, SceneJson, SceneWriting, Snapshooting } from '../types/index.mjs' */

/** The state of a world: as a file, as bytes, over time. A part of `World`, and nothing by itself. */
export class WorldStates extends WorldTime {
  /**
   * The world as an object that JSON can hold, so that `JSON.stringify(world)` works: settings, time,
   * bodies, joints, constraints and potentials as they are now, to the bit, in the order of their
   * creation (docs/scene-format.md). Not in it are functions, of which there are the names, what
   * listens, characters, vehicles and ragdolls, and what steps keep for the next one: the impulses from
   * which solvers start, and how long bodies have been still. Of `userData` there is what is a string, a
   * number or a boolean.
   * @param {SceneWriting | string} [options] a string means nothing: JSON.stringify gives one
   * @returns {SceneJson}
   */
  toJSON(options) {
    return writeScene(coreOf(this).world, options)
  }

  /**
   * Everything on which the next steps depend, as bytes: the same in every host. Not in them: functions,
   * listeners, characters, vehicles, and the user data of bodies. `restore` brings the world back there.
   * @param {Snapshooting | Uint8Array} [options] or the array to write to
   * @returns {Uint8Array} new, or the beginning of the array that was given
   * @throws {MoreauError} `invalid-argument` for an array that is too short, `out-of-memory`,
   *   `world-locked`
   *
   * @example
   * const start = world.snapshot()
   * world.step(1 / 60)
   * world.restore(start) // as if there had been no step
   */
  snapshot(options) {
    return takeSnapshot(coreOf(this), options)
  }

  /**
   * The points and triangles of the world's hulls, meshes and height fields, for snapshots without them.
   * @returns {Uint8Array}
   */
  assets() {
    return takeAssets(coreOf(this))
  }

  /**
   * Makes the world what it was at a snapshot, of this world or another one: steps then have the same
   * bits. Bodies, joints and potentials have the ids of the snapshot, and those that are held here are
   * the same objects again; others are made. What did not exist at the snapshot is stale from then on,
   * also when its id is given again, unless bytes that have it are restored.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @param {Restoring} [options]
   * @throws {MoreauError} `bad-snapshot`, `out-of-memory`, `world-locked`; with the world as it was
   */
  restore(bytes, options) {
    restoreSnapshot(coreOf(this), bytes, options)
    restartTime(this)
  }

  /**
   * Keeps the state after every step from now on, as differences, so that the world can go back to any
   * of them. The oldest go beyond the limits.
   * @param {HistoryOptions} options one limit at least
   * @returns {History}
   * @throws {MoreauError} `invalid-argument`, `out-of-memory`, `world-locked`. When memory is missing in
   *   a later step, `step` throws it; the step was made, and the history begins anew with the next one
   *
   * @example
   * const history = world.history({ seconds: 10 })
   * for (let i = 0; i < 120; i++) world.step(1 / 60)
   * history.rewind(60)
   */
  history(options) {
    return makeHistory(coreOf(this), options, () => restartTime(this))
  }

  /**
   * Notes from now on every call that changes the world, with hashes of its state after the steps.
   * @param {RecordOptions} [options]
   * @returns {Recording} its `stop()` gives bytes for `World.replay`
   * @throws {MoreauError} `invalid-argument`, also while the world is being recorded; `out-of-memory`,
   *   `world-locked`
   */
  record(options = {}) {
    return new Recording(coreOf(this), options)
  }
}
