// Joints of a world as nodes with limits and drives, or, where these are not all, in the extras of the world.

import { fromPlain } from '../../scene/values.mjs'

/** @import { Body, Joint } from '../../index.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { GltfDrive, GltfJoint, GltfLimit, GltfNode } from './types.mjs' */

/** @typedef {Record<string, any>} Written a joint as a scene has it */

/** What all joints have, and what a limit and a drive say. */
const SAID = new Set([
  ...['type', 'bodyA', 'bodyB', 'anchorA', 'anchorB', 'axisA', 'axisB', 'collideConnected'],
  ...['limits', 'motor', 'drives', 'reference', 'length'],
])
const ALL_AXES = [0, 1, 2]
/** @type {GltfLimit} */
const NO_MOVE = { linearAxes: ALL_AXES, min: 0, max: 0 }
/** @type {GltfLimit} */
const NO_TURN = { angularAxes: ALL_AXES, min: 0, max: 0 }
/** The axis of a joint is x of its frames. @type {GltfLimit} */
const ONE_TURN = { angularAxes: [1, 2], min: 0, max: 0 }
/** @type {GltfLimit} */
const ONE_MOVE = { linearAxes: [1, 2], min: 0, max: 0 }

export class JointWriter {
  /** @type {GltfJoint[]} */
  physicsJoints = []
  /** @type {Record<string, unknown>[]} */
  extras = []
  #nodes
  #roots
  #bodies
  #warnings
  /** How extras name the joints that were written. @type {{ extra?: number, name?: string }[]} */
  #references = []

  /**
   * @param {GltfNode[]} nodes
   * @param {number[]} roots
   * @param {number[]} bodies numbers of their nodes
   * @param {Warnings} warnings
   */
  constructor(nodes, roots, bodies, warnings) {
    this.#nodes = nodes
    this.#roots = roots
    this.#bodies = bodies
    this.#warnings = warnings
  }

  /**
   * @param {Joint} joint
   * @param {Record<string, unknown>} value
   */
  write(joint, value) {
    const index = this.#references.length
    const written = /** @type {Written} */ (fromPlain(value, `world.joints[${index}]`))
    const limits = limitsOf(written)
    const isWhole = limits !== null && isSaid(written)
    const name = `joint-${index}`
    if (limits !== null) this.#writeNodes(written, limits, name, isWhole)
    if (isWhole) {
      this.#references.push({ name })
      return
    }
    if (limits === null) {
      const message = `a joint of type '${joint.type}' is in extras alone: others do not see it`
      this.#warnings.add(`world.joints[${index}]`, message)
    }
    this.#references.push({ extra: this.extras.length })
    this.extras.push(this.#extraOf(value))
  }

  /**
   * @param {Record<string, unknown>} value
   * @returns {Record<string, unknown>} its bodies and joints as the file names them
   */
  #extraOf(value) {
    const named = { ...value }
    for (const name of ['bodyA', 'bodyB']) {
      if (typeof value[name] === 'number') named[name] = this.#bodies[value[name]]
    }
    for (const name of ['jointA', 'jointB']) {
      if (typeof value[name] === 'number') named[name] = this.#references[value[name]]
    }
    return named
  }

  /**
   * @param {Written} written
   * @param {GltfJoint} joint
   * @param {string} name
   * @param {boolean} isWhole
   */
  #writeNodes(written, joint, name, isWhole) {
    const { bodyA, bodyB, anchorA, anchorB, reference, collideConnected = false } = written
    const connectedNode = this.#addNode(bodyB, {
      name: `${name}-b`,
      translation: anchorB,
      rotation: reference.frameB,
    })
    const number = this.physicsJoints.push(joint) - 1
    const physics = { connectedNode, joint: number, enableCollision: collideConnected }
    this.#addNode(bodyA, {
      ...{ name, translation: anchorA, rotation: reference.frameA },
      extensions: { KHR_physics_rigid_bodies: { joint: physics } },
      ...(!isWhole && { extras: { moreau: { jointIsInExtras: true } } }),
    })
  }

  /**
   * @param {number | null} body
   * @param {GltfNode} node
   * @returns {number}
   */
  #addNode(body, node) {
    const number = this.#nodes.push(node) - 1
    const parent = body === null ? null : this.#nodes[this.#bodies[body]]
    if (parent === null) this.#roots.push(number)
    else parent.children = [...(parent.children ?? []), number]
    return number
  }
}

/**
 * Whether limits and drives say all of a joint.
 * @param {Written} written
 */
function isSaid(written) {
  if (Object.keys(written).some((name) => !SAID.has(name))) return false
  const drives = written.drives ?? [written]
  return drives.every((/** @type {Written} */ drive) => {
    const others = Object.keys(drive).filter((name) => !SAID.has(name) && name !== 'locked')
    return (
      others.length === 0 &&
      (drive.motor === undefined || driveOf(drive.motor, 'linear', 0) !== null)
    )
  })
}

/**
 * @param {Written} written
 * @returns {GltfJoint | null} null: there are no such limits
 */
function limitsOf(written) {
  const { type, limits, motor, length, drives = [] } = written
  switch (type) {
    case 'fixed':
      return { limits: [NO_MOVE, NO_TURN] }
    case 'ball':
      return { limits: [NO_MOVE, ...coneOf(drives)] }
    case 'hinge':
      return {
        limits: [NO_MOVE, ONE_TURN, ...limitOf(limits, 'angularAxes', 0)],
        ...drivesOf(motor, 'angular', 0),
      }
    case 'slider':
      return {
        limits: [ONE_MOVE, NO_TURN, ...limitOf(limits, 'linearAxes', 0)],
        ...drivesOf(motor, 'linear', 0),
      }
    case 'distance':
      if (written.drives !== undefined || motor !== undefined) return null
      return {
        limits: [
          { linearAxes: ALL_AXES, ...(limits ? boundsOf(limits) : { min: length, max: length }) },
        ],
      }
    case 'sixDof':
      return sixDofOf(drives)
    default:
      return null
  }
}

/**
 * @param {{ lower?: number, upper?: number }} limits
 * @returns {{ min?: number, max?: number }}
 */
const boundsOf = ({ lower = -Infinity, upper = Infinity }) => ({
  ...(lower > -Infinity && { min: lower }),
  ...(upper < Infinity && { max: upper }),
})

/**
 * @param {{ lower?: number, upper?: number } | undefined} limits
 * @param {'linearAxes' | 'angularAxes'} name
 * @param {number} axis
 * @returns {GltfLimit[]}
 */
const limitOf = (limits, name, axis) =>
  limits === undefined ? [] : [{ [name]: [axis], ...boundsOf(limits) }]

/**
 * @param {Written[]} drives of the angle between the axes, and of the twist
 * @returns {GltfLimit[]}
 */
function coneOf([cone, twist]) {
  if (cone?.limits === undefined && twist?.limits === undefined) return []
  const widest = cone?.limits?.upper ?? Math.PI
  return [{ angularAxes: [1, 2], min: 0, max: widest }, ...limitOf(twist?.limits, 'angularAxes', 0)]
}

/**
 * @param {Written[]} drives
 * @returns {GltfJoint}
 */
function sixDofOf(drives) {
  /** @type {GltfLimit[]} */
  const limits = []
  /** @type {GltfDrive[]} */
  const motors = []
  drives.forEach(({ locked, limits: bounds, motor }, i) => {
    const name = i < 3 ? 'linearAxes' : 'angularAxes'
    const type = i < 3 ? 'linear' : 'angular'
    if (locked) limits.push({ [name]: [i % 3], min: 0, max: 0 })
    else limits.push(...limitOf(bounds, name, i % 3))
    motors.push(...(drivesOf(motor, type, i % 3).drives ?? []))
  })
  return { ...(limits.length > 0 && { limits }), ...(motors.length > 0 && { drives: motors }) }
}

/**
 * @param {Written | undefined} motor
 * @param {'linear' | 'angular'} type
 * @param {number} axis
 * @returns {{ drives?: GltfDrive[] }}
 */
function drivesOf(motor, type, axis) {
  const drive = motor === undefined ? null : driveOf(motor, type, axis)
  return drive === null ? {} : { drives: [drive] }
}

/**
 * @param {Written} motor
 * @param {'linear' | 'angular'} type
 * @param {number} axis
 * @returns {GltfDrive | null} null: it is rigid, or its gains depend on the mass
 */
function driveOf(
  {
    targetPosition,
    targetVelocity = 0,
    stiffness = 0,
    dampingCoefficient = 0,
    maxForce,
    hertz,
    damping,
  },
  type,
  axis,
) {
  const isSoft = stiffness > 0 || dampingCoefficient > 0
  if (!isSoft || targetPosition === undefined || hertz !== undefined || damping !== undefined)
    return null
  return {
    ...{
      type,
      mode: 'force',
      axis,
      positionTarget: targetPosition,
      velocityTarget: targetVelocity,
    },
    ...{ stiffness, damping: dampingCoefficient },
    ...(maxForce !== undefined && maxForce < Infinity && { maxForce }),
  }
}
