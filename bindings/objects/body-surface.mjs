import { readFraction, readNonNegative } from '../core/arguments.mjs'
import { frozenVector, readVector, writeVector } from '../core/vectors.mjs'
import { readCombineRule } from '../definitions/body-definition.mjs'
import { COMBINE_RULES } from '../generated/enums.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { aliveCore, setNumber, stateOf } from './body-motion.mjs'
import { BodyMass } from './body-mass.mjs'

/** @import { CombineRule, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(3)

/** What the surface of a body is like where it touches others. A part of `Body`, and nothing by itself. */
export class BodySurface extends BodyMass {
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
    setNumber(this, 'friction', 'friction', value, readNonNegative)
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
    setNumber(this, 'restitution', 'restitution', value, readFraction)
  }

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
    setNumber(this, 'frictionCombine', 'friction_combine', value, readCombineRule)
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
    setNumber(this, 'restitutionCombine', 'restitution_combine', value, readCombineRule)
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
    setNumber(this, 'rollingFriction', 'rolling_friction', value, readNonNegative)
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
    setNumber(this, 'spinningFriction', 'spinning_friction', value, readNonNegative)
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
}
