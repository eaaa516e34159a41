/**
 * The time line: a slider over the frames that the history has. Its track is filled up to the present, and in
 * another shade as far as was simulated.
 */
import { byId } from './dom.mjs'

/**
 * Where the scene stands, in frames: steps that were made.
 *
 * @typedef {object} TimeLineState
 * @property {number} first that can be sought
 * @property {number} last
 * @property {number} present
 * @property {number} end of the scene
 */

export class TimeLine {
  #slider = byId('timeline', HTMLInputElement)
  #last = 0

  /** @param {(frame: number) => void} seek called when somebody moves the slider */
  constructor(seek) {
    this.#slider.addEventListener('input', () => {
      // What was not simulated yet cannot be sought.
      const frame = Math.min(this.#slider.valueAsNumber, this.#last)
      this.#slider.valueAsNumber = frame
      seek(frame)
    })
  }

  /**
   * @param {TimeLineState} state
   * @param {string} text the present, for those who hear it
   */
  show({ first, last, present, end }, text) {
    const slider = this.#slider
    const length = Math.max(end, last) - first
    this.#last = last
    slider.min = String(first)
    slider.max = String(first + length)
    slider.valueAsNumber = present
    slider.setAttribute('aria-valuetext', text)
    slider.style.setProperty('--present', String((present - first) / length))
    slider.style.setProperty('--recorded', String((last - first) / length))
  }
}
