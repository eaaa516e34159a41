/** ms for which a cause is told of once */
const MINUTE = 60_000
/** Causes that are remembered: more than there can be of those that are known. */
const MOST_CAUSES = 200

/** Tells of what goes on and on: for each cause a line a minute, with how many were left out since the last. */
export class RareLog {
  #log
  #now
  /** @type {Map<string, { at: number, leftOut: number }>} */
  #causes = new Map()

  /** @param {import('pino').Logger} log @param {() => number} [now] ms, of a clock that does not jump */
  constructor(log, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** @param {string} cause a word @param {object} fields @param {string} message */
  warn(cause, fields, message) {
    const [now, known] = [this.#now(), this.#causes.get(cause)]
    if (known && now - known.at < MINUTE) {
      known.leftOut++
      return
    }
    this.#log.warn({ ...fields, cause, leftOut: known?.leftOut ?? 0 }, message)
    if (this.#causes.size >= MOST_CAUSES) this.#causes.clear()
    this.#causes.set(cause, { at: now, leftOut: 0 })
  }

  /** @returns {number} lines of all causes that were left out and are not told of yet */
  get leftOut() {
    let sum = 0
    for (const { leftOut } of this.#causes.values()) sum += leftOut
    return sum
  }
}
