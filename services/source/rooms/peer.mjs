import { encodeEvents, MOST_ITEMS } from '../netcode/protocol.mjs'

/** @import { RoomEvent } from '../netcode/events.mjs' */
/** @import { FrameHash, InputsMessage } from '../netcode/protocol.mjs' */

/** ms: packets to a client are so far apart at least, so that their heads cost less */
const LEAST_APART = 50
/** ms: after them what is not acknowledged is sent again */
const RESEND_AFTER = 400

/**
 * What a room has to tell.
 * @typedef {object} News
 * @property {number} now
 * @property {number} final
 * @property {number} end number of the first event that is not to be told
 * @property {(first: number) => RoomEvent[]} eventsFrom
 * @property {FrameHash | undefined} hash the newest
 */

/** A player as the room sees it: what came from its client, and what the client has. */
export class Peer {
  player
  /** The number of the first input that is not there, and of the first that is not written down: of that one the client is told. */
  received = 0
  recorded = 0
  /** How often the client was welcomed, mod 256. */
  session = 0
  /** Frames of the last input, as it was meant and as it counts. */
  lastMeant = -1
  lastFrame = -1
  /** The number of the first event that the client does not have. */
  acknowledged = 0
  needsState = true
  /** Of the client, as it says. */
  rollbacks = 0
  #probe = 0
  #heardAt = -Infinity
  #owes = false
  /** The number of the first event that was not sent yet. */
  #sent = 0
  #sentAt = -Infinity
  #hashFrame = -1
  /** What the client was told to be final. */
  #final = 0

  /** @param {number} player */
  constructor(player) {
    this.player = player
  }

  /** The client is welcomed with all before this event. @param {number} event @param {number} frame that was final */
  begin(event, frame) {
    this.session = (this.session + 1) & 255
    this.acknowledged = this.#sent = event
    this.#final = frame
    this.lastMeant = -1
    this.needsState = false
  }

  /** @param {InputsMessage} message @param {number} time ms */
  heard({ probe, rollbacks, acknowledged, items }, time) {
    this.rollbacks += rollbacks
    this.#probe = probe
    this.#heardAt = time
    this.#owes ||= items.length > 0
    this.acknowledged = Math.max(this.acknowledged, acknowledged)
  }

  /** ms since the client was heard last. @param {number} time ms */
  silence(time) {
    return time - this.#heardAt
  }

  /** The head of every packet. @param {number} now @param {number} time ms */
  head(now, time) {
    return { now, echo: this.#probe, hold: this.silence(time), received: this.recorded }
  }

  /** @param {number} time ms @param {News} news @returns {Uint8Array | undefined} */
  packet(time, news) {
    if (!this.#isDue(time, news)) return undefined
    const all = news
      .eventsFrom(this.acknowledged)
      .slice(0, Math.max(0, news.end - this.acknowledged))
    const items = all.slice(0, MOST_ITEMS)
    // Only with all events is it final: of the rest nothing is said.
    if (items.length === all.length) this.#final = Math.max(this.#final, news.final)
    const isNew = news.hash && news.hash.frame > this.#hashFrame && news.hash.frame <= this.#final
    const hash = isNew ? news.hash : undefined
    if (hash) this.#hashFrame = hash.frame
    this.#sent = this.acknowledged + items.length
    this.#sentAt = time
    this.#owes = false
    return encodeEvents({
      ...this.head(news.now, time),
      ...{ final: Math.min(this.#final, news.now), first: this.acknowledged, items, hash },
    })
  }

  /** @param {number} time ms @param {News} news */
  #isDue(time, { end, hash }) {
    const silence = time - this.#sentAt
    if (silence < LEAST_APART) return false
    if (this.#owes || end > this.#sent) return true
    if (hash && hash.frame > this.#hashFrame) return true
    return end > this.acknowledged && silence >= RESEND_AFTER
  }
}
