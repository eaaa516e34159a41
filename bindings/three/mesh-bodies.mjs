import { Matrix4, Quaternion, Vector3 } from 'three'
import { shapeFromGeometry } from './geometry.mjs'

// Where meshes and instances are, and what shapes they have.

/** @import { InstancedMesh, Mesh, Object3D } from 'three' */
/** @import { Body, BodyDefinition, ShapeDefinition } from '../index.mjs' */

/** @typedef {{ position: [number, number, number], orientation: [number, number, number, number], scale: Vector3 }} Place */

/**
 * How bodies are made, and in whose spelling meshes keep them.
 * @typedef {object} Spelling
 * @property {(definition: ShapeDefinition) => any} toShape what instances of one scale share
 * @property {(shape: any, options: Partial<BodyDefinition>) => Made} make
 * @property {(made: Made) => void} remove
 * @property {() => void} free gives the world back
 */

/** @typedef {{ raw: Body, body: any, collider: any }} Made the body of Moreau, and what `userData.physics` has of it */

/**
 * Makes the body of a mesh, or those of its instances: instances of one scale share a shape.
 * @param {Mesh} mesh
 * @param {Partial<BodyDefinition>} options
 * @param {Spelling} spelling
 * @param {{ made: Made[], scales: Vector3[] }} entry where they are put, one by one
 */
export function makeBodies(mesh, options, { toShape, make }, { made, scales }) {
  const dynamic = options.type !== 'static'
  /** @type {{ scale: Vector3, shape: any }[]} */
  const known = []
  for (const { scale, ...pose } of placesOf(mesh)) {
    let same = known.find((one) => one.scale.equals(scale))
    if (same === undefined) {
      same = { scale, shape: toShape(shapeFromGeometry(mesh.geometry, { scale, dynamic })) }
      known.push(same)
    }
    made.push(make(same.shape, { ...options, ...pose }))
    scales.push(scale)
  }
}

/**
 * Where a mesh is in the world, or where its instances are.
 * @param {Mesh} mesh
 * @returns {Place[]}
 */
function placesOf(mesh) {
  mesh.updateWorldMatrix(true, false)
  if (!('isInstancedMesh' in mesh)) return [placeOf(mesh.matrixWorld)]
  const instanced = /** @type {InstancedMesh} */ (mesh)
  const matrix = new Matrix4()
  return Array.from({ length: instanced.count }, (_, i) => {
    instanced.getMatrixAt(i, matrix)
    return placeOf(matrix.premultiply(mesh.matrixWorld))
  })
}

/** @param {Object3D} object */
export function poseOf(object) {
  object.updateWorldMatrix(true, false)
  const { position, orientation } = placeOf(object.matrixWorld)
  return { position, orientation }
}

/**
 * @param {Matrix4} matrix
 * @returns {Place}
 */
function placeOf(matrix) {
  const position = new Vector3()
  const orientation = new Quaternion()
  const scale = new Vector3()
  matrix.decompose(position, orientation, scale)
  return { position: position.toArray(), orientation: orientation.toArray(), scale }
}
