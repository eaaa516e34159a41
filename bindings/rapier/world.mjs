import { World } from '../index.mjs'
import { Events } from './events.mjs'
import { dropBody, dropCollider, makeBody, makeCollider } from './by-hand.mjs'
import { KinematicCharacterController } from './character-controller.mjs'
import { Overlaps } from './overlaps.mjs'
import { makeJoint } from './joint.mjs'
import { weigh } from './mass.mjs'
import { PairRules } from './pair-rules.mjs'
import { PidController } from './pid-controller.mjs'
import {
  castShape,
  contactBetween,
  intersections,
  intersectionsWithPoint,
  intersectionsWithRay,
  pairsWith,
  projectPoint,
} from './queries.mjs'
import { castRay } from './rays.mjs'
import { refuse } from './refusals.mjs'
import { triple, xyz } from './vectors.mjs'
import { DynamicRayCastVehicleController } from './vehicle-controller.mjs'
import { WorldContents } from './world-contents.mjs'

/** @import { Body, BodyDefinition, WorldOptions } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { ColliderDesc, RigidBodyDesc } from './descriptors.mjs' */
/** @import { JointParams, RapierImpulseJoint } from './joint.mjs' */
/** @import { Ray } from './rays.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { MassProperties } from './collider-settings.mjs' */
/** @import { EventQueue } from './event-queue.mjs' */
/** @import { ContactManifold } from './manifold.mjs' */
/** @import { PhysicsHooks } from './pair-rules.mjs' */
/** @import { RapierShape } from './shape-classes.mjs' */
/** @import { QuaternionInput, VectorInput, Xyz } from './vectors.mjs' */

/** @typedef {{ beforeStep: (dt: number) => boolean }} Active a thing that acts on steps until it says false */

/** What Rapier has and this has not, and what to use. */
const OTHER_WAYS = {
  ...{ createMultibodyJoint: 'createImpulseJoint', removeMultibodyJoint: 'removeImpulseJoint' },
  ...{ getMultibodyJoint: 'getImpulseJoint', projectPointAndGetFeature: 'projectPoint' },
  collidersWithAabbIntersectingAabb: 'intersectionsWithShape with a Cuboid',
  ...{ createSoftBody: 'bodies and joints', createDeformableCollider: 'bodies and joints' },
  ...{ timingStep: 'world.raw.profile()', timingCollisionDetection: 'world.raw.profile()' },
  ...{ timingSolver: 'world.raw.profile()', timingBroadPhase: 'world.raw.profile()' },
}

/** Floats per slot of the poses of a world. */
const STRIDE = 8

/**
 * A world in Rapier's spelling over a `World` of Moreau, `raw`: `useRapier().world` of `moreau/react`, and `world` of the
 * `RapierPhysics` of `moreau/three`. The engine's world is there from its first use on, and is made anew for what needs a living one
 * after it was freed (`open`).
 */
export class RapierWorld extends WorldContents {
  /** Seconds of the last step. */
  timestep = 1 / 60
  /** @internal */
  rules = new PairRules(this)
  /** @internal */
  events = new Events(this)

  /** @type {Set<RapierImpulseJoint>} */
  #joints = new Set()
  /** What has something to do before each step. @type {Set<Active>} */
  #active = new Set()
  #overlaps = new Overlaps(this)
  /** @type {World | undefined} */
  #raw
  #isFreed = false
  /** @type {Partial<WorldOptions>} */
  #options

  /** @param {Partial<WorldOptions>} [options] */
  constructor(options = {}) {
    super()
    this.#options = options
    refuse(this, 'world', OTHER_WAYS)
  }

  // --- life -------------------------------------------------------------------------------------

  /**
   * The `World` of Moreau.
   * @returns {World} a stale one after `free`, as when `Physics` is unmounted
   */
  get raw() {
    return (this.#raw ??= new World(this.#options))
  }

  /**
   * @internal A living world for what mounts, also after it was freed: in StrictMode React mounts everything twice.
   * @returns {World}
   */
  open() {
    if (this.#isFreed) this.#raw = undefined
    this.#isFreed = false
    return this.raw
  }

  /** Gives back what the engine has of it. Bodies and colliders are stale then. */
  free() {
    this.events.clear()
    this.#overlaps.clear()
    this.#active.clear()
    this.#joints.clear()
    if (this.#raw !== undefined) this.#raw.free()
    this.#isFreed = this.#raw !== undefined
  }

  /** @internal @param {Partial<WorldOptions>} options that the props give */
  configure(options) {
    this.#options = { ...this.#options, ...options }
    if (this.#raw !== undefined && !this.#isFreed) Object.assign(this.#raw, options)
  }

  /** @internal @param {World} raw @returns {boolean} whether it is the world of now, and not given back */
  isOpen(raw) {
    return raw === this.#raw && !this.#isFreed
  }

  /** @internal @param {RapierCollider} collider */
  noticeSettings(collider) {
    this.rules.notice(collider)
    super.noticeSettings(collider)
  }

  // --- settings ---------------------------------------------------------------------------------

  /** @returns {Xyz} m/s²; its members may be set one by one, too */
  get gravity() {
    const vector = xyz(this.raw.gravity)
    /** @param {keyof Xyz} name @returns {PropertyDescriptor} */
    const member = (name) => ({
      enumerable: true,
      get: () => vector[name],
      set: (value) => {
        vector[name] = value
        this.gravity = vector
      },
    })
    const members = { x: member('x'), y: member('y'), z: member('z') }
    return Object.defineProperties(/** @type {Xyz} */ ({}), members)
  }

  /** @param {VectorInput} value */
  set gravity(value) {
    this.configure({ gravity: triple(value) })
  }

  /** Substeps of each step. @returns {number} */
  get numSolverIterations() {
    return this.raw.substeps
  }

  /** @param {number} value */
  set numSolverIterations(value) {
    this.configure({ substeps: value })
  }

  // --- steps ------------------------------------------------------------------------------------

  /** @internal @param {Active} active a body that has forces or a way to go, or a vehicle */
  activate(active) {
    this.#active.add(active)
  }

  /** @internal What has to be done before each step. */
  prepare() {
    for (const active of this.#active) {
      if (!active.beforeStep(this.timestep)) this.#active.delete(active)
    }
    const { raw } = this
    this.events.watch(raw)
    this.rules.install(raw)
  }

  /** @internal What has to be looked at after each step. */
  finish() {
    if (this.asking.size > 0) this.events.takeOverlaps(this.#overlaps.update(this.asking))
  }

  /**
   * One step of `timestep` seconds, past the loop of `Physics`.
   * @param {EventQueue} [queue] that is to have its events
   * @param {PhysicsHooks} [hooks] for colliders that ask for them by `setActiveHooks`
   */
  step(queue, hooks) {
    this.events.fill(queue)
    this.rules.hook(hooks)
    this.prepare()
    this.raw.step(this.timestep)
    this.finish()
  }

  /** @internal A body that was put elsewhere is not drawn on its way there. @param {Body} body */
  settle({ index }) {
    const { previousTransforms, transforms } = this.raw
    const at = STRIDE * index
    previousTransforms.set(transforms.subarray(at, at + STRIDE), at)
  }

  /** @internal @param {RapierRigidBody} body whose colliders are others @param {MassProperties} [additional] */
  weigh(body, additional) {
    weigh(body.raw, body.colliders, additional)
  }

  // --- bodies, colliders and controllers made by hand -------------------------------------------

  /** @param {RigidBodyDesc} desc @returns {RapierRigidBody} */
  createRigidBody(desc) {
    return makeBody(this, desc)
  }

  /** @param {RapierRigidBody} body with its colliders and joints */
  removeRigidBody(body) {
    dropBody(body)
    this.#active.delete(body)
  }

  /**
   * @param {ColliderDesc} desc
   * @param {RapierRigidBody | null} [parent] none: it belongs to the ground
   * @returns {RapierCollider}
   */
  createCollider(desc, parent) {
    return makeCollider(this, desc, parent)
  }

  /** @param {RapierCollider} collider @param {boolean} [_wakeUp] */
  removeCollider(collider, _wakeUp) {
    dropCollider(collider)
  }

  /** @param {number} offset metres @returns {KinematicCharacterController} */
  createCharacterController(offset) {
    return new KinematicCharacterController(this, offset)
  }

  /** @param {KinematicCharacterController} controller */
  removeCharacterController(controller) {
    controller.free()
  }

  /**
   * @param {number} kp 1/s
   * @param {number} ki 1/s²
   * @param {number} kd
   * @param {number} axes `PidAxesMask`
   * @returns {PidController}
   */
  createPidController(kp, ki, kd, axes) {
    return new PidController(this, kp, ki, kd, axes)
  }

  /** @param {PidController} controller */
  removePidController(controller) {
    controller.free()
  }

  /** @param {RapierRigidBody} chassis @returns {DynamicRayCastVehicleController} */
  createVehicleController(chassis) {
    return new DynamicRayCastVehicleController(this, chassis)
  }

  /** @param {DynamicRayCastVehicleController} controller whose wheels are to act no more */
  removeVehicleController(controller) {
    this.#active.delete(controller)
  }

  // --- joints, queries, state -------------------------------------------------------------------

  /**
   * @param {JointParams} params of `rapier.JointData`
   * @param {RapierRigidBody} body1
   * @param {RapierRigidBody} body2
   * @param {boolean} [_wakeUp] a new joint wakes its bodies
   * @returns {RapierImpulseJoint}
   */
  createImpulseJoint(params, body1, body2, _wakeUp) {
    const joint = makeJoint(this, params, body1, body2)
    this.#joints.add(joint)
    return joint
  }

  /** @param {RapierImpulseJoint} joint @param {boolean} [_wakeUp] */
  removeImpulseJoint(joint, _wakeUp) {
    this.#joints.delete(joint)
    if (joint.isValid()) joint.raw.destroy()
  }

  /** @param {number} handle @returns {RapierImpulseJoint | null} */
  getImpulseJoint(handle) {
    const joint = [...this.#joints].find((one) => one.handle === handle)
    return joint?.isValid() ? joint : null
  }

  /**
   * The first collider that a ray meets, sensors too, as Rapier has it.
   * @param {Ray} ray
   * @param {number} maxToi
   * @param {boolean} _solid shapes are solid; meshes and height fields are not
   * @param {number} [flags]
   * @param {number} [groups]
   * @param {RapierCollider} [collider] that it does not see
   * @param {RapierRigidBody} [body] that it does not see
   * @param {(collider: RapierCollider) => boolean} [predicate]
   */
  castRay(ray, maxToi, _solid, flags, groups, collider, body, predicate) {
    return castRay(this, ray, maxToi, { flags, groups, collider, body, predicate })
  }

  /** The same: the normal is always there. @type {RapierWorld['castRay']} */
  castRayAndGetNormal(...query) {
    return this.castRay(...query)
  }

  /**
   * The first collider that a moving shape meets. `witness1` and `normal1` are in the frame of the body of what is met, `witness2` and `normal2` in that of the world.
   * @param {VectorInput} position
   * @param {QuaternionInput} rotation
   * @param {VectorInput} velocity of any length above 0
   * @param {RapierShape} shape
   * @param {number} targetDistance metres that count as met
   * @param {number} maxToi in units of the velocity
   * @param {boolean} stopAtPenetration
   * @param {import('./queries.mjs').FilterArguments} filter flags, groups, a collider and a body that it does not see, a predicate
   */
  castShape(
    position,
    rotation,
    velocity,
    shape,
    targetDistance,
    maxToi,
    stopAtPenetration,
    ...filter
  ) {
    const cast = { position, rotation, velocity, shape }
    return castShape(this, cast, { targetDistance, maxToi, stopAtPenetration }, filter)
  }

  /**
   * Tells of each collider that a placed shape overlaps, until the callback says false.
   * @param {VectorInput} position
   * @param {QuaternionInput} rotation
   * @param {RapierShape} shape
   * @param {(collider: RapierCollider) => boolean} callback
   * @param {import('./queries.mjs').FilterArguments} filter
   */
  intersectionsWithShape(position, rotation, shape, callback, ...filter) {
    intersections(this, { position, rotation, shape }, callback, filter)
  }

  /**
   * @param {VectorInput} position
   * @param {QuaternionInput} rotation
   * @param {RapierShape} shape
   * @param {import('./queries.mjs').FilterArguments} filter
   * @returns {RapierCollider | null} one that the placed shape overlaps
   */
  intersectionWithShape(position, rotation, shape, ...filter) {
    /** @type {RapierCollider[]} */
    const found = []
    const take = (/** @type {RapierCollider} */ collider) => found.push(collider) < 1
    intersections(this, { position, rotation, shape }, take, filter)
    return found[0] ?? null
  }

  /**
   * Tells of each collider that a point is in, until the callback says false.
   * @param {VectorInput} point
   * @param {(collider: RapierCollider) => boolean} callback
   * @param {import('./queries.mjs').FilterArguments} filter
   */
  intersectionsWithPoint(point, callback, ...filter) {
    intersectionsWithPoint(this, point, callback, filter)
  }

  /**
   * Tells of each collider that a ray meets, the nearest first, until the callback says false.
   * @param {Ray} ray
   * @param {number} maxToi
   * @param {boolean} _solid
   * @param {(hit: { collider: RapierCollider, timeOfImpact: number, normal: Xyz }) => boolean} callback
   * @param {import('./queries.mjs').FilterArguments} filter
   */
  intersectionsWithRay(ray, maxToi, _solid, callback, ...filter) {
    intersectionsWithRay(this, ray, maxToi, callback, filter)
  }

  /**
   * The nearest point of all colliders.
   * @param {VectorInput} point
   * @param {boolean} solid whether a point inside of a collider is its own projection
   * @param {import('./queries.mjs').FilterArguments} filter
   */
  projectPoint(point, solid, ...filter) {
    return projectPoint(this, point, solid, filter)
  }

  /** @param {RapierCollider} collider @param {(other: RapierCollider) => void} tell of each that it touches */
  contactPairsWith(collider, tell) {
    pairsWith(this, collider, false).forEach(tell)
  }

  /** @param {RapierCollider} collider @param {(other: RapierCollider) => void} tell of each that it overlaps as a sensor, or that is one */
  intersectionPairsWith(collider, tell) {
    pairsWith(this, collider, true).forEach(tell)
  }

  /** @param {RapierCollider} a @param {RapierCollider} b @param {(manifold: ContactManifold, flipped: boolean) => void} tell */
  contactPair(a, b, tell) {
    const manifold = contactBetween(this, a, b)
    if (manifold !== null) tell(manifold, false)
  }

  /** @param {RapierCollider} a @param {RapierCollider} b @returns {boolean} whether they overlap, one of them a sensor */
  intersectionPair(a, b) {
    return pairsWith(this, a, true).includes(b)
  }

  /** @returns {Uint8Array} for `rapier.World.restoreSnapshot` */
  takeSnapshot() {
    return this.raw.snapshot()
  }

  /** @internal @param {Uint8Array} bytes */
  restore(bytes) {
    this.raw.restore(bytes)
  }

  debugRender() {
    return this.raw.debugRender()
  }

  /** @internal @param {BodyDefinition} definition @returns {Body} */
  createBody(definition) {
    return this.raw.createBody(definition)
  }
}
