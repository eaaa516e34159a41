import {
  checkNames,
  readInteger,
  readNonNegative,
  readNumber,
  readObject,
  readPositive,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList, readItems } from '../core/lists.mjs'
import { putVector, toVector } from '../core/vectors.mjs'
import * as WHEEL from '../generated/places/wheel.mjs'
import { readBits } from './filter.mjs'

/** @import { Wheel, Vector } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * A vehicle after reading.
 * @typedef {object} ReadVehicle
 * @property {import('../objects/body.mjs').Body} chassis
 * @property {Readonly<Vector>} forward
 * @property {readonly Wheel[]} wheels
 * @property {number} category
 * @property {number} mask
 */

/** @type {readonly (keyof Wheel & keyof typeof WHEEL)[]} */
const VECTORS = ['position', 'direction', 'axle']

/**
 * The numbers of a wheel: what they are without the user's, and how they are read.
 * @type {Readonly<Record<string, [preset: number, read: (value: unknown, path: string) => number]>>}
 */
const NUMBERS = {
  radius: [0.35, readPositive],
  restLength: [0.3, readNonNegative],
  travel: [0.2, readNonNegative],
  stiffness: [30000, readNonNegative],
  compression: [2000, readNonNegative],
  relaxation: [3000, readNonNegative],
  maxForce: [Infinity, readForce],
  antiRoll: [0, readNonNegative],
  antiRollWheel: [0, (value, path) => readInteger(value, path, 0, 0xffffffff)],
  friction: [1, readNonNegative],
  sideFriction: [1, readNonNegative],
  engineForce: [0, readNumber],
  brake: [0, readNonNegative],
  steering: [0, readNumber],
}

const READERS = Object.entries(NUMBERS).map(([name, [, read]]) => ({
  name: /** @type {keyof Wheel & keyof typeof WHEEL} */ (name),
  read,
}))

/**
 * @param {unknown} value
 * @param {string} path
 */
function readForce(value, path) {
  return value === Infinity ? Infinity : readNonNegative(value, path)
}

/**
 * @param {WorldCore} core
 * @param {unknown} value a VehicleDefinition
 * @returns {ReadVehicle}
 */
export function readVehicle(core, value) {
  const where = 'createVehicle'
  const definition = readObject(value, `${where}: definition`)
  checkNames(definition, ['chassis', 'wheels', 'up', 'forward', 'filter'], where)
  const chassis = core.own(definition.chassis, `${where}: chassis`)
  const up = toVector(definition.up ?? [0, 1, 0], `${where}: up`)
  const forward = toVector(definition.forward ?? [1, 0, 0], `${where}: forward`)
  const axle = cross(up, forward)
  if (axle.every((x) => x === 0)) throw invalid(`${where}: forward`, 'not along up', forward)
  const direction = up.map((x) => -x)
  const { wheels: given } = definition
  if (!isList(given) || given.length === 0) {
    throw invalid(`${where}: wheels`, 'a list of one wheel or more', given)
  }
  const wheels = readItems(given, (wheel, i) =>
    makeWheel(wheel, `${where}: wheels[${i}]`, { direction, axle }),
  )
  return { chassis, forward, wheels: Object.freeze(wheels), ...readMasks(definition.filter, where) }
}

/**
 * @param {unknown} value
 * @param {string} where
 */
function readMasks(value, where) {
  const path = `${where}: filter`
  const filter = readObject(value ?? {}, path)
  checkNames(filter, ['category', 'mask'], path)
  const { category = 0xffffffff, mask = 0xffffffff } = filter
  return {
    category: readBits(category, `${path}.category`),
    mask: readBits(mask, `${path}.mask`),
  }
}

/**
 * @param {unknown} value a WheelDefinition
 * @param {string} path
 * @param {{ direction: number[], axle: number[] }} presets
 * @returns {Wheel}
 */
function makeWheel(value, path, presets) {
  const definition = readObject(value, path)
  checkNames(definition, [...VECTORS, ...Object.keys(NUMBERS)], path)
  /** @type {Record<string, unknown>} */
  const wheel = { ...presets, position: definition.position }
  for (const name in NUMBERS) wheel[name] = NUMBERS[name][0]
  for (const name in definition) if (definition[name] !== undefined) wheel[name] = definition[name]
  for (const name of VECTORS) wheel[name] = toVector(wheel[name], `${path}.${name}`)
  Object.assign(wheel, { isInContact: false, isSliding: false, ground: null })
  Object.assign(wheel, { contactPoint: [0, 0, 0], contactNormal: [0, 0, 0] })
  Object.assign(wheel, { suspensionLength: wheel.restLength, suspensionForce: 0 })
  Object.assign(wheel, { forwardImpulse: 0, sideImpulse: 0, rotation: 0, spin: 0 })
  const made = /** @type {Wheel} */ (Object.seal(wheel))
  checkWheel(made, path)
  return made
}

/**
 * Throws if something of what a wheel is or how it is driven is wrong, and names it.
 * @param {Wheel} wheel
 * @param {string} path
 */
export function checkWheel(wheel, path) {
  for (const name of VECTORS) toVector(wheel[name], `${path}.${name}`)
  for (const { name, read } of READERS) read(wheel[name], `${path}.${name}`)
}

/**
 * Puts what a wheel is and how it is driven into numbers. Name by name, and without their bounds, which the engine
 * checks: this is done for each wheel in each step.
 * @param {Wheel} wheel
 * @param {Float64Array} numbers
 * @param {number} at
 * @returns {boolean} whether they are numbers; if not, `checkWheel` throws
 */
export function putWheel(wheel, numbers, at) {
  return (
    putVector(wheel.position, numbers, at + WHEEL.position) &&
    putVector(wheel.direction, numbers, at + WHEEL.direction) &&
    putVector(wheel.axle, numbers, at + WHEEL.axle) &&
    putStrut(wheel, numbers, at) &&
    putTyre(wheel, numbers, at)
  )
}

/**
 * @param {Wheel} wheel
 * @param {Float64Array} numbers
 * @param {number} at
 */
function putStrut(wheel, numbers, at) {
  const { restLength, travel, stiffness, compression, relaxation, maxForce } = wheel
  const { antiRoll, antiRollWheel } = wheel
  if (typeof restLength !== 'number' || typeof travel !== 'number') return false
  if (typeof stiffness !== 'number' || typeof compression !== 'number') return false
  if (typeof relaxation !== 'number' || typeof maxForce !== 'number') return false
  if (typeof antiRoll !== 'number' || antiRollWheel >>> 0 !== antiRollWheel) return false
  numbers[at + WHEEL.restLength] = restLength
  numbers[at + WHEEL.travel] = travel
  numbers[at + WHEEL.stiffness] = stiffness
  numbers[at + WHEEL.compression] = compression
  numbers[at + WHEEL.relaxation] = relaxation
  numbers[at + WHEEL.maxForce] = maxForce
  numbers[at + WHEEL.antiRoll] = antiRoll
  numbers[at + WHEEL.antiRollWheel] = antiRollWheel
  return true
}

/**
 * @param {Wheel} wheel
 * @param {Float64Array} numbers
 * @param {number} at
 */
function putTyre(wheel, numbers, at) {
  const { radius, friction, sideFriction, engineForce, brake, steering } = wheel
  if (typeof radius !== 'number' || typeof friction !== 'number') return false
  if (typeof sideFriction !== 'number' || typeof engineForce !== 'number') return false
  if (typeof brake !== 'number' || typeof steering !== 'number') return false
  numbers[at + WHEEL.radius] = radius
  numbers[at + WHEEL.friction] = friction
  numbers[at + WHEEL.sideFriction] = sideFriction
  numbers[at + WHEEL.engineForce] = engineForce
  numbers[at + WHEEL.brake] = brake
  numbers[at + WHEEL.steering] = steering
  return true
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
