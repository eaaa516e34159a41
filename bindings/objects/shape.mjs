/// <reference lib="esnext.disposable" preserve="true" />
import { access } from '../core/access.mjs'
import { readPositive } from '../core/arguments.mjs'
import { readDirection } from '../core/vectors.mjs'
import { engine } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { reading } from '../core/readable.mjs'
import { readShapeDefinition } from '../definitions/shape-definition.mjs'
import { SHAPE_MEASURES_NUMBERS, takeShapeMeasures } from '../generated/records.mjs'
import { makeHull } from './convex-hull.mjs'
import { idle, readingShapes } from './idle-shapes.mjs'
import { checkSolid, createPointer } from './shape-engine.mjs'

/** @import { ConvexHull } from './convex-hull.mjs' */
/** @import { ShapeMeasures } from '../generated/records.mjs' */
/** @import { ReadDefinition } from '../definitions/shape-definition.mjs' */
/** @import { Filter } from '../types/index.mjs' */
/** @import { Quaternion, ShapeDefinition, ShapeType, Vector, VectorLike } from '../types/index.mjs' */

const collector = new Collector((exports, pointer) => exports.shape_release(pointer))

// Known to this file alone, so that nobody else makes shapes.
const maker = Symbol('Shape')

/** @type {(definition: ReadDefinition, where: string, owner: 'caller' | 'bodies') => Shape} */
let makeShape
/** @type {(value: unknown) => value is Shape} by its private parts */
let isShape
/** @type {(shape: Shape) => boolean} whether a Shape has not given its memory back */
let hasMemory

/**
 * An immutable collision shape together with its place in a body and its material. Any number of
 * bodies in any number of worlds may use it. Made by `createShape`, and then yours to free; or by the
 * way from a definition in `createBody`, and then freed with the last body that uses it.
 */
export class Shape {
  #pointer
  #definition
  #hull
  #owner
  /** @type {ShapeMeasures | undefined} read when they are asked for */
  #measures
  /** Living bodies that use it. */
  #users = 0

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeShape = (definition, where, owner) => close(new Type(definition, where, owner, maker))
    isShape = (value) => typeof value === 'object' && value !== null && #pointer in value
    access.shapePointer = (shape, where) => shape.#alive(where)
    access.shapeDefinition = (shape) => shape.#definition
    hasMemory = (shape) => shape.#pointer !== 0
    access.addUser = (shape) => {
      shape.#users++
      idle.delete(shape)
    }
    access.removeUser = (shape) => {
      shape.#users--
      if (shape.#users === 0 && shape.#owner === 'bodies') shape.free()
    }
  }

  /**
   * @private
   * @param {ReadDefinition} definition
   * @param {string} where
   * @param {'caller' | 'bodies'} owner who frees it: who asked for it, or the last body that uses it
   * @param {symbol} [pass]
   */
  constructor(definition, where, owner, pass) {
    if (pass !== maker) {
      throw new MoreauError('invalid-argument', 'new Shape: shapes are made by createShape')
    }
    this.#owner = owner
    const { points, hull } = definition
    this.#hull = points ? makeHull(points, where) : (hull ?? null)
    this.#definition = definition
    try {
      this.#pointer = createPointer(definition, this.#hull, where)
    } catch (error) {
      if (points) this.#hull?.free()
      throw error
    }
    for (const part of definition.shapes ?? []) access.addUser(part)
    collector.watch(this, this.#pointer)
  }

  /** @returns {ShapeType} */
  get type() {
    return this.#definition.type
  }

  /**
   * Of a sphere, a capsule, a cylinder or a cone; the rounding of a box or hull that has one; metres.
   * @returns {number | undefined}
   */
  get radius() {
    return this.#definition.radius
  }

  /**
   * Of a tapered capsule or cylinder, metres.
   * @returns {number | undefined}
   */
  get radiusTop() {
    return this.#definition.radiusTop
  }

  /**
   * Of a tapered capsule or cylinder, metres.
   * @returns {number | undefined}
   */
  get radiusBottom() {
    return this.#definition.radiusBottom
  }

  /**
   * Of a cylinder or a cone that has one, metres.
   * @returns {number | undefined}
   */
  get rounding() {
    return this.#definition.rounding
  }

  /**
   * Of a capsule, half of its straight part; of a cylinder or a cone half of its height; metres.
   * @returns {number | undefined}
   */
  get halfHeight() {
    return this.#definition.halfHeight
  }

  /**
   * Of a box, half of each edge, metres.
   * @returns {Readonly<Vector> | undefined}
   */
  get halfExtents() {
    return this.#definition.halfExtents
  }

  /**
   * Of a hull; it belongs to the shape if the shape was made from points.
   * @returns {ConvexHull | undefined}
   */
  get hull() {
    return this.#hull ?? undefined
  }

  /**
   * Of a plane, as it was given.
   * @returns {Readonly<Vector> | undefined}
   */
  get normal() {
    return this.#definition.normal
  }

  /**
   * Of a plane, metres.
   * @returns {number | undefined}
   */
  get offset() {
    return this.#definition.offset
  }

  /**
   * Of a mesh, metres: x y z of each vertex, as they were given. Do not change them.
   * @returns {Float64Array | undefined}
   */
  get vertices() {
    return this.#definition.vertices
  }

  /**
   * Of a mesh, three per triangle, as they were given. Do not change them.
   * @returns {Uint32Array | undefined}
   */
  get indices() {
    return this.#definition.indices
  }

  /**
   * Of a height field, row by row, as they were given. Do not change them.
   * @returns {Float64Array | undefined}
   */
  get heights() {
    return this.#definition.heights
  }

  /**
   * Of a height field.
   * @returns {number | undefined}
   */
  get rows() {
    return this.#definition.rows
  }

  /**
   * Of a height field.
   * @returns {number | undefined}
   */
  get columns() {
    return this.#definition.columns
  }

  /**
   * Of a height field, metres.
   * @returns {Readonly<Vector> | undefined}
   */
  get scale() {
    return this.#definition.scale
  }

  /**
   * Of a mesh or height field: whether only its fronts are touched.
   * @returns {boolean | undefined}
   */
  get oneSided() {
    const { type, oneSided } = this.#definition
    return type === 'mesh' || type === 'heightfield' ? (oneSided ?? false) : undefined
  }

  /**
   * Of a compound, as they were given.
   * @returns {readonly Shape[] | undefined}
   */
  get shapes() {
    return this.#definition.shapes
  }

  /**
   * In the body's frame, metres.
   * @returns {Readonly<Vector>}
   */
  get position() {
    return this.#definition.position
  }

  /**
   * In the body's frame, as it was given.
   * @returns {Readonly<Quaternion>}
   */
  get orientation() {
    return this.#definition.orientation
  }

  /**
   * Coulomb coefficient; undefined: that of the body.
   * @returns {number | undefined}
   */
  get friction() {
    return this.#definition.friction
  }

  /**
   * 0 to 1; undefined: that of the body.
   * @returns {number | undefined}
   */
  get restitution() {
    return this.#definition.restitution
  }

  /**
   * kg/m³; undefined: that of the body.
   * @returns {number | undefined}
   */
  get density() {
    return this.#definition.density
  }

  /**
   * What it collides with; undefined: what the body does.
   * @returns {Readonly<Required<Filter>> | undefined}
   */
  get filter() {
    return this.#definition.filter
  }

  /**
   * Whether it touches nothing, and reports what it overlaps.
   * @returns {boolean}
   */
  get sensor() {
    return this.#definition.sensor
  }

  /**
   * m³; 0 for a plane.
   * @returns {number}
   */
  get volume() {
    return this.#measure('volume').volume
  }

  /**
   * m²; 0 for a plane.
   * @returns {number}
   */
  get surfaceArea() {
    return this.#measure('surfaceArea').surfaceArea
  }

  /**
   * The centre of its volume in the frame of the shape, which its `position` and `orientation` place
   * in that of the body; metres.
   * @returns {Readonly<Vector>}
   */
  get centroid() {
    return this.#measure('centroid').centroid
  }

  /**
   * Inertia of a solid body of this shape about its centroid, along the axes of the shape; zeros for a
   * plane.
   * @param {number} mass kg, above 0
   * @returns {number[]} 9 numbers by rows, kg m²
   */
  inertia(mass) {
    const pointer = this.#alive('inertia')
    checkSolid(pointer, 'inertia')
    const module = engine()
    module.exports.shape_inertia(pointer, readPositive(mass, 'inertia: mass'))
    module.begin(9)
    return module.takeAll(9)
  }

  /**
   * The support point of the shape with its rounding: a point of it that is furthest in a direction. Of a compound it is that of the
   * convex hull of its parts.
   * @param {VectorLike} direction in the frame of the shape, of any length but 0
   * @returns {Vector} metres, in the frame of the shape, before its `position` and `orientation`
   * @throws {MoreauError} `not-supported` for planes, meshes and height fields
   */
  support(direction) {
    const pointer = this.#alive('support')
    const [x, y, z] = readDirection(direction, 'support: direction')
    const module = engine()
    const code = module.code(module.exports.shape_support(pointer, x, y, z))
    if (code === 'not-supported') {
      throw new MoreauError(code, `support: a shape of type '${this.type}' has no support point`)
    }
    module.begin(3)
    return module.takeVector()
  }

  /** @param {string} where */
  #measure(where) {
    const pointer = this.#alive(where)
    if (where !== 'surfaceArea') checkSolid(pointer, where)
    if (!this.#measures) {
      const module = engine()
      module.exports.shape_measures(pointer)
      module.begin(SHAPE_MEASURES_NUMBERS)
      this.#measures = takeShapeMeasures(module)
      Object.freeze(this.#measures.centroid)
    }
    return this.#measures
  }

  /**
   * Gives the memory back; bodies that use the shape keep it. A second call does nothing. Shapes of
   * `createShape` that are not freed are when they are collected.
   */
  free() {
    if (this.#pointer === 0) return
    const module = engine()
    module.needStack()
    module.exports.shape_release(this.#pointer)
    this.#pointer = 0
    collector.forget(this)
    for (const part of this.#definition.shapes ?? []) access.removeUser(part)
    // A hull of our own making goes with us; the body's shape in the engine has its own reference.
    if (this.#definition.points) this.#hull?.free()
  }

  /** The same as `free()`, for `using`. */
  [Symbol.dispose]() {
    this.free()
  }

  /** @param {string} where */
  #alive(where) {
    if (this.#pointer !== 0) return this.#pointer
    const how = this.#owner === 'bodies' ? ' with the last body that used it' : ''
    throw new MoreauError('stale-handle', `${where}: the shape was freed${how}`)
  }
}

guard(Shape, 'Shape')
inspectable(Shape, 'Shape', summarize)

/** @param {Shape} shape */
function summarize(shape) {
  const { type } = shape
  const sizes = Object.entries(access.shapeDefinition(shape)).filter(([name]) => SIZES.has(name))
  return { type, ...Object.fromEntries(sizes.filter(([, size]) => size !== undefined)) }
}

/** What tells shapes of a type apart, without lists. */
const SIZES = new Set([
  ...['radius', 'radiusTop', 'radiusBottom', 'halfHeight', 'halfExtents', 'normal', 'offset'],
  ...['rows', 'columns', 'scale'],
])

dropMissingDispose(Shape)
access.toShape = readingShapes({ makeShape, isShape, hasMemory })

/**
 * A shape that any body and world may share.
 * @param {ShapeDefinition} definition
 * @returns {Shape}
 * @throws {MoreauError} `invalid-argument`, `not-supported`, one of `hull-...`, `out-of-memory`,
 *   `not-initialized`
 *
 * @example
 * const brick = createShape({ type: 'box', halfExtents: [0.1, 0.05, 0.05], density: 1800 })
 */
export function createShape(definition) {
  engine().needStack()
  const where = 'createShape'
  const path = `${where}: definition`
  const read = reading(definition, path, () => readShapeDefinition(definition, path))
  return makeShape(read, where, 'caller')
}
