import { readNonNegative } from '../core/arguments.mjs'
import {
  CONSTRAINT_DEF_NUMBERS,
  CONSTRAINT_GIVEN_NUMBERS,
  COORDINATE_DRIVE_NUMBERS,
  POSE_MOTOR_NUMBERS,
} from '../generated/records.mjs'
import { REFERENCE_NUMBERS } from './joint-reference.mjs'
import { PATH_NUMBERS } from './path-definition.mjs'

// What the definitions of all constraints have.

/** @import { Body } from '../objects/body.mjs' */

const MOST_COORDINATES = 6
/** Numbers of every definition in the shared block, at the most. */
export const FIXED_NUMBERS =
  CONSTRAINT_DEF_NUMBERS +
  CONSTRAINT_GIVEN_NUMBERS +
  MOST_COORDINATES * COORDINATE_DRIVE_NUMBERS +
  POSE_MOTOR_NUMBERS +
  REFERENCE_NUMBERS +
  PATH_NUMBERS

export const NO_JOINTS = Object.freeze({ jointA: 0, jointB: 0 })
const DEFAULT_GAIN = 10

/**
 * @param {Body | null} a
 * @param {Body | null} b
 * @returns {Body[]}
 */
export function withoutWorld(a, b) {
  return [a, b].filter((body) => body !== null)
}

/**
 * @param {Record<string, unknown>} definition
 * @param {boolean} isOwn whether alpha and beta hold where they are not given
 * @param {string} where
 */
export function readGains(definition, isOwn, where) {
  const { alpha, beta, compliance = 0 } = definition
  const has = isOwn || alpha !== undefined || beta !== undefined
  return {
    hasStabilization: has,
    alpha: readNonNegative(alpha ?? DEFAULT_GAIN, `${where}: alpha`),
    beta: readNonNegative(beta ?? DEFAULT_GAIN, `${where}: beta`),
    compliance: readNonNegative(compliance, `${where}: compliance`),
  }
}
