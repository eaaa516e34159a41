import { Matrix4 } from 'three'
import { RapierCollider } from '../../rapier/index.mjs'
import { placementOf } from './placements.mjs'

/** @import { Object3D } from 'three' */
/** @import { MeshCollider } from './auto-colliders.mjs' */
/** @import { BodyHost } from './body-host.mjs' */
/** @import { RapierWorld } from '../../rapier/world.mjs' */

/** Colliders that a body has of meshes, without a component of their own. */
export class MeshColliders {
  #world
  /** @type {{ collider: RapierCollider, local: Matrix4 }[]} */
  #all = []

  /** @param {RapierWorld} world */
  constructor(world) {
    this.#world = world
  }

  /**
   * @param {readonly MeshCollider[]} meshes
   * @param {Object3D} object that they are placed in
   * @param {BodyHost} host
   */
  take(meshes, object, host) {
    this.drop()
    this.#all = meshes.map(({ kind, args, local, mesh }) => {
      const collider = new RapierCollider(this.#world, kind, args)
      collider.object = mesh
      host.passOn(collider)
      return { collider, local }
    })
    this.place(object, host)
    for (const { collider } of this.#all) collider.enter(host.body)
  }

  /** @param {Object3D} object @param {BodyHost} host which is where it is now */
  place({ matrixWorld }, { object }) {
    const ofBody = /** @type {Object3D} */ (object).matrixWorld
    for (const { collider, local } of this.#all) {
      const ofCollider = new Matrix4().multiplyMatrices(matrixWorld, local)
      collider.placement = placementOf(ofBody, ofCollider)
    }
  }

  drop() {
    for (const { collider } of this.#all) collider.leave()
    this.#all = []
  }
}
