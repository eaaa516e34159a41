import { frameSize } from './motion-frame.mjs'

// Frames in memory that two threads share: three of them, so that neither ever waits for the other. One is written, one
// is read, and the third is the newest that is ready; who is done changes theirs for it, by one exchange of its number
// (triple buffering).

/** Bytes before the first frame, of which the first word says which frame is ready and whether it was seen. */
const CONTROL_BYTES = 64
const NUMBER = 3
/** The frame has not been read. */
const FRESH = 4

/** What both sides begin with. */
const START = Object.freeze({ written: 0, ready: 1, read: 2 })

/**
 * @param {number} slots
 * @param {number} controls doubles of vehicles and characters
 * @returns {SharedArrayBuffer} for three frames
 */
export function makeSharedFrames(slots, controls) {
  const buffer = new SharedArrayBuffer(CONTROL_BYTES + 3 * 8 * frameSize(slots, controls))
  new Int32Array(buffer, 0, 1)[0] = START.ready
  return buffer
}

/** One side of the frames: that of who writes, or that of who reads. */
export class SharedFrames {
  #control
  #frames
  /** Which frame is this side's. @type {number} */
  #own

  /**
   * @param {SharedArrayBuffer} buffer
   * @param {'written' | 'read'} side
   */
  constructor(buffer, side) {
    const doubles = (buffer.byteLength - CONTROL_BYTES) / 24
    this.#control = new Int32Array(buffer, 0, 1)
    this.#frames = [0, 1, 2].map(
      (i) => new Float64Array(buffer, CONTROL_BYTES + 8 * i * doubles, doubles),
    )
    this.#own = START[side]
  }

  /** The frame to write to. @returns {Float64Array} */
  get blank() {
    return this.#frames[this.#own]
  }

  /** Gives the frame that was written away. */
  publish() {
    this.#own = Atomics.exchange(this.#control, 0, this.#own | FRESH) & NUMBER
  }

  /** @returns {Float64Array | undefined} the newest frame, which is the reader's until the next call; undefined: none is new */
  newest() {
    if ((Atomics.load(this.#control, 0) & FRESH) === 0) return undefined
    this.#own = Atomics.exchange(this.#control, 0, this.#own) & NUMBER
    return this.#frames[this.#own]
  }
}
