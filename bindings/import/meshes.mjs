// Meshes that a file names and the user's loader brings, and what they weigh.

import { MoreauError } from '../core/errors.mjs'
import { diagonal, pointInertia, sum, times } from './inertia.mjs'
import { add, cross, dot, scale as scaled, subtract, ZERO } from './rigid.mjs'

/** @import { IndicesLike, PointsLike, Vector } from '../types/index.mjs' */
/** @import { Inertial, Matrix } from './inertia.mjs' */
/** @import { Warnings } from './xml/reader.mjs' */

/**
 * A mesh as a loader gives it. Without indices every three vertices are a triangle.
 * @typedef {object} LoadedMesh
 * @property {PointsLike} vertices
 * @property {IndicesLike} [indices]
 */

/**
 * @typedef {(uri: string) => LoadedMesh | Uint8Array | ArrayBuffer | string | null | undefined
 *   | Promise<LoadedMesh | Uint8Array | ArrayBuffer | string | null | undefined>} Loader
 */

/** @typedef {{ vertices: number[], indices: number[] }} Mesh three numbers per vertex and per triangle */

/**
 * @param {Loader | undefined} loader
 * @param {string} uri
 * @param {Vector} scale
 * @param {string} path
 * @param {Warnings} warnings
 * @returns {Promise<Mesh | null>} null: none, with a warning
 */
export async function loadMesh(loader, uri, scale, path, warnings) {
  if (loader === undefined) {
    warnings.add(path, `mesh '${uri}' is left out: there is no loader`)
    return null
  }
  const loaded = await loader(uri)
  if (loaded === null || loaded === undefined) {
    warnings.add(path, `mesh '${uri}' is left out: the loader gave none`)
    return null
  }
  if (typeof loaded !== 'object' || !('vertices' in loaded)) {
    throw new MoreauError('invalid-argument', `loader: '${uri}' must give { vertices, indices }`)
  }
  const points = flat(loaded.vertices, uri)
  const vertices = points.map((number, i) => number * scale[i % 3])
  const indices =
    loaded.indices === undefined
      ? Array.from({ length: vertices.length / 3 }, (_, i) => i)
      : Array.from(listOf(loaded.indices))
  // A mirrored mesh has its fronts inside.
  const isMirrored = scale[0] * scale[1] * scale[2] < 0
  return { vertices, indices: isMirrored ? indices.reverse() : indices }
}

/**
 * @param {any} values numbers, or what has them as a three.js `BufferAttribute` does
 * @returns {ArrayLike<number>}
 */
const listOf = (values) => ('itemSize' in values && 'array' in values ? values.array : values)

/**
 * @param {PointsLike} points
 * @param {string} uri
 * @returns {number[]}
 */
function flat(points, uri) {
  const list = Array.from(/** @type {ArrayLike<any>} */ (listOf(points)))
  const numbers = list.flatMap((one) =>
    typeof one === 'number' ? [one] : 'x' in one ? [one.x, one.y, one.z] : Array.from(one),
  )
  if (numbers.length > 0 && numbers.length % 3 === 0) return numbers
  throw new MoreauError('invalid-argument', `loader: '${uri}' must give three numbers per vertex`)
}

/**
 * @param {string} path
 * @param {Warnings} warnings
 */
export function warnOfMesh(path, warnings) {
  warnings.add(path, 'the mesh collides as its convex hull')
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
