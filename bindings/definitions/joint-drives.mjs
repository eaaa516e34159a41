import {
  checkNames,
  readBoolean,
  readNumber,
  readNonNegative,
  readObject,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readSixDof } from './six-dof.mjs'

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
 * @property {boolean} locked of a sixDof: the coordinate stays at 0, whatever else is set
 */

/** What a joint with one coordinate may be given for it. */
export const DRIVE_NAMES = Object.freeze(['limits', 'motor', 'spring', 'friction'])
export const SPRING_NAMES = ['hertz', 'damping', 'stiffness', 'dampingCoefficient']
/** What each coordinate of any joint may be given: its drive, or that it stays at 0 (`sixDof`). */
const COORDINATE_NAMES = Object.freeze([...DRIVE_NAMES, 'locked'])
/**
 * How many coordinates a joint has, by its type; others have none.
 * @type {Readonly<Record<string, number>>}
 */
const COORDINATES = Object.freeze({
  ...{ hinge: 1, slider: 1, distance: 1, ball: 2, spring: 1, rope: 1, pulley: 1, wheel: 2 },
  ...{ sixDof: 6, gear: 1, rackAndPinion: 1, path: 1 },
})
/** Types whose only coordinate has its drive under the names of `createJoint`. */
export const HAS_ONE_DRIVE = new Set(['hinge', 'slider', 'distance', 'path'])
/** What `drives` stands for in all of them. */
const NAMED_DRIVES = Object.freeze([
  ...['limits', 'motor', 'spring', 'friction', 'length', 'linear', 'angular'],
  ...['hertz', 'damping', 'stiffness', 'dampingCoefficient'],
])
/** What a joint that is a spring may be given. */
export const SPRING_JOINT_NAMES = Object.freeze([
  ...['spring', 'length', 'limits', 'friction'],
  ...SPRING_NAMES,
])
const NO_SPRING = Object.freeze({ hertz: 0, damping: 0, stiffness: 0, dampingCoefficient: 0 })
const NO_LIMITS = Object.freeze({ lower: -Infinity, upper: Infinity })
const NO_MOTOR = Object.freeze({
  motor: /** @type {const} */ ('none'),
  ...{ targetVelocity: 0, targetPosition: 0, maxForce: Infinity, gains: NO_SPRING },
})
/** @type {Readonly<Drive>} */
export const NO_DRIVE = Object.freeze({
  ...{ ...NO_LIMITS, spring: NO_SPRING, springRest: NaN, ...NO_MOTOR, friction: 0 },
  locked: false,
})

/**
 * The drives of a joint's coordinates from its definition.
 * @param {Record<string, unknown>} definition
 * @param {string} type
 * @param {string} where
 * @returns {Drive[]}
 */
export function readDrives(definition, type, where) {
  if (definition.drives !== undefined) return readDriveList(definition, type, where)
  if (type === 'ball') return readBallLimits(definition.limits, `${where}: limits`)
  if (type === 'sixDof') return readSixDof(definition, where)
  if (type === 'wheel') return readWheel(definition, where)
  if (type === 'spring') return [readSpringJoint(definition, where)]
  if (type === 'rope' || type === 'pulley') {
    return [{ ...NO_DRIVE, upper: readLength(definition.length, `${where}: length`) }]
  }
  if (!HAS_ONE_DRIVE.has(type)) return []
  return [readDrive(definition, where)]
}

/**
 * How many coordinates a type of joint has.
 * @param {string} type
 * @returns {number}
 */
export function coordinateCount(type) {
  return COORDINATES[type] ?? 0
}

/**
 * The drives of all coordinates, given one by one.
 * @param {Record<string, unknown>} definition
 * @param {string} type
 * @param {string} where
 * @returns {Drive[]}
 */
function readDriveList(definition, type, where) {
  const path = `${where}: drives`
  const { drives } = definition
  for (const name of NAMED_DRIVES) {
    if (definition[name] === undefined) continue
    throw new MoreauError('invalid-argument', `${where}: drives and ${name} exclude each other`)
  }
  const count = coordinateCount(type)
  if (!isList(drives) || drives.length !== count) {
    throw invalid(path, `an array of ${count}, one for each coordinate`, drives)
  }
  return Array.from(drives, (value, i) => {
    const given = readObject(value, `${path}[${i}]`)
    checkNames(given, COORDINATE_NAMES, `${path}[${i}]`)
    const { locked = false, ...drive } = given
    return {
      ...readDrive(drive, `${path}[${i}]`),
      locked: readBoolean(locked, `${path}[${i}].locked`),
    }
  })
}

/**
 * @param {unknown} value of a rope or a pulley
 * @param {string} path
 * @returns {number} m; Infinity: as it is at creation
 */
export function readLength(value, path) {
  if (value === undefined) return Infinity
  if (typeof value === 'number' && value > 0 && value < Infinity) return value
  throw invalid(path, 'a length above 0 m', value)
}

/**
 * The suspension, then the spin.
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {Drive[]}
 */
function readWheel({ limits, spring, motor, friction }, where) {
  return [readDrive({ limits, spring }, where), readDrive({ motor, friction }, where)]
}

/**
 * Its gains are given as `spring`, or by themselves.
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {Drive}
 */
function readSpringJoint(definition, where) {
  const { spring, length, limits, friction } = definition
  const own = Object.fromEntries(SPRING_NAMES.map((name) => [name, definition[name]]))
  const isOwn = Object.values(own).some((gain) => gain !== undefined)
  if (isOwn === (spring !== undefined)) {
    const message = `${where}: give either spring, or hertz or stiffness, and damping`
    throw new MoreauError('invalid-argument', message)
  }
  const drive = readDrive({ limits, friction, spring: isOwn ? own : spring }, where)
  const springRest =
    length === undefined ? drive.springRest : readNonNegative(length, `${where}: length`)
  return { ...drive, springRest }
}

/**
 * Limits, motor, spring and friction of one coordinate.
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {Drive}
 */
export function readDrive(definition, where) {
  const { limits, motor, spring, friction } = definition
  const begin = where.includes(':') ? `${where}.` : `${where}: `
  return {
    ...readLimits(limits ?? undefined, `${begin}limits`),
    ...readMotor(motor ?? undefined, `${begin}motor`),
    ...readSpring(spring ?? undefined, `${begin}spring`),
    friction: readNonNegative(friction ?? 0, `${begin}friction`),
    locked: false,
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
  if (cone > Math.PI && cone < Infinity) throw invalid(`${path}.cone`, 'at most pi radians', cone)
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
