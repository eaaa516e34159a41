/**
 * What the ticker calls.
 * @typedef {object} Ticking
 * @property {number} due ms, by the ticker's clock, at which it wants to be called
 * @property {(time: number) => void} tick has to set `due` anew
 */

/** ms from one look at all rooms to the next: what is due by then is done in one go, so that processor and Redis are called less often */
const LEAST_PAUSE = 4
const MOST_PAUSE = 100
/** ms after which the process does all else that waits, such as messages, although more rooms are due */
const LONGEST_RUN = 8
/**
 * ms: calls that take less are all alike. From there on classes are by factors of two, so that within one the longest overdue is first; and after each
 * such call what is due is looked at anew, as cheaper ones are due by then.
 */
const CHEAP = 0.5

/** @param {number} cost ms */
const classOf = (cost) => Math.max(0, Math.ceil(Math.log2(cost / CHEAP)))

/**
 * One clock for all rooms of a process: it calls each when it is due; those whose calls take little time first, so that no room is late because
 * another is large, then the longest overdue.
 */
export class Ticker {
  #now
  #elapsed
  /** What the last two calls took, in ms: the lesser counts, as now and then a cheap room is written down or told whole. @type {Map<Ticking, [number, number]>} */
  #costs = new Map()
  #isRunning = false
  /** Gets what a tick throws. @type {(error: unknown, ticking: Ticking) => void} */
  onError = () => {}

  /** @param {() => number} now ms @param {() => number} [elapsed] ms, of a clock by which calls are measured */
  constructor(now, elapsed = () => performance.now()) {
    this.#now = now
    this.#elapsed = elapsed
  }

  /** @param {Ticking} ticking */
  add(ticking) {
    this.#costs.set(ticking, [0, 0])
    if (this.#isRunning) return
    this.#isRunning = true
    setTimeout(() => this.#run(), 0)
  }

  /** @param {Ticking} ticking */
  remove(ticking) {
    this.#costs.delete(ticking)
  }

  #run() {
    const begun = this.#elapsed()
    for (const one of this.due()) {
      const taken = this.tick(one)
      const isLong = taken > CHEAP || this.#elapsed() - begun > LONGEST_RUN
      // What waits comes in between, and timers with it.
      if (isLong) return void setImmediate(() => this.#run())
    }
    this.#isRunning = this.#costs.size > 0
    if (this.#isRunning) setTimeout(() => this.#run(), this.#pause())
  }

  /** @returns {Ticking[]} what is due, in the order in which it is called */
  due() {
    const time = this.#now()
    const all = [...this.#costs].filter(([one]) => one.due <= time)
    const classes = new Map(all.map(([one, costs]) => [one, classOf(Math.min(...costs))]))
    return [...classes.keys()].sort(
      (a, b) => Number(classes.get(a)) - Number(classes.get(b)) || a.due - b.due,
    )
  }

  /** @param {Ticking} one @returns {number} ms that the call took */
  tick(one) {
    const start = this.#elapsed()
    try {
      one.tick(this.#now())
    } catch (error) {
      this.onError(error, one)
      one.due = Math.max(one.due, this.#now() + MOST_PAUSE)
    }
    const taken = this.#elapsed() - start
    const costs = this.#costs.get(one)
    if (costs) this.#costs.set(one, [taken, costs[0]])
    return taken
  }

  #pause() {
    let next = Infinity
    for (const { due } of this.#costs.keys()) next = Math.min(next, due)
    return Math.max(LEAST_PAUSE, Math.min(MOST_PAUSE, next - this.#now()))
  }
}
