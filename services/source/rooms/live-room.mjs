import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { MalformedMessage } from '../netcode/bytes.mjs'
import { FRAME_RATE, FRAME_TIME } from '../netcode/events.mjs'
import {
  decodeInputs,
  decodeRequest,
  encodeWelcome,
  KIND,
  kindOf,
  MOST_CLIENT_BYTES,
} from '../netcode/protocol.mjs'
import { Broadcast } from './broadcast.mjs'
import { RoomRefusal } from './host.mjs'
import { Journal } from './journal.mjs'
import { checkWorld } from './limits.mjs'

/** @import { Authority } from './authority.mjs' */
/** @import { RoomRules } from './checkpoint.mjs' */
/** @import { Host } from './host.mjs' */
/** @import { Peer } from './peer.mjs' */
/** @import { Seat } from './seat.mjs' */
/** @import { Tokens } from './tokens.mjs' */

const deflate = promisify(deflateRaw)
const DEFLATE = { level: 1 }

/** Frames made in one go at the most, so that a room that catches up does not stop the others. */
const MOST_AT_ONCE = 20
/** Frames that an input may be ahead of the clock: a second. Whoever sends more does not play. */
const MOST_AHEAD = FRAME_RATE
/** Welcomes of a client by one process, before their numbers are those of the next one's. */
const SESSIONS = 64
/** ms: a room that is so late never was in time; it goes on from where it is */
const SLIP = 10_000
/** ms: how often a room that waits looks whether its players are there */
const WAIT = 10

/**
 * @typedef {object} LiveRoomState
 * @property {string} id
 * @property {number} epoch
 * @property {RoomRules} rules
 * @property {Authority} authority
 * @property {number} frameZero ms since 1970 at which frame 0 began
 * @property {Tokens} tokens
 * @property {number} [waitUntil] ms: until then it waits for the players it has
 */

/** A room at work: its clock, its clients, and its journal. It knows no Colyseus. */
export class LiveRoom {
  #host
  #authority
  #frameZero
  #tokens
  #journal
  #waitUntil
  /** Of a room that was picked up, the players of whom nothing came yet. @type {Set<number>} */
  #awaited
  /** @type {Map<number, Seat>} */
  #seats = new Map()
  /** Players without a connection, and until when they are waited for. @type {Map<number, number>} */
  #absent = new Map()
  #emptySince
  #rollbacksOfGone = 0
  #inputBytes
  /** Of authoritative rooms. */
  #broadcast
  id
  rules
  due
  /** Called when nobody is left. */
  onEmpty = () => {}
  /** Called when another process has the room. */
  onLost = () => {}

  /** @param {Host} host @param {LiveRoomState} state */
  constructor(host, { id, epoch, rules, authority, frameZero, tokens, waitUntil = 0 }) {
    this.#host = host
    this.id = id
    this.rules = rules
    this.#authority = authority
    this.#frameZero = frameZero
    this.#tokens = tokens
    this.#waitUntil = waitUntil
    this.#awaited = new Set(waitUntil > 0 ? authority.peers.keys() : [])
    this.#inputBytes = /** @type {import('../netcode/simulation.mjs').Scene} */ (
      host.scenes.get(rules.scene)
    ).inputBytes
    this.#broadcast = rules.mode === 'authoritative' ? new Broadcast(authority) : undefined
    this.due = host.now()
    this.#emptySince = this.due
    for (const player of authority.peers.keys())
      this.#absent.set(player, this.due + host.times.reconnect)
    // What clients send to the process that is gone, or before they know of this one, is of other sessions.
    for (const peer of authority.peers.values()) peer.session = (SESSIONS * epoch) & 255
    authority.onRefused = (reason) => host.metrics.refused.inc({ reason })
    this.#journal = new Journal(host, this, epoch)
    this.#journal.onWritten = () => this.#flush(this.#host.now())
    this.#journal.onLost = () => this.onLost()
  }

  get authority() {
    return this.#authority
  }

  get world() {
    return this.#authority.simulation.world
  }

  get players() {
    return this.#authority.peers.size
  }

  get frameZero() {
    return this.#frameZero
  }

  get tokens() {
    return this.#tokens
  }

  get journal() {
    return this.#journal
  }

  get rollbacks() {
    let sum = this.#rollbacksOfGone
    for (const { rollbacks } of this.#authority.peers.values()) sum += rollbacks
    return sum
  }

  /**
   * A client comes, or comes back by its token.
   * @param {Seat} seat
   * @param {{ token?: unknown, nextEvent?: unknown }} options as the client sent them
   * @throws {RoomRefusal}
   */
  enter(seat, { token, nextEvent }) {
    const player = token === undefined ? this.#newPlayer(seat) : this.#tokens.playerOf(token)
    if (player === undefined || !this.#authority.peers.has(player)) {
      throw new RoomRefusal('forged-token', 'no player of this room has this token')
    }
    this.#seats.get(player)?.kick('replaced', 'the player has come by another connection')
    seat.player = player
    if (token !== undefined) seat.token = this.#tokens.bytesOf(token)
    this.#seats.set(player, seat)
    this.#absent.delete(player)
    this.#welcomeOrResume(seat, /** @type {Peer} */ (this.#authority.peers.get(player)), nextEvent)
  }

  /** @param {Seat} seat @returns {number} */
  #newPlayer(seat) {
    const { limits } = this.#host
    const { peers, simulation } = this.#authority
    let player = 0
    // Who has left stays until its last input has counted, and keeps its number so long.
    while (peers.has(player) || simulation.members.has(player)) player++
    const hasBodies = this.world.stats.bodies + peers.size < limits.bodies
    if (player >= limits.players || !hasBodies) throw new RoomRefusal('full', 'the room is full')
    this.#authority.join(player)
    seat.token = this.#tokens.issue(player)
    return player
  }

  /** @param {Seat} seat @param {Peer} peer @param {unknown} nextEvent */
  #welcomeOrResume(seat, peer, nextEvent) {
    const { firstRemembered, releasedEvents, frame } = this.#authority
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

  /** A client's connection is over. @param {Seat} seat @param {boolean} isForGood */
  exit(seat, isForGood) {
    if (this.#seats.get(seat.player) !== seat) return
    this.#seats.delete(seat.player)
    if (isForGood) this.#remove(seat.player)
    else this.#absent.set(seat.player, this.#host.now() + this.#host.times.reconnect)
  }

  /** @param {number} player */
  #remove(player) {
    const peer = this.#authority.peers.get(player)
    if (peer) this.#broadcast?.forget(peer)
    this.#rollbacksOfGone += peer?.rollbacks ?? 0
    this.#authority.leave(player)
    this.#tokens.forget(player)
    this.#absent.delete(player)
  }

  /** A message of a client. What no client of ours sends ends its connection. @param {Seat} seat @param {Uint8Array} bytes */
  receive(seat, bytes) {
    const time = this.#host.now()
    if (this.#seats.get(seat.player) !== seat) return
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
    const peer = this.#authority.peers.get(seat.player)
    if (peer) peer.needsState = true
  }

  /** @param {Seat} seat @param {Uint8Array} bytes @param {number} time */
  #takeInputs({ player }, bytes, time) {
    this.#authority.latest = Math.ceil((time - this.#frameZero) / FRAME_TIME) + MOST_AHEAD
    const message = decodeInputs(bytes, this.#inputBytes)
    this.#authority.receive(player, message, time, this.#mostAcknowledged(player))
    this.#awaited.delete(player)
  }

  /** @param {number} player @returns {number} what its client can have */
  #mostAcknowledged(player) {
    const peer = this.#authority.peers.get(player)
    if (this.#broadcast && peer) return this.#broadcast.newest(peer)
    return this.#authority.releasedEvents
  }

  /** @param {number} time ms */
  tick(time) {
    if (this.#isWaiting(time)) {
      this.due = time + WAIT
      return this.#flush(time)
    }
    this.#advance(time)
    this.due = this.#frameZero + (this.#authority.frame + 1) * FRAME_TIME
    if (time - this.due > SLIP) this.#frameZero += time - this.due
    this.#expire(time)
    this.#journal.note(time)
    this.#flush(time)
  }

  /** A room that was picked up waits for its players, so that what they did meanwhile counts when they did it. @param {number} time */
  #isWaiting(time) {
    return time < this.#waitUntil && this.#awaited.size > 0
  }

  /** @param {number} time */
  #advance(time) {
    const { metrics } = this.#host
    for (let made = 0; made < MOST_AT_ONCE; made++) {
      const due = this.#frameZero + (this.#authority.frame + 1) * FRAME_TIME
      if (due > time) return
      const start = performance.now()
      this.#authority.advance()
      metrics.step.observe((performance.now() - start) / 1000)
      metrics.lateness.observe((this.#host.now() - due) / 1000)
    }
  }

  /** @param {number} time */
  #expire(time) {
    for (const [player, end] of this.#absent) if (end <= time) this.#remove(player)
    if (this.players > 0) this.#emptySince = time
    else if (time - this.#emptySince > this.#host.times.empty) this.onEmpty()
  }

  /** Tells all clients what they may be told. @param {number} time */
  #flush(time) {
    for (const seat of this.#seats.values()) {
      const peer = this.#authority.peers.get(seat.player)
      if (!peer || seat.isWelcoming) continue
      if (peer.needsState) this.#welcome(seat, peer)
      else this.#send(seat, this.#packet(peer, time))
    }
  }

  /** @param {Peer} peer @param {number} time @returns {Uint8Array | undefined} */
  #packet(peer, time) {
    if (!this.#broadcast) return this.#authority.packet(peer.player, time)
    return this.#journal.isWritten ? this.#broadcast.packet(peer, time) : undefined
  }

  /** Sends the whole state, once all that is in it is written down. @param {Seat} seat @param {Peer} peer */
  #welcome(seat, peer) {
    if (!this.#journal.isWritten) return
    const { simulation, firstScheduled } = this.#authority
    const nextEvent = this.#broadcast ? 0 : firstScheduled
    const state = simulation.state()
    peer.begin(nextEvent, state.frame)
    const { player, session, received } = peer
    const message = { player, session, token: seat.token, received, nextEvent }
    seat.isWelcoming = true
    deflate(state.world, DEFLATE)
      .then((world) => this.#send(seat, encodeWelcome({ ...state, ...message, world })))
      .catch((error) => this.#host.log.error({ err: error, room: this.id }, 'no welcome'))
      .finally(() => (seat.isWelcoming = false))
  }

  /** @param {Seat} seat @param {Uint8Array | undefined} bytes */
  #send(seat, bytes) {
    if (!bytes) return
    this.#host.metrics.sent.inc(bytes.length)
    seat.send(bytes)
  }

  /** @throws {RangeError} where the room has outgrown its limits */
  checkLimits() {
    checkWorld(this.world, this.#host.limits)
  }

  /** Ends the room here. */
  close() {
    this.#host.ticker.remove(this)
    this.#host.rooms.delete(this.id)
    this.#journal.close()
    this.#authority.simulation.free()
  }
}
