import { Matrix4, Quaternion, Vector3 } from 'three'
import { shapeFromGeometry } from './geometry.mjs'

// Bodies of three.js objects, and objects that follow their bodies.

/** @import { InstancedMesh, Mesh, Object3D } from 'three' */
/** @import { Body, BodyDefinition, ShapeDefinition, World } from '../index.mjs' */

/** Floats per slot of the poses of a world. */
const STRIDE = 8

const IDENTITY = Object.freeze(new Matrix4())
const matrix = new Matrix4()
const instance = new Matrix4()
const position = new Vector3()
const orientation = new Quaternion()
const scale = new Vector3()
const parentOrientation = new Quaternion()

/**
 * A body of an object of a three.js scene and of all meshes below it, where the object is in the world. The
 * shape of a mesh is placed, sized and turned as the mesh is within the object. Bodies are not turned
 * back to the object by themselves: `followBody` does it, or `MoreauPhysics`.
 *
 * @param {World} world
 * @param {Object3D} object
 * @param {Omit<BodyDefinition, 'shape' | 'shapes' | 'position' | 'orientation'>} [options] of the body, such as
 *   `type`, `mass` and `friction`
 * @returns {Body}
 * @throws {MoreauError} as `world.createBody`; `invalid-argument` if there is no mesh
 *
 * @example
 * const crate = bodyFromObject3D(world, gltf.scene, { mass: 20 })
 */
export function bodyFromObject3D(world, object, options = {}) {
  object.updateWorldMatrix(true, true)
  object.matrixWorld.decompose(position, orientation, scale)
  const pose = { position: position.toArray(), orientation: orientation.toArray() }
  const dynamic = (options.type ?? 'dynamic') === 'dynamic'
  const back = new Matrix4().compose(position, orientation, new Vector3(1, 1, 1)).invert()
  /** @type {ShapeDefinition[]} */
  const shapes = []
  object.traverse((child) => {
    if ('isMesh' in child) shapes.push(placedShape(/** @type {Mesh} */ (child), back, dynamic))
  })
  return world.createBody({ ...options, ...pose, shapes })
}

/**
 * @param {Mesh} mesh
 * @param {Matrix4} back from the world to the body
 * @param {boolean} dynamic
 * @returns {ShapeDefinition}
 */
function placedShape(mesh, back, dynamic) {
  const local = new Vector3()
  const turn = new Quaternion()
  const size = new Vector3()
  matrix.multiplyMatrices(back, mesh.matrixWorld).decompose(local, turn, size)
  const shape = shapeFromGeometry(mesh.geometry, { scale: size, dynamic })
  return { ...shape, position: local.toArray(), orientation: turn.toArray() }
}

/**
 * Puts an object where a body is, whatever the object is in. Its scale stays.
 * @param {Object3D} object
 * @param {ArrayLike<number>} poses `world.transforms`, or what `world.interpolate` filled
 * @param {Body} body
 */
export function followBody(object, poses, body) {
  const at = STRIDE * body.index
  object.position.set(poses[at], poses[at + 1], poses[at + 2])
  object.quaternion.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 7])
  const { parent } = object
  if (parent === null || parent.parent === null) return // what a scene itself has
  parent.updateWorldMatrix(true, false)
  parent.worldToLocal(object.position)
  parent.getWorldQuaternion(parentOrientation)
  object.quaternion.premultiply(parentOrientation.invert())
}

/**
 * Writes the poses of bodies to the instances of an InstancedMesh, which keep their scales, wherever the mesh itself is. It
 * allocates nothing.
 * @param {InstancedMesh} mesh
 * @param {readonly (Body | null)[]} bodies one per instance; of null the instance stays as it is
 * @param {ArrayLike<number>} poses `world.transforms`, or what `world.interpolate` filled
 * @param {readonly (Readonly<Vector3> | undefined)[]} [scales] one per instance; default 1
 *
 * @example
 * world.advance(seconds, { interpolate: true })
 * syncInstancedMesh(mesh, bodies, world.interpolate(poses))
 */
export function syncInstancedMesh(mesh, bodies, poses, scales = []) {
  const { array } = mesh.instanceMatrix
  const count = Math.min(mesh.count, bodies.length)
  mesh.updateWorldMatrix(true, false)
  const isAtOrigin = mesh.matrixWorld.equals(IDENTITY)
  if (!isAtOrigin) matrix.copy(mesh.matrixWorld).invert()
  for (let i = 0; i < count; i++) {
    const body = bodies[i]
    if (body === null || !body.isAlive) continue
    compose(poses, STRIDE * body.index, scales[i], instance.elements)
    if (!isAtOrigin) instance.premultiply(matrix)
    instance.toArray(array, 16 * i)
  }
  mesh.instanceMatrix.needsUpdate = true
  // They are of the poses before. Whoever wants them makes them again.
  mesh.boundingSphere = null
  mesh.boundingBox = null
}

/**
 * A pose as a matrix by columns: rotation times scale, and translation.
 * @param {ArrayLike<number>} poses
 * @param {number} at
 * @param {Readonly<Vector3> | undefined} size
 * @param {{ [index: number]: number }} out
 */
function compose(poses, at, size, out) {
  const [x, y, z, w] = [poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 7]]
  const [sx, sy, sz] = size === undefined ? [1, 1, 1] : [size.x, size.y, size.z]
  out[0] = (1 - 2 * (y * y + z * z)) * sx
  out[1] = 2 * (x * y + w * z) * sx
  out[2] = 2 * (x * z - w * y) * sx
  out[3] = 0
  out[4] = 2 * (x * y - w * z) * sy
  out[5] = (1 - 2 * (x * x + z * z)) * sy
  out[6] = 2 * (y * z + w * x) * sy
  out[7] = 0
  out[8] = 2 * (x * z + w * y) * sz
  out[9] = 2 * (y * z - w * x) * sz
  out[10] = (1 - 2 * (x * x + y * y)) * sz
  out[11] = 0
  for (let i = 0; i < 3; i++) out[12 + i] = poses[at + i]
  out[15] = 1
}
