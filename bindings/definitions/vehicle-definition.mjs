import {
  checkNames,
  readBound,
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
import { cross, sineBetween, unit } from './directions.mjs'
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

/** @type {readonly ('position' | 'direction' | 'axle')[]} */
const VECTORS = ['position', 'direction', 'axle']
/** Where they are among the numbers of a wheel. */
const VECTOR_PLACES = [WHEEL.position, WHEEL.direction, WHEEL.axle]

/** The least sine of the angle between axle and strut, as in the engine (MO_WHEEL_LEAST_COSINE), which cannot name the wheel. */
const LEAST_ACROSS = 0.1

/**
 * The numbers of a wheel: where they are, and how they are read, given the number of wheels.
 * @type {Readonly<Record<string, [at: number, read: (value: unknown, path: string, count: number) => number]>>}
 */
const NUMBERS = {
  radius: [WHEEL.radius, readPositive],
  restLength: [WHEEL.restLength, readNonNegative],
  travel: [WHEEL.travel, readNonNegative],
  stiffness: [WHEEL.stiffness, readNonNegative],
  compression: [WHEEL.compression, readNonNegative],
  relaxation: [WHEEL.relaxation, readNonNegative],
  maxForce: [WHEEL.maxForce, readBound],
  antiRoll: [WHEEL.antiRoll, readNonNegative],
  antiRollWheel: [
    WHEEL.antiRollWheel,
    (value, path, count) => readInteger(value, path, 0, count - 1),
  ],
  friction: [WHEEL.friction, readNonNegative],
  sideFriction: [WHEEL.sideFriction, readNonNegative],
  engineForce: [WHEEL.engineForce, readNumber],
  brake: [WHEEL.brake, readNonNegative],
  steering: [WHEEL.steering, readNumber],
}

const NAMES = [...VECTORS, ...Object.keys(NUMBERS)]

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
  const direction = /** @type {Vector} */ (up.map((x) => -x))
  const presets = { direction, axle, metre: core.metre }
  const { wheels: given } = definition
  if (!isList(given) || given.length === 0) {
    throw invalid(`${where}: wheels`, 'a list of one wheel or more', given)
  }
  const wheels = readItems(given, (wheel, i) => makeWheel(wheel, `${where}: wheels[${i}]`, presets))
  for (const [i, wheel] of wheels.entries())
    checkWheel(wheel, `${where}: wheels[${i}]`, wheels.length)
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
 * What wheels are without the user's. All names are in one literal: an object that gets so many one by one is slow.
 * @param {{ direction: Vector, axle: Vector, metre: number }} presets in the world's unit of length
 * @returns {Wheel}
 */
function plainWheel({ direction, axle, metre }) {
  return {
    position: [0, 0, 0],
    direction,
    axle,
    radius: 0.35 * metre,
    restLength: 0.3 * metre,
    travel: 0.2 * metre,
    stiffness: 30000,
    compression: 2000,
    relaxation: 3000,
    maxForce: Infinity,
    antiRoll: 0,
    antiRollWheel: 0,
    friction: 1,
    sideFriction: 1,
    engineForce: 0,
    brake: 0,
    steering: 0,
    isInContact: false,
    isSliding: false,
    ground: null,
    contactPoint: [0, 0, 0],
    contactNormal: [0, 0, 0],
    suspensionLength: 0,
    suspensionForce: 0,
    forwardImpulse: 0,
    sideImpulse: 0,
    rotation: 0,
    spin: 0,
    forecastLinear: [0, 0, 0],
    forecastAngular: [0, 0, 0],
  }
}

/**
 * @param {unknown} value a WheelDefinition
 * @param {string} path
 * @param {{ direction: Vector, axle: Vector, metre: number }} presets in the world's unit of length
 * @returns {Wheel}
 */
function makeWheel(value, path, presets) {
  const definition = readObject(value, path)
  checkNames(definition, NAMES, path)
  const wheel = plainWheel(presets)
  /** @type {Record<string, unknown>} */
  const made = wheel
  made.position = definition.position
  for (const name in definition) if (definition[name] !== undefined) made[name] = definition[name]
  for (const name of VECTORS) made[name] = toVector(made[name], `${path}.${name}`)
  wheel.suspensionLength = wheel.restLength
  return Object.seal(wheel)
}

/**
 * Throws if something of what a wheel is or how it is driven is wrong, and names it.
 * @param {Wheel} wheel
 * @param {string} path
 * @param {number} count of the vehicle's wheels
 */
export function checkWheel(wheel, path, count) {
  const [, direction, axle] = VECTORS.map((name) => toVector(wheel[name], `${path}.${name}`))
  checkDirections(direction, axle, path)
  for (const name in NUMBERS)
    NUMBERS[name][1](wheel[/** @type {keyof Wheel} */ (name)], `${path}.${name}`, count)
}

/**
 * @param {Vector} direction
 * @param {Vector} axle
 * @param {string} path
 */
function checkDirections(direction, axle, path) {
  if (!unit(direction)) throw invalid(`${path}.direction`, 'of a length above 0', direction)
  if (!unit(axle)) throw invalid(`${path}.axle`, 'of a length above 0', axle)
  if (!(sineBetween(direction, axle) > LEAST_ACROSS))
    throw invalid(`${path}.axle`, "across the wheel's direction", axle)
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
 * The twin of `putWheel`.
 * @param {Wheel} wheel
 * @param {Float64Array} numbers
 * @param {number} at
 */
export function takeWheel(wheel, numbers, at) {
  /** @type {Record<string, unknown>} */
  const taken = wheel
  for (const [i, name] of VECTORS.entries()) {
    const first = at + VECTOR_PLACES[i]
    taken[name] = Array.from(numbers.subarray(first, first + 3))
  }
  for (const name in NUMBERS) taken[name] = numbers[at + NUMBERS[name][0]]
}
