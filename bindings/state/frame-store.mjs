import { ByteRing } from './byte-ring.mjs'

/** @import { Part, Roster } from './frame.mjs' */

/**
 * A frame: the state after a step. Its bytes are the difference from the frame before, or, of a key,
 * stand by themselves.
 * @typedef {object} StoredFrame
 * @property {number} number steps that the world had made
 * @property {number} time s of the world
 * @property {{ roster: Roster, controls: Part }} parts who lived, and what is not the engine's of it
 * @property {number} partsLength bytes of these; the roster does not count where it is that of the frame before
 * @property {number} place in the ring
 * @property {number} length bytes
 * @property {StoredFrame | undefined} key that it needs; undefined: it is one
 */

/**
 * What a history keeps; Infinity where there is no limit.
 * @typedef {{ seconds: number, frames: number, memory: number }} Limits
 */

/**
 * The differences between two keys have so many times the bytes of a key. Keys so take a ninth of the
 * memory, and to seek a frame takes no longer than to read the bytes of nine of them.
 */
const KEY_SPACING = 8
/** Of the memory that may be taken, what a key and its differences have of it at the most: they go as
 * one when they are old. */
const MEMORY_PART = 1 / 4
/** Frames from a key to the next at the most: of what lies still a difference has some 100 bytes. */
const MOST_TO_NEXT_KEY = 600
/** Of times: sums of time steps miss by round-off what they should be. */
const SLACK = 1e-9

/** Frames one after the other, the oldest of which go beyond the limits. */
export class FrameStore {
  #limits
  #ring = new ByteRing()
  /** From a key on, which may be older than the limits allow. @type {StoredFrame[]} */
  #frames = []
  /** The index of the first that the limits allow. */
  #firstAllowed = 0
  #partsBytes = 0

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits
  }

  /** The number of the first frame that can be read. */
  get first() {
    return this.#frames[this.#firstAllowed]?.number ?? 0
  }

  /** The number of the last one; below `first` if there is none. */
  get last() {
    return this.#frames.at(-1)?.number ?? -1
  }

  get bytes() {
    return this.#ring.length + this.#partsBytes
  }

  /** Whether the frame after the last one should be a key. */
  get needsKey() {
    const last = this.#frames.at(-1)
    if (last === undefined) return true
    const key = last.key ?? last
    const length = this.#ring.end - key.place
    const most = Math.min((1 + KEY_SPACING) * key.length, MEMORY_PART * this.#limits.memory)
    return length >= most || last.number - key.number >= MOST_TO_NEXT_KEY
  }

  /**
   * Takes a frame away, and all after it; all there are, if it does not follow one of them.
   * @param {number} number
   */
  dropFrom(number) {
    const frames = this.#frames
    if (frames.length === 0) return
    const index = number - frames[0].number
    const keeps = index > 0 && index <= frames.length ? index : 0
    for (const frame of frames.splice(keeps)) this.#partsBytes -= frame.partsLength
    this.#firstAllowed = Math.min(this.#firstAllowed, Math.max(0, keeps - 1))
    const last = frames.at(-1)
    this.#ring.dropFrom(last ? last.place + last.length : this.#ring.start)
  }

  /**
   * Adds the frame after the last one.
   * @param {{ number: number, time: number, parts: StoredFrame['parts'], isKey: boolean }} about
   * @param {Uint8Array} bytes
   */
  add({ number, time, parts, isKey }, bytes) {
    const last = this.#frames.at(-1)
    const place = this.#ring.end
    this.#ring.append(bytes)
    const { roster, controls } = parts
    const partsLength =
      controls.bytes.length + (roster === last?.parts.roster ? 0 : roster.bytes.length)
    const key = isKey ? undefined : (last?.key ?? last)
    this.#frames.push({ number, time, parts, partsLength, place, length: bytes.length, key })
    this.#partsBytes += partsLength
    this.#dropOld()
  }

  /** @param {number} number from `first` to `last` @returns {StoredFrame} */
  frame(number) {
    return this.#frames[number - this.#frames[0].number]
  }

  /**
   * Frames that follow each other, to a given one.
   * @param {number} from its number
   * @param {StoredFrame} to
   */
  between(from, to) {
    const start = this.#frames[0].number
    return this.#frames.slice(from - start, to.number - start + 1)
  }

  clear() {
    this.dropFrom(-1)
  }

  /** @param {StoredFrame} frame @param {Uint8Array} out */
  read(frame, out) {
    this.#ring.read(frame.place, frame.length, out)
  }

  // Frames beyond the limits cannot be read any more; their bytes go as far as no other needs them.
  #dropOld() {
    const { seconds, frames: most } = this.#limits
    const frames = this.#frames
    const last = /** @type {StoredFrame} */ (frames.at(-1))
    const oldest = last.time - seconds - SLACK * (last.time + seconds)
    const isOld = (/** @type {StoredFrame} */ { number, time }) =>
      last.number - number > most || time < oldest
    while (isOld(frames[this.#firstAllowed])) this.#firstAllowed++
    this.#dropBefore(frames[this.#firstAllowed])
    while (this.bytes > this.#limits.memory) {
      const next = frames.findIndex(({ key }, i) => i > 0 && key === undefined)
      if (next < 0) break
      this.#firstAllowed = Math.max(this.#firstAllowed, next)
      this.#dropBefore(frames[next])
    }
  }

  /** @param {StoredFrame} frame the first one that is needed */
  #dropBefore(frame) {
    const first = frame.key ?? frame
    const count = first.number - this.#frames[0].number
    if (count === 0) return
    const { roster, controls } = first.parts
    for (const gone of this.#frames.splice(0, count)) this.#partsBytes -= gone.partsLength
    const whole = roster.bytes.length + controls.bytes.length
    this.#partsBytes += whole - first.partsLength
    first.partsLength = whole
    this.#firstAllowed -= count
    this.#ring.dropBefore(first.place)
  }
}
