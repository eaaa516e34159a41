import { HEAD } from './motion-frame.mjs'

const DEFAULT_HZ = 60
/** Milliseconds between the clock of this thread and that of all of them. */
const ORIGIN = performance.timeOrigin

/** Which steps and what time were asked for, which are seen, and which are due to be drawn. */
export class Timing {
  /** Steps that were asked for, and that the newest frame has. */
  #steps = { asked: 0, done: 0 }
  /** Seconds of the world when all that was asked for is done. */
  #askedTime = 0
  /** Seconds of the world: of the newest frame. */
  #shownTime = 0
  /** Seconds of the world per second of the worker's own clock by which the newest frame was made, 0: none; and when. */
  #clock = { rate: 0, moment: 0 }
  /** Seconds of a step. */
  dt = 1 / DEFAULT_HZ

  /** How many steps are asked for and not seen here yet. */
  get stepsBehind() {
    return this.#steps.asked - this.#steps.done
  }

  /** @param {number} seconds of a step that is asked for */
  ask(seconds) {
    this.#steps.asked++
    this.#askedTime += seconds
    if (seconds > 0) this.dt = seconds
  }

  /**
   * @param {Float64Array} frame that is seen from now on
   * @returns {number} seconds of the world
   */
  show(frame) {
    this.#steps.done = frame[HEAD.stepsDone]
    this.#clock.rate = frame[HEAD.rate]
    this.#clock.moment = frame[HEAD.moment]
    this.#shownTime = frame[HEAD.time]
    // Steps that were refused were asked for, and did not take the world further.
    const isAllDone = this.#steps.done === this.#steps.asked
    if (isAllDone || this.#clock.rate > 0) this.#askedTime = this.#shownTime
    return this.#shownTime
  }

  /** @param {number} time seconds of the world, which was brought elsewhere */
  jump(time) {
    this.#askedTime = time
  }

  /** There is another worker, which has made no steps. */
  restart() {
    this.#steps.asked = this.#steps.done = 0
  }

  /**
   * @param {number} interpolation part of a step that time is ahead of the steps that were asked for
   * @returns {number} seconds of the world that are due
   */
  due(interpolation) {
    const { rate, moment } = this.#clock
    if (rate === 0) return this.#askedTime + interpolation * this.dt
    const now = ORIGIN + performance.now()
    return this.#shownTime + (rate * (now - moment)) / 1000
  }
}
