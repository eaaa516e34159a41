import { isObject, readFunction } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { within } from '../core/patience.mjs'

/** @import { Restoring } from '../types/index.mjs' */

/**
 * The functions of the user that run in steps: what a module exports, which is loaded in the worker, where the steps are,
 * and here, where energies and violations are asked for.
 * @typedef {Record<string, any> & Pick<Restoring, 'constraints' | 'potentials'>} Functions
 */

/** What a definition of a custom constraint or potential may not have here. */
const INLINE = Object.freeze({
  constraints: ['evaluate', 'jacobian', 'timeDerivative', 'isActive'],
  potentials: ['force', 'torque', 'energy'],
})

/** @type {Functions} */
const NONE = Object.freeze({})

/**
 * The address of a module, whole: the worker is elsewhere.
 * @param {unknown} value
 * @param {string} path
 * @returns {string | undefined}
 */
export function readAddress(value, path) {
  if (value === undefined) return undefined
  const { document } = /** @type {any} */ (globalThis)
  try {
    return new URL(/** @type {string} */ (value), document?.baseURI).href
  } catch {
    const expected = "the address of a module, as of new URL('./functions.js', import.meta.url)"
    throw invalid(path, expected, value)
  }
}

/**
 * @param {string | undefined} address
 * @param {number} [timeout] seconds
 * @returns {Promise<Functions>}
 */
export async function loadFunctions(address, timeout = Infinity) {
  if (address === undefined) return NONE
  try {
    // It is no part of the bundle: workers load it by its address.
    const module = import(/* @vite-ignore */ /* webpackIgnore: true */ address)
    return await within(timeout, module, 'it did not arrive')
  } catch (cause) {
    const message = `World: the module of functions ${describe(address)} cannot be loaded: ${String(cause)}`
    throw new MoreauError('invalid-argument', message, { cause })
  }
}

/** What restores and replays need of them. @param {Functions} functions @returns {Restoring} */
export const restoringBy = ({ constraints, potentials }) => ({
  ...(constraints && { constraints }),
  ...(potentials && { potentials }),
})

/**
 * The definition of a custom constraint or potential with the functions that the module has for its `typeName`.
 * @template {object} Definition
 * @param {Functions} functions
 * @param {'constraints' | 'potentials'} kind
 * @param {Definition} definition
 * @param {string} where
 * @returns {Definition}
 */
export function withFunctions(functions, kind, definition, where) {
  const given = /** @type {Record<string, unknown>} */ (definition)
  for (const name of INLINE[kind]) refuseFunction(`${where}: ${name}`, given[name])
  const { typeName = 'custom' } = given
  const table = functions[kind]
  const own =
    isObject(table) && Object.hasOwn(table, String(typeName)) ? table[String(typeName)] : undefined
  if (isObject(own)) return { ...definition, ...own }
  const there = isObject(table) ? Object.keys(table).map((name) => describe(name)) : []
  const expected = `a name in '${kind}' of the module of functions, which has ${there.join(', ') || 'none'}`
  throw invalid(`${where}: typeName`, expected, typeName)
}

/**
 * @param {Functions} functions
 * @param {unknown} name
 * @param {string} path
 * @returns {string} the name of a function that the module exports
 */
export function readExport(functions, name, path) {
  refuseFunction(path, name)
  if (typeof name === 'string' && Object.hasOwn(functions, name)) {
    readFunction(functions[name], `${path}: ${name}`)
    return name
  }
  const there = Object.keys(functions).filter((one) => typeof functions[one] === 'function')
  const expected = `the name of a function of the module, which has ${there.map((one) => describe(one)).join(', ') || 'none'}`
  throw invalid(path, expected, name)
}

/**
 * Refuses functions, which cannot go to a worker.
 * @param {string} what
 * @param {unknown} value
 */
function refuseFunction(what, value) {
  if (typeof value !== 'function') return
  const message = `${what}: a function cannot go to the worker; give its name, and \`workerOptions.functions\` the address of the module that exports it`
  throw new MoreauError('not-supported', message)
}
