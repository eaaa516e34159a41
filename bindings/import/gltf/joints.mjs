// Joints of KHR_physics_rigid_bodies: limits and drives along the axes of a frame on each side.

import { compose, inverse, NO_TURN, rotate, turnAfter } from '../rigid.mjs'

/** @import { Joint, JointDefinition, World } from '../../index.mjs' */
/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { GltfDrive, GltfJoint, GltfLimit } from './types.mjs' */

/**
 * What an axis may do.
 * @typedef {object} Axis
 * @property {boolean} isLocked
 * @property {[number, number] | null} limits
 * @property {{ stiffness: number, dampingCoefficient: number, rest: number } | null} spring
 * @property {(import('../../index.mjs').JointMotor & { perMass: boolean }) | null} motor `perMass`: its gains are for a mass of 1
 */

/**
 * @typedef {object} Axes
 * @property {Axis[]} linear
 * @property {Axis[]} angular
 * @property {{ axis: number, angle: number } | null} cone about an axis
 * @property {[number, number] | null} distance of both frames
 */

/**
 * The sides of a joint: a body, or the world, and the frame of the joint in it.
 * @typedef {object} Sides
 * @property {import('../../index.mjs').Body | null} bodyA
 * @property {import('../../index.mjs').Body | null} bodyB
 * @property {Frame} frameA
 * @property {Frame} frameB
 * @property {boolean} collideConnected
 */

/** Turns that bring x to each of the axes, and the others after it. @type {readonly Quaternion[]} */
const X_TO = [NO_TURN, [0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5]]
/** Frames that are turned by less coincide: the half sine of the angle. */
const ALIGNED = 1e-12
const FREE = 'free'

/**
 * @param {World} world
 * @param {GltfJoint} joint
 * @param {Sides} sides
 * @param {string} path
 * @param {Warnings} warnings
 * @returns {Joint}
 */
export function makeJoint(world, joint, sides, path, warnings) {
  const axes = readAxes(joint, path, warnings)
  const { definition, first, isTurned } = classify(axes, path, warnings)
  const turn = X_TO[first]
  const [frameA, frameB] = [sides.frameA, sides.frameB].map(({ orientation }) =>
    turnAfter(orientation, turn),
  )
  const { bodyA, bodyB, collideConnected } = sides
  const whole = /** @type {unknown} */ ({
    ...{ ...definition, bodyA, bodyB, collideConnected },
    ...{ anchorA: sides.frameA.position, anchorB: sides.frameB.position },
    ...(hasAxes(definition) && { axisA: rotate(frameA, X), axisB: rotate(frameB, X) }),
  })
  const made = create(
    world,
    /** @type {JointDefinition} */ (whole),
    frameA,
    frameB,
    isTurned,
    sides,
  )
  scaleMotors(made, axes, first)
  return made
}

/** @type {Vector} */
const X = [1, 0, 0]

/** @param {Record<string, unknown>} definition */
const hasAxes = ({ type, limits }) =>
  type === 'hinge' || type === 'slider' || (type === 'ball' && limits !== undefined)

/**
 * A joint is at 0 where its bodies are when it is made; that of a file where its frames coincide. So where they do not, or are
 * turned against a body that gives the axes, it is made with these frames.
 * @param {World} world
 * @param {JointDefinition} definition
 * @param {Quaternion} frameA
 * @param {Quaternion} frameB
 * @param {boolean} isTurned
 * @param {Sides} sides
 * @returns {Joint}
 */
function create(world, definition, frameA, frameB, isTurned, { bodyA, bodyB }) {
  const joint = world.createJoint(definition)
  const turnOf = (/** @type {Sides['bodyA']} */ body, /** @type {Quaternion} */ frame) =>
    body === null ? frame : turnAfter(body.orientation, frame)
  const between = compose(inverse({ position: [0, 0, 0], orientation: turnOf(bodyA, frameA) }), {
    position: [0, 0, 0],
    orientation: turnOf(bodyB, frameB),
  }).orientation
  const isAligned = between.slice(0, 3).every((x) => Math.abs(x) < ALIGNED)
  const hasFrames = definition.type !== 'distance' && definition.type !== 'rope'
  if (!hasFrames || (isAligned && !isTurned)) return joint
  const reference = { ...joint.reference, frameA, frameB }
  joint.destroy()
  return world.createJoint({ ...definition, reference })
}

/**
 * Gains for a mass of 1 become those for the mass that the joint has.
 * @param {Joint} joint
 * @param {Axes} axes
 * @param {number} first axis of a joint with one coordinate
 */
function scaleMotors(joint, { linear, angular }, first) {
  const masses = joint.reference.coordinates ?? []
  const all = [...linear, ...angular]
  const driven =
    joint.type === 'hinge' ? [angular[first]] : joint.type === 'slider' ? [linear[first]] : all
  if (joint.type !== 'hinge' && joint.type !== 'slider' && joint.type !== 'sixDof') return
  driven.forEach(({ motor }, i) => {
    if (motor === null || !motor.perMass) return
    const { stiffness = 0, dampingCoefficient = 0 } = motor
    const { mass } = masses[i]
    const gains = { stiffness: stiffness * mass, dampingCoefficient: dampingCoefficient * mass }
    joint.setDrive(i, { motor: { ...plainMotor(motor), ...gains } })
  })
}

// --- limits and drives ----------------------------------------------------------------------------

/**
 * @param {GltfJoint} joint
 * @param {string} path
 * @param {Warnings} warnings
 * @returns {Axes}
 */
function readAxes({ limits = [], drives = [] }, path, warnings) {
  const free = () =>
    Array.from(
      { length: 3 },
      () => /** @type {Axis} */ ({ isLocked: false, limits: null, spring: null, motor: null }),
    )
  /** @type {Axes} */
  const axes = { linear: free(), angular: free(), cone: null, distance: null }
  limits.forEach((limit, i) => readLimit(limit, axes, `${path}/limits/${i}`, warnings))
  drives.forEach((drive, i) => readDrive(drive, axes, `${path}/drives/${i}`, warnings))
  return axes
}

/**
 * @param {GltfLimit} limit
 * @param {Axes} axes
 * @param {string} path
 * @param {Warnings} warnings
 */
function readLimit(limit, axes, path, warnings) {
  const { linearAxes, angularAxes, min, max, stiffness, damping = 0 } = limit
  const list = linearAxes ?? angularAxes ?? []
  if (linearAxes !== undefined && angularAxes !== undefined) {
    warnings.add(`${path}/angularAxes`, 'a limit over linear axes has no angular ones: left out')
  }
  const table = linearAxes === undefined ? axes.angular : axes.linear
  const [lower, upper] = [min ?? -Infinity, max ?? Infinity]
  const isPoint = list.length === 1 ? lower === upper : upper <= 0
  if (stiffness !== undefined && !isPoint) {
    warnings.add(`${path}/stiffness`, 'a limit that gives way is taken as hard')
  }
  if (isPoint && stiffness !== undefined) {
    const spring = { stiffness, dampingCoefficient: damping, rest: list.length === 1 ? lower : 0 }
    if (stiffness > 0 || damping > 0) for (const i of list) table[i].spring = spring
  } else if (list.length === 1) {
    if (lower === 0 && upper === 0) table[list[0]].isLocked = true
    else if (lower > -Infinity || upper < Infinity) table[list[0]].limits = [lower, upper]
  } else if (isPoint) {
    for (const i of list) table[i].isLocked = true
  } else if (linearAxes === undefined && list.length === 2) {
    const axis = 3 - list[0] - list[1]
    axes.cone = { axis, angle: upper }
  } else if (linearAxes !== undefined && list.length === 3) {
    axes.distance = [Math.max(0, lower), upper]
  } else
    warnings.add(
      path,
      `there is no limit over ${list.length} ${linearAxes ? 'linear' : 'angular'} axes: left out`,
    )
}

/**
 * @param {GltfDrive} drive
 * @param {Axes} axes
 * @param {string} path
 * @param {Warnings} warnings
 */
function readDrive(drive, axes, path, warnings) {
  const { type, mode, axis, maxForce = Infinity, stiffness = 0, damping = 0 } = drive
  const target = (type === 'linear' ? axes.linear : axes.angular)[axis]
  if (target === undefined || target.motor !== null || (stiffness === 0 && damping === 0)) {
    warnings.add(path, 'it drives nothing, or what has a drive already: left out')
    return
  }
  target.motor = {
    targetPosition: drive.positionTarget ?? 0,
    targetVelocity: drive.velocityTarget ?? 0,
    ...{ stiffness, dampingCoefficient: damping, maxForce },
    perMass: mode === 'acceleration',
  }
}

/**
 * @param {NonNullable<Axis['motor']>} motor
 * @returns {import('../../index.mjs').JointMotor}
 */
function plainMotor(motor) {
  const { targetPosition, targetVelocity, stiffness, dampingCoefficient, maxForce } = motor
  return { targetPosition, targetVelocity, stiffness, dampingCoefficient, maxForce }
}

// --- which joint it is ----------------------------------------------------------------------------

/**
 * The joint of the engine that has these limits.
 * @param {Axes} axes
 * @param {string} path
 * @param {Warnings} warnings
 * @returns {{ definition: Record<string, unknown>, first: number, isTurned: boolean }} first: the axis that is the joint's; isTurned:
 *   whether its axes are those of its frame
 */
function classify({ linear, angular, cone, distance }, path, warnings) {
  const lockedIn = (/** @type {Axis[]} */ table) => table.filter(({ isLocked }) => isLocked).length
  const isFree = (/** @type {Axis} */ axis) =>
    !axis.isLocked && axis.limits === null && axis.spring === null && axis.motor === null
  const [turns, moves] = [lockedIn(angular), lockedIn(linear)]
  const open = (/** @type {Axis[]} */ table) => table.findIndex(({ isLocked }) => !isLocked)
  const plain = (/** @type {string} */ type, first = 0) => ({
    definition: { type },
    first,
    isTurned: false,
  })
  if (distance !== null) {
    const [least, most] = distance
    const measure = least === most ? { length: least } : { limits: distance }
    const rest = [...linear, ...angular].every(isFree) && cone === null
    if (!rest) warnings.add(path, 'a distance with other limits is taken alone')
    return { ...plain('distance'), definition: { type: 'distance', ...measure } }
  }
  if (moves === 3 && cone !== null) return coneOf(angular, cone, path, warnings)
  if (cone !== null) warnings.add(path, 'a cone of what is not held at a point is left out')
  if (moves === 3 && turns === 3) return plain('fixed')
  if (moves === 3 && angular.every(isFree)) return plain('ball')
  if (moves === 3 && turns === 2) {
    const first = open(angular)
    return { ...plain('hinge', first), definition: { type: 'hinge', ...drivesOf(angular[first]) } }
  }
  if (moves === 2 && turns === 3) {
    const first = open(linear)
    return { ...plain('slider', first), definition: { type: 'slider', ...drivesOf(linear[first]) } }
  }
  const definition = { type: 'sixDof', linear: linear.map(axisOf), angular: angular.map(axisOf) }
  return { definition, first: 0, isTurned: true }
}

/**
 * @param {Axis[]} angular
 * @param {{ axis: number, angle: number }} cone
 * @param {string} path
 * @param {Warnings} warnings
 */
function coneOf(angular, { axis, angle }, path, warnings) {
  const { isLocked, limits } = angular[axis]
  const twist = isLocked ? [0, 0] : limits
  if (angular.some(({ motor, spring }) => motor !== null || spring !== null)) {
    warnings.add(path, 'a joint with a cone has no drives and springs here: left out')
  }
  // Axes are never further apart than half a turn.
  const cone = angle > Math.PI ? Infinity : angle
  const bounds = { cone, ...(twist !== null && { twist }) }
  return { definition: { type: 'ball', limits: bounds }, first: axis, isTurned: false }
}

/**
 * @param {Axis} axis
 * @returns {import('../../types/index.mjs').JointDefinition | Record<string, unknown>}
 */
const drivesOf = ({ limits, spring, motor }) => ({
  ...(limits !== null && { limits }),
  ...(spring !== null && { spring }),
  ...(motor !== null && { motor: plainMotor(motor) }),
})

/** @param {Axis} axis */
function axisOf(axis) {
  if (axis.isLocked) return 'locked'
  const drives = drivesOf(axis)
  return Object.keys(drives).length === 0 ? FREE : drives
}
