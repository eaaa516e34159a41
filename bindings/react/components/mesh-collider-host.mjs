import { collidersOf, own } from './auto-colliders.mjs'
import { MeshColliders } from './mesh-colliders.mjs'

/** @import { Object3D } from 'three' */
/** @import { AutoCollider } from './auto-colliders.mjs' */
/** @import { BodyHost } from './body-host.mjs' */
/** @import { RapierWorld } from '../../rapier/world.mjs' */

/** What a `MeshCollider` keeps. */
export class MeshColliderHost {
  #host
  #colliders
  /** @type {Object3D | undefined} */
  #object
  /** @type {AutoCollider} */
  #type = 'cuboid'

  /** @param {RapierWorld} world @param {BodyHost} host of the RigidBody around it */
  constructor(world, host) {
    this.#host = host
    this.#colliders = new MeshColliders(world)
  }

  /** @param {Object3D} object */
  enter(object) {
    if (this.#object !== undefined) return
    this.#object = object
    own(object)
    this.#host.add(this)
  }

  leave() {
    this.#host.remove(this)
    this.#colliders.drop()
    this.#object = undefined
  }

  /** @param {AutoCollider} type */
  update(type) {
    this.#type = type
    if (this.#object !== undefined && this.#host.object !== undefined) this.join(this.#host)
  }

  /** The body is there, or comes right after this. @param {BodyHost} host */
  join(host) {
    const object = /** @type {Object3D} */ (this.#object)
    const { includeInvisible } = host.options
    const meshes = collidersOf(object, { colliders: this.#type, includeInvisible })
    this.#colliders.take(meshes, object, host)
  }

  /** @param {BodyHost} host */
  place(host) {
    const object = /** @type {Object3D} */ (this.#object)
    object.updateWorldMatrix(true, false)
    this.#colliders.place(object, host)
  }
}
