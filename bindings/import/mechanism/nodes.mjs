// From links to bodies-to-be: links that no joint parts are one, and a link on several joints gets a body between each two of them.

import { placeInertial, together } from '../inertia.mjs'
import { compose, ORIGIN } from '../rigid.mjs'
import { shareInertia } from './carriers.mjs'

/** @import { BodyDefinition, ShapeDefinition } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Link, LinkJoint } from './mechanism.mjs' */

/**
 * A body-to-be.
 * @typedef {object} Node
 * @property {string} name
 * @property {string} path
 * @property {Node | null} parent whose frame its own is in; one that floats is not held by it
 * @property {Frame} frame in that of the parent where its joint is at 0; of a root in the world of the file
 * @property {'static' | 'free' | 'jointed'} hold
 * @property {LinkJoint | null} joint to the parent
 * @property {Inertial | null} inertial
 * @property {ShapeDefinition[]} shapes
 * @property {Partial<BodyDefinition>} options
 * @property {boolean} isBetween whether it is no link, but between two joints of one
 * @property {boolean} collides whether it collides with what it is on
 */

/**
 * Where a link ended: its body-to-be, and its frame in that.
 * @typedef {{ node: Node, frame: Frame }} Place
 */

/**
 * @param {readonly Link[]} links parents first
 * @param {number} rest see shareInertia
 * @param {Warnings} warnings
 * @returns {{ nodes: Node[], places: Place[] }} bodies-to-be, parents first; the places of the links
 */
export function nodesOf(links, rest, warnings) {
  /** @type {Node[]} */
  const nodes = []
  /** @type {Place[]} */
  const places = []
  links.forEach((link, index) => {
    const parent = link.parent < 0 ? null : places[link.parent]
    const isHeld = parent !== null && link.hold === 'jointed'
    const isPart = isHeld && (link.joints.length === 0 || isIdleEnd(links, index, warnings))
    places.push(isPart ? joinTo(parent, link) : standAlone(nodes, parent, link, warnings))
  })
  shareInertia(nodes, rest, warnings)
  return { nodes, places }
}

/**
 * Whether a link has no mass and nothing on it: where its joints bring it changes nothing.
 * @param {readonly Link[]} links
 * @param {number} index
 * @param {Warnings} warnings
 */
function isIdleEnd(links, index, warnings) {
  const { inertial, joints, path } = links[index]
  const isFixed = joints.every(({ type }) => type === 'fixed')
  if (inertial !== null || (!isFixed && hasMassBeyond(links, index))) return false
  if (!isFixed) warnings.add(path, 'no mass moves with its joint: a frame of its parent, fixed')
  return true
}

/**
 * @param {readonly Link[]} links
 * @param {number} index
 * @returns {boolean}
 */
function hasMassBeyond(links, index) {
  return links.some(
    (link, i) => link.parent === index && (link.inertial !== null || hasMassBeyond(links, i)),
  )
}

/**
 * @param {Place} parent
 * @param {Link} link
 * @returns {Place}
 */
function joinTo({ node, frame: parentFrame }, link) {
  const frame = compose(parentFrame, link.frame)
  if (link.inertial !== null) {
    const parts = [placeInertial(link.inertial, frame)]
    node.inertial = together(node.inertial === null ? parts : [node.inertial, ...parts])
  }
  node.shapes.push(...link.shapes.map((shape) => placeShape(shape, frame)))
  for (const name of /** @type {const} */ (['rollingFriction', 'spinningFriction'])) {
    const most = Math.max(node.options[name] ?? 0, link.options[name] ?? 0)
    if (most > 0) node.options = { ...node.options, [name]: most, frictionCombine: 'maximum' }
  }
  return { node, frame }
}

/**
 * @param {ShapeDefinition} shape
 * @param {Frame} frame
 * @returns {ShapeDefinition}
 */
export function placeShape(shape, frame) {
  const own = /** @type {Frame} */ ({
    position: shape.position ?? ORIGIN.position,
    orientation: shape.orientation ?? ORIGIN.orientation,
  })
  return { ...shape, ...compose(frame, own) }
}

/**
 * The bodies of a link on joints: one per joint, the last of which is the link itself.
 * @param {Node[]} nodes
 * @param {Place | null} parent
 * @param {Link} link
 * @param {Warnings} warnings
 * @returns {Place}
 */
function standAlone(nodes, parent, link, warnings) {
  const { name, path, hold, joints, inertial, options } = link
  // In MJCF what is on the world collides with what is fixed there.
  const collides = parent?.node.hold === 'static' && link.collidesWithWorld === true
  let before = parent?.node ?? null
  let frame = parent === null ? link.frame : compose(parent.frame, link.frame)
  for (const joint of joints.slice(0, -1)) {
    const between = { name: `${name}/${joint.name}`, path: joint.path, parent: before, frame }
    const nothing = { inertial: null, shapes: [], options: {}, isBetween: true, collides }
    before = { ...between, hold, joint, ...nothing }
    frame = ORIGIN
    nodes.push(before)
    warnings.add(joint.path, `a body '${before.name}' is between '${name}' and what it is on`)
  }
  const node = {
    ...{ name, path, parent: before, frame, hold, joint: joints.at(-1) ?? null },
    ...{ inertial, shapes: [...link.shapes], options, isBetween: false, collides },
  }
  nodes.push(node)
  return { node, frame: ORIGIN }
}
