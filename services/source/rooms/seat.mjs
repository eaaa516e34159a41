import { Rate } from '../operations/rate.mjs'

/** @import { Limits } from './limits.mjs' */
/** @import { REFUSAL } from './host.mjs' */

/** The place of a connected client in a room. */
export class Seat {
  #messages
  #bytes
  #requests
  player = -1
  /** @type {Uint8Array} */
  token = new Uint8Array(16)
  /** Whether the client was thrown out, and so does not keep its place. */
  isExpelled = false
  /** Whether the whole state is on its way. */
  isWelcoming = false
  send
  kick

  /**
   * @param {Limits} limits
   * @param {(bytes: Uint8Array) => void} send
   * @param {(reason: keyof typeof REFUSAL, message: string) => void} kick ends the connection
   */
  constructor(limits, send, kick) {
    this.#messages = new Rate(limits.messagesPerSecond)
    this.#bytes = new Rate(limits.bytesPerSecond)
    this.#requests = new Rate(limits.requestsPerSecond)
    this.send = send
    this.kick = kick
  }

  /** @param {number} length of a message in bytes @param {number} time ms @returns {boolean} whether the client may send it */
  mayHave(length, time) {
    return this.#messages.take(1, time) && this.#bytes.take(length, time)
  }

  /** @param {number} time ms @returns {boolean} whether the client may ask for the whole state */
  mayRequest(time) {
    return this.#requests.take(1, time)
  }
}
