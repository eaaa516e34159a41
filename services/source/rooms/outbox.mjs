import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { encodeWelcome } from '../netcode/protocol.mjs'
import { Broadcast } from './broadcast.mjs'

/** @import { Host } from './host.mjs' */
/** @import { LiveRoom } from './live-room.mjs' */
/** @import { Peer } from './peer.mjs' */
/** @import { Seat } from './seat.mjs' */

const deflate = promisify(deflateRaw)
const DEFLATE = { level: 1 }

/** What a room sends to its clients: the whole state to who comes, then what is new. */
export class Outbox {
  #host
  #room
  /** Of authoritative rooms. */
  #broadcast

  /** @param {Host} host @param {LiveRoom} room */
  constructor(host, room) {
    this.#host = host
    this.#room = room
    this.#broadcast =
      room.rules.mode === 'authoritative' ? new Broadcast(room.authority) : undefined
  }

  /** @param {Peer} peer @returns {number} the highest number that its client can acknowledge */
  mostAcknowledged(peer) {
    return this.#broadcast?.newest(peer) ?? this.#room.authority.releasedEvents
  }

  /** @param {Peer} peer whose player is gone */
  forget(peer) {
    this.#broadcast?.forget(peer)
  }

  /** Tells clients what they may be told. @param {Iterable<Seat>} seats @param {number} time ms */
  flush(seats, time) {
    const { peers } = this.#room.authority
    for (const seat of seats) {
      const peer = peers.get(seat.player)
      if (!peer || seat.isWelcoming) continue
      if (peer.needsState) this.#welcome(seat, peer, time)
      else this.#send(seat, this.#packet(peer, time))
    }
  }

  /** @param {Peer} peer @param {number} time @returns {Uint8Array | undefined} */
  #packet(peer, time) {
    if (!this.#broadcast) return this.#room.authority.packet(peer.player, time)
    return this.#room.journal.isWritten ? this.#broadcast.packet(peer, time) : undefined
  }

  /** A client goes on from an event, if the room has all since; else it gets the whole state. @param {Seat} seat @param {Peer} peer @param {unknown} nextEvent as the client sent it */
  resume(seat, peer, nextEvent) {
    const { firstRemembered, releasedEvents, frame } = this.#room.authority
    const event = Number.isInteger(nextEvent) ? Number(nextEvent) : -1
    // Packets of states are numbered from the beginning again.
    const isKnown = this.#broadcast
      ? event === 0
      : event >= firstRemembered && event <= releasedEvents
    peer.needsState = !isKnown
    if (peer.needsState) return
    peer.begin(event, 0)
    const { player, session, recorded: received } = peer
    const message = { frame, player, session, token: seat.token, received, nextEvent: event }
    this.#send(seat, encodeWelcome({ ...message, user: '', world: new Uint8Array(0) }))
  }

  /** Sends the whole state, once all that is in it is written down and the process has time for it. @param {Seat} seat @param {Peer} peer @param {number} time ms */
  #welcome(seat, peer, time) {
    const { welcoming, now } = this.#host
    if (!this.#room.journal.isWritten || !welcoming.isFree(time)) return
    const { simulation, firstScheduled } = this.#room.authority
    const nextEvent = this.#broadcast ? 0 : firstScheduled
    const state = welcoming.measure(now, () => simulation.state())
    peer.begin(nextEvent, state.frame)
    const { player, session, received } = peer
    const message = { player, session, token: seat.token, received, nextEvent }
    seat.isWelcoming = true
    deflate(state.world, DEFLATE)
      .then((world) => this.#send(seat, encodeWelcome({ ...state, ...message, world })))
      .catch((error) => this.#host.log.error({ err: error, room: this.#room.id }, 'no welcome'))
      .finally(() => (seat.isWelcoming = false))
  }

  /** @param {Seat} seat @param {Uint8Array | undefined} bytes */
  #send(seat, bytes) {
    if (!bytes) return
    this.#host.metrics.sent.inc(bytes.length)
    seat.send(bytes)
  }
}
