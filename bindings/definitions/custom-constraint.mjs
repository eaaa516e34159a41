import { readInteger } from '../core/arguments.mjs'
import { KIND } from '../core/callbacks.mjs'
import { invalid } from '../core/describe.mjs'
import {
  CUSTOM_CONSTRAINT_NUMBERS,
  putConstraintDef,
  putConstraintGiven,
  putCustomConstraint,
  putRowBounds,
  ROW_BOUNDS_NUMBERS,
} from '../generated/records.mjs'
import { readBounds } from './bounds.mjs'
import { ConstraintCallbacks } from './constraint-callbacks.mjs'
import { FIXED_NUMBERS, NO_JOINTS, readGains, withoutWorld } from './constraint-parts.mjs'
import { NO_COUPLING } from './gear-definition.mjs'
import { ORIGIN, SOME_AXIS } from './joint-frames.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Body } from '../objects/body.mjs' */
/** @import { Bounds } from './bounds.mjs' */
/** @import { ConstraintFunctions } from './constraint-callbacks.mjs' */
/** @import { ConstraintMaking, CustomFunctions } from './constraint-definition.mjs' */

/**
 * The functions of a custom constraint and what belongs to them.
 * @typedef {object} CustomPart
 * @property {ConstraintFunctions} functions
 * @property {number} dimension
 * @property {Bounds[]} bounds
 */

/** MO_CONSTRAINT_ROWS */
const MOST_ROWS = 32
/** Longest name of a custom constraint, bytes. */
const MOST_NAME_BYTES = 31
/** Numbers of the definition of a custom one, at the most, but for its name. */
const CUSTOM_NUMBERS = FIXED_NUMBERS + CUSTOM_CONSTRAINT_NUMBERS + MOST_ROWS * ROW_BOUNDS_NUMBERS

/**
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @param {Body} bodyA
 * @param {Body | null} bodyB
 * @param {string} where
 * @returns {ConstraintMaking}
 */
export function putCustom(core, definition, bodyA, bodyB, where) {
  const custom = readCustom(definition, where)
  const gains = readGains(definition, true, where)
  const { typeName = 'custom' } = definition
  if (typeof typeName !== 'string') throw invalid(`${where}: typeName`, 'a string', typeName)
  const name = new TextEncoder().encode(typeName).subarray(0, MOST_NAME_BYTES)
  const bodies = withoutWorld(bodyA, bodyB)
  const { userData } = definition
  // From here on no code of the user runs.
  core.alive(where)
  core.callbacks.checkUnlocked(where)

  const { functions, dimension, bounds } = custom
  const make = () => new ConstraintCallbacks(functions, bodies, dimension)
  const handle = core.callbacks.add(KIND.constraint, make)
  const module = core.engine
  module.begin(CUSTOM_NUMBERS + name.length)
  putConstraintDef(module, {
    ...{ type: 'custom', bodyA: bodyA.id, bodyB: bodyB?.id ?? 0, collideConnected: true },
    ...NO_COUPLING,
    ...{ anchorA: ORIGIN, anchorB: ORIGIN, axisA: SOME_AXIS, axisB: SOME_AXIS },
    ...{ hasLength: false, length: 0, breakForce: Infinity, breakTorque: Infinity },
    ...gains,
  })
  putConstraintGiven(module, {
    hasWorldAnchor: false,
    hasWorldAxis: false,
    driveCount: 0,
    hasPoseMotor: false,
    hasReference: false,
    hasPath: false,
    hasFunctions: true,
    ...NO_JOINTS,
  })
  putCustomConstraint(module, {
    ...{ handle, dimension, nameLength: name.length },
    hasJacobian: functions.jacobian !== undefined,
    hasTimeDerivative: functions.timeDerivative !== undefined,
    hasIsActive: functions.isActive !== undefined,
  })
  for (const row of bounds) putRowBounds(module, row)
  module.putAll(name)
  return {
    ...{ type: 'custom', isJoint: false, typeName, bodyA, bodyB, bodies: Object.freeze(bodies) },
    ...{ handle, userData, rows: Object.freeze(bounds) },
    functions: { make, has: hasOfConstraint(functions) },
  }
}

/**
 * @param {ConstraintFunctions} functions
 * @returns {number} bits
 */
function hasOfConstraint({ jacobian, timeDerivative, isActive }) {
  return (jacobian ? 1 : 0) | (timeDerivative ? 2 : 0) | (isActive ? 4 : 0)
}

/**
 * What a custom constraint that comes out of a snapshot has of its own.
 * @param {Record<string, unknown>} definition
 * @param {readonly Body[]} bodies
 * @param {string} where
 * @returns {{ functions: CustomFunctions, rows: readonly Bounds[] }}
 */
export function customOfConstraint(definition, bodies, where) {
  const { functions, dimension, bounds } = readCustom(definition, where)
  const make = () => new ConstraintCallbacks(functions, [...bodies], dimension)
  return { functions: { make, has: hasOfConstraint(functions) }, rows: Object.freeze(bounds) }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {CustomPart}
 */
function readCustom(definition, where) {
  const { evaluate, bounds = 'bilateral' } = definition
  if (typeof evaluate !== 'function') throw invalid(`${where}: evaluate`, 'a function', evaluate)
  const dimension = readInteger(definition.dimension, `${where}: dimension`, 1, MOST_ROWS)
  const functions = /** @type {ConstraintFunctions} */ ({ evaluate })
  for (const name of /** @type {const} */ (['jacobian', 'timeDerivative', 'isActive'])) {
    const given = definition[name]
    if (given === undefined) continue
    if (typeof given !== 'function') throw invalid(`${where}: ${name}`, 'a function', given)
    functions[name] = /** @type {any} */ (given)
  }
  return { functions, dimension, bounds: readBounds(bounds, dimension, `${where}: bounds`) }
}
