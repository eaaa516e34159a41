import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { putBodyDefinition } from '../definitions/body-definition.mjs'
import { readRagdollDrive, readSkeleton, readTarget } from '../definitions/ragdoll-definition.mjs'
import { isList } from '../core/lists.mjs'
import { invalid } from '../core/describe.mjs'
import { normalize, PLACEMENT_NUMBERS, shift, turn } from './placement.mjs'
import { freeIdleShapes } from './idle-shapes.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Joint } from './joint.mjs' */
/** @import { World } from './world.mjs' */
/** @import { ReadBone, ReadSkeleton } from '../definitions/ragdoll-definition.mjs' */
/** @import { Spring } from '../definitions/joint-drives.mjs' */
/** @import { BodyDefinition, BonePose, JointDefinition, Quaternion, RagdollDrive } from '../types/index.mjs' */
/** @import { RagdollTarget, Vector } from '../types/index.mjs' */

// Known to this file alone, so that nobody else makes ragdolls.
const maker = Symbol('Ragdoll')

/** @type {(world: World, skeleton: unknown) => Ragdoll} */
export let makeRagdoll

/**
 * A bone with what was made of it.
 * @typedef {object} Part
 * @property {ReadBone} bone
 * @property {Body} body
 * @property {Joint | null} joint with its parent; null of a root
 * @property {Joint | null} motor that turns a ball to its target; null where it is limp
 */

/**
 * The bodies and joints of a skeleton, with motors that follow an animation. Made by
 * `world.createRagdoll`. A bone's body has its origin where the bone turns.
 *
 * @example
 * const ragdoll = world.createRagdoll({
 *   position: [0, 2, 0],
 *   bones: [
 *     { name: 'torso', length: 0.6, radius: 0.15 },
 *     { name: 'head', parent: 'torso', length: 0.25, radius: 0.1, joint: { type: 'ball', cone: 0.7, twist: [-1, 1] } },
 *   ],
 * })
 * ragdoll.drive({ head: [0, 0, Math.sin(0.1), Math.cos(0.1)] }, { hertz: 5, maxTorque: 20 })
 * world.step(1 / 60)
 * ragdoll.pose().head.orientation
 */
export class Ragdoll {
  #world
  /** @type {readonly Part[]} */
  #parts
  #bones
  #joints

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeRagdoll = (world, skeleton) => close(new Type(world, skeleton, maker))
  }

  /**
   * @private
   * @param {World} world
   * @param {unknown} skeleton
   * @param {symbol} [pass]
   */
  constructor(world, skeleton, pass) {
    if (pass !== maker) {
      const text = 'new Ragdoll: ragdolls are made by world.createRagdoll'
      throw new MoreauError('invalid-argument', text)
    }
    this.#world = world
    const read = readSkeleton(skeleton)
    checkBodies(read)
    this.#parts = makeParts(world, read)
    this.#bones = byName(this.#parts, ({ body }) => body)
    this.#joints = byName(
      this.#parts.filter(({ joint }) => joint !== null),
      ({ joint }) => /** @type {Joint} */ (joint),
    )
  }

  /** @returns {World} */
  get world() {
    return this.#world
  }

  /** @returns {Readonly<Record<string, Body>>} bodies by the names of the bones, in their order */
  get bones() {
    return this.#bones
  }

  /** @returns {Readonly<Record<string, Joint>>} with the parent, by the names of the bones that have one */
  get joints() {
    return this.#joints
  }

  /** @returns {boolean} whether none of its bones was destroyed */
  get isAlive() {
    return this.#parts.every(({ body }) => body.isAlive)
  }

  /**
   * Where the bones are: in the frames of their parents, which is what skinned meshes want, and roots in
   * the world.
   * @returns {Record<string, BonePose>} by their names
   * @throws {MoreauError} `stale-handle` of a bone that was destroyed
   */
  pose() {
    const places = this.#parts.map(({ body }) => placementOf(body))
    return byName(this.#parts, ({ bone }, i) => {
      const place = bone.parent < 0 ? places[i] : relative(places[bone.parent], places[i])
      return poseOf(place)
    })
  }

  /**
   * Has motors turn the joints to a pose, as far as their limits allow. Bones that are left out stay as
   * they are driven, or limp; roots are held by nothing and not driven. To be called for each step while an
   * animation plays.
   * @param {RagdollTarget} target orientations of bones in the frames of their parents, as `pose()` gives them
   * @param {RagdollDrive} [options]
   * @throws {MoreauError} `invalid-argument`, `stale-handle` of a bone that was destroyed
   */
  drive(target, options = {}) {
    const wanted = readTarget(target, this.#parts, 'drive')
    const { gains, maxTorque } = readRagdollDrive(options)
    this.#parts.forEach((part, i) => {
      const orientation = wanted[i]
      if (orientation !== undefined) this.#drivePart(part, orientation, gains, maxTorque)
    })
  }

  /**
   * Ends the motors, of all bones or of some.
   * @param {readonly string[]} [names] of bones
   * @throws {MoreauError} `invalid-argument`
   */
  setLimp(names) {
    const limp = names === undefined ? this.#parts : this.#named(names)
    for (const part of limp) {
      this.#motorOf(part)?.destroy()
      part.motor = null
      if (part.joint?.isAlive && part.joint.type === 'hinge') part.joint.motor = null
    }
  }

  /** Removes what is left of its bodies and joints from the world. */
  destroy() {
    for (const { body } of this.#parts) if (body.isAlive) body.destroy()
  }

  // --- inner parts ------------------------------------------------------------------------------

  /**
   * @param {unknown} names
   * @returns {Part[]}
   */
  #named(names) {
    if (!isList(names)) throw invalid('setLimp: names', 'a list of names of bones', names)
    return Array.from(names, (name, i) => {
      const part = this.#parts.find(({ bone }) => bone.name === name)
      if (part === undefined) throw invalid(`setLimp: names[${i}]`, 'the name of a bone', name)
      return part
    })
  }

  /**
   * @param {Part} part
   * @param {Quaternion} orientation
   * @param {Spring} gains
   * @param {number} maxTorque
   */
  #drivePart(part, orientation, gains, maxTorque) {
    const { body, joint } = part
    // A bone that broke off is driven by nothing.
    if (!joint?.isAlive || joint.type === 'fixed') return
    if (joint.type === 'hinge') {
      const targetPosition = joint.angleAt(orientation)
      joint.motor = { targetPosition, maxForce: maxTorque, ...gains }
      return
    }
    const motor = { targetOrientation: orientation, maxForce: 0, maxTorque, ...gains }
    const present = this.#motorOf(part)
    if (present !== null) {
      present.motor = motor
      return
    }
    const bodyA = joint.bodyA
    part.motor = this.#world.createJoint({ type: 'motor', bodyA, bodyB: body, ...motor })
  }

  /**
   * The motor that turns a ball. After a `restore` it may be another one than before: that of the
   * snapshot, which is known by its ends and by turning only.
   * @param {Part} part
   * @returns {Joint | null}
   */
  #motorOf(part) {
    if (part.motor?.isAlive) return part.motor
    const { body, joint } = part
    if (joint?.type !== 'ball') return null
    const isThat = (/** @type {Joint} */ { type, bodyA, bodyB, motor }) =>
      type === 'motor' && bodyA === joint.bodyA && bodyB === body && motor?.maxForce === 0
    part.motor = this.#world.joints.find(isThat) ?? null
    return part.motor
  }
}

guard(Ragdoll, 'Ragdoll')
inspectable(Ragdoll, 'Ragdoll', ({ bones }) => ({ bones: Object.keys(bones) }))

// --- making ---------------------------------------------------------------------------------------

/**
 * Refuses a skeleton before anything is made of it.
 * @param {ReadSkeleton} skeleton
 */
function checkBodies({ bones }) {
  bones.forEach(({ body }, i) => {
    try {
      putBodyDefinition(body, 1)
    } catch (error) {
      freeIdleShapes(0)
      throw named(error, `createRagdoll: bones[${i}]`)
    }
  })
}

/**
 * An error of createBody as one of the bone that it is about.
 * @param {unknown} error
 * @param {string} path
 */
function named(error, path) {
  if (!(error instanceof MoreauError)) return error
  const message = error.message.replace(/^createBody: /, '')
  return new MoreauError(error.code, `${path}: ${message}`, { cause: error })
}

/**
 * @param {World} world
 * @param {ReadSkeleton} skeleton
 * @returns {Part[]} of all bones, or none was made
 */
function makeParts(world, { bones, position, orientation }) {
  const root = placement(position, orientation)
  /** @type {Part[]} */
  const parts = []
  /** @type {Float64Array[]} */
  const places = []
  try {
    for (const bone of bones) {
      const own = placement(bone.position, bone.orientation)
      const place = inside(bone.parent < 0 ? root : places[bone.parent], own)
      places.push(place)
      parts.push(makePart(world, bone, place, parts[bone.parent]))
    }
  } catch (error) {
    // The last first, so that what is made next gets the slots that it would have had without this.
    for (const { body } of parts.reverse()) body.destroy()
    throw error
  }
  return parts
}

/**
 * @param {World} world
 * @param {ReadBone} bone
 * @param {Float64Array} place
 * @param {Part | undefined} parent
 * @returns {Part}
 */
function makePart(world, bone, place, parent) {
  const body = world.createBody(/** @type {BodyDefinition} */ ({ ...bone.body, ...poseOf(place) }))
  if (parent === undefined) return { bone, body, joint: null, motor: null }
  try {
    const joint = world.createJoint(jointDefinition(bone, parent.body, body))
    return { bone, body, joint, motor: null }
  } catch (error) {
    body.destroy()
    throw error
  }
}

/**
 * @param {ReadBone} bone
 * @param {Body} bodyA
 * @param {Body} bodyB
 * @returns {JointDefinition}
 */
function jointDefinition({ position, orientation, joint }, bodyA, bodyB) {
  const { type, axis, parentAxis, options } = /** @type {NonNullable<typeof joint>} */ (joint)
  const axes =
    type === 'fixed' ? {} : { axisB: axis, axisA: parentAxis ?? turned(orientation, axis) }
  const ends = { bodyA, bodyB, anchorA: position, anchorB: [0, 0, 0] }
  return /** @type {JointDefinition} */ ({ type, ...ends, ...axes, ...options })
}

/**
 * What each part is to give, by the names of the bones: without a prototype, for a bone may have any name.
 * @template Value
 * @param {readonly Part[]} parts
 * @param {(part: Part, index: number) => Value} read
 * @returns {Record<string, Value>}
 */
function byName(parts, read) {
  const values = Object.create(null)
  parts.forEach((part, i) => {
    values[part.bone.name] = read(part, i)
  })
  return Object.freeze(values)
}

// --- placements: seven numbers, x y z and qx qy qz qw ----------------------------------------------

/**
 * @param {ArrayLike<number>} position
 * @param {ArrayLike<number>} orientation
 */
function placement(position, orientation) {
  const out = new Float64Array(PLACEMENT_NUMBERS)
  out.set(position)
  out.set(orientation, 3)
  normalize(out, 3)
  return out
}

/** @param {Body} body */
const placementOf = (body) => placement(body.position, body.orientation)

/**
 * A placement in the frame of another one, as of the world.
 * @param {Float64Array} outer
 * @param {Float64Array} inner
 */
function inside(outer, inner) {
  const out = outer.slice()
  shift(out, 0, inner[0], inner[1], inner[2])
  turn(out, 3, inner[3], inner[4], inner[5], inner[6])
  return out
}

/**
 * The inverse of `inside`: a placement of the world in the frame of another one.
 * @param {Float64Array} outer
 * @param {Float64Array} place
 */
function relative(outer, place) {
  const [x, y, z, a, b, c, w] = outer
  const back = placement([0, 0, 0], [-a, -b, -c, w])
  return inside(back, placement([place[0] - x, place[1] - y, place[2] - z], place.subarray(3)))
}

/**
 * @param {Float64Array} place
 * @returns {BonePose}
 */
function poseOf(place) {
  const [x, y, z, ...orientation] = place
  return { position: [x, y, z], orientation: /** @type {Quaternion} */ (orientation) }
}

/**
 * @param {Quaternion} orientation of any length
 * @param {Vector} axis
 * @returns {Vector}
 */
const turned = (orientation, axis) =>
  poseOf(inside(placement([0, 0, 0], orientation), placement(axis, [0, 0, 0, 1]))).position
