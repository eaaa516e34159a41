import { Vector3 } from 'three'
import { MoreauError } from '../core/errors.mjs'

// Shapes of three.js geometries.

/** @import { BufferGeometry } from 'three' */
/** @import { ShapeDefinition, VectorLike } from '../index.mjs' */

/** @typedef {Readonly<Record<string, number | undefined>>} Parameters as geometries of three.js keep them */

/** Of a scale: three factors nearer to each other than this are one, since they come from products of matrices. */
const SAME = 1e-6

/**
 * What a geometry is made from, and the shape of it, sized by the scale. Undefined where the scale bends what
 * is round: the triangles are taken then.
 * @type {Readonly<Record<string, (parameters: Parameters, scale: Vector3) => ShapeDefinition | undefined>>}
 */
const SHAPES = {
  BoxGeometry: boxOf,
  RoundedBoxGeometry: boxOf,
  SphereGeometry: sphereOf,
  IcosahedronGeometry: sphereOf,
  CapsuleGeometry({ radius = 1, height, length = height ?? 1 }, scale) {
    if (!isUniform(scale.x, scale.y, scale.z)) return undefined
    return { type: 'capsule', radius: radius * scale.x, halfHeight: (length / 2) * scale.y }
  },
  CylinderGeometry({ radiusTop = 1, radiusBottom = 1, height = 1 }, scale) {
    if (!isUniform(scale.x, scale.z)) return undefined
    const halfHeight = (height / 2) * scale.y
    if (radiusTop === radiusBottom) {
      return { type: 'cylinder', radius: radiusTop * scale.x, halfHeight }
    }
    const radii = { radiusTop: radiusTop * scale.x, radiusBottom: radiusBottom * scale.x }
    return { type: 'cylinder', ...radii, halfHeight }
  },
  ConeGeometry({ radius = 1, height = 1 }, scale) {
    if (!isUniform(scale.x, scale.z)) return undefined
    return { type: 'cone', radius: radius * scale.x, halfHeight: (height / 2) * scale.y }
  },
}

/**
 * The shape of a three.js geometry. Those of boxes, rounded boxes, spheres, icosahedra (as three.js' own
 * physics takes them: balls), capsules, cylinders and cones are exact and have no facets; of any other the
 * triangles are taken: as a convex hull where the shape is to move, else as a mesh.
 *
 * @param {BufferGeometry} geometry
 * @param {{ scale?: VectorLike, dynamic?: boolean }} [options] `scale` of the object that has it; `dynamic`, default
 *   true: whether the shape is for a dynamic body, which has no mesh
 * @returns {ShapeDefinition}
 * @throws {MoreauError} `invalid-argument` for what is no geometry or has no positions
 *
 * @example
 * world.createBody({ shape: shapeFromGeometry(mesh.geometry, { scale: mesh.scale }), position: mesh.position })
 */
export function shapeFromGeometry(geometry, { scale = [1, 1, 1], dynamic = true } = {}) {
  const position = geometry?.attributes?.position
  if (position === undefined) {
    const message = 'shapeFromGeometry: geometry must be a BufferGeometry with positions'
    throw new MoreauError('invalid-argument', message)
  }
  const factors = toVector3(scale)
  const { parameters = {} } = /** @type {{ parameters?: Parameters }} */ (geometry)
  const size = factors.clone().set(...absolute(factors))
  const exact = isWhole(parameters) ? SHAPES[geometry.type]?.(parameters, size) : undefined
  return exact ?? trianglesOf(geometry, factors, dynamic)
}

/**
 * @param {Parameters} parameters
 * @returns {boolean} whether the geometry is all of its body, and not a slice
 */
function isWhole({ phiLength, thetaLength, openEnded, phiStart, thetaStart }) {
  const turn = 2 * Math.PI
  const isTurn = (/** @type {number | undefined} */ angle) => angle === undefined || angle >= turn
  // Of a sphere theta goes from pole to pole; of a cylinder it goes round.
  const isSphere = phiLength !== undefined || phiStart !== undefined
  const theta = isSphere ? (thetaLength ?? Math.PI) >= Math.PI : isTurn(thetaLength)
  return isTurn(phiLength) && theta && !openEnded && (thetaStart ?? 0) >= 0
}

/** @param {Vector3} scale @returns {[number, number, number]} */
const absolute = ({ x, y, z }) => [Math.abs(x), Math.abs(y), Math.abs(z)]

/** @param {...number} factors */
function isUniform(...factors) {
  return Math.max(...factors) - Math.min(...factors) <= SAME * Math.max(...factors)
}

/**
 * @param {Parameters} parameters
 * @param {Vector3} scale
 * @returns {ShapeDefinition | undefined}
 */
function boxOf({ width = 1, height = 1, depth = 1, radius = 0 }, scale) {
  if (radius > 0 && !isUniform(scale.x, scale.y, scale.z)) return undefined
  const halves = /** @type {const} */ ([
    (width / 2 - radius) * scale.x,
    (height / 2 - radius) * scale.y,
    (depth / 2 - radius) * scale.z,
  ])
  return radius > 0
    ? { type: 'box', halfExtents: halves, radius: radius * scale.x }
    : { type: 'box', halfExtents: halves }
}

/**
 * @param {Parameters} parameters
 * @param {Vector3} scale
 * @returns {ShapeDefinition | undefined}
 */
function sphereOf({ radius = 1 }, scale) {
  if (!isUniform(scale.x, scale.y, scale.z)) return undefined
  return { type: 'sphere', radius: radius * scale.x }
}

/**
 * @param {BufferGeometry} geometry
 * @param {Vector3} scale
 * @param {boolean} dynamic
 * @returns {ShapeDefinition}
 */
function trianglesOf(geometry, scale, dynamic) {
  const { position } = geometry.attributes
  const vertices = new Float64Array(3 * position.count)
  const vertex = new Vector3()
  for (let i = 0; i < position.count; i++) {
    vertex
      .fromBufferAttribute(position, i)
      .multiply(scale)
      .toArray(vertices, 3 * i)
  }
  if (dynamic) return { type: 'hull', points: vertices }
  return { type: 'mesh', vertices, indices: indicesOf(geometry, scale) }
}

/**
 * @param {BufferGeometry} geometry
 * @param {Vector3} scale
 */
function indicesOf(geometry, scale) {
  const { index, attributes } = geometry
  const indices = index
    ? Uint32Array.from({ length: index.count }, (_, i) => index.getX(i))
    : Uint32Array.from({ length: attributes.position.count }, (_, i) => i)
  // A mirrored mesh has its fronts inside, until its triangles go round the other way.
  if (scale.x * scale.y * scale.z < 0) {
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const second = indices[i + 1]
      indices[i + 1] = indices[i + 2]
      indices[i + 2] = second
    }
  }
  return indices
}

/** @param {VectorLike} value */
function toVector3(value) {
  return 'x' in value ? new Vector3(value.x, value.y, value.z) : new Vector3(...value)
}
