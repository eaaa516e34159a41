import { isAsking } from './overlaps.mjs'

/** @import { Body, Shape } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */

/** What is in a world, by handles and by Moreau's own objects. */
export class WorldContents {
  /** @internal Colliders that are to meet what they do not push. @type {Set<RapierCollider>} */
  asking = new Set()

  /** @type {Map<number, RapierRigidBody>} */
  #bodies = new Map()
  /** @type {Map<number, RapierCollider>} */
  #colliders = new Map()
  /** Bodies of colliders that have no component of theirs. @type {WeakSet<RapierRigidBody>} */
  #hidden = new WeakSet()
  /** @type {WeakMap<Body, RapierRigidBody>} */
  #byBody = new WeakMap()
  /** Shapes may be shared by bodies, and shapes that were are still named by the end of a contact. @type {WeakMap<Shape, Map<number, RapierCollider>>} */
  #byShape = new WeakMap()
  #lastHandle = 0

  /** @internal @returns {number} another one each time */
  nextHandle() {
    return ++this.#lastHandle
  }

  /** @internal @param {RapierRigidBody} body */
  noteBody(body) {
    this.#byBody.set(body.raw, body)
    if (!this.isHidden(body)) this.#bodies.set(body.handle, body)
  }

  /** @internal @param {RapierRigidBody} body */
  forgetBody(body) {
    this.#bodies.delete(body.handle)
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
  noteCollider(collider) {
    this.#colliders.set(collider.handle, collider)
    this.noticeSettings(collider)
  }

  /** @internal @param {RapierCollider} collider */
  forgetCollider(collider) {
    this.#colliders.delete(collider.handle)
    this.asking.delete(collider)
  }

  /** @internal @param {RapierCollider} collider */
  noticeSettings(collider) {
    if (!this.#colliders.has(collider.handle)) return
    if (isAsking(collider)) this.asking.add(collider)
    else this.asking.delete(collider)
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
