import { checkNames, readNonNegative, readNumber, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { toQuaternion } from '../core/vectors.mjs'
import {
  CONSTRAINT_REFERENCE_NUMBERS,
  COORDINATE_REFERENCE_NUMBERS,
  putConstraintReference,
  putCoordinateReference,
  takeConstraintReference,
  takeCoordinateReference,
} from '../generated/records.mjs'
import { coordinateCount, NO_DRIVE } from './joint-drives.mjs'

// What a joint keeps of the poses at which it was made: so that it can be made again at other poses.

/** @import { Engine } from '../core/engine.mjs' */
/** @import { Drive } from './joint-drives.mjs' */
/** @import { ConstraintReference } from '../generated/records.mjs' */
/** @import { CoordinateReference, JointReference, Quaternion } from '../types/index.mjs' */

/**
 * A reference as the engine has it, and where the springs rest.
 * @typedef {{ frames: ConstraintReference, coordinates: CoordinateReference[] }} EngineReference
 */

/** MO_CONSTRAINT_COORDINATES */
const MOST_COORDINATES = 6
/** Numbers of a reference in the shared block. */
export const REFERENCE_NUMBERS =
  CONSTRAINT_REFERENCE_NUMBERS + MOST_COORDINATES * COORDINATE_REFERENCE_NUMBERS

const NAMES = Object.freeze([
  ...['frameA', 'frameB', 'frameC', 'frameD', 'length', 'sum'],
  ...['linearMass', 'angularMass', 'coordinates'],
])
/** Types with two more frames: those that couple joints, and the wheel with its axle. */
const HAS_FOUR_FRAMES = new Set(['gear', 'rackAndPinion', 'wheel'])
/** Types that couple the coordinates of joints. */
const HAS_SUM = new Set(['gear', 'rackAndPinion'])
const NO_TURN = Object.freeze([0, 0, 0, 1])
/** @type {CoordinateReference} */
const NO_COORDINATE = Object.freeze({ value: 0, mass: 0, rest: 0 })

/**
 * @param {unknown} value a JointReference
 * @param {string} type of the joint
 * @param {string} path
 * @returns {EngineReference | undefined} undefined: none is given, and the present poses are it
 */
export function readReference(value, type, path) {
  if (value === undefined) return undefined
  const given = readObject(value, path)
  checkNames(given, NAMES, path)
  const frame = (/** @type {string} */ name, isNeeded = true) =>
    toQuaternion(isNeeded ? given[name] : (given[name] ?? NO_TURN), `${path}.${name}`)
  const measure = (/** @type {string} */ name) =>
    readNonNegative(given[name] ?? 0, `${path}.${name}`)
  const hasFour = HAS_FOUR_FRAMES.has(type)
  return {
    frames: {
      ...{ frameA: frame('frameA'), frameB: frame('frameB') },
      ...{ frameC: frame('frameC', hasFour), frameD: frame('frameD', hasFour) },
      ...{ length: measure('length'), sum: readNumber(given.sum ?? 0, `${path}.sum`) },
      ...{ linearMass: measure('linearMass'), angularMass: measure('angularMass') },
    },
    coordinates: readCoordinates(given.coordinates, type, `${path}.coordinates`),
  }
}

/**
 * @param {unknown} value
 * @param {string} type
 * @param {string} path
 * @returns {CoordinateReference[]}
 */
function readCoordinates(value, type, path) {
  const count = coordinateCount(type)
  if (value === undefined && count === 0) return []
  if (!isList(value) || value.length !== count) {
    throw invalid(path, `an array of ${count}, one for each coordinate`, value)
  }
  return Array.from(value, (item, i) => {
    const given = readObject(item, `${path}[${i}]`)
    checkNames(given, Object.keys(NO_COORDINATE), `${path}[${i}]`)
    return {
      value: readNumber(given.value, `${path}[${i}].value`),
      mass: readNonNegative(given.mass, `${path}[${i}].mass`),
      rest: readNumber(given.rest, `${path}[${i}].rest`),
    }
  })
}

/**
 * Drives whose springs rest where the reference says, if nothing else does.
 * @param {readonly Drive[]} drives
 * @param {EngineReference | undefined} reference
 * @returns {readonly Drive[]} one for each coordinate, if there is a reference
 */
export function withRests(drives, reference) {
  if (reference === undefined) return drives
  return reference.coordinates.map(({ rest }, i) => {
    const drive = drives[i] ?? NO_DRIVE
    return Number.isNaN(drive.springRest) ? { ...drive, springRest: rest } : drive
  })
}

/**
 * @param {Engine} module
 * @param {EngineReference} reference
 */
export function putReference(module, { frames, coordinates }) {
  putConstraintReference(module, frames)
  for (let i = 0; i < MOST_COORDINATES; i++) {
    putCoordinateReference(module, coordinates[i] ?? NO_COORDINATE)
  }
}

/**
 * @param {Engine} module which has it in the shared block
 * @param {string} type of the joint
 * @param {readonly number[]} rests of the springs of its coordinates
 * @returns {JointReference} without what the type does not have
 */
export function takeReference(module, type, rests) {
  const frames = takeConstraintReference(module)
  const frame = (/** @type {readonly number[]} */ numbers) =>
    /** @type {Quaternion} */ ([...numbers])
  const coordinates = rests.map((rest) => ({ ...takeCoordinateReference(module), rest }))
  return {
    ...{ frameA: frame(frames.frameA), frameB: frame(frames.frameB) },
    ...(HAS_FOUR_FRAMES.has(type)
      ? { frameC: frame(frames.frameC), frameD: frame(frames.frameD) }
      : {}),
    ...(type === 'distance' ? { length: frames.length } : {}),
    ...(HAS_SUM.has(type) ? { sum: frames.sum } : {}),
    ...{ linearMass: frames.linearMass, angularMass: frames.angularMass },
    ...(coordinates.length > 0 ? { coordinates } : {}),
  }
}
