/** More steps than that are not made up for at once. */
const MOST_STEPS = 8

/** Milliseconds of the host, the same in all threads of a program. */
export const now = () => performance.timeOrigin + performance.now()

/** Fixed steps by the time that goes by. */
export class Clock {
  #tick
  /** Seconds of a step; 0: it stands. */
  #dt = 0
  #rate = 1
  #last = 0
  #remainder = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** @param {(dt: number, steps: number) => void} tick has steps made */
  constructor(tick) {
    this.#tick = tick
  }

  /** Seconds of the world per second; 0: it stands. */
  get rate() {
    return this.#dt > 0 ? this.#rate : 0
  }

  /** When the world had the time that it has, as long as all steps are made. */
  get moment() {
    return this.#last - (1000 * this.#remainder) / this.#rate
  }

  /**
   * @param {number} dt seconds; 0: it stops
   * @param {number} rate seconds of the world per second, above 0
   */
  set(dt, rate) {
    clearTimeout(this.#timer)
    this.#dt = dt
    this.#rate = rate
    this.#last = now()
    this.#remainder = 0
    if (dt > 0) this.#wait()
  }

  #wait() {
    const seconds = (this.#dt - this.#remainder) / this.#rate
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, 1000 * seconds))
  }

  #wake() {
    const time = now()
    this.#remainder += (this.#rate * (time - this.#last)) / 1000
    this.#last = time
    const due = Math.floor(this.#remainder / this.#dt)
    // What more is due is dropped: the world runs slower than the clock.
    this.#remainder -= due * this.#dt
    try {
      if (due > 0) this.#tick(this.#dt, Math.min(due, MOST_STEPS))
    } finally {
      if (this.#dt > 0) this.#wait()
    }
  }
}
