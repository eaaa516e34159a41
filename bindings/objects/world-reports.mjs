import { readBoolean, readObject } from '../core/arguments.mjs'
import { invalid, unwritable } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { isFloat64Array } from '../core/lists.mjs'
import * as ENERGY from '../generated/places/energy.mjs'
import * as RESIDUAL from '../generated/places/residual.mjs'
import {
  ENERGY_NUMBERS,
  EVENT_COUNTS_NUMBERS,
  HASH_NUMBERS,
  MOMENTUM_NUMBERS,
  RESIDUAL_NUMBERS,
  STATS_NUMBERS,
  takeHash,
  takeMomentum,
  writeEnergy,
  writeEventCounts,
  writeResidual,
  writeStats,
} from '../generated/records.mjs'
import { WorldSettings } from '../generated/world-settings.mjs'
import { CONTACT_POINT_LAYOUT, contactPoints, readContactPoints } from './contacts.mjs'
import { debugRender } from './debug-render.mjs'
import { sleepEvents, solverEvents } from './events.mjs'
import { contactEvents, readContactEvents, readSensorEvents, sensorEvents } from './pair-events.mjs'
import { readProfile } from './profile.mjs'
import { coreOf } from './settings-owner.mjs'
import { islands, recordProblem, warnings } from './solver-report.mjs'

/** @import { Engine } from '../core/engine.mjs' */
/** @import { ContactEvents, SensorEvents } from '../types/index.mjs' */
/** @import { ContactPoint, DebugLines, DebugRenderOptions, Energy } from '../types/index.mjs' */
/** @import { EventCounts, Island, MemoryUse, Momentum } from '../types/index.mjs' */
/** @import { Profile, RecordedProblem, Residual, SleepEvents, JointEvent } from '../types/index.mjs' */
/** @import { SolverEvent, Stats, Warning } from '../types/index.mjs' */

/**
 * What a world tells of its last step and of itself. A part of `World`, and nothing by itself.
 */
export class WorldReports extends WorldSettings {
  #isProfiling = false

  /**
   * Seconds that the world was stepped by since its creation.
   * @returns {number}
   */
  get time() {
    const core = coreOf(this)
    return core.engine.exports.world_time(core.pointerFor('time'))
  }

  /**
   * Steps since its creation.
   * @returns {number}
   */
  get stepCount() {
    const core = coreOf(this)
    return core.engine.exports.world_step_count(core.pointerFor('stepCount'))
  }

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
    const core = coreOf(this)
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
      const core = coreOf(this)
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
      out.events ??= /** @type {EventCounts} */ ({})
      readObject(out.events, 'readStats: out.events')
      writeEventCounts(this.#query('stats', 'world_event_counts', EVENT_COUNTS_NUMBERS), out.events)
    } catch (error) {
      throw unwritable(error, 'readStats: out', 'an object', out)
    }
    return out
  }

  /**
   * Options of `'soft-step'` that are set above their default and above what is stable with the
   * substeps of the last step. A lower bound is in force instead, which more substeps raise.
   * @returns {Warning[]} none before the first step
   */
  get warnings() {
    return warnings(coreOf(this))
  }

  /**
   * How the last step solved each island, a group of bodies that contacts or joints link.
   * @returns {Island[]} ordered by their first body
   * @throws {MoreauError} `out-of-memory`
   */
  islands() {
    coreOf(this).alive('islands')
    return islands(coreOf(this))
  }

  /**
   * Islands that the last step did not solve as asked for: outside of the tolerance, or too big for
   * the exact solvers. `on('solver', ...)` tells of each as it happens.
   * @returns {SolverEvent[]}
   */
  get solverEvents() {
    return solverEvents(coreOf(this))
  }

  /**
   * Who fell asleep in the last step, and who woke since the one before it.
   * @returns {SleepEvents}
   */
  get sleepEvents() {
    return sleepEvents(coreOf(this))
  }

  /**
   * Which shapes began to touch in the last step, ended, hit each other, or push harder than
   * `contactForceThreshold`. The world watches contacts from the first reading or listener on; what
   * touches at a first reading has begun in it. Reading is allowed at any time and changes nothing; a
   * first reading inside of a function that the engine calls is empty, and the step tells at its end.
   * @returns {ContactEvents}
   */
  get contactEvents() {
    return contactEvents(coreOf(this))
  }

  /**
   * Contact events of the last step without an object per event, as many as fit: 17 numbers each
   * (`CONTACT_EVENT_LAYOUT`), one event for two shapes with all of its types.
   * @param {Float64Array} out
   * @returns {number} how many there are, which may be more than fitted
   */
  readContactEvents(out) {
    return readContactEvents(coreOf(this), out)
  }

  /**
   * Which shapes came into sensors by the end of the last step, and which left. As with contacts, the
   * world watches sensors from the first reading or listener on.
   * @returns {SensorEvents}
   */
  get sensorEvents() {
    return sensorEvents(coreOf(this))
  }

  /**
   * Sensor events of the last step, likewise: 5 numbers each (`SENSOR_EVENT_LAYOUT`).
   * @param {Float64Array} out
   * @returns {number} how many there are, which may be more than fitted
   */
  readSensorEvents(out) {
    return readSensorEvents(coreOf(this), out)
  }

  /**
   * The joints that broke in the last step, with the load that was too much. `on('joint', ...)` tells
   * of each as it happens.
   * @returns {readonly JointEvent[]}
   */
  get jointEvents() {
    coreOf(this).pointerFor('jointEvents')
    return coreOf(this).jointEvents
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
    coreOf(this).alive('recordProblem')
    if (typeof name !== 'string') throw invalid('recordProblem: name', 'a string', name)
    return recordProblem(coreOf(this), name)
  }

  /** @returns {ContactPoint[]} of the last step, ordered by pair of bodies */
  contactPoints() {
    coreOf(this).alive('contactPoints')
    return contactPoints(coreOf(this))
  }

  /**
   * The contact points of the last step without an object per point: 13 numbers each, as many as
   * fit: id of A, id of B, position x y z, normal x y z (unit, from A to B), separation in metres,
   * normal impulse in N s, tangent impulse x y z in N s on B. `CONTACT_POINT_LAYOUT` has these places.
   * @param {Float64Array} out
   * @returns {number} how many points there are, which may be more than fitted
   */
  readContactPoints(out) {
    coreOf(this).alive('readContactPoints')
    if (!isFloat64Array(out)) {
      const what = `a Float64Array with room for ${CONTACT_POINT_LAYOUT.stride} numbers per point`
      throw invalid('readContactPoints: out', what, out)
    }
    return readContactPoints(coreOf(this), out)
  }

  /**
   * Line segments that show the world as it is at present, in the form that Rapier's debug renderer
   * and three.js' `RapierHelper` have.
   * @param {DebugRenderOptions} [options] which parts are drawn
   * @returns {DebugLines} arrays of your own: a new pair with each call
   * @throws {MoreauError} `out-of-memory`
   */
  debugRender(options = {}) {
    return debugRender(coreOf(this), options)
  }

  /**
   * Whether steps are timed, for `profile()`; default false. The engine reads no clock otherwise.
   * @returns {boolean}
   */
  get profiling() {
    coreOf(this).alive('profiling')
    return this.#isProfiling
  }

  /** @param {boolean} value */
  set profiling(value) {
    const core = coreOf(this)
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
    return readProfile(coreOf(this), {}, 'profile')
  }

  /**
   * Writes `profile()` to what is given, and allocates nothing.
   * @template {Partial<Profile>} Out
   * @param {Out} out
   * @returns {Out & Profile} `out`
   */
  readProfile(out) {
    readObject(out, 'readProfile: out')
    return readProfile(coreOf(this), out, 'readProfile')
  }

  /**
   * 64-bit FNV-1a over the state of the world: equal where all bits of the state are.
   * @returns {string} 16 hexadecimal digits
   */
  hash() {
    return hashText(this.#query('hash', 'world_hash', HASH_NUMBERS))
  }

  /** @returns {MemoryUse} of the whole module: all worlds, shapes and hulls together */
  memory() {
    coreOf(this).alive('memory')
    const { buffer, exports } = coreOf(this).engine
    return {
      bytes: exports.allocated_bytes(),
      allocations: exports.allocation_count(),
      wasmBytes: buffer.byteLength,
    }
  }

  /**
   * Has the engine write a read-out into the shared block.
   * @param {string} where
   * @param {'world_momentum' | 'world_residual' | 'world_stats' | 'world_event_counts' | 'world_hash'} query
   * @param {number} count
   */
  #query(where, query, count) {
    const core = coreOf(this)
    core.ask(query, where)
    core.engine.begin(count)
    return core.engine
  }
}

/**
 * The hash that is in the shared block.
 * @param {Engine} engine at its beginning
 * @returns {string}
 */
export function hashText(engine) {
  const { high, low } = takeHash(engine)
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
}
