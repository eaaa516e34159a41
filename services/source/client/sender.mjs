import { encodeInputs, MOST_ITEMS } from '../netcode/protocol.mjs'

/** @import { InputChange } from '../netcode/events.mjs' */
/** @import { Pace } from './pace.mjs' */

/** ms: what came is acknowledged within this time, with an input if there is one */
const ACKNOWLEDGE_WITHIN = 100
/** ms: from one packet to the next at the most, so that the times of the network stay known */
const PROBE_EVERY = 1000
/** Times the time there and back, and ms: after them an input that is not acknowledged is sent again. */
const RESEND_AFTER = 1.25
const RESEND_LEAST = 100

/** What a client has to send: its inputs until they are acknowledged, and what it acknowledges itself. */
export class Sender {
  #pace
  /** @type {InputChange[]} */
  #unacknowledged = []
  #first
  /** The number behind the newest input that was sent. */
  #sent = 0
  #session
  #probe = 0
  #lastSent = -Infinity
  #isNew = false
  #owesSince = Infinity
  /** Rollbacks that the room does not know of. */
  rollbacks = 0
  /** The number of the first event or packet that is not there. */
  acknowledged = 0

  /** @param {Pace} pace @param {number} session @param {number} first number of the next input */
  constructor(pace, session, first) {
    this.#session = session
    this.#pace = pace
    this.#first = first
  }

  /** Goes on with a room that has welcomed the client back. @param {number} session @param {number} received */
  resume(session, received) {
    this.#session = session
    this.confirm(received)
    this.#isNew = true
  }

  /** Inputs that are not acknowledged. */
  get pending() {
    return this.#unacknowledged.length
  }

  /** @param {InputChange} change */
  add(change) {
    this.#unacknowledged.push(change)
    this.#isNew = true
  }

  /** The room has all inputs before this number. @param {number} received */
  confirm(received) {
    const count = Math.min(received - this.#first, this.#unacknowledged.length)
    if (count <= 0) return
    this.#unacknowledged.splice(0, count)
    this.#first += count
    // What had no place in the last packet waits for nobody.
    this.#isNew ||= this.#first + this.#unacknowledged.length > this.#sent
  }

  /** The room has to be told what has come. @param {number} time ms */
  owe(time) {
    this.#owesSince = Math.min(this.#owesSince, time)
  }

  /** @param {number} time ms @returns {Uint8Array | undefined} a packet, if it is time for one */
  packet(time) {
    if (!this.#isDue(time)) return undefined
    this.#probe = (this.#probe + 1) & 0xffff
    this.#pace.sent(this.#probe, time)
    this.#lastSent = time
    this.#isNew = false
    this.#owesSince = Infinity
    const { rollbacks } = this
    this.rollbacks = 0
    this.#sent = this.#first + Math.min(MOST_ITEMS, this.#unacknowledged.length)
    return encodeInputs({
      ...{
        rollbacks,
        session: this.#session,
        probe: this.#probe,
        acknowledged: this.acknowledged,
        first: this.#first,
      },
      items: this.#unacknowledged.slice(0, MOST_ITEMS),
    })
  }

  /** @param {number} time ms */
  #isDue(time) {
    const silence = time - this.#lastSent
    if (this.#isNew || silence >= PROBE_EVERY) return true
    if (time - this.#owesSince >= ACKNOWLEDGE_WITHIN) return true
    const patience = Math.max(RESEND_LEAST, RESEND_AFTER * this.#pace.roundTrip)
    return this.#unacknowledged.length > 0 && silence >= patience
  }
}
