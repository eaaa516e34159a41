import { access } from '../core/access.mjs'
import { checkNames, readBoolean, readNonNegative, readObject } from '../core/arguments.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { readSteering } from '../definitions/constraint-definition.mjs'
import { readRatio } from '../definitions/gear-definition.mjs'
import {
  DRIVE_NAMES,
  limitsOf,
  motorOf,
  readBallLimits,
  readLength,
  readLoad,
  springOf,
} from '../definitions/joint-drives.mjs'
import { axisOf, readAxes } from '../definitions/six-dof.mjs'
import * as CONSTRAINT_STATE from '../generated/places/constraint-state.mjs'
import { adviseJoint } from './advice.mjs'
import { Constraint, handleOf } from './constraint.mjs'
import { JointReadings } from './joint-readings.mjs'
import {
  changeDrive,
  poseMotorAt,
  setNumberOf,
  setPoseMotor,
  drivesOf,
  hasNone,
  putDrive,
  readIndex,
  stateAt,
  takeDrive,
} from './joint-state.mjs'

/** @import { BallLimits, JointDrive, JointLimits, JointMotor, JointSpring, LimitsLike, PoseMotor, SixDofAxes, SixDofRange, SixDofRanges } from '../types/index.mjs' */

/** @param {string} type */
const isRope = (type) => type === 'rope' || type === 'pulley'

/**
 * What joins two bodies, or a body and the world. Made by `world.createJoint`. Everything that was
 * given can be changed while the world runs, which wakes the bodies.
 */
export class Joint extends JointReadings {
  // --- what drives it ---------------------------------------------------------------------------

  /** @returns {Readonly<JointLimits> | Readonly<BallLimits> | null} null: none */
  get limits() {
    const [first, second] = drivesOf(this, 'limits')
    if (this.type !== 'ball') return first === undefined ? null : limitsOf(first)
    const twist = limitsOf(second)
    if (first.upper === Infinity && twist === null) return null
    return Object.freeze(twist === null ? { cone: first.upper } : { cone: first.upper, twist })
  }

  /** @param {LimitsLike | BallLimits | null} value null: none */
  set limits(value) {
    if (this.type === 'ball') this.#setBallLimits(value)
    else changeDrive(this, 'limits', { limits: value })
    adviseJoint(handleOf(this, 'limits').core, this)
  }

  /**
   * Of the first coordinate, of a wheel the spin; of a joint of type `'motor'` what that was given.
   * @returns {Readonly<JointMotor> | Readonly<PoseMotor> | null} null: none
   */
  get motor() {
    if (this.type === 'motor') return poseMotorAt(this)
    const drive = drivesOf(this, 'motor')[this.#driven]
    return drive === undefined ? null : motorOf(drive)
  }

  /** @param {JointMotor | PoseMotor | null} value null: none */
  set motor(value) {
    if (this.type === 'motor') setPoseMotor(this, value)
    else changeDrive(this, 'motor', { motor: value }, this.#driven)
  }

  /** @returns {Readonly<JointSpring> | null} null: none */
  get spring() {
    const [first] = drivesOf(this, 'spring')
    return first === undefined ? null : springOf(first)
  }

  /** @param {JointSpring | null} value null: none */
  set spring(value) {
    changeDrive(this, 'spring', { spring: value })
  }

  /** @returns {number} N, or N m of an angle: the most that it resists with */
  get friction() {
    const drive = drivesOf(this, 'friction')[this.#driven]
    return drive === undefined ? 0 : drive.friction
  }

  /** @param {number} value */
  set friction(value) {
    changeDrive(this, 'friction', { friction: readNonNegative(value, 'friction') }, this.#driven)
  }

  /**
   * What drives a coordinate of a joint that has several.
   * @param {number} index from 0 on, in the order of `coordinates`
   * @returns {JointDrive}
   */
  drive(index) {
    const drive = takeDrive(this, 'drive', readIndex(this, 'drive', index))
    return {
      ...{ limits: limitsOf(drive), motor: motorOf(drive), spring: springOf(drive) },
      friction: drive.friction,
    }
  }

  /**
   * Changes what drives a coordinate. What is left out stays; null ends it.
   * @param {number} index
   * @param {Partial<JointDrive>} options
   */
  setDrive(index, options) {
    const at = readIndex(this, 'setDrive', index)
    checkNames(readObject(options, 'setDrive: options'), DRIVE_NAMES, 'setDrive')
    changeDrive(this, 'setDrive', options, at)
  }

  /**
   * Of a rope or a pulley: the longest that it may be. Of a spring: where it is at rest.
   * @returns {number} m; 0 for others
   */
  get length() {
    if (this.type === 'spring') return takeDrive(this, 'length', 0).springRest
    return isRope(this.type) ? takeDrive(this, 'length', 0).upper : 0
  }

  /** @param {number} value */
  set length(value) {
    if (this.type === 'spring') {
      const springRest = readNonNegative(value, 'length')
      putDrive(this, 'length', 0, { ...takeDrive(this, 'length', 0), springRest })
      return
    }
    if (!isRope(this.type)) throw hasNone('length', this.type)
    putDrive(this, 'length', 0, {
      ...takeDrive(this, 'length', 0),
      upper: readLength(value, 'length'),
    })
  }

  /**
   * Of a gear, a rack or a pulley. A new one holds from where the joint is.
   * @returns {number} 0 for others
   */
  get ratio() {
    return stateAt(this, 'ratio', CONSTRAINT_STATE.ratio)
  }

  /** @param {number} value */
  set ratio(value) {
    setNumberOf(this, 'ratio', 'constraint_set_ratio', readRatio(value, 'ratio'))
  }

  /**
   * Of a wheel: by how much its axle is turned about the axis of the suspension.
   * @returns {number} rad
   */
  get steering() {
    return stateAt(this, 'steering', CONSTRAINT_STATE.steering)
  }

  /** @param {number} value */
  set steering(value) {
    setNumberOf(this, 'steering', 'constraint_set_steering', readSteering(value, 'steering'))
  }

  /**
   * Of a sixDof: translations along the axes of A's frame.
   * @returns {SixDofRanges} for x, y and z
   */
  get linear() {
    return Object.freeze(this.#axes('linear', 0))
  }

  /** @param {SixDofAxes} value */
  set linear(value) {
    this.#setAxes('linear', 0, value)
  }

  /**
   * Of a sixDof: turns about the axes of A's frame.
   * @returns {SixDofRanges} for x, y and z
   */
  get angular() {
    return Object.freeze(this.#axes('angular', 3))
  }

  /** @param {SixDofAxes} value */
  set angular(value) {
    this.#setAxes('angular', 3, value)
  }

  // --- what breaks it ---------------------------------------------------------------------------

  /** @returns {number} N; Infinity: no force breaks it */
  get breakForce() {
    return stateAt(this, 'breakForce', CONSTRAINT_STATE.breakForce)
  }

  /** @param {number} value */
  set breakForce(value) {
    this.#setBreak('breakForce', readLoad(value, 'breakForce'), this.breakTorque)
  }

  /** @returns {number} N m; Infinity: no torque breaks it */
  get breakTorque() {
    return stateAt(this, 'breakTorque', CONSTRAINT_STATE.breakTorque)
  }

  /** @param {number} value */
  set breakTorque(value) {
    this.#setBreak('breakTorque', this.breakForce, readLoad(value, 'breakTorque'))
  }

  /** @returns {boolean} whether both bodies still collide */
  get collideConnected() {
    return stateAt(this, 'collideConnected', CONSTRAINT_STATE.collideConnected) !== 0
  }

  /** @param {boolean} value */
  set collideConnected(value) {
    const collides = Number(readBoolean(value, 'collideConnected'))
    setNumberOf(this, 'collideConnected', 'constraint_set_collide_connected', collides)
  }

  // --- inner parts ------------------------------------------------------------------------------

  /** The coordinate of `motor` and `friction`. */
  get #driven() {
    return this.type === 'wheel' ? 1 : 0
  }

  /**
   * @param {string} where
   * @param {number} first
   * @returns {[SixDofRange, SixDofRange, SixDofRange]}
   */
  #axes(where, first) {
    if (this.type !== 'sixDof') throw hasNone(where, this.type)
    const axis = (/** @type {number} */ i) => axisOf(takeDrive(this, where, first + i))
    return [axis(0), axis(1), axis(2)]
  }

  /**
   * @param {string} where
   * @param {number} first
   * @param {SixDofAxes} value
   */
  #setAxes(where, first, value) {
    if (this.type !== 'sixDof') throw hasNone(where, this.type)
    readAxes(value, where).forEach((drive, i) => putDrive(this, where, first + i, drive))
  }

  /** @param {unknown} value */
  #setBallLimits(value) {
    const none = { cone: Infinity }
    readBallLimits(value ?? none, 'limits').forEach(({ lower, upper }, index) => {
      putDrive(this, 'limits', index, { ...takeDrive(this, 'limits', index), lower, upper })
    })
  }

  /**
   * @param {string} where
   * @param {number} force
   * @param {number} torque
   */
  #setBreak(where, force, torque) {
    const { core, id } = handleOf(this, where)
    core.begin(where)
    core.check(core.engine.exports.constraint_set_break(core.pointer, id, force, torque), where)
  }
}

access.makeConstraint = (core, id, making) =>
  close(new (making.isJoint ? Joint : Constraint)(core, id, making))

guard(Constraint, 'Constraint')
guard(Joint, 'Joint')
inspectable(Constraint, 'Constraint', (constraint) => constraint.toJSON())
inspectable(Joint, 'Joint', (joint) => joint.toJSON())
