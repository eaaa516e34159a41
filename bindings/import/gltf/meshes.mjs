// Meshes as colliders.

import { inverse, ORIGIN, rotate, subtract, ZERO } from '../rigid.mjs'
import { apply } from './nodes.mjs'

/** @import { Vector } from '../../types/index.mjs' */
/** @import { Mesh } from '../meshes.mjs' */
/** @import { Place } from './nodes.mjs' */
/** @import { SceneContext } from './gltf.mjs' */
/** @import { Placed } from './shapes.mjs' */
/** @import { GltfGeometry } from './types.mjs' */

/**
 * @param {GltfGeometry} geometry
 * @param {Place} place
 * @param {boolean} isStatic
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Promise<Placed | null>}
 */
export async function meshOf({ node, mesh, convexHull = false }, place, isStatic, path, context) {
  if (mesh !== undefined && context.json.meshes?.[mesh] === undefined) {
    context.warnings.add(path, `there is no mesh ${mesh}: left out`)
    return null
  }
  if (mesh === undefined && context.json.nodes?.[node ?? -1] === undefined) {
    const why = node === undefined ? 'it names no shape, mesh or node' : `there is no node ${node}`
    context.warnings.add(path, `${why}: left out`)
    return null
  }
  const parts =
    mesh === undefined ? meshesBelow(node, context) : [{ mesh, linear: null, offset: ZERO }]
  /** @type {Mesh} */
  const whole = { vertices: [], indices: [] }
  for (const part of parts) {
    for (const one of await primitivesOf(part.mesh, path, context)) {
      const start = whole.vertices.length / 3
      for (let i = 0; i < one.vertices.length; i += 3) {
        const point = /** @type {Vector} */ (one.vertices.slice(i, i + 3))
        whole.vertices.push(...inNode(point, part, place))
      }
      for (const index of one.indices) whole.indices.push(start + index)
    }
  }
  if (whole.vertices.length === 0) {
    context.warnings.add(path, 'its mesh has no triangles: left out')
    return null
  }
  if (convexHull || !isStatic) {
    if (!convexHull) context.warnings.add(path, 'a mesh that moves collides as its convex hull')
    return { definition: { type: 'hull', points: whole.vertices }, frame: ORIGIN }
  }
  return { definition: { type: 'mesh', ...whole }, frame: ORIGIN }
}

/** A mesh, and where it is in the node that a geometry names. @typedef {{ mesh: number, linear: Place['linear'] | null, offset: Vector }} MeshPart */

/**
 * The point of a mesh in the frame of the collider's node, with that node's scale.
 * @param {Vector} point
 * @param {MeshPart} part
 * @param {Place} place
 * @returns {Vector}
 */
function inNode(point, { linear, offset }, place) {
  const local = linear === null ? point : apply(linear, point)
  const [x, y, z] = [local[0] + offset[0], local[1] + offset[1], local[2] + offset[2]]
  return rotate(inverse(place.frame).orientation, apply(place.linear, [x, y, z]))
}

/**
 * The meshes of a node and of those below it, relative to it.
 * @param {number | undefined} index
 * @param {SceneContext} context
 * @returns {MeshPart[]}
 */
function meshesBelow(index, { places, apart }) {
  const tree = places.has(index ?? -1) ? places : apart(index ?? -1)
  const root = tree.get(index ?? -1)
  if (root === undefined) return []
  /** @type {MeshPart[]} */
  const parts = []
  /** What is still to be looked at, the next one last. */
  const open = [root]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (let i = place.children.length - 1; i >= 0; i--) open.push(place.children[i])
    if (place.node.mesh === undefined) continue
    parts.push(
      place === root
        ? { mesh: place.node.mesh, linear: null, offset: ZERO }
        : relativePart(place, root),
    )
  }
  return parts
}

/**
 * @param {Place} place below root
 * @param {Place} root
 * @returns {MeshPart}
 */
function relativePart(place, root) {
  const invert = inverseOf(root.linear)
  const linear = /** @type {Place['linear']} */ (
    place.linear.map((column) => apply(invert, column))
  )
  const offset = apply(invert, subtract(place.frame.position, root.frame.position))
  return { mesh: place.node.mesh ?? -1, linear, offset }
}

/**
 * @param {Place['linear']} columns
 * @returns {Place['linear']}
 */
function inverseOf([a, b, c]) {
  const cofactor = (/** @type {Vector} */ u, /** @type {Vector} */ v) =>
    /** @type {Vector} */ ([
      u[1] * v[2] - u[2] * v[1],
      u[2] * v[0] - u[0] * v[2],
      u[0] * v[1] - u[1] * v[0],
    ])
  const rows = [cofactor(b, c), cofactor(c, a), cofactor(a, b)]
  const determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2]
  const column = (/** @type {number} */ i) =>
    /** @type {Vector} */ (rows.map((row) => row[i] / determinant))
  return [column(0), column(1), column(2)]
}

/** The modes of primitives that are triangles: each by itself, in a strip, in a fan. */
const TRIANGLES = 4
const STRIP = 5
const FAN = 6
/** Extensions that keep the vertices elsewhere. */
const PACKED = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression']

/**
 * @param {number} index of a mesh
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Promise<Mesh[]>}
 */
async function primitivesOf(index, path, { json, accessors, warnings }) {
  const meshes = []
  for (const primitive of json.meshes?.[index]?.primitives ?? []) {
    const { mode = TRIANGLES, attributes, indices, extensions } = primitive
    if (mode < TRIANGLES || mode > FAN) {
      warnings.add(path, 'a primitive that is no triangles is left out')
      continue
    }
    const packed = PACKED.find((name) => extensions !== undefined && name in extensions)
    if (packed !== undefined) {
      warnings.add(path, `${packed} is not read: a primitive is left out`)
      continue
    }
    const vertices = await accessors.numbers(attributes?.POSITION ?? -1, 'VEC3', path)
    if (vertices === null) continue
    const count = vertices.length / 3
    const plain = Array.from({ length: count }, (_, i) => i)
    const order = indices === undefined ? plain : await accessors.numbers(indices, 'SCALAR', path)
    if (order === null) continue
    const bad = order.find((one) => !(Number.isInteger(one) && one >= 0 && one < count))
    if (bad !== undefined) {
      const message = `the indices of a primitive have ${bad}, of ${count} vertices: left out`
      warnings.add(path, message)
      continue
    }
    const triangles = trianglesOf(order, mode)
    const rest = triangles.length % 3
    if (rest > 0) warnings.add(path, `the last ${rest} corners of a primitive are no triangle`)
    meshes.push({ vertices, indices: triangles.slice(0, triangles.length - rest) })
  }
  return meshes
}

/**
 * @param {number[]} order
 * @param {number} mode
 * @returns {number[]}
 */
function trianglesOf(order, mode) {
  if (mode === TRIANGLES) return order
  return order.slice(2).flatMap((last, i) => {
    if (mode === FAN) return [order[0], order[i + 1], last]
    return mode === STRIP && i % 2 === 1
      ? [order[i + 1], order[i], last]
      : [order[i], order[i + 1], last]
  })
}
