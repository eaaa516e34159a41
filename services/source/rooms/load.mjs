import { performance } from 'node:perf_hooks'

/** ms over which the load is measured */
export const WINDOW = 1000

/** How busy the process is: the part of the last second in which its event loop worked. */
export class Load {
  #busy = 0
  #before = performance.eventLoopUtilization()
  #timer
  onMeasured = () => {}

  constructor() {
    this.#timer = setInterval(() => this.#measure(), WINDOW).unref()
  }

  #measure() {
    const now = performance.eventLoopUtilization()
    this.#busy = performance.eventLoopUtilization(now, this.#before).utilization
    this.#before = now
    this.onMeasured()
  }

  /** 0 to 1 */
  get busy() {
    return this.#busy
  }

  end() {
    clearInterval(this.#timer)
  }
}
