/**
 * What shapes look like: three.js geometries of the engine's shapes, in the body's frame.
 */
import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  IcosahedronGeometry,
  LatheGeometry,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three'
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js'
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
  /** @type {Map<Float64Array, number>} */
  #surfaces = new Map()

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
    this.#surfaces.clear()
  }

  /** @param {Float64Array} numbers of a mesh or height field */
  #numberOf(numbers) {
    const number = this.#surfaces.get(numbers) ?? this.#surfaces.size
    this.#surfaces.set(numbers, number)
    return number
  }

  /**
   * Equal for shapes that look the same in the same place.
   *
   * @param {Shape} shape
   * @returns {string}
   */
  #keyOf(shape) {
    const { type, hull, position, orientation, shapes } = shape
    if (shapes) return `${shapes.map((part) => this.#keyOf(part))} ${position} ${orientation}`
    const surface = shape.vertices ?? shape.heights
    if (surface) return `${type} ${this.#numberOf(surface)} ${position} ${orientation}`
    if (hull && !this.#hulls.has(hull)) this.#hulls.set(hull, this.#hulls.size)
    const { radius, radiusTop, radiusBottom, halfHeight, rounding, halfExtents } = shape
    const form = [radius, radiusTop, radiusBottom, halfHeight, rounding, halfExtents]
    const flat = hull ? this.#hulls.get(hull) : [shape.normal, shape.offset]
    return `${type} ${form} ${flat} ${position} ${orientation}`
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
function shapeGeometry(shape) {
  const { type, radius = 0, halfExtents, hull, normal, offset, shapes } = shape
  if (shapes) return mergeGeometries(shapes.map(placedGeometry))
  if (type === 'mesh' || type === 'heightfield') return surfaceGeometry(shape)
  const { radiusTop = radius, radiusBottom = radius, halfHeight = 0, rounding = 0 } = shape
  if (type === 'sphere') return sphereGeometry(radius)
  if (type === 'capsule' && radius > 0) return capsuleGeometry(radius, halfHeight)
  if (type === 'capsule') {
    const ends = [end(0, radiusBottom), end(0, radiusTop)]
    return revolvedGeometry(ends, halfHeight)
  }
  if (type === 'cylinder') {
    const ends = [end(radiusBottom, rounding), end(radiusTop, rounding)]
    return revolvedGeometry(ends, halfHeight)
  }
  if (type === 'cone')
    return revolvedGeometry([end(radius, rounding), end(0, rounding)], halfHeight)
  if (halfExtents) return boxGeometry(halfExtents, radius)
  if (hull) return radius > 0 ? roundedHullGeometry(hull, radius) : hullGeometry(hull)
  if (normal) return planeGeometry(normal, offset ?? 0)
  throw new Error(`nothing is known about how a ${type} looks`)
}

/**
 * The triangles of a mesh or height field, flat.
 *
 * @param {Shape} shape
 */
function surfaceGeometry(shape) {
  const geometry = new BufferGeometry()
  const { vertices, indices } = shape.heights ? fieldSurface(shape) : shape
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(vertices ?? []), 3))
  geometry.setIndex(Array.from(indices ?? []))
  const flat = geometry.toNonIndexed()
  flat.computeVertexNormals()
  return bare(flat)
}

/**
 * @param {Shape} shape a height field
 * @returns {{ vertices: number[], indices: number[] }}
 */
function fieldSurface({ heights = new Float64Array(), rows = 0, columns = 0, scale = [1, 1, 1] }) {
  const vertices = []
  const indices = []
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const here = i * columns + j
      vertices.push((j - (columns - 1) / 2) * scale[0], heights[here] * scale[1])
      vertices.push((i - (rows - 1) / 2) * scale[2])
      if (i + 1 === rows || j + 1 === columns) continue
      const below = here + columns
      indices.push(here, below, below + 1, here, below + 1, here + 1)
    }
  }
  return { vertices, indices }
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
 * One end of a solid of revolution: all points within `ball` of a disc, m.
 *
 * @param {number} disc
 * @param {number} ball
 */
const end = (disc, ball) => ({ disc, ball })

/** Pieces of an arc of the profile that is a quarter of a turn, and of the turn about the axis. */
const ARC_PIECES = 8
const TURN_PIECES = 48

/**
 * The hull of two rounded discs about the y axis: caps, round edges and the side between them.
 *
 * @param {ReturnType<typeof end>[]} ends at -halfHeight and at halfHeight
 * @param {number} halfHeight m
 */
function revolvedGeometry([bottom, top], halfHeight) {
  // The side touches the circles of both ends: its normal rises by this angle.
  const slant = Math.hypot(2 * halfHeight, bottom.disc - top.disc)
  const rise = Math.atan2(bottom.disc - top.disc, 2 * halfHeight)
  const angle = rise + Math.asin((bottom.ball - top.ball) / slant)
  /** @param {ReturnType<typeof end>} e @param {number} y @param {number} at angle of the normal */
  const point = ({ disc, ball }, y, at) =>
    new Vector2(disc + ball * Math.cos(at), y + ball * Math.sin(at))
  /** @param {ReturnType<typeof end>} e @param {number} y @param {number} from @param {number} to */
  const arc = (e, y, from, to) =>
    Array.from({ length: ARC_PIECES + 1 }, (_, i) =>
      point(e, y, from + ((to - from) * i) / ARC_PIECES),
    )
  const lower = arc(bottom, -halfHeight, -Math.PI / 2, angle)
  const upper = arc(top, halfHeight, angle, Math.PI / 2)
  const axis = [lower[0], upper[ARC_PIECES]].map(({ y }) => new Vector2(0, y))
  // Each piece has normals of its own, so that edges are sharp.
  const pieces = [[lower[ARC_PIECES], upper[0]]]
  if (bottom.ball > 0) pieces.push(lower)
  if (top.ball > 0) pieces.push(upper)
  if (bottom.disc > 0) pieces.push([axis[0], lower[0]])
  if (top.disc > 0) pieces.push([upper[ARC_PIECES], axis[1]])
  const parts = pieces.map((piece) => bare(new LatheGeometry(piece, TURN_PIECES)))
  return octants(mergeGeometries(parts))
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
 * A box; if it is not rounded its edges are by a hair, enough to catch the light.
 *
 * @param {readonly number[]} halfExtents m
 * @param {number} radius m
 */
function boxGeometry([x, y, z], radius) {
  if (radius > 0) {
    const [width, height, depth] = [x, y, z].map((half) => 2 * (half + radius))
    return bare(new RoundedBoxGeometry(width, height, depth, ARC_PIECES / 2, radius))
  }
  const bevel = 0.06 * Math.min(x, y, z, 0.5)
  return bare(new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 2, bevel))
}

/**
 * The hull of small balls about the corners of a hull.
 *
 * @param {ConvexHull} hull
 * @param {number} radius m
 */
function roundedHullGeometry({ vertices }, radius) {
  const ball = new IcosahedronGeometry(radius, 2).getAttribute('position')
  const points = vertices.flatMap(([x, y, z]) =>
    Array.from(
      { length: ball.count },
      (_, i) => new Vector3(x + ball.getX(i), y + ball.getY(i), z + ball.getZ(i)),
    ),
  )
  return bare(new ConvexGeometry(points))
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
