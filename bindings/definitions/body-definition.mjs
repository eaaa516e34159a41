import { access } from '../core/access.mjs'
import {
  checkNames,
  readBoolean,
  readFraction,
  readNonNegative,
  readNumber,
  readObject,
  readPositive,
  readWord,
} from '../core/arguments.mjs'
import { describe, invalid, notSupported } from '../core/describe.mjs'
import { isList, readItems } from '../core/lists.mjs'
import { noQuaternion, noVector, putQuaternion, putVector, readInertia } from '../core/vectors.mjs'
import { engine } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readFilter } from './filter.mjs'
import { Scratch } from '../core/scratch.mjs'
import { readFalse, solverNumber } from './settings.mjs'

/** @import { Engine } from '../core/engine.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { BodyType } from '../types/index.mjs' */

/**
 * In the order of mo_body_type.
 * @type {readonly BodyType[]}
 */
export const BODY_TYPES = ['static', 'kinematic', 'dynamic']

const NAMES = [
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
  'bullet',
  'allowSleep',
  'lockTranslation',
  'lockRotation',
  'userData',
]

const KNOWN = new Set(NAMES)

/** Where the numbers of a definition are in the shared block: as body_create (abi/exports_body.c) reads them. */
const PLACE = Object.freeze({
  type: 0,
  position: 1,
  orientation: 4,
  linearVelocity: 8,
  angularVelocity: 11,
  density: 14,
  hasMass: 15,
  mass: 16,
  hasInertia: 17,
  inertia: 18,
  hasCenterOfMass: 27,
  centerOfMass: 28,
  friction: 31,
  restitution: 32,
  linearDamping: 33,
  angularDamping: 34,
  gravityScale: 35,
  hasSolver: 36,
  solver: 37,
  filter: 38,
  bullet: 41,
  allowSleep: 42,
  shapeCount: 43,
})
const NUMBER_COUNT = 44
const NUMBERS_PER_SHAPE = 11

const definitions = new Scratch(NUMBER_COUNT)

/**
 * Checks the definition of a body to create and puts it into the shared block. Everything is checked
 * before anything is put.
 * @param {unknown} value a BodyDefinition
 * @returns {{ shapes: readonly Shape[], userData: unknown }}
 */
export function putBodyDefinition(value) {
  const definition = readObject(value, 'createBody: definition')
  for (const name in definition) {
    if (!KNOWN.has(name)) checkNames(definition, NAMES, 'createBody')
  }
  for (const name in LATER) {
    if (definition[name] !== undefined) LATER[name](definition[name], `createBody: ${name}`)
  }
  const numbers = definitions.take()
  numbers.set(presets())
  readMotion(definition, numbers)
  readMass(definition, numbers)
  readRest(definition, numbers)
  const shapes = readShapes(definition, 'createBody')
  numbers[PLACE.shapeCount] = shapes.length
  const { userData } = definition
  // From here on no code of the user runs: getters of the definition may free shapes and worlds.
  const module = engine()
  module.begin(NUMBER_COUNT + NUMBERS_PER_SHAPE * shapes.length)
  module.putAll(numbers)
  for (const shape of shapes) putShape(module, shape)
  definitions.giveBack(numbers)
  return { shapes, userData }
}

// Each reads what is given and leaves the preset of what is not.

/**
 * @param {Record<string, unknown>} definition
 * @param {Float64Array} numbers
 */
function readMotion({ type, position, orientation, linearVelocity, angularVelocity }, numbers) {
  if (type !== undefined) {
    numbers[PLACE.type] = BODY_TYPES.indexOf(readWord(type, 'createBody: type', BODY_TYPES))
  }
  if (position !== undefined && !putVector(position, numbers, PLACE.position)) {
    throw noVector(position, 'createBody: position')
  }
  if (orientation !== undefined && !putQuaternion(orientation, numbers, PLACE.orientation)) {
    throw noQuaternion(orientation, 'createBody: orientation')
  }
  if (linearVelocity !== undefined && !putVector(linearVelocity, numbers, PLACE.linearVelocity)) {
    throw noVector(linearVelocity, 'createBody: linearVelocity')
  }
  if (
    angularVelocity !== undefined &&
    !putVector(angularVelocity, numbers, PLACE.angularVelocity)
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
    numbers[PLACE.density] = readPositive(density, 'createBody: density')
  }
  if (mass !== undefined) {
    numbers[PLACE.hasMass] = 1
    numbers[PLACE.mass] = readPositive(mass, 'createBody: mass')
  }
  if (inertia !== undefined) {
    numbers[PLACE.hasInertia] = 1
    numbers.set(readInertia(inertia, 'createBody: inertia'), PLACE.inertia)
  }
  if (centerOfMass !== undefined) {
    numbers[PLACE.hasCenterOfMass] = 1
    if (!putVector(centerOfMass, numbers, PLACE.centerOfMass)) {
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
  const { solver, filter, bullet, allowSleep } = definition
  if (friction !== undefined) {
    numbers[PLACE.friction] = readNonNegative(friction, 'createBody: friction')
  }
  if (restitution !== undefined) {
    numbers[PLACE.restitution] = readFraction(restitution, 'createBody: restitution')
  }
  if (linearDamping !== undefined) {
    numbers[PLACE.linearDamping] = readNonNegative(linearDamping, 'createBody: linearDamping')
  }
  if (angularDamping !== undefined) {
    numbers[PLACE.angularDamping] = readNonNegative(angularDamping, 'createBody: angularDamping')
  }
  if (gravityScale !== undefined) {
    numbers[PLACE.gravityScale] = readNumber(gravityScale, 'createBody: gravityScale')
  }
  if (solver !== undefined) {
    numbers[PLACE.hasSolver] = 1
    numbers[PLACE.solver] = solverNumber(solver, 'createBody: solver')
  }
  if (filter !== undefined) {
    numbers.set(readFilter(filter, 'createBody: filter', defaults().filter), PLACE.filter)
  }
  if (bullet !== undefined)
    numbers[PLACE.bullet] = Number(readBoolean(bullet, 'createBody: bullet'))
  if (allowSleep !== undefined) {
    numbers[PLACE.allowSleep] = Number(readBoolean(allowSleep, 'createBody: allowSleep'))
  }
}

/**
 * In the order of read_placed_shape in abi/exports_body.c. Below 0: that of the body.
 * @param {Engine} module
 * @param {Shape} shape
 */
function putShape(module, shape) {
  const definition = access.shapeDefinition(shape)
  const { position, orientation, density = -1, friction = -1, restitution = -1 } = definition
  module.put(access.shapePointer(shape, 'createBody'))
  for (let i = 0; i < 3; i++) module.put(position[i])
  for (let i = 0; i < 4; i++) module.put(orientation[i])
  module.put(density)
  module.put(friction)
  module.put(restitution)
}

/** @type {Float64Array | undefined} */
let known

/** The numbers of a definition that leaves everything out. */
function presets() {
  return (known ??= makePresets())
}

function makePresets() {
  const numbers = new Float64Array(NUMBER_COUNT)
  const { category, mask, group } = defaults().filter
  numbers[PLACE.type] = BODY_TYPES.indexOf('dynamic')
  numbers[PLACE.orientation + 3] = 1
  numbers[PLACE.density] = defaults().density
  numbers[PLACE.friction] = defaults().friction
  numbers[PLACE.restitution] = defaults().restitution
  numbers[PLACE.linearDamping] = defaults().linearDamping
  numbers[PLACE.angularDamping] = defaults().angularDamping
  numbers[PLACE.gravityScale] = defaults().gravityScale
  numbers.set([category, mask, group], PLACE.filter)
  numbers[PLACE.allowSleep] = Number(defaults().allowSleep)
  return numbers
}

/** @type {ReturnType<typeof readDefaults> | undefined} */
let engineDefaults

/** The engine's defaults; they never change. */
export function defaults() {
  return (engineDefaults ??= readDefaults())
}

/** In the order of body_default in abi/exports_body.c. */
function readDefaults() {
  const module = engine()
  module.exports.body_default()
  module.begin(10)
  return Object.freeze({
    density: module.take(),
    friction: module.take(),
    restitution: module.take(),
    linearDamping: module.take(),
    angularDamping: module.take(),
    gravityScale: module.take(),
    filter: Object.freeze({
      category: module.take(),
      mask: module.take(),
      group: module.take(),
    }),
    allowSleep: module.take() !== 0,
  })
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
  if (shapes === undefined) return Object.freeze([])
  if (!isList(shapes)) throw invalid(`${where}: shapes`, 'an array', shapes)
  return Object.freeze(readItems(shapes, (item, i) => access.toShape(item, where, `shapes[${i}]`)))
}

/**
 * Checks of what a later version brings: only what happens anyway passes.
 * @type {Readonly<Record<string, (value: unknown, path: string) => void>>}
 */
export const LATER = Object.freeze({
  sensor: readFalse,
  lockTranslation: readUnlocked,
  lockRotation: readUnlocked,
})

/**
 * @param {unknown} value
 * @param {string} path
 */
function readUnlocked(value, path) {
  const axes = isList(value) && value.length === 3 ? Array.from(value) : [value]
  const good = axes.every((axis) => typeof axis === 'boolean')
  if (!good) {
    throw invalid(path, 'true or false, or three of them', value)
  }
  if (axes.includes(true)) throw notSupported(path, value, 'false')
}
