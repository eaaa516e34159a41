/** What may take a part of a process's time: after each piece of work it rests, so that what is due meanwhile is not late. */
export class Share {
  #part
  /** ms */
  #next = -Infinity

  /** @param {number} part 0 to 1 */
  constructor(part) {
    this.#part = part
  }

  /** @param {number} time ms @returns {boolean} whether it has rested for long enough */
  isFree(time) {
    return time >= this.#next
  }

  /** @template Result @param {() => number} now ms @param {() => Result} work @returns {Result} */
  measure(now, work) {
    const start = performance.now()
    try {
      return work()
    } finally {
      this.#next = now() + (performance.now() - start) * (1 / this.#part - 1)
    }
  }
}
