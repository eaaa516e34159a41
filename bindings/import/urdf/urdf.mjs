// URDF (ROS' robot description): links and joints, as http://wiki.ros.org/urdf/XML describes them.

import { MoreauError } from '../../core/errors.mjs'
import { build } from '../mechanism/build.mjs'
import { readOptions } from '../options.mjs'
import { parseXml } from '../xml/element.mjs'
import { childOf, childrenOf, Warnings, warnOfOthers } from '../xml/reader.mjs'
import { readMimic, readUrdfJoint } from './joints.mjs'
import { readInertial, readOrigin, readShapes } from './links.mjs'

/** @import { ImportOptions } from '../options.mjs' */
/** @import { Link, Mechanism } from '../mechanism/mechanism.mjs' */
/** @import { Model } from '../mechanism/model.mjs' */
/** @import { Element } from '../xml/element.mjs' */

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
 * @throws {MoreauError} `invalid-argument`: it is no XML, no `<robot>`, no tree, or holds what no body can have; the message names
 *   the place, and the world is as it was
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
  const root = await parseXml(text, where)
  if (root.name !== 'robot') {
    throw new MoreauError(
      'invalid-argument',
      `${where}: text is no URDF: its root is <${root.name}>`,
    )
  }
  const warnings = new Warnings()
  const mechanism = await readRobot(root, settings.loader, warnings, where)
  const [base] = mechanism.links
  const isFixed = fixedBase === undefined ? base.name === 'world' : fixedBase === true
  base.hold = isFixed ? 'static' : 'free'
  return build(mechanism, settings, warnings)
}

/**
 * @param {Element} root
 * @param {ImportOptions['loader']} loader
 * @param {Warnings} warnings
 * @param {string} where
 * @returns {Promise<Mechanism>}
 */
async function readRobot(root, loader, warnings, where) {
  warnOfOthers(
    root,
    { attributes: ['name', 'version', 'xmlns:xacro'], children: ['link', 'joint', 'material'] },
    warnings,
  )
  const joints = wholeJoints(root, warnings)
  const elements = inOrder(childrenOf(root, 'link'), joints, where)
  const places = new Map(elements.map(({ link }, i) => [link.attributes.name, i]))
  const links = []
  for (const { link, joint } of elements) {
    const parent = joint === null ? -1 : (places.get(endOf(joint, 'parent')) ?? -1)
    links.push(await readLink(link, joint, parent, loader, warnings))
  }
  const names = new Set(links.flatMap((one) => one.joints.map(({ name }) => name)))
  const couplings = joints.flatMap((joint) => readMimic(joint, names, warnings))
  return { name: root.attributes.name ?? '', links, frames: [], loops: [], couplings }
}

/**
 * @param {Element} element
 * @param {Element | null} joint to its parent
 * @param {number} parent
 * @param {ImportOptions['loader']} loader
 * @param {Warnings} warnings
 * @returns {Promise<Link>}
 */
async function readLink(element, joint, parent, loader, warnings) {
  const known = ['inertial', 'collision', 'visual']
  warnOfOthers(element, { attributes: ['name', 'type'], children: known }, warnings)
  const inertial = readInertial(element, warnings)
  const link = /** @type {Link} */ ({
    ...{ name: element.attributes.name, path: element.path, parent, inertial },
    hold: joint?.attributes.type === 'floating' ? 'free' : 'jointed',
    frame: readOrigin(joint, warnings),
    joints: joint === null ? [] : readUrdfJoint(joint, warnings),
    shapes: await readShapes(element, loader, warnings),
    options: {},
  })
  // What a fixed joint holds is one body with its parent where it adds no mass.
  if (inertial === null && link.joints.every(({ type }) => type === 'fixed')) link.joints = []
  return link
}

/**
 * @param {Element} joint
 * @param {'parent' | 'child'} end
 */
const endOf = (joint, end) => childOf(joint, end)?.attributes.link ?? ''

/**
 * The joints between two links.
 * @param {Element} root
 * @param {Warnings} warnings
 */
function wholeJoints(root, warnings) {
  const names = new Set(childrenOf(root, 'link').map(({ attributes }) => attributes.name))
  return childrenOf(root, 'joint').filter((joint) => {
    const missing = ENDS.find((end) => !names.has(endOf(joint, end)))
    if (missing === undefined) return true
    warnings.add(joint.path, `its ${missing} '${endOf(joint, missing)}' is no link: left out`)
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
  const named = new Map(links.map((link) => [link.attributes.name, link]))
  /** @type {(path: string, message: string) => MoreauError} */
  const refuse = (path, message) =>
    new MoreauError('invalid-argument', `${where}: ${path}: ${message}`)
  /** @type {Map<Element, Element>} */
  const jointOf = new Map()
  for (const joint of joints) {
    const child = /** @type {Element} */ (named.get(endOf(joint, 'child')))
    if (jointOf.has(child))
      throw refuse(joint.path, `link '${child.attributes.name}' has two parents`)
    jointOf.set(child, joint)
  }
  const roots = links.filter((link) => !jointOf.has(link))
  if (roots.length !== 1) {
    const names = roots.map((link) => `'${link.attributes.name}'`).join(', ')
    throw refuse('robot', `one link must be without a parent; these are: ${names || 'none'}`)
  }
  const order = roots.map((link) => ({ link, joint: /** @type {Element | null} */ (null) }))
  for (const { link } of order) {
    const own = joints.filter((joint) => endOf(joint, 'parent') === link.attributes.name)
    for (const joint of own) {
      order.push({ link: /** @type {Element} */ (named.get(endOf(joint, 'child'))), joint })
    }
  }
  if (order.length === links.length) return order
  throw refuse('robot', 'its joints make a circle')
}
