import { MoreauError } from '../core/errors.mjs'

// Which members of a world are others where it lives in a worker.

/** What the worker is asked for, and gives by promises. Those with arguments are methods. */
export const ASKED_METHODS = /** @type {const} */ ([
  ...['hash', 'snapshot', 'assets', 'residual', 'islands', 'contactPoints', 'recordProblem'],
  ...['profile'],
])
export const ASKED_GETTERS = /** @type {const} */ ([
  ...['stats', 'warnings', 'solverEvents', 'sleepEvents', 'contactEvents', 'sensorEvents'],
])

/** What runs in the middle of a step, or keeps every state. */
export const MISSING = /** @type {const} */ ([
  ...['createCharacter', 'history', 'record', 'previousTransforms', 'readResidual', 'readStats'],
  ...['readContactEvents', 'readSensorEvents', 'readSleepEvents', 'readContactPoints'],
  ...['readProfile', 'profiling', 'moved'],
])

/** Of the class: what makes a world at once. */
export const MISSING_STATIC = Object.freeze(['fromJSON', 'replay'])

/** @param {string} name */
export function missing(name) {
  const message = `${name}: a world in a worker does not have it (docs/worker.md says what there is instead)`
  return new MoreauError('not-supported', message)
}

/**
 * Refuses functions, which cannot go to a worker.
 * @param {string} what
 * @param {unknown} value
 */
export function refuseFunction(what, value) {
  if (value === null || value === undefined) return
  const message = `${what}: functions cannot run in the steps of a world in a worker`
  throw new MoreauError('not-supported', message)
}
