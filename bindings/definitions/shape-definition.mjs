import {
  checkNames,
  isObject,
  readBoolean,
  readFraction,
  readNonNegative,
  readObject,
  readPositive,
  readWord,
} from '../core/arguments.mjs'
import { frozenVector, toQuaternion, toVector } from '../core/vectors.mjs'
import { COMBINE_RULES } from '../generated/enums.mjs'
import { FULL_FILTER, readFilter } from './filter.mjs'
import { SHAPE_KINDS } from './shape-kinds.mjs'

/** @import { ConvexHull } from '../objects/convex-hull.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { CombineRule, Filter, Quaternion, ShapeType, Vector } from '../types/index.mjs' */

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
 * @property {Float64Array} [vertices] mesh
 * @property {Uint32Array} [indices] mesh
 * @property {Float64Array} [heights] heightfield
 * @property {number} [rows] heightfield
 * @property {number} [columns] heightfield
 * @property {Readonly<Vector>} [scale] heightfield
 * @property {boolean | undefined} [oneSided] mesh, heightfield
 * @property {readonly Shape[]} [shapes] compound
 * @property {Readonly<Vector>} position
 * @property {Readonly<Quaternion>} orientation
 * @property {number | undefined} friction
 * @property {number | undefined} restitution
 * @property {number | undefined} density
 * @property {CombineRule | undefined} frictionCombine
 * @property {CombineRule | undefined} restitutionCombine
 * @property {Readonly<Required<Filter>> | undefined} filter
 * @property {boolean} sensor
 */

const TYPES = /** @type {ShapeType[]} */ (Object.keys(SHAPE_KINDS))

const PLACEMENT = [
  ...['type', 'position', 'orientation', 'friction', 'restitution', 'density'],
  ...['frictionCombine', 'restitutionCombine', 'filter', 'sensor'],
]

/**
 * @param {unknown} value a ShapeDefinition
 * @param {string} path
 * @returns {ReadDefinition}
 */
export function readShapeDefinition(value, path) {
  const definition = readObject(value, path)
  const type = readWord(definition.type, `${path}.type`, TYPES)
  const kind = SHAPE_KINDS[type]
  checkNames(definition, [...PLACEMENT, ...kind.names], `${path} of type '${type}'`)
  const { position = [0, 0, 0], orientation = [0, 0, 0, 1] } = definition
  const { friction, restitution, density, filter, sensor = false } = definition
  const { frictionCombine, restitutionCombine } = definition
  return Object.freeze({
    type,
    ...kind.read(definition, path),
    position: frozenVector(toVector(position, `${path}.position`)),
    orientation: Object.freeze(toQuaternion(orientation, `${path}.orientation`)),
    friction: optional(friction, `${path}.friction`, readNonNegative),
    restitution: optional(restitution, `${path}.restitution`, readFraction),
    density: optional(density, `${path}.density`, sensor === true ? readNonNegative : readPositive),
    filter: optional(filter, `${path}.filter`, readOwnFilter),
    sensor: readBoolean(sensor, `${path}.sensor`),
    frictionCombine: optional(frictionCombine, `${path}.frictionCombine`, readRule),
    restitutionCombine: optional(restitutionCombine, `${path}.restitutionCombine`, readRule),
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
 * @template Value
 * @param {unknown} value
 * @param {string} path
 * @param {(value: unknown, path: string) => Value} read
 * @returns {Value | undefined}
 */
function optional(value, path, read) {
  return value === undefined ? undefined : read(value, path)
}

const RULES = /** @type {CombineRule[]} */ (COMBINE_RULES.slice(1))

/** @type {(value: unknown, path: string) => CombineRule} */
const readRule = (value, path) => readWord(value, path, RULES)

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
    definition.friction === read.friction &&
    definition.restitution === read.restitution &&
    definition.density === read.density &&
    definition.frictionCombine === read.frictionCombine &&
    definition.restitutionCombine === read.restitutionCombine &&
    (definition.sensor ?? false) === read.sensor &&
    sameFilter(definition.filter, read.filter) &&
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
