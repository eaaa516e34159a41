import { access } from '../core/access.mjs'
import {
  checkNames,
  readNonNegative,
  readNumber,
  readObject,
  readPositive,
  readWord,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { toQuaternion, toVector } from '../core/vectors.mjs'
import { KIND } from '../core/callbacks.mjs'
import { MoreauError } from '../core/errors.mjs'
import { POTENTIAL_TYPES } from '../generated/enums.mjs'
import {
  POTENTIAL_DEF_NUMBERS,
  POTENTIAL_TARGETS_NUMBERS,
  putPotentialDef,
  putPotentialTargets,
} from '../generated/records.mjs'
import { PotentialCallbacks } from './potential-callbacks.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { CustomFunctions } from './constraint-definition.mjs' */
/** @import { PotentialFunctions } from './potential-callbacks.mjs' */
/** @import { PotentialType, Vector } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * What a potential keeps of its definition.
 * @typedef {object} PotentialMaking
 * @property {PotentialType} type
 * @property {string} typeName
 * @property {readonly Body[] | null} bodies null: all dynamic ones
 * @property {number} [handle] of a custom potential's functions
 * @property {CustomFunctions} [functions] these
 * @property {PotentialMeasures} measures
 * @property {unknown} userData
 */

/** Names of the options by type, beside type and userData. */
const NAMES = Object.freeze({
  gravity: ['bodies', 'region', 'gravity'],
  pointGravity: ['bodies', 'region', 'center', 'mu', 'softening'],
  tidal: ['bodies', 'region', 'center', 'mu'],
  magnetic: ['bodies', 'region', 'moment', 'field', 'center', 'sourceMoment'],
  drag: ['bodies', 'region', 'linear', 'quadratic', 'angular', 'velocity'],
  spring: ['bodyA', 'bodyB', 'anchorA', 'anchorB', 'stiffness', 'restLength', 'damping'],
  custom: ['bodies', 'region', 'force', 'torque', 'energy', 'typeName'],
  buoyancy: ['bodies', 'region', 'density', 'surface'],
  mutualGravity: ['bodies', 'gravitationalConstant', 'softening'],
})

/** Options that a type cannot do without. */
const NEEDED = Object.freeze({
  gravity: ['gravity'],
  pointGravity: ['mu'],
  tidal: ['mu'],
  magnetic: ['moment'],
  drag: [],
  spring: ['bodyA', 'stiffness'],
  custom: ['force'],
  buoyancy: ['density'],
  mutualGravity: [],
})

/** What a potential cannot change. */
const FIXED = Object.freeze([
  ...['bodies', 'bodyA', 'bodyB', 'force', 'torque', 'energy', 'typeName'],
])

/**
 * The numbers of a potential, as the engine names them.
 * @typedef {Parameters<typeof putPotentialDef>[1]} PotentialDef
 * @typedef {Omit<PotentialDef, 'type'>} PotentialMeasures
 */

/** @type {Readonly<Vector>} */
const ZERO = Object.freeze([0, 0, 0])
const NO_SPRING = Object.freeze({
  ...{ anchorA: ZERO, anchorB: ZERO },
  ...{ stiffness: 0, restLength: 0, damping: 0 },
})
const where = 'createPotential'

/**
 * Checks a definition and puts it into the shared block. Everything is checked before anything is put.
 * @param {WorldCore} core
 * @param {unknown} value a PotentialDefinition
 * @returns {PotentialMaking}
 */
export function putPotential(core, value) {
  const definition = readObject(value, `${where}: definition`)
  const type = readWord(definition.type, `${where}: type`, POTENTIAL_TYPES)
  checkNames(definition, ['type', 'userData', ...NAMES[type]], where)
  for (const name of NEEDED[type]) {
    if (definition[name] !== undefined) continue
    throw new MoreauError('invalid-argument', `${where}: a ${type} potential needs ${name}`)
  }
  const { userData, typeName = type } = definition
  if (typeof typeName !== 'string') throw invalid(`${where}: typeName`, 'a string', typeName)
  const field = readField(definition)
  const isSpring = type === 'spring'
  const acting = isSpring ? readEnds(core, definition) : readBodies(core, definition.bodies)
  const spring = isSpring ? readSpring(definition, acting ?? []) : NO_SPRING
  const measures = { ...field, ...spring }
  const functions = type === 'custom' ? readFunctions(definition) : undefined
  // From here on no code of the user runs.
  const custom = functions && customOf(core, functions)
  const handle = custom && core.callbacks.add(KIND.potential, custom.make)
  const ids = (acting ?? []).map((body) => body?.id ?? 0)
  core.engine.begin(POTENTIAL_DEF_NUMBERS + POTENTIAL_TARGETS_NUMBERS + ids.length)
  putPotentialDef(core.engine, { type, ...measures })
  const hasEnergy = functions?.energy !== undefined
  putPotentialTargets(core.engine, { handle: handle ?? 0, hasEnergy, bodyCount: ids.length })
  core.engine.putAll(ids)
  const bodies = acting && Object.freeze(acting.filter((body) => body !== null))
  return { type, typeName, bodies, handle, functions: custom, userData, measures }
}

/**
 * @param {WorldCore} core
 * @param {ReturnType<typeof readFunctions>} functions
 * @returns {CustomFunctions}
 */
function customOf(core, functions) {
  const make = () => new PotentialCallbacks(core, functions)
  return { make, has: functions.energy === undefined ? 0 : 1 }
}

/**
 * The functions of a custom potential that comes out of a snapshot.
 * @param {WorldCore} core
 * @param {Record<string, unknown>} given
 * @returns {CustomFunctions}
 */
export function customOfPotential(core, given) {
  return customOf(core, readFunctions(given))
}

/**
 * Checks changes of a potential and puts the whole of it into the shared block.
 * @param {WorldCore} core
 * @param {PotentialMaking} making
 * @param {unknown} value options of its definition
 * @returns {PotentialMeasures} to be kept once the engine has them
 */
export function putPotentialChanges(core, { type, measures }, value) {
  const path = 'update'
  const changes = readObject(value, `${path}: changes`)
  const names = NAMES[type].filter((name) => !FIXED.includes(name))
  checkNames(changes, names, path)
  const field = readField(changes, measures, path)
  const changed = { ...measures, ...field, ...readSpringNumbers(changes, measures, path) }
  for (const name of ['anchorA', 'anchorB']) {
    if (changes[name] === undefined) continue
    Object.assign(changed, { [name]: toVector(changes[name], `${path}: ${name}`) })
  }
  core.engine.begin(POTENTIAL_DEF_NUMBERS)
  putPotentialDef(core.engine, { type, ...changed })
  return changed
}

const GRAVITATIONAL_CONSTANT = 6.6743e-11
const NO_SURFACE = Object.freeze({ normal: Object.freeze([0, 1, 0]), offset: 0 })

/** @type {{ type: 'everywhere' | 'sphere' | 'box' } & Record<string, any>} */
const EVERYWHERE = Object.freeze({
  ...{ type: 'everywhere', center: ZERO, radius: 0 },
  ...{ halfExtents: ZERO, orientation: Object.freeze([0, 0, 0, 1]) },
})

/**
 * What is no spring has; what is not given stays as it was, or is 0.
 * @param {Record<string, unknown>} definition
 * @param {Record<string, any>} [before]
 * @param {string} [path]
 */
function readField(definition, before, path = where) {
  const vector = (/** @type {string} */ name) =>
    definition[name] === undefined
      ? /** @type {Readonly<Vector>} */ (before?.[name] ?? ZERO)
      : toVector(definition[name], `${path}: ${name}`)
  const number = (/** @type {string} */ name, as = name, preset = 0) =>
    definition[name] === undefined
      ? /** @type {number} */ (before?.[as] ?? preset)
      : readNonNegative(definition[name], `${path}: ${name}`)
  const surface = definition.surface === undefined ? undefined : readSurface(definition, path)
  return {
    gravity: vector('gravity'),
    center: vector('center'),
    mu: number('mu'),
    softening: number('softening'),
    moment: vector('moment'),
    field: vector('field'),
    sourceMoment: vector('sourceMoment'),
    linearDrag: number('linear', 'linearDrag'),
    quadraticDrag: number('quadratic', 'quadraticDrag'),
    angularDrag: number('angular', 'angularDrag'),
    velocity: vector('velocity'),
    fluidDensity: number('density', 'fluidDensity'),
    surfaceNormal: /** @type {Vector} */ (
      surface?.normal ?? before?.surfaceNormal ?? NO_SURFACE.normal
    ),
    surfaceOffset: /** @type {number} */ (
      surface?.offset ?? before?.surfaceOffset ?? NO_SURFACE.offset
    ),
    gravitationalConstant: number(
      'gravitationalConstant',
      'gravitationalConstant',
      GRAVITATIONAL_CONSTANT,
    ),
    region:
      definition.region === undefined
        ? (before?.region ?? EVERYWHERE)
        : readRegion(definition.region, `${path}: region`),
  }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {string} path
 */
function readSurface(definition, path) {
  const surface = readObject(definition.surface, `${path}: surface`)
  checkNames(surface, ['normal', 'offset'], `${path}: surface`)
  const { normal = NO_SURFACE.normal, offset = 0 } = surface
  const direction = toVector(normal, `${path}: surface.normal`)
  if (direction.every((x) => x === 0)) {
    throw invalid(`${path}: surface.normal`, 'not all 0', normal)
  }
  return { normal: direction, offset: readNumber(offset, `${path}: surface.offset`) }
}

/**
 * @param {unknown} value a Region; null: everywhere
 * @param {string} path
 */
function readRegion(value, path) {
  if (value === null) return EVERYWHERE
  const region = readObject(value, path)
  const type = readWord(region.type, `${path}.type`, /** @type {const} */ (['sphere', 'box']))
  const { center = ZERO, radius, halfExtents, orientation = [0, 0, 0, 1] } = region
  const middle = toVector(center, `${path}.center`)
  if (type === 'sphere') {
    checkNames(region, ['type', 'center', 'radius'], path)
    const size = readPositive(radius, `${path}.radius`)
    return { ...EVERYWHERE, type, center: middle, radius: size }
  }
  checkNames(region, ['type', 'center', 'halfExtents', 'orientation'], path)
  const extents = toVector(halfExtents, `${path}.halfExtents`)
  if (!extents.every((x) => x > 0)) {
    throw invalid(`${path}.halfExtents`, 'three finite numbers above 0', halfExtents)
  }
  const turn = toQuaternion(orientation, `${path}.orientation`)
  return { ...EVERYWHERE, type, center: middle, halfExtents: extents, orientation: turn }
}

/**
 * Anchors, stiffness, rest length and damping.
 * @param {Record<string, unknown>} definition
 * @param {readonly (Body | null)[]} ends
 */
function readSpring(definition, ends) {
  const anchor = (/** @type {string} */ name, /** @type {Body | null} */ body) => {
    const value = definition[name] ?? (body === null ? undefined : body.centerOfMass)
    if (value === undefined) {
      const message = `${where}: a spring to the world needs ${name}, a point of the world`
      throw new MoreauError('invalid-argument', message)
    }
    return toVector(value, `${where}: ${name}`)
  }
  return {
    anchorA: anchor('anchorA', ends[0]),
    anchorB: anchor('anchorB', ends[1]),
    ...readSpringNumbers(definition, NO_SPRING, where),
  }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {Record<string, any>} before
 * @param {string} path
 */
function readSpringNumbers(definition, before, path) {
  const number = (/** @type {string} */ name) =>
    definition[name] === undefined
      ? /** @type {number} */ (before[name])
      : readNonNegative(definition[name], `${path}: ${name}`)
  return {
    stiffness: number('stiffness'),
    restLength: number('restLength'),
    damping: number('damping'),
  }
}

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @returns {Body[] | null}
 */
function readBodies(core, value) {
  if (value === undefined) return null
  const path = `${where}: bodies`
  const list = access.isBody(value) ? [value] : value
  if (!isList(list) || list.length === 0) {
    throw invalid(path, 'a body or an array of one or more', value)
  }
  const bodies = Array.from(list, (item, i) => core.own(item, `${path}[${i}]`))
  if (new Set(bodies).size < bodies.length) {
    throw new MoreauError('invalid-argument', `${path} must hold each body once`)
  }
  return bodies
}

/**
 * Both ends of a spring; null is the world.
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @returns {(Body | null)[]}
 */
function readEnds(core, { bodyA, bodyB }) {
  const a = core.own(bodyA, `${where}: bodyA`)
  const b = bodyB === undefined || bodyB === null ? null : core.own(bodyB, `${where}: bodyB`)
  if (a === b) {
    throw new MoreauError('invalid-argument', `${where}: bodyA and bodyB must be different bodies`)
  }
  return [a, b]
}

/**
 * @param {Record<string, unknown>} definition
 * @returns {PotentialFunctions}
 */
function readFunctions({ force, torque, energy }) {
  for (const [name, value] of Object.entries({ force, torque, energy })) {
    if (value === undefined || typeof value === 'function') continue
    throw invalid(`${where}: ${name}`, 'a function', value)
  }
  return /** @type {PotentialFunctions} */ ({ force, torque, energy })
}
