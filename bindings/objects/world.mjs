/// <reference lib="esnext.disposable" preserve="true" />
import { readBoolean, readInteger, readObject } from '../core/arguments.mjs'
import { invalid, unwritable } from '../core/describe.mjs'
import { isFloat64Array } from '../core/lists.mjs'
import { putBodyDefinition } from '../definitions/body-definition.mjs'
import { makeBody } from './body.mjs'
import { BulkView } from '../core/bulk-view.mjs'
import { CONTACT_POINT_LAYOUT, contactPoints, readContactPoints } from './contacts.mjs'
import { putConstraint, putJoint } from '../definitions/constraint-definition.mjs'
import { Joint, makeConstraint } from './constraint.mjs'
import { makePotential } from './potential.mjs'
import { putPotential } from '../definitions/potential-definition.mjs'
import { KIND } from '../core/callbacks.mjs'
import { engine } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { Listeners, sleepEvents, solverEvents } from './events.mjs'
import { FixedSteps } from './fixed-steps.mjs'
import { init } from '../core/loader.mjs'
import * as ENERGY from '../generated/places/energy.mjs'
import * as RESIDUAL from '../generated/places/residual.mjs'
import {
  ENERGY_NUMBERS,
  HASH_NUMBERS,
  MOMENTUM_NUMBERS,
  RESIDUAL_NUMBERS,
  STATS_NUMBERS,
  takeHash,
  takeMomentum,
  writeEnergy,
  writeResidual,
  writeStats,
} from '../generated/records.mjs'
import { WorldSettings } from '../generated/world-settings.mjs'
import { readProfile } from './profile.mjs'
import { NO_OPTIONS as NO_RAY_OPTIONS, rayCast, rayCastAll, readRayCast } from './queries.mjs'
import { freeIdleShapes } from './shape.mjs'
import { islands, recordProblem } from './solver-report.mjs'
import { coreOf } from './settings-owner.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Constraint } from './constraint.mjs' */
/** @import { Potential } from './potential.mjs' */
/** @import { PotentialDefinition } from '../types/index.mjs' */
/** @import { ConstraintMaking } from '../definitions/constraint-definition.mjs' */
/** @import { ConstraintDefinition, JointDefinition } from '../types/index.mjs' */
/** @import { AdvanceOptions, BodyDefinition, ContactPoint, Energy, MemoryUse } from '../types/index.mjs' */
/** @import { Island, Momentum, Profile, RayCastOptions, RayHit, RayHitOut } from '../types/index.mjs' */
/** @import { RayHitRead, RecordedProblem, Residual, SleepEvents, SolverEvent } from '../types/index.mjs' */
/** @import { Stats, VectorLike, WorldEvents, WorldOptions } from '../types/index.mjs' */

/** Floats or doubles per slot in `transforms` and `velocities`. */
const SLOT_STRIDE = 8

const collector = new Collector((pointer) => engine().exports.world_destroy(pointer))

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
export class World extends WorldSettings {
  #core
  #transforms = new BulkView(Float32Array)
  #transforms64 = new BulkView(Float64Array)
  #velocities = new BulkView(Float64Array)
  #bodyIds = new BulkView(Float64Array)
  #moved = new BulkView(Uint32Array)
  #fixedSteps = new FixedSteps()
  #listeners = new Listeners()
  #isProfiling = false

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
    collector.watch(this, this.#core.pointer)
    if (options.profile === true) this.profiling = true
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
    const outer = core.callbacks.enter()
    let result
    try {
      result = core.engine.exports.world_step(pointer, dt)
    } catch (error) {
      throw core.abandon(error, 'step')
    } finally {
      core.callbacks.leave(outer)
    }
    core.check(result, 'step')
    if (dt === 0) return
    core.lastDt = dt
    this.#listeners.tell(core)
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
    return this.#fixedSteps.advance(this, seconds, options)
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
   * Makes `previousTransforms` those of now, and drops the time that is left for the next
   * `advance`: for after a pause or after bodies were put elsewhere.
   */
  resetInterpolation() {
    this.#core.alive('resetInterpolation')
    this.#fixedSteps.reset(this)
  }

  /**
   * Seconds that the world was stepped by since its creation.
   * @returns {number}
   */
  get time() {
    const core = this.#core
    return core.engine.exports.world_time(core.pointerFor('time'))
  }

  /**
   * Steps since its creation.
   * @returns {number}
   */
  get stepCount() {
    const core = this.#core
    return core.engine.exports.world_step_count(core.pointerFor('stepCount'))
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
    const core = this.#core
    core.begin('createBody')
    try {
      const { shapes, userData } = putBodyDefinition(definition)
      const { exports } = core.engine
      const id = exports.body_create(core.pointer)
      if (id === 0) core.check(exports.last_result(), 'createBody')
      core.locate()
      const body = makeBody(core, id, shapes, userData)
      core.add(body)
      return body
    } catch (error) {
      freeIdleShapes(0)
      throw error
    }
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

  // --- queries ----------------------------------------------------------------------------------

  /**
   * The first shape that a ray meets, of the bodies as they are now. Shapes are solid: one that the
   * ray starts inside of is met at distance 0, with the normal against the direction.
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {RayHit | null} null where nothing is met
   * @throws {MoreauError} `invalid-argument`; `stale-handle` of `exclude`
   */
  rayCast(origin, direction, options = NO_RAY_OPTIONS) {
    return rayCast(this.#core, origin, direction, options)
  }

  /**
   * Writes what `rayCast` gives to what is given, and allocates nothing if `out` has its `position`
   * and `normal`.
   * @template {RayHitOut} Out
   * @param {Out} out left as it is where nothing is met
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {(Out & RayHitRead) | null} `out`; null where nothing is met
   * @throws {MoreauError} as `rayCast`
   */
  readRayCast(out, origin, direction, options = NO_RAY_OPTIONS) {
    return readRayCast(this.#core, out, origin, direction, options)
  }

  /**
   * All shapes that a ray meets, each where it enters.
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {RayHit[]} ascending by distance
   * @throws {MoreauError} as `rayCast`; `out-of-memory`
   */
  rayCastAll(origin, direction, options = NO_RAY_OPTIONS) {
    return rayCastAll(this.#core, origin, direction, options)
  }

  // --- bulk arrays, by slot ---------------------------------------------------------------------

  /**
   * Poses of all bodies for renderers, 8 floats per slot: `x y z 0 qx qy qz qw` at `8 * body.index`.
   * Free slots hold zeros. Always up to date; read the property each frame instead of keeping the
   * array, as it is a new one after bodies were added or the memory has grown.
   * @returns {Float32Array}
   */
  get transforms() {
    const core = this.#core
    const address = core.engine.exports.world_transforms(core.pointerFor('transforms'))
    return this.#transforms.at(core.engine.buffer, address, SLOT_STRIDE * core.slotCount)
  }

  /**
   * The same in double precision.
   * @returns {Float64Array}
   */
  get transforms64() {
    const core = this.#core
    core.alive('transforms64')
    const address = 8 * core.transforms64
    return this.#transforms64.at(core.engine.buffer, address, SLOT_STRIDE * core.slotCount)
  }

  /**
   * Velocities of all bodies, 8 doubles per slot: `vx vy vz 0 wx wy wz 0`, m/s and rad/s, world.
   * @returns {Float64Array}
   */
  get velocities() {
    const core = this.#core
    core.alive('velocities')
    const address = 8 * core.velocities
    return this.#velocities.at(core.engine.buffer, address, SLOT_STRIDE * core.slotCount)
  }

  /**
   * Which body is in which slot: its id, or 0 where the slot is free.
   * @returns {Float64Array}
   */
  get bodyIds() {
    const core = this.#core
    core.alive('bodyIds')
    return this.#bodyIds.at(core.ids, 0, core.slotCount)
  }

  /**
   * Slots whose pose changed in the last step, ascending. A new array where their number changed.
   * The slot of a body that was destroyed since is still among them, until the next step.
   * @returns {Uint32Array}
   */
  get moved() {
    const core = this.#core
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
    const core = this.#core
    return core.engine.exports.world_awake_count(core.pointerFor('awakeCount'))
  }

  // --- diagnostics ------------------------------------------------------------------------------

  /**
   * @returns {Energy} of all dynamic bodies, J
   * @throws {MoreauError} `potential-failed`
   */
  energy() {
    return this.readEnergy(/** @type {Energy} */ ({}))
  }

  /**
   * Writes `energy()` to what is given, and allocates nothing.
   * @template {Energy} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readEnergy(out) {
    readObject(out, 'readEnergy: out')
    const core = this.#core
    const pointer = core.pointerFor('energy')
    const { callbacks } = core
    const outer = callbacks.enter()
    const module = core.engine
    try {
      module.exports.world_energy(pointer)
    } catch (error) {
      throw core.abandon(error, 'energy')
    } finally {
      callbacks.leave(outer)
    }
    module.begin(ENERGY_NUMBERS)
    // How the engine says that a potential failed.
    if (Number.isNaN(module.at(ENERGY.potential))) {
      const text = 'energy: a potential gave up, or its energy is not finite'
      throw new MoreauError('potential-failed', text, callbacks.takeFailure())
    }
    try {
      writeEnergy(module, out)
    } catch (error) {
      throw unwritable(error, 'readEnergy: out', 'an object', out)
    }
    return out
  }

  /** @returns {Momentum} of all dynamic bodies */
  momentum() {
    return takeMomentum(this.#query('momentum', 'world_momentum', MOMENTUM_NUMBERS))
  }

  /**
   * The certificate of the last step, computed from its contacts when asked for, by code that no
   * solver shares.
   * @returns {Residual} m/s, except `complementarity` in J
   * @throws {MoreauError} `out-of-memory`
   */
  residual() {
    return this.readResidual(/** @type {Residual} */ ({}))
  }

  /**
   * Writes `residual()` to what is given, and allocates nothing.
   * @template {Residual} Out
   * @param {Out} out
   * @returns {Out} `out`
   * @throws {MoreauError} `out-of-memory`
   */
  readResidual(out) {
    readObject(out, 'readResidual: out')
    const module = this.#query('residual', 'world_residual', RESIDUAL_NUMBERS)
    // How the engine says that it had no memory for it.
    if (Number.isNaN(module.at(RESIDUAL.worst))) {
      const core = this.#core
      core.check(core.engine.exports.world_last_result(core.pointer), 'residual')
    }
    try {
      writeResidual(module, out)
    } catch (error) {
      throw unwritable(error, 'readResidual: out', 'an object', out)
    }
    return out
  }

  /** @returns {Stats} counts, and how the solver fared in the last step */
  get stats() {
    return this.readStats(/** @type {Stats} */ ({}))
  }

  /**
   * Writes `stats` to what is given, and allocates nothing.
   * @template {Stats} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readStats(out) {
    readObject(out, 'readStats: out')
    const module = this.#query('stats', 'world_stats', STATS_NUMBERS)
    try {
      writeStats(module, out)
    } catch (error) {
      throw unwritable(error, 'readStats: out', 'an object', out)
    }
    return out
  }

  /**
   * How the last step solved each island, a group of bodies that contacts or joints link.
   * @returns {Island[]} ordered by their first body
   * @throws {MoreauError} `out-of-memory`
   */
  islands() {
    this.#core.alive('islands')
    return islands(this.#core)
  }

  /**
   * Islands that the last step did not solve as asked for: outside of the tolerance, or too big for
   * the exact solvers. `on('solver', ...)` tells of each as it happens.
   * @returns {SolverEvent[]}
   */
  get solverEvents() {
    return solverEvents(this.#core)
  }

  /**
   * Who fell asleep in the last step, and who woke since the one before it.
   * @returns {SleepEvents}
   */
  get sleepEvents() {
    return sleepEvents(this.#core)
  }

  /**
   * Has a function called after each step: `'solver'` once per event of the step, `'sleep'` once if
   * a body fell asleep or woke.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    this.#core.alive('on')
    return this.#listeners.add(name, listener)
  }

  /**
   * The contact problem that the last step solved, in the form that `solveContactProblem` takes and
   * `JSON.stringify` writes: `u = W r + q`, three rows per contact point.
   * @param {string} [name]
   * @returns {RecordedProblem}
   * @throws {MoreauError} `not-supported` where joints or custom constraints were part of it;
   *   `out-of-memory`
   */
  recordProblem(name = `step-${this.stepCount}`) {
    this.#core.alive('recordProblem')
    if (typeof name !== 'string') throw invalid('recordProblem: name', 'a string', name)
    return recordProblem(this.#core, name)
  }

  /** @returns {ContactPoint[]} of the last step, ordered by pair of bodies */
  contactPoints() {
    this.#core.alive('contactPoints')
    return contactPoints(this.#core)
  }

  /**
   * The contact points of the last step without an object per point: 13 numbers each, as many as
   * fit: id of A, id of B, position x y z, normal x y z (unit, from A to B), separation in metres,
   * normal impulse in N s, tangent impulse x y z in N s on B. `CONTACT_POINT_LAYOUT` has these places.
   * @param {Float64Array} out
   * @returns {number} how many points there are, which may be more than fitted
   */
  readContactPoints(out) {
    this.#core.alive('readContactPoints')
    if (!isFloat64Array(out)) {
      const what = `a Float64Array with room for ${CONTACT_POINT_LAYOUT.stride} numbers per point`
      throw invalid('readContactPoints: out', what, out)
    }
    return readContactPoints(this.#core, out)
  }

  /**
   * Whether steps are timed, for `profile()`; default false. The engine reads no clock otherwise.
   * @returns {boolean}
   */
  get profiling() {
    this.#core.alive('profiling')
    return this.#isProfiling
  }

  /** @param {boolean} value */
  set profiling(value) {
    const core = this.#core
    const isOn = readBoolean(value, 'profiling')
    core.callbacks.checkUnlocked('profiling')
    core.engine.exports.world_set_profiling(core.pointerFor('profiling'), Number(isOn))
    this.#isProfiling = isOn
  }

  /**
   * Where the time of the last step went that was made with `profiling`; zeros if none was.
   * @returns {Profile} seconds
   */
  profile() {
    return readProfile(this.#core, {}, 'profile')
  }

  /**
   * Writes `profile()` to what is given, and allocates nothing.
   * @template {Partial<Profile>} Out
   * @param {Out} out
   * @returns {Out & Profile} `out`
   */
  readProfile(out) {
    readObject(out, 'readProfile: out')
    return readProfile(this.#core, out, 'readProfile')
  }

  /**
   * 64-bit FNV-1a over the state of the world: equal where all bits of the state are.
   * @returns {string} 16 hexadecimal digits
   */
  hash() {
    const { high, low } = takeHash(this.#query('hash', 'world_hash', HASH_NUMBERS))
    return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
  }

  /** @returns {MemoryUse} of the whole module: all worlds, shapes and hulls together */
  memory() {
    this.#core.alive('memory')
    const { buffer, exports } = this.#core.engine
    return {
      bytes: exports.allocated_bytes(),
      allocations: exports.allocation_count(),
      wasmBytes: buffer.byteLength,
    }
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
    const constraint = makeConstraint(core, id, making)
    core.addConstraint(constraint, making.handle)
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

  /**
   * Has the engine write a read-out into the shared block.
   * @param {string} where
   * @param {'world_momentum' | 'world_residual' | 'world_stats' | 'world_hash'} query
   * @param {number} count
   */
  #query(where, query, count) {
    const core = this.#core
    core.ask(query, where)
    core.engine.begin(count)
    return core.engine
  }
}

dropMissingDispose(World)

/**
 * Outside of the class, as bundlers rename a class that names itself.
 * @param {WorldOptions} [options]
 */
function makeWorld(options) {
  return new World(options)
}
