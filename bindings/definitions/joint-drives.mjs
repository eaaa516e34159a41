import { checkNames, readNumber, readNonNegative, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { MoreauError } from '../core/errors.mjs'

/** @import { JointLimits, JointMotor, JointSpring } from '../types/index.mjs' */

/**
 * A spring as the engine has it: mo_spring.
 * @typedef {{ hertz: number, damping: number, stiffness: number, dampingCoefficient: number }} Spring
 */

/**
 * Limits and drives of a coordinate as the engine has them: mo_coordinate_drive.
 * @typedef {object} Drive
 * @property {number} lower
 * @property {number} upper
 * @property {Spring} spring
 * @property {number} springRest NaN: where it is at creation, or was
 * @property {'none' | 'velocity' | 'position'} motor
 * @property {number} targetVelocity
 * @property {number} targetPosition
 * @property {number} maxForce
 * @property {Spring} gains
 * @property {number} friction
 */

/** What a joint with one coordinate may be given for it. */
export const DRIVE_NAMES = Object.freeze(['limits', 'motor', 'spring', 'friction'])
export const SPRING_NAMES = ['hertz', 'damping', 'stiffness', 'dampingCoefficient']
const NO_SPRING = Object.freeze({ hertz: 0, damping: 0, stiffness: 0, dampingCoefficient: 0 })
const NO_LIMITS = Object.freeze({ lower: -Infinity, upper: Infinity })
const NO_MOTOR = Object.freeze({
  motor: /** @type {const} */ ('none'),
  ...{ targetVelocity: 0, targetPosition: 0, maxForce: Infinity, gains: NO_SPRING },
})
/** @type {Readonly<Drive>} */
export const NO_DRIVE = Object.freeze({
  ...{ ...NO_LIMITS, spring: NO_SPRING, springRest: NaN, ...NO_MOTOR, friction: 0 },
})

/**
 * The drives of a joint's coordinates from its definition.
 * @param {Record<string, unknown>} definition
 * @param {string} type
 * @param {string} where
 * @returns {Drive[]}
 */
export function readDrives(definition, type, where) {
  if (type === 'ball') return readBallLimits(definition.limits, `${where}: limits`)
  if (type !== 'hinge' && type !== 'slider' && type !== 'distance') return []
  return [readDrive(definition, where)]
}

/**
 * Limits, motor, spring and friction of one coordinate.
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {Drive}
 */
export function readDrive(definition, where) {
  const { limits, motor, spring, friction } = definition
  return {
    ...readLimits(limits ?? undefined, `${where}: limits`),
    ...readMotor(motor ?? undefined, `${where}: motor`),
    ...readSpring(spring ?? undefined, `${where}: spring`),
    friction: readNonNegative(friction ?? 0, `${where}: friction`),
  }
}

/**
 * @param {unknown} value [lower, upper] or an object with these names
 * @param {string} path
 * @returns {{ lower: number, upper: number }}
 */
export function readLimits(value, path) {
  if (value === undefined) return NO_LIMITS
  let [lower, upper] = [/** @type {unknown} */ (-Infinity), /** @type {unknown} */ (Infinity)]
  if (isList(value) && value.length === 2) {
    lower = value[0]
    upper = value[1]
  } else {
    const limits = readObject(value, path)
    checkNames(limits, ['lower', 'upper'], path)
    if (limits.lower !== undefined) lower = limits.lower
    if (limits.upper !== undefined) upper = limits.upper
  }
  if (typeof lower === 'number' && typeof upper === 'number') {
    if (lower <= upper && lower < Infinity && upper > -Infinity) return { lower, upper }
  }
  throw invalid(path, '[lower, upper] with lower <= upper', value)
}

/**
 * @param {unknown} value { cone, twist }
 * @param {string} path
 * @returns {Drive[]} of the angle between the axes, and of the twist
 */
export function readBallLimits(value, path) {
  if (value === undefined) return []
  const limits = readObject(value, path)
  checkNames(limits, ['cone', 'twist'], path)
  const { cone = Infinity, twist } = limits
  if (!(typeof cone === 'number' && cone > 0)) {
    throw invalid(`${path}.cone`, 'an angle above 0', cone)
  }
  return [
    { ...NO_DRIVE, upper: cone },
    { ...NO_DRIVE, ...readLimits(twist, `${path}.twist`) },
  ]
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function readMotor(value, path) {
  if (value === undefined) return NO_MOTOR
  const given = readObject(value, path)
  checkNames(given, ['targetVelocity', 'targetPosition', 'maxForce', ...SPRING_NAMES], path)
  const { targetVelocity = 0, targetPosition, maxForce = Infinity } = given
  const isPosition = targetPosition !== undefined
  if (!(typeof maxForce === 'number' && maxForce >= 0)) {
    throw invalid(`${path}.maxForce`, '0 or more', maxForce)
  }
  for (const name of SPRING_NAMES) {
    if (isPosition || given[name] === undefined) continue
    const message = `${path}.${name} needs targetPosition: a motor to a velocity has none`
    throw new MoreauError('invalid-argument', message)
  }
  return {
    motor: /** @type {'position' | 'velocity'} */ (isPosition ? 'position' : 'velocity'),
    targetVelocity: readNumber(targetVelocity, `${path}.targetVelocity`),
    targetPosition: readNumber(targetPosition ?? 0, `${path}.targetPosition`),
    maxForce,
    gains: readGains(given, path),
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {{ spring: Spring, springRest: number }}
 */
function readSpring(value, path) {
  if (value === undefined) return { spring: NO_SPRING, springRest: NaN }
  const given = readObject(value, path)
  checkNames(given, [...SPRING_NAMES, 'rest'], path)
  const spring = readGains(given, path)
  if (spring.hertz === 0 && spring.stiffness === 0 && spring.dampingCoefficient === 0) {
    throw invalid(path, 'hertz, stiffness or dampingCoefficient above 0', value)
  }
  const { rest } = given
  return { spring, springRest: rest === undefined ? NaN : readNumber(rest, `${path}.rest`) }
}

/**
 * @param {Record<string, unknown>} given
 * @param {string} path
 * @returns {Spring}
 */
export function readGains(given, path) {
  const { hertz = 0, damping = 0, stiffness = 0, dampingCoefficient = 0 } = given
  const spring = {
    hertz: readNonNegative(hertz, `${path}.hertz`),
    damping: readNonNegative(damping, `${path}.damping`),
    stiffness: readNonNegative(stiffness, `${path}.stiffness`),
    dampingCoefficient: readNonNegative(dampingCoefficient, `${path}.dampingCoefficient`),
  }
  if (spring.hertz > 0 && spring.stiffness > 0) {
    const message = `${path}: hertz and stiffness exclude each other`
    throw new MoreauError('invalid-argument', message)
  }
  if (spring.damping > 0 && spring.dampingCoefficient > 0) {
    const message = `${path}: damping (a ratio) and dampingCoefficient exclude each other`
    throw new MoreauError('invalid-argument', message)
  }
  return spring
}

/**
 * @param {Record<string, unknown>} definition
 * @param {string} where
 */
export function readBreak(definition, where) {
  const { breakForce = Infinity, breakTorque = Infinity } = definition
  return {
    breakForce: readLoad(breakForce, `${where}: breakForce`),
    breakTorque: readLoad(breakTorque, `${where}: breakTorque`),
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readLoad(value, path) {
  if (typeof value === 'number' && value >= 0) return value
  throw invalid(path, '0 or more, or Infinity', value)
}

// --- what can be read back ------------------------------------------------------------------------

/**
 * @param {Drive} drive
 * @returns {JointLimits | null} null: none
 */
export function limitsOf({ lower, upper }) {
  return lower === -Infinity && upper === Infinity ? null : { lower, upper }
}

/**
 * @param {Spring} spring
 * @returns {Partial<Spring>} without zeros
 */
export function gainsOf(spring) {
  return Object.fromEntries(Object.entries(spring).filter(([, number]) => number !== 0))
}

/**
 * @param {Drive} drive
 * @returns {JointMotor | null} null: none
 */
export function motorOf(drive) {
  const { motor, targetVelocity, targetPosition, maxForce, gains } = drive
  if (motor === 'none') return null
  if (motor === 'velocity') return { targetVelocity, maxForce }
  return { targetPosition, targetVelocity, maxForce, ...gainsOf(gains) }
}

/**
 * @param {Drive} drive
 * @returns {JointSpring | null} null: none
 */
export function springOf({ spring, springRest }) {
  const gains = gainsOf(spring)
  return Object.keys(gains).length === 0 ? null : { ...gains, rest: springRest }
}
