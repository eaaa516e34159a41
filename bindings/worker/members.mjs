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
 * Gives a class of worlds the members that are not those of `moreau`.
 * @param {Function & { prototype: object }} type
 * @param {(world: object, name: string, args: unknown[]) => Promise<any>} ask
 */
export function defineMembers(type, ask) {
  const { prototype } = type
  for (const name of ASKED_METHODS) {
    const value = /** @this {object} */ function (/** @type {unknown[]} */ ...args) {
      return ask(this, name, args)
    }
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  }
  for (const name of ASKED_GETTERS) {
    const get = /** @this {object} */ function () {
      return ask(this, name, [])
    }
    Object.defineProperty(prototype, name, { get, configurable: true })
  }
  for (const [name, instead] of Object.entries(MISSING)) {
    const refuse = refusal(name, instead)
    Object.defineProperty(prototype, name, { get: refuse, set: refuse, configurable: true })
  }
  for (const [name, instead] of Object.entries(MISSING_STATIC)) {
    Object.defineProperty(type, name, { value: refusal(name, instead), configurable: true })
  }
}

/** @param {string} name @param {string} instead */
function refusal(name, instead) {
  return () => {
    const message = `${name}: a world in a worker does not have it: ${instead}`
    throw new MoreauError('not-supported', message)
  }
}
