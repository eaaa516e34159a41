// Bodies without mass of their own, between two joints: a link on several joints has them, and some files name such links. The
// engine moves bodies with mass only, so their neighbours give them some, such that the mechanism moves as if they had not:
// a mass on the axis of a hinge, and inertia that is the same about all axes across it, act alike on either side of the hinge. These
// are the regrouping rules of base inertial parameters (Gautier and Khalil 1990, Direct calculation of minimum set of inertial
// parameters of serial robots). Across a slider the whole inertia does, but no mass; across a ball the mass, but no inertia.

import {
  diagonal,
  isPositive,
  placeInertial,
  pointInertia,
  sum,
  times,
  together,
  turnTensor,
} from '../inertia.mjs'
import { dot, pointIn, scale, subtract, turnBack, unit } from '../rigid.mjs'

/** @import { Inertial, Matrix } from '../inertia.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Node } from './nodes.mjs' */

/**
 * The part of its mass and inertia that a neighbour offers at first; it is halved until what stays is at least half of what was there
 * in every direction, so that neither side becomes badly conditioned.
 */
const OFFER = 0.25
const HALVINGS = 12
/**
 * What a body without mass is given where its neighbours cannot give it all, as a part of what is on it: accelerations change by
 * about as much. The exact solvers lose no more digits than double precision has left then. Solvers that iterate carry little of a
 * joint's damping through a body that is so light: a percent is as much as they are right to.
 */
const REST_EXACT = 1e-9
const REST_ITERATED = 1e-2
const EXACT = new Set(['exact', 'bilateral', 'active-set', 'cone'])

/** @param {string} solver of the world */
export const restFor = (solver) => (EXACT.has(solver) ? REST_EXACT : REST_ITERATED)

/**
 * Gives mass to the nodes that have none.
 * @param {readonly Node[]} nodes parents first
 * @param {number} rest part of what is on a node that it is given where its neighbours cannot
 * @param {Warnings} warnings
 */
export function shareInertia(nodes, rest, warnings) {
  const needy = nodes.filter((node) => node.inertial === null && node.hold === 'jointed')
  if (needy.length === 0) return
  const children = childrenOf(nodes)
  for (const node of [...needy].reverse()) takeFromChild(node, children)
  const carried = massesBeyond(nodes)
  for (const node of needy) takeFromParent(node, carried)
  const left = massesBeyond(nodes)
  for (const node of needy) addRest(node, left, rest, warnings)
}

/** What each node carries. @typedef {Map<Node, Inertial>} Carried */

/**
 * @param {readonly Node[]} nodes
 * @returns {Map<Node, Node[]>}
 */
function childrenOf(nodes) {
  /** @type {Map<Node, Node[]>} */
  const children = new Map()
  for (const node of nodes) {
    if (node.parent === null) continue
    const own = children.get(node.parent) ?? []
    own.push(node)
    children.set(node.parent, own)
  }
  return children
}

/**
 * @param {Node} node
 * @param {Map<Node, Node[]>} children
 */
function takeFromChild(node, children) {
  const child = children.get(node)?.find(({ inertial }) => inertial !== null)
  if (!child?.joint || !child.inertial) return
  const point = givesMass(child) ? takePoint(child.inertial, child.joint.anchor) : null
  if (point !== null) child.inertial = point.left
  const spin = takeTensor(child.inertial, freeTensor(child))
  child.inertial = spin.left
  node.inertial = {
    mass: point?.taken ?? 0,
    center: pointIn(child.frame, child.joint.anchor),
    inertia: turnTensor(spin.taken, child.frame.orientation),
  }
}

/**
 * @param {Node} node
 * @param {Carried} carried
 */
function takeFromParent(node, carried) {
  const { parent, frame } = node
  if (node.inertial === null) return
  const tensor = freeTensor(node)
  if (parent === null || parent.hold === 'static') {
    // What does not move gives what one wants.
    const size = (OFFER * trace(massBeyond(node, carried).inertia)) / 3
    node.inertial.inertia = sum(node.inertial.inertia, times(tensor, size))
    return
  }
  if (parent.inertial === null) return
  const spin = takeTensor(parent.inertial, turnTensor(tensor, frame.orientation))
  parent.inertial = spin.left
  const taken = turnTensor(spin.taken, turnBack(frame.orientation))
  node.inertial.inertia = sum(node.inertial.inertia, taken)
}

/**
 * Adds what makes a node's mass and inertia positive where they are not.
 * @param {Node} node
 * @param {Carried} carried
 * @param {number} rest
 * @param {Warnings} warnings
 */
function addRest(node, carried, rest, warnings) {
  const beyond = massBeyond(node, carried)
  const { mass, center, inertia } = node.inertial ?? {
    ...beyond,
    mass: 0,
    inertia: diagonal(0, 0, 0),
  }
  const spin = rest * trace(beyond.inertia)
  const isWhole = isPositive(sum(inertia, diagonal(-spin, -spin, -spin)))
  node.inertial = {
    mass: mass > 0 ? mass : rest * beyond.mass,
    center,
    inertia: isWhole ? inertia : sum(inertia, diagonal(spin, spin, spin)),
  }
  if (isWhole && mass > 0) return
  warnings.add(
    node.place,
    `'${node.name}' has no mass of its own: it gets ${rest} of what is on it`,
  )
}

/**
 * What is on each node, in the node's frame about its own centre. What floats is on nothing.
 * @param {readonly Node[]} nodes parents first
 * @returns {Carried}
 */
function massesBeyond(nodes) {
  /** @type {Map<Node, Inertial[]>} */
  const parts = new Map(nodes.map((node) => [node, []]))
  /** @type {Carried} */
  const carried = new Map()
  for (const node of [...nodes].reverse()) {
    const beyond = together(parts.get(node) ?? [])
    carried.set(node, beyond)
    if (node.parent === null || node.hold === 'free') continue
    const whole = node.inertial === null ? beyond : together([node.inertial, beyond])
    parts.get(node.parent)?.push(placeInertial(whole, node.frame))
  }
  return carried
}

/**
 * What is on a node, in its frame, its inertia about the node's joint.
 * @param {Node} node
 * @param {Carried} carried
 * @returns {Inertial}
 */
function massBeyond(node, carried) {
  const all = carried.get(node) ?? together([])
  const arm = subtract(all.center, node.joint?.anchor ?? all.center)
  return { ...all, inertia: sum(all.inertia, times(pointInertia(arm), all.mass)) }
}

/** @param {Matrix} a */
const trace = (a) => a[0] + a[4] + a[8]

/** @param {Node} node */
const givesMass = ({ joint }) => joint?.type === 'hinge' || joint?.type === 'ball'

/**
 * Inertia that acts alike on both sides of a node's joint, in the node's frame.
 * @param {Node} node
 * @returns {Matrix}
 */
function freeTensor({ joint }) {
  if (joint?.type === 'hinge') return pointInertia(unit(joint.axis))
  return joint?.type === 'slider' ? diagonal(1, 1, 1) : diagonal(0, 0, 0)
}

/**
 * Takes a mass at a point out of a body.
 * @param {Inertial} from
 * @param {import('../../types/index.mjs').Vector} point
 * @returns {{ taken: number, left: Inertial } | null}
 */
function takePoint(from, point) {
  const half = times(from.inertia, -0.5)
  for (let part = OFFER, i = 0; i < HALVINGS; part /= 2, i++) {
    const taken = part * from.mass
    const mass = from.mass - taken
    const moment = subtract(scale(from.center, from.mass), scale(point, taken))
    const arm = subtract(from.center, point)
    const lost = times(pointInertia(arm), (-taken * from.mass) / mass)
    const inertia = sum(from.inertia, lost)
    // A point at the centre takes no inertia along.
    const stays = dot(arm, arm) === 0 || isPositive(sum(inertia, half))
    if (stays) return { taken, left: { mass, center: scale(moment, 1 / mass), inertia } }
  }
  return null
}

/**
 * Takes a multiple of a tensor out of a body's inertia.
 * @param {Inertial} from
 * @param {Matrix} tensor
 * @returns {{ taken: Matrix, left: Inertial }}
 */
function takeTensor(from, tensor) {
  const half = times(from.inertia, -0.5)
  for (let part = OFFER, i = 0; i < HALVINGS; part /= 2, i++) {
    const taken = times(tensor, (part * trace(from.inertia)) / 3)
    const inertia = sum(from.inertia, times(taken, -1))
    if (isPositive(sum(inertia, half))) return { taken, left: { ...from, inertia } }
  }
  return { taken: diagonal(0, 0, 0), left: from }
}
