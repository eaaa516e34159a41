import { access } from '../core/access.mjs'
import {
  checkNames,
  readBoolean,
  readInteger,
  readNonNegative,
  readNumber,
  readObject,
} from '../core/arguments.mjs'
import {
  DRIVE_NAMES,
  limitsOf,
  motorOf,
  readBallLimits,
  readDrive,
  readLength,
  readLoad,
  springOf,
} from '../definitions/joint-drives.mjs'
import { readSteering } from '../definitions/constraint-definition.mjs'
import { readRatio } from '../definitions/gear-definition.mjs'
import { axisOf, readAxes } from '../definitions/six-dof.mjs'
import { takePath } from '../definitions/path-definition.mjs'
import { poseMotorOf, readPoseMotorObject } from '../definitions/pose-motor.mjs'
import * as CONSTRAINT_STATE from '../generated/places/constraint-state.mjs'
import * as COORDINATE_STATE from '../generated/places/coordinate-state.mjs'
import * as DRIVE_IMPULSES from '../generated/places/drive-impulses.mjs'
import {
  CONSTRAINT_DEF_NUMBERS,
  COORDINATE_DRIVE_NUMBERS,
  PATH_POINT_NUMBERS,
  PATH_STATE_NUMBERS,
  POSE_MOTOR_NUMBERS,
  putCoordinateDrive,
  putPoseMotor,
  takeConstraintDef,
  takeConstraintReaction,
  takeCoordinateDrive,
  takePathPoint,
  takePoseMotor,
} from '../generated/records.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { toQuaternion } from '../core/vectors.mjs'
import { adviseJoint } from './advice.mjs'
import { HAS_AXES } from '../definitions/constraint-definition.mjs'
import { Constraint, handleOf } from './constraint.mjs'

/** @import { Drive } from '../definitions/joint-drives.mjs' */
/** @import { BallLimits, JointDrive, JointLimits, JointMotor, JointPath, JointSpring, LimitsLike, PoseMotor, QuaternionLike, SixDofAxes, SixDofRange, SixDofRanges, Vector } from '../types/index.mjs' */

/** @param {string} type */
const isRope = (type) => type === 'rope' || type === 'pulley'

/**
 * @param {string} name
 * @param {string} type
 */
const hasNone = (name, type) =>
  new MoreauError('invalid-argument', `${name}: a joint of type '${type}' has none`)

/**
 * What joins two bodies, or a body and the world. Made by `world.createJoint`. Everything that was
 * given can be changed while the world runs, which wakes the bodies.
 */
export class Joint extends Constraint {
  // --- what drives it ---------------------------------------------------------------------------

  /** @returns {Readonly<JointLimits> | Readonly<BallLimits> | null} null: none */
  get limits() {
    const [first, second] = this.#drives('limits')
    if (this.type !== 'ball') return first === undefined ? null : limitsOf(first)
    const twist = limitsOf(second)
    if (first.upper === Infinity && twist === null) return null
    return Object.freeze(twist === null ? { cone: first.upper } : { cone: first.upper, twist })
  }

  /** @param {LimitsLike | BallLimits | null} value null: none */
  set limits(value) {
    if (this.type === 'ball') this.#setBallLimits(value)
    else this.#change('limits', { limits: value })
    adviseJoint(handleOf(this, 'limits').core, this)
  }

  /**
   * Of the first coordinate, of a wheel the spin; of a joint of type `'motor'` what that was given.
   * @returns {Readonly<JointMotor> | Readonly<PoseMotor> | null} null: none
   */
  get motor() {
    if (this.type === 'motor') return this.#poseMotor()
    const drive = this.#drives('motor')[this.#driven]
    return drive === undefined ? null : motorOf(drive)
  }

  /** @param {JointMotor | PoseMotor | null} value null: none */
  set motor(value) {
    if (this.type === 'motor') this.#setPoseMotor(value)
    else this.#change('motor', { motor: value }, this.#driven)
  }

  /** @returns {Readonly<JointSpring> | null} null: none */
  get spring() {
    const [first] = this.#drives('spring')
    return first === undefined ? null : springOf(first)
  }

  /** @param {JointSpring | null} value null: none */
  set spring(value) {
    this.#change('spring', { spring: value })
  }

  /** @returns {number} N, or N m of an angle: the most that it resists with */
  get friction() {
    const drive = this.#drives('friction')[this.#driven]
    return drive === undefined ? 0 : drive.friction
  }

  /** @param {number} value */
  set friction(value) {
    this.#change('friction', { friction: readNonNegative(value, 'friction') }, this.#driven)
  }

  /**
   * What drives a coordinate of a joint that has several.
   * @param {number} index from 0 on, in the order of `coordinates`
   * @returns {JointDrive}
   */
  drive(index) {
    const drive = this.#take('drive', this.#index('drive', index))
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
    const at = this.#index('setDrive', index)
    checkNames(readObject(options, 'setDrive: options'), DRIVE_NAMES, 'setDrive')
    this.#change('setDrive', options, at)
  }

  /**
   * Of a rope or a pulley: the longest that it may be. Of a spring: where it is at rest.
   * @returns {number} m; 0 for others
   */
  get length() {
    if (this.type === 'spring') return this.#take('length', 0).springRest
    return isRope(this.type) ? this.#take('length', 0).upper : 0
  }

  /** @param {number} value */
  set length(value) {
    if (this.type === 'spring') {
      const springRest = readNonNegative(value, 'length')
      this.#put('length', 0, { ...this.#take('length', 0), springRest })
      return
    }
    if (!isRope(this.type)) throw hasNone('length', this.type)
    this.#put('length', 0, { ...this.#take('length', 0), upper: readLength(value, 'length') })
  }

  /**
   * Of a gear, a rack or a pulley. A new one holds from where the joint is.
   * @returns {number} 0 for others
   */
  get ratio() {
    return this.#state('ratio', CONSTRAINT_STATE.ratio)
  }

  /** @param {number} value */
  set ratio(value) {
    const ratio = readRatio(value, 'ratio')
    const { core, id } = handleOf(this, 'ratio')
    core.begin('ratio')
    core.check(core.engine.exports.constraint_set_ratio(core.pointer, id, ratio), 'ratio')
  }

  /**
   * Of a wheel: by how much its axle is turned about the axis of the suspension.
   * @returns {number} rad
   */
  get steering() {
    return this.#state('steering', CONSTRAINT_STATE.steering)
  }

  /** @param {number} value */
  set steering(value) {
    const angle = readSteering(value, 'steering')
    const { core, id } = handleOf(this, 'steering')
    core.begin('steering')
    core.check(core.engine.exports.constraint_set_steering(core.pointer, id, angle), 'steering')
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

  // --- where it is --------------------------------------------------------------------------------

  /**
   * Where it holds body A.
   * @returns {Readonly<Vector> | null} metres, in the body's frame, in the world's where that is null;
   *   null of what has no anchors, such as a gear
   */
  get anchorA() {
    return this.#frame('anchorA')
  }

  /**
   * Where it holds body B.
   * @returns {Readonly<Vector> | null} as `anchorA`
   */
  get anchorB() {
    return this.#frame('anchorB')
  }

  /**
   * Its axis in the frame of A; that of a gear is in the world.
   * @returns {Readonly<Vector> | null} unit; null of what has no axis
   */
  get axisA() {
    return this.#frame('axisA')
  }

  /**
   * Its axis in the frame of B.
   * @returns {Readonly<Vector> | null} unit; null of what has no axis
   */
  get axisB() {
    return this.#frame('axisB')
  }

  // --- what breaks it ---------------------------------------------------------------------------

  /** @returns {number} N; Infinity: no force breaks it */
  get breakForce() {
    return this.#state('breakForce', CONSTRAINT_STATE.breakForce)
  }

  /** @param {number} value */
  set breakForce(value) {
    this.#setBreak('breakForce', readLoad(value, 'breakForce'), this.breakTorque)
  }

  /** @returns {number} N m; Infinity: no torque breaks it */
  get breakTorque() {
    return this.#state('breakTorque', CONSTRAINT_STATE.breakTorque)
  }

  /** @param {number} value */
  set breakTorque(value) {
    this.#setBreak('breakTorque', this.breakForce, readLoad(value, 'breakTorque'))
  }

  /** @returns {boolean} whether both bodies still collide */
  get collideConnected() {
    return this.#state('collideConnected', CONSTRAINT_STATE.collideConnected) !== 0
  }

  /** @param {boolean} value */
  set collideConnected(value) {
    const collides = readBoolean(value, 'collideConnected')
    const { core, id } = handleOf(this, 'collideConnected')
    core.begin('collideConnected')
    const { exports } = core.engine
    core.check(
      exports.constraint_set_collide_connected(core.pointer, id, Number(collides)),
      'collideConnected',
    )
  }

  // --- read-outs --------------------------------------------------------------------------------

  /**
   * Where B is relative to A: angles in rad, counted over full turns, translations and distances in
   * metres. A hinge's angle, a slider's translation; of a ball with limits the angle between the axes
   * and the twist; nothing for a fixed joint.
   * @returns {number[]}
   */
  get coordinates() {
    return this.#coordinates('coordinates', COORDINATE_STATE.value)
  }

  /** @returns {number[]} rates of the `coordinates`, rad/s and m/s */
  get speeds() {
    return this.#coordinates('speeds', COORDINATE_STATE.rate)
  }

  /** @returns {number} the first coordinate that is an angle, rad; 0 without */
  get angle() {
    return this.#first('angle', true)
  }

  /**
   * Of a hinge: the angle at which it has B nearest to an orientation, of those that differ by full turns
   * the one next to where it is. For the target of a motor that follows an animation.
   * @param {QuaternionLike} orientation of B in the frame of A
   * @returns {number} rad
   */
  angleAt(orientation) {
    if (this.type !== 'hinge') throw hasNone('angleAt', this.type)
    const [x, y, z, w] = toQuaternion(orientation, 'angleAt: orientation')
    const { core, id } = handleOf(this, 'angleAt')
    const { exports } = core.engine
    core.check(exports.constraint_angle_at(core.pointer, id, x, y, z, w), 'angleAt')
    return core.engine.at(0)
  }

  /** @returns {Readonly<JointPath> | null} what a joint of type `'path'` runs along; null for others */
  get path() {
    const { core, id } = handleOf(this, 'path')
    core.check(core.engine.exports.constraint_get_path(core.pointer, id), 'path')
    core.engine.begin(PATH_STATE_NUMBERS)
    const path = takePath(core.engine)
    return path === null ? null : Object.freeze({ ...path, points: Object.freeze(path.points) })
  }

  /**
   * A point of a path where it is at present: to draw it, or to look ahead.
   * @param {number} length m from its first point; an open path goes on straight beyond its ends
   * @returns {{ position: Vector, tangent: Vector }} world, metres; unit
   */
  pathPoint(length) {
    if (this.type !== 'path') throw hasNone('pathPoint', this.type)
    const at = readNumber(length, 'pathPoint: length')
    const { core, id } = handleOf(this, 'pathPoint')
    core.check(core.engine.exports.constraint_path_point(core.pointer, id, at), 'pathPoint')
    core.engine.begin(PATH_POINT_NUMBERS)
    return takePathPoint(core.engine)
  }

  /** @returns {number} the first coordinate that is a length, m; 0 without */
  get translation() {
    return this.#first('translation', false)
  }

  /** @returns {number} rate of the first coordinate, rad/s or m/s; 0 without */
  get speed() {
    return this.speeds[0] ?? 0
  }

  /**
   * What is in its springs at this moment, J; 0 without one. The sum over all joints is part of
   * `world.energy().potential`.
   * @returns {number}
   */
  get energy() {
    const { core, id } = handleOf(this, 'energy')
    core.check(core.engine.exports.constraint_get_energy(core.pointer, id), 'energy')
    return core.engine.at(0)
  }

  /**
   * How far it is from holding: the largest error of its rows, m or rad, or limit that is exceeded.
   * @returns {number}
   */
  get error() {
    const { drivenRows, rows } = this.#rows('error')
    let worst = 0
    rows.forEach((c, row) => {
      const driven = drivenRows[row - rows.length + drivenRows.length]
      if (driven === undefined) worst = Math.max(worst, Math.abs(c))
      else if (driven === 'limit') worst = Math.max(worst, -c)
    })
    return worst
  }

  /**
   * What it did to B in the last step: force in N, and the couple about B's anchor in N m, world.
   * @returns {{ force: Vector, torque: Vector }}
   */
  reaction() {
    const { core, id } = handleOf(this, 'reaction')
    const { exports } = core.engine
    core.callBack(() => exports.constraint_get_reaction(core.pointer, id), 'reaction')
    core.engine.begin(6)
    const { linear, angular } = takeConstraintReaction(core.engine)
    const rate = core.lastDt > 0 ? 1 / core.lastDt : 0
    const scaled = (/** @type {Vector} */ v) => /** @type {Vector} */ (v.map((x) => rate * x))
    return { force: scaled(linear), torque: scaled(angular) }
  }

  /** @returns {Vector} `reaction().torque` */
  torque() {
    return this.reaction().torque
  }

  /**
   * The parts of the last step's force along a coordinate, on B: N, or N m of an angle.
   * @param {number} [index] of the coordinate
   * @returns {{ limits: number, spring: number, motor: number, friction: number }}
   */
  driveForces(index = 0) {
    const where = 'driveForces'
    const at = this.#index(where, index)
    const { core, id } = handleOf(this, where)
    core.check(core.engine.exports.constraint_get_drive_impulses(core.pointer, id, at), where)
    const rate = core.lastDt > 0 ? 1 / core.lastDt : 0
    return {
      limits: rate * core.engine.at(DRIVE_IMPULSES.limits),
      spring: rate * core.engine.at(DRIVE_IMPULSES.spring),
      motor: rate * core.engine.at(DRIVE_IMPULSES.motor),
      friction: rate * core.engine.at(DRIVE_IMPULSES.friction),
    }
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
    const axis = (/** @type {number} */ i) => axisOf(this.#take(where, first + i))
    return [axis(0), axis(1), axis(2)]
  }

  /**
   * @param {string} where
   * @param {number} first
   * @param {SixDofAxes} value
   */
  #setAxes(where, first, value) {
    if (this.type !== 'sixDof') throw hasNone(where, this.type)
    readAxes(value, where).forEach((drive, i) => this.#put(where, first + i, drive))
  }

  /**
   * @param {string} where
   * @param {number} place
   */
  #state(where, place) {
    const { core, id } = handleOf(this, where)
    core.check(core.engine.exports.constraint_get_state(core.pointer, id), where)
    return core.engine.at(place)
  }

  /** @param {string} where */
  #count(where) {
    return this.#state(where, CONSTRAINT_STATE.coordinateCount)
  }

  /**
   * @param {string} where
   * @param {unknown} index
   */
  #index(where, index) {
    return readInteger(index, `${where}: index`, 0, this.#count(where) - 1)
  }

  /**
   * @param {string} where
   * @param {number} place
   * @returns {number[]}
   */
  #coordinates(where, place) {
    return Array.from({ length: this.#count(where) }, (_, i) => this.#coordinate(where, i, place))
  }

  /**
   * @param {string} where
   * @param {number} index
   * @param {number} place
   */
  #coordinate(where, index, place) {
    const { core, id } = handleOf(this, where)
    core.check(core.engine.exports.constraint_get_coordinate(core.pointer, id, index), where)
    return core.engine.at(place)
  }

  /**
   * @param {string} where
   * @param {boolean} isAngle
   */
  #first(where, isAngle) {
    const count = this.#count(where)
    for (let i = 0; i < count; i++) {
      if ((this.#coordinate(where, i, COORDINATE_STATE.isAngle) !== 0) === isAngle) {
        return this.#coordinate(where, i, COORDINATE_STATE.value)
      }
    }
    return 0
  }

  /**
   * C of all rows, and what the last of them are for.
   * @param {string} where
   */
  #rows(where) {
    const drivenRows = this.#drives(where).flatMap((drive) => [
      ...(drive.lower > -Infinity ? ['limit'] : []),
      ...(drive.upper < Infinity ? ['limit'] : []),
      ...(springOf(drive) === null ? [] : ['drive']),
      ...(drive.motor === 'none' ? [] : ['drive']),
      ...(drive.friction > 0 ? ['drive'] : []),
    ])
    return { drivenRows, rows: this.violation() }
  }

  /**
   * @param {string} where
   * @returns {Drive[]}
   */
  #drives(where) {
    return Array.from({ length: this.#count(where) }, (_, i) => this.#take(where, i))
  }

  /**
   * @param {string} where
   * @param {number} index
   * @returns {Drive}
   */
  #take(where, index) {
    const { core, id } = handleOf(this, where)
    core.check(core.engine.exports.constraint_get_drive(core.pointer, id, index), where)
    core.engine.begin(COORDINATE_DRIVE_NUMBERS)
    return takeCoordinateDrive(core.engine)
  }

  /**
   * @param {string} where
   * @param {number} index
   * @param {Drive} drive
   */
  #put(where, index, drive) {
    const { core, id } = handleOf(this, where)
    core.begin(where)
    core.engine.begin(COORDINATE_DRIVE_NUMBERS)
    putCoordinateDrive(core.engine, drive)
    core.check(core.engine.exports.constraint_set_drive(core.pointer, id, index), where)
  }

  /**
   * @param {string} where
   * @param {Record<string, unknown>} options those of DRIVE_NAMES that change
   * @param {number} [index]
   */
  #change(where, options, index = 0) {
    const given = readDrive(options, where)
    const drive = { ...this.#take(where, this.#index(where, index)) }
    if (options.limits !== undefined)
      Object.assign(drive, { lower: given.lower, upper: given.upper })
    if (options.motor !== undefined) {
      const { motor, targetVelocity, targetPosition, maxForce, gains } = given
      Object.assign(drive, { motor, targetVelocity, targetPosition, maxForce, gains })
    }
    if (options.spring !== undefined) {
      Object.assign(drive, { spring: given.spring, springRest: given.springRest })
    }
    if (options.friction !== undefined) drive.friction = given.friction
    this.#put(where, index, drive)
  }

  /**
   * @param {'anchorA' | 'anchorB' | 'axisA' | 'axisB'} name
   * @returns {Readonly<Vector> | null}
   */
  #frame(name) {
    const { core, id } = handleOf(this, name)
    if (name.startsWith('anchor') ? this.joints.length > 0 : !HAS_AXES.has(this.type)) return null
    core.check(core.engine.exports.constraint_get_definition(core.pointer, id), name)
    core.engine.begin(CONSTRAINT_DEF_NUMBERS)
    return Object.freeze(takeConstraintDef(core.engine)[name])
  }

  #poseMotor() {
    const { core, id } = handleOf(this, 'motor')
    core.check(core.engine.exports.constraint_get_pose_motor(core.pointer, id), 'motor')
    core.engine.begin(POSE_MOTOR_NUMBERS)
    return poseMotorOf(takePoseMotor(core.engine))
  }

  /** @param {unknown} value */
  #setPoseMotor(value) {
    const motor = readPoseMotorObject(value ?? { maxForce: 0, maxTorque: 0 }, 'motor')
    const { core, id } = handleOf(this, 'motor')
    core.begin('motor')
    core.engine.begin(POSE_MOTOR_NUMBERS)
    putPoseMotor(core.engine, motor)
    core.check(core.engine.exports.constraint_set_pose_motor(core.pointer, id), 'motor')
  }

  /** @param {unknown} value */
  #setBallLimits(value) {
    const none = { cone: Infinity }
    readBallLimits(value ?? none, 'limits').forEach(({ lower, upper }, index) => {
      this.#put('limits', index, { ...this.#take('limits', index), lower, upper })
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
