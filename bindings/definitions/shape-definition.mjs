import { access } from '../core/access.mjs'
import {
  checkNames,
  isObject,
  readBoolean,
  readFraction,
  readNonNegative,
  readNumber,
  readObject,
  readPositive,
  readWord,
} from '../core/arguments.mjs'
import { invalid, notSupported } from '../core/describe.mjs'
import { toQuaternion, toVector } from '../core/vectors.mjs'
import { MoreauError } from '../core/errors.mjs'
import { FULL_FILTER, readFilter } from './filter.mjs'
import { readPoints } from './points.mjs'

/** @import { ConvexHull } from '../objects/convex-hull.mjs' */
/** @import { Filter, Quaternion, ShapeType, Vector } from '../types/index.mjs' */

/**
 * A shape definition after reading: checked, copied, frozen.
 * @typedef {object} ReadDefinition
 * @property {ShapeType} type
 * @property {number} [radius] sphere, capsule
 * @property {number} [halfHeight] capsule
 * @property {Readonly<Vector>} [halfExtents] box
 * @property {Float64Array} [points] hull, if it was given by points
 * @property {ConvexHull} [hull] hull, if it was given as one
 * @property {Readonly<Vector>} [normal] plane
 * @property {number} [offset] plane
 * @property {Readonly<Vector>} position
 * @property {Readonly<Quaternion>} orientation
 * @property {number | undefined} friction
 * @property {number | undefined} restitution
 * @property {number | undefined} density
 * @property {Readonly<Required<Filter>> | undefined} filter
 * @property {boolean} sensor
 */

/** @type {readonly ShapeType[]} */
const TYPES = ['sphere', 'box', 'capsule', 'hull', 'plane']
const LATER_TYPES = ['cylinder', 'cone', 'mesh', 'heightfield', 'compound']

const PLACEMENT = ['type', 'position', 'orientation', 'friction', 'restitution', 'density', 'filter', 'sensor']
const MEASURES = {
  sphere: ['radius'],
  box: ['halfExtents', 'radius'],
  capsule: ['radius', 'halfHeight'],
  hull: ['points', 'hull', 'radius'],
  plane: ['normal', 'offset'],
}

/**
 * @param {unknown} value a ShapeDefinition
 * @param {string} path
 * @returns {ReadDefinition}
 */
export function readShapeDefinition(value, path) {
  const definition = readObject(value, path)
  const type = readWord(definition.type, `${path}.type`, TYPES, LATER_TYPES)
  checkNames(definition, [...PLACEMENT, ...MEASURES[type]], `${path} of type '${type}'`)
  const { position = [0, 0, 0], orientation = [0, 0, 0, 1] } = definition
  const { friction, restitution, density, filter, sensor = false } = definition
  return Object.freeze({
    type,
    ...readMeasures(type, definition, path),
    position: frozenVector(position, `${path}.position`),
    orientation: Object.freeze(toQuaternion(orientation, `${path}.orientation`)),
    friction: optional(friction, `${path}.friction`, readNonNegative),
    restitution: optional(restitution, `${path}.restitution`, readFraction),
    density: optional(density, `${path}.density`, sensor === true ? readNonNegative : readPositive),
    filter: optional(filter, `${path}.filter`, readOwnFilter),
    sensor: readBoolean(sensor, `${path}.sensor`),
  })
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {Readonly<Required<Filter>>}
 */
function readOwnFilter(value, path) {
  const [category, mask, group] = readFilter(value, path, FULL_FILTER)
  return Object.freeze({ category, mask, group })
}

/**
 * @param {ShapeType} type
 * @param {Record<string, unknown>} definition
 * @param {string} path
 */
function readMeasures(type, definition, path) {
  const { radius, halfHeight, halfExtents, normal = [0, 1, 0], offset = 0 } = definition
  if (type === 'sphere') return { radius: readPositive(radius, `${path}.radius`) }
  if (type === 'capsule') {
    return {
      radius: readPositive(radius, `${path}.radius`),
      halfHeight: readPositive(halfHeight, `${path}.halfHeight`),
    }
  }
  if (type === 'plane') {
    const direction = frozenVector(normal, `${path}.normal`)
    if (direction.every((x) => x === 0)) throw invalid(`${path}.normal`, 'not all 0', normal)
    return { normal: direction, offset: readNumber(offset, `${path}.offset`) }
  }
  if (radius !== undefined && readNonNegative(radius, `${path}.radius`) > 0) {
    throw notSupported(`${path}.radius`, radius, '0')
  }
  if (type === 'hull') return readHull(definition, path)
  const extents = frozenVector(halfExtents, `${path}.halfExtents`)
  if (!extents.every((x) => x > 0)) {
    throw invalid(`${path}.halfExtents`, 'three finite numbers above 0', halfExtents)
  }
  return { halfExtents: extents }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {string} path
 */
function readHull({ points, hull }, path) {
  if ((points === undefined) === (hull === undefined)) {
    const what = points === undefined ? 'got neither' : 'got both'
    throw new MoreauError('invalid-argument', `${path}: a hull takes points or hull, ${what}`)
  }
  if (hull === undefined) return { points: readPoints(points, `${path}.points`) }
  if (!access.isHull(hull)) throw invalid(`${path}.hull`, 'a ConvexHull', hull)
  return { hull }
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function frozenVector(value, path) {
  return Object.freeze(toVector(value, path))
}

/**
 * @template Value
 * @param {unknown} value
 * @param {string} path
 * @param {(value: unknown, path: string) => Value} read
 * @returns {Value | undefined}
 */
function optional(value, path, read) {
  return value === undefined ? undefined : read(value, path)
}

/**
 * @param {Filter | undefined} a one of the user
 * @param {Readonly<Required<Filter>> | undefined} b one that was read
 */
function sameFilter(a, b) {
  if (a === undefined || b === undefined) return a === b
  return a.category === b.category && a.mask === b.mask && a.group === b.group
}

/**
 * Whether a definition is sure to make the shape that another one made: one that was changed after
 * its first use does not. It may also be one of the user that was not read; if it is written in
 * another way than what is read, it is not sure.
 * @param {unknown} value
 * @param {ReadDefinition} read
 * @returns {boolean}
 */
export function sameDefinition(value, read) {
  const definition = /** @type {ReadDefinition} */ (value)
  for (const name in definition) if (!Object.hasOwn(read, name)) return false
  const { position = ORIGIN, orientation = NO_ROTATION } = definition
  return (
    definition.type === read.type &&
    definition.radius === read.radius &&
    definition.halfHeight === read.halfHeight &&
    definition.hull === read.hull &&
    definition.offset === read.offset &&
    definition.friction === read.friction &&
    definition.restitution === read.restitution &&
    definition.density === read.density &&
    (definition.sensor ?? false) === read.sensor &&
    sameFilter(definition.filter, read.filter) &&
    sameNumbers(definition.halfExtents, read.halfExtents) &&
    sameNumbers(definition.normal, read.normal) &&
    sameNumbers(position, read.position) &&
    sameNumbers(orientation, read.orientation) &&
    sameNumbers(definition.points, read.points)
  )
}

const ORIGIN = Object.freeze([0, 0, 0])
const NO_ROTATION = Object.freeze([0, 0, 0, 1])

/**
 * @param {ArrayLike<number> | undefined} a
 * @param {ArrayLike<number> | undefined} b
 */
function sameNumbers(a, b) {
  if (a === undefined || b === undefined) return a === b
  if (!isObject(a)) return false
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
