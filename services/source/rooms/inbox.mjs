import { MalformedMessage } from '../netcode/bytes.mjs'
import { FRAME_RATE } from '../netcode/events.mjs'
import {
  decodeInputs,
  decodeRequest,
  KIND,
  kindOf,
  MOST_CLIENT_BYTES,
} from '../netcode/protocol.mjs'

/** @import { Host } from './host.mjs' */
/** @import { LiveRoom } from './live-room.mjs' */
/** @import { Seat } from './seat.mjs' */

/** Frames that an input may be ahead of the clock: a second. Whoever sends more does not play. */
const MOST_AHEAD = FRAME_RATE

/** What clients send to a room. What no client of ours sends ends its connection. */
export class Inbox {
  #host
  #room
  #inputBytes
  /** Of a room that was picked up, the players who have not told all yet that they did meanwhile. @type {Set<number>} */
  #awaited

  /** @param {Host} host @param {LiveRoom} room @param {Iterable<number>} awaited players */
  constructor(host, room, awaited) {
    this.#host = host
    this.#room = room
    const scene = host.scenes.get(room.rules.scene)
    this.#inputBytes = /** @type {import('../netcode/simulation.mjs').Scene} */ (scene).inputBytes
    this.#awaited = new Set(awaited)
  }

  /** Whether somebody has not told all yet. */
  get isIncomplete() {
    return this.#awaited.size > 0
  }

  /** @param {Seat} seat @param {Uint8Array} bytes @param {number} time ms */
  receive(seat, bytes, time) {
    if (bytes.length > MOST_CLIENT_BYTES) return seat.kick('oversized', `${bytes.length} bytes`)
    if (!seat.mayHave(bytes.length, time)) return seat.kick('flood', 'too many messages')
    try {
      this.#understand(seat, bytes, time)
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error
      seat.kick('malformed', error.message)
    }
  }

  /** @param {Seat} seat @param {Uint8Array} bytes @param {number} time */
  #understand(seat, bytes, time) {
    const kind = kindOf(bytes)
    if (kind === KIND.inputs) return this.#takeInputs(seat, bytes, time)
    if (kind !== KIND.request) throw new MalformedMessage(`a message of kind ${kind}`)
    decodeRequest(bytes)
    if (!seat.mayRequest(time)) return this.#host.metrics.refused.inc({ reason: 'request' })
    const peer = this.#room.authority.peers.get(seat.player)
    if (peer) peer.needsState = true
  }

  /** @param {Seat} seat @param {Uint8Array} bytes @param {number} time */
  #takeInputs({ player }, bytes, time) {
    const { authority, outbox } = this.#room
    authority.latest = this.#room.frameAt(time) + MOST_AHEAD
    const peer = authority.peers.get(player)
    const message = decodeInputs(bytes, this.#inputBytes)
    const most = peer && outbox.mostAcknowledged(peer)
    if (authority.receive(player, message, time, most)) this.#awaited.delete(player)
  }
}
