// Makes bodies and joints of a mechanism.

import { describe } from '../../core/describe.mjs'
import { isPositive } from '../inertia.mjs'
import { unusedName } from '../names.mjs'
import { compose, pointIn, rotate } from '../rigid.mjs'
import { transact } from '../transaction.mjs'
import { at, refuse } from '../xml/place.mjs'
import { armatureOf } from './armature.mjs'
import { restFor } from './carriers.mjs'
import { Model } from './model.mjs'
import { nodesOf } from './nodes.mjs'

/** @import { Body, BodyDefinition, Joint, JointDefinition, World } from '../../index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Place as FilePlace } from '../xml/place.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Link, Loop, Mechanism } from './mechanism.mjs' */
/** @import { Node, Place } from './nodes.mjs' */

/**
 * @typedef {object} BuildOptions
 * @property {World} world
 * @property {Frame} base of the file's world in that of the engine
 * @property {Partial<BodyDefinition>} body options of every body
 */

/** What is made, and what of. */
class Making {
  /** @type {Map<Node, Body>} */
  bodies = new Map()
  /** @type {Map<Node, Joint>} */
  joints = new Map()
  /** Where nodes are in the world of the engine, all joints at 0. @type {Map<Node, Frame>} */
  frames = new Map()

  /**
   * @param {BuildOptions} options
   * @param {Warnings} warnings
   * @param {string} where the call
   */
  constructor({ world, base, body }, warnings, where) {
    this.world = world
    this.base = base
    this.common = body
    this.warnings = warnings
    this.where = where
  }

  /**
   * Runs a part of the making. What it throws names the place in the file.
   * @template Result
   * @param {FilePlace} place
   * @param {() => Result} make
   * @returns {Result}
   */
  at(place, make) {
    return at(this.where, place, make)
  }
}

/**
 * @param {Mechanism} mechanism
 * @param {BuildOptions} options
 * @param {Warnings} warnings
 * @param {string} where the call
 * @returns {Model}
 */
export function build(mechanism, options, warnings, where) {
  const { links, frames, loops, couplings } = mechanism
  separate(links, 'link', warnings)
  separate(
    links.flatMap(({ joints }) => joints),
    'joint',
    warnings,
  )
  separate(frames, 'site', warnings)
  separate([...loops.filter(({ type }) => type !== 'apart'), ...couplings], 'equality', warnings)
  filterLinks(links, options.body)
  const { nodes, places } = nodesOf(links, restFor(options.world.solver), warnings)
  const making = new Making(options, warnings, where)
  for (const node of nodes) checkMass(making, node)
  return transact(options.world, () => makeAll(making, mechanism, nodes, places))
}

/**
 * @param {Making} making
 * @param {Mechanism} mechanism
 * @param {Node[]} nodes
 * @param {Place[]} places
 * @returns {Model}
 */
function makeAll(making, mechanism, nodes, places) {
  for (const node of nodes) makeBody(making, node)
  for (const node of nodes) makeJoint(making, node)
  for (const node of nodes) keepApart(making, node)
  for (const node of nodes) makeArmature(making, node)
  const loops = mechanism.loops.map((loop) => makeLoop(making, loop, places))
  const model = new Model({ mechanism, nodes, places, loops, making })
  model.couple(mechanism.couplings, making)
  return model
}

/**
 * Has names that a file does not give, but parts of it get here, be other ones than those of the file.
 * @param {readonly { name: string, place: FilePlace }[]} named
 * @param {string} kind
 * @param {Warnings} warnings
 */
function separate(named, kind, warnings) {
  /** @type {Set<string>} */
  const taken = new Set()
  for (const one of named) {
    const unused = unusedName(one.name, taken)
    if (unused !== one.name) {
      const message = `there is another ${kind} ${describe(one.name)}: it is called ${describe(unused)} here`
      warnings.add(one.place, message)
    }
    one.name = unused
    taken.add(unused)
  }
}

/**
 * The user's filter is of what moves and of what it is on: of all but the scenery. There the file's filters stay.
 * @param {readonly Link[]} links
 * @param {Partial<BodyDefinition>} body
 */
function filterLinks(links, { filter }) {
  if (filter === undefined || !links.some(({ isScenery }) => isScenery === true)) return
  for (const link of links) {
    if (link.isScenery === true) continue
    link.shapes = link.shapes.map((shape) =>
      shape.filter === undefined ? { ...shape, filter } : shape,
    )
  }
}

// --- bodies ---------------------------------------------------------------------------------------

/**
 * Refuses what no body can be, in the words of a file.
 * @param {Making} making
 * @param {Node} node
 */
function checkMass({ where, warnings, common }, node) {
  const { name, place, hold, inertial, shapes, options } = node
  if (hold === 'static' || options.type === 'kinematic') return
  if (inertial === null) {
    if (shapes.length === 0) {
      const remedy = 'give it mass and inertia, or have it stand still (of URDF: fixedBase: true)'
      throw refuse(where, place, `${describe(name)} has no mass, and nothing holds it: ${remedy}`)
    }
    const weight = 'density' in common || 'mass' in common ? 'the option body says' : 'shapes do'
    warnings.add(place, `it has no mass of its own: it weighs what its ${weight}`)
    return
  }
  const { mass, inertia } = inertial
  if (!(mass > 0)) {
    throw refuse(where, place, `mass of ${describe(name)} must be above 0, got ${mass} kg`)
  }
  if (isPositive(inertia)) return
  const isPoint = inertia.every((entry) => entry === 0)
  const what = isPoint ? 'a mass in one point, without inertia' : `inertia ${showTensor(inertia)}`
  const reason = isPoint ? '' : ', which is not positive definite: no body has it'
  const holder = node.joint?.type === 'fixed' ? node.parent?.name : undefined
  const remedy =
    holder === undefined
      ? 'give it the inertia of its shape'
      : `give it the inertia of its shape, or add its mass to ${describe(holder)}, which holds it`
  throw refuse(where, place, `${describe(name)} of ${mass} kg has ${what}${reason}: ${remedy}`)
}

/** @param {readonly number[]} tensor 9 numbers by rows */
function showTensor(tensor) {
  const entries = tensor.map((entry) => String(Number(entry.toPrecision(6))))
  const rows = [0, 3, 6].map((i) => `[${entries.slice(i, i + 3).join(', ')}]`)
  return `[${rows.join(', ')}] kg m²`
}

/**
 * @param {Making} making
 * @param {Node} node
 */
function makeBody(making, node) {
  const { inertial, shapes, parent } = node
  const isStatic = node.hold === 'static'
  const frame = compose(parent === null ? making.base : frameOf(making, parent), node.frame)
  making.frames.set(node, frame)
  const { density, filter, ...common } = making.common
  const definition = {
    ...common,
    // The file's mass is not that of a density.
    ...(density !== undefined && (isStatic || inertial === null) && { density }),
    ...(filter !== undefined && !isScenery(node) && { filter }),
    ...node.options,
    ...frame,
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
    making.at(node.place, () => making.world.createBody(definition)),
  )
}

/** @param {Node} node */
const isScenery = ({ isScenery: is }) => is === true

/**
 * @param {Making} making
 * @param {Node} node whose body is there
 */
const frameOf = ({ frames }, node) => /** @type {Frame} */ (frames.get(node))

// --- joints ---------------------------------------------------------------------------------------

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
    making.at(joint.place, () => making.world.createJoint(definition)),
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
  making.at(joint.place, () =>
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
  making.at(node.place, () => making.world.createJoint({ ...APART, bodyA, bodyB }))
}

/**
 * @param {Making} making
 * @param {Loop} loop
 * @param {readonly Place[]} places
 * @returns {Joint | null} null: both are one body
 */
function makeLoop(making, { place, type, linkA, linkB, anchor }, places) {
  const [a, b] = [places[linkA], places[linkB]]
  if (a.node === b.node) {
    if (type !== 'apart') making.warnings.add(place, 'both of its ends are one body: left out')
    return null
  }
  const point = pointIn(compose(frameOf(making, a.node), a.frame), anchor)
  const common = {
    bodyA: making.bodies.get(a.node),
    bodyB: making.bodies.get(b.node),
    anchor: point,
    collideConnected: type !== 'apart',
  }
  const definition = /** @type {JointDefinition} */ (
    type === 'apart' ? { ...common, ...APART } : { ...common, type }
  )
  return making.at(place, () => making.world.createJoint(definition))
}
