import { readNumber } from '../../core/arguments.mjs'
import { describe, invalid } from '../../core/describe.mjs'
import { MoreauError } from '../../core/errors.mjs'
import { toQuaternion, toVector } from '../../core/vectors.mjs'
import { getOwn, setOwn } from '../names.mjs'
import { compose, NO_TURN, pointIn, rotate, scale, subtract, unit, ZERO } from '../rigid.mjs'
import { inOrder } from './couplings.mjs'
import { AT_REST, movedBy, turnBetween, twistAt, twistOf } from './motion.mjs'

/** @import { Body, Joint } from '../../index.mjs' */
/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { ImportWarning } from '../xml/reader.mjs' */
/** @import { Place as FilePlace } from '../xml/place.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Coupling, JointData, LinkFrame, LinkJoint, Mechanism } from './mechanism.mjs' */
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
  /** What moves by a joint, by its name. @type {Map<string, Node>} */
  #moved = new Map()

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
   * By name. Their coordinates are 0 where the file has its joints at 0, or in MJCF at `ref`. Equalities are here too, if no joint has
   * their name.
   * @type {Record<string, Joint>}
   */
  joints = {}

  /**
   * What holds or couples besides the tree, by name: loops and gears.
   * @type {Record<string, Joint>}
   */
  equalities = {}

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
   * Named frames on bodies: links without a body of their own, and sites, if no link has their name.
   * @type {Record<string, ModelFrame>}
   */
  frames = {}

  /**
   * The sites of MJCF. They may have names that links have too.
   * @type {Record<string, ModelFrame>}
   */
  sites = {}

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
   * @param {{ base: Frame, bodies: Map<Node, Body>, joints: Map<Node, Joint>, warnings: Warnings }} parts.making
   */
  constructor({ mechanism, nodes, places, loops, making }) {
    const { warnings } = making
    this.name = mechanism.name
    this.warnings = warnings.list
    this.#nodes = nodes
    this.#base = making.base
    this.#bodyOf = (/** @type {Node} */ node) => /** @type {Body} */ (making.bodies.get(node))
    this.#jointOf = (/** @type {Node} */ node) => /** @type {Joint} */ (making.joints.get(node))
    for (const node of nodes) {
      setOwn(this.bodies, node.name, this.#bodyOf(node))
      if (node.joint === null) continue
      const { name, data } = node.joint
      this.#moved.set(name, node)
      setOwn(this.joints, name, this.#jointOf(node))
      setOwn(this.jointData, name, data)
    }
    mechanism.links.forEach((link, i) => this.#addLink(link, places[i]))
    for (const site of mechanism.frames) this.#addSite(site, places[site.link], warnings)
    mechanism.loops.forEach(({ name, place, type }, i) => {
      const joint = loops[i]
      if (joint !== null && type !== 'apart') this.#addEquality(name, joint, place, warnings)
    })
  }

  /**
   * @param {import('./mechanism.mjs').Link} link
   * @param {Place} place
   */
  #addLink({ name, inertial }, { node, frame }) {
    const body = this.#bodyOf(node)
    const { position, orientation } = frame
    setOwn(this.bodies, name, body)
    if (node.name !== name) setOwn(this.frames, name, { body, position, orientation })
    const { mass, center, inertia } = inertial ?? { mass: 0, center: ZERO, inertia: ZEROS }
    const own = { mass, centerOfMass: center, inertia: [...inertia] }
    setOwn(this.links, name, { body, position, orientation, ...own })
  }

  /**
   * @param {LinkFrame} site
   * @param {Place} on
   * @param {Warnings} warnings
   */
  #addSite({ name, place, frame }, on, warnings) {
    const { position, orientation } = compose(on.frame, frame)
    const site = { body: this.#bodyOf(on.node), position, orientation }
    setOwn(this.sites, name, site)
    if (!Object.hasOwn(this.links, name)) {
      setOwn(this.frames, name, site)
      return
    }
    const message = `a body is called ${describe(name)} too: frame() and frames have that one, sites has this`
    warnings.add(place, message)
  }

  /**
   * @param {string} name
   * @param {Joint} joint
   * @param {FilePlace} place
   * @param {Warnings} warnings
   */
  #addEquality(name, joint, place, warnings) {
    setOwn(this.equalities, name, joint)
    if (!Object.hasOwn(this.joints, name)) {
      setOwn(this.joints, name, joint)
      return
    }
    const message = `a joint is called ${describe(name)} too: joints has that one, equalities has this`
    warnings.add(place, message)
  }

  /** @returns {number} kg: the sum of all links, those that cannot move too */
  get mass() {
    return Object.values(this.links).reduce((all, link) => all + link.mass, 0)
  }

  /**
   * Where a link or a frame is.
   * @param {string | ModelFrame} frame the name of a link, or of a site where no link has it; or one of `sites`, `frames` and `links`
   * @returns {{ position: Vector, orientation: Quaternion }} world
   * @throws {MoreauError} `invalid-argument`: there is none of that name
   */
  frame(frame) {
    const found =
      typeof frame === 'string' ? (getOwn(this.links, frame) ?? getOwn(this.sites, frame)) : frame
    if (found === undefined || typeof found?.body !== 'object') {
      throw unknown('frame: name', frame, [this.sites, this.links])
    }
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
    const places = this.#readAll(coordinates, 'coordinates', toCoordinate)
    const speeds = this.#readAll(rates, 'rates', toRate)
    /** @type {Map<Node, { frame: Frame, twist: Twist }>} */
    const done = new Map()
    for (const node of this.#nodes) {
      const before = node.parent === null ? null : done.get(node.parent)
      done.set(node, this.#place(node, before ?? null, places, speeds))
    }
    for (const [node, { frame, twist }] of done) {
      if (node.joint !== null && node.hold !== 'static') put(this.#bodyOf(node), frame, twist)
    }
  }

  /**
   * @template Value
   * @param {Record<string, unknown>} values by the names of joints
   * @param {string} what
   * @param {(value: unknown, joint: LinkJoint, path: string) => Value} read
   * @returns {Map<string, Value>}
   */
  #readAll(values, what, read) {
    /** @type {Map<string, Value>} */
    const all = new Map()
    if (typeof values !== 'object' || values === null) {
      throw invalid(`setConfiguration: ${what}`, 'an object of values by name', values)
    }
    for (const [name, value] of Object.entries(values)) {
      const joint = this.#moved.get(name)?.joint
      if (!joint) throw unknown('setConfiguration: joint', name, [this.jointData])
      all.set(name, read(value, joint, `setConfiguration: ${what}.${name}`))
    }
    return all
  }

  /**
   * @param {Node} node
   * @param {{ frame: Frame, twist: Twist } | null} before what it is on
   * @param {Map<string, Coordinate>} coordinates
   * @param {Map<string, Rate>} rates
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
    const given = coordinates.get(joint.name)
    const value = given === undefined ? this.#coordinate(node) : fromFile(given, joint.reference)
    const frame = compose(start, movedBy(joint, value))
    const base = before ?? { frame: start, twist: AT_REST }
    const rate = rates.get(joint.name) ?? 0
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
    const node = this.#moved.get(name)
    if (node?.joint?.type !== 'hinge' && node?.joint?.type !== 'slider') {
      throw unknown('applyForce: joint', name, [this.jointData])
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
   * Brings joints to where they follow others, and couples them.
   * @internal
   * @param {readonly Coupling[]} couplings
   * @param {{ warnings: Warnings, at: (place: FilePlace, make: () => void) => void }} making
   */
  couple(couplings, making) {
    const ordered = inOrder(this.#couplable(couplings, making.warnings), making.warnings)
    /** @type {Map<string, number>} coordinates of the file */
    const values = new Map()
    const valueOf = (/** @type {string} */ name) =>
      values.get(name) ?? this.joints[name].coordinate + this.#jointAt(name).reference
    for (const { follower, leader, ratio, offset } of ordered) {
      if (values.has(follower)) continue
      values.set(follower, offset + (leader === null ? 0 : ratio * valueOf(leader)))
    }
    if (values.size === 0) return
    making.at(ordered[0].place, () => this.setConfiguration(Object.fromEntries(values)))
    for (const coupling of ordered) {
      making.at(coupling.place, () => this.#coupleOne(coupling, making.warnings))
    }
  }

  /**
   * What can be coupled of the joints that are there: a leader that is not moves nothing, and its follower stays.
   * @param {readonly Coupling[]} couplings
   * @param {Warnings} warnings
   * @returns {Coupling[]}
   */
  #couplable(couplings, warnings) {
    const moves = (/** @type {string} */ name) =>
      ['hinge', 'slider'].includes(this.#moved.get(name)?.joint?.type ?? '')
    return couplings.flatMap((coupling) => {
      const { place, follower, leader, ratio, offset } = coupling
      if (!moves(follower)) {
        warnings.add(place, `joint ${describe(follower)} cannot move here, nor follow: left out`)
        return []
      }
      if (leader !== null && moves(leader) && ratio !== 0) return [coupling]
      if (leader !== null) {
        const why =
          ratio === 0 ? 'its multiplier is 0' : `joint ${describe(leader)} cannot move here`
        warnings.add(place, `${why}: ${describe(follower)} stays at ${offset}`)
      }
      return [{ ...coupling, leader: null }]
    })
  }

  /**
   * @param {Coupling} coupling
   * @param {Warnings} warnings
   */
  #coupleOne({ name, place, follower, leader, ratio, offset }, warnings) {
    const joint = this.joints[follower]
    if (leader === null) {
      const value = offset - this.#jointAt(follower).reference
      Object.assign(joint, { limits: [value, value] })
      return
    }
    const gear = joint.world.createJoint({
      ...{ type: 'gear', jointA: joint, jointB: this.joints[leader], ratio: -ratio },
    })
    this.#addEquality(name, gear, place, warnings)
  }

  /** @param {string} name of a joint of the tree */
  #jointAt(name) {
    return /** @type {LinkJoint} */ (this.#moved.get(name)?.joint)
  }
}

/**
 * @param {unknown} value
 * @param {LinkJoint} joint
 * @param {string} path
 * @returns {Coordinate}
 */
const toCoordinate = (value, { type }, path) =>
  type === 'ball' ? toQuaternion(/** @type {any} */ (value), path) : readNumber(value, path)

/**
 * @param {unknown} value
 * @param {LinkJoint} joint
 * @param {string} path
 * @returns {Rate}
 */
const toRate = (value, { type }, path) =>
  type === 'ball' ? toVector(/** @type {any} */ (value), path) : readNumber(value, path)

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
 * @param {unknown} name
 * @param {Record<string, unknown>[]} known
 */
function unknown(path, name, known) {
  const names = [...new Set(known.flatMap(Object.keys))].slice(0, 20)
  const message = `${path}: there is no ${describe(name)}; there are ${names.join(', ')}`
  return new MoreauError('invalid-argument', message)
}
