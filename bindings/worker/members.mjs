import { MoreauError } from '../core/errors.mjs'

// Which members of a world are others where it lives in a worker. Every public member of `World` that is not named here is
// the same one, of the frame that was taken last (tests/node/worker-members.test.mjs has them all).

/** What the worker is asked for, and gives by promises. Those with arguments are methods. */
export const ASKED_METHODS = /** @type {const} */ ([
  ...['hash', 'snapshot', 'assets', 'residual', 'islands', 'contactPoints', 'recordProblem'],
  ...['profile'],
])
export const ASKED_GETTERS = /** @type {const} */ ([
  ...['stats', 'warnings', 'solverEvents', 'sleepEvents', 'contactEvents', 'sensorEvents'],
])

/** What there is not, and what there is instead. */
export const MISSING = Object.freeze({
  previousTransforms: '`interpolate` draws between frames, of which the worker sends the poses',
  moved: 'steps are made between frames, and a frame has all bodies: compare `transforms`',
  profiling: 'it is an option of `World.create`: `profile`',
  readProfile: '`await world.profile()`',
  readResidual: '`await world.residual()`',
  readStats: '`await world.stats`',
  readContactPoints: '`await world.contactPoints()`',
  readContactEvents: "`world.on('contact', ...)`",
  readSensorEvents: "`world.on('sensor', ...)`",
  readSleepEvents: "`world.on('sleep', ...)`",
})

/** @typedef {keyof typeof MISSING} Missing */

/** Of the class. */
export const MISSING_STATIC = Object.freeze({
  replay: '`World.replay` of `moreau` compares states; it takes recordings of a worker too',
})

/**
 * @param {string} name
 * @param {string} instead
 */
export function missing(name, instead) {
  return new MoreauError(
    'not-supported',
    `${name}: a world in a worker does not have it: ${instead}`,
  )
}
