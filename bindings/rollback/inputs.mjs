import { invalid } from '../core/describe.mjs'

/**
 * What players do in a frame, as it goes over a network: numbers, texts, booleans, null, and lists, typed arrays and plain
 * objects of those.
 * @typedef {any} Input
 */

/**
 * A copy that stays as it is whatever the user does with the original.
 * @param {unknown} input
 * @param {string} path
 * @returns {Input}
 */
export function keepInput(input, path) {
  if (typeof input !== 'object' || input === null) {
    if (typeof input !== 'function' && typeof input !== 'symbol') return input
    throw invalid(path, 'a value that can be copied', input)
  }
  try {
    return structuredClone(input)
  } catch (cause) {
    throw invalid(path, 'a value that can be copied', input, { cause })
  }
}

/**
 * Whether two inputs have the same bits.
 * @param {Input} a
 * @param {Input} b
 * @returns {boolean}
 */
export function sameInputs(a, b) {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [left, right] = /** @type {Record<string, unknown>[]} */ ([a, b])
  const keys = Object.keys(left)
  return (
    Object.getPrototypeOf(left) === Object.getPrototypeOf(right) &&
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameInputs(left[key], right[key]))
  )
}

/**
 * What a player's input in a frame is taken to be until it is there.
 * @callback Predict
 * @param {Input} last the newest input that is there of an earlier frame
 * @param {number} player
 * @param {number} frame
 * @returns {Input}
 */

/** What is known of one player's inputs. */
export class PlayerInputs {
  #player
  #predict
  #initial
  /** By frame. @type {Map<number, Input>} */
  #given = new Map()
  /** What frames were simulated with. @type {Map<number, Input>} */
  #used = new Map()
  /** The last frame up to which there is no gap. */
  confirmed = -1

  /**
   * @param {number} player
   * @param {Input} initial before the first one
   * @param {Predict | undefined} predict undefined: as the last one
   */
  constructor(player, initial, predict) {
    this.#player = player
    this.#initial = initial
    this.#predict = predict
  }

  /**
   * @param {number} frame
   * @param {Input} input
   * @param {string} where
   * @returns {boolean} whether it was not known
   */
  give(frame, input, where) {
    if (this.#given.has(frame)) {
      const known = this.#given.get(frame)
      if (sameInputs(known, input)) return false
      const allowed = `what player ${this.#player} gave for frame ${frame} before`
      throw invalid(`${where}: input`, allowed, input)
    }
    if (frame <= this.confirmed) return false // over and forgotten
    this.#given.set(frame, input)
    while (this.#given.has(this.confirmed + 1)) this.confirmed++
    return true
  }

  /** @param {number} frame */
  has(frame) {
    return this.#given.has(frame)
  }

  /** @param {number} frame @returns {Input} what was given for it */
  at(frame) {
    return this.#given.get(frame)
  }

  /**
   * The input to simulate a frame with.
   * @param {number} frame
   * @returns {Input}
   */
  use(frame) {
    const input = this.#given.has(frame) ? this.#given.get(frame) : this.#guess(frame)
    this.#used.set(frame, input)
    return input
  }

  /**
   * Whether a frame was simulated with another input than it has.
   * @param {number} frame
   */
  isWrong(frame) {
    if (!this.#given.has(frame) || !this.#used.has(frame)) return false
    return !sameInputs(this.#given.get(frame), this.#used.get(frame))
  }

  /**
   * Drops what is older than a frame, but for the last input.
   * @param {number} frame
   */
  forget(frame) {
    const end = Math.min(frame, this.confirmed)
    for (const map of [this.#given, this.#used]) {
      // In the order of their coming, which is nearly that of the frames.
      for (const old of map.keys()) if (old < end) map.delete(old)
    }
  }

  /** @param {number} frame */
  #guess(frame) {
    let last = this.#initial
    for (let before = frame - 1; before >= Math.max(0, this.confirmed); before--) {
      if (!this.#given.has(before)) continue
      last = this.#given.get(before)
      break
    }
    if (this.#predict === undefined) return last
    return keepInput(this.#predict(last, this.#player, frame), 'predict')
  }
}
