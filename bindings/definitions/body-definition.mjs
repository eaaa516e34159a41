import { access } from '../core/access.mjs'
import {
  checkNames,
  readBoolean,
  readFraction,
  readNonNegative,
  readNumber,
  readObject,
  readPositive,
  readWordNumber,
} from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { isList, readItems } from '../core/lists.mjs'
import { noQuaternion, noVector, putQuaternion, putVector, readInertia } from '../core/vectors.mjs'
import { engine } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readFilter } from './filter.mjs'
import { putPlaced } from './placed-shape.mjs'
import { Scratch } from '../core/scratch.mjs'
import { BODY_TYPES, COMBINE_RULES, SOLVERS, TARGET_STATES } from '../generated/enums.mjs'
import * as BODY_DEF from '../generated/places/body-def.mjs'
import {
  BODY_DEF_NUMBERS,
  BODY_DEFAULTS_NUMBERS,
  PLACED_SHAPE_NUMBERS,
  takeBodyDefaults,
} from '../generated/records.mjs'

/** @import { Engine } from '../core/engine.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */

export const BODY_NAMES = Object.freeze([
  'type',
  'position',
  'orientation',
  'linearVelocity',
  'angularVelocity',
  'shape',
  'shapes',
  'mass',
  'density',
  'inertia',
  'centerOfMass',
  'friction',
  'restitution',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'solver',
  'filter',
  'sensor',
  'isEnabled',
  'bullet',
  'allowSleep',
  'lockTranslation',
  'lockRotation',
  'frictionCombine',
  'restitutionCombine',
  'rollingFriction',
  'spinningFriction',
  'surfaceVelocity',
  'userData',
])

const KNOWN = new Set(BODY_NAMES)

const definitions = new Scratch(BODY_DEF_NUMBERS)

/**
 * What a body has beside its definition that its next step depends on.
 * @typedef {object} BodyKept
 * @property {unknown} [density] kg/m³, of shapes that have none, beside a mass
 * @property {unknown} [force] N, world: for the next step
 * @property {unknown} [torque] N m
 * @property {unknown} [target] where a kinematic body is going
 */

/**
 * Checks the definition of a body to create and puts it into the shared block. Everything is checked
 * before anything is put.
 * @param {unknown} value a BodyDefinition
 * @param {number} metre in the world's unit of length
 * @param {BodyKept} [kept] of a body that was one before; then its orientations are taken to the bit
 * @returns {{ shapes: readonly Shape[], userData: unknown, hasInertia: boolean }}
 */
export function putBodyDefinition(value, metre, kept) {
  const definition = readObject(value, 'createBody: definition')
  for (const name in definition) {
    if (!KNOWN.has(name)) checkNames(definition, BODY_NAMES, 'createBody')
  }
  const numbers = definitions.take()
  numbers.set(presets())
  numbers[BODY_DEF.density] = usualDensity(metre)
  readMotion(definition, numbers)
  readMass(definition, numbers)
  readRest(definition, numbers)
  readSurface(definition, numbers)
  if (kept !== undefined) readKept(kept, numbers)
  const shapes = readShapes(definition, 'createBody')
  numbers[BODY_DEF.shapeCount] = shapes.length
  const { userData } = definition
  const hasInertia = numbers[BODY_DEF.hasInertia] !== 0
  // From here on no code of the user runs: getters of the definition may free shapes and worlds.
  const module = engine()
  module.begin(BODY_DEF_NUMBERS + PLACED_SHAPE_NUMBERS * shapes.length)
  module.putAll(numbers)
  for (const shape of shapes) putPlaced(module, shape, 'createBody')
  definitions.giveBack(numbers)
  return { shapes, userData, hasInertia }
}

// Each reads what is given and leaves the preset of what is not.

/**
 * @param {Record<string, unknown>} definition
 * @param {Float64Array} numbers
 */
function readMotion({ type, position, orientation, linearVelocity, angularVelocity }, numbers) {
  if (type !== undefined) {
    numbers[BODY_DEF.type] = readWordNumber(type, 'createBody: type', BODY_TYPES)
  }
  if (position !== undefined && !putVector(position, numbers, BODY_DEF.position)) {
    throw noVector(position, 'createBody: position')
  }
  if (orientation !== undefined && !putQuaternion(orientation, numbers, BODY_DEF.orientation)) {
    throw noQuaternion(orientation, 'createBody: orientation')
  }
  if (
    linearVelocity !== undefined &&
    !putVector(linearVelocity, numbers, BODY_DEF.linearVelocity)
  ) {
    throw noVector(linearVelocity, 'createBody: linearVelocity')
  }
  if (
    angularVelocity !== undefined &&
    !putVector(angularVelocity, numbers, BODY_DEF.angularVelocity)
  ) {
    throw noVector(angularVelocity, 'createBody: angularVelocity')
  }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {Float64Array} numbers
 */
function readMass({ mass, density, inertia, centerOfMass }, numbers) {
  if (mass !== undefined && density !== undefined) {
    const got = `${describe(mass)} and ${describe(density)}`
    const message = `createBody: mass and density exclude each other, got ${got}`
    throw new MoreauError('invalid-argument', message)
  }
  if (density !== undefined) {
    numbers[BODY_DEF.density] = readPositive(density, 'createBody: density')
  }
  if (mass !== undefined) {
    numbers[BODY_DEF.hasMass] = 1
    numbers[BODY_DEF.mass] = readPositive(mass, 'createBody: mass')
  }
  if (inertia !== undefined) {
    numbers[BODY_DEF.hasInertia] = 1
    numbers.set(readInertia(inertia, 'createBody: inertia'), BODY_DEF.inertia)
  }
  if (centerOfMass !== undefined) {
    numbers[BODY_DEF.hasCenterOfMass] = 1
    if (!putVector(centerOfMass, numbers, BODY_DEF.centerOfMass)) {
      throw noVector(centerOfMass, 'createBody: centerOfMass')
    }
  }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {Float64Array} numbers
 */
function readRest(definition, numbers) {
  const { friction, restitution, linearDamping, angularDamping, gravityScale } = definition
  const { solver, filter, isEnabled, bullet, allowSleep, sensor } = definition
  if (friction !== undefined) {
    numbers[BODY_DEF.friction] = readNonNegative(friction, 'createBody: friction')
  }
  if (restitution !== undefined) {
    numbers[BODY_DEF.restitution] = readFraction(restitution, 'createBody: restitution')
  }
  if (linearDamping !== undefined) {
    numbers[BODY_DEF.linearDamping] = readNonNegative(linearDamping, 'createBody: linearDamping')
  }
  if (angularDamping !== undefined) {
    numbers[BODY_DEF.angularDamping] = readNonNegative(angularDamping, 'createBody: angularDamping')
  }
  if (gravityScale !== undefined) {
    numbers[BODY_DEF.gravityScale] = readNumber(gravityScale, 'createBody: gravityScale')
  }
  if (solver !== undefined) {
    numbers[BODY_DEF.hasSolver] = 1
    numbers[BODY_DEF.solver] = readWordNumber(solver, 'createBody: solver', SOLVERS)
  }
  if (filter !== undefined) {
    numbers.set(readFilter(filter, 'createBody: filter', defaults().filter), BODY_DEF.filter)
  }
  if (isEnabled !== undefined) {
    numbers[BODY_DEF.isEnabled] = Number(readBoolean(isEnabled, 'createBody: isEnabled'))
  }
  if (bullet !== undefined)
    numbers[BODY_DEF.bullet] = Number(readBoolean(bullet, 'createBody: bullet'))
  if (sensor !== undefined)
    numbers[BODY_DEF.sensor] = Number(readBoolean(sensor, 'createBody: sensor'))
  if (allowSleep !== undefined) {
    numbers[BODY_DEF.allowSleep] = Number(readBoolean(allowSleep, 'createBody: allowSleep'))
  }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {Float64Array} numbers
 */
function readSurface(definition, numbers) {
  const { frictionCombine, restitutionCombine, rollingFriction, spinningFriction } = definition
  const { surfaceVelocity, lockTranslation, lockRotation } = definition
  if (frictionCombine !== undefined) {
    const path = 'createBody: frictionCombine'
    numbers[BODY_DEF.frictionCombine] = readCombineRule(frictionCombine, path)
  }
  if (restitutionCombine !== undefined) {
    const path = 'createBody: restitutionCombine'
    numbers[BODY_DEF.restitutionCombine] = readCombineRule(restitutionCombine, path)
  }
  if (rollingFriction !== undefined) {
    const path = 'createBody: rollingFriction'
    numbers[BODY_DEF.rollingFriction] = readNonNegative(rollingFriction, path)
  }
  if (spinningFriction !== undefined) {
    const path = 'createBody: spinningFriction'
    numbers[BODY_DEF.spinningFriction] = readNonNegative(spinningFriction, path)
  }
  if (
    surfaceVelocity !== undefined &&
    !putVector(surfaceVelocity, numbers, BODY_DEF.surfaceVelocity)
  ) {
    throw noVector(surfaceVelocity, 'createBody: surfaceVelocity')
  }
  if (lockTranslation !== undefined) {
    numbers[BODY_DEF.lockTranslation] = readLock(lockTranslation, 'createBody: lockTranslation')
  }
  if (lockRotation !== undefined) {
    numbers[BODY_DEF.lockRotation] = readLock(lockRotation, 'createBody: lockRotation')
  }
}

/**
 * @param {BodyKept} kept
 * @param {Float64Array} numbers
 */
function readKept({ density, force, torque, target }, numbers) {
  numbers[BODY_DEF.isExact] = 1
  if (density !== undefined) {
    numbers[BODY_DEF.density] = readPositive(density, 'createBody: density')
  }
  if (force !== undefined && !putVector(force, numbers, BODY_DEF.force)) {
    throw noVector(force, 'createBody: force')
  }
  if (torque !== undefined && !putVector(torque, numbers, BODY_DEF.torque)) {
    throw noVector(torque, 'createBody: torque')
  }
  if (target !== undefined) readTarget(target, numbers)
}

const TARGET_NAMES = Object.freeze(['position', 'orientation', 'time', 'isReached'])

/**
 * @param {unknown} value
 * @param {Float64Array} numbers
 */
function readTarget(value, numbers) {
  const path = 'createBody: target'
  const target = readObject(value, path)
  checkNames(target, TARGET_NAMES, path)
  const { position, orientation, time = 0, isReached = false } = target
  const at = BODY_DEF.target
  const isOver = readBoolean(isReached, `${path}.isReached`)
  numbers[at] = TARGET_STATES.indexOf(isOver ? 'reached' : 'ahead')
  if (!putVector(position, numbers, at + 1)) throw noVector(position, `${path}.position`)
  if (!putQuaternion(orientation, numbers, at + 4)) {
    throw noQuaternion(orientation, `${path}.orientation`)
  }
  numbers[at + 8] = readNonNegative(time, `${path}.time`)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readCombineRule(value, path) {
  // null, the first word, is no rule that can be given
  return 1 + readWordNumber(value, path, NAMED_RULES)
}

const NAMED_RULES = /** @type {string[]} */ (COMBINE_RULES.slice(1))

/**
 * Locked axes as bits.
 * @param {unknown} value true, false or three of them
 * @param {string} path
 * @returns {number}
 */
export function readLock(value, path) {
  const axes = isList(value) && value.length === 3 ? Array.from(value) : [value, value, value]
  if (!axes.every((axis) => typeof axis === 'boolean')) {
    throw invalid(path, 'true or false, or three of them', value)
  }
  return axes.reduce((bits, axis, i) => bits + (axis ? 1 << i : 0), 0)
}

/** @type {Float64Array | undefined} */
let known

/** The numbers of a definition that leaves everything out. */
function presets() {
  return (known ??= makePresets())
}

/** kg per cube of the world's unit of length. @param {number} metre in that unit */
export const usualDensity = (metre) => defaults().density / metre ** 3

function makePresets() {
  const numbers = new Float64Array(BODY_DEF_NUMBERS)
  const { category, mask, group } = defaults().filter
  numbers[BODY_DEF.type] = BODY_TYPES.indexOf('dynamic')
  numbers[BODY_DEF.orientation + 3] = 1
  numbers[BODY_DEF.friction] = defaults().friction
  numbers[BODY_DEF.restitution] = defaults().restitution
  numbers[BODY_DEF.linearDamping] = defaults().linearDamping
  numbers[BODY_DEF.angularDamping] = defaults().angularDamping
  numbers[BODY_DEF.gravityScale] = defaults().gravityScale
  numbers.set([category, mask, group], BODY_DEF.filter)
  numbers[BODY_DEF.isEnabled] = Number(defaults().isEnabled)
  numbers[BODY_DEF.allowSleep] = Number(defaults().allowSleep)
  return numbers
}

/** @type {ReturnType<typeof readDefaults> | undefined} */
let engineDefaults

/** The engine's defaults; they never change. */
export function defaults() {
  return (engineDefaults ??= readDefaults())
}

function readDefaults() {
  const module = engine()
  module.exports.body_default()
  module.begin(BODY_DEFAULTS_NUMBERS)
  const found = takeBodyDefaults(module)
  return Object.freeze({ ...found, filter: Object.freeze(found.filter) })
}

/**
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {readonly Shape[]}
 */
function readShapes({ shape, shapes }, where) {
  if (shape !== undefined && shapes !== undefined) {
    const message = `${where}: shape and shapes exclude each other, got both`
    throw new MoreauError('invalid-argument', message)
  }
  if (shape !== undefined) return Object.freeze([access.toShape(shape, where, 'shape')])
  return shapes === undefined ? Object.freeze([]) : readShapeList(shapes, where, 'shapes')
}

/**
 * @param {unknown} shapes
 * @param {string} where
 * @param {string} name
 * @returns {readonly Shape[]}
 */
export function readShapeList(shapes, where, name) {
  if (!isList(shapes)) throw invalid(`${where}: ${name}`, 'an array', shapes)
  return Object.freeze(readItems(shapes, (item, i) => access.toShape(item, where, `${name}[${i}]`)))
}

/**
 * Puts shapes of a living body into the shared block, and nothing else.
 * @param {readonly Shape[]} shapes
 * @param {string} where
 */
export function putShapes(shapes, where) {
  const module = engine()
  module.begin(PLACED_SHAPE_NUMBERS * Math.max(shapes.length, 1))
  for (const shape of shapes) putPlaced(module, shape, where)
}
