// Makes bodies and joints of a mechanism.

import { MoreauError } from '../../core/errors.mjs'
import { compose, pointIn, rotate } from '../rigid.mjs'
import { armatureOf } from './armature.mjs'
import { restFor } from './carriers.mjs'
import { Model } from './model.mjs'
import { nodesOf } from './nodes.mjs'

/** @import { Body, BodyDefinition, Joint, JointDefinition, World } from '../../index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Loop, Mechanism } from './mechanism.mjs' */
/** @import { Node, Place } from './nodes.mjs' */

/**
 * @typedef {object} BuildOptions
 * @property {World} world
 * @property {Frame} base of the file's world in that of the engine
 * @property {Partial<BodyDefinition>} body options of every body
 */

/** Everything that was made, to be taken back where something fails. */
class Making {
  /** @type {Map<Node, Body>} */
  bodies = new Map()
  /** @type {Map<Node, Joint>} */
  joints = new Map()

  /**
   * @param {World} world
   * @param {Frame} base
   */
  constructor(world, base) {
    this.world = world
    this.base = base
  }

  /**
   * Runs a part of the making. What it throws names the place in the file.
   * @template Result
   * @param {string} path
   * @param {() => Result} make
   * @returns {Result}
   */
  at(path, make) {
    try {
      return make()
    } catch (error) {
      // Joints go with their bodies.
      for (const body of this.bodies.values()) body.destroy()
      if (!(error instanceof Error)) throw error
      const code = 'code' in error ? /** @type {MoreauError} */ (error).code : 'invalid-argument'
      throw new MoreauError(code, `${path}: ${error.message}`, { cause: error })
    }
  }
}

/**
 * @param {Mechanism} mechanism
 * @param {BuildOptions} options
 * @param {Warnings} warnings
 * @returns {Model}
 */
export function build(mechanism, { world, base, body }, warnings) {
  const { nodes, places } = nodesOf(mechanism.links, restFor(world.solver), warnings)
  const making = new Making(world, base)
  for (const node of nodes) makeBody(making, node, body)
  for (const node of nodes) makeJoint(making, node)
  for (const node of nodes) keepApart(making, node)
  for (const node of nodes) makeArmature(making, node)
  const loops = mechanism.loops.map((loop) => makeLoop(making, loop, places))
  const model = new Model({ mechanism, nodes, places, loops, making, warnings: warnings.list })
  for (const coupling of mechanism.couplings) {
    making.at(coupling.path, () => model.couple(coupling))
  }
  return model
}

/**
 * Where a node is in the world of the engine, all joints at 0.
 * @param {Node} node
 * @param {Frame} base
 * @returns {Frame}
 */
const placeOf = (node, base) =>
  compose(node.parent === null ? base : placeOf(node.parent, base), node.frame)

/**
 * @param {Making} making
 * @param {Node} node
 * @param {Partial<BodyDefinition>} common
 */
function makeBody(making, node, common) {
  const { inertial, shapes } = node
  const isStatic = node.hold === 'static'
  const definition = {
    ...common,
    ...node.options,
    ...placeOf(node, making.base),
    ...(shapes.length > 0 && { shapes }),
    ...(isStatic && { type: /** @type {const} */ ('static') }),
    ...(!isStatic &&
      inertial !== null && {
        mass: inertial.mass,
        inertia: inertial.inertia,
        centerOfMass: inertial.center,
      }),
  }
  making.bodies.set(
    node,
    making.at(node.path, () => making.world.createBody(definition)),
  )
}

/**
 * @param {Making} making
 * @param {Node} node
 */
function makeJoint(making, node) {
  const { joint, parent, frame } = node
  if (joint === null) return
  const { type, anchor, axis, drives, cone } = joint
  // A joint to the world has its frame A there.
  const inA = parent === null ? compose(making.base, frame) : frame
  const placement = {
    bodyA: parent === null ? null : making.bodies.get(parent),
    bodyB: making.bodies.get(node),
    anchorA: pointIn(inA, anchor),
    anchorB: anchor,
    collideConnected: node.collides,
  }
  const axes = { axisA: rotate(inA.orientation, axis), axisB: axis }
  const definition =
    type === 'fixed'
      ? { ...placement, type }
      : type === 'ball'
        ? { ...placement, type, ...(cone !== null && { ...axes, limits: { cone } }) }
        : { ...placement, type, ...axes, ...drives }
  making.joints.set(
    node,
    making.at(joint.path, () => making.world.createJoint(definition)),
  )
}

/** What leaves a body all six degrees of freedom, and takes its contacts with another one away. */
const APART = /** @type {const} */ ({
  type: 'sixDof',
  linear: ['free', 'free', 'free'],
  angular: ['free', 'free', 'free'],
})

/**
 * @param {Making} making
 * @param {Node} node
 */
function makeArmature(making, node) {
  const { joint, parent } = node
  if (joint === null || joint.armature === undefined) return
  const { armature } = joint
  const isMoved = parent !== null && parent.hold !== 'static'
  const before = isMoved ? /** @type {Body} */ (making.bodies.get(parent)) : null
  const body = /** @type {Body} */ (making.bodies.get(node))
  making.at(joint.path, () =>
    making.world.createConstraint(armatureOf({ ...joint, armature }, before, body)),
  )
}

/**
 * Takes the contacts away between a link and what it is on, where bodies are between them.
 * @param {Making} making
 * @param {Node} node
 */
function keepApart(making, node) {
  let before = node.parent
  while (before !== null && before.isBetween) before = before.parent
  if (before === null || before === node.parent || node.isBetween || node.collides) return
  const [bodyA, bodyB] = [making.bodies.get(before), making.bodies.get(node)]
  making.at(node.path, () => making.world.createJoint({ ...APART, bodyA, bodyB }))
}

/**
 * @param {Making} making
 * @param {Loop} loop
 * @param {readonly Place[]} places
 * @returns {Joint | null} null: both are one body
 */
function makeLoop(making, { path, type, linkA, linkB, anchor }, places) {
  const [a, b] = [places[linkA], places[linkB]]
  if (a.node === b.node) return null
  const point = pointIn(compose(placeOf(a.node, making.base), a.frame), anchor)
  const common = {
    bodyA: making.bodies.get(a.node),
    bodyB: making.bodies.get(b.node),
    anchor: point,
    collideConnected: type !== 'apart',
  }
  const definition = /** @type {JointDefinition} */ (
    type === 'apart' ? { ...common, ...APART } : { ...common, type }
  )
  return making.at(path, () => making.world.createJoint(definition))
}
