import { Matrix4, Vector3 } from 'three'

// Colliders of the meshes within a component.

/** @import { BufferGeometry, Mesh, Object3D } from 'three' */
/** @import { ColliderArgs, ColliderKind } from '../../rapier/shapes.mjs' */

/** @typedef {'ball' | 'cuboid' | 'hull' | 'trimesh'} AutoCollider */

/**
 * A collider of a mesh, and where it is within the object that was looked through.
 * @typedef {{ kind: ColliderKind, args: ColliderArgs, local: Matrix4, mesh: Object3D }} MeshCollider
 */

/** Objects that have colliders of their own for what is in them. @type {WeakSet<Object3D>} */
const owners = new WeakSet()

/** @param {Object3D} object that answers for the meshes in it */
export function own(object) {
  owners.add(object)
}

/**
 * @param {Object3D} object
 * @param {{ colliders: AutoCollider, includeInvisible?: boolean }} options
 * @returns {MeshCollider[]} one for each mesh in it
 */
export function collidersOf(object, { colliders, includeInvisible = false }) {
  object.updateWorldMatrix(true, true)
  const back = object.matrixWorld.clone().invert()
  /** @type {MeshCollider[]} */
  const found = []
  visit(object, includeInvisible, (mesh) => {
    const { kind, args, offset } = ofGeometry(mesh.geometry, colliders)
    const local = new Matrix4().multiplyMatrices(back, mesh.matrixWorld)
    local.multiply(new Matrix4().setPosition(offset))
    found.push({ kind, args, local, mesh })
  })
  return found
}

/**
 * @param {Object3D} object
 * @param {boolean} includeInvisible
 * @param {(mesh: Mesh) => void} take
 * @param {boolean} [isRoot]
 */
function visit(object, includeInvisible, take, isRoot = true) {
  if (!isRoot && owners.has(object)) return
  if (!includeInvisible && !object.visible) return
  if ('isMesh' in object) take(/** @type {Mesh} */ (object))
  for (const child of object.children) visit(child, includeInvisible, take, false)
}

/**
 * @param {BufferGeometry} geometry
 * @param {AutoCollider} colliders
 * @returns {{ kind: ColliderKind, args: ColliderArgs, offset: Vector3 }}
 */
function ofGeometry(geometry, colliders) {
  if (colliders === 'cuboid') return cuboidOf(geometry)
  if (colliders === 'ball') return ballOf(geometry)
  const points = pointsOf(geometry)
  const offset = new Vector3()
  if (colliders === 'hull') return { kind: 'convexHull', args: [points, new Map()], offset }
  if (colliders === 'trimesh') {
    return { kind: 'trimesh', args: [points, geometry.index?.array], offset }
  }
  const known = 'cuboid, ball, hull, trimesh or false'
  throw new TypeError(`RigidBody: colliders must be ${known}, got '${colliders}'`)
}

/** @param {BufferGeometry} geometry @returns {ReturnType<typeof ofGeometry>} */
function cuboidOf(geometry) {
  geometry.computeBoundingBox()
  const box = /** @type {import('three').Box3} */ (geometry.boundingBox)
  const half = box.getSize(new Vector3()).multiplyScalar(0.5)
  return { kind: 'cuboid', args: half.toArray(), offset: box.getCenter(new Vector3()) }
}

/** @param {BufferGeometry} geometry @returns {ReturnType<typeof ofGeometry>} */
function ballOf(geometry) {
  geometry.computeBoundingSphere()
  const { radius, center } = /** @type {import('three').Sphere} */ (geometry.boundingSphere)
  return { kind: 'ball', args: [radius], offset: center.clone() }
}

/** A copy, also of interleaved attributes: what is built of it may be kept. @param {BufferGeometry} geometry */
function pointsOf({ attributes: { position } }) {
  const points = new Float32Array(3 * position.count)
  const vertex = new Vector3()
  for (let i = 0; i < position.count; i++) {
    vertex.fromBufferAttribute(position, i).toArray(points, 3 * i)
  }
  return points
}
