// Joints of MJCF.

import { length, ZERO } from '../rigid.mjs'
import { numberOf, numbersOf, vectorOf } from '../xml/reader.mjs'

/** @import { DriveOptions } from '../../types/index.mjs' */
/** @import { LinkJoint } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Context } from './context.mjs' */

/** Ours by those of MJCF. @type {Record<string, 'hinge' | 'slider' | 'ball'>} */
const TYPES = { hinge: 'hinge', slide: 'slider', ball: 'ball' }

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
  const { name = element.path, type: given = 'hinge' } = element.attributes
  const type = TYPES[given] ?? 'hinge'
  if (!(given in TYPES))
    warnings.add(`${element.path}/@type`, `there is no joint of type '${given}'`)
  const axis = vectorOf(element, 'axis', [0, 0, 1], warnings)
  const reference = type === 'ball' ? 0 : angleOf(element, 'ref', type, context)
  return {
    ...{ name, path: element.path, type, cone: null, reference, data: {} },
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
  const stiffness = numberOf(element, 'stiffness', 0, warnings)
  const damping = numberOf(element, 'damping', 0, warnings)
  const friction = numberOf(element, 'frictionloss', 0, warnings)
  const range = numbersOf(element, 'range', 2, warnings)
  const rest = angleOf(element, 'springref', type, context) - reference
  /** @type {DriveOptions} */
  const drives = {}
  if (range !== undefined && isLimited(element, 'limited', context)) {
    drives.limits = [range[0] * factor - reference, range[1] * factor - reference]
  }
  if (stiffness > 0 || damping > 0) {
    drives.spring = { stiffness, dampingCoefficient: damping, rest }
  }
  if (friction > 0) drives.friction = friction
  return drives
}

/**
 * Whether a range holds.
 * @param {Element} element
 * @param {string} name of the attribute that says so
 * @param {Context} context
 */
export function isLimited(element, name, { autoLimits }) {
  const { [name]: limited = 'auto' } = element.attributes
  return limited === 'auto' ? autoLimits : limited === 'true'
}

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {DriveOptions}
 */
function ballDrives(element, context) {
  const { warnings } = context
  for (const name of ['stiffness', 'damping', 'frictionloss', 'range']) {
    if (element.attributes[name] === undefined) continue
    warnings.add(`${element.path}/@${name}`, `a ball joint has no ${name} here: left out`)
  }
  return {}
}

/**
 * @param {Element} element
 * @param {string} type
 * @param {Context} context
 * @returns {Pick<LinkJoint, 'armature'>}
 */
function armatureOf(element, type, { warnings, hasArmature }) {
  const armature = numberOf(element, 'armature', 0, warnings)
  if (armature === 0) return {}
  if (hasArmature && type !== 'ball') return { armature }
  const why =
    type === 'ball' ? 'a ball has none here' : 'it is taken over by the option armature alone'
  warnings.add(`${element.path}/@armature`, `armature="${element.attributes.armature}": ${why}`)
  return {}
}
