import { invalid } from '../core/describe.mjs'
import { internals } from '../index.mjs'

const { access } = internals

/**
 * What goes to the worker as it is given has to be posted (a structured clone). It is looked at where it is given: of a
 * message that cannot be posted nothing would arrive, and the worlds would not be the same any more.
 * @param {readonly unknown[]} values
 * @param {string} path of the list
 */
export function readPostable(values, path) {
  for (const [i, value] of values.entries()) checkPostable(value, `${path}[${i}]`)
}

/** @param {unknown} value @param {string} path */
export function checkPostable(value, path) {
  if (access.isBody(value)) throw invalid(path, 'what can be posted: of a body its `id`', value)
  try {
    structuredClone(value)
  } catch (cause) {
    throw invalid(path, 'what can be posted, so no functions and symbols', value, { cause })
  }
}
