import { readInteger } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readDrive } from '../definitions/joint-drives.mjs'
import { poseMotorOf, readPoseMotorObject } from '../definitions/pose-motor.mjs'
import * as CONSTRAINT_STATE from '../generated/places/constraint-state.mjs'
import {
  COORDINATE_DRIVE_NUMBERS,
  putCoordinateDrive,
  takeCoordinateDrive,
  POSE_MOTOR_NUMBERS,
  putPoseMotor,
  takePoseMotor,
} from '../generated/records.mjs'
import { handleOf } from './constraint.mjs'

// What the engine has of a joint and of its coordinates.

/** @import { Drive } from '../definitions/joint-drives.mjs' */
/** @import { Constraint } from './constraint.mjs' */

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {number} place in CONSTRAINT_STATE
 */
export function stateAt(joint, where, place) {
  const { core, id } = handleOf(joint, where)
  core.check(core.engine.exports.constraint_get_state(core.pointer, id), where)
  return core.engine.at(place)
}

/** @param {Constraint} joint @param {string} where @returns {number} its coordinates */
export const countOf = (joint, where) => stateAt(joint, where, CONSTRAINT_STATE.coordinateCount)

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {unknown} index of a coordinate
 */
export function readIndex(joint, where, index) {
  return readInteger(index, `${where}: index`, 0, countOf(joint, where) - 1)
}

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {number} index
 * @param {number} place in COORDINATE_STATE
 */
export function coordinateAt(joint, where, index, place) {
  const { core, id } = handleOf(joint, where)
  core.check(core.engine.exports.constraint_get_coordinate(core.pointer, id, index), where)
  return core.engine.at(place)
}

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {number} place in COORDINATE_STATE
 * @returns {number[]} of each coordinate
 */
export function coordinatesOf(joint, where, place) {
  const count = countOf(joint, where)
  return Array.from({ length: count }, (_, i) => coordinateAt(joint, where, i, place))
}

/**
 * @param {Constraint} joint
 * @param {string} where
 * @returns {Drive[]} of each coordinate
 */
export function drivesOf(joint, where) {
  return Array.from({ length: countOf(joint, where) }, (_, i) => takeDrive(joint, where, i))
}

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {number} index of a coordinate
 * @returns {Drive}
 */
export function takeDrive(joint, where, index) {
  const { core, id } = handleOf(joint, where)
  core.check(core.engine.exports.constraint_get_drive(core.pointer, id, index), where)
  core.engine.begin(COORDINATE_DRIVE_NUMBERS)
  return takeCoordinateDrive(core.engine)
}

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {number} index of a coordinate
 * @param {Drive} drive
 */
export function putDrive(joint, where, index, drive) {
  const { core, id } = handleOf(joint, where)
  core.begin(where)
  core.engine.begin(COORDINATE_DRIVE_NUMBERS)
  putCoordinateDrive(core.engine, drive)
  core.check(core.engine.exports.constraint_set_drive(core.pointer, id, index), where)
}

/**
 * Changes a part of what drives a coordinate.
 * @param {Constraint} joint
 * @param {string} where
 * @param {Record<string, unknown>} options those of DRIVE_NAMES that change
 * @param {number} [index] of the coordinate
 */
export function changeDrive(joint, where, options, index = 0) {
  const given = readDrive(options, where)
  const drive = { ...takeDrive(joint, where, readIndex(joint, where, index)) }
  if (options.limits !== undefined) Object.assign(drive, { lower: given.lower, upper: given.upper })
  if (options.motor !== undefined) {
    const { motor, targetVelocity, targetPosition, maxForce, gains } = given
    Object.assign(drive, { motor, targetVelocity, targetPosition, maxForce, gains })
  }
  if (options.spring !== undefined) {
    Object.assign(drive, { spring: given.spring, springRest: given.springRest })
  }
  if (options.friction !== undefined) drive.friction = given.friction
  putDrive(joint, where, index, drive)
}

/**
 * @param {Constraint} joint
 * @param {string} where
 * @param {'constraint_set_collide_connected' | 'constraint_set_ratio' | 'constraint_set_steering'} call
 * @param {number} number
 */
export function setNumberOf(joint, where, call, number) {
  const { core, id } = handleOf(joint, where)
  core.begin(where)
  core.check(core.engine.exports[call](core.pointer, id, number), where)
}

/** @param {Constraint} joint of type `'motor'` */
export function poseMotorAt(joint) {
  const { core, id } = handleOf(joint, 'motor')
  core.check(core.engine.exports.constraint_get_pose_motor(core.pointer, id), 'motor')
  core.engine.begin(POSE_MOTOR_NUMBERS)
  return poseMotorOf(takePoseMotor(core.engine))
}

/** @param {Constraint} joint of type `'motor'` @param {unknown} value */
export function setPoseMotor(joint, value) {
  const motor = readPoseMotorObject(value ?? { maxForce: 0, maxTorque: 0 }, 'motor')
  const { core, id } = handleOf(joint, 'motor')
  core.begin('motor')
  core.engine.begin(POSE_MOTOR_NUMBERS)
  putPoseMotor(core.engine, motor)
  core.check(core.engine.exports.constraint_set_pose_motor(core.pointer, id), 'motor')
}

/**
 * @param {string} name of a member
 * @param {string} type of a joint for which it means nothing
 */
export const hasNone = (name, type) =>
  new MoreauError('invalid-argument', `${name}: a joint of type '${type}' has none`)
