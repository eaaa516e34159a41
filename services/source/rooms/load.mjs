import { performance } from 'node:perf_hooks'

/** ms over which the load is measured */
export const WINDOW = 1000

/** How busy the process is: the part of the last second in which its event loop worked, without what is left out. */
export class Load {
  #busy = 0
  /** ms of this second that are not counted */
  #leftOut = 0
  #before = performance.eventLoopUtilization()
  #timer
  onMeasured = () => {}

  constructor() {
    this.#timer = setInterval(() => this.#measure(), WINDOW).unref()
  }

  #measure() {
    const now = performance.eventLoopUtilization()
    const { active, idle } = performance.eventLoopUtilization(now, this.#before)
    this.#busy = Math.max(0, active - this.#leftOut) / Math.max(1, active + idle)
    this.#before = now
    this.#leftOut = 0
    this.onMeasured()
  }

  /** 0 to 1 */
  get busy() {
    return this.#busy
  }

  /** What was work for once and is over. @param {number} ms */
  leaveOut(ms) {
    this.#leftOut += ms
  }

  end() {
    clearInterval(this.#timer)
  }
}
