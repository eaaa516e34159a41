import { MoreauError } from '../core/errors.mjs'

// Errors that go from a worker to the page. A clone of an error is none of its class there, and what the user's own
// functions throw should say where in which file.

/**
 * @typedef {object} Failure
 * @property {string} code
 * @property {string} message
 * @property {{ name: string, message: string, stack: string | undefined }} [cause] what a function of the user threw
 */

/** The first place of a stack that has an address, as engines write it: `(address:line:column)`, `@address:line:column`. */
const PLACE = /[a-z]+:\/\/[^\s()@]+:\d+:\d+/

/** @param {unknown} error @returns {Failure} as it may be posted */
export function failureOf(error) {
  const isOurs = error instanceof MoreauError
  const thrown = isOurs ? error.cause : error
  const message = error instanceof Error ? error.message : String(error)
  const code = isOurs ? error.code : 'worker-failed'
  if (!(thrown instanceof Error)) return { code, message }
  const { name, stack } = thrown
  const place = PLACE.exec(stack ?? '')?.[0]
  const cause = { name, message: thrown.message, stack }
  return { code, message: place === undefined ? message : `${message} (${place})`, cause }
}

/** @param {Failure} failure @returns {MoreauError} */
export function errorOf({ code, message, cause }) {
  const options = cause && { cause: Object.assign(new Error(cause.message), cause) }
  return new MoreauError(/** @type {any} */ (code), message, options)
}
