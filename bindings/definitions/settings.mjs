import {
  checkNames,
  readBoolean,
  readFraction,
  readInteger,
  readNonNegative,
  readObject,
  readPositive,
  readWord,
} from '../core/arguments.mjs'
import { invalid, notSupported } from '../core/describe.mjs'
import { toVector } from '../core/vectors.mjs'

/** @import { Effort, FrictionLaw, SolverName, Stabilization, IntegratorName } from '../types/index.mjs' */

// Settings of a world travel as one list of numbers: gravity x y z, solver, stabilization,
// iterations, tolerance, restitutionThreshold, linearSlop, errorReduction, maxCorrectionSpeed,
// frictionLaw, effort, maxIterations, exactMemoryLimit, integrator, substeps, contactHertz,
// contactDamping, jointHertz, jointDamping, allowSleep, sleepThreshold, timeToSleep, certify, frictionPerPoint. Below
// 0, three of them are chosen by the engine: 'auto'.
// The same order as read_settings in abi/exports_settings.c.

/** How many numbers these are. */
export const SETTING_COUNT = 26

/** In the order of mo_solver. @type {readonly SolverName[]} */
export const SOLVERS = ['block-pgs', 'exact', 'bilateral', 'active-set', 'cone', 'soft-step']
/** In the order of mo_friction_law. @type {readonly FrictionLaw[]} */
export const FRICTION_LAWS = ['coulomb', 'convex']
/** In the order of mo_effort. @type {readonly Effort[]} */
export const EFFORTS = ['step', 'offline']
/** @type {readonly Stabilization[]} */
export const STABILIZATIONS = ['split', 'baumgarte', 'none']

/** In the order of mo_integrator. @type {readonly IntegratorName[]} */
export const INTEGRATORS = [
  'semi-implicit-euler',
  'explicit-euler',
  'velocity-verlet',
  'rk4',
  'implicit-midpoint',
]

/** Where each setting is in the list. */
export const PLACE = Object.freeze({
  solver: 3,
  stabilization: 4,
  iterations: 5,
  tolerance: 6,
  restitutionThreshold: 7,
  linearSlop: 8,
  errorReduction: 9,
  maxCorrectionSpeed: 10,
  frictionLaw: 11,
  effort: 12,
  maxIterations: 13,
  exactMemoryLimit: 14,
  integrator: 15,
  substeps: 16,
  contactHertz: 17,
  contactDamping: 18,
  jointHertz: 19,
  jointDamping: 20,
  allowSleep: 21,
  sleepThreshold: 22,
  timeToSleep: 23,
  certify: 24,
  frictionPerPoint: 25,
})

/**
 * Readers of all options by name: each checks a value and writes it to the list, if it has a place
 * there.
 * @type {Readonly<Record<string, (value: unknown, path: string, list: number[]) => void>>}
 */
const READERS = Object.freeze({
  gravity: (value, path, list) => {
    Object.assign(list, toVector(value, path))
  },
  solver: (value, path, list) => {
    list[PLACE.solver] = solverNumber(value, path)
  },
  stabilization: (value, path, list) => {
    const word = readWord(value, path, STABILIZATIONS)
    list[PLACE.stabilization] = STABILIZATIONS.indexOf(word)
  },
  iterations: (value, path, list) => {
    list[PLACE.iterations] = readInteger(value, path, 1, 100000)
  },
  tolerance: (value, path, list) => {
    list[PLACE.tolerance] = readNonNegative(value, path)
  },
  restitutionThreshold: (value, path, list) => {
    list[PLACE.restitutionThreshold] = readOrAuto(value, path)
  },
  linearSlop: (value, path, list) => {
    list[PLACE.linearSlop] = readOrAuto(value, path)
  },
  errorReduction: (value, path, list) => {
    list[PLACE.errorReduction] = readFraction(value, path)
  },
  maxCorrectionSpeed: (value, path, list) => {
    list[PLACE.maxCorrectionSpeed] = readNonNegative(value, path)
  },
  substeps: (value, path, list) => {
    list[PLACE.substeps] = readInteger(value, path, 1, 64)
  },
  frictionLaw: (value, path, list) => {
    list[PLACE.frictionLaw] = FRICTION_LAWS.indexOf(readWord(value, path, FRICTION_LAWS))
  },
  effort: (value, path, list) => {
    list[PLACE.effort] = EFFORTS.indexOf(readWord(value, path, EFFORTS))
  },
  maxIterations: (value, path, list) => {
    list[PLACE.maxIterations] = readInteger(value, path, 1, 100000)
  },
  exactMemoryLimit: (value, path, list) => {
    list[PLACE.exactMemoryLimit] = readInteger(value, path, 1, 2 ** 31 - 1)
  },
  integrator: (value, path, list) => {
    list[PLACE.integrator] = INTEGRATORS.indexOf(readWord(value, path, INTEGRATORS))
  },
  contactHertz: (value, path, list) => {
    list[PLACE.contactHertz] = readPositive(value, path)
  },
  contactDamping: (value, path, list) => {
    list[PLACE.contactDamping] = readNonNegative(value, path)
  },
  jointHertz: (value, path, list) => {
    list[PLACE.jointHertz] = readPositive(value, path)
  },
  jointDamping: (value, path, list) => {
    list[PLACE.jointDamping] = readNonNegative(value, path)
  },
  allowSleep: (value, path, list) => {
    list[PLACE.allowSleep] = Number(readBoolean(value, path))
  },
  sleepThreshold: (value, path, list) => {
    list[PLACE.sleepThreshold] = readOrAuto(value, path)
  },
  timeToSleep: (value, path, list) => {
    list[PLACE.timeToSleep] = readNonNegative(value, path)
  },
  frictionPerPoint: (value, path, list) => {
    list[PLACE.frictionPerPoint] = Number(readBoolean(value, path))
  },
  certify: (value, path, list) => {
    list[PLACE.certify] = Number(readBoolean(value, path))
  },
  // Of the world alone.
  profile: (value, path) => {
    readBoolean(value, path)
  },
})

/**
 * @param {unknown} value
 * @param {string} path
 */
function readOrAuto(value, path) {
  if (value === 'auto') return -1
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value
  throw invalid(path, "a finite number, 0 or more, or 'auto'", value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number} in the order of mo_solver
 */
export function solverNumber(value, path) {
  return SOLVERS.indexOf(readWord(value, path, SOLVERS))
}

/**
 * A switch that a later version may turn on.
 * @param {unknown} value
 * @param {string} path
 */
export function readFalse(value, path) {
  if (value === true) throw notSupported(path, value, 'false')
  if (value !== false) throw invalid(path, 'true or false', value)
}

/**
 * Options of a world on top of the defaults in the list.
 * @param {unknown} value WorldOptions
 * @param {number[]} list
 */
export function readSettings(value, list) {
  const options = readObject(value, 'World: options')
  checkNames(options, Object.keys(READERS), 'World')
  for (const name of Object.keys(options)) {
    if (options[name] !== undefined) readSetting(name, options[name], list)
  }
  // soft-step has an integrator of its own: who asks for another one asks for a solver that knows it.
  if (options.solver === undefined && list[PLACE.integrator] !== 0) {
    list[PLACE.solver] = SOLVERS.indexOf('block-pgs')
  }
  checkTogether(list, 'integrator')
}

/**
 * Two settings that exclude each other.
 * @param {number[]} list
 * @param {string} name of the setting that was changed last
 */
function checkTogether(list, name) {
  const solver = SOLVERS[list[PLACE.solver]]
  const integrator = INTEGRATORS[list[PLACE.integrator]]
  if (solver !== 'soft-step' || integrator === 'semi-implicit-euler') return
  if (name === 'solver') {
    const allowed = `other than 'soft-step' with integrator '${integrator}'`
    throw invalid('World: solver', allowed, solver)
  }
  const allowed = "'semi-implicit-euler' with solver 'soft-step', which moves bodies by itself"
  throw invalid('World: integrator', allowed, integrator)
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number[]} list
 */
function readSetting(name, value, list) {
  READERS[name](value, `World: ${name}`, list)
}

/**
 * The same of a world that exists. The value is read before the settings are: its getters may set
 * another one.
 * @param {string} name
 * @param {unknown} value
 * @param {() => number[]} current gives the settings
 * @returns {number[]} the settings with the change
 */
export function changeSetting(name, value, current) {
  /** @type {number[]} what changes, at its places */
  const changes = []
  readSetting(name, value, changes)
  const list = Object.assign(current(), changes)
  checkTogether(list, name)
  return list
}
