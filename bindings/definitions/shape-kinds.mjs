import { access } from '../core/access.mjs'
import { readNonNegative, readNumber, readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { frozenVector, toVector } from '../core/vectors.mjs'
import { readPoints } from './points.mjs'
import { compound, heightfield, mesh } from './surface-kinds.mjs'

// The kinds of shapes, one entry each: which measures a definition has, how they are read, and how
// the engine makes the shape of them.

/** @import { EngineExports } from '../core/engine-exports.mjs' */
/** @import { ReadDefinition } from './shape-definition.mjs' */
/** @import { ShapeType } from '../types/index.mjs' */

/** @typedef {Partial<Omit<ReadDefinition, 'type' | 'position' | 'orientation'>>} Measures */

/**
 * @typedef {object} ShapeKind
 * @property {readonly (keyof Measures)[]} names of its measures
 * @property {keyof Measures} size the measure that says how large it is, for messages
 * @property {(definition: Record<string, unknown>, path: string) => Measures} read checks, copies and
 *   freezes the measures
 * @property {(exports: EngineExports, measures: Measures, hull: number) => number} create gives the
 *   address of the shape, 0 where it cannot be made; `hull` is the address of the hull, 0 for none
 */

/** @type {ShapeKind} */
const sphere = {
  names: ['radius'],
  size: 'radius',
  read: ({ radius }, path) => ({ radius: readPositive(radius, `${path}.radius`) }),
  create: (exports, { radius = 0 }) => exports.shape_create_sphere(radius),
}

/** @type {ShapeKind} */
const box = {
  names: ['halfExtents', 'radius'],
  size: 'halfExtents',
  read({ halfExtents, radius }, path) {
    const rounding = readRounding(radius, `${path}.radius`)
    const extents = frozenVector(toVector(halfExtents, `${path}.halfExtents`))
    if (extents.every((x) => x > 0)) return { halfExtents: extents, radius: rounding }
    throw invalid(`${path}.halfExtents`, 'three finite numbers above 0', halfExtents)
  },
  create: (exports, { halfExtents = [0, 0, 0], radius = 0 }) =>
    exports.shape_create_box(...halfExtents, radius),
}

/** @type {ShapeKind} */
const capsule = {
  names: ['radius', 'radiusTop', 'radiusBottom', 'halfHeight'],
  size: 'radius',
  read(definition, path) {
    const radii = readRadii(definition, path)
    const halfHeight = readPositive(definition.halfHeight, `${path}.halfHeight`)
    const { radiusTop = 0, radiusBottom = 0 } = radii
    if (Math.abs(radiusTop - radiusBottom) < 2 * halfHeight) return { ...radii, halfHeight }
    const what = 'such that neither ball is inside the other'
    throw invalid(`${path}.radiusTop`, what, radiusTop)
  },
  create(exports, { radius, radiusTop = 0, radiusBottom = 0, halfHeight = 0 }) {
    if (radius !== undefined) return exports.shape_create_capsule(radius, halfHeight)
    return exports.shape_create_tapered_capsule(radiusTop, radiusBottom, halfHeight)
  },
}

/** @type {ShapeKind} */
const cylinder = {
  names: ['radius', 'radiusTop', 'radiusBottom', 'halfHeight', 'rounding'],
  size: 'halfHeight',
  read: (definition, path) => ({
    ...readRadii(definition, path),
    halfHeight: readPositive(definition.halfHeight, `${path}.halfHeight`),
    rounding: readRounding(definition.rounding, `${path}.rounding`),
  }),
  create(exports, { radius = 0, radiusTop = radius, radiusBottom = radius, ...measures }) {
    const { halfHeight = 0, rounding = 0 } = measures
    return exports.shape_create_cylinder(radiusTop, radiusBottom, halfHeight, rounding)
  },
}

/** @type {ShapeKind} */
const cone = {
  names: ['radius', 'halfHeight', 'rounding'],
  size: 'radius',
  read: ({ radius, halfHeight, rounding }, path) => ({
    radius: readPositive(radius, `${path}.radius`),
    halfHeight: readPositive(halfHeight, `${path}.halfHeight`),
    rounding: readRounding(rounding, `${path}.rounding`),
  }),
  create: (exports, { radius = 0, halfHeight = 0, rounding = 0 }) =>
    exports.shape_create_cone(radius, halfHeight, rounding),
}

/** @type {ShapeKind} */
const hull = {
  names: ['points', 'hull', 'radius'],
  size: 'points',
  read({ points, hull: made, radius }, path) {
    const rounding = readRounding(radius, `${path}.radius`)
    if ((points === undefined) === (made === undefined)) {
      const what = points === undefined ? 'got neither' : 'got both'
      throw new MoreauError('invalid-argument', `${path}: a hull takes points or hull, ${what}`)
    }
    if (made === undefined)
      return { points: readPoints(points, `${path}.points`), radius: rounding }
    if (!access.isHull(made)) throw invalid(`${path}.hull`, 'a ConvexHull', made)
    return { hull: made, radius: rounding }
  },
  create: (exports, { radius = 0 }, address) => exports.shape_create_hull(address, radius),
}

/** @type {ShapeKind} */
const plane = {
  names: ['normal', 'offset'],
  size: 'normal',
  read({ normal = [0, 1, 0], offset = 0 }, path) {
    const direction = frozenVector(toVector(normal, `${path}.normal`))
    if (direction.every((x) => x === 0)) throw invalid(`${path}.normal`, 'not all 0', normal)
    return { normal: direction, offset: readNumber(offset, `${path}.offset`) }
  },
  create: (exports, { normal = [0, 0, 0], offset = 0 }) =>
    exports.shape_create_plane(...normal, offset),
}

/** @type {Readonly<Record<ShapeType, ShapeKind>>} */
export const SHAPE_KINDS = Object.freeze({
  ...{ sphere, box, capsule, cylinder, cone, hull, plane, mesh, heightfield, compound },
})

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number | undefined} undefined for none
 */
function readRounding(value, path) {
  return value === undefined ? undefined : readNonNegative(value, path)
}

/**
 * The radius, or the radii of both ends of what is tapered.
 * @param {Record<string, unknown>} definition
 * @param {string} path
 * @returns {Measures}
 */
function readRadii({ radius, radiusTop, radiusBottom }, path) {
  if (radiusTop === undefined && radiusBottom === undefined) {
    return { radius: readPositive(radius, `${path}.radius`) }
  }
  if (radius !== undefined) {
    const what = 'radius, or radiusTop and radiusBottom, got all'
    throw new MoreauError('invalid-argument', `${path}: it takes ${what}`)
  }
  const top = readNonNegative(radiusTop, `${path}.radiusTop`)
  const bottom = readNonNegative(radiusBottom, `${path}.radiusBottom`)
  if (top + bottom > 0) return { radiusTop: top, radiusBottom: bottom }
  throw invalid(`${path}.radiusTop`, 'above 0 where radiusBottom is 0', radiusTop)
}
