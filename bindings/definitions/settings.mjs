import { checkNames, readObject, readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { INTEGRATORS, SOLVERS } from '../generated/enums.mjs'
import * as SETTINGS from '../generated/places/settings.mjs'
import { READERS } from '../generated/world-options.mjs'

// Settings of a world travel as one list of numbers (generated/world-options.mjs).

/**
 * Options of a world on top of the defaults.
 * @param {unknown} value WorldOptions
 * @param {(lengthUnit: number) => number[]} defaultsIn gives the list of defaults in a unit of length, m
 * @returns {number[]}
 */
export function readSettings(value, defaultsIn) {
  const options = readObject(value, 'World: options')
  checkNames(options, Object.keys(READERS), 'World')
  const list = defaultsIn(lengthUnitOf(options))
  for (const name of Object.keys(options)) {
    if (options[name] !== undefined) readSetting(name, options[name], list)
  }
  // soft-step has an integrator of its own: who asks for another one asks for a solver that knows it.
  if (options.solver === undefined && list[SETTINGS.integrator] !== 0) {
    list[SETTINGS.solver] = SOLVERS.indexOf('block-pgs')
  }
  checkTogether(list, 'integrator')
  return list
}

/** Its defaults depend on it, so it is read before the others. @param {Record<string, unknown>} options */
function lengthUnitOf({ lengthUnit }) {
  return lengthUnit === undefined ? 1 : readPositive(lengthUnit, 'World: lengthUnit')
}

/**
 * Two settings that exclude each other.
 * @param {number[]} list
 * @param {string} name of the setting that was changed last
 */
function checkTogether(list, name) {
  const solver = SOLVERS[list[SETTINGS.solver]]
  const integrator = INTEGRATORS[list[SETTINGS.integrator]]
  if (!['soft-step', 'auto'].includes(solver) || integrator === 'semi-implicit-euler') return
  if (name === 'solver') {
    const allowed = `other than 'soft-step' and 'auto' with integrator '${integrator}'`
    throw invalid('World: solver', allowed, solver)
  }
  const allowed = `'semi-implicit-euler' with solver '${solver}', which moves bodies by itself`
  throw invalid('World: integrator', allowed, integrator)
}

/**
 * Checks the value of an option and writes it to the list, if it has a place there.
 * @param {string} name
 * @param {unknown} value
 * @param {number[]} list
 */
function readSetting(name, value, list) {
  const [read, place] = READERS[name]
  const found = read(value, `World: ${name}`)
  if (place === undefined) return
  const numbers = Array.isArray(found) ? found : [Number(found)]
  numbers.forEach((number, i) => (list[place + i] = number))
}

/**
 * The same of a world that exists. The value is read before the settings are: its getters may set
 * another one.
 * @param {string} name
 * @param {unknown} value
 * @param {() => number[]} current gives the settings
 * @returns {number[]} the settings with the change
 */
export function changeSettings(name, value, current) {
  /** @type {number[]} what changes, at its places */
  const changes = []
  readSetting(name, value, changes)
  const list = Object.assign(current(), changes)
  checkTogether(list, name)
  return list
}
