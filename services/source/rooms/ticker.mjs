/**
 * What the ticker calls.
 * @typedef {object} Ticking
 * @property {number} due ms, by the ticker's clock, at which it wants to be called
 * @property {(time: number) => void} tick has to set `due` anew
 */

/** ms from one look at all rooms to the next: what is due by then is done in one go, so that processor and Redis are called less often */
const LEAST_PAUSE = 4
const MOST_PAUSE = 100

/** One clock for all rooms of a process: it calls each when it is due, the longest overdue first. */
export class Ticker {
  #now
  /** @type {Set<Ticking>} */
  #all = new Set()
  #isRunning = false
  /** Gets what a tick throws. @type {(error: unknown, ticking: Ticking) => void} */
  onError = () => {}

  /** @param {() => number} now ms */
  constructor(now) {
    this.#now = now
  }

  /** @param {Ticking} ticking */
  add(ticking) {
    this.#all.add(ticking)
    if (this.#isRunning) return
    this.#isRunning = true
    setTimeout(() => this.#run(), 0)
  }

  /** @param {Ticking} ticking */
  remove(ticking) {
    this.#all.delete(ticking)
  }

  #run() {
    const time = this.#now()
    const due = [...this.#all].filter((one) => one.due <= time).sort((a, b) => a.due - b.due)
    for (const one of due) this.#tick(one)
    this.#isRunning = this.#all.size > 0
    if (this.#isRunning) setTimeout(() => this.#run(), this.#pause())
  }

  /** @param {Ticking} one */
  #tick(one) {
    try {
      one.tick(this.#now())
    } catch (error) {
      this.onError(error, one)
    }
  }

  #pause() {
    let next = Infinity
    for (const { due } of this.#all) next = Math.min(next, due)
    return Math.max(LEAST_PAUSE, Math.min(MOST_PAUSE, next - this.#now()))
  }
}
