/**
 * What shapes look like: three.js geometries from shape definitions, in the body's frame.
 */
import { ConvexHull, Shape } from 'moreau'
import {
  BufferAttribute,
  BufferGeometry,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'

/** @typedef {import('moreau').BodyDefinition} BodyDefinition */

/** Edge of the square that stands for an endless plane, m: the fog ends sooner. */
const PLANE_EDGE = 2000

/**
 * Definitions are compared by their contents where those are short, by identity where they are point clouds.
 */
export class GeometryCache {
  /** @type {Map<string, BufferGeometry>} */
  #geometries = new Map()
  /** @type {Map<object, number>} */
  #identities = new Map()

  /**
   * The geometry of all shapes of a body.
   *
   * @param {BodyDefinition} definition
   * @returns {BufferGeometry | null} null without a shape
   */
  of(definition) {
    const shapes = shapesOf(definition)
    if (shapes.length === 0) return null
    const key = JSON.stringify(shapes, (_, value) => this.#nameOf(value))
    let geometry = this.#geometries.get(key)
    if (!geometry) {
      const parts = shapes.map(placedGeometry)
      geometry = parts.length === 1 ? parts[0] : mergeGeometries(parts)
      this.#geometries.set(key, geometry)
    }
    return geometry
  }

  dispose() {
    for (const geometry of this.#geometries.values()) geometry.dispose()
    this.#geometries.clear()
    this.#identities.clear()
  }

  /** @param {any} value */
  #nameOf(value) {
    if (!isLarge(value)) return value
    if (!this.#identities.has(value)) this.#identities.set(value, this.#identities.size)
    return `object ${this.#identities.get(value)}`
  }
}

/** @param {any} value */
function isLarge(value) {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof ConvexHull || value instanceof Shape || 'itemSize' in value) return true
  return (
    (ArrayBuffer.isView(value) || Array.isArray(value)) && 'length' in value && value.length > 4
  )
}

/**
 * @param {BodyDefinition} definition
 * @returns {any[]}
 */
export function shapesOf({ shape, shapes }) {
  return [...(shapes ?? (shape ? [shape] : []))]
}

/** @param {any} shape */
function placedGeometry(shape) {
  const geometry = shapeGeometry(shape)
  if (shape.position || shape.orientation) {
    const position = new Vector3(...vectorOf(shape.position ?? [0, 0, 0]))
    const [x, y, z, w] = quaternionOf(shape.orientation ?? [0, 0, 0, 1])
    const orientation = new Quaternion(x, y, z, w).normalize()
    geometry.applyMatrix4(new Matrix4().compose(position, orientation, new Vector3(1, 1, 1)))
  }
  return geometry
}

/**
 * @param {any} shape
 * @returns {BufferGeometry} triangles without an index, with positions, normals and colours
 */
function shapeGeometry(shape) {
  switch (shape.type) {
    case 'sphere':
      return sphereGeometry(shape.radius)
    case 'box':
      return boxGeometry(vectorOf(shape.halfExtents))
    case 'plane':
      return planeGeometry(vectorOf(shape.normal), shape.offset ?? 0)
    case 'hull':
      return hullGeometry(shape.hull ?? shape.points)
    default:
      throw new Error(`nothing is known about how a ${shape.type} looks`)
  }
}

/**
 * A ball in two tones, octant by octant, so that one sees it roll.
 *
 * @param {number} radius m
 */
function sphereGeometry(radius) {
  const geometry = bare(new SphereGeometry(radius, 48, 24))
  const { array, count } = geometry.getAttribute('position')
  const color = geometry.getAttribute('color')
  for (let i = 0; i < count; i += 3) {
    const middle = [0, 1, 2].map(
      (axis) => array[3 * i + axis] + array[3 * i + 3 + axis] + array[3 * i + 6 + axis],
    )
    const tone = middle[0] * middle[1] * middle[2] > 0 ? 1 : 0.62
    for (let corner = i; corner < i + 3; ++corner) color.setXYZ(corner, tone, tone, tone)
  }
  return geometry
}

/**
 * A box whose edges are rounded by a hair, enough to catch the light.
 *
 * @param {number[]} halfExtents m
 */
function boxGeometry([x, y, z]) {
  const bevel = 0.06 * Math.min(x, y, z, 0.5)
  return bare(new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 2, bevel))
}

/**
 * @param {number[]} normal
 * @param {number} offset m
 */
function planeGeometry(normal, offset) {
  const up = new Vector3(...normal).normalize()
  const geometry = bare(new PlaneGeometry(PLANE_EDGE, PLANE_EDGE))
  geometry.applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up))
  geometry.translate(up.x * offset, up.y * offset, up.z * offset)
  return geometry
}

/**
 * The engine's own hull with flat facets.
 *
 * @param {any} source a ConvexHull or the points of one
 */
function hullGeometry(source) {
  const hull = source instanceof ConvexHull ? source : ConvexHull.fromPoints(source)
  const { vertices, facets } = hull
  const positions = new Float32Array(facets.length * 9)
  const normals = new Float32Array(facets.length * 9)
  facets.forEach((facet, index) => {
    facet.vertices.forEach((vertex, corner) => {
      positions.set(vertices[vertex], 9 * index + 3 * corner)
      normals.set(facet.normal, 9 * index + 3 * corner)
    })
  })
  if (hull !== source) hull.free()
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  geometry.setAttribute('normal', new BufferAttribute(normals, 3))
  return bare(geometry)
}

/**
 * The same attributes for all, so that shapes of one body can be merged.
 *
 * @param {BufferGeometry} geometry
 */
function bare(geometry) {
  const result = geometry.index ? geometry.toNonIndexed() : geometry
  if (result !== geometry) geometry.dispose()
  result.deleteAttribute('uv')
  const { count } = result.getAttribute('position')
  result.setAttribute('color', new BufferAttribute(new Float32Array(3 * count).fill(1), 3))
  return result
}

/**
 * @param {any} value an array or an object with x, y, z
 * @returns {[number, number, number]}
 */
function vectorOf(value) {
  return 'x' in value ? [value.x, value.y, value.z] : [value[0], value[1], value[2]]
}

/**
 * @param {any} value an array or an object with x, y, z, w
 * @returns {[number, number, number, number]}
 */
function quaternionOf(value) {
  return 'x' in value
    ? [value.x, value.y, value.z, value.w]
    : [value[0], value[1], value[2], value[3]]
}
