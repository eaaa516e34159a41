/**
 * What shapes look like: three.js geometries of the engine's shapes, in the body's frame.
 */
import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'

/** @typedef {import('moreau').Body} Body */
/** @typedef {import('moreau').Shape} Shape */
/** @typedef {import('moreau').ConvexHull} ConvexHull */

/** Edge of the square that stands for an endless plane, m: the fog ends sooner. */
const PLANE_EDGE = 2000

/** One geometry for all bodies that look the same. */
export class GeometryCache {
  /** @type {Map<string, BufferGeometry>} */
  #geometries = new Map()
  /** @type {Map<ConvexHull, number>} */
  #hulls = new Map()

  /**
   * The geometry of all shapes of a body.
   *
   * @param {Body} body
   * @returns {BufferGeometry | null} null without a shape
   */
  of({ shapes }) {
    if (shapes.length === 0) return null
    const key = shapes.map((shape) => this.#keyOf(shape)).join('; ')
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
    this.#hulls.clear()
  }

  /**
   * Equal for shapes that look the same in the same place.
   *
   * @param {Shape} shape
   */
  #keyOf({ type, radius, halfHeight, halfExtents, hull, normal, offset, position, orientation }) {
    if (hull && !this.#hulls.has(hull)) this.#hulls.set(hull, this.#hulls.size)
    const round = halfHeight === undefined ? radius : [radius, halfHeight]
    const form = round ?? halfExtents ?? (hull ? this.#hulls.get(hull) : [normal, offset])
    return `${type} ${form} ${position} ${orientation}`
  }
}

/** @param {Shape} shape */
function placedGeometry(shape) {
  const position = new Vector3(...shape.position)
  const orientation = new Quaternion(...shape.orientation).normalize()
  const pose = new Matrix4().compose(position, orientation, new Vector3(1, 1, 1))
  return shapeGeometry(shape).applyMatrix4(pose)
}

/**
 * @param {Shape} shape
 * @returns {BufferGeometry} triangles without an index, with positions, normals and colours
 */
function shapeGeometry({ type, radius, halfHeight, halfExtents, hull, normal, offset }) {
  if (radius !== undefined && halfHeight !== undefined) return capsuleGeometry(radius, halfHeight)
  if (radius !== undefined) return sphereGeometry(radius)
  if (halfExtents) return boxGeometry(halfExtents)
  if (hull) return hullGeometry(hull)
  if (normal) return planeGeometry(normal, offset ?? 0)
  throw new Error(`nothing is known about how a ${type} looks`)
}

/**
 * A ball in two tones, octant by octant, so that one sees it roll.
 *
 * @param {number} radius m
 */
function sphereGeometry(radius) {
  return octants(bare(new SphereGeometry(radius, 48, 24)))
}

/**
 * @param {number} radius m
 * @param {number} halfHeight m, of the straight part
 */
function capsuleGeometry(radius, halfHeight) {
  // Rounds of the caps, sides round the axis, and an even number of rings: each on its own side.
  return octants(bare(new CapsuleGeometry(radius, 2 * halfHeight, 12, 48, 2)))
}

/**
 * Colours octants in turn in two tones.
 *
 * @param {BufferGeometry} geometry
 */
function octants(geometry) {
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
 * @param {readonly number[]} halfExtents m
 */
function boxGeometry([x, y, z]) {
  const bevel = 0.06 * Math.min(x, y, z, 0.5)
  return bare(new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 2, bevel))
}

/**
 * @param {readonly [number, number, number]} normal of any length
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
 * Flat facets, as the engine has them.
 *
 * @param {ConvexHull} hull
 */
function hullGeometry({ vertices, facets }) {
  const positions = new Float32Array(facets.length * 9)
  const normals = new Float32Array(facets.length * 9)
  facets.forEach((facet, index) => {
    facet.vertices.forEach((vertex, corner) => {
      positions.set(vertices[vertex], 9 * index + 3 * corner)
      normals.set(facet.normal, 9 * index + 3 * corner)
    })
  })
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
