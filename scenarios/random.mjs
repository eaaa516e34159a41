/**
 * A small seeded generator of random numbers: the same seed gives the same scene on every machine.
 *
 * Mulberry32 (Tommy Ettinger): 32 bits of state, integer arithmetic only, so it is the same to the bit everywhere.
 */

/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./vector.mjs').Quaternion} Quaternion */

export class Random {
  #state

  /** @param {number} seed any integer */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /**
   * A number in [0, 1).
   *
   * @returns {number}
   */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = this.#state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x100000000
  }

  /**
   * A number in [lower, upper).
   *
   * @param {number} lower
   * @param {number} upper
   * @returns {number}
   */
  between(lower, upper) {
    return lower + (upper - lower) * this.next()
  }

  /**
   * An orientation, all of them equally likely: a point of the unit ball of quaternion space, found by rejection and
   * normalised. Only operations that IEEE 754 makes exact, because Math.sin and Math.cos differ between browsers.
   *
   * @returns {Quaternion}
   */
  orientation() {
    for (;;) {
      const x = this.between(-1, 1)
      const y = this.between(-1, 1)
      const z = this.between(-1, 1)
      const w = this.between(-1, 1)
      const squared = x * x + y * y + z * z + w * w
      if (squared > 0.01 && squared <= 1) {
        const length = Math.sqrt(squared)
        return [x / length, y / length, z / length, w / length]
      }
    }
  }
}
