import {
  readBoolean,
  readFraction,
  readNonNegative,
  readNumber,
  readPositive,
  readWordNumber,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList, writeList } from '../core/lists.mjs'
import { Scratch } from '../core/scratch.mjs'
import { readInertia, readVector, writeVector } from '../core/vectors.mjs'
import { defaults, LATER } from '../definitions/body-definition.mjs'
import { readFilter } from '../definitions/filter.mjs'
import { BODY_TYPES, SOLVERS } from '../generated/enums.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { aliveCore, BodyMotion, stateOf } from './body-motion.mjs'

/** @import { BodyType, Filter, InertiaLike, SolverName } from '../types/index.mjs' */
/** @import { Vector, VectorLike, VectorOut } from '../types/index.mjs' */

const INERTIA_NUMBERS = 9

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(3)
const inertias = new Scratch(INERTIA_NUMBERS)

/**
 * What a body is made of and how it takes part. A part of `Body`, and nothing by itself.
 */
export class BodyProperties extends BodyMotion {
  // --- mass -------------------------------------------------------------------------------------

  /**
   * How the body takes part: a `dynamic` body moves by forces and contacts, a `kinematic` one only by
   * its velocity, a `static` one not at all. A plane must stay static, and a dynamic body needs mass.
   * @returns {BodyType}
   */
  get type() {
    return BODY_TYPES[stateOf(this, 'type').at(BODY_STATE.type)]
  }

  /** @param {BodyType} value */
  set type(value) {
    const core = aliveCore(this, 'type')
    const type = readWordNumber(value, 'type', BODY_TYPES)
    core.check(core.engine.exports.body_set_type(core.pointer, this.id, type), 'type')
  }

  /**
   * kg; 0 for static and kinematic bodies, which keep what is set for when they become dynamic. Above
   * 0 to set; the inertia is scaled with it.
   * @returns {number}
   */
  get mass() {
    return stateOf(this, 'mass').at(BODY_STATE.mass)
  }

  /** @param {number} value */
  set mass(value) {
    const core = aliveCore(this, 'mass')
    const mass = readPositive(value, 'mass')
    core.check(core.engine.exports.body_set_mass(core.pointer, this.id, mass), 'mass')
  }

  /**
   * Mean density in kg/m³: the mass over the volume of the shapes; 0 for static and kinematic bodies.
   * Above 0 to set, which sets the mass and scales the inertia; refused without a shape that has a
   * volume.
   * @returns {number}
   */
  get density() {
    return stateOf(this, 'density').at(BODY_STATE.density)
  }

  /** @param {number} value */
  set density(value) {
    const core = aliveCore(this, 'density')
    const density = readPositive(value, 'density')
    core.check(core.engine.exports.body_set_density(core.pointer, this.id, density), 'density')
  }

  /**
   * Inertia about the centre of mass in body axes, 9 numbers by rows, kg m²; 0 for static and
   * kinematic bodies. `[Ixx, Iyy, Izz]` or 9 numbers to set, symmetric and positive definite.
   * @returns {number[]}
   */
  get inertia() {
    return this.readInertia([])
  }

  /** @param {InertiaLike} value */
  set inertia(value) {
    const core = aliveCore(this, 'inertia')
    const rows = readInertia(value, 'inertia')
    core.engine.begin(rows.length)
    core.engine.putAll(rows)
    core.check(core.engine.exports.body_set_inertia(core.pointer, this.id), 'inertia')
  }

  /**
   * Writes the 9 numbers of `inertia` to what is given, and allocates nothing.
   * @template {number[] | Float32Array | Float64Array} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readInertia(out) {
    const path = 'readInertia: out'
    if (!isList(out)) throw invalid(path, 'an array or a typed array of 9 or more', out)
    const engine = stateOf(this, 'readInertia')
    const numbers = inertias.take()
    for (let i = 0; i < INERTIA_NUMBERS; i++) numbers[i] = engine.at(BODY_STATE.inertia + i)
    writeList(out, numbers, INERTIA_NUMBERS, path)
    inertias.giveBack(numbers)
    return out
  }

  /**
   * The centre of mass in the body's frame, metres. Setting it leaves the inertia as it is, and the
   * motion of every point of the body.
   * @returns {Vector}
   */
  get centerOfMass() {
    return this.readCenterOfMass(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /** @param {VectorLike} value */
  set centerOfMass(value) {
    const core = aliveCore(this, 'centerOfMass')
    readVector(value, 'centerOfMass', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_center_of_mass(core.pointer, this.id, first[0], first[1], first[2]),
      'centerOfMass',
    )
  }

  /**
   * Writes `centerOfMass` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readCenterOfMass(out) {
    const engine = stateOf(this, 'readCenterOfMass')
    const at = engine.place(BODY_STATE.centerOfMass)
    return writeVector(out, engine.f64, at, 'readCenterOfMass: out')
  }

  // --- material and damping ---------------------------------------------------------------------

  /**
   * Coulomb coefficient of the shapes that have none of their own, 0 or more. A pair takes the geometric
   * mean. Counts from the next step on.
   * @returns {number}
   */
  get friction() {
    return stateOf(this, 'friction').at(BODY_STATE.friction)
  }

  /** @param {number} value */
  set friction(value) {
    const core = aliveCore(this, 'friction')
    const number = readNonNegative(value, 'friction')
    core.check(core.engine.exports.body_set_friction(core.pointer, this.id, number), 'friction')
  }

  /**
   * Restitution of the shapes that have none of their own, 0 to 1. A pair takes the geometric mean.
   * Counts from the next step on.
   * @returns {number}
   */
  get restitution() {
    return stateOf(this, 'restitution').at(BODY_STATE.restitution)
  }

  /** @param {number} value */
  set restitution(value) {
    const core = aliveCore(this, 'restitution')
    const number = readFraction(value, 'restitution')
    core.check(
      core.engine.exports.body_set_restitution(core.pointer, this.id, number),
      'restitution',
    )
  }

  /**
   * 1/s, 0 or more: the linear velocity falls by this part per second.
   * @returns {number}
   */
  get linearDamping() {
    return stateOf(this, 'linearDamping').at(BODY_STATE.linearDamping)
  }

  /** @param {number} value */
  set linearDamping(value) {
    const core = aliveCore(this, 'linearDamping')
    const number = readNonNegative(value, 'linearDamping')
    core.check(
      core.engine.exports.body_set_linear_damping(core.pointer, this.id, number),
      'linearDamping',
    )
  }

  /**
   * 1/s, 0 or more: the angular velocity falls by this part per second.
   * @returns {number}
   */
  get angularDamping() {
    return stateOf(this, 'angularDamping').at(BODY_STATE.angularDamping)
  }

  /** @param {number} value */
  set angularDamping(value) {
    const core = aliveCore(this, 'angularDamping')
    const number = readNonNegative(value, 'angularDamping')
    core.check(
      core.engine.exports.body_set_angular_damping(core.pointer, this.id, number),
      'angularDamping',
    )
  }

  /**
   * Factor on the world's gravity, any finite number.
   * @returns {number}
   */
  get gravityScale() {
    return stateOf(this, 'gravityScale').at(BODY_STATE.gravityScale)
  }

  /** @param {number} value */
  set gravityScale(value) {
    const core = aliveCore(this, 'gravityScale')
    const number = readNumber(value, 'gravityScale')
    core.check(
      core.engine.exports.body_set_gravity_scale(core.pointer, this.id, number),
      'gravityScale',
    )
  }

  /**
   * The solver that the body asks for; undefined: the world's. The most exact one that a body of an
   * island asks for solves the island.
   * @returns {SolverName | undefined}
   */
  get solver() {
    const engine = stateOf(this, 'solver')
    return engine.at(BODY_STATE.hasSolver) === 0 ? undefined : SOLVERS[engine.at(BODY_STATE.solver)]
  }

  /** @param {SolverName | undefined} value */
  set solver(value) {
    const core = aliveCore(this, 'solver')
    const number = value === undefined ? -1 : readWordNumber(value, 'solver', SOLVERS)
    core.check(core.engine.exports.body_set_solver(core.pointer, this.id, number), 'solver')
  }

  // --- collision and sleep ----------------------------------------------------------------------

  /**
   * Which bodies this one collides with. Setting it takes the defaults for what is left out, and
   * counts from the next step on.
   * @returns {Required<Filter>}
   */
  get filter() {
    const engine = stateOf(this, 'filter')
    return {
      category: engine.at(BODY_STATE.filter),
      mask: engine.at(BODY_STATE.filter + 1),
      group: engine.at(BODY_STATE.filter + 2),
    }
  }

  /** @param {Filter} value */
  set filter(value) {
    const core = aliveCore(this, 'filter')
    const [category, mask, group] = readFilter(value, 'filter', defaults().filter)
    core.check(
      core.engine.exports.body_set_filter(core.pointer, this.id, category, mask, group),
      'filter',
    )
  }

  /**
   * Whether the body, when it is fast, stops at moving bodies too and does not pass them in a step.
   * At static ones every body does.
   * @returns {boolean}
   */
  get bullet() {
    return stateOf(this, 'bullet').at(BODY_STATE.bullet) !== 0
  }

  /** @param {boolean} value */
  set bullet(value) {
    const core = aliveCore(this, 'bullet')
    const number = Number(readBoolean(value, 'bullet'))
    core.check(core.engine.exports.body_set_bullet(core.pointer, this.id, number), 'bullet')
  }

  /**
   * Whether all of its shapes are sensors, which touch nothing and report what they overlap
   * (`sensorEvents`); to set, of all of them.
   * @returns {boolean}
   */
  get sensor() {
    return stateOf(this, 'sensor').at(BODY_STATE.sensor) !== 0
  }

  /** @param {boolean} value */
  set sensor(value) {
    const core = aliveCore(this, 'sensor')
    const number = Number(readBoolean(value, 'sensor'))
    core.check(core.engine.exports.body_set_sensor(core.pointer, this.id, number), 'sensor')
  }

  /**
   * Whether the body may fall asleep; with false it stays awake, and all that it touches.
   * @returns {boolean}
   */
  get allowSleep() {
    return stateOf(this, 'allowSleep').at(BODY_STATE.allowSleep) !== 0
  }

  /** @param {boolean} value */
  set allowSleep(value) {
    const core = aliveCore(this, 'allowSleep')
    const number = Number(readBoolean(value, 'allowSleep'))
    core.check(
      core.engine.exports.body_set_allow_sleep(core.pointer, this.id, number),
      'allowSleep',
    )
  }

  /**
   * Whether the body takes part in steps: it is neither static nor asleep.
   * @returns {boolean}
   */
  get isAwake() {
    return stateOf(this, 'isAwake').at(BODY_STATE.isAwake) !== 0
  }

  // --- what a later version brings ----------------------------------------------------------------

  /**
   * World axes along which the body cannot move: none in this version; setting one throws
   * `not-supported`.
   * @returns {[boolean, boolean, boolean]}
   */
  get lockTranslation() {
    aliveCore(this, 'lockTranslation')
    return [false, false, false]
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockTranslation(value) {
    readLater(this, 'lockTranslation', value)
  }

  /**
   * World axes about which the body cannot turn: none in this version; setting one throws
   * `not-supported`.
   * @returns {[boolean, boolean, boolean]}
   */
  get lockRotation() {
    aliveCore(this, 'lockRotation')
    return [false, false, false]
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockRotation(value) {
    readLater(this, 'lockRotation', value)
  }
}

/**
 * Sets what only a later version lets have other values.
 * @param {BodyMotion} body
 * @param {string} name
 * @param {unknown} value
 */
function readLater(body, name, value) {
  aliveCore(body, name)
  LATER[name](value, name)
}
