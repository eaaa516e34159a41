import { isIPv6 } from 'node:net'
import { BURST, Rate } from './rate.mjs'

/** What is known of an address. @typedef {{ requests: Rate, sockets: number, seen: number }} Guest */

/** ms after which an address without a socket is forgotten: its rate is that of a new one then */
const FORGOTTEN = 1000 * BURST

/**
 * The part of an address that one subscriber has: all of one of IPv4, the first 64 bits of one of IPv6.
 *
 * @param {string} address as a socket tells it
 * @returns {string}
 */
function networkOf(address) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]
  if (!isIPv6(address)) return address
  const [head, tail] = address.split('%')[0].split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/** Who asks, as far as the network tells: each address has its rate of requests and its number of sockets. */
export class Addresses {
  #limits
  #now
  /** @type {Map<string, Guest>} */
  #guests = new Map()
  #swept = -Infinity

  /** @param {{ requestsPerAddress: number, socketsPerAddress: number }} limits @param {() => number} [now] ms */
  constructor(limits, now = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /** How many are known. */
  get size() {
    return this.#guests.size
  }

  /** @param {string} address @returns {Guest} */
  #guest(address) {
    const [name, time] = [networkOf(address), this.#now()]
    this.#forget(time)
    let guest = this.#guests.get(name)
    if (!guest) {
      guest = { requests: new Rate(this.#limits.requestsPerAddress), sockets: 0, seen: time }
      this.#guests.set(name, guest)
    }
    guest.seen = time
    return guest
  }

  /** Memory does not grow with the number of addresses that have ever asked. @param {number} time */
  #forget(time) {
    if (time - this.#swept < FORGOTTEN) return
    this.#swept = time
    for (const [name, { sockets, seen }] of this.#guests) {
      if (sockets === 0 && time - seen > FORGOTTEN) this.#guests.delete(name)
    }
  }

  /** @param {string} address @returns {boolean} whether it may make a request now */
  mayAsk(address) {
    return this.#guest(address).requests.take(1, this.#now())
  }

  /** @param {string} address @returns {(() => void) | undefined} to be called when the socket is closed; undefined: it has as many as it may */
  enter(address) {
    const guest = this.#guest(address)
    if (guest.sockets >= this.#limits.socketsPerAddress) return undefined
    guest.sockets++
    return () => void guest.sockets--
  }
}
