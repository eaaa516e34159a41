import { checkNames, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { toQuaternion, toVector } from '../core/vectors.mjs'
import { gainsOf, readGains, SPRING_NAMES } from './joint-drives.mjs'

/** @import { PoseMotor, Quaternion } from '../types/index.mjs' */

/**
 * A motor to a pose as the engine has it: mo_pose_motor.
 * @typedef {import('../generated/records.mjs').PoseMotor} EnginePoseMotor
 */

export const POSE_MOTOR_NAMES = Object.freeze([
  ...['targetPosition', 'targetOrientation', 'maxForce', 'maxTorque'],
  ...SPRING_NAMES,
])

/**
 * @param {Record<string, unknown>} definition
 * @param {string} where begins the path of each option
 * @returns {EnginePoseMotor}
 */
export function readPoseMotor(definition, where) {
  const { targetPosition, targetOrientation } = definition
  const { maxForce = Infinity, maxTorque = Infinity } = definition
  return {
    hasPosition: targetPosition !== undefined,
    hasOrientation: targetOrientation !== undefined,
    targetPosition: toVector(targetPosition ?? [0, 0, 0], `${where}targetPosition`),
    targetOrientation: toQuaternion(targetOrientation ?? [0, 0, 0, 1], `${where}targetOrientation`),
    maxForce: readLimit(maxForce, `${where}maxForce`),
    maxTorque: readLimit(maxTorque, `${where}maxTorque`),
    gains: readGains(definition, where.replace(/: $/, '')),
  }
}

/**
 * The same on its own.
 * @param {unknown} value
 * @param {string} path
 * @returns {EnginePoseMotor}
 */
export function readPoseMotorObject(value, path) {
  const given = readObject(value, path)
  checkNames(given, POSE_MOTOR_NAMES, path)
  return readPoseMotor(given, `${path}.`)
}

/**
 * @param {EnginePoseMotor} motor
 * @returns {PoseMotor}
 */
export function poseMotorOf(motor) {
  const { hasPosition, hasOrientation, targetPosition } = motor
  const targetOrientation = /** @type {Quaternion} */ (motor.targetOrientation)
  return {
    ...(hasPosition ? { targetPosition } : {}),
    ...(hasOrientation ? { targetOrientation } : {}),
    ...{ maxForce: motor.maxForce, maxTorque: motor.maxTorque },
    ...gainsOf(motor.gains),
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
function readLimit(value, path) {
  if (typeof value === 'number' && value >= 0) return value
  throw invalid(path, '0 or more', value)
}
