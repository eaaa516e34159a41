import { Room, ServerError } from '@colyseus/core'
import { MOVED, REFUSAL, RoomRefusal } from './host.mjs'
import { beginRoom, checkGame } from './pick-up.mjs'
import { watchReader } from './players-transport.mjs'
import { Seat } from './seat.mjs'

/** @import { Client } from '@colyseus/core' */
/** @import { Host } from './host.mjs' */
/** @import { LiveRoom } from './live-room.mjs' */

/** The type of all our messages in Colyseus: a number takes one byte. */
export const MESSAGE = 0
/** ms: Colyseus' own patches are not used, but its clock ticks with them */
const PATCH_RATE = 1000
/** Messages per second, of all kinds, after which Colyseus ends a connection: ours are limited more tightly. */
const MESSAGES_PER_SECOND = 200
/** Code of Colyseus for a client that said that it leaves. */
const CONSENTED = 4000
/** Code of Colyseus for a client that it has thrown out. */
const UNREADABLE = 4002

/** A room in Colyseus: seats and messages; all else is the live room's. */
export class MoreauRoom extends Room {
  /** @type {Host} */
  host = /** @type {any} */ (undefined)
  /** @type {LiveRoom | undefined} */
  #live
  /** What becomes of the room in the store when it ends here. @type {'remove' | 'hand over' | 'leave'} */
  #fate = 'remove'
  patchRate = PATCH_RATE
  autoDispose = false
  maxMessagesPerSecond = MESSAGES_PER_SECOND

  get live() {
    return /** @type {LiveRoom} */ (this.#live)
  }

  /** @param {any} options of the client, or the word for a takeover */
  async onCreate(options) {
    const { host } = this
    const takeover = host.takeovers.get(String(options.takeover))
    host.takeovers.delete(String(options.takeover))
    try {
      if (takeover) this.roomId = takeover.id
      this.#live = takeover ?? (await beginRoom(host, this.#ownId(), options))
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      host.metrics.refused.inc({ reason: error.reason })
      throw new ServerError(error.status, error.message)
    }
    this.#begin(this.#live)
  }

  #ownId() {
    return this.roomId
  }

  /** @param {LiveRoom} live */
  #begin(live) {
    const { host } = this
    const { scene, mode } = live.rules
    // By these Colyseus finds a room for who asks for any; also one that was picked up.
    void this.setMetadata({ scene, mode })
    live.onEmpty = () => void this.disconnect()
    live.onLost = () => this.#lose()
    host.rooms.set(this.roomId, live)
    host.ticker.add(live)
    this.onMessageBytes(MESSAGE, (client, /** @type {Uint8Array} */ bytes) =>
      live.receive(client.userData, bytes),
    )
    this.onMessage('*', (client) => client.userData.kick('malformed', 'a message of no known type'))
  }

  /** @param {Client} client @param {any} options */
  onJoin(client, options) {
    const kick = (/** @type {keyof typeof REFUSAL} */ reason, /** @type {string} */ message) => {
      this.host.metrics.refused.inc({ reason })
      seat.isExpelled = reason !== 'replaced'
      this.host.log.info(
        { room: this.roomId, player: seat.player, reason, message },
        'client thrown out',
      )
      client.leave(REFUSAL[reason], message)
    }
    const checkReading = watchReader(client, this.host.limits, kick)
    const send = (/** @type {Uint8Array} */ bytes) => {
      checkReading()
      client.sendBytes(MESSAGE, bytes)
    }
    const seat = new Seat(this.host.limits, send, kick)
    this.#countOversized(client, seat)
    try {
      checkGame(this.live.rules, Object(options))
      this.live.enter(seat, Object(options))
    } catch (error) {
      throw error instanceof RoomRefusal ? this.#refusal(error) : error
    }
    client.userData = seat
  }

  /**
   * Counts a refusal and makes it an error of Colyseus, which logs the stack traces of all others: it is no fault of this process.
   * @param {RoomRefusal} refusal
   */
  #refusal({ reason, code, message }) {
    this.host.metrics.refused.inc({ reason })
    this.host.log.info({ room: this.roomId, reason }, 'client refused')
    return new ServerError(code, message)
  }

  /** The transport ends connections by which longer messages come than any client of ours sends. @param {Client} client @param {Seat} seat */
  #countOversized(client, seat) {
    const socket = /** @type {import('node:events').EventEmitter} */ (
      /** @type {any} */ (client).ref
    )
    socket.on('error', (error) => {
      const isOversized = Object(error).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
      this.host.metrics.refused.inc({ reason: isOversized ? 'oversized' : 'transport' })
      seat.isExpelled = isOversized
    })
  }

  /** @param {Client} client @param {number} [code] */
  onLeave(client, code) {
    if (!client.userData) return
    // What Colyseus itself cannot read ends a connection by this code.
    if (code === UNREADABLE) this.host.metrics.refused.inc({ reason: 'malformed' })
    const isForGood = code === CONSENTED || code === UNREADABLE || client.userData.isExpelled
    this.live.exit(client.userData, isForGood && this.#fate === 'remove')
  }

  /** Another process has the room. Its entry in the list of rooms is that process's: ours must not take it away. */
  #lose() {
    if (this.#fate === 'leave') return
    this.host.log.warn({ room: this.roomId }, 'room is with another process')
    this.#fate = 'leave'
    Object(this)._listing.roomId = `${this.roomId}:lost`
    void this.disconnect(MOVED)
  }

  /** Gives the room to another process. */
  async handOver() {
    this.#fate = 'hand over'
    this.host.ticker.remove(this.live)
    await this.live.journal.finish()
    await this.disconnect(MOVED)
  }

  async onDispose() {
    const live = this.#live
    if (!live) return
    const { store } = this.host
    const { epoch } = live.journal
    live.close()
    try {
      if (this.#fate === 'remove') await store?.remove(this.roomId, epoch)
      if (this.#fate === 'hand over') await store?.handOver(this.roomId, epoch)
    } catch {
      // The store has told why. Its lease ends by itself, and without players the room ends wherever it is taken.
    }
  }
}
