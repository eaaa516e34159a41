/// <reference lib="esnext.disposable" preserve="true" />
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { init } from '../core/loader.mjs'
import { readScene } from '../scene/reader.mjs'
import { replayRecording } from '../state/replay.mjs'
import { coreOf } from './settings-owner.mjs'
import { WorldStates } from './world-states.mjs'

/** @import { Replay, ReplayOptions, SceneJson, SceneReading, WorldOptions } from '../types/index.mjs' */

const collector = new Collector((exports, pointer) => exports.world_destroy(pointer))

/**
 * A world of rigid bodies.
 *
 * @example
 * const world = await World.create({ gravity: [0, -9.81, 0] })
 * world.createBody({ type: 'static', shape: { type: 'plane' } })
 * const ball = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 5, 0] })
 * for (let i = 0; i < 120; i++) world.step(1 / 60)
 * ball.position // [0, 0.5, 0], nearly
 */
export class World extends WorldStates {
  /**
   * Loads the engine if that was not done yet, then makes a world.
   * @param {WorldOptions} [options]
   * @returns {Promise<World>}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `out-of-memory`, `wasm-failed`
   */
  static async create(options) {
    await init()
    return makeWorld(options)
  }

  /**
   * Makes a world; the engine must be loaded (`init`).
   * @param {WorldOptions} [options]
   * @throws {MoreauError} `not-initialized`, `invalid-argument`, `not-supported`, `out-of-memory`
   */
  constructor(options = {}) {
    super(options)
    collector.watch(this, coreOf(this).pointer)
    if (options.profile === true) this.profiling = true
    close(this)
  }

  /**
   * Makes a world of what `toJSON` gave, or of what was written by hand or by other programs. A world
   * that was written before its first step makes the same steps, to the bit, as the one that was
   * written. The engine must be loaded (`init`).
   * @param {SceneJson | object} scene an object: parse its text first
   * @param {SceneReading} [options]
   * @returns {World}
   * @throws {MoreauError} `invalid-argument`, with the place of the value in its message
   *   (`bodies[3].shapes[0].radius must be ...`); as `createBody` and the others
   *
   * @example
   * await init()
   * const copy = World.fromJSON(JSON.parse(JSON.stringify(world)))
   */
  static fromJSON(scene, options = {}) {
    return readScene(scene, options, makeWorld)
  }

  /**
   * Makes the calls of a recording again, in a new world, and compares its states with those that were
   * recorded. The engine must be loaded (`init`).
   * @param {Uint8Array} bytes of `recording.stop()`
   * @param {ReplayOptions} [options]
   * @returns {Replay}
   * @throws {MoreauError} `bad-snapshot`, also where functions are missing; `invalid-argument`,
   *   `out-of-memory`
   *
   * @example
   * const recording = world.record()
   * for (let i = 0; i < 120; i++) world.step(1 / 60)
   * const { divergence } = World.replay(recording.stop())
   * if (divergence) console.error(divergence.message) // step 57: body 3: linearVelocity[0] was ...
   */
  static replay(bytes, options = {}) {
    return replayRecording(bytes, options, makeWorld)
  }

  /**
   * Gives the memory back. The world and its bodies throw `stale-handle` from then on; a second call
   * does nothing. Worlds that are not freed are when they are collected.
   */
  free() {
    const core = coreOf(this)
    if (core.isFreed) return
    core.begin('free')
    core.callbacks.checkUnlocked('free')
    core.engine.exports.world_destroy(core.pointer)
    core.clear()
    collector.forget(this)
  }

  /** The same as `free()`, for `using`. */
  [Symbol.dispose]() {
    this.free()
  }
}

dropMissingDispose(World)
guard(World, 'World')
inspectable(World, 'World', summarize)

/** @param {World} world */
function summarize(world) {
  if (coreOf(world).isFreed) return { isFreed: true }
  const { bodies, awakeCount, joints, time, stepCount, solver, gravity } = world
  const counts = { bodies: bodies.length, awake: awakeCount, joints: joints.length }
  return { ...counts, time, stepCount, solver, gravity }
}

/**
 * Outside of the class, as bundlers rename a class that names itself.
 * @param {WorldOptions} [options]
 */
function makeWorld(options) {
  return new World(options)
}
