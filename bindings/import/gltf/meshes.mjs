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
  for (const place of tree.values()) {
    let at = /** @type {Place | null} */ (place)
    while (at !== null && at !== root) at = at.parent
    if (at === null || place.node.mesh === undefined) continue
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

/**
 * @param {number} index of a mesh
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Promise<Mesh[]>}
 */
async function primitivesOf(index, path, { json, accessors, warnings }) {
  const meshes = []
  for (const primitive of json.meshes?.[index]?.primitives ?? []) {
    const { mode = TRIANGLES, attributes, indices } = primitive
    const vertices = await accessors.numbers(attributes.POSITION ?? -1, path)
    if (vertices === null || mode < TRIANGLES) {
      if (mode < TRIANGLES) warnings.add(path, 'a primitive that is no triangles is left out')
      continue
    }
    const plain = Array.from({ length: vertices.length / 3 }, (_, i) => i)
    const order = indices === undefined ? plain : await accessors.numbers(indices, path)
    if (order !== null) meshes.push({ vertices, indices: trianglesOf(order, mode) })
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
