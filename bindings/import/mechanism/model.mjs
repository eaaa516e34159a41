import { MoreauError } from '../../core/errors.mjs'
import { compose, NO_TURN, pointIn, rotate, scale, subtract, unit, ZERO } from '../rigid.mjs'
import { AT_REST, movedBy, turnBetween, twistAt, twistOf } from './motion.mjs'

/** @import { Body, Joint } from '../../index.mjs' */
/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { ImportWarning } from '../xml/reader.mjs' */
/** @import { Coupling, JointData, Mechanism } from './mechanism.mjs' */
/** @import { Coordinate, Rate, Twist } from './motion.mjs' */
/** @import { Node, Place } from './nodes.mjs' */

/**
 * A named frame on a body.
 * @typedef {object} ModelFrame
 * @property {Body} body
 * @property {Vector} position in the body's frame, metres
 * @property {Quaternion} orientation in the body's frame
 */

/**
 * A link of the file: its frame on the body that carries it, and mass, centre of mass and inertia as the file has them.
 * @typedef {object} LinkOnly
 * @property {number} mass kg; 0 where it has none
 * @property {Vector} centerOfMass metres, in the link's frame
 * @property {number[]} inertia kg m², 9 numbers by rows about the centre of mass in the link's axes
 */
/** @typedef {ModelFrame & LinkOnly} ModelLink */

/** @typedef {import('../../index.mjs').JointMotor} JointMotor */

/**
 * What was read of a robot: its bodies, joints and frames by the names of the file. Made by `importURDF` and `importMJCF`.
 */
export class Model {
  #nodes
  #base
  #bodyOf
  #jointOf

  /**
   * Its name in the file.
   * @type {string}
   */
  name

  /**
   * By the names of links. Links that no joint parts share one; a link on several joints has one more, `link/joint`, for each
   * joint but the last.
   * @type {Record<string, Body>}
   */
  bodies = {}

  /**
   * By name. Their coordinates are 0 where the file has its joints at 0, or in MJCF at `ref`.
   * @type {Record<string, Joint>}
   */
  joints = {}

  /**
   * What the file says of joints beside what the engine holds to.
   * @type {Record<string, JointData>}
   */
  jointData = {}

  /**
   * Motors of MJCF that a program drives: `applyForce(joint, gear * control)` is what they do.
   * @type {Record<string, import('../mjcf/relations.mjs').Actuator>}
   */
  actuators = {}

  /**
   * Named frames on bodies: sites, and links without a body of their own.
   * @type {Record<string, ModelFrame>}
   */
  frames = {}

  /**
   * All links.
   * @type {Record<string, ModelLink>}
   */
  links = {}

  /**
   * What was not taken over, or not as it is written, with its place in the file.
   * @type {readonly ImportWarning[]}
   */
  warnings

  /**
   * @param {object} parts
   * @param {Mechanism} parts.mechanism
   * @param {Node[]} parts.nodes
   * @param {Place[]} parts.places
   * @param {(Joint | null)[]} parts.loops
   * @param {{ base: Frame, bodies: Map<Node, Body>, joints: Map<Node, Joint> }} parts.making
   * @param {ImportWarning[]} parts.warnings
   */
  constructor({ mechanism, nodes, places, loops, making, warnings }) {
    this.name = mechanism.name
    this.warnings = warnings
    this.#nodes = nodes
    this.#base = making.base
    this.#bodyOf = (/** @type {Node} */ node) => /** @type {Body} */ (making.bodies.get(node))
    this.#jointOf = (/** @type {Node} */ node) => /** @type {Joint} */ (making.joints.get(node))
    for (const node of nodes) {
      this.bodies[node.name] = this.#bodyOf(node)
      if (node.joint === null) continue
      this.joints[node.joint.name] = this.#jointOf(node)
      this.jointData[node.joint.name] = node.joint.data
    }
    mechanism.links.forEach((link, i) => this.#addLink(link, places[i]))
    for (const { name, link, frame } of mechanism.frames) {
      const place = places[link]
      const { position, orientation } = compose(place.frame, frame)
      this.frames[name] = { body: this.#bodyOf(place.node), position, orientation }
    }
    mechanism.loops.forEach(({ name }, i) => {
      const joint = loops[i]
      if (joint !== null) this.joints[name] = joint
    })
  }

  /**
   * @param {import('./mechanism.mjs').Link} link
   * @param {Place} place
   */
  #addLink({ name, inertial }, { node, frame }) {
    const body = this.#bodyOf(node)
    const { position, orientation } = frame
    this.bodies[name] = body
    if (node.name !== name) this.frames[name] = { body, position, orientation }
    const { mass, center, inertia } = inertial ?? { mass: 0, center: ZERO, inertia: ZEROS }
    const own = { mass, centerOfMass: center, inertia: [...inertia] }
    this.links[name] = { body, position, orientation, ...own }
  }

  /** @returns {number} kg: the sum of all links, those that cannot move too */
  get mass() {
    return Object.values(this.links).reduce((all, link) => all + link.mass, 0)
  }

  /**
   * Where a frame or a link is.
   * @param {string} name
   * @returns {{ position: Vector, orientation: Quaternion }} world
   * @throws {MoreauError} `invalid-argument`: there is none of that name
   */
  frame(name) {
    const found = this.frames[name] ?? this.links[name]
    if (found === undefined) throw unknown('frame: name', name, [this.frames, this.links])
    return compose(poseOf(found.body), found)
  }

  /**
   * Moves the bodies to where joints have given coordinates, as the file counts them, and gives them the velocities of given rates.
   * Joints that are left out keep their coordinates, and rates of 0; roots stay where they are.
   *
   * @param {Record<string, Coordinate>} coordinates by name of the joint: rad, m, or of a ball a quaternion
   * @param {Record<string, Rate>} [rates] rad/s, m/s, or of a ball the angular velocity in the frame of its link
   * @throws {MoreauError} `invalid-argument`: there is no such joint in the tree
   */
  setConfiguration(coordinates, rates = {}) {
    const inTree = new Set(this.#nodes.map(({ joint }) => joint?.name))
    for (const name of [...Object.keys(coordinates), ...Object.keys(rates)]) {
      if (!inTree.has(name)) throw unknown('setConfiguration: joint', name, [this.joints])
    }
    /** @type {Map<Node, { frame: Frame, twist: Twist }>} */
    const done = new Map()
    for (const node of this.#nodes) {
      const before = node.parent === null ? null : done.get(node.parent)
      done.set(node, this.#place(node, before ?? null, coordinates, rates))
    }
    for (const [node, { frame, twist }] of done) {
      if (node.joint !== null && node.hold !== 'static') put(this.#bodyOf(node), frame, twist)
    }
  }

  /**
   * @param {Node} node
   * @param {{ frame: Frame, twist: Twist } | null} before what it is on
   * @param {Record<string, Coordinate>} coordinates
   * @param {Record<string, Rate>} rates
   * @returns {{ frame: Frame, twist: Twist }}
   */
  #place(node, before, coordinates, rates) {
    const { joint } = node
    const body = this.#bodyOf(node)
    const pose = poseOf(body)
    if (joint === null) return { frame: pose, twist: twistOfBody(body) }
    const start = compose(before?.frame ?? this.#base, node.frame)
    if (joint.type === 'fixed') {
      const arm = rotate(before?.frame.orientation ?? NO_TURN, node.frame.position)
      return { frame: start, twist: twistAt(before?.twist ?? AT_REST, arm) }
    }
    const given = coordinates[joint.name]
    const value = given === undefined ? this.#coordinate(node) : fromFile(given, joint.reference)
    const frame = compose(start, movedBy(joint, value))
    const base = before ?? { frame: start, twist: AT_REST }
    const rate = rates[joint.name] ?? 0
    return { frame, twist: twistOf(joint, rate, base.frame, base.twist, frame) }
  }

  /**
   * @param {Node} node
   * @returns {Coordinate} from 0 on
   */
  #coordinate(node) {
    const joint = this.#jointOf(node)
    if (joint.type !== 'ball') return joint.coordinate
    const before = node.parent === null ? this.#base : poseOf(this.#bodyOf(node.parent))
    return turnBetween(compose(before, node.frame), poseOf(this.#bodyOf(node)))
  }

  /**
   * Has the joints that the file gives an effort or force hold where they are: each gets a motor to its coordinate of now, of at most
   * that force.
   * @param {Pick<JointMotor, 'hertz' | 'damping' | 'stiffness' | 'dampingCoefficient'>} [gains] default: rigid
   */
  hold(gains = {}) {
    for (const [name, { maxForce }] of Object.entries(this.jointData)) {
      const joint = this.joints[name]
      if (maxForce === undefined || (joint.type !== 'hinge' && joint.type !== 'slider')) continue
      joint.motor = { targetPosition: joint.coordinate, maxForce, ...gains }
    }
  }

  /**
   * Adds a force along a joint for the next step, as a motor that is no part of the joint does: on its link, and against what that is
   * on.
   * @param {string} name of a hinge or a slider
   * @param {number} force N m, or N of a slider
   */
  applyForce(name, force) {
    const node = this.#nodes.find(({ joint }) => joint?.name === name)
    if (node?.joint?.type !== 'hinge' && node?.joint?.type !== 'slider') {
      throw unknown('applyForce: joint', name, [this.joints])
    }
    const body = this.#bodyOf(node)
    const along = scale(unit(rotate(body.orientation, node.joint.axis)), force)
    const back = scale(along, -1)
    const before = node.parent === null ? null : this.#bodyOf(node.parent)
    if (node.joint.type === 'hinge') {
      body.applyTorque(along)
      before?.applyTorque(back)
      return
    }
    const point = pointIn(poseOf(body), node.joint.anchor)
    body.applyForce(along, point)
    before?.applyForce(back, point)
  }

  /** Removes all of its bodies, and with them its joints. */
  destroy() {
    for (const node of this.#nodes) if (this.#bodyOf(node).isAlive) this.#bodyOf(node).destroy()
  }

  /**
   * Brings a joint to where it follows another one, and couples them.
   * @internal
   * @param {Coupling} coupling
   */
  couple({ name, follower, leader, ratio, offset }) {
    const [first, second] = [this.joints[follower], this.joints[leader]]
    this.setConfiguration({ [follower]: offset + ratio * this.#fileValue(leader) })
    const world = first.world
    this.joints[name] = world.createJoint({
      ...{ type: 'gear', jointA: first, jointB: second, ratio: -ratio },
    })
  }

  /** @param {string} name of a joint */
  #fileValue(name) {
    const node = this.#nodes.find(({ joint }) => joint?.name === name)
    return this.joints[name].coordinate + (node?.joint?.reference ?? 0)
  }
}

const ZEROS = Object.freeze(Array(9).fill(0))

/**
 * @param {Coordinate} value
 * @param {number} reference
 * @returns {Coordinate}
 */
const fromFile = (value, reference) => (typeof value === 'number' ? value - reference : value)

/**
 * @param {Body} body
 * @returns {Frame}
 */
const poseOf = ({ position, orientation }) => ({
  position: [...position],
  orientation: [...orientation],
})

/**
 * @param {Body} body
 * @returns {Twist} of its origin
 */
function twistOfBody(body) {
  const arm = subtract(body.position, body.worldCenterOfMass)
  return twistAt({ linear: body.linearVelocity, angular: body.angularVelocity }, arm)
}

/**
 * @param {Body} body
 * @param {Frame} frame
 * @param {Twist} twist of its origin
 */
function put(body, { position, orientation }, twist) {
  body.position = position
  body.orientation = orientation
  const { linear, angular } = twistAt(twist, rotate(orientation, body.centerOfMass))
  body.linearVelocity = linear
  body.angularVelocity = angular
}

/**
 * @param {string} path
 * @param {string} name
 * @param {Record<string, unknown>[]} known
 */
function unknown(path, name, known) {
  const names = [...new Set(known.flatMap(Object.keys))].slice(0, 20)
  const message = `${path}: there is no '${name}'; there are ${names.join(', ')}`
  return new MoreauError('invalid-argument', message)
}
