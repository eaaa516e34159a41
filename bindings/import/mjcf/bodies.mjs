// The tree of bodies of MJCF.

import { placeInertial, together, turnTensor } from '../inertia.mjs'
import { autoName } from '../names.mjs'
import { compose, ORIGIN, pointIn, rotate, ZERO } from '../rigid.mjs'
import { placeOf, refuse } from '../xml/place.mjs'
import { childOf, numberOf, numbersOf, vectorOf } from '../xml/reader.mjs'
import { readFrame } from './frames.mjs'
import { readGeom } from './geoms.mjs'
import { isFree, readJoint, warnOfFree } from './joints.mjs'

/** @import { BodyDefinition, ShapeDefinition } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Link, LinkFrame } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Context } from './context.mjs' */
/** @import { Geom } from './geoms.mjs' */

/**
 * The tree, as far as it is read.
 * @typedef {object} Tree
 * @property {Link[]} links
 * @property {LinkFrame[]} frames
 * @property {{ shape: ShapeDefinition, bits: Geom['bits'] }[]} colliders
 */

/** A child of a body, with what the frames around it do to it. @typedef {{ element: Element, frame: Frame, childClass: string | undefined }} Placed */

/**
 * @param {Element} element `<worldbody>`
 * @param {Context} context
 * @returns {Promise<Tree>}
 */
export async function readTree(element, context) {
  /** @type {Tree} */
  const tree = { links: [], frames: [], colliders: [] }
  /** Bodies that are still to be read, with their parents, the next one last. @type {{ placed: Placed, parent: number }[]} */
  const open = [{ placed: { element, frame: ORIGIN, childClass: undefined }, parent: -1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const index = tree.links.length
    const bodies = await readBody(next.placed, next.parent, tree, context)
    for (const placed of bodies.reverse()) open.push({ placed, parent: index })
  }
  Object.assign(tree.links[0], { name: 'world', hold: 'static', isScenery: true })
  return tree
}

/**
 * @param {Placed} placed
 * @param {number} parent
 * @param {Tree} tree
 * @param {Context} context
 * @returns {Promise<Placed[]>} the bodies on it
 */
async function readBody({ element, frame: around, childClass: outerClass }, parent, tree, context) {
  const { units, warnings } = context
  const childClass = element.attributes.childclass ?? outerClass
  const children = unframed(element, childClass, context)
  const of = (/** @type {string[]} */ ...names) =>
    children.filter((child) => names.includes(child.element.name))
  const index = tree.links.length
  const { joints, isFreed } = readJoints(parent < 0 ? [] : of('joint', 'freejoint'), context)
  /** @type {Link} */
  const link = {
    name: element.attributes.name ?? autoName(element),
    ...{ place: placeOf(element), parent, hold: isFreed ? 'free' : 'jointed', joints },
    frame: parent < 0 ? ORIGIN : compose(around, readFrame(element, units, warnings)),
    ...{ inertial: null, shapes: [], options: readOptions(element, context) },
    collidesWithWorld: true,
  }
  tree.links.push(link)
  if (element.attributes.mocap === 'true') {
    if (parent !== 0 || isFreed || joints.length > 0) {
      const message = 'a mocap body must be on the world, without joints'
      throw refuse(context.where, element, message)
    }
    link.hold = 'free'
    link.options.type = 'kinematic'
  }
  await readGeoms(of('geom'), link, tree, element, context)
  for (const site of of('site')) {
    const placed = applied(site, context)
    const frame = compose(site.frame, readFrame(placed, units, warnings))
    const name = placed.attributes.name ?? autoName(placed)
    tree.frames.push({ name, place: placeOf(placed), link: index, frame })
  }
  return of('body')
}

/**
 * @param {Placed[]} placed
 * @param {Context} context
 * @returns {{ joints: Link['joints'], isFreed: boolean }}
 */
function readJoints(placed, context) {
  const elements = placed.map((one) => applied(one, context))
  const free = elements.find(isFree)
  if (free === undefined) {
    // The frames around a joint place it in its body.
    const joints = elements.map((element, i) => {
      const joint = readJoint(element, context)
      const { frame } = placed[i]
      return frame === ORIGIN ? joint : moved(joint, frame)
    })
    return { joints, isFreed: false }
  }
  warnOfFree(free, context)
  for (const other of elements) {
    if (other === free) continue
    throw refuse(context.where, other, 'a body with a free joint has no other joint')
  }
  return { joints: [], isFreed: true }
}

/**
 * @param {Link['joints'][number]} joint
 * @param {Frame} frame
 * @returns {Link['joints'][number]} as it is in the frame which that one is given in
 */
const moved = (joint, frame) => ({
  ...joint,
  anchor: pointIn(frame, joint.anchor),
  axis: rotate(frame.orientation, joint.axis),
})

/**
 * Children of a body, those of its `<frame>`s among them.
 * @param {Element} body
 * @param {string | undefined} bodyClass
 * @param {Context} context
 * @returns {Placed[]}
 */
function unframed(body, bodyClass, { units, warnings }) {
  /** @type {Placed[]} */
  const children = []
  /** What is still to be looked at, the next one last. @type {Placed[]} */
  const open = []
  const openAll = (
    /** @type {Element} */ element,
    /** @type {Omit<Placed, 'element'>} */ around,
  ) => {
    for (const child of [...element.children].reverse()) open.push({ element: child, ...around })
  }
  openAll(body, { frame: ORIGIN, childClass: bodyClass })
  for (let placed = open.pop(); placed !== undefined; placed = open.pop()) {
    const { element, frame, childClass } = placed
    if (element.name !== 'frame') {
      children.push(placed)
      continue
    }
    openAll(element, {
      frame: compose(frame, readFrame(element, units, warnings)),
      childClass: element.attributes.childclass ?? childClass,
    })
  }
  return children
}

/**
 * @param {Placed} placed
 * @param {Context} context
 */
const applied = ({ element, childClass }, { defaults }) => defaults.apply(element, childClass)

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {Partial<BodyDefinition>}
 */
function readOptions(element, { warnings }) {
  const compensation = numberOf(element, 'gravcomp', 0, warnings)
  return compensation === 0 ? {} : { gravityScale: 1 - compensation }
}

/**
 * @param {Placed[]} placed
 * @param {Link} link
 * @param {Tree} tree
 * @param {Element} body
 * @param {Context} context
 */
async function readGeoms(placed, link, tree, body, context) {
  /** @type {Inertial[]} */
  const parts = []
  /** @type {Geom[]} */
  const colliders = []
  for (const one of placed) {
    const element = applied(one, context)
    const geom = await readGeom(element, context)
    if (geom === null) continue
    if (geom.inertial !== null && countsForMass(element, context)) {
      parts.push(placeInertial(geom.inertial, one.frame))
    }
    if (geom.shape === null) continue
    const own = /** @type {Frame} */ (/** @type {unknown} */ (geom.shape))
    const shape = { ...geom.shape, ...compose(one.frame, own) }
    link.shapes.push(shape)
    colliders.push(geom)
    tree.colliders.push({ shape, bits: geom.bits })
  }
  link.inertial = readInertial(body, parts, context)
  addSurface(link, colliders, context)
}

/**
 * @param {Element} geom
 * @param {Context} context
 */
function countsForMass(geom, { inertiaGroups, warnings }) {
  const group = numberOf(geom, 'group', 0, warnings)
  return group >= inertiaGroups[0] && group <= inertiaGroups[1]
}

/**
 * Friction against rolling and spinning belongs to whole bodies here.
 * @param {Link} link
 * @param {Geom[]} geoms
 * @param {Context} context
 */
function addSurface(link, geoms, { warnings }) {
  for (const [name, option] of /** @type {const} */ ([
    ['rolling', 'rollingFriction'],
    ['spinning', 'spinningFriction'],
  ])) {
    const most = geoms.reduce((all, geom) => Math.max(all, geom[name]), 0)
    if (most === 0) continue
    link.options[option] = most
    link.options.frictionCombine = 'maximum'
    if (geoms.every((geom) => geom[name] === most)) continue
    warnings.add(link.place, `${name} friction of its geoms differs: all have ${most} m`)
  }
}

/**
 * What `<inertial>` says, or the geoms.
 * @param {Element} body
 * @param {Inertial[]} parts
 * @param {Context} context
 * @returns {Inertial | null}
 */
function readInertial(body, parts, { units, warnings, inertiaFromGeom }) {
  const element = childOf(body, 'inertial')
  if (element === undefined || inertiaFromGeom === 'true') {
    if (element !== undefined) {
      warnings.add(element, 'the compiler has inertiafromgeom="true": not taken over')
    }
    return parts.length === 0 || inertiaFromGeom === 'false' ? null : together(parts)
  }
  const mass = numberOf(element, 'mass', 0, warnings)
  const { orientation } = readFrame(element, units, warnings)
  const center = vectorOf(element, 'pos', ZERO, warnings)
  const [xx, yy, zz, xy = 0, xz = 0, yz = 0] = numbersOf(
    element,
    'fullinertia',
    [6, 6],
    warnings,
  ) ??
    numbersOf(element, 'diaginertia', [3, 3], warnings) ?? [0, 0, 0]
  const tensor = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  const isNothing = mass === 0 && tensor.every((entry) => entry === 0)
  return isNothing ? null : { mass, center, inertia: turnTensor(tensor, orientation) }
}
