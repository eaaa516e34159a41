import {
  checkNames,
  invalid,
  notSupported,
  readBoolean,
  readFraction,
  readInertia,
  readNonNegative,
  readNumber,
  readObject,
  readPositive,
  readQuaternion,
  readVector,
  readWord,
} from './arguments.mjs'
import { engine } from './engine.mjs'
import { MoreauError } from './errors.mjs'
import { readFilter } from './filter.mjs'
import { readFalse, solverNumber } from './settings.mjs'
import { shapeDefinition, shapePointer, toShape } from './shape.mjs'

/** @import { Shape } from './shape.mjs' */
/** @import { BodyType } from './types.mjs' */

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

const ZERO = Object.freeze([0, 0, 0])
const NO_ROTATION = Object.freeze([0, 0, 0, 1])
const NO_MATRIX = Object.freeze([0, 0, 0, 0, 0, 0, 0, 0, 0])

/**
 * Checks a body definition and puts it into the shared block, in the order of body_create in
 * exports.c. Everything is checked before anything is put.
 * @param {unknown} value a BodyDefinition
 * @param {string} where
 * @returns {{ shapes: readonly Shape[], userData: unknown }}
 */
export function putBodyDefinition(value, where) {
  const definition = readObject(value, `${where}: definition`)
  checkNames(definition, NAMES, where)
  for (const name of Object.keys(LATER)) {
    if (definition[name] !== undefined) LATER[name](definition[name], `${where}: ${name}`)
  }
  const at = (/** @type {string} */ name) => `${where}: ${name}`
  const { type = 'dynamic', mass, density, inertia, centerOfMass } = definition
  if (mass !== undefined && density !== undefined) {
    const message = `${where}: mass and density exclude each other, got ${mass} and ${density}`
    throw new MoreauError('invalid-argument', message)
  }
  const { position = ZERO, orientation = NO_ROTATION } = definition
  const { linearVelocity = ZERO, angularVelocity = ZERO } = definition
  const preset = defaults()
  const { friction = preset.friction, restitution = preset.restitution } = definition
  const { linearDamping = preset.linearDamping, angularDamping = preset.angularDamping } =
    definition
  const { gravityScale = preset.gravityScale, filter = preset.filter } = definition
  const { bullet = false, allowSleep = preset.allowSleep } = definition
  const numbers = [
    BODY_TYPES.indexOf(readWord(type, at('type'), BODY_TYPES)),
    ...readVector(position, at('position'), /** @type {number[]} */ ([])),
    ...readQuaternion(orientation, at('orientation'), /** @type {number[]} */ ([])),
    ...readVector(linearVelocity, at('linearVelocity'), /** @type {number[]} */ ([])),
    ...readVector(angularVelocity, at('angularVelocity'), /** @type {number[]} */ ([])),
    density === undefined ? preset.density : readPositive(density, at('density')),
    mass === undefined ? 0 : 1,
    mass === undefined ? 0 : readPositive(mass, at('mass')),
    inertia === undefined ? 0 : 1,
    ...(inertia === undefined ? NO_MATRIX : readInertia(inertia, at('inertia'))),
    centerOfMass === undefined ? 0 : 1,
    ...readVector(centerOfMass ?? ZERO, at('centerOfMass'), /** @type {number[]} */ ([])),
    readNonNegative(friction, at('friction')),
    readFraction(restitution, at('restitution')),
    readNonNegative(linearDamping, at('linearDamping')),
    readNonNegative(angularDamping, at('angularDamping')),
    readNumber(gravityScale, at('gravityScale')),
    ...readSolver(definition.solver, at('solver')),
    ...readFilter(filter, at('filter'), preset.filter),
    Number(readBoolean(bullet, at('bullet'))),
    Number(readBoolean(allowSleep, at('allowSleep'))),
  ]
  const shapes = readShapes(definition, where)
  numbers.push(shapes.length)
  const { userData } = definition
  // From here on no code of the user runs: getters of the definition may free shapes and worlds.
  for (const shape of shapes) numbers.push(...placedShape(shape, where))
  const module = engine()
  module.begin(numbers.length)
  module.putAll(numbers)
  return { shapes, userData }
}

/**
 * Whether there is one, and its number.
 * @param {unknown} value
 * @param {string} path
 * @returns {[number, number]}
 */
function readSolver(value, path) {
  return value === undefined ? [0, 0] : [1, solverNumber(value, path)]
}

/** @type {ReturnType<typeof readDefaults> | undefined} */
let known

/** The engine's defaults; they never change. */
export function defaults() {
  return (known ??= readDefaults())
}

/** In the order of body_default in exports.c. */
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
  if (shape !== undefined) return Object.freeze([toShape(shape, where, 'shape')])
  if (shapes === undefined) return Object.freeze([])
  if (!Array.isArray(shapes)) throw invalid(`${where}: shapes`, 'an array', shapes)
  // Array.from, as map leaves out the holes of a sparse array.
  return Object.freeze(Array.from(shapes, (item, i) => toShape(item, where, `shapes[${i}]`)))
}

/**
 * The numbers of read_placed_shape in exports.c. Below 0: that of the body.
 * @param {Shape} shape
 * @param {string} where
 * @returns {number[]}
 */
function placedShape(shape, where) {
  const definition = shapeDefinition(shape)
  const { position, orientation, density = -1, friction = -1, restitution = -1 } = definition
  const pointer = shapePointer(shape, where)
  return [pointer, ...position, ...orientation, density, friction, restitution]
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
  const axes = Array.isArray(value) ? value : [value]
  const good = axes.every((axis) => typeof axis === 'boolean')
  if (!good || (Array.isArray(value) && axes.length !== 3)) {
    throw invalid(path, 'true or false, or three of them', value)
  }
  if (axes.includes(true)) throw notSupported(path, value, 'false')
}
