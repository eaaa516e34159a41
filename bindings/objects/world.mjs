/// <reference lib="esnext.disposable" preserve="true" />
import { access } from '../core/access.mjs'
import { readInteger } from '../core/arguments.mjs'
import { invalid, invalidLength } from '../core/describe.mjs'
import { watchJoint } from './advice-joints.mjs'
import { adviseHeld, adviseJoint, adviseLate, adviseScene, adviseStep } from './advice.mjs'
import { createBody } from './body.mjs'
import { makeCharacter } from './character.mjs'
import { putConstraint, putJoint } from '../definitions/constraint-definition.mjs'
import { takeBroken } from './joint-events.mjs'
import { Joint } from './joint.mjs'
import { makePotential } from './potential.mjs'
import { makeRagdoll } from './ragdoll.mjs'
import { putExplosion } from '../definitions/explosion.mjs'
import { putPotential } from '../definitions/potential-definition.mjs'
import { KIND } from '../core/callbacks.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { ContactFunctions } from './contact-function.mjs'
import { Listeners, tell, WORLD_NAMES } from './events.mjs'
import { FixedSteps } from './fixed-steps.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { init } from '../core/loader.mjs'
import { coreOf } from './settings-owner.mjs'
import { makeHistory } from '../state/history.mjs'
import { Recording } from '../state/recording.mjs'
import { replayRecording } from '../state/replay.mjs'
import { restoreSnapshot, takeAssets, takeSnapshot } from '../state/snapshot.mjs'
import { makeVehicle } from './vehicle.mjs'
import { readVehicle } from '../definitions/vehicle-definition.mjs'
import { readScene } from '../scene/reader.mjs'
import { writeScene } from '../scene/writer.mjs'
import { WorldViews } from './world-views.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Character } from './character.mjs' */
/** @import { Constraint } from './constraint.mjs' */
/** @import { Potential } from './potential.mjs' */
/** @import { Ragdoll } from './ragdoll.mjs' */
/** @import { Vehicle } from './vehicle.mjs' */
/** @import { AdvanceOptions, BodyDefinition, CharacterDefinition, ConstraintDefinition } from '../types/index.mjs' */
/** @import { ContactFilter, ContactModifier, Explosion } from '../types/index.mjs' */
/** @import { JointDefinition, PotentialDefinition, WorldEvents } from '../types/index.mjs' */
/** @import { HistoryOptions, RecordOptions, Replay, ReplayOptions, Restoring, Snapshooting } from '../types/index.mjs' */
/** @import { History } from '../state/history.mjs' */
/** @import { SceneJson, SceneReading, SceneWriting, Skeleton } from '../types/index.mjs' */
/** @import { VehicleDefinition, WorldOptions } from '../types/index.mjs' */
/** @import { ConstraintMaking } from '../definitions/constraint-definition.mjs' */

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
export class World extends WorldViews {
  #core
  #contactFunctions
  #fixedSteps = new FixedSteps()
  #steps = 0
  /** @type {Listeners<WorldEvents>} */
  #listeners = new Listeners()

  static {
    access.listenersOf = (world) => world.#listeners
  }

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
    this.#core = coreOf(this)
    this.#contactFunctions = new ContactFunctions(this.#core)
    collector.watch(this, this.#core.pointer)
    if (options.profile === true) this.profiling = true
    close(this)
  }

  // --- time -------------------------------------------------------------------------------------

  /**
   * Advances the world by one step: forces, collision, contact solve, motion. Allocates nothing
   * once the scene has settled.
   * @param {number} dt seconds, 0 or more; keep it the same, 1/60 for instance. 0 does nothing
   * @throws {MoreauError} `invalid-argument`; `not-finite` if a motion overflowed, `out-of-memory`:
   *   with the world as it was before the call
   */
  step(dt) {
    const core = this.#core
    const pointer = core.pointerFor('step')
    if (!(typeof dt === 'number' && dt >= 0 && dt < Infinity)) {
      throw invalid('step: dt', 'a finite number of seconds, 0 or more', dt)
    }
    if (core.isTelling)
      throw new MoreauError('world-locked', 'step: a listener cannot step its world')
    core.checkRecorders()
    adviseStep(core, dt)
    const outer = core.callbacks.enter()
    let result
    try {
      result = core.engine.exports.world_step(pointer, dt)
    } catch (error) {
      throw core.abandon(error, 'step')
    } finally {
      core.callbacks.leave(outer)
    }
    if (result !== 0) throw core.stepFailure(result)
    if (dt === 0) return
    core.lastDt = dt
    takeBroken(core, pointer)
    try {
      adviseScene(core, ++this.#steps)
    } catch {
      // The step was made.
    }
    core.turnPage()
    try {
      tell(core, this.#listeners)
    } finally {
      core.recordStep()
    }
  }

  /**
   * Advances the world in fixed steps by the time that went by, as a render loop has it. What is
   * left below one step is kept for the next call, and read as `interpolation`.
   *
   * Forces last for one step: apply them in `beforeStep`, which is called once per step.
   * @param {number} seconds 0 or more
   * @param {AdvanceOptions} [options]
   * @returns {number} steps made
   * @throws {MoreauError} as `step`; `world-locked` within `beforeStep` and `afterStep`. What these
   *   throw is thrown; the time of the steps that were not made is kept
   */
  advance(seconds, options) {
    this.#core.alive('advance')
    const steps = this.#fixedSteps.advance(this, seconds, options)
    if (this.isLate) adviseLate(this.#core, seconds)
    return steps
  }

  /**
   * After `advance`: the part of a step, 0 to 1, that time is ahead of the world. Blend the poses of
   * the last two steps by it for smooth pictures.
   * @returns {number}
   */
  get interpolation() {
    return this.#fixedSteps.interpolation
  }

  /**
   * Whether the last `advance` dropped time: more steps were due than `maxSteps` or `timeBudget`
   * allowed.
   * @returns {boolean}
   */
  get isLate() {
    return this.#fixedSteps.isLate
  }

  /**
   * The transforms before the last step that `advance` made with `interpolate: true`, laid out as
   * `transforms`; of bodies that are newer, and before the first such step, those of now. A copy:
   * it stays as it is until the next call.
   * @returns {Float32Array}
   */
  get previousTransforms() {
    this.#core.alive('previousTransforms')
    return this.#fixedSteps.previousTransforms(this)
  }

  /**
   * The poses to draw after `advance` with `interpolate: true`: those between the last two steps that
   * `interpolation` says, laid out as `transforms`.
   * @param {Float32Array} out of `transforms.length` or more
   * @returns {Float32Array} `out`
   *
   * @example
   * world.advance(seconds, { interpolate: true })
   * poses = world.interpolate(poses.length < world.transforms.length ? new Float32Array(world.transforms.length) : poses)
   */
  interpolate(out) {
    this.#core.alive('interpolate')
    const least = this.transforms.length
    const allowed = `a Float32Array of ${least} or more`
    if (!(out instanceof Float32Array)) throw invalid('interpolate: out', allowed, out)
    if (out.length < least) throw invalidLength('interpolate: out', allowed, out)
    this.#fixedSteps.interpolate(this, out)
    return out
  }

  /**
   * Makes `previousTransforms` those of now, and drops the time that is left for the next
   * `advance`: for after a pause or after bodies were put elsewhere.
   */
  resetInterpolation() {
    this.#core.alive('resetInterpolation')
    this.#fixedSteps.reset(this)
  }

  // --- bodies -----------------------------------------------------------------------------------

  /**
   * Adds a body.
   * @param {BodyDefinition} definition
   * @returns {Body}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle` of a shape or hull,
   *   one of `hull-...`, `capacity`, `out-of-memory`; the world is as it was before the call
   */
  createBody(definition) {
    return createBody(this.#core, definition)
  }

  /**
   * All living bodies in the order of their creation. The array is never changed: there is a new one
   * after a body was created or destroyed, so bodies may be destroyed while walking through it.
   * @returns {readonly Body[]}
   */
  get bodies() {
    const core = this.#core
    core.alive('bodies')
    return (core.list ??= Object.freeze([...core.living]))
  }

  /**
   * @param {number} id as in `body.id` or `world.bodyIds`
   * @returns {Body | undefined} undefined where no living body has it
   */
  bodyById(id) {
    this.#core.alive('bodyById')
    return this.#core.find(readInteger(id, 'bodyById: id', 0, Number.MAX_SAFE_INTEGER))
  }

  // --- characters -------------------------------------------------------------------------------

  /**
   * Makes a character: a shape that the program moves and the world stops. It is no body.
   * @param {CharacterDefinition} definition
   * @returns {Character}
   * @throws {MoreauError} `invalid-argument`, `stale-handle` of a shape or `exclude`, one of `hull-...`
   */
  createCharacter(definition) {
    return makeCharacter(this.#core, definition)
  }

  // --- joints and constraints -------------------------------------------------------------------

  /**
   * Joins two bodies, or a body and the world.
   * @param {JointDefinition} definition
   * @returns {Joint}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle` of a body, `capacity`,
   *   `out-of-memory`, `world-locked`; the world is as it was before the call
   *
   * @example
   * world.createJoint({ type: 'hinge', bodyA: frame, bodyB: door, anchor: [0, 1, 0], axis: [0, 1, 0], limits: [0, Math.PI / 2] })
   */
  createJoint(definition) {
    this.#core.begin('createJoint')
    return /** @type {Joint} */ (this.#constrain(putJoint(this.#core, definition), 'createJoint'))
  }

  /**
   * Adds a constraint: one made of your own functions, a distance, or `unitQuaternion`.
   * @param {ConstraintDefinition} definition
   * @returns {Constraint}
   * @throws {MoreauError} as `createJoint`
   *
   * @example
   * // A bead on the circle x² + y² = 1 in the plane z = 0.
   * world.createConstraint({
   *   type: 'custom',
   *   bodies: [bead],
   *   dimension: 2,
   *   evaluate(bodyA, bodyB, time, out) {
   *     const [x, y, z] = bodyA.position
   *     out[0] = (x * x + y * y - 1) / 2
   *     out[1] = z
   *   },
   * })
   */
  createConstraint(definition) {
    this.#core.begin('createConstraint')
    return this.#constrain(putConstraint(this.#core, definition), 'createConstraint')
  }

  /**
   * All living joints in the order of their creation. The array is never changed, as `bodies`.
   * @returns {readonly Joint[]}
   */
  get joints() {
    return /** @type {readonly Joint[]} */ (this.#constraintLists('joints').joints)
  }

  /**
   * All living constraints that are no joints, likewise.
   * @returns {readonly Constraint[]}
   */
  get constraints() {
    return this.#constraintLists('constraints').others
  }

  // --- potentials -------------------------------------------------------------------------------

  /**
   * Adds a field or spring that acts on dynamic bodies: on all, or on those that are given.
   * @param {PotentialDefinition} definition
   * @returns {Potential}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle` of a body, `capacity`,
   *   `out-of-memory`, `world-locked`; the world is as it was before the call
   *
   * @example
   * world.createPotential({ type: 'pointGravity', mu: 3.986e14, center: [0, -6.371e6, 0] })
   * world.createPotential({
   *   type: 'custom',
   *   force(body, time, out) {
   *     out[0] = -3 * body.worldCenterOfMass[0]
   *   },
   *   energy: (body) => 1.5 * body.worldCenterOfMass[0] ** 2,
   * })
   */
  createPotential(definition) {
    const core = this.#core
    core.begin('createPotential')
    core.callbacks.checkUnlocked('createPotential')
    const making = putPotential(core, definition)
    const { exports } = core.engine
    const id = exports.potential_create(core.pointer)
    if (id === 0) {
      if (making.handle !== undefined) core.callbacks.remove(KIND.potential, making.handle)
      core.check(exports.last_result(), 'createPotential')
    }
    const potential = makePotential(core, id, making)
    core.addPotential(potential, making.handle)
    return potential
  }

  /**
   * All living potentials in the order of their creation. The array is never changed, as `bodies`.
   * @returns {readonly Potential[]}
   */
  get potentials() {
    const core = this.#core
    core.alive('potentials')
    return (core.potentialList ??= Object.freeze([...core.potentials.keys()]))
  }

  /**
   * Pushes the dynamic bodies near a point, each once: at the point of its surface nearest to
   * `position`, away from there. The impulse is whole up to `radius` and falls to zero over `falloff`
   * beyond it. A body that holds the position in one of its shapes is pushed at its centre of mass.
   * Bodies that are pushed wake.
   * @param {Explosion} explosion
   * @throws {MoreauError} `invalid-argument`, `stale-handle`, `not-finite`, `world-locked`; nothing is
   *   pushed then
   *
   * @example
   * world.explode({ position: [0, 0.5, 0], radius: 1, falloff: 3, impulse: 20 })
   */
  explode(explosion) {
    const core = this.#core
    core.begin('explode')
    putExplosion(core, explosion)
    core.check(core.engine.exports.world_explode(core.pointer), 'explode')
  }

  /**
   * A vehicle on wheels that are rays: `vehicle.update(dt)` before each step drives it.
   * @param {VehicleDefinition} definition
   * @returns {Vehicle}
   * @throws {MoreauError} `invalid-argument`, `stale-handle`
   *
   * @example
   * const chassis = world.createBody({ shape: { type: 'box', halfExtents: [2, 0.4, 0.9] }, mass: 1200 })
   * const wheels = []
   * for (const x of [1.4, -1.4]) for (const z of [-0.8, 0.8]) wheels.push({ position: [x, -0.2, z] })
   * const car = world.createVehicle({ chassis, wheels })
   * car.wheels[0].steering = car.wheels[1].steering = 0.2
   * car.wheels[2].engineForce = car.wheels[3].engineForce = 1500
   * car.update(1 / 60)
   * world.step(1 / 60)
   */
  createVehicle(definition) {
    const core = this.#core
    core.alive('createVehicle')
    return makeVehicle(core, readVehicle(core, definition))
  }

  /**
   * Makes the bodies and joints of a skeleton, with motors that follow an animation.
   * @param {Skeleton} skeleton
   * @returns {Ragdoll}
   * @throws {MoreauError} as `createBody` and `createJoint`; nothing is made then
   */
  createRagdoll(skeleton) {
    this.#core.begin('createRagdoll')
    this.#core.callbacks.checkUnlocked('createRagdoll')
    return makeRagdoll(this, skeleton)
  }

  // --- events -----------------------------------------------------------------------------------

  /**
   * Has a function called after each step: `'contact'`, `'sensor'` and `'solver'` once per event of
   * the step, `'sleep'` once if a body fell asleep or woke. Listeners may change the world, but not
   * step it. All are called; what the first of them throws comes out of `step`, which has happened.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    this.#core.alive('on')
    return this.#listeners.add(this.#core, name, listener, WORLD_NAMES)
  }

  /**
   * As `on`, for the next event alone.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  once(name, listener) {
    const core = this.#core
    core.alive('once')
    return this.#listeners.addOnce(core, name, listener, WORLD_NAMES)
  }

  /**
   * Ends what `on` or `once` began with this listener.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {boolean} whether it listened
   */
  off(name, listener) {
    const core = this.#core
    core.alive('off')
    return this.#listeners.remove(core, name, listener, WORLD_NAMES)
  }

  /**
   * Decides which shapes may touch in a step: called once in it for each two that are near enough to
   * meet, in the order of the bodies (those of the row solvers first, then those of `'soft-step'`). With
   * false they pass through each other in this step. The world can be read in it, as it was before the
   * step, and not changed; what it throws comes out of `step`, with the world as it was. Its answer may
   * depend on the state of the world alone, if steps are to be repeatable. null, the default: none.
   * @returns {ContactFilter | null}
   */
  get contactFilter() {
    this.#core.alive('contactFilter')
    return this.#contactFunctions.filter
  }

  /** @param {ContactFilter | null} value */
  set contactFilter(value) {
    this.#contactFunctions.set('filter', value, 'contactFilter')
  }

  /**
   * Changes contacts that the filter lets pass, for one step: friction, restitution, and points that
   * are not to push. Called as the filter is.
   * @returns {ContactModifier | null}
   */
  get contactModifier() {
    this.#core.alive('contactModifier')
    return this.#contactFunctions.modifier
  }

  /** @param {ContactModifier | null} value */
  set contactModifier(value) {
    this.#contactFunctions.set('modifier', value, 'contactModifier')
  }

  // --- files ------------------------------------------------------------------------------------

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
    return writeScene(this, options)
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

  // --- state ------------------------------------------------------------------------------------

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
    return takeSnapshot(this.#core, options)
  }

  /**
   * The points and triangles of the world's hulls, meshes and height fields, for snapshots without them.
   * @returns {Uint8Array}
   */
  assets() {
    return takeAssets(this.#core)
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
    restoreSnapshot(this.#core, bytes, options)
    this.#fixedSteps.reset(this)
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
    return makeHistory(this.#core, options, () => this.#fixedSteps.reset(this))
  }

  /**
   * Notes from now on every call that changes the world, with hashes of its state after the steps.
   * @param {RecordOptions} [options]
   * @returns {Recording} its `stop()` gives bytes for `World.replay`
   * @throws {MoreauError} `invalid-argument`, also while the world is being recorded; `out-of-memory`,
   *   `world-locked`
   */
  record(options = {}) {
    return new Recording(this.#core, options)
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

  // --- life -------------------------------------------------------------------------------------

  /**
   * Gives the memory back. The world and its bodies throw `stale-handle` from then on; a second call
   * does nothing. Worlds that are not freed are when they are collected.
   */
  free() {
    const core = this.#core
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

  /**
   * Has the engine make the constraint whose definition is in the shared block.
   * @param {ConstraintMaking} making
   * @param {string} where
   * @returns {Constraint}
   */
  #constrain(making, where) {
    const core = this.#core
    const { exports } = core.engine
    const id = exports.constraint_create(core.pointer)
    if (id === 0) {
      if (making.handle !== undefined) core.callbacks.remove(KIND.constraint, making.handle)
      core.check(exports.last_result(), where)
    }
    const constraint = access.makeConstraint(core, id, making)
    core.addConstraint(constraint, making.handle)
    try {
      if (constraint instanceof Joint) {
        adviseHeld(core, constraint)
        adviseJoint(core, constraint)
        watchJoint(core, constraint)
      }
    } catch {
      // The joint is there, though the host's stack is at its end or the user's function threw.
    }
    return constraint
  }

  /** @param {string} where */
  #constraintLists(where) {
    const core = this.#core
    core.alive(where)
    if (core.constraintLists === undefined) {
      const all = [...core.constraints.keys()]
      core.constraintLists = {
        joints: Object.freeze(all.filter((constraint) => constraint instanceof Joint)),
        others: Object.freeze(all.filter((constraint) => !(constraint instanceof Joint))),
      }
    }
    return core.constraintLists
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
