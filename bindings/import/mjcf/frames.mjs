// Where MJCF has things: `pos`, and one of five ways to say how they are turned.

import {
  cross,
  dot,
  length,
  NO_TURN,
  scale,
  subtract,
  turnAbout,
  turnAfter,
  turnOfColumns,
  turnOnto,
  unit,
  unitTurn,
  ZERO,
} from '../rigid.mjs'
import { numbersOf, vectorOf } from '../xml/reader.mjs'

/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Attributes that turn a thing: the first of them that is there does. */
const TURNS = ['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler']
/** Attributes that place a thing. */
export const PLACE = ['pos', ...TURNS]

/**
 * What `<compiler>` says of numbers.
 * @typedef {object} Units
 * @property {number} angle rad per unit of angles in the file
 * @property {string} eulerSequence three of x, y, z: small ones about turned axes, capitals about fixed ones
 */

/** @type {Record<string, Vector>} */
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }

/**
 * @param {Element} element
 * @param {Units} units
 * @param {Warnings} warnings
 * @returns {Frame}
 */
export const readFrame = (element, units, warnings) => ({
  position: vectorOf(element, 'pos', ZERO, warnings),
  orientation: readTurn(element, units, warnings),
})

/**
 * @param {Element} element
 * @param {Units} units
 * @param {Warnings} warnings
 * @returns {Quaternion}
 */
export function readTurn(element, units, warnings) {
  const numbers = (/** @type {string} */ name, /** @type {number} */ count) =>
    numbersOf(element, name, [count, count], warnings)
  const noDirection = (/** @type {string} */ name) => {
    warnings.add(element, 'it has no direction: not turned', name)
    return NO_TURN
  }
  const written = TURNS.filter((name) => name in element.attributes)
  for (const name of written.slice(1)) {
    warnings.add(element, `${written[0]} says how it is turned: not taken over`, name)
  }
  const quaternion = numbers('quat', 4)
  if (quaternion !== undefined) {
    const [w, x, y, z] = quaternion
    return w === 0 && x === 0 && y === 0 && z === 0 ? NO_TURN : unitTurn([x, y, z, w])
  }
  const axisAngle = numbers('axisangle', 4)
  if (axisAngle !== undefined) {
    const [x, y, z, angle] = axisAngle
    if (x === 0 && y === 0 && z === 0) return noDirection('axisangle')
    return turnAbout([x, y, z], angle * units.angle)
  }
  const axes = numbers('xyaxes', 6)
  if (axes !== undefined) {
    /** @type {Vector[]} */
    const [first, given] = [
      [axes[0], axes[1], axes[2]],
      [axes[3], axes[4], axes[5]],
    ]
    if (length(first) === 0) return noDirection('xyaxes')
    const x = unit(first)
    const across = subtract(given, scale(x, dot(x, given)))
    if (length(across) === 0) return noDirection('xyaxes')
    const y = unit(across)
    return turnOfColumns(x, y, cross(x, y))
  }
  const zAxis = numbers('zaxis', 3)
  if (zAxis !== undefined) {
    if (zAxis.every((x) => x === 0)) return noDirection('zaxis')
    return turnOnto([0, 0, 1], [zAxis[0], zAxis[1], zAxis[2]])
  }
  const euler = numbers('euler', 3)
  return euler === undefined ? NO_TURN : turnOfEuler(euler, units)
}

/**
 * @param {number[]} angles
 * @param {Units} units
 */
function turnOfEuler(angles, { angle, eulerSequence }) {
  return [...eulerSequence].reduce((turn, letter, i) => {
    const next = turnAbout(AXES[letter.toLowerCase()], angles[i] * angle)
    return letter === letter.toLowerCase() ? turnAfter(turn, next) : turnAfter(next, turn)
  }, NO_TURN)
}
