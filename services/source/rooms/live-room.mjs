import { FRAME_TIME } from '../netcode/events.mjs'
import { Attendance } from './attendance.mjs'
import { Inbox } from './inbox.mjs'
import { Journal } from './journal.mjs'
import { Outbox } from './outbox.mjs'

/** @import { Authority } from './authority.mjs' */
/** @import { RoomRules } from './checkpoint.mjs' */
/** @import { Host } from './host.mjs' */
/** @import { Seat } from './seat.mjs' */
/** @import { Tokens } from './tokens.mjs' */

/** Frames made in one go at the most, and ms after which no other is begun, so that a room that catches up does not stop the others. */
const [MOST_AT_ONCE, LONGEST_AT_ONCE] = [20, 1]
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

/** A room at work: its clock, and between its parts. It knows no Colyseus. */
export class LiveRoom {
  #host
  #frameZero
  #waitUntil
  #attendance
  #inbox
  id
  rules
  due
  authority
  tokens
  outbox
  journal
  /** Gets how many ms a frame came late. @type {(late: number) => void} */
  onFrame = () => {}
  /** Called when nobody is left. */
  onEmpty = () => {}
  /** Called when another process has the room. */
  onLost = () => {}

  /** @param {Host} host @param {LiveRoomState} state */
  constructor(host, { id, epoch, rules, authority, frameZero, tokens, waitUntil = 0 }) {
    this.#host = host
    this.id = id
    this.rules = rules
    this.authority = authority
    this.tokens = tokens
    this.#frameZero = frameZero
    this.#waitUntil = waitUntil
    this.due = host.now()
    // What clients send to the process that is gone, or before they know of this one, is of other sessions.
    for (const peer of authority.peers.values()) peer.session = (SESSIONS * epoch) & 255
    authority.onRefused = (reason) => host.metrics.refused.inc({ reason })
    this.#attendance = new Attendance(host, this)
    this.#inbox = new Inbox(host, this, waitUntil > 0 ? authority.peers.keys() : [])
    this.outbox = new Outbox(host, this)
    this.journal = new Journal(host, this, epoch)
    this.journal.onWritten = () => this.#flush(host.now())
    this.journal.onLost = () => this.onLost()
  }

  get world() {
    return this.authority.simulation.world
  }

  get players() {
    return this.authority.peers.size
  }

  get frameZero() {
    return this.#frameZero
  }

  get rollbacks() {
    return this.#attendance.rollbacks
  }

  /** @param {number} time ms @returns {number} the frame that begins then or next */
  frameAt(time) {
    return Math.ceil((time - this.#frameZero) / FRAME_TIME)
  }

  /**
   * A client comes, or comes back by its token.
   * @param {Seat} seat
   * @param {{ token?: unknown, nextEvent?: unknown }} options as the client sent them
   * @throws {import('./host.mjs').RoomRefusal}
   */
  enter(seat, { token, nextEvent }) {
    const peer = this.#attendance.enter(seat, token)
    this.outbox.resume(seat, peer, nextEvent)
  }

  /** A client's connection is over. @param {Seat} seat @param {boolean} isForGood */
  exit(seat, isForGood) {
    this.#attendance.exit(seat, isForGood)
  }

  /** A message of a client. @param {Seat} seat @param {Uint8Array} bytes */
  receive(seat, bytes) {
    if (this.#attendance.has(seat)) this.#inbox.receive(seat, bytes, this.#host.now())
  }

  /** @param {number} time ms */
  tick(time) {
    if (this.#isWaiting(time)) {
      this.due = time + WAIT
    } else {
      this.#advance(time)
      this.due = this.#dueOf(this.authority.frame + 1)
      if (time - this.due > SLIP) this.#frameZero += time - this.due
      if (this.#attendance.expire(time)) this.onEmpty()
    }
    this.journal.note(time)
    this.#flush(time)
  }

  /** @param {number} frame @returns {number} ms */
  #dueOf(frame) {
    return this.#frameZero + frame * FRAME_TIME
  }

  /** A room that was picked up waits for its players, so that what they did meanwhile counts when they did it. @param {number} time */
  #isWaiting(time) {
    return time < this.#waitUntil && this.#inbox.isIncomplete
  }

  /** @param {number} time */
  #advance(time) {
    const { metrics } = this.#host
    const begun = performance.now()
    for (let made = 0; made < MOST_AT_ONCE; made++) {
      const due = this.#dueOf(this.authority.frame + 1)
      const start = performance.now()
      if (due > time || (made > 0 && start - begun > LONGEST_AT_ONCE)) return
      this.authority.advance()
      metrics.step.observe((performance.now() - start) / 1000)
      const late = this.#host.now() - due
      metrics.lateness.observe(late / 1000)
      this.onFrame(late)
    }
  }

  /** @param {number} time */
  #flush(time) {
    this.outbox.flush(this.#attendance.seats, time)
  }

  /** Ends the room here. */
  close() {
    this.#host.ticker.remove(this)
    this.#host.rooms.delete(this.id)
    this.journal.close()
    this.authority.simulation.free()
  }
}
