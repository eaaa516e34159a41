import { access } from '../core/access.mjs'
import { checkNames, readNonNegative, readObject, readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { toVector } from '../core/vectors.mjs'
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
/** @import { PotentialFunctions } from './potential-callbacks.mjs' */
/** @import { PotentialType, Vector } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * What a potential keeps of its definition.
 * @typedef {object} PotentialMaking
 * @property {PotentialType} type
 * @property {readonly Body[] | null} bodies null: all dynamic ones
 * @property {number} [handle] of a custom potential's functions
 * @property {unknown} userData
 */

const LATER_TYPES = ['buoyancy']

/** Names of the options by type, beside type and userData. */
const NAMES = Object.freeze({
  gravity: ['bodies', 'gravity'],
  pointGravity: ['bodies', 'center', 'mu', 'softening'],
  tidal: ['bodies', 'center', 'mu'],
  magnetic: ['bodies', 'moment', 'field', 'center', 'sourceMoment'],
  drag: ['bodies', 'linear', 'quadratic', 'angular'],
  spring: ['bodyA', 'bodyB', 'anchorA', 'anchorB', 'stiffness', 'restLength', 'damping'],
  custom: ['bodies', 'force', 'torque', 'energy'],
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
})

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
  const type = readWord(definition.type, `${where}: type`, POTENTIAL_TYPES, LATER_TYPES)
  checkNames(definition, ['type', 'userData', ...NAMES[type]], where)
  for (const name of NEEDED[type]) {
    if (definition[name] !== undefined) continue
    throw new MoreauError('invalid-argument', `${where}: a ${type} potential needs ${name}`)
  }
  const { userData } = definition
  const field = readField(definition)
  const isSpring = type === 'spring'
  const acting = isSpring ? readEnds(core, definition) : readBodies(core, definition.bodies)
  const spring = isSpring ? readSpring(definition, acting ?? []) : NO_SPRING
  const functions = type === 'custom' ? readFunctions(definition) : undefined
  // From here on no code of the user runs.
  const handle =
    functions && core.callbacks.add(KIND.potential, () => new PotentialCallbacks(core, functions))
  const ids = (acting ?? []).map((body) => body?.id ?? 0)
  core.engine.begin(POTENTIAL_DEF_NUMBERS + POTENTIAL_TARGETS_NUMBERS + ids.length)
  putPotentialDef(core.engine, { type, ...field, ...spring })
  const hasEnergy = functions?.energy !== undefined
  putPotentialTargets(core.engine, { handle: handle ?? 0, hasEnergy, bodyCount: ids.length })
  core.engine.putAll(ids)
  const bodies = acting && Object.freeze(acting.filter((body) => body !== null))
  return { type, bodies, handle, userData }
}

/**
 * What is no spring has; 0 where it is not given.
 * @param {Record<string, unknown>} definition
 */
function readField(definition) {
  const vector = (/** @type {string} */ name) =>
    toVector(definition[name] ?? ZERO, `${where}: ${name}`)
  const number = (/** @type {string} */ name) =>
    readNonNegative(definition[name] ?? 0, `${where}: ${name}`)
  return {
    gravity: vector('gravity'),
    center: vector('center'),
    mu: number('mu'),
    softening: number('softening'),
    moment: vector('moment'),
    field: vector('field'),
    sourceMoment: vector('sourceMoment'),
    linearDrag: number('linear'),
    quadraticDrag: number('quadratic'),
    angularDrag: number('angular'),
  }
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
  const number = (/** @type {string} */ name) =>
    readNonNegative(definition[name] ?? 0, `${where}: ${name}`)
  return {
    anchorA: anchor('anchorA', ends[0]),
    anchorB: anchor('anchorB', ends[1]),
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
