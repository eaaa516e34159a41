// Meshes that a file names and the user's loader brings, and what they weigh.

import { isObject } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readIndices, readVertices } from '../definitions/triangles.mjs'
import { ConvexHull, init } from '../index.mjs'
import { diagonal, pointInertia, sum, times } from './inertia.mjs'
import { add, cross, dot, scale as scaled, subtract, ZERO } from './rigid.mjs'
import { at, describePlace } from './xml/place.mjs'

/** @import { IndicesLike, PointsLike, Vector } from '../types/index.mjs' */
/** @import { Inertial, Matrix } from './inertia.mjs' */
/** @import { Place } from './xml/place.mjs' */
/** @import { Warnings } from './xml/reader.mjs' */

/**
 * A mesh as a loader gives it. Without indices every three vertices are a triangle; what is no number of such is a cloud of points,
 * of which there is a hull.
 * @typedef {object} LoadedMesh
 * @property {PointsLike} vertices
 * @property {IndicesLike} [indices]
 */

/**
 * @typedef {(uri: string) => LoadedMesh | Uint8Array | ArrayBuffer | string | null | undefined
 *   | Promise<LoadedMesh | Uint8Array | ArrayBuffer | string | null | undefined>} Loader
 */

/**
 * What is needed to load what a file names.
 * @typedef {object} Loading
 * @property {Loader | undefined} loader
 * @property {string} where the call
 * @property {Warnings} warnings
 */

/** @typedef {{ vertices: number[], indices: number[] }} Mesh three numbers per vertex and per triangle */

/**
 * What the loader gives.
 * @param {string} uri
 * @param {Place} place of what names it
 * @param {Loading} loading
 * @returns {Promise<unknown>}
 * @throws {MoreauError} `callback-failed`, with what it threw as its cause
 */
export async function load(uri, place, { loader, where }) {
  try {
    return await loader?.(uri)
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : describe(cause)
    const message = `${where}: ${describePlace(place)}: loader: ${describe(uri)}: ${what}`
    throw new MoreauError('callback-failed', message, { cause })
  }
}

/**
 * @param {string} uri
 * @param {Vector} scale
 * @param {Place} place of what names it
 * @param {Loading} loading
 * @returns {Promise<Mesh | null>} null: none, with a warning
 */
export async function loadMesh(uri, scale, place, loading) {
  const { loader, where, warnings } = loading
  if (loader === undefined) {
    warnings.add(place, `mesh ${describe(uri)} is left out: there is no loader`)
    return null
  }
  const loaded = await load(uri, place, loading)
  if (loaded === null || loaded === undefined) {
    warnings.add(place, `mesh ${describe(uri)} is left out: the loader gave none`)
    return null
  }
  return at(where, place, () => readMesh(loaded, scale, `loader: ${describe(uri)}`))
}

/**
 * @param {unknown} loaded
 * @param {Vector} scale
 * @param {string} path for messages
 * @returns {Mesh}
 */
function readMesh(loaded, scale, path) {
  if (!isObject(loaded) || ArrayBuffer.isView(loaded) || !('vertices' in loaded)) {
    throw invalid(path, '{ vertices, indices }', loaded)
  }
  const { vertices: given, indices } = /** @type {LoadedMesh} */ (/** @type {unknown} */ (loaded))
  const vertices = Array.from(readVertices(given, `${path}: vertices`), (x, i) => x * scale[i % 3])
  const count = vertices.length / 3
  return {
    vertices,
    indices: facing(scale, indices === undefined ? plain(count) : indicesOf(indices, count, path)),
  }
}

/**
 * @param {unknown} indices
 * @param {number} count of vertices
 * @param {string} path
 */
const indicesOf = (indices, count, path) =>
  Array.from(readIndices(indices, count, `${path}: indices`))

/**
 * @param {number} count of vertices
 * @returns {number[]} every three of them, or none where that leaves some over
 */
const plain = (count) => (count % 3 === 0 ? Array.from({ length: count }, (_, i) => i) : [])

/**
 * @param {Vector} scale
 * @param {number[]} indices
 * @returns {number[]} with fronts outside: those of a mirrored mesh are inside
 */
export const facing = (scale, indices) =>
  scale[0] * scale[1] * scale[2] < 0 ? indices.reverse() : indices

/**
 * @param {Place | string} place
 * @param {Warnings} warnings
 */
export function warnOfMesh(place, warnings) {
  warnings.add(place, 'the mesh collides as its convex hull')
}

/**
 * Volume, centre and inertia per density of the convex hull of a mesh.
 * @param {Mesh} mesh
 * @returns {Promise<Inertial | null>} null: it has none
 */
export async function volumeOfHull({ vertices }) {
  // Of worlds with threads it may not be there yet.
  await init()
  try {
    const hull = ConvexHull.fromPoints(vertices)
    const { volume, centroid } = hull
    return volume > 0
      ? { mass: volume, center: [...centroid], inertia: hull.inertia(volume) }
      : null
  } catch (error) {
    if (error instanceof MoreauError && error.code.startsWith('hull-')) return null
    throw error
  }
}

/**
 * Volume, centre and inertia per density of what a closed mesh encloses: sums over the tetrahedra from its first vertex to its
 * triangles (Tonon 2004).
 * @param {Mesh} mesh
 * @returns {Inertial | null} `mass` is the volume, m³; null where it is not above 0
 */
export function volumeOf({ vertices, indices }) {
  /** @type {(i: number) => Vector} */
  const vertex = (i) => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]]
  if (indices.length === 0) return null
  const first = vertex(indices[0])
  let volume = 0
  let moment = ZERO
  /** @type {Matrix} about the first vertex */
  let inertia = diagonal(0, 0, 0)
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => subtract(vertex(indices[i + k]), first))
    const [a, b, c] = corners
    const part = dot(a, cross(b, c)) / 6
    const whole = add(add(a, b), c)
    volume += part
    moment = add(moment, scaled(whole, part / 4))
    // Second moments of a tetrahedron with a corner at 0: V/20 (sum of the corners' own and that of their sum).
    for (const point of [a, b, c, whole])
      inertia = sum(inertia, times(pointInertia(point), part / 20))
  }
  if (!(volume > 0)) return null
  const center = scaled(moment, 1 / volume)
  const about = sum(inertia, times(pointInertia(center), -volume))
  return { mass: volume, center: add(first, center), inertia: about }
}
