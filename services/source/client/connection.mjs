import { Client } from '@colyseus/sdk'
import { toHex } from '../netcode/bytes.mjs'
import { readRefusal } from './refusal.mjs'

/** @import { Room } from '@colyseus/sdk' */

const ROOM_NAME = 'moreau'
const MESSAGE = 0
/** ms: between two looks for the room, and for an answer */
const RETRY = 100
const PATIENCE = 500
/** ms after which a room that nobody has counts as gone */
const GIVE_UP = 20_000
/** Codes that end for good: all refusals of the room (4400 and above), and that of who left (4000). */
const FIRST_REFUSAL = 4400
const CONSENTED = 4000

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * @typedef {object} ConnectionOptions
 * @property {readonly string[]} endpoints of processes that have rooms, `http://host:port`; one is enough to begin, another is needed when it is gone
 * @property {string} [roomId] to join; else any room that is free, or a new one
 * @property {Record<string, unknown>} [wish] what a new room shall be: `scene`, `options`, `mode`
 * @property {boolean} [isNew] whether a new room is wanted in any case
 * @property {Uint8Array} [token] of a player of this room, by which it comes back, as after a page was loaded again
 * @property {(bytes: Uint8Array) => void} onMessage
 * @property {() => { token: Uint8Array, nextEvent: number } | undefined} standing by which the client comes back
 */

/** A connection to a room that is made again when it is lost, with whatever process has the room then. */
export class Connection {
  #options
  /** @type {Room | undefined} */
  #room
  #isOver = false
  roomId = ''
  /** Bytes of messages, received and sent. */
  received = 0
  sent = 0
  reconnections = 0
  /** Called when it is there, for the first time and again. */
  onOpen = () => {}
  /** Called once it ends for good. @type {(code: number, reason: string) => void} */
  onEnd = () => {}

  /** @param {ConnectionOptions} options */
  constructor(options) {
    this.#options = options
  }

  get isOpen() {
    return this.#room?.connection.isOpen === true
  }

  /** Joins for the first time. @throws {import('./refusal.mjs').RoomRefused} */
  async begin() {
    const [endpoint] = this.#options.endpoints
    const client = new Client(endpoint)
    try {
      this.#adopt(await this.#firstRoom(client))
    } catch (error) {
      throw readRefusal(error, endpoint)
    }
  }

  /** @param {Client} client @returns {Promise<Room>} */
  async #firstRoom(client) {
    const { roomId, wish = {}, isNew, token } = this.#options
    const game = { scene: wish.scene, mode: wish.mode }
    if (roomId !== undefined)
      return client.joinById(roomId, token ? { ...game, token: toHex(token) } : game)
    if (isNew) return client.create(ROOM_NAME, wish)
    try {
      return await client.joinOrCreate(ROOM_NAME, wish)
    } catch (error) {
      const { reason } = Object(readRefusal(error, ''))
      if (reason === 'full') return client.create(ROOM_NAME, wish)
      throw error
    }
  }

  /** @param {Room} room */
  #adopt(room) {
    this.#room = room
    this.roomId = room.roomId
    room.reconnection.enabled = false
    room.onMessage(MESSAGE, (/** @type {Uint8Array} */ bytes) => {
      this.received += bytes.length
      this.#options.onMessage(bytes)
    })
    room.onError(() => {})
    this.onOpen()
    // The library gives up its own attempts at once, and tells so.
    room.onLeave((code, reason) => void this.#lost(room, code, reason ?? ''))
  }

  /** @param {Room} room @param {number} code @param {string} reason */
  async #lost(room, code, reason) {
    if (room !== this.#room || this.#isOver) return
    this.#room = undefined
    if (code === CONSENTED || code >= FIRST_REFUSAL) return this.end(code, reason)
    const end = performance.now() + GIVE_UP
    while (!this.#isOver && performance.now() < end) {
      if (await this.#comeBack()) return
      await pause(RETRY)
    }
    this.end(code, reason)
  }

  /** @returns {Promise<boolean>} whether it is connected again */
  async #comeBack() {
    try {
      const endpoint = await this.#findRoom()
      if (!endpoint || this.#isOver) return false
      const standing = this.#options.standing()
      const options = standing && { token: toHex(standing.token), nextEvent: standing.nextEvent }
      this.#adopt(await new Client(endpoint).joinById(this.roomId, options))
      this.reconnections++
      return true
    } catch {
      return false
    }
  }

  /** @returns {Promise<string | undefined>} the process that has the room */
  async #findRoom() {
    const known = this.#options.endpoints
    const answers = await Promise.all(known.map((endpoint) => this.#ask(endpoint)))
    const here = known.find((_, i) => answers[i]?.isHere)
    if (here) return here
    const elsewhere = answers.find((answer) => answer?.address)?.address
    if (!elsewhere) return undefined
    const endpoint = `${new URL(known[0]).protocol}//${elsewhere}`
    return (await this.#ask(endpoint))?.isHere ? endpoint : undefined
  }

  /** @param {string} endpoint @returns {Promise<{ isHere: boolean, address?: string } | undefined>} */
  async #ask(endpoint) {
    try {
      const signal = AbortSignal.timeout(PATIENCE)
      const response = await fetch(`${endpoint}/rooms/${this.roomId}`, { signal })
      return response.ok ? await response.json() : undefined
    } catch {
      return undefined
    }
  }

  /** @param {Uint8Array | undefined} bytes */
  send(bytes) {
    if (!bytes || !this.isOpen) return
    this.sent += bytes.length
    this.#room?.sendBytes(MESSAGE, bytes)
  }

  /** Cuts the connection as a network does, to be made again. */
  drop() {
    this.#room?.connection.close()
  }

  /** Leaves for good. */
  async leave() {
    this.#isOver = true
    const room = this.#room
    this.#room = undefined
    if (room?.connection.isOpen) await room.leave(true)
  }

  /** Ends for good, not by the player's will. @param {number} code @param {string} reason */
  end(code, reason) {
    if (this.#isOver) return
    this.#isOver = true
    this.#room?.connection.close()
    this.onEnd(code, reason)
  }
}
