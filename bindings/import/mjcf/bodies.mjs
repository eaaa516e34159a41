// The tree of bodies of MJCF.

import { placeInertial, together, turnTensor } from '../inertia.mjs'
import { compose, ORIGIN, ZERO } from '../rigid.mjs'
import { childOf, numberOf, numbersOf, vectorOf } from '../xml/reader.mjs'
import { readFrame } from './frames.mjs'
import { readGeom } from './geoms.mjs'
import { isFree, readJoint } from './joints.mjs'

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
  await readBody({ element, frame: ORIGIN, childClass: undefined }, -1, tree, context)
  tree.links[0].name = 'world'
  tree.links[0].hold = 'static'
  return tree
}

/**
 * @param {Placed} placed
 * @param {number} parent
 * @param {Tree} tree
 * @param {Context} context
 */
async function readBody({ element, frame: around, childClass: outerClass }, parent, tree, context) {
  const { units, warnings } = context
  const childClass = element.attributes.childclass ?? outerClass
  const children = unframed(element, ORIGIN, childClass, context)
  const of = (/** @type {string[]} */ ...names) =>
    children.filter((child) => names.includes(child.element.name))
  const joints = of('joint', 'freejoint').map((one) => applied(one, context))
  const isFreed = joints.some(isFree)
  const index = tree.links.length
  /** @type {Link} */
  const link = {
    name: element.attributes.name ?? element.path,
    ...{ path: element.path, parent, hold: isFreed ? 'free' : 'jointed' },
    frame: compose(around, readFrame(element, units, warnings)),
    joints: isFreed ? [] : joints.map((joint) => readJoint(joint, context)),
    ...{ inertial: null, shapes: [], options: readOptions(element, context) },
    collidesWithWorld: true,
  }
  tree.links.push(link)
  if (element.attributes.mocap === 'true') {
    link.hold = 'free'
    link.options.type = 'kinematic'
  }
  await readGeoms(of('geom'), link, tree, element, context)
  for (const site of of('site')) {
    const placed = applied(site, context)
    const frame = compose(site.frame, readFrame(placed, units, warnings))
    tree.frames.push({ name: placed.attributes.name ?? placed.path, link: index, frame })
  }
  for (const body of of('body')) await readBody(body, index, tree, context)
}

/**
 * Children of a body, those of its `<frame>`s among them.
 * @param {Element} element
 * @param {Frame} frame
 * @param {string | undefined} childClass
 * @param {Context} context
 * @returns {Placed[]}
 */
function unframed(element, frame, childClass, context) {
  return element.children.flatMap((child) => {
    if (child.name !== 'frame') return [{ element: child, frame, childClass }]
    const inner = compose(frame, readFrame(child, context.units, context.warnings))
    return unframed(child, inner, child.attributes.childclass ?? childClass, context)
  })
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
    const numbers = geoms.map((geom) => geom[name])
    const most = Math.max(0, ...numbers)
    if (most === 0) continue
    link.options[option] = most
    link.options.frictionCombine = 'maximum'
    if (numbers.every((one) => one === most)) continue
    warnings.add(link.path, `${name} friction of its geoms differs: all have ${most} m`)
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
    return parts.length === 0 || inertiaFromGeom === 'false' ? null : together(parts)
  }
  const mass = numberOf(element, 'mass', 0, warnings)
  const { orientation } = readFrame(element, units, warnings)
  const center = vectorOf(element, 'pos', ZERO, warnings)
  const [xx, yy, zz, xy = 0, xz = 0, yz = 0] = numbersOf(element, 'fullinertia', 6, warnings) ??
    numbersOf(element, 'diaginertia', 3, warnings) ?? [0, 0, 0]
  const tensor = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  return { mass, center, inertia: turnTensor(tensor, orientation) }
}
