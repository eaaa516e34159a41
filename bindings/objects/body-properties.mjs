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
import { frozenVector, readInertia, readVector, writeVector } from '../core/vectors.mjs'
import { defaults, readCombineRule, readLock } from '../definitions/body-definition.mjs'
import { readFilter } from '../definitions/filter.mjs'
import { BODY_TYPES, COMBINE_RULES, SOLVERS } from '../generated/enums.mjs'
import { BODY_BOUNDS_NUMBERS, takeBodyBounds } from '../generated/records.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { aliveCore, stateOf } from './body-motion.mjs'
import { BodyPoints } from './body-points.mjs'

/** @import { BodyType, CombineRule, Filter, InertiaLike, SolverName } from '../types/index.mjs' */
/** @import { Vector, VectorLike, VectorOut } from '../types/index.mjs' */

const INERTIA_NUMBERS = 9

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(3)
const inertias = new Scratch(INERTIA_NUMBERS)

/**
 * What a body is made of and how it takes part. A part of `Body`, and nothing by itself.
 */
export class BodyProperties extends BodyPoints {
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
   * @returns {readonly number[]}
   */
  get inertia() {
    return Object.freeze(this.readInertia([]))
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
   * @returns {Readonly<Vector>}
   */
  get centerOfMass() {
    return frozenVector(this.readCenterOfMass(first))
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
   * Coulomb coefficient of the shapes that have none of their own, 0 or more. `frictionCombine` says
   * what a pair takes. Counts from the next step on.
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
   * Restitution of the shapes that have none of their own, 0 to 1. `restitutionCombine` says what a
   * pair takes. Counts from the next step on.
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
   * @returns {Readonly<Required<Filter>>}
   */
  get filter() {
    const engine = stateOf(this, 'filter')
    return Object.freeze({
      category: engine.at(BODY_STATE.filter),
      mask: engine.at(BODY_STATE.filter + 1),
      group: engine.at(BODY_STATE.filter + 2),
    })
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
   * Whether the body takes part in the world. One that is not enabled keeps its place, its velocities,
   * shapes and joints. It does not move, nothing touches it and no query finds it, and its joints and
   * potentials have no effect on other bodies. What rested on it or was joined to it wakes. A change
   * gives up forces that wait for the next step, and the move to a target.
   * @returns {boolean}
   */
  get isEnabled() {
    return stateOf(this, 'isEnabled').at(BODY_STATE.isEnabled) !== 0
  }

  /** @param {boolean} value */
  set isEnabled(value) {
    const core = aliveCore(this, 'isEnabled')
    const number = Number(readBoolean(value, 'isEnabled'))
    core.check(core.engine.exports.body_set_enabled(core.pointer, this.id, number), 'isEnabled')
  }

  /**
   * The smallest box along the axes of the world that holds the shapes of the body, sensors included,
   * metres. It is infinite for a plane, and the position for a body without shapes.
   * @returns {{ readonly min: Readonly<Vector>, readonly max: Readonly<Vector> }}
   */
  get bounds() {
    const core = aliveCore(this, 'bounds')
    const { engine } = core
    core.check(engine.exports.body_get_bounds(core.pointer, this.id), 'bounds')
    engine.begin(BODY_BOUNDS_NUMBERS)
    const { lower, upper } = takeBodyBounds(engine)
    return Object.freeze({ min: Object.freeze(lower), max: Object.freeze(upper) })
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

  // --- surface and locks ------------------------------------------------------------------------

  /**
   * How friction is combined with that of another body, rolling and spinning friction too. Of two
   * different rules the first of average, minimum, maximum, multiply, geometricMean counts.
   * @returns {CombineRule}
   */
  get frictionCombine() {
    const rule = stateOf(this, 'frictionCombine').at(BODY_STATE.frictionCombine)
    return /** @type {CombineRule} */ (COMBINE_RULES[rule])
  }

  /** @param {CombineRule} value */
  set frictionCombine(value) {
    const core = aliveCore(this, 'frictionCombine')
    const rule = readCombineRule(value, 'frictionCombine')
    const { exports } = core.engine
    core.check(exports.body_set_friction_combine(core.pointer, this.id, rule), 'frictionCombine')
  }

  /**
   * The same for restitution.
   * @returns {CombineRule}
   */
  get restitutionCombine() {
    const rule = stateOf(this, 'restitutionCombine').at(BODY_STATE.restitutionCombine)
    return /** @type {CombineRule} */ (COMBINE_RULES[rule])
  }

  /** @param {CombineRule} value */
  set restitutionCombine(value) {
    const where = 'restitutionCombine'
    const core = aliveCore(this, where)
    const rule = readCombineRule(value, where)
    const { exports } = core.engine
    core.check(exports.body_set_restitution_combine(core.pointer, this.id, rule), where)
  }

  /**
   * Metres, 0 or more: under the normal force N, the torque against rolling is at most this times N.
   * @returns {number}
   */
  get rollingFriction() {
    return stateOf(this, 'rollingFriction').at(BODY_STATE.rollingFriction)
  }

  /** @param {number} value */
  set rollingFriction(value) {
    const core = aliveCore(this, 'rollingFriction')
    const length = readNonNegative(value, 'rollingFriction')
    const { exports } = core.engine
    core.check(exports.body_set_rolling_friction(core.pointer, this.id, length), 'rollingFriction')
  }

  /**
   * Metres, 0 or more: the same against spinning about the normal of the contact.
   * @returns {number}
   */
  get spinningFriction() {
    return stateOf(this, 'spinningFriction').at(BODY_STATE.spinningFriction)
  }

  /** @param {number} value */
  set spinningFriction(value) {
    const where = 'spinningFriction'
    const core = aliveCore(this, where)
    const length = readNonNegative(value, where)
    const { exports } = core.engine
    core.check(exports.body_set_spinning_friction(core.pointer, this.id, length), where)
  }

  /**
   * m/s, body frame: velocity of the surface against the body, as that of a conveyor.
   * @returns {Readonly<Vector>}
   */
  get surfaceVelocity() {
    return frozenVector(this.readSurfaceVelocity(first))
  }

  /** @param {VectorLike} value */
  set surfaceVelocity(value) {
    const where = 'surfaceVelocity'
    const core = aliveCore(this, where)
    readVector(value, where, first)
    const { exports } = core.engine
    core.check(
      exports.body_set_surface_velocity(core.pointer, this.id, first[0], first[1], first[2]),
      where,
    )
  }

  /**
   * Writes `surfaceVelocity` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readSurfaceVelocity(out) {
    const engine = stateOf(this, 'readSurfaceVelocity')
    const at = engine.place(BODY_STATE.surfaceVelocity)
    return writeVector(out, engine.f64, at, 'readSurfaceVelocity: out')
  }

  /**
   * Axes of the world along which the centre of mass cannot move, while the body is dynamic. true or
   * three booleans to set; a velocity along them is taken at once. `soft-step` leaves such a body, and
   * what touches it, to `block-pgs`.
   * @returns {readonly [boolean, boolean, boolean]}
   */
  get lockTranslation() {
    return locksOf(stateOf(this, 'lockTranslation').at(BODY_STATE.lockTranslation))
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockTranslation(value) {
    const engine = stateOf(this, 'lockTranslation')
    const rotation = engine.at(BODY_STATE.lockRotation)
    setLocks(this, 'lockTranslation', readLock(value, 'lockTranslation'), rotation)
  }

  /**
   * Axes of the world about which the body cannot turn, while it is dynamic. true or three booleans to
   * set; what it turns about them is taken at once.
   * @returns {readonly [boolean, boolean, boolean]}
   */
  get lockRotation() {
    return locksOf(stateOf(this, 'lockRotation').at(BODY_STATE.lockRotation))
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockRotation(value) {
    const engine = stateOf(this, 'lockRotation')
    const translation = engine.at(BODY_STATE.lockTranslation)
    setLocks(this, 'lockRotation', translation, readLock(value, 'lockRotation'))
  }
}

/**
 * @param {number} bits
 * @returns {readonly [boolean, boolean, boolean]}
 */
function locksOf(bits) {
  return Object.freeze([(bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0])
}

/**
 * @param {BodyPoints} body
 * @param {string} where
 * @param {number} translation
 * @param {number} rotation
 */
function setLocks(body, where, translation, rotation) {
  const core = aliveCore(body, where)
  const { exports } = core.engine
  core.check(exports.body_set_locks(core.pointer, body.id, translation, rotation), where)
}
