import { BUFFERS, frameSize, HEAD } from './motion-frame.mjs'
import { makeSharedFrames, SharedFrames } from './shared-frames.mjs'

/** @import { Follower } from './follower.mjs' */

/** Slots that frames have room for at least. */
const LEAST_SLOTS = 64

/** The page's side of frames: the room for them, and the newest. */
export class Frames {
  #transport
  #slots = LEAST_SLOTS
  /** Doubles of vehicles and characters that frames have room for at least. */
  #controls = 0
  /** @type {SharedFrames | undefined} */
  #shared
  /** The newest frame that was transferred, not read yet. @type {ArrayBuffer | undefined} */
  #arrived
  /** The last one that was read. @type {Float64Array | undefined} */
  #read
  /** Frames that were read and go back. @type {ArrayBuffer[]} */
  spare = []

  /** @param {'shared' | 'transferred'} transport */
  constructor(transport) {
    this.#transport = transport
  }

  /** Whether frames have no room for what there is. @param {Follower} follower */
  isTooSmall({ slotCount, controls }) {
    return slotCount > this.#slots || controls.size > this.#controls
  }

  /**
   * Room for frames with all slots that there are.
   * @param {Follower} follower
   */
  makeRoom({ slotCount, controls }) {
    while (this.#slots < slotCount) this.#slots *= 2
    if (controls.size > this.#controls) this.#controls = 2 * controls.size
    this.#arrived = undefined
    if (this.#transport === 'shared') {
      const room = makeSharedFrames(this.#slots, this.#controls)
      this.#shared = new SharedFrames(room, 'read')
      return { room }
    }
    const bytes = 8 * frameSize(this.#slots, this.#controls)
    this.spare.length = 0
    return { room: Array.from({ length: BUFFERS }, () => new ArrayBuffer(bytes)) }
  }

  /** @param {ArrayBuffer} frame that has come */
  keep(frame) {
    // Of more than there have to be the worker has made some, for who waited.
    if (this.#arrived && this.spare.length < BUFFERS) this.spare.push(this.#arrived)
    this.#arrived = frame
  }

  /** @returns {Float64Array | undefined} the newest frame, if there is one that was not read */
  takeNewest() {
    if (this.#shared) return this.#shared.newest()
    const buffer = this.#arrived
    if (buffer === undefined) return undefined
    this.#arrived = undefined
    this.spare.push(buffer) // it goes back with what is sent next, after it was read
    this.#read = new Float64Array(buffer)
    return this.#read
  }

  /**
   * Writes into a frame that goes back which step is to be made.
   * @param {ArrayBuffer} buffer
   * @param {number} seconds of it; 0: none
   */
  order(buffer, seconds) {
    // The view that it was read by is there still.
    const frame = this.#read?.buffer === buffer ? this.#read : new Float64Array(buffer)
    frame[HEAD.order] = seconds
  }
}
