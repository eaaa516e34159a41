/**
 * How long steps took, in a bounded piece of memory.
 */

/**
 * @typedef {object} Times
 * @property {number} mean of all
 * @property {number} median of the last ones, up to 10000
 * @property {number} p95 of the same
 * @property {number} max of all
 */

/** So many are kept for the quantiles. */
const KEPT = 10000

export class StepTimes {
  #kept = new Float64Array(KEPT)
  #count = 0
  #sum = 0
  #max = 0

  /** @param {number} time */
  add(time) {
    this.#kept[this.#count % KEPT] = time
    this.#count++
    this.#sum += time
    this.#max = Math.max(this.#max, time)
  }

  /** @returns {Times} zeros if there are none */
  summary() {
    const count = this.#count
    if (count === 0) return { mean: 0, median: 0, p95: 0, max: 0 }
    const sorted = this.#kept.slice(0, Math.min(count, KEPT)).sort()
    /** @param {number} part */
    const quantile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
    return {
      mean: this.#sum / count,
      median: quantile(0.5),
      p95: quantile(0.95),
      max: this.#max,
    }
  }
}
