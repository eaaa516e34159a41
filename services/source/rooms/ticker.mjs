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
/** Part by which what a call takes changes what the next is expected to take. */
const NEWS = 0.25
/** ms: calls that take less are all alike. From there on classes are by factors of two, so that within one the longest overdue is first. */
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
  /** What a call takes, in ms. @type {Map<Ticking, number>} */
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
    this.#costs.set(ticking, 0)
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
      this.tick(one)
      // What waits comes in between, and timers with it; then what is due by then is looked at anew.
      if (this.#elapsed() - begun > LONGEST_RUN) return void setTimeout(() => this.#run(), 0)
    }
    this.#isRunning = this.#costs.size > 0
    if (this.#isRunning) setTimeout(() => this.#run(), this.#pause())
  }

  /** @returns {Ticking[]} what is due, in the order in which it is called */
  due() {
    const time = this.#now()
    const all = [...this.#costs].filter(([one]) => one.due <= time)
    const classes = new Map(all.map(([one, cost]) => [one, classOf(cost)]))
    return [...classes.keys()].sort(
      (a, b) => Number(classes.get(a)) - Number(classes.get(b)) || a.due - b.due,
    )
  }

  /** @param {Ticking} one */
  tick(one) {
    const start = this.#elapsed()
    try {
      one.tick(this.#now())
    } catch (error) {
      this.onError(error, one)
      one.due = Math.max(one.due, this.#now() + MOST_PAUSE)
    }
    const cost = this.#costs.get(one)
    if (cost === undefined) return
    this.#costs.set(one, cost + NEWS * (this.#elapsed() - start - cost))
  }

  #pause() {
    let next = Infinity
    for (const { due } of this.#costs.keys()) next = Math.min(next, due)
    return Math.max(LEAST_PAUSE, Math.min(MOST_PAUSE, next - this.#now()))
  }
}
