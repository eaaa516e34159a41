import { cross, perpendicular, unit } from '../rigid.mjs'
import { childOf, numberOf, vectorOf, warnOfOthers } from '../xml/reader.mjs'

/** @import { DriveOptions, Vector } from '../../types/index.mjs' */
/** @import { Coupling, JointData, LinkJoint } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Children that are read here or elsewhere. */
const CHILDREN = [
  ...['parent', 'child', 'origin', 'axis', 'limit', 'dynamics', 'mimic', 'safety_controller'],
]

/**
 * The joint between a link and its parent. URDF has the joint's frame and the link's in one.
 * @param {Element} element
 * @param {Warnings} warnings
 * @returns {LinkJoint[]} none where the link floats; three of a planar one: along both directions across its axis, then about it
 */
export function readUrdfJoint(element, warnings) {
  warnOfOthers(element, { attributes: ['name', 'type'], children: CHILDREN }, warnings)
  const { name, type } = element.attributes
  const axisElement = childOf(element, 'axis')
  const axis = axisElement === undefined ? X : vectorOf(axisElement, 'xyz', X, warnings)
  const common = { name, path: element.path, anchor: ORIGIN, axis, cone: null, reference: 0 }
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
      warnings.add(`${element.path}/@type`, `there is no joint for '${type}': taken as fixed`)
      return [{ ...common, type: 'fixed', drives: {}, data }]
  }
}

/** @type {Vector} */
const X = [1, 0, 0]
/** @type {Vector} */
const ORIGIN = [0, 0, 0]

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
  const dynamics = childOf(element, 'dynamics')
  if (dynamics !== undefined) readDynamics(dynamics, drives, warnings)
  const safety = childOf(element, 'safety_controller')
  if (safety !== undefined) readSafety(safety, data, warnings)
  return { drives, data }
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
  if (type === 'revolute' || type === 'prismatic') {
    drives.limits = [number('lower'), number('upper')]
  }
  if ('effort' in limit.attributes) data.maxForce = number('effort')
  if (!('velocity' in limit.attributes)) return
  data.maxSpeed = number('velocity')
  const message = `velocity="${limit.attributes.velocity}" bounds no motion here: see jointData`
  warnings.add(`${limit.path}/@velocity`, message)
}

/**
 * @param {Element} dynamics
 * @param {DriveOptions} drives
 * @param {Warnings} warnings
 */
function readDynamics(dynamics, drives, warnings) {
  warnOfOthers(dynamics, { attributes: ['damping', 'friction'] }, warnings)
  const damping = numberOf(dynamics, 'damping', 0, warnings)
  if (damping > 0) drives.spring = { dampingCoefficient: damping, rest: 0 }
  drives.friction = numberOf(dynamics, 'friction', 0, warnings)
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
  warnings.add(safety.path, 'a safety controller is the work of a controller: see jointData')
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
  const follower = element.attributes.name
  const leader = mimic.attributes.joint ?? ''
  if (!names.has(leader) || !names.has(follower)) {
    warnings.add(
      mimic.path,
      `there is no joint '${names.has(leader) ? follower : leader}' to couple`,
    )
    return []
  }
  const ratio = numberOf(mimic, 'multiplier', 1, warnings)
  const offset = numberOf(mimic, 'offset', 0, warnings)
  if (ratio === 0) {
    warnings.add(mimic.path, 'a multiplier of 0 couples nothing')
    return []
  }
  return [{ name: `${follower}/mimic`, path: mimic.path, follower, leader, ratio, offset }]
}
