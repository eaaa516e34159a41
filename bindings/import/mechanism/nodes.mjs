// From links to bodies-to-be: links that no joint parts are one, and a link on several joints gets a body between each two of them.

import { placeInertial, together } from '../inertia.mjs'
import { unusedName } from '../names.mjs'
import { compose, ORIGIN } from '../rigid.mjs'
import { shareInertia } from './carriers.mjs'

/** @import { BodyDefinition, ShapeDefinition } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Place as FilePlace } from '../xml/place.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Link, LinkJoint } from './mechanism.mjs' */

/**
 * A body-to-be.
 * @typedef {object} Node
 * @property {string} name
 * @property {FilePlace} place
 * @property {Node | null} parent whose frame its own is in; one that floats is not held by it
 * @property {Frame} frame in that of the parent where its joint is at 0; of a root in the world of the file
 * @property {'static' | 'free' | 'jointed'} hold
 * @property {LinkJoint | null} joint to the parent
 * @property {Inertial | null} inertial
 * @property {ShapeDefinition[]} shapes
 * @property {Partial<BodyDefinition>} options
 * @property {boolean} [isScenery] whether it is the scenery, with what is fixed there
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
  const names = new Set(links.map(({ name }) => name))
  const carries = carriersOf(links)
  links.forEach((link, index) => {
    const parent = link.parent < 0 ? null : places[link.parent]
    const isHeld = parent !== null && link.hold === 'jointed'
    const isPart = isHeld && (link.joints.length === 0 || isIdleEnd(link, carries[index], warnings))
    places.push(
      isPart ? joinTo(parent, link, warnings) : standAlone(nodes, parent, link, names, warnings),
    )
  })
  shareInertia(nodes, rest, warnings)
  return { nodes, places }
}

/**
 * @param {readonly Link[]} links
 * @returns {boolean[]} whether there is mass on a link, beyond its own
 */
function carriersOf(links) {
  const carries = links.map(() => false)
  for (let i = links.length - 1; i > 0; i--) {
    const { parent, inertial } = links[i]
    if (parent >= 0 && (inertial !== null || carries[i])) carries[parent] = true
  }
  return carries
}

/**
 * Whether a link has no mass and nothing on it: where its joints bring it changes nothing.
 * @param {Link} link
 * @param {boolean} carries whether there is mass on it
 * @param {Warnings} warnings
 */
function isIdleEnd({ inertial, joints, place }, carries, warnings) {
  const isFixed = joints.every(({ type }) => type === 'fixed')
  if (inertial !== null || (!isFixed && carries)) return false
  if (!isFixed) warnings.add(place, 'no mass moves with its joint: a frame of its parent, fixed')
  return true
}

/**
 * @param {Place} parent
 * @param {Link} link
 * @param {Warnings} warnings
 * @returns {Place}
 */
function joinTo({ node, frame: parentFrame }, link, warnings) {
  const frame = compose(parentFrame, link.frame)
  if (link.inertial !== null) {
    const parts = [placeInertial(link.inertial, frame)]
    node.inertial = together(node.inertial === null ? parts : [node.inertial, ...parts])
    const [own, whole] = [link, node].map(({ options }) => options.gravityScale ?? 1)
    if (own !== whole && node.hold !== 'static') {
      const message = `gravity acts on it as on '${node.name}', which it is a part of: ${whole} times, not ${own}`
      warnings.add(link.place, message)
    }
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
 * @param {Set<string>} names of links and of bodies between joints
 * @param {Warnings} warnings
 * @returns {Place}
 */
function standAlone(nodes, parent, link, names, warnings) {
  const { name, place, hold, joints, inertial, options } = link
  // In MJCF what is on the world collides with what is fixed there.
  const collides = parent?.node.hold === 'static' && link.collidesWithWorld === true
  let before = parent?.node ?? null
  let frame = parent === null ? link.frame : compose(parent.frame, link.frame)
  for (const joint of joints.slice(0, -1)) {
    const own = unusedName(`${name}/${joint.name}`, names)
    names.add(own)
    const between = { name: own, place: joint.place, parent: before, frame }
    const nothing = { inertial: null, shapes: [], options: {}, isBetween: true, collides }
    before = { ...between, hold, joint, ...nothing }
    frame = ORIGIN
    nodes.push(before)
    warnings.add(joint.place, `a body '${own}' is between '${name}' and what it is on`)
  }
  const node = {
    ...{ name, place, parent: before, frame, hold, joint: joints.at(-1) ?? null },
    ...{ inertial, shapes: [...link.shapes], options, isBetween: false, collides },
    ...(link.isScenery === true && { isScenery: true }),
  }
  nodes.push(node)
  return { node, frame: ORIGIN }
}
