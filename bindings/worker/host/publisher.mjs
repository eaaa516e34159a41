import { BUFFERS, HEAD, MOTIONS, STRIDE } from '../motion-frame.mjs'
import { SharedFrames } from '../shared-frames.mjs'

/** @import { WorldCore } from '../../core/world-core.mjs' */
/** @import { HostControls } from './controls.mjs' */

/** @typedef {{ batch: number, stepsDone: number, moment: number, rate: number }} FrameHead */

/** Writes frames: into shared memory, or into buffers that come back. */
export class Publisher {
  #core
  #controls
  /** @type {SharedFrames | undefined} */
  #shared
  /** Buffers that are here. @type {ArrayBuffer[]} */
  #free = []
  #bytes = 0
  /** Where the engine writes motions, and for how many doubles. */
  #address = 0
  #doubles = 0
  /** Whether there is something to show that no frame has. */
  isDue = false

  /**
   * @param {WorldCore} core
   * @param {HostControls} controls
   */
  constructor(core, controls) {
    this.#core = core
    this.#controls = controls
  }

  /**
   * @param {SharedArrayBuffer | ArrayBuffer[]} room for frames, in place of that of before
   */
  use(room) {
    if (Array.isArray(room)) this.#bytes = room[0].byteLength
    this.#shared = Array.isArray(room) ? undefined : new SharedFrames(room, 'written')
    this.#free = Array.isArray(room) ? room : []
    this.isDue = true
  }

  /** @param {readonly ArrayBuffer[]} buffers that were read; those of a smaller room are dropped */
  takeBack(buffers) {
    for (const buffer of buffers) {
      const isOfUse = buffer.byteLength === this.#bytes && this.#free.length < BUFFERS
      if (isOfUse) this.#free.push(buffer)
    }
  }

  /**
   * Writes a frame, if one is due and there is a buffer for it.
   * @param {FrameHead} head
   * @param {boolean} isAwaited somebody waits for it: if there is no buffer one is made
   * @returns {ArrayBuffer | undefined} what is to be posted
   */
  publish(head, isAwaited) {
    if (!this.isDue) return undefined
    const buffer = this.#shared ? undefined : this.#takeFree(isAwaited)
    if (!this.#shared && !buffer) return undefined
    this.isDue = false
    this.#write(this.#shared?.blank ?? new Float64Array(/** @type {ArrayBuffer} */ (buffer)), head)
    this.#shared?.publish()
    return buffer
  }

  /** @param {boolean} isAwaited */
  #takeFree(isAwaited) {
    return this.#free.pop() ?? (isAwaited ? new ArrayBuffer(this.#bytes) : undefined)
  }

  /**
   * @param {Float64Array} frame
   * @param {FrameHead} head
   */
  #write(frame, { batch, stepsDone, moment, rate }) {
    const core = this.#core
    const { exports } = core.engine
    const slots = core.slotCount
    frame[HEAD.batch] = batch
    frame[HEAD.time] = exports.world_time(core.pointer)
    frame[HEAD.stepCount] = exports.world_step_count(core.pointer)
    frame[HEAD.slotCount] = slots
    frame[HEAD.lastDt] = core.lastDt
    frame[HEAD.stepsDone] = stepsDone
    frame[HEAD.moment] = moment
    frame[HEAD.rate] = rate
    this.#reserve(STRIDE * slots)
    exports.world_get_motions(core.pointer, this.#address)
    const from = this.#address / 8
    frame.set(core.engine.f64.subarray(from, from + STRIDE * slots), MOTIONS)
    frame[HEAD.controls] = this.#controls.write(frame, MOTIONS + STRIDE * slots)
  }

  /** @param {number} doubles */
  #reserve(doubles) {
    if (doubles <= this.#doubles) return
    const { exports } = this.#core.engine
    if (this.#address !== 0) exports.release(this.#address)
    this.#doubles = 2 * doubles
    this.#address = exports.allocate(8 * this.#doubles) >>> 0
    if (this.#address === 0) throw new Error('no memory for a frame')
  }
}
