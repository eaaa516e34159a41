// What MJCF says of several bodies or joints: equality constraints, excluded contacts, actuators.

import { compose, inverse } from '../rigid.mjs'
import { childrenOf, numberOf, numbersOf, vectorOf } from '../xml/reader.mjs'
import { isLimited } from './joints.mjs'

/** @import { Frame } from '../rigid.mjs' */
/** @import { Coupling, LinkJoint, Loop, Mechanism } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Tree } from './bodies.mjs' */
/** @import { Context } from './context.mjs' */

/**
 * A motor that a program drives: its force or torque is `gear` times what it is told.
 * @typedef {object} Actuator
 * @property {string} joint
 * @property {number} gear
 * @property {[number, number] | null} range of what it is told; null: any
 */

/**
 * Finds links, joints and sites by name.
 * @typedef {object} Names
 * @property {(name: string | undefined) => number} link -1: there is none
 * @property {(name: string | undefined) => LinkJoint | undefined} joint
 * @property {(name: string | undefined) => { link: number, frame: Frame } | undefined} site
 */

/**
 * @param {Tree} tree
 * @returns {Names}
 */
const namesOf = ({ links, frames }) => ({
  link: (name) => links.findIndex((link) => link.name === name),
  joint: (name) => links.flatMap(({ joints }) => joints).find((joint) => joint.name === name),
  site: (name) => frames.find((frame) => frame.name === name),
})

/**
 * @param {Element} root
 * @param {Tree} tree
 * @param {Context} context
 * @returns {Pick<Mechanism, 'loops' | 'couplings'> & { actuators: Record<string, Actuator> }}
 */
export function readRelations(root, tree, context) {
  const names = namesOf(tree)
  const sections = (/** @type {string} */ name) =>
    childrenOf(root, name).flatMap(({ children }) => children)
  /** @type {Loop[]} */
  const loops = []
  /** @type {Coupling[]} */
  const couplings = []
  for (const element of sections('equality')) {
    const equality = context.defaults.apply(element, undefined, 'equality')
    if (equality.attributes.active === 'false') {
      context.warnings.add(equality.path, 'it is not active: left out')
    } else if (equality.name === 'joint') couplings.push(...readCoupling(equality, names, context))
    else loops.push(...readLoop(equality, names, tree, context))
  }
  for (const exclude of sections('contact').filter(({ name }) => name === 'exclude')) {
    loops.push(...readExclude(exclude, names, context))
  }
  /** @type {Record<string, Actuator>} */
  const actuators = {}
  for (const element of sections('actuator')) readActuator(element, names, actuators, context)
  return { loops, couplings, actuators }
}

/**
 * @param {Element} element
 * @param {Names} names
 * @param {Tree} tree
 * @param {Context} context
 * @returns {Loop[]}
 */
function readLoop(element, names, tree, { warnings }) {
  const { name = element.path, body1, body2, site1, site2 } = element.attributes
  const type = element.name === 'connect' ? 'ball' : 'fixed'
  const isKnown = element.name === 'connect' || element.name === 'weld'
  const bySites = site1 === undefined ? undefined : names.site(site1)
  const linkA = bySites?.link ?? names.link(body1)
  const linkB =
    bySites === undefined
      ? body2 === undefined
        ? 0
        : names.link(body2)
      : (names.site(site2)?.link ?? -1)
  if (!isKnown || linkA < 0 || linkB < 0) {
    const message = isKnown
      ? 'its bodies are not there: left out'
      : `<${element.name}> is not taken over`
    warnings.add(element.path, message)
    return []
  }
  const anchor = bySites?.frame.position ?? vectorOf(element, 'anchor', [0, 0, 0], warnings)
  warnOfPoses(element, names, tree, warnings)
  return [{ name, path: element.path, type, linkA, linkB, anchor }]
}

/**
 * Loops are closed where bodies are with all joints at 0: MJCF may want them in another pose.
 * @param {Element} element
 * @param {Names} names
 * @param {Tree} tree
 * @param {Context['warnings']} warnings
 */
function warnOfPoses(element, names, tree, warnings) {
  const { relpose, site1, site2 } = element.attributes
  const placeOf = (/** @type {number} */ index) => {
    const link = tree.links[index]
    /** @type {Frame} */
    const before = link.parent < 0 ? link.frame : compose(placeOf(link.parent), link.frame)
    return before
  }
  const [a, b] = [names.site(site1), names.site(site2)]
  if (a !== undefined && b !== undefined) {
    const gap = compose(
      inverse(compose(placeOf(a.link), a.frame)),
      compose(placeOf(b.link), b.frame),
    )
    if (gap.position.every((x) => Math.abs(x) < CLOSED)) return
    warnings.add(
      element.path,
      'its sites are apart with all joints at 0: it holds them as they are there',
    )
  } else if (relpose !== undefined && !/^\s*0 1 0 0 0 0 0\s*$/.test(relpose)) {
    warnings.add(
      `${element.path}/@relpose`,
      'it holds both bodies as they are with all joints at 0',
    )
  }
}

/** Sites that are no further apart are taken for closed, m: far above the rounding of written numbers. */
const CLOSED = 1e-6

/**
 * @param {Element} element
 * @param {Names} names
 * @param {Context} context
 * @returns {Coupling[]}
 */
function readCoupling(element, names, { warnings }) {
  const { name = element.path, joint1 = '', joint2 } = element.attributes
  const [offset = 0, ratio = 1, ...higher] = numbersOf(element, 'polycoef', 1, warnings) ?? []
  const [first, second] = [names.joint(joint1), names.joint(joint2)]
  const isLinear = higher.every((one) => one === 0) && ratio !== 0
  if (first === undefined || second === undefined || !isLinear) {
    const why = isLinear
      ? 'it couples joints that are not both there'
      : 'only linear couplings are taken over'
    warnings.add(element.path, `${why}: left out`)
    return []
  }
  // MuJoCo's polynomial is of the distances from both references.
  const leads = second.reference
  const constant = first.reference + offset - ratio * leads
  const couples = { follower: first.name, leader: second.name, ratio, offset: constant }
  return [{ name, path: element.path, ...couples }]
}

/**
 * @param {Element} element
 * @param {Names} names
 * @param {Context} context
 * @returns {Loop[]}
 */
function readExclude(element, names, { warnings }) {
  const { name = element.path, body1, body2 } = element.attributes
  const [linkA, linkB] = [names.link(body1), names.link(body2)]
  if (linkA < 0 || linkB < 0) {
    warnings.add(element.path, 'its bodies are not there: left out')
    return []
  }
  return [{ name, path: element.path, type: 'apart', linkA, linkB, anchor: [0, 0, 0] }]
}

// --- actuators ------------------------------------------------------------------------------------

/**
 * Turns servos to positions or speeds into motors of joints, and lists those that a program drives.
 * @param {Element} element
 * @param {Names} names
 * @param {Record<string, Actuator>} actuators
 * @param {Context} context
 */
function readActuator(element, names, actuators, context) {
  const { warnings, defaults } = context
  const actuator = defaults.apply(element, undefined)
  const { joint: jointName, name = element.path } = actuator.attributes
  const joint = names.joint(jointName)
  if (joint === undefined || (joint.type !== 'hinge' && joint.type !== 'slider')) {
    warnings.add(
      element.path,
      `<${element.name}> of other things than a hinge or slider is not taken over`,
    )
    return
  }
  const gear = numbersOf(actuator, 'gear', 1, warnings)?.[0] ?? 1
  const range = rangeOf(actuator, 'ctrlrange', 'ctrllimited', context)
  const force = rangeOf(actuator, 'forcerange', 'forcelimited', context)
  const most = force === null ? Infinity : Math.max(...force.map(Math.abs))
  switch (element.name) {
    case 'motor': {
      const told = range === null ? Infinity : Math.max(...range.map(Math.abs))
      actuators[name] = { joint: joint.name, gear, range }
      const maxForce = Math.abs(gear) * Math.min(most, told)
      if (maxForce < Infinity) joint.data.maxForce = maxForce
      return
    }
    case 'position':
    case 'velocity':
      addServo(actuator, joint, gear, most, context)
      return
    default:
      warnings.add(element.path, `<${element.name}> is not taken over`)
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} limited
 * @param {Context} context
 * @returns {[number, number] | null}
 */
function rangeOf(element, name, limited, context) {
  const range = numbersOf(element, name, 2, context.warnings)
  return range === undefined || !isLimited(element, limited, context) ? null : [range[0], range[1]]
}

/**
 * A servo at rest: told 0.
 * @param {Element} element
 * @param {LinkJoint} joint
 * @param {number} gear
 * @param {number} most N or N m of the actuator
 * @param {Context} context
 */
function addServo(element, joint, gear, most, { warnings }) {
  const isPosition = element.name === 'position'
  const stiffness = isPosition ? numberOf(element, 'kp', 1, warnings) : 0
  const damping = numberOf(element, 'kv', isPosition ? 0 : 1, warnings)
  if (joint.drives.motor !== undefined) {
    warnings.add(element.path, `joint '${joint.name}' has a motor already: left out`)
    return
  }
  joint.drives.motor = {
    targetPosition: 0 - joint.reference,
    stiffness: stiffness * gear * gear,
    dampingCoefficient: damping * gear * gear,
    maxForce: most * Math.abs(gear),
  }
  if (most < Infinity) joint.data.maxForce = most * Math.abs(gear)
}
