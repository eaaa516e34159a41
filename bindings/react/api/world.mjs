import { World } from '../../index.mjs'
import { Events } from './events.mjs'
import { isAsking, Overlaps } from './overlaps.mjs'
import { makeJoint } from './joint.mjs'
import { weigh } from './mass.mjs'
import { PairRules } from './pair-rules.mjs'
import { castRay } from './rays.mjs'
import { triple, xyz } from './vectors.mjs'

/** @import { Body, BodyDefinition, Shape, WorldOptions } from '../../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { JointParams, RapierImpulseJoint } from './joint.mjs' */
/** @import { Ray } from './rays.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { VectorInput, Xyz } from './vectors.mjs' */

/** Floats per slot of the poses of a world. */
const STRIDE = 8

/**
 * What `useRapier().world` gives: the world in Rapier's spelling, as far as components and their callbacks need it, over a `World`
 * of Moreau, `raw`. The engine's world is there from the first body to the end of `Physics`, and made anew if React mounts the
 * same tree again.
 */
export class RapierWorld {
  /** Seconds of the last step. */
  timestep = 1 / 60
  /** @internal */
  rules = new PairRules(this)
  /** @internal */
  events = new Events(this)

  /** @type {Map<number, RapierRigidBody>} */
  #bodies = new Map()
  /** @type {Map<number, RapierCollider>} */
  #colliders = new Map()
  /** Bodies that have something to do before each step. @type {Set<RapierRigidBody>} */
  #active = new Set()
  /** Bodies of colliders that have no component of theirs. @type {WeakSet<RapierRigidBody>} */
  #hidden = new WeakSet()
  /** @type {WeakMap<Body, RapierRigidBody>} */
  #byBody = new WeakMap()
  /** Shapes may be shared by bodies, and shapes that were are still named by the end of a contact. @type {WeakMap<Shape, Map<number, RapierCollider>>} */
  #byShape = new WeakMap()
  /** @type {Set<RapierImpulseJoint>} */
  #joints = new Set()
  #overlaps = new Overlaps(this)
  /** Colliders that are to meet what they do not push. @type {Set<RapierCollider>} */
  #asking = new Set()
  /** @type {World | undefined} */
  #raw
  #isFreed = false
  /** @type {Partial<WorldOptions>} */
  #options
  #lastHandle = 0

  /** @param {Partial<WorldOptions>} [options] */
  constructor(options = {}) {
    this.#options = options
  }

  // --- life -------------------------------------------------------------------------------------

  /**
   * The `World` of Moreau.
   * @returns {World} a stale one after `Physics` is unmounted
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

  /** @internal @returns {number} another one each time */
  nextHandle() {
    return ++this.#lastHandle
  }

  // --- what is in it ----------------------------------------------------------------------------

  /** @internal @param {RapierRigidBody} body */
  addBody(body) {
    this.#byBody.set(body.raw, body)
    if (!this.isHidden(body)) this.#bodies.set(body.handle, body)
  }

  /** @internal @param {RapierRigidBody} body */
  removeBody(body) {
    this.#bodies.delete(body.handle)
    this.#active.delete(body)
  }

  /** @internal @param {RapierRigidBody} body that has no component */
  hide(body) {
    this.#hidden.add(body)
  }

  /** @internal @param {RapierRigidBody} body @returns {boolean} */
  isHidden(body) {
    return this.#hidden.has(body)
  }

  /** @internal @param {RapierCollider} collider */
  addCollider(collider) {
    this.#colliders.set(collider.handle, collider)
    this.noticeSettings(collider)
  }

  /** @internal @param {RapierCollider} collider */
  removeCollider(collider) {
    this.#colliders.delete(collider.handle)
    this.#asking.delete(collider)
  }

  /** @internal @param {RapierCollider} collider */
  noticeSettings(collider) {
    this.rules.notice(collider)
    if (!this.#colliders.has(collider.handle)) return
    if (isAsking(collider)) this.#asking.add(collider)
    else this.#asking.delete(collider)
  }

  /** @internal @param {Shape} shape @param {RapierCollider} collider */
  nameShape(shape, collider) {
    const ofBodies = this.#byShape.get(shape) ?? new Map()
    ofBodies.set(/** @type {RapierRigidBody} */ (collider.body).raw.id, collider)
    this.#byShape.set(shape, ofBodies)
  }

  /** The RigidBody of a body of Moreau. @param {Body} raw @returns {RapierRigidBody | undefined} */
  bodyOf(raw) {
    return this.#byBody.get(raw)
  }

  /**
   * The collider of a shape of Moreau.
   * @param {Body} raw
   * @param {Shape} shape
   * @returns {RapierCollider | undefined}
   */
  colliderOf(raw, shape) {
    return this.#byShape.get(shape)?.get(raw.id)
  }

  /** @param {number} handle @returns {RapierRigidBody | null} */
  getRigidBody(handle) {
    return this.#bodies.get(handle) ?? null
  }

  /** @param {number} handle @returns {RapierCollider | null} */
  getCollider(handle) {
    return this.#colliders.get(handle) ?? null
  }

  /** @param {(body: RapierRigidBody) => void} visit */
  forEachRigidBody(visit) {
    for (const body of [...this.#bodies.values()]) visit(body)
  }

  /** @param {(body: RapierRigidBody) => void} visit those that are neither fixed nor asleep */
  forEachActiveRigidBody(visit) {
    this.forEachRigidBody((body) => {
      if (body.raw.isAwake) visit(body)
    })
  }

  /** @param {(collider: RapierCollider) => void} visit */
  forEachCollider(visit) {
    for (const collider of [...this.#colliders.values()]) visit(collider)
  }

  /** Rapier's sets, as far as they are counted and visited. */
  get bodies() {
    return setOf(this.#bodies)
  }

  get colliders() {
    return setOf(this.#colliders)
  }

  // --- settings ---------------------------------------------------------------------------------

  /** @returns {Xyz} m/s² */
  get gravity() {
    return xyz(this.raw.gravity)
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

  /** @internal @param {RapierRigidBody} body that has forces or a way to go */
  activate(body) {
    this.#active.add(body)
  }

  /** @internal What has to be done before each step. */
  prepare() {
    for (const body of this.#active) {
      if (!body.beforeStep()) this.#active.delete(body)
    }
    const { raw } = this
    this.events.watch(raw)
    this.rules.install(raw)
  }

  /** @internal What has to be looked at after each step. */
  finish() {
    if (this.#asking.size > 0) this.events.takeOverlaps(this.#overlaps.update(this.#asking))
  }

  /** One step of `timestep` seconds, past the loop of `Physics`. */
  step() {
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

  /** @internal @param {RapierRigidBody} body whose colliders are others */
  weigh(body) {
    weigh(body.raw, body.colliders)
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

/**
 * @template T
 * @param {Map<number, T>} map
 */
function setOf(map) {
  return {
    len: () => map.size,
    contains: (/** @type {number} */ handle) => map.has(handle),
    get: (/** @type {number} */ handle) => map.get(handle) ?? null,
    getAll: () => [...map.values()],
    forEach: (/** @type {(one: T) => void} */ visit) => [...map.values()].forEach(visit),
  }
}
