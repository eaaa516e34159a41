/// <reference lib="esnext.disposable" preserve="true" />
import { access } from '../core/access.mjs'
import { readNonNegative, readPositive } from '../core/arguments.mjs'
import { toVector } from '../core/vectors.mjs'
import { engine, outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { readPoints } from '../definitions/points.mjs'
import {
  HULL_FACE_NUMBERS,
  HULL_FACET_NUMBERS,
  HULL_MEASURES_NUMBERS,
  takeHullFace,
  takeHullFacet,
  takeHullMeasures,
} from '../generated/records.mjs'

/** @import { MoreauErrorCode } from '../core/errors.mjs' */
import { reading } from '../core/readable.mjs'
/** @import { PointsLike, Vector, VectorLike } from '../types/index.mjs' */

/**
 * A triangle of the surface of a hull.
 * @typedef {object} HullFacet
 * @property {readonly [number, number, number]} vertices indices into `vertices`, counter-clockwise
 *   seen from outside
 * @property {Readonly<Vector>} normal unit, outwards
 * @property {number} offset metres: `normal . x = offset` on its plane
 */

/**
 * A flat polygon of the surface of a hull.
 * @typedef {object} HullFace
 * @property {readonly number[]} vertices its loop: indices into `vertices`, counter-clockwise seen
 *   from outside
 * @property {Readonly<Vector>} normal unit, outwards
 * @property {number} offset metres: `normal . x = offset` on its plane
 */

const collector = new Collector((exports, pointer) => exports.hull_release(pointer))

// Known to this file alone, so that nobody else makes hulls.
const key = Symbol('ConvexHull')

/** @type {(hull: ConvexHull, where: string) => number} the engine's hull behind a ConvexHull */
export let hullPointer

/** @type {(points: Float64Array, where: string) => ConvexHull} a hull of flat points */
export let makeHull

/**
 * The convex hull of points: an immutable polyhedron with its volume, surface and inertia. Any
 * number of shapes may use it. All read-outs are in the frame of the points, in SI units.
 */
export class ConvexHull {
  #pointer
  #measures
  // What it was made of, so that it can be made again: the hull of its corners alone may differ in the
  // order of its faces, and so in bits.
  #points
  /** @type {readonly Readonly<Vector>[] | undefined} */
  #vertices
  /** @type {readonly HullFacet[] | undefined} */
  #facets
  /** @type {readonly HullFace[] | undefined} */
  #faces

  static {
    hullPointer = (hull, where) => hull.#alive(where)
    access.isHull = (value) => typeof value === 'object' && value !== null && #pointer in value
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeHull = (points, where) => close(new Type(createHull(points, where), points, key))
    access.hullPoints = (hull) => hull.#points
  }

  /**
   * @private
   * @param {number} pointer
   * @param {Float64Array} points
   * @param {symbol} [pass]
   */
  constructor(pointer, points, pass) {
    if (pass !== key) {
      const message = 'new ConvexHull: hulls are made by ConvexHull.fromPoints'
      throw new MoreauError('invalid-argument', message)
    }
    this.#pointer = pointer
    this.#points = points
    this.#measures = readMeasures(pointer)
    collector.watch(this, pointer)
  }

  /**
   * The convex hull of points in any order. Repeated points and points inside are fine.
   *
   * @param {PointsLike} points in metres: an array of vectors, flat numbers `x y z x y z ...`, or a
   *   three.js `BufferAttribute`
   * @returns {ConvexHull}
   * @throws {MoreauError} `hull-empty`, `hull-too-few-points`, `hull-not-finite`, `hull-all-equal`,
   *   `hull-collinear`, `hull-coplanar`, `hull-qhull`; `invalid-argument` where it is no list of
   *   points; `out-of-memory`; `not-initialized`
   *
   * @example
   * const hull = ConvexHull.fromPoints(geometry.attributes.position) // of a three.js geometry
   * world.createBody({ shape: { type: 'hull', hull } })
   */
  static fromPoints(points) {
    const where = 'ConvexHull.fromPoints'
    engine().needStack()
    const path = `${where}: points`
    return makeHull(
      reading(points, path, () => readPoints(points, path)),
      where,
    )
  }

  /**
   * The corners, in the order in which they appear in the input.
   * @returns {readonly Readonly<Vector>[]}
   */
  get vertices() {
    const pointer = this.#alive('vertices')
    return (this.#vertices ??= readVertices(pointer))
  }

  /**
   * The surface in triangles.
   * @returns {readonly HullFacet[]}
   */
  get facets() {
    const pointer = this.#alive('facets')
    return (this.#facets ??= readFacets(pointer))
  }

  /**
   * The surface in flat polygons: triangles in one plane are merged.
   * @returns {readonly HullFace[]}
   */
  get faces() {
    const pointer = this.#alive('faces')
    return (this.#faces ??= readFaces(pointer))
  }

  /**
   * m³
   * @returns {number}
   */
  get volume() {
    this.#alive('volume')
    return this.#measures.volume
  }

  /**
   * m²
   * @returns {number}
   */
  get surfaceArea() {
    this.#alive('surfaceArea')
    return this.#measures.surfaceArea
  }

  /**
   * The centre of its volume, metres.
   * @returns {Readonly<Vector>}
   */
  get centroid() {
    this.#alive('centroid')
    return this.#measures.centroid
  }

  /**
   * The smallest box along the axes that holds it, metres.
   * @returns {{ readonly min: Readonly<Vector>, readonly max: Readonly<Vector> }}
   */
  get bounds() {
    this.#alive('bounds')
    return this.#measures.bounds
  }

  /**
   * Whether a point is inside or within a distance of the surface, by `signedDistance`.
   * @param {VectorLike} point metres
   * @param {number} [tolerance] metres, 0 or more; default 1e-6
   * @returns {boolean}
   */
  contains(point, tolerance = 1e-6) {
    const pointer = this.#alive('contains')
    const [x, y, z] = toVector(point, 'contains: point')
    const reach = readNonNegative(tolerance, 'contains: tolerance')
    return engine().exports.hull_contains(pointer, x, y, z, reach) !== 0
  }

  /**
   * The largest signed distance of a point to the planes of the faces: below 0 inside, where it is
   * the exact distance to the surface; outside a lower bound of it.
   * @param {VectorLike} point metres
   * @returns {number} metres
   */
  signedDistance(point) {
    const pointer = this.#alive('signedDistance')
    const [x, y, z] = toVector(point, 'signedDistance: point')
    return engine().exports.hull_signed_distance(pointer, x, y, z)
  }

  /**
   * Inertia of a solid body of this shape about its centroid, along the axes of the points.
   * @param {number} mass kg, above 0
   * @returns {number[]} 9 numbers by rows, kg m²
   */
  inertia(mass) {
    const pointer = this.#alive('inertia')
    const module = engine()
    module.exports.hull_inertia(pointer, readPositive(mass, 'inertia: mass'))
    module.begin(9)
    return module.takeAll(9)
  }

  /**
   * Gives the memory back; shapes that were made from the hull live on. A second call does nothing.
   * Hulls that are not freed are when they are collected.
   */
  free() {
    if (this.#pointer === 0) return
    const module = engine()
    module.needStack()
    module.exports.hull_release(this.#pointer)
    this.#pointer = 0
    collector.forget(this)
  }

  /** The same as `free()`, for `using`. */
  [Symbol.dispose]() {
    this.free()
  }

  /** @param {string} where */
  #alive(where) {
    engine().needStack()
    if (this.#pointer !== 0) return this.#pointer
    throw new MoreauError('stale-handle', `${where}: the convex hull was freed`)
  }
}

guard(ConvexHull, 'ConvexHull')

dropMissingDispose(ConvexHull)

/**
 * @param {Float64Array} points
 * @param {string} where
 * @returns {number} pointer
 */
function createHull(points, where) {
  const module = engine()
  // One double more, since a block of nothing may have no address.
  const bytes = points.byteLength + 8
  const block = module.exports.allocate(bytes) >>> 0
  if (block === 0) throw outOfMemory(where, bytes)
  module.f64.set(points, block / 8)
  const count = points.length / 3
  const pointer = module.exports.hull_create(block, count) >>> 0
  module.exports.release(block)
  if (pointer === 0) throw hullError(module.code(module.exports.last_result()), points, where)
  return pointer
}

/**
 * @param {MoreauErrorCode} code
 * @param {Float64Array} points
 * @param {string} where
 * @returns {MoreauError}
 */
function hullError(code, points, where) {
  const count = points.length / 3
  /** @type {Partial<Record<MoreauErrorCode, () => string>>} */
  const texts = {
    'hull-empty': () => 'there are no points; at least 4 that span a volume are needed',
    'hull-too-few-points': () =>
      `${count} points are too few; at least 4 that span a volume are needed`,
    'hull-not-finite': () => notFiniteText(points),
    'hull-all-equal': () => allEqualText(points),
    'hull-collinear': () =>
      `all ${count} points lie on a line; points that span a volume are needed`,
    'hull-coplanar': () =>
      `all ${count} points lie in a plane; points that span a volume are needed`,
    'hull-qhull': () => `Qhull failed with QH${engine().exports.hull_last_qhull_error()}`,
    'out-of-memory': () => `the WebAssembly memory could not grow for the hull of ${count} points`,
  }
  return new MoreauError(code, `${where}: ${texts[code]?.() ?? code}`)
}

/** Sizes and coordinates that the engine takes (SMALLEST_SIZE, LARGEST_SIZE in hull_input.c). */
const SIZES = 'sizes from 1e-90 to 1e90 m are allowed'
const SMALLEST_SIZE = 1e-90

/** @param {Float64Array} points with a number that is not finite, or too far out */
function notFiniteText(points) {
  const bad = points.findIndex((number) => !Number.isFinite(number))
  if (bad >= 0) {
    return `point ${Math.floor(bad / 3)} is not finite: its ${'xyz'[bad % 3]} is ${points[bad]}`
  }
  const far = points.reduce((most, x, i) => (Math.abs(x) > Math.abs(points[most]) ? i : most), 0)
  return `point ${Math.floor(far / 3)} is too far out: its ${'xyz'[far % 3]} is ${points[far]}; ${SIZES}`
}

/** @param {Float64Array} points that differ by nothing, or too little */
function allEqualText(points) {
  const count = points.length / 3
  const size = Math.max(...[0, 1, 2].map((axis) => extent(points, axis)))
  if (size > 0 && size < SMALLEST_SIZE) return `the points span ${size} m only; ${SIZES}`
  const how = size === 0 ? '' : ' but for the rounding of their coordinates'
  return `all ${count} points are equal${how}; at least 4 that span a volume are needed`
}

/**
 * @param {Float64Array} points
 * @param {number} axis
 */
function extent(points, axis) {
  let least = Infinity
  let most = -Infinity
  for (let i = axis; i < points.length; i += 3) {
    least = Math.min(least, points[i])
    most = Math.max(most, points[i])
  }
  return most - least
}

/** @param {number} pointer */
function readMeasures(pointer) {
  const module = engine()
  module.exports.hull_measures(pointer)
  module.begin(HULL_MEASURES_NUMBERS)
  const { lower, upper, centroid, ...measures } = takeHullMeasures(module)
  const bounds = Object.freeze({ min: Object.freeze(lower), max: Object.freeze(upper) })
  return Object.freeze({ ...measures, centroid: Object.freeze(centroid), bounds })
}

/** @param {number} pointer */
function readVertices(pointer) {
  const { exports, f64 } = engine()
  const first = (exports.hull_vertices(pointer) >>> 0) / 8
  const count = exports.hull_vertex_count(pointer)
  /** @type {Readonly<Vector>[]} */
  const vertices = []
  for (let i = first; i < first + 3 * count; i += 3) {
    vertices.push(Object.freeze([f64[i], f64[i + 1], f64[i + 2]]))
  }
  return Object.freeze(vertices)
}

/** @param {number} pointer */
function readFacets(pointer) {
  const module = engine()
  const count = module.exports.hull_facet_count(pointer)
  /** @type {HullFacet[]} */
  const facets = []
  for (let i = 0; i < count; i++) {
    module.exports.hull_facet(pointer, i)
    module.begin(HULL_FACET_NUMBERS)
    const { vertices, normal, offset } = takeHullFacet(module)
    facets.push(
      Object.freeze({ vertices: Object.freeze(vertices), normal: Object.freeze(normal), offset }),
    )
  }
  return Object.freeze(facets)
}

/** @param {number} pointer */
function readFaces(pointer) {
  const module = engine()
  const loops = (module.exports.hull_face_loops(pointer) >>> 0) / 4
  const count = module.exports.hull_face_count(pointer)
  /** @type {HullFace[]} */
  const faces = []
  for (let i = 0; i < count; i++) {
    module.exports.hull_face(pointer, i)
    module.begin(HULL_FACE_NUMBERS)
    const { firstVertex, vertexCount, normal, offset } = takeHullFace(module)
    const first = loops + firstVertex
    const vertices = Object.freeze(Array.from(module.u32.subarray(first, first + vertexCount)))
    faces.push(Object.freeze({ vertices, normal: Object.freeze(normal), offset }))
  }
  return Object.freeze(faces)
}
