/** s: what was saved up for bursts */
export const BURST = 2

/** A rate that may be exceeded for a short time (a token bucket). */
export class Rate {
  #perSecond
  #saved
  #at = 0

  /** @param {number} perSecond */
  constructor(perSecond) {
    this.#perSecond = perSecond
    this.#saved = BURST * perSecond
  }

  /** @param {number} amount @param {number} time ms @returns {boolean} whether that is within the rate; if not, nothing is taken */
  take(amount, time) {
    const grown = this.#saved + (Math.max(0, time - this.#at) / 1000) * this.#perSecond
    this.#saved = Math.min(BURST * this.#perSecond, grown)
    this.#at = time
    if (amount > this.#saved) return false
    this.#saved -= amount
    return true
  }
}
