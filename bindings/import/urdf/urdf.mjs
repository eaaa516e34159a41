// URDF (ROS' robot description): links and joints, as http://wiki.ros.org/urdf/XML describes them.

import { MoreauError } from '../../core/errors.mjs'
import { readBoolean } from '../../core/arguments.mjs'
import { build } from '../mechanism/build.mjs'
import { refuseTwins } from '../mechanism/twins.mjs'
import { readOptions } from '../options.mjs'
import { parseXml } from '../xml/element.mjs'
import { placeOf, refuse } from '../xml/place.mjs'
import { childOf, childrenOf, Warnings, warnOfOthers } from '../xml/reader.mjs'
import { readMimic, readUrdfJoint } from './joints.mjs'
import { readInertial, readOrigin, readShapes } from './links.mjs'

/** @import { Loading } from '../meshes.mjs' */
/** @import { ImportOptions } from '../options.mjs' */
/** @import { Link, Mechanism } from '../mechanism/mechanism.mjs' */
/** @import { Model } from '../mechanism/model.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings as Book } from '../xml/reader.mjs' */

/**
 * @typedef {object} UrdfOnly
 * @property {boolean} [fixedBase] whether the root link is static; default: if its name is `world`
 */
/** @typedef {ImportOptions & UrdfOnly} UrdfOptions */

/**
 * Makes bodies and joints of a robot described in URDF.
 *
 * A body's frame is the frame of its link. Links without mass become frames of their parents, unless they are between two
 * joints that move. Links that a joint connects do not collide with each other.
 *
 * @param {string} text
 * @param {UrdfOptions} options
 * @returns {Promise<Model>}
 * @throws {MoreauError} `invalid-argument`: it is no XML, no `<robot>`, no tree, has two links or joints of one name, or holds what
 *   no body can have; `callback-failed`: the loader threw. The message names line and place, and the world is as it was
 *
 * @example
 * const robot = await importURDF(text, { world, fixedBase: true })
 * robot.setConfiguration({ shoulder: 0.7 })
 * robot.hold()
 */
export async function importURDF(text, options) {
  const where = 'importURDF'
  const settings = readOptions(options, ['fixedBase'], where)
  const { fixedBase } = settings.own
  if (fixedBase !== undefined) readBoolean(fixedBase, `${where}: fixedBase`)
  const root = parseXml(text, where)
  if (root.name !== 'robot') {
    throw new MoreauError(
      'invalid-argument',
      `${where}: text is no URDF: its root is <${root.name}>`,
    )
  }
  const warnings = new Warnings()
  const mechanism = await readRobot(root, { loader: settings.loader, where, warnings })
  const [base] = mechanism.links
  const isFixed = fixedBase === undefined ? base.name === 'world' : fixedBase === true
  base.hold = isFixed ? 'static' : 'free'
  return build(mechanism, settings, warnings, where)
}

/**
 * @param {Element} root
 * @param {Loading} loading
 * @returns {Promise<Mechanism>}
 */
async function readRobot(root, loading) {
  const { where, warnings } = loading
  const spaces = Object.keys(root.attributes).filter((name) => name.startsWith('xmlns'))
  const attributes = ['name', 'version', ...spaces]
  warnOfOthers(root, { attributes, children: ['link', 'joint', 'material'] }, warnings)
  for (const kind of ['link', 'joint']) refuseTwins(childrenOf(root, kind), kind, where)
  const joints = wholeJoints(root, warnings)
  const elements = inOrder(childrenOf(root, 'link'), joints, where)
  const places = new Map(elements.map(({ link }, i) => [nameOf(link), i]))
  const links = []
  for (const { link, joint } of elements) {
    const parent = joint === null ? -1 : (places.get(endOf(joint, 'parent')) ?? -1)
    links.push(await readLink(link, joint, parent, loading))
  }
  const names = new Set(links.flatMap((one) => one.joints.map(({ name }) => name)))
  const couplings = joints.flatMap((joint) => readMimic(joint, names, warnings))
  return { name: root.attributes.name ?? '', links, frames: [], loops: [], couplings }
}

/** @param {Element} link */
const nameOf = (link) => link.attributes.name ?? link.path

/**
 * @param {Element} element
 * @param {Element | null} joint to its parent
 * @param {number} parent
 * @param {Loading} loading
 * @returns {Promise<Link>}
 */
async function readLink(element, joint, parent, loading) {
  const { warnings } = loading
  const known = { once: ['inertial'], children: ['collision', 'visual'] }
  warnOfOthers(element, { attributes: ['name', 'type'], ...known }, warnings)
  return {
    ...{ name: nameOf(element), place: placeOf(element), parent },
    inertial: readInertial(element, warnings),
    hold: joint?.attributes.type === 'floating' ? 'free' : 'jointed',
    frame: readOrigin(joint, warnings),
    joints: joint === null ? [] : readUrdfJoint(joint, warnings),
    shapes: await readShapes(element, loading),
    options: {},
  }
}

/**
 * @param {Element} joint
 * @param {'parent' | 'child'} end
 */
const endOf = (joint, end) => childOf(joint, end)?.attributes.link ?? ''

/**
 * The joints between two links.
 * @param {Element} root
 * @param {Book} warnings
 */
function wholeJoints(root, warnings) {
  const names = new Set(childrenOf(root, 'link').map(nameOf))
  return childrenOf(root, 'joint').filter((joint) => {
    const missing = ENDS.find((end) => !names.has(endOf(joint, end)))
    if (missing === undefined) return true
    warnings.add(joint, `its ${missing} '${endOf(joint, missing)}' is no link: left out`)
    return false
  })
}

const ENDS = /** @type {const} */ (['parent', 'child'])

/**
 * The links of a tree, parents first, in the order of the file among brothers.
 * @param {Element[]} links
 * @param {Element[]} joints
 * @param {string} where
 * @returns {{ link: Element, joint: Element | null }[]}
 */
function inOrder(links, joints, where) {
  const named = new Map(links.map((link) => [nameOf(link), link]))
  /** @type {Map<Element, Element>} */
  const jointOf = new Map()
  /** @type {Map<string, Element[]>} by the name of the parent */
  const jointsOn = new Map()
  for (const joint of joints) {
    const child = /** @type {Element} */ (named.get(endOf(joint, 'child')))
    if (jointOf.has(child)) {
      throw refuse(where, joint, `link '${child.attributes.name}' has two parents`)
    }
    jointOf.set(child, joint)
    const parent = endOf(joint, 'parent')
    const own = jointsOn.get(parent) ?? []
    own.push(joint)
    jointsOn.set(parent, own)
  }
  const roots = links.filter((link) => !jointOf.has(link))
  if (roots.length !== 1) {
    const names = roots.slice(0, MOST_NAMES).map((link) => `'${nameOf(link)}'`)
    const more = roots.length > MOST_NAMES ? ` and ${roots.length - MOST_NAMES} more` : ''
    const list = names.length === 0 ? 'none' : `${names.join(', ')}${more}`
    const message = `one link must be without a parent; these are: ${list}`
    throw refuse(where, { path: 'robot' }, message)
  }
  const order = roots.map((link) => ({ link, joint: /** @type {Element | null} */ (null) }))
  for (const { link } of order) {
    for (const joint of jointsOn.get(nameOf(link)) ?? []) {
      order.push({ link: /** @type {Element} */ (named.get(endOf(joint, 'child'))), joint })
    }
  }
  if (order.length === links.length) return order
  throw refuse(where, { path: 'robot' }, 'its joints make a circle')
}

/** Names in a message. */
const MOST_NAMES = 10
