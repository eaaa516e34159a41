// Concave meshes to convex hulls, by vhacd-js, and how well they fit.

import { checkNames, readInteger, readObject, readPositive } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readIndices, readVertices } from '../definitions/triangles.mjs'
import { ConvexHull, createShape, init } from '../index.mjs'
import { decomposeByPeer } from './peer.mjs'
import { measureDifference } from './volume-error.mjs'

/** @import { PointsLike } from '../index.mjs' */

/**
 * @typedef {object} DecomposeOptions
 * @property {number} [maxHulls] 1 to 1024, default 64: more follow the mesh more closely, and cost more in each step
 * @property {number} [maxVertices] of each hull, 4 to 1024, default 64
 * @property {number} [voxels] into which the mesh is divided, 1000 to 10 million, default 50000: more follow it more
 *   closely and take longer
 * @property {number} [maxVolumeError] above 0, default 0.2: the volume that either only the mesh or only the hulls
 *   enclose, as a fraction of the mesh's
 * @property {number} [density] kg/m³, above 0, default 1000: for mass and inertia of the body
 */

/**
 * What `decompose` gives.
 * @typedef {object} Decomposition
 * @property {DecomposedBody} body for `world.createBody`
 * @property {number} volume m³, of the mesh
 * @property {number} volumeError the volume that either only the mesh or only the hulls enclose, as a fraction of
 *   `volume`
 */

/**
 * The hulls, whose union stands for the mesh, and the mass of the mesh itself: where hulls overlap it does not count
 * twice.
 * @typedef {object} DecomposedBody
 * @property {{ type: 'hull', points: Float64Array }[]} shapes in the frame of the mesh, metres: `x y z x y z ...`
 * @property {number} mass kg
 * @property {[number, number, number]} centerOfMass metres
 * @property {number[]} inertia kg m² about the centre of mass, 9 numbers by rows
 */

const NAMES = ['maxHulls', 'maxVertices', 'voxels', 'maxVolumeError', 'density']

/**
 * Takes a closed mesh apart into convex hulls, whose union is the mesh to within `maxVolumeError`: a body of all of
 * them is concave and can be dynamic. The work is done by V-HACD of `vhacd-js` (Mamou 2016), an optional peer: `npm
 * install vhacd-js`. It blocks for as long as it takes, seconds for many voxels: call it where you load, or in a worker.
 * The same input gives the same hulls.
 *
 * How far the union is from the mesh is measured here and not believed: both are cut by 28,657 parallel lines, along
 * which the lengths that are in one of both only are exact (volume-error.mjs).
 *
 * @param {PointsLike} vertices metres
 * @param {ArrayLike<number> | { itemSize: number, array: ArrayLike<number> }} indices three per triangle,
 *   counter-clockwise from outside
 * @param {Readonly<DecomposeOptions>} [options]
 * @returns {Promise<Decomposition>} rejects with `invalid-argument`, `not-finite`, `mesh-open`, `mesh-orientation`,
 *   `mesh-inside-out`, `peer-missing`, `wasm-failed`, and with `volume-error` where the hulls do not fit as closely as
 *   `maxVolumeError`
 *
 * @example
 * import { decompose } from 'moreau/decompose'
 * const { body } = await decompose(geometry.attributes.position, geometry.index)
 * world.createBody({ ...body, position: [0, 2, 0] })
 */
export async function decompose(vertices, indices, options = {}) {
  const settings = readOptions(options)
  const mesh = readMesh(vertices, indices)
  await init()
  const { volume, ...mass } = measureSolid(mesh, settings.density)
  const hulls = await hullsOf(mesh, settings)
  const volumeError = measureDifference(mesh, hulls).differing / volume
  checkError(volumeError, settings, hulls.length)
  const type = /** @type {const} */ ('hull')
  const shapes = hulls.map((hull) => ({ type, points: hull.vertices }))
  return { body: { shapes, ...mass }, volume, volumeError }
}

/** @typedef {{ vertices: Float64Array, indices: Uint32Array }} Mesh */
/** @typedef {ReturnType<typeof readOptions>} Settings */

/**
 * @param {unknown} vertices
 * @param {unknown} indices
 * @returns {Mesh}
 */
function readMesh(vertices, indices) {
  const numbers = readVertices(vertices, 'decompose: vertices')
  return {
    vertices: numbers,
    indices: readIndices(indices, numbers.length / 3, 'decompose: indices'),
  }
}

/**
 * @param {Mesh} mesh
 * @param {Settings} settings
 */
async function hullsOf({ vertices, indices }, { maxHulls, maxVertices, voxels }) {
  const parts = await decomposeByPeer(
    { positions: vertices, indices },
    { maxHulls, maxVerticesPerHull: maxVertices, voxelResolution: voxels },
  )
  return parts.flatMap((part) => hullOf(part.positions))
}

/** @param {unknown} value DecomposeOptions */
function readOptions(value) {
  const options = readObject(value, 'decompose: options')
  checkNames(options, NAMES, 'decompose')
  const { maxHulls = 64, maxVertices = 64, voxels = 50_000 } = options
  const { maxVolumeError = 0.2, density = 1000 } = options
  return {
    maxHulls: readInteger(maxHulls, 'decompose: maxHulls', 1, 1024),
    maxVertices: readInteger(maxVertices, 'decompose: maxVertices', 4, 1024),
    voxels: readInteger(voxels, 'decompose: voxels', 1000, 10_000_000),
    maxVolumeError: readPositive(maxVolumeError, 'decompose: maxVolumeError'),
    density: readPositive(density, 'decompose: density'),
  }
}

/**
 * Volume and mass of what a mesh encloses, exactly.
 * @param {Mesh} mesh
 * @param {number} density
 */
function measureSolid(mesh, density) {
  const shape = createShape({ type: 'mesh', ...mesh })
  try {
    const { volume, centroid } = shape
    const mass = density * volume
    return { volume, mass, centerOfMass: vectorOf(centroid), inertia: shape.inertia(mass) }
  } catch (error) {
    if (!(error instanceof MoreauError)) throw error
    // It encloses no volume.
    throw new MoreauError(error.code, `decompose: indices: ${error.message}`, { cause: error })
  } finally {
    shape.free()
  }
}

/** @param {readonly [number, number, number]} vector @returns {[number, number, number]} */
const vectorOf = ([x, y, z]) => [x, y, z]

/**
 * The hull of some points as the engine builds it; none where they span no volume.
 * @param {Float64Array} points
 * @returns {Mesh[]}
 */
function hullOf(points) {
  let hull
  try {
    hull = ConvexHull.fromPoints(points)
    const vertices = Float64Array.from(hull.vertices.flatMap((vertex) => [...vertex]))
    const indices = Uint32Array.from(hull.facets.flatMap((facet) => [...facet.vertices]))
    return [{ vertices, indices }]
  } catch (error) {
    if (error instanceof MoreauError && error.code.startsWith('hull-')) return []
    throw error
  } finally {
    hull?.free()
  }
}

/**
 * @param {number} volumeError
 * @param {Settings} settings
 * @param {number} count of hulls
 */
function checkError(volumeError, { maxVolumeError, maxHulls, voxels }, count) {
  if (volumeError <= maxVolumeError) return
  const found = `${count} hulls are off by ${volumeError.toPrecision(3)} of the volume`
  const allowed = `maxVolumeError allows ${maxVolumeError}`
  const advice = `give more than ${maxHulls} maxHulls or ${voxels} voxels`
  throw new MoreauError('volume-error', `decompose: ${found}, ${allowed}; ${advice}`)
}
