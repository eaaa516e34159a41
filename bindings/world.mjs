/// <reference lib="esnext.disposable" preserve="true" />
import {
  checkNames,
  invalid,
  readInteger,
  readNonNegative,
  readObject,
  readPositive,
} from './arguments.mjs'
import { putBodyDefinition } from './body-definition.mjs'
import { makeBody } from './body.mjs'
import { BulkView } from './bulk-view.mjs'
import { CONTACT_POINT_LAYOUT, contactPoints, readContactPoints } from './contacts.mjs'
import { engine } from './engine.mjs'
import { Collector, dropMissingDispose } from './lifetime.mjs'
import { init } from './loader.mjs'
import {
  PLACE,
  readSetting,
  readSettings,
  SETTING_COUNT,
  SOLVERS,
  STABILIZATIONS,
} from './settings.mjs'
import { freeIdleShapes } from './shape.mjs'
import { WorldCore } from './world-core.mjs'

/** @import { Body } from './body.mjs' */
/** @import { AdvanceOptions, BodyDefinition, ContactPoint, Energy, MemoryUse } from './types.mjs' */
/** @import { Momentum, Residual, SolverName, Stabilization, Stats } from './types.mjs' */
/** @import { Vector, VectorLike, WorldOptions } from './types.mjs' */

/** Floats or doubles per slot in `transforms` and `velocities`. */
const SLOT_STRIDE = 8

/** In the order of mo_solve_status. @type {readonly Stats['status'][]} */
const STATUSES = ['none', 'converged', 'max-iterations']

// Part of a step that time may be short of one and still make it: 6 times 1/60 s is 0.1 s.
const ADVANCE_SLACK = 1e-9

/** MO_ERROR_OUT_OF_MEMORY */
const OUT_OF_MEMORY = 3

const DEFAULT_FIXED_DT = 1 / 60
const DEFAULT_MAX_STEPS = 8

/** @type {AdvanceOptions} */
const NO_OPTIONS = Object.freeze({})

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
export class World {
  #core
  #transforms = new BulkView(Float32Array)
  #transforms64 = new BulkView(Float64Array)
  #velocities = new BulkView(Float64Array)
  #bodyIds = new BulkView(Uint32Array)
  #moved = new BulkView(Uint32Array)
  // Seconds that `advance` has not stepped yet, and the part of a step that they are.
  #remainder = 0
  #interpolation = 0

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
    const module = engine()
    module.exports.world_default_settings()
    module.begin(SETTING_COUNT)
    const settings = module.takeAll(SETTING_COUNT)
    readSettings(options, settings)
    module.begin(SETTING_COUNT)
    module.putAll(settings)
    const pointer = module.exports.world_create() >>> 0
    if (pointer === 0) throw module.failure(module.exports.last_result(), 'World', 0)
    this.#core = new WorldCore(this, pointer)
    this.#core.locate()
    collector.watch(this, pointer)
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
    const pointer = core.alive('step')
    if (!(typeof dt === 'number' && dt >= 0 && dt < Infinity)) {
      throw invalid('step: dt', 'a finite number of seconds, 0 or more', dt)
    }
    core.check(core.engine.exports.world_step(pointer, dt), 'step')
    if (dt > 0) core.lastDt = dt
  }

  /**
   * Advances the world in fixed steps by the time that went by, as a render loop has it. What is
   * left below one step is kept for the next call, and read as `interpolation`.
   * @param {number} seconds 0 or more
   * @param {AdvanceOptions} [options]
   * @returns {number} steps made
   * @throws {MoreauError} as `step`
   */
  advance(seconds, options = NO_OPTIONS) {
    this.#core.alive('advance')
    const time = readNonNegative(seconds, 'advance: seconds')
    if (options !== NO_OPTIONS) {
      checkNames(readObject(options, 'advance: options'), ['fixedDt', 'maxSteps'], 'advance')
    }
    const { fixedDt = DEFAULT_FIXED_DT, maxSteps = DEFAULT_MAX_STEPS } = options
    const dt = readPositive(fixedDt, 'advance: fixedDt')
    const most = readInteger(maxSteps, 'advance: maxSteps', 1, 1e9)
    const available = this.#remainder + time
    const due = Math.floor(available / dt + ADVANCE_SLACK)
    const steps = Math.min(due, most)
    // After each step, so that what a step that throws leaves undone is made up for later.
    this.#keep(available, dt)
    for (let i = 1; i <= steps; i++) {
      this.step(dt)
      this.#keep(available - i * dt, dt)
    }
    // Time beyond the last step that may be made is dropped, except for the part of a step.
    this.#keep(available - due * dt, dt)
    return steps
  }

  /**
   * After `advance`: the part of a step, 0 to 1, that time is ahead of the world. Blend the poses of
   * the last two steps by it for smooth pictures.
   * @returns {number}
   */
  get interpolation() {
    return this.#interpolation
  }

  /**
   * Seconds that the world was stepped by since its creation.
   * @returns {number}
   */
  get time() {
    const core = this.#core
    return core.engine.exports.world_time(core.alive('time'))
  }

  /**
   * Steps since its creation.
   * @returns {number}
   */
  get stepCount() {
    const core = this.#core
    return core.engine.exports.world_step_count(core.alive('stepCount'))
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
    core.alive('createBody')
    try {
      const { shapes, userData } = putBodyDefinition(definition, 'createBody')
      const { exports } = core.engine
      const id = exports.body_create(core.pointer) >>> 0
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
    return this.#core.find(readInteger(id, 'bodyById: id', 0, 0xffffffff))
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
    const address = core.engine.exports.world_transforms(core.alive('transforms'))
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
   * @returns {Uint32Array}
   */
  get bodyIds() {
    const core = this.#core
    core.alive('bodyIds')
    return this.#bodyIds.at(core.engine.buffer, 4 * core.bodyIds, core.slotCount)
  }

  /**
   * Slots whose pose changed in the last step, ascending. A new array where their number changed.
   * The slot of a body that was destroyed since is still among them, until the next step.
   * @returns {Uint32Array}
   */
  get moved() {
    const core = this.#core
    const pointer = core.alive('moved')
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
    return core.engine.exports.world_awake_count(core.alive('awakeCount'))
  }

  // --- diagnostics ------------------------------------------------------------------------------

  /** @returns {Energy} of all dynamic bodies, J */
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
    const module = this.#query('energy', 'world_energy', 3)
    out.kinetic = module.take()
    out.potential = module.take()
    out.total = module.take()
    return out
  }

  /** @returns {Momentum} of all dynamic bodies */
  momentum() {
    const module = this.#query('momentum', 'world_momentum', 6)
    return { linear: module.takeVector(), angular: module.takeVector() }
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
    const module = this.#query('residual', 'world_residual', 7)
    // How the engine says that it had no memory for it.
    if (Number.isNaN(module.at(0))) this.#core.check(OUT_OF_MEMORY, 'residual')
    out.worst = module.take()
    out.rms = module.take()
    out.cone = module.take()
    out.dual = module.take()
    out.complementarity = module.take()
    out.bilateral = module.take()
    out.contacts = module.take()
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
    const module = this.#query('stats', 'world_stats', 9)
    out.bodies = module.take()
    out.awake = module.take()
    out.contacts = module.take()
    out.contactPoints = module.take()
    out.pairs = module.take()
    out.status = STATUSES[module.take()]
    out.iterations = module.take()
    out.maxPenetration = module.take()
    out.stepBytes = module.take()
    return out
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
    if (!(out instanceof Float64Array)) {
      const what = `a Float64Array with room for ${CONTACT_POINT_LAYOUT.stride} numbers per point`
      throw invalid('readContactPoints: out', what, out)
    }
    return readContactPoints(this.#core, out)
  }

  /**
   * 64-bit FNV-1a over the state of the world: equal where all bits of the state are.
   * @returns {string} 16 hexadecimal digits
   */
  hash() {
    const module = this.#query('hash', 'world_hash', 2)
    const high = module.take()
    return [high, module.take()].map((half) => half.toString(16).padStart(8, '0')).join('')
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

  // --- settings, as in WorldOptions; they count from the next step on ---------------------------

  /**
   * m/s².
   * @returns {Vector}
   */
  get gravity() {
    const [x, y, z] = this.#settings('gravity')
    return [x, y, z]
  }

  /** @param {VectorLike} value */
  set gravity(value) {
    this.#change('gravity', value)
  }

  /**
   * Always `'block-pgs'` in this version.
   * @returns {SolverName}
   */
  get solver() {
    return SOLVERS[this.#settings('solver')[PLACE.solver]]
  }

  /** @param {SolverName} value */
  set solver(value) {
    this.#change('solver', value)
  }

  /**
   * How overlap is removed.
   * @returns {Stabilization}
   */
  get stabilization() {
    return STABILIZATIONS[this.#settings('stabilization')[PLACE.stabilization]]
  }

  /** @param {Stabilization} value */
  set stabilization(value) {
    this.#change('stabilization', value)
  }

  /**
   * Sweeps of the solver per step, 1 to 100000.
   * @returns {number}
   */
  get iterations() {
    return this.#settings('iterations')[PLACE.iterations]
  }

  /** @param {number} value */
  set iterations(value) {
    this.#change('iterations', value)
  }

  /**
   * m/s: a sweep that changes no contact velocity by more ends the solve; 0 or more.
   * @returns {number}
   */
  get tolerance() {
    return this.#settings('tolerance')[PLACE.tolerance]
  }

  /** @param {number} value */
  set tolerance(value) {
    this.#change('tolerance', value)
  }

  /**
   * m/s of approach below which nothing bounces; `'auto'` is `max(0.01, 2 |gravity| dt)`.
   * @returns {number | 'auto'}
   */
  get restitutionThreshold() {
    const threshold = this.#settings('restitutionThreshold')[PLACE.restitutionThreshold]
    return threshold < 0 ? 'auto' : threshold
  }

  /** @param {number | 'auto'} value */
  set restitutionThreshold(value) {
    this.#change('restitutionThreshold', value)
  }

  /**
   * Metres of overlap that are left alone; 0 or more.
   * @returns {number}
   */
  get linearSlop() {
    return this.#settings('linearSlop')[PLACE.linearSlop]
  }

  /** @param {number} value */
  set linearSlop(value) {
    this.#change('linearSlop', value)
  }

  /**
   * The part of the overlap beyond the slop that a step removes, 0 to 1.
   * @returns {number}
   */
  get errorReduction() {
    return this.#settings('errorReduction')[PLACE.errorReduction]
  }

  /** @param {number} value */
  set errorReduction(value) {
    this.#change('errorReduction', value)
  }

  /**
   * m/s, cap of that removal; 0 or more.
   * @returns {number}
   */
  get maxCorrectionSpeed() {
    return this.#settings('maxCorrectionSpeed')[PLACE.maxCorrectionSpeed]
  }

  /** @param {number} value */
  set maxCorrectionSpeed(value) {
    this.#change('maxCorrectionSpeed', value)
  }

  /**
   * Always 1 in this version; setting another number throws `not-supported`.
   * @returns {1}
   */
  get substeps() {
    this.#core.alive('substeps')
    return 1
  }

  /** @param {1} value */
  set substeps(value) {
    this.#change('substeps', value)
  }

  /**
   * In this version always true Coulomb friction; others throw `not-supported`.
   * @returns {'coulomb'}
   */
  get frictionLaw() {
    this.#core.alive('frictionLaw')
    return 'coulomb'
  }

  /** @param {'coulomb'} value */
  set frictionLaw(value) {
    this.#change('frictionLaw', value)
  }

  /**
   * Always the same in this version; others throw `not-supported`.
   * @returns {'semi-implicit-euler'}
   */
  get integrator() {
    this.#core.alive('integrator')
    return 'semi-implicit-euler'
  }

  /** @param {'semi-implicit-euler'} value */
  set integrator(value) {
    this.#change('integrator', value)
  }

  /**
   * Always false in this version; setting it to true throws `not-supported`.
   * @returns {false}
   */
  get allowSleep() {
    this.#core.alive('allowSleep')
    return false
  }

  /** @param {false} value */
  set allowSleep(value) {
    this.#change('allowSleep', value)
  }

  /**
   * Of soft contacts, which are not in this version: undefined, and setting it throws
   * `not-supported`.
   * @returns {undefined}
   */
  get contactHertz() {
    this.#core.alive('contactHertz')
    return undefined
  }

  /** @param {undefined} value */
  set contactHertz(value) {
    this.#change('contactHertz', value)
  }

  /**
   * Of soft contacts, which are not in this version: undefined, and setting it throws
   * `not-supported`.
   * @returns {undefined}
   */
  get contactDamping() {
    this.#core.alive('contactDamping')
    return undefined
  }

  /** @param {undefined} value */
  set contactDamping(value) {
    this.#change('contactDamping', value)
  }

  // --- life -------------------------------------------------------------------------------------

  /**
   * Gives the memory back. The world and its bodies throw `stale-handle` from then on; a second call
   * does nothing. Worlds that are not freed are when they are collected.
   */
  free() {
    const core = this.#core
    if (core.isFreed) return
    core.engine.exports.world_destroy(core.pointer)
    core.clear()
    collector.forget(this)
  }

  /** The same as `free()`, for `using`. */
  [Symbol.dispose]() {
    this.free()
  }

  /**
   * @param {number} remainder seconds that are left for the next `advance`
   * @param {number} dt
   */
  #keep(remainder, dt) {
    this.#remainder = Math.max(0, remainder)
    this.#interpolation = Math.min(1, this.#remainder / dt)
  }

  /**
   * Has the engine write a read-out into the shared block.
   * @param {string} where
   * @param {'world_energy' | 'world_momentum' | 'world_residual' | 'world_stats' | 'world_hash'} query
   * @param {number} count
   */
  #query(where, query, count) {
    const core = this.#core
    core.engine.exports[query](core.alive(where))
    core.engine.begin(count)
    return core.engine
  }

  /**
   * @param {string} name
   * @returns {number[]} all settings
   */
  #settings(name) {
    const core = this.#core
    core.engine.exports.world_get_settings(core.alive(name))
    core.engine.begin(SETTING_COUNT)
    return core.engine.takeAll(SETTING_COUNT)
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  #change(name, value) {
    const core = this.#core
    const settings = this.#settings(name)
    readSetting(name, value, settings)
    core.engine.begin(SETTING_COUNT)
    core.engine.putAll(settings)
    core.check(core.engine.exports.world_set_settings(core.pointer), `World: ${name}`)
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
