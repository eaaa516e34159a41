import { FRAME_TIME } from '../netcode/events.mjs'

/** @import { PacketHead } from '../netcode/protocol.mjs' */

/** ms: taken for the time there and back before it was measured */
const FIRST_ROUND_TRIP = 100
/** Packets from which the times are estimated: about five seconds. */
const SAMPLES = 40
/** Of the times there and back, the part that an input has to be fast enough for. The rest comes late and is corrected. */
const PERCENTILE = 0.85
/** Frames: an input shall be there so much before it counts. */
const MARGIN = 1
/** Frames: half a second. With slower networks inputs come late; a room takes none from the far future. */
const MOST_LEAD = 30
/** The part of the error that a frame removes, and the fastest change of pace: a tenth is hardly seen. */
const GAIN = 0.02
const MOST_SLEW = 0.1
/** Frames: an error beyond is made good at once. */
const JUMP = 30

/** @param {number[]} sorted @param {number} part */
const percentile = (sorted, part) => sorted[Math.floor(part * (sorted.length - 1))]

/**
 * Decides which frame a client is at: so far ahead of the room that its inputs arrive just before they count. It runs up to a tenth faster or
 * slower to stay there, as the times of the network change.
 */
export class Pace {
  #inputDelay
  /** Times at which probes were sent, by number. @type {Map<number, number>} */
  #probes = new Map()
  /** Newest last: the room's frame less the client's time. @type {number[]} */
  #lines = []
  /** ms, newest last @type {number[]} */
  #roundTrips = []
  #clock = 0
  #last = 0

  /** @param {number} inputDelay frames */
  constructor(inputDelay) {
    this.#inputDelay = inputDelay
  }

  /** Begins at a frame of the room. @param {number} frame @param {number} time ms */
  begin(frame, time) {
    this.#lines = [frame - time / FRAME_TIME]
    this.#clock = frame
    this.#last = time
  }

  /** @param {number} probe @param {number} time ms */
  sent(probe, time) {
    this.#probes.set(probe, time)
    for (const old of this.#probes.keys()) {
      if (this.#probes.size <= SAMPLES) break
      this.#probes.delete(old)
    }
  }

  /** @param {PacketHead} head @param {number} time ms */
  received({ now, echo, hold }, time) {
    this.#lines.push(now - time / FRAME_TIME)
    if (this.#lines.length > SAMPLES) this.#lines.shift()
    const sent = this.#probes.get(echo)
    if (sent === undefined || hold === Infinity) return
    this.#roundTrips.push(time - sent - hold)
    if (this.#roundTrips.length > SAMPLES) this.#roundTrips.shift()
  }

  /** @returns {number} ms there and back, of the slower packets */
  get roundTrip() {
    if (this.#roundTrips.length === 0) return FIRST_ROUND_TRIP
    return percentile(
      [...this.#roundTrips].sort((a, b) => a - b),
      PERCENTILE,
    )
  }

  /** @param {number} time ms @returns {number} the frame of the room that a packet of now would tell of */
  heard(time) {
    const sorted = [...this.#lines].sort((a, b) => a - b)
    return time / FRAME_TIME + percentile(sorted, PERCENTILE)
  }

  /** @param {number} time ms @returns {number} the frame that the client should be at */
  target(time) {
    const lead = this.roundTrip / FRAME_TIME + MARGIN - this.#inputDelay
    return this.heard(time) + Math.max(0, Math.min(MOST_LEAD, lead))
  }

  /** @param {number} time ms @returns {number} the frame that the client is to be at */
  advance(time) {
    const elapsed = (time - this.#last) / FRAME_TIME
    this.#last = time
    const error = this.target(time) - (this.#clock + elapsed)
    if (error > JUMP) this.#clock += elapsed + error
    else if (error > -JUMP) this.#clock += elapsed * (1 + slew(error))
    return Math.floor(this.#clock)
  }
}

/** @param {number} error frames @returns {number} change of pace */
const slew = (error) => Math.max(-MOST_SLEW, Math.min(MOST_SLEW, GAIN * error))
