/**
 * What a room takes, and a process.
 * @typedef {object} Limits
 * @property {number} players of a room
 * @property {number} bodies of a room, players' included
 * @property {number} shapes of a room
 * @property {number} messagesPerSecond of a client, over two seconds
 * @property {number} bytesPerSecond of a client, over two seconds
 * @property {number} requestsPerSecond of the whole state by a client
 * @property {number} rooms of a process
 * @property {number} busy part of its time that a process may be busy; beyond, rooms are refused
 */

/** @type {Readonly<Limits>} */
export const LIMITS = Object.freeze({
  ...{ players: 16, bodies: 2000, shapes: 8000 },
  ...{ messagesPerSecond: 70, bytesPerSecond: 4000, requestsPerSecond: 1 },
  ...{ rooms: 1000, busy: 0.75 },
})

/** s: what was saved up for bursts */
const BURST = 2

/** A rate that may be exceeded for a short time (a token bucket). */
export class Rate {
  #perSecond
  #saved
  #at = 0

  /** @param {number} perSecond */
  constructor(perSecond) {
    this.#perSecond = perSecond
    this.#saved = BURST * perSecond
  }

  /** @param {number} amount @param {number} time ms @returns {boolean} whether that is within the rate; if not, nothing is taken */
  take(amount, time) {
    const grown = this.#saved + (Math.max(0, time - this.#at) / 1000) * this.#perSecond
    this.#saved = Math.min(BURST * this.#perSecond, grown)
    this.#at = time
    if (amount > this.#saved) return false
    this.#saved -= amount
    return true
  }
}

/** @param {import('moreau').World} world @param {Limits} limits @throws {RangeError} */
export function checkWorld(world, limits) {
  const { bodies } = world
  if (bodies.length > limits.bodies)
    throw new RangeError(`${bodies.length} bodies; a room has ${limits.bodies}`)
  const shapes = bodies.reduce((sum, body) => sum + body.shapes.length, 0)
  if (shapes > limits.shapes) throw new RangeError(`${shapes} shapes; a room has ${limits.shapes}`)
}
