import {
  checkNames,
  isObject,
  readFraction,
  readNonNegative,
  readObject,
  readPositive,
  readWord,
} from '../core/arguments.mjs'
import { toQuaternion } from '../core/vectors.mjs'
import { frozenVector, LATER_KINDS, SHAPE_KINDS } from './shape-kinds.mjs'

/** @import { ConvexHull } from '../objects/convex-hull.mjs' */
/** @import { Quaternion, ShapeType, Vector } from '../types/index.mjs' */

/**
 * A shape definition after reading: checked, copied, frozen.
 * @typedef {object} ReadDefinition
 * @property {ShapeType} type
 * @property {number} [radius] sphere, capsule, cylinder, cone; rounding of a box or hull
 * @property {number} [radiusTop] tapered capsule, tapered cylinder
 * @property {number} [radiusBottom] tapered capsule, tapered cylinder
 * @property {number} [halfHeight] capsule, cylinder, cone
 * @property {number} [rounding] cylinder, cone
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
 */

const TYPES = /** @type {ShapeType[]} */ (Object.keys(SHAPE_KINDS))

const PLACEMENT = ['type', 'position', 'orientation', 'friction', 'restitution', 'density']

/**
 * @param {unknown} value a ShapeDefinition
 * @param {string} path
 * @returns {ReadDefinition}
 */
export function readShapeDefinition(value, path) {
  const definition = readObject(value, path)
  const type = readWord(definition.type, `${path}.type`, TYPES, LATER_KINDS)
  const kind = SHAPE_KINDS[type]
  checkNames(definition, [...PLACEMENT, ...kind.names], `${path} of type '${type}'`)
  const { position = [0, 0, 0], orientation = [0, 0, 0, 1] } = definition
  const { friction, restitution, density } = definition
  return Object.freeze({
    type,
    ...kind.read(definition, path),
    position: frozenVector(position, `${path}.position`),
    orientation: Object.freeze(toQuaternion(orientation, `${path}.orientation`)),
    friction: optional(friction, `${path}.friction`, readNonNegative),
    restitution: optional(restitution, `${path}.restitution`, readFraction),
    density: optional(density, `${path}.density`, readPositive),
  })
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {(value: unknown, path: string) => number} read
 * @returns {number | undefined}
 */
function optional(value, path, read) {
  return value === undefined ? undefined : read(value, path)
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
    definition.friction === read.friction &&
    definition.restitution === read.restitution &&
    definition.density === read.density &&
    sameNumbers(position, read.position) &&
    sameNumbers(orientation, read.orientation) &&
    sameMeasures(definition, read)
  )
}

/**
 * @param {ReadDefinition} definition
 * @param {ReadDefinition} read of the same type
 */
function sameMeasures(definition, read) {
  for (const name of SHAPE_KINDS[read.type].names) {
    const a = definition[name]
    const b = read[name]
    const same = isList(b) ? sameNumbers(/** @type {ArrayLike<number>} */ (a), b) : a === b
    if (!same) return false
  }
  return true
}

/**
 * @param {unknown} value
 * @returns {value is ArrayLike<number>}
 */
function isList(value) {
  return Array.isArray(value) || ArrayBuffer.isView(value)
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
