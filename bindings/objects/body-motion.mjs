import { readNonNegative } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import {
  frozenQuaternion,
  frozenVector,
  readQuaternion,
  readVector,
  toQuaternion,
  toVector,
  writeQuaternion,
  writeVector,
} from '../core/vectors.mjs'
import { slotOf } from '../core/ids.mjs'
import { WorldCore } from '../core/world-core.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { POSE_NUMBERS, putPose } from '../generated/records.mjs'
import { checkPose } from './placement.mjs'

/** @import { Pose, Quaternion, QuaternionLike, QuaternionOut } from '../types/index.mjs' */
/** @import { Vector, VectorLike, VectorOut } from '../types/index.mjs' */
/** @import { World } from './world.mjs' */

/**
 * @typedef {'allow_sleep' | 'angular_damping' | 'bullet' | 'density' | 'enabled' | 'friction' | 'friction_combine'
 *   | 'gravity_scale' | 'linear_damping' | 'mass' | 'restitution' | 'restitution_combine' | 'rolling_friction'
 *   | 'sensor' | 'spinning_friction' | 'type'} NumberName of a number of a body, as the engine calls it
 */

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(4)

/** @type {(body: BodyMotion, where: string) => WorldCore} throws if the body is not alive */
export let aliveCore

/**
 * Has the engine write the state of a body into the shared block.
 * @type {(body: BodyMotion, where: string) => WorldCore['engine']}
 */
export let stateOf

/**
 * Has the engine change a number of a body.
 * @param {BodyMotion} body
 * @param {string} where
 * @param {NumberName} name
 * @param {unknown} value
 * @param {(value: unknown, path: string) => number} read
 */
export function setNumber(body, where, name, value, read) {
  const core = aliveCore(body, where)
  const number = read(value, where)
  core.check(core.engine.exports[`body_set_${name}`](core.pointer, body.id, number), where)
}

/**
 * Who a body is, where it is and how it moves. A part of `Body`, and nothing by itself.
 */
export class BodyMotion {
  #core
  #id

  static {
    aliveCore = (body, where) => body.#alive(where)
    stateOf = (body, where) => {
      const core = body.#alive(where)
      core.check(core.engine.exports.body_get_state(core.pointer, body.#id), where)
      return core.engine
    }
  }

  /**
   * @protected
   * @param {WorldCore} core
   * @param {number} id
   */
  constructor(core, id) {
    if (!(core instanceof WorldCore)) {
      throw new MoreauError('invalid-argument', 'new Body: bodies are made by world.createBody')
    }
    this.#core = core
    this.#id = id
  }

  /**
   * Names the body for good: an id never comes back, but after `world.restore`, for what is created then. It is one of its
   * world: bodies of two worlds may have the same.
   * @returns {number}
   */
  get id() {
    return this.#id
  }

  /**
   * The slot of the body in the bulk arrays of its world, fixed for its life.
   * @returns {number}
   */
  get index() {
    return slotOf(this.#id)
  }

  /** @returns {World} */
  get world() {
    return this.#core.world
  }

  /** @returns {boolean} false once the body was destroyed or its world freed */
  get isAlive() {
    return this.#core.has(this, this.#id)
  }

  // --- pose and velocity, straight from the bulk arrays ------------------------------------------

  /**
   * The body's origin in the world, metres. Setting it moves the body at once, whatever is in the way.
   * @returns {Readonly<Vector>}
   */
  get position() {
    return frozenVector(this.readPosition(first))
  }

  /** @param {VectorLike} value */
  set position(value) {
    const core = this.#alive('position')
    readVector(value, 'position', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_position(core.pointer, this.#id, first[0], first[1], first[2]),
      'position',
    )
  }

  /**
   * Writes `position` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readPosition(out) {
    const core = this.#core
    const at = core.transforms64 + 8 * core.slot(this, this.#id, 'readPosition')
    return writeVector(out, core.engine.f64, at, 'readPosition: out')
  }

  /**
   * World from body, unit. Setting it turns the body at once about its origin; any length from
   * 1e-150 to 1e150 is fine.
   * @returns {Readonly<Quaternion>}
   */
  get orientation() {
    return frozenQuaternion(this.readOrientation(first))
  }

  /** @param {QuaternionLike} value */
  set orientation(value) {
    const core = this.#alive('orientation')
    readQuaternion(value, 'orientation', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_orientation(core.pointer, this.#id, first[0], first[1], first[2], first[3]),
      'orientation',
    )
  }

  /**
   * Writes `orientation` to what is given, and allocates nothing.
   * @template {QuaternionOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readOrientation(out) {
    const core = this.#core
    const at = core.transforms64 + 8 * core.slot(this, this.#id, 'readOrientation') + 4
    return writeQuaternion(out, core.engine.f64, at, 'readOrientation: out')
  }

  /**
   * Velocity of the centre of mass, m/s, world. That of a static body is 0.
   * @returns {Readonly<Vector>}
   */
  get linearVelocity() {
    return frozenVector(this.readLinearVelocity(first))
  }

  /** @param {VectorLike} value */
  set linearVelocity(value) {
    const core = this.#alive('linearVelocity')
    readVector(value, 'linearVelocity', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_linear_velocity(core.pointer, this.#id, first[0], first[1], first[2]),
      'linearVelocity',
    )
  }

  /**
   * Writes `linearVelocity` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readLinearVelocity(out) {
    const core = this.#core
    const at = core.velocities + 8 * core.slot(this, this.#id, 'readLinearVelocity')
    return writeVector(out, core.engine.f64, at, 'readLinearVelocity: out')
  }

  /**
   * rad/s, world. That of a static body is 0.
   * @returns {Readonly<Vector>}
   */
  get angularVelocity() {
    return frozenVector(this.readAngularVelocity(first))
  }

  /** @param {VectorLike} value */
  set angularVelocity(value) {
    const core = this.#alive('angularVelocity')
    readVector(value, 'angularVelocity', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_angular_velocity(core.pointer, this.#id, first[0], first[1], first[2]),
      'angularVelocity',
    )
  }

  /**
   * Writes `angularVelocity` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readAngularVelocity(out) {
    const core = this.#core
    const at = core.velocities + 8 * core.slot(this, this.#id, 'readAngularVelocity') + 4
    return writeVector(out, core.engine.f64, at, 'readAngularVelocity: out')
  }

  /**
   * Length of the linear velocity, m/s.
   * @returns {number}
   */
  get speed() {
    return this.#velocityLength(0, 'speed')
  }

  /**
   * Length of the angular velocity, rad/s.
   * @returns {number}
   */
  get angularSpeed() {
    return this.#velocityLength(4, 'angularSpeed')
  }

  /**
   * Whether the body is as good as still at this moment.
   * @param {number} [linear] m/s, the speed up to which it is; default 0.01
   * @param {number} [angular] rad/s; default 0.01
   * @returns {boolean}
   */
  isAtRest(linear = 0.01, angular = 0.01) {
    const slow = this.speed <= readNonNegative(linear, 'isAtRest: linear')
    return this.angularSpeed <= readNonNegative(angular, 'isAtRest: angular') && slow
  }

  // --- moves ------------------------------------------------------------------------------------

  /**
   * Sets position and orientation at once, whatever is in the way. Velocities stay as they are, and
   * bodies that rested on this one wake.
   * @param {Partial<Pose>} pose what is left out stays as it is
   */
  teleport(pose) {
    const core = this.#alive('teleport')
    this.#putPose(pose, 'teleport')
    core.check(core.engine.exports.body_set_pose(core.pointer, this.#id), 'teleport')
  }

  /**
   * Moves a kinematic body to a pose: the next step, or the steps of the next `dt` seconds, give it the
   * velocities that lead there (the rotation the short way), and what it touches is moved by these. It
   * reaches the pose exactly, and stops there unless it is sent on. Setting its pose, velocity or type
   * ends the move.
   * @param {Partial<Pose>} pose what is left out stays as it is
   * @param {number} [dt] seconds, 0 or more; default 0: the next step, however long it is
   */
  moveTo(pose, dt = 0) {
    const core = this.#alive('moveTo')
    const time = readNonNegative(dt, 'moveTo: dt')
    this.#putPose(pose, 'moveTo')
    core.check(core.engine.exports.body_move_to(core.pointer, this.#id, time), 'moveTo')
  }

  /**
   * Whether a kinematic body is on its way to a pose that `moveTo` gave it.
   * @returns {boolean}
   */
  get isMoving() {
    return stateOf(this, 'isMoving').at(BODY_STATE.hasTarget) !== 0
  }

  /**
   * Puts a pose into the shared block.
   * @param {unknown} value
   * @param {string} where
   */
  #putPose(value, where) {
    checkPose(value, `${where}: pose`)
    const pose = /** @type {Partial<Pose>} */ (value)
    const position = toVector(pose.position ?? this.position, `${where}: pose.position`)
    const orientation = toQuaternion(
      pose.orientation ?? this.orientation,
      `${where}: pose.orientation`,
    )
    this.#core.engine.begin(POSE_NUMBERS)
    putPose(this.#core.engine, { position, orientation })
  }

  /** @param {string} where */
  #alive(where) {
    this.#core.slot(this, this.#id, where)
    return this.#core
  }

  /**
   * @param {number} offset
   * @param {string} where
   */
  #velocityLength(offset, where) {
    const core = this.#core
    const at = core.velocities + 8 * core.slot(this, this.#id, where) + offset
    const { f64 } = core.engine
    return Math.sqrt(f64[at] * f64[at] + f64[at + 1] * f64[at + 1] + f64[at + 2] * f64[at + 2])
  }
}
