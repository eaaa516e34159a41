import { readInteger } from '../core/arguments.mjs'

/** The multiplier of the generator, 6364136223846793005, in halves of 32 bits. */
const MULTIPLIER = { high: 0x5851f42d, low: 0x4c957f2d }
/** The stream of all generators here: the increment 1442695040888963407, which is odd as it has to be. */
const INCREMENT = { high: 0x14057b7e, low: 0xf767814f }
/** Doubles between 0 and 1 have 53 bits: 27 of one number and 26 of the next. */
const BITS_26 = 2 ** 26
const BITS_53 = 2 ** 53
/** So many uniform numbers have a sum of variance 1. */
const SUMMANDS = 12

/**
 * A generator of random numbers that is the same on every machine: PCG-XSH-RR 64/32 (O'Neill 2014). 64 bits of state, integer arithmetic alone.
 * No call reads a clock or anything else from outside.
 */
export class Random {
  #high = 0
  #low = 0

  /** @param {number} seed a whole number, 0 to 2^53 - 1; other seeds give other sequences */
  constructor(seed) {
    const value = readInteger(seed, 'Random: seed', 0, Number.MAX_SAFE_INTEGER)
    this.#advance()
    this.#add(Math.floor(value / 2 ** 32), value >>> 0)
    this.#advance()
  }

  /** @returns {number} 32 random bits, as a whole number from 0 to 2^32 - 1 */
  bits() {
    const [high, low] = [this.#high, this.#low]
    this.#advance()
    // Xor-shift of the old state by 18 and 27, and a rotation by its topmost five bits.
    const shifted = [high ^ (high >>> 18), low ^ ((high << 14) | (low >>> 18))]
    const word = (shifted[0] << 5) | (shifted[1] >>> 27)
    const turn = high >>> 27
    return ((word >>> turn) | (word << (-turn & 31))) >>> 0
  }

  /**
   * Uniform.
   * @param {number} [low] default 0
   * @param {number} [high] default 1
   * @returns {number} from `low` up to, and but for rounding without, `high`
   */
  uniform(low = 0, high = 1) {
    const first = this.bits() >>> 5
    const second = this.bits() >>> 6
    return low + (high - low) * ((first * BITS_26 + second) / BITS_53)
  }

  /**
   * Nearly normal, with mean 0 and variance 1: the sum of twelve uniform numbers, less 6. Logarithms, which exact methods need, differ between
   * machines in their last bit. Never beyond 6.
   * @returns {number}
   */
  normal() {
    let sum = -SUMMANDS / 2
    for (let i = 0; i < SUMMANDS; i++) sum += this.uniform()
    return sum
  }

  /**
   * A whole number, all equally likely.
   * @param {number} count 1 to 2^32
   * @returns {number} 0 to `count` - 1
   */
  integer(count) {
    const most = readInteger(count, 'integer: count', 1, 2 ** 32)
    // What lies above the last whole multiple of the count is drawn again.
    const end = 2 ** 32 - (2 ** 32 % most)
    let bits = this.bits()
    while (bits >= end) bits = this.bits()
    return bits % most
  }

  /** State times multiplier plus increment, modulo 2^64. */
  #advance() {
    const [high, low] = [this.#high, this.#low]
    this.#high = Math.imul(high, MULTIPLIER.low) + Math.imul(low, MULTIPLIER.high)
    this.#high = (this.#high + highProduct(low, MULTIPLIER.low)) >>> 0
    this.#low = Math.imul(low, MULTIPLIER.low) >>> 0
    this.#add(INCREMENT.high, INCREMENT.low)
  }

  /** @param {number} high @param {number} low of what is added, modulo 2^64 */
  #add(high, low) {
    const sum = this.#low + low
    this.#low = sum >>> 0
    this.#high = (this.#high + high + (sum >= 2 ** 32 ? 1 : 0)) >>> 0
  }
}

/**
 * The upper 32 bits of the product of two whole numbers of 32 bits, by their halves.
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function highProduct(a, b) {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff]
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16)
  const other = aLow * bHigh + (middle & 0xffff)
  return aHigh * bHigh + Math.floor(middle / 2 ** 16) + Math.floor(other / 2 ** 16)
}
