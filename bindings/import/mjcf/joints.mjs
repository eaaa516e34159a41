// Joints of MJCF.

import { autoName } from '../names.mjs'
import { length, ZERO } from '../rigid.mjs'
import { placeOf, refuse } from '../xml/place.mjs'
import { amountOf, numberOf, numbersOf, vectorOf, wordOf } from '../xml/reader.mjs'

/** @import { DriveOptions } from '../../types/index.mjs' */
/** @import { LinkJoint } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Context } from './context.mjs' */

/** Ours by those of MJCF. */
const WORDS = /** @type {const} */ (['hinge', 'slide', 'ball'])
const TYPES = /** @type {const} */ ({ hinge: 'hinge', slide: 'slider', ball: 'ball' })

/** Whether an element is a joint that leaves its body all six degrees of freedom. */
export const isFree = (/** @type {Element} */ { name, attributes }) =>
  name === 'freejoint' || (name === 'joint' && attributes.type === 'free')

/**
 * @param {Element} element with its defaults
 * @param {Context} context
 * @returns {LinkJoint}
 */
export function readJoint(element, context) {
  const { warnings } = context
  const { name = autoName(element) } = element.attributes
  const type = TYPES[wordOf(element, 'type', WORDS, warnings)]
  const axis = vectorOf(element, 'axis', [0, 0, 1], warnings)
  const reference = type === 'ball' ? 0 : angleOf(element, 'ref', type, context)
  return {
    ...{ name, place: placeOf(element), type, cone: null, reference, data: {} },
    ...armatureOf(element, type, context),
    anchor: vectorOf(element, 'pos', ZERO, warnings),
    axis: length(axis) > 0 ? axis : [0, 0, 1],
    drives:
      type === 'ball'
        ? ballDrives(element, context)
        : readDrives(element, type, reference, context),
  }
}

/**
 * A number in the unit of a joint's coordinate.
 * @param {Element} element
 * @param {string} name
 * @param {string} type
 * @param {Context} context
 */
const angleOf = (element, name, type, { units, warnings }) =>
  numberOf(element, name, 0, warnings) * (type === 'hinge' ? units.angle : 1)

/**
 * @param {Element} element
 * @param {'hinge' | 'slider'} type
 * @param {number} reference
 * @param {Context} context
 * @returns {DriveOptions} positions from the reference on
 */
function readDrives(element, type, reference, context) {
  const { units, warnings } = context
  const factor = type === 'hinge' ? units.angle : 1
  const stiffness = amountOf(element, 'stiffness', warnings)
  const damping = amountOf(element, 'damping', warnings)
  const friction = amountOf(element, 'frictionloss', warnings)
  const range = rangeOf(element, 'range', 'limited', context)
  const rest = angleOf(element, 'springref', type, context) - reference
  /** @type {DriveOptions} */
  const drives = {}
  if (range !== null) {
    drives.limits = [range[0] * factor - reference, range[1] * factor - reference]
  }
  if (stiffness > 0 || damping > 0) {
    drives.spring = { stiffness, dampingCoefficient: damping, rest }
  }
  if (friction > 0) drives.friction = friction
  return drives
}

/**
 * A range where it holds. By itself, which is MuJoCo's `auto`, it does if its first number is below its second one: `0 0`, which is
 * what there is where nothing is written, is no range.
 * @param {Element} element
 * @param {string} name
 * @param {string} limited name of the attribute that says whether it holds
 * @param {Context} context
 * @returns {[number, number] | null}
 */
export function rangeOf(element, name, limited, { autoLimits, where, warnings }) {
  const word = wordOf(element, limited, ['auto', 'true', 'false'], warnings)
  const [lower, upper] = numbersOf(element, name, [2, 2], warnings) ?? [0, 0]
  if (word === 'false') return null
  const isRange = lower < upper
  if (word === 'true') {
    if (isRange) return [lower, upper]
    const message = `${limited}="true" needs a ${name} whose first number is below its second one, got ${lower} ${upper}`
    throw refuse(where, element, message)
  }
  if (lower === 0 && upper === 0) return null
  if (isRange && autoLimits) return [lower, upper]
  const why = isRange ? 'the compiler has autolimits="false"' : 'it is empty'
  warnings.add(element, `${lower} ${upper} bounds nothing: ${why}`, name)
  return null
}

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {DriveOptions}
 */
function ballDrives(element, context) {
  const { warnings } = context
  for (const name of ['stiffness', 'damping', 'frictionloss', 'ref', 'springref']) {
    if (numberOf(element, name, 0, warnings) === 0) continue
    warnings.add(element, `a ball joint has no ${name} here: left out`, name)
  }
  if (rangeOf(element, 'range', 'limited', context) !== null) {
    warnings.add(element, 'a ball joint has no range here: left out', 'range')
  }
  return {}
}

/**
 * Warns of what a free joint has in MuJoCo and has not here.
 * @param {Element} element with its defaults
 * @param {Context} context
 */
export function warnOfFree(element, { warnings }) {
  for (const name of ['stiffness', 'damping', 'frictionloss', 'armature']) {
    if (element.name === 'freejoint' || numberOf(element, name, 0, warnings) === 0) continue
    warnings.add(element, `a free joint has no ${name} here: left out`, name)
  }
}

/**
 * @param {Element} element
 * @param {string} type
 * @param {Context} context
 * @returns {Pick<LinkJoint, 'armature'>}
 */
function armatureOf(element, type, { warnings, hasArmature }) {
  const armature = amountOf(element, 'armature', warnings)
  if (armature === 0) return {}
  if (hasArmature && type !== 'ball') return { armature }
  const why =
    type === 'ball' ? 'a ball has none here' : 'it is taken over by the option armature alone'
  warnings.add(element, `armature="${armature}": ${why}`, 'armature')
  return {}
}
