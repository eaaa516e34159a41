/**
 * Numbers on their way between an object of the user and the engine. They are taken for the time of a call, since the
 * object may have getters and setters that make calls of their own, and those get others.
 */
export class Scratch {
  #count
  /** @type {Float64Array | undefined} */
  #free

  /** @param {number} count */
  constructor(count) {
    this.#count = count
  }

  /** @returns {Float64Array} with whatever is in it */
  take() {
    const numbers = this.#free ?? new Float64Array(this.#count)
    this.#free = undefined
    return numbers
  }

  /** @param {Float64Array} numbers what `take` gave; what is never given back is made anew */
  giveBack(numbers) {
    this.#free = numbers
  }
}
