import { cross, perpendicular, unit } from '../rigid.mjs'
import { placeOf } from '../xml/place.mjs'
import { amountOf, childOf, numberOf, vectorOf, warnOfOthers } from '../xml/reader.mjs'

/** @import { DriveOptions, Vector } from '../../types/index.mjs' */
/** @import { Coupling, JointData, LinkJoint } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Children that are read here or elsewhere. */
const CHILDREN = [
  ...['parent', 'child', 'origin', 'axis', 'limit', 'dynamics', 'mimic', 'safety_controller'],
]
/** Types that turn about or move along their axis. */
const MOVING = ['revolute', 'continuous', 'prismatic', 'planar']

/**
 * The joint between a link and its parent. URDF has the joint's frame and the link's in one.
 * @param {Element} element
 * @param {Warnings} warnings
 * @returns {LinkJoint[]} none where the link floats; three of a planar one: along both directions across its axis, then about it
 */
export function readUrdfJoint(element, warnings) {
  warnOfOthers(element, { attributes: ['name', 'type'], once: CHILDREN }, warnings)
  for (const end of ['parent', 'child']) {
    const one = childOf(element, end)
    if (one !== undefined) warnOfOthers(one, { attributes: ['link'] }, warnings)
  }
  const { name = element.path, type = '' } = element.attributes
  const axis = readAxis(element, warnings)
  const common = { name, place: placeOf(element), anchor: ORIGIN, axis, cone: null, reference: 0 }
  const { drives, data } = readDrives(element, type, warnings)
  switch (type) {
    case 'revolute':
    case 'continuous':
      return [{ ...common, type: 'hinge', drives, data }]
    case 'prismatic':
      return [{ ...common, type: 'slider', drives, data }]
    case 'spherical':
      return [{ ...common, type: 'ball', drives: {}, data }]
    case 'planar': {
      const across = perpendicular(axis)
      const sliders = /** @type {const} */ ([
        ['x', across],
        ['y', cross(unit(axis), across)],
      ])
      return [
        ...sliders.map(([end, direction]) => ({
          ...{ ...common, name: `${name}/${end}`, axis: direction, drives: {}, data: {} },
          type: /** @type {const} */ ('slider'),
        })),
        { ...common, type: 'hinge', drives, data },
      ]
    }
    case 'floating':
      return []
    case 'fixed':
      return [{ ...common, type: 'fixed', drives: {}, data }]
    default:
      warnings.add(element, `there is no joint for '${type}': taken as fixed`, 'type')
      return [{ ...common, type: 'fixed', drives: {}, data }]
  }
}

/** @type {Vector} */
const X = [1, 0, 0]
/** @type {Vector} */
const ORIGIN = [0, 0, 0]

/**
 * @param {Element} element
 * @param {Warnings} warnings
 * @returns {Vector}
 */
function readAxis(element, warnings) {
  const axis = childOf(element, 'axis')
  if (axis === undefined) return X
  warnOfOthers(axis, { attributes: ['xyz'] }, warnings)
  const direction = vectorOf(axis, 'xyz', X, warnings)
  if (direction.some((x) => x !== 0)) return direction
  // ROS has it as the file says, and then cannot move the joint.
  warnings.add(axis, 'an axis of 0 has no direction: 1 0 0 holds', 'xyz')
  return X
}

/**
 * @param {Element} element
 * @param {string} type
 * @param {Warnings} warnings
 * @returns {{ drives: DriveOptions, data: JointData }}
 */
function readDrives(element, type, warnings) {
  const limit = childOf(element, 'limit')
  /** @type {DriveOptions} */
  const drives = {}
  /** @type {JointData} */
  const data = {}
  if (limit !== undefined) readLimit(limit, type, drives, data, warnings)
  else if (type === 'revolute' || type === 'prismatic') {
    warnings.add(element, `a ${type} joint without <limit>: it has no limits`)
  }
  const dynamics = childOf(element, 'dynamics')
  if (dynamics !== undefined) {
    readDynamics(dynamics, drives, warnings)
    if (!MOVING.includes(type)) warnOfUnused(dynamics, type, warnings)
  }
  const safety = childOf(element, 'safety_controller')
  if (safety !== undefined) readSafety(safety, data, warnings)
  return { drives, data }
}

/**
 * @param {Element} element
 * @param {string} type of its joint
 * @param {Warnings} warnings
 */
function warnOfUnused(element, type, warnings) {
  const says = Object.values(element.attributes).some((text) => Number(text) !== 0)
  if (says) warnings.add(element, `a ${type} joint has no <${element.name}>: not taken over`)
}

/**
 * @param {Element} limit
 * @param {string} type
 * @param {DriveOptions} drives
 * @param {JointData} data
 * @param {Warnings} warnings
 */
function readLimit(limit, type, drives, data, warnings) {
  warnOfOthers(limit, { attributes: ['lower', 'upper', 'effort', 'velocity'] }, warnings)
  const number = (/** @type {string} */ name) => numberOf(limit, name, 0, warnings)
  const [lower, upper] = [number('lower'), number('upper')]
  if (type === 'revolute' || type === 'prismatic') {
    drives.limits = [lower, upper]
    if (lower === upper) {
      warnings.add(limit, `lower and upper are both ${lower}: the joint cannot move`)
    }
  } else if (lower !== 0 || upper !== 0) {
    warnings.add(limit, `a ${type} joint has no limits: ${lower} to ${upper} is not taken over`)
  }
  if ('effort' in limit.attributes) data.maxForce = amountOf(limit, 'effort', warnings)
  if (!('velocity' in limit.attributes)) return
  data.maxSpeed = amountOf(limit, 'velocity', warnings)
  const message = `velocity="${data.maxSpeed}" bounds no motion here: see jointData`
  warnings.add(limit, message, 'velocity')
}

/**
 * @param {Element} dynamics
 * @param {DriveOptions} drives
 * @param {Warnings} warnings
 */
function readDynamics(dynamics, drives, warnings) {
  warnOfOthers(dynamics, { attributes: ['damping', 'friction'] }, warnings)
  const damping = amountOf(dynamics, 'damping', warnings)
  if (damping > 0) drives.spring = { dampingCoefficient: damping, rest: 0 }
  drives.friction = amountOf(dynamics, 'friction', warnings)
}

/**
 * @param {Element} safety
 * @param {JointData} data
 * @param {Warnings} warnings
 */
function readSafety(safety, data, warnings) {
  const attributes = ['soft_lower_limit', 'soft_upper_limit', 'k_position', 'k_velocity']
  warnOfOthers(safety, { attributes }, warnings)
  const [softLower, softUpper, kPosition, kVelocity] = attributes.map((name) =>
    numberOf(safety, name, 0, warnings),
  )
  data.safety = { softLower, softUpper, kPosition, kVelocity }
  warnings.add(safety, 'a safety controller is the work of a controller: see jointData')
}

/**
 * @param {Element} element a joint
 * @param {ReadonlySet<string>} names of the joints that are there
 * @param {Warnings} warnings
 * @returns {Coupling[]}
 */
export function readMimic(element, names, warnings) {
  const mimic = childOf(element, 'mimic')
  if (mimic === undefined) return []
  warnOfOthers(mimic, { attributes: ['joint', 'multiplier', 'offset'] }, warnings)
  const follower = element.attributes.name ?? element.path
  const leader = mimic.attributes.joint ?? ''
  if (!names.has(leader) || !names.has(follower)) {
    const missing = names.has(leader) ? follower : leader
    warnings.add(mimic, `there is no joint '${missing}' to couple: left out`)
    return []
  }
  const ratio = numberOf(mimic, 'multiplier', 1, warnings)
  const offset = numberOf(mimic, 'offset', 0, warnings)
  return [{ name: `${follower}/mimic`, place: placeOf(mimic), follower, leader, ratio, offset }]
}
