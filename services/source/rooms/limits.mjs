import { HTTP_LIMITS } from '../operations/http-server.mjs'

/** @import { HttpLimits } from '../operations/http-server.mjs' */

/**
 * What a room takes, and a process.
 * @typedef {object} RoomLimits
 * @property {number} players of a room
 * @property {number} bodies of a room, players' included
 * @property {number} shapes of a room
 * @property {number} messagesPerSecond of a client, over two seconds
 * @property {number} bytesPerSecond of a client, over two seconds
 * @property {number} requestsPerSecond of the whole state by a client
 * @property {number} rooms of a process
 * @property {number} busy part of its time that a process may be busy; beyond, rooms are refused
 * @property {number} handshakeTime ms until a client that was let in has answered that it is
 * @property {number} unsentBytes that may wait for a client that does not read
 */

/** What is asked for by HTTP has limits of its own. @typedef {RoomLimits & HttpLimits} Limits */

/** @type {Readonly<Limits>} */
export const LIMITS = Object.freeze({
  ...{ players: 16, bodies: 2000, shapes: 8000 },
  ...{ messagesPerSecond: 70, bytesPerSecond: 4000, requestsPerSecond: 1 },
  ...{ rooms: 1000, busy: 0.75 },
  ...{ handshakeTime: 5000, unsentBytes: 4_194_304 },
  ...HTTP_LIMITS,
})

/**
 * Options that are numbers.
 *
 * @template {object} Numbers
 * @param {string} option as the user calls it: `limits` or `times`
 * @param {Readonly<Numbers>} usual
 * @param {Partial<Numbers>} [wanted]
 * @returns {Numbers} what is not wanted is as usual
 * @throws {RangeError}
 */
export function readNumbers(option, usual, wanted = {}) {
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(usual, name))
      throw new RangeError(
        `${option}.${name}: there is no such name; there are ${Object.keys(usual).join(', ')}`,
      )
    if (typeof value !== 'number' || !(value > 0))
      throw new RangeError(`${option}.${name} must be a number above 0, is ${value}`)
  }
  return { ...usual, ...wanted }
}

/** @param {import('moreau').World} world @param {Limits} limits @throws {RangeError} */
export function checkWorld(world, limits) {
  const { bodies } = world
  if (bodies.length > limits.bodies)
    throw new RangeError(`${bodies.length} bodies; a room has ${limits.bodies}`)
  const shapes = bodies.reduce((sum, body) => sum + body.shapes.length, 0)
  if (shapes > limits.shapes) throw new RangeError(`${shapes} shapes; a room has ${limits.shapes}`)
}
