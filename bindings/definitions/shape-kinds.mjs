import { access } from '../core/access.mjs'
import { readNonNegative, readNumber, readPositive } from '../core/arguments.mjs'
import { invalid, notSupported } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { toVector } from '../core/vectors.mjs'
import { readPoints } from './points.mjs'

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
    refuseRounding(radius, path)
    const extents = frozenVector(halfExtents, `${path}.halfExtents`)
    if (extents.every((x) => x > 0)) return { halfExtents: extents }
    throw invalid(`${path}.halfExtents`, 'three finite numbers above 0', halfExtents)
  },
  create: (exports, { halfExtents = [0, 0, 0] }) => exports.shape_create_box(...halfExtents),
}

/** @type {ShapeKind} */
const capsule = {
  names: ['radius', 'halfHeight'],
  size: 'radius',
  read: ({ radius, halfHeight }, path) => ({
    radius: readPositive(radius, `${path}.radius`),
    halfHeight: readPositive(halfHeight, `${path}.halfHeight`),
  }),
  create: (exports, { radius = 0, halfHeight = 0 }) =>
    exports.shape_create_capsule(radius, halfHeight),
}

/** @type {ShapeKind} */
const hull = {
  names: ['points', 'hull', 'radius'],
  size: 'points',
  read({ points, hull: made, radius }, path) {
    refuseRounding(radius, path)
    if ((points === undefined) === (made === undefined)) {
      const what = points === undefined ? 'got neither' : 'got both'
      throw new MoreauError('invalid-argument', `${path}: a hull takes points or hull, ${what}`)
    }
    if (made === undefined) return { points: readPoints(points, `${path}.points`) }
    if (!access.isHull(made)) throw invalid(`${path}.hull`, 'a ConvexHull', made)
    return { hull: made }
  },
  create: (exports, measures, address) => exports.shape_create_hull(address),
}

/** @type {ShapeKind} */
const plane = {
  names: ['normal', 'offset'],
  size: 'normal',
  read({ normal = [0, 1, 0], offset = 0 }, path) {
    const direction = frozenVector(normal, `${path}.normal`)
    if (direction.every((x) => x === 0)) throw invalid(`${path}.normal`, 'not all 0', normal)
    return { normal: direction, offset: readNumber(offset, `${path}.offset`) }
  },
  create: (exports, { normal = [0, 0, 0], offset = 0 }) =>
    exports.shape_create_plane(...normal, offset),
}

/** @type {Readonly<Record<ShapeType, ShapeKind>>} */
export const SHAPE_KINDS = Object.freeze({ sphere, box, capsule, hull, plane })

/** Kinds that a later version has. */
export const LATER_KINDS = ['cylinder', 'cone', 'mesh', 'heightfield', 'compound']

/**
 * @param {unknown} radius
 * @param {string} path
 */
function refuseRounding(radius, path) {
  if (radius !== undefined && readNonNegative(radius, `${path}.radius`) > 0) {
    throw notSupported(`${path}.radius`, radius, '0')
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 */
export function frozenVector(value, path) {
  return Object.freeze(toVector(value, path))
}
