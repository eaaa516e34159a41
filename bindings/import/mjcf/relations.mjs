// What MJCF says of several bodies or joints: equality constraints, excluded contacts, actuators.

import { compose, inverse } from '../rigid.mjs'
import { describe } from '../../core/describe.mjs'
import { autoName } from '../names.mjs'
import { placeOf } from '../xml/place.mjs'
import { amountOf, childrenOf, numbersOf, vectorOf, wordOf } from '../xml/reader.mjs'
import { rangeOf } from './joints.mjs'

/** @import { Frame } from '../rigid.mjs' */
/** @import { Coupling, LinkJoint, Loop, Mechanism } from '../mechanism/mechanism.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Tree } from './bodies.mjs' */
/** @import { Place } from '../xml/place.mjs' */
/** @import { Context } from './context.mjs' */

/**
 * A motor that a program drives: its force or torque is `gear` times what it is told.
 * @typedef {object} Actuator
 * @property {string} joint
 * @property {number} gear
 * @property {[number, number] | null} range of what it is told; null: any
 */

/** @typedef {{ name: string, place: Place, actuator: Actuator }} NamedActuator */

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
function namesOf({ links, frames }) {
  const [byLink, byJoint, bySite] = [new Map(), new Map(), new Map()]
  links.forEach(({ name, joints }, i) => {
    byLink.set(name, i)
    for (const joint of joints) byJoint.set(joint.name, joint)
  })
  for (const frame of frames) bySite.set(frame.name, frame)
  return {
    link: (name) => byLink.get(name) ?? -1,
    joint: (name) => byJoint.get(name),
    site: (name) => bySite.get(name),
  }
}

/**
 * @param {Element} root
 * @param {Tree} tree
 * @param {Context} context
 * @returns {Pick<Mechanism, 'loops' | 'couplings'> & { actuators: NamedActuator[] }}
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
    if (wordOf(equality, 'active', ['true', 'false'], context.warnings) === 'false') {
      context.warnings.add(equality, 'it is not active: left out')
    } else if (equality.name === 'joint') couplings.push(...readCoupling(equality, names, context))
    else loops.push(...readLoop(equality, names, tree, context))
  }
  for (const exclude of sections('contact')) {
    loops.push(...readExclude(exclude, names, context))
  }
  /** @type {NamedActuator[]} */
  const actuators = []
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
  const { name = autoName(element), body1, body2, site1, site2 } = element.attributes
  const type = element.name === 'connect' ? 'ball' : 'fixed'
  const bySites = site1 === undefined ? undefined : names.site(site1)
  const linkA = bySites?.link ?? names.link(body1)
  const linkB =
    bySites === undefined
      ? body2 === undefined
        ? 0
        : names.link(body2)
      : (names.site(site2)?.link ?? -1)
  if (linkA < 0 || linkB < 0) {
    warnings.add(element, 'its bodies or sites are not there: left out')
    return []
  }
  const anchor = bySites?.frame.position ?? vectorOf(element, 'anchor', [0, 0, 0], warnings)
  warnOfPoses(element, names, tree, warnings)
  return [{ name, place: placeOf(element), type, linkA, linkB, anchor }]
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
  const frameOf = (/** @type {number} */ index) => {
    let { frame, parent } = tree.links[index]
    for (; parent >= 0; { parent } = tree.links[parent]) {
      frame = compose(tree.links[parent].frame, frame)
    }
    return frame
  }
  const [a, b] = [names.site(site1), names.site(site2)]
  if (a !== undefined && b !== undefined) {
    const gap = compose(
      inverse(compose(frameOf(a.link), a.frame)),
      compose(frameOf(b.link), b.frame),
    )
    if (gap.position.every((x) => Math.abs(x) < CLOSED)) return
    warnings.add(
      element,
      'its sites are apart with all joints at 0: it holds them as they are there',
    )
  } else if (relpose !== undefined && !/^\s*0 1 0 0 0 0 0\s*$/.test(relpose)) {
    warnings.add(element, 'it holds both bodies as they are with all joints at 0', 'relpose')
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
  const { name = autoName(element), joint1, joint2 } = element.attributes
  const [offset = 0, ratio = 1, ...higher] = numbersOf(element, 'polycoef', [1, 5], warnings) ?? []
  const [first, second] = [names.joint(joint1), names.joint(joint2)]
  const isAlone = joint2 === undefined
  const isLinear = isAlone || higher.every((one) => one === 0)
  if (first === undefined || (second === undefined && !isAlone) || !isLinear) {
    const why = isLinear ? 'its joints are not both there' : 'only linear couplings are taken over'
    warnings.add(element, `${why}: left out`)
    return []
  }
  const common = { name, place: placeOf(element), follower: first.name }
  if (second === undefined) {
    return [{ ...common, leader: null, ratio: 0, offset: first.reference + offset }]
  }
  // MuJoCo's polynomial is of the distances from both references.
  const leads = second.reference
  const constant = first.reference + offset - ratio * leads
  return [{ ...common, leader: second.name, ratio, offset: constant }]
}

/**
 * @param {Element} element
 * @param {Names} names
 * @param {Context} context
 * @returns {Loop[]}
 */
function readExclude(element, names, { warnings }) {
  const { name = autoName(element), body1, body2 } = element.attributes
  const [linkA, linkB] = [names.link(body1), names.link(body2)]
  if (linkA < 0 || linkB < 0) {
    warnings.add(element, 'its bodies are not there: left out')
    return []
  }
  return [{ name, place: placeOf(element), type: 'apart', linkA, linkB, anchor: [0, 0, 0] }]
}

// --- actuators ------------------------------------------------------------------------------------

/**
 * Turns servos to positions or speeds into motors of joints, and lists those that a program drives.
 * @param {Element} element
 * @param {Names} names
 * @param {NamedActuator[]} actuators
 * @param {Context} context
 */
function readActuator(element, names, actuators, context) {
  const { warnings, defaults } = context
  const actuator = defaults.apply(element, undefined)
  const { joint: jointName, name = autoName(element) } = actuator.attributes
  const joint = names.joint(jointName)
  if (joint === undefined || (joint.type !== 'hinge' && joint.type !== 'slider')) {
    const message =
      joint === undefined && jointName !== undefined
        ? `there is no joint ${describe(jointName)}: left out`
        : `<${element.name}> of other things than a hinge or slider is not taken over`
    warnings.add(element, message)
    return
  }
  const [gear = 1] = numbersOf(actuator, 'gear', [1, 6], warnings) ?? []
  const range = rangeOf(actuator, 'ctrlrange', 'ctrllimited', context)
  const force = rangeOf(actuator, 'forcerange', 'forcelimited', context)
  const most = force === null ? Infinity : Math.max(...force.map(Math.abs))
  if (force !== null && force[0] !== -force[1]) {
    warnings.add(
      element,
      `it is bounded by ${most} either way, not ${force.join(' ')}`,
      'forcerange',
    )
  }
  switch (element.name) {
    case 'motor': {
      const told = range === null ? Infinity : Math.max(...range.map(Math.abs))
      actuators.push({
        name,
        place: placeOf(element),
        actuator: { joint: joint.name, gear, range },
      })
      const maxForce = Math.abs(gear) * Math.min(most, told)
      if (maxForce < Infinity) joint.data.maxForce = maxForce
      return
    }
    case 'position':
    case 'velocity':
      if (range !== null) warnings.add(element, 'what it is told is not bounded here', 'ctrlrange')
      addServo(actuator, joint, gear, most, context)
  }
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
  const amount = (/** @type {string} */ name, /** @type {number} */ preset) =>
    name in element.attributes ? amountOf(element, name, warnings) : preset
  const stiffness = isPosition ? amount('kp', 1) : 0
  const damping = amount('kv', isPosition ? 0 : 1)
  if (joint.drives.motor !== undefined) {
    warnings.add(element, `joint ${describe(joint.name)} has a motor already: left out`)
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
