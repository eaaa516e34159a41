import { readInteger } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { Random } from './random.mjs'

/**
 * @typedef {object} BoxDefinition
 * @property {number} size numbers of an element
 * @property {number | ArrayLike<number>} [low] of all of them, or one for each; default `-Infinity`
 * @property {number | ArrayLike<number>} [high] default `Infinity`
 */

/** A space of rows of numbers, each between bounds: Gymnasium's `Box`, in doubles. */
export class Box {
  /** The bounds of each number. @readonly */
  low
  /** @readonly */
  high
  /** How many elements, if they are more than one, and the numbers of each. @readonly @type {readonly number[]} */
  shape
  #random

  /**
   * @param {BoxDefinition} definition of an element
   * @param {number} [count] of elements: a batch of them
   */
  constructor({ size, low = -Infinity, high = Infinity }, count) {
    readInteger(size, 'Box: size', 1, 2 ** 31)
    const times = count ?? 1
    this.low = repeated(low, size, times, 'Box: low')
    this.high = repeated(high, size, times, 'Box: high')
    this.low.forEach((bound, i) => {
      if (!(bound <= this.high[i]))
        throw invalid(`Box: low[${i}]`, `at most ${this.high[i]}`, bound)
    })
    this.shape = Object.freeze(count === undefined ? [size] : [count, size])
    this.#random = new Random(0)
  }

  /**
   * Whether numbers are in the space.
   * @param {ArrayLike<number>} numbers
   * @returns {boolean}
   */
  contains(numbers) {
    if (!isList(numbers) || numbers.length !== this.low.length) return false
    return this.low.every((low, i) => numbers[i] >= low && numbers[i] <= this.high[i])
  }

  /**
   * Has `sample` begin a sequence.
   * @param {number} seed
   */
  seed(seed) {
    this.#random = new Random(seed)
  }

  /**
   * A random element: uniform between bounds; nearly normal about 0, moved into the bounds, where one of them is missing.
   * @returns {Float64Array} a new one
   */
  sample() {
    return this.low.map((low, i) => {
      const high = this.high[i]
      if (Number.isFinite(high - low)) return this.#random.uniform(low, high)
      return Math.min(Math.max(this.#random.normal(), low), high)
    })
  }
}

/**
 * @param {unknown} bound
 * @param {number} size
 * @param {number} times
 * @param {string} path
 * @returns {Float64Array}
 */
function repeated(bound, size, times, path) {
  const row = isList(bound) ? bound : new Float64Array(size).fill(Number(bound))
  if (row.length !== size) throw invalid(path, `a number or ${size} of them`, bound)
  return Float64Array.from({ length: size * times }, (_, i) => Number(row[i % size]))
}
