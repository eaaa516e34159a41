// Where something is in a file, and errors and warnings that say so.

import { MoreauError } from '../../core/errors.mjs'

/** @import { MoreauErrorCode } from '../../core/errors.mjs' */

/**
 * @typedef {object} Place
 * @property {string} path names of elements from the root on, with the `name` attribute or the number among their like
 * @property {number} [line] from 1 on
 * @property {string} [file] that the file includes; undefined: the file itself
 */

/**
 * @param {Place} element
 * @returns {Place} where it is, without the rest of it
 */
export const placeOf = ({ path, line, file }) => ({ path, line, file })

/**
 * @param {Place} place
 * @returns {string} as messages name it: `robot/link[arm] (line 12)`
 */
export function describePlace({ path, line, file }) {
  if (line === undefined) return path
  return `${path} (${file === undefined ? '' : `${file}, `}line ${line})`
}

/**
 * The error for what a file says.
 * @param {string} where the call
 * @param {Place} place
 * @param {string} message
 * @param {MoreauErrorCode} [code]
 */
export const refuse = (where, place, message, code = 'invalid-argument') =>
  new MoreauError(code, `${where}: ${describePlace(place)}: ${message}`)

/**
 * Runs a part of the making. What it throws names the place in the file.
 * @template Result
 * @param {string} where the call
 * @param {Place} place
 * @param {() => Result} make
 * @returns {Result}
 */
export function at(where, place, make) {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const code = error instanceof MoreauError ? error.code : 'invalid-argument'
    const message = `${where}: ${describePlace(place)}: ${error.message}`
    throw new MoreauError(code, message, { cause: error })
  }
}
