import { DynamicDrawUsage, InstancedBufferAttribute } from 'three'
import { collidersOf, own } from './auto-colliders.mjs'
import { warnOnce } from '../../rapier/index.mjs'

/** @import { InstancedMesh, Matrix4, Object3D } from 'three' */
/** @import { RapierRigidBody } from '../../rapier/rigid-body.mjs' */
/** @import { MeshCollider } from './auto-colliders.mjs' */
/** @import { BodyHost } from './body-host.mjs' */
/** @import { Props } from './options.mjs' */

/** Instances that one InstancedMesh draws, each where its body is. */
export class InstanceGroup {
  /** In the order of `instances`. @type {RapierRigidBody[]} */
  bodies = []
  /** Colliders of the mesh, which all bodies have. @type {readonly MeshCollider[]} */
  meshes = []

  /** @type {Set<BodyHost>} */
  #hosts = new Set()
  /** What has the mesh as its only child. @type {Object3D | undefined} */
  #wrapper

  /** @param {Object3D} wrapper around the mesh @param {Props} options */
  enter(wrapper, options) {
    if (this.#wrapper !== undefined) return
    own(wrapper)
    this.#wrapper = wrapper
    if (this.mesh === undefined) {
      const text = 'InstancedRigidBodies expects exactly one child, which must be an InstancedMesh'
      return warnOnce('InstancedRigidBodies', text)
    }
    this.findMeshes(options)
  }

  leave() {
    this.meshes = []
    this.#wrapper = undefined
  }

  /** @param {Props} options */
  findMeshes({ colliders, includeInvisible }) {
    if (this.#wrapper === undefined) return
    this.meshes =
      colliders === false ? [] : collidersOf(this.#wrapper, { colliders, includeInvisible })
    for (const host of this.#hosts) host.takeMeshes(this.meshes)
  }

  /** @returns {InstancedMesh | undefined} which may be another one after a rendering */
  get mesh() {
    const child = this.#wrapper?.children[0]
    return child && 'isInstancedMesh' in child ? /** @type {InstancedMesh} */ (child) : undefined
  }

  /** @param {BodyHost} host */
  add(host) {
    this.#hosts.add(host)
  }

  /** @param {BodyHost} host */
  remove(host) {
    this.#hosts.delete(host)
  }

  /**
   * Has the mesh draw as many instances as there are. It gets more room where it has too little.
   * @param {number} count
   */
  resize(count) {
    this.bodies.length = count
    const { mesh } = this
    if (mesh === undefined) return
    if (mesh.instanceMatrix.count < count) {
      mesh.instanceMatrix = longer(mesh.instanceMatrix, count)
      if (mesh.instanceColor !== null) mesh.instanceColor = longer(mesh.instanceColor, count)
    }
    mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    mesh.count = count
    for (const host of this.#hosts) host.redraw()
  }

  /** @param {number} index @param {Matrix4} matrix in the frame of the mesh */
  draw(index, matrix) {
    const { mesh } = this
    if (mesh === undefined || index >= mesh.instanceMatrix.count) return
    mesh.setMatrixAt(index, matrix)
    mesh.instanceMatrix.needsUpdate = true
    // They are of the poses before. Whoever wants them makes them again.
    mesh.boundingSphere = null
    mesh.boundingBox = null
  }
}

/**
 * What was there, and ones behind it: new instances are white until they have a colour.
 * @param {InstancedBufferAttribute} attribute
 * @param {number} count
 */
function longer({ array, itemSize }, count) {
  const Numbers = /** @type {Float32ArrayConstructor} */ (array.constructor)
  const more = new Numbers(count * itemSize).fill(1)
  more.set(array)
  return new InstancedBufferAttribute(more, itemSize)
}
