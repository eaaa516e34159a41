/** As many steps as are told of when a page looks again: at 60 Hz, those of ten seconds. */
const MOST = 600

/**
 * Events of steps that the listeners were not told of yet, as they are posted. While nobody looks they do not grow for ever:
 * of older steps only the joints are kept that broke, as the page has to know which there are.
 */
export class Untold {
  /** @type {any[]} */
  #steps = []
  /** @type {any[]} */
  #broken = []

  /** @param {readonly any[]} steps */
  add(steps) {
    for (const one of steps) this.#steps.push(one)
    while (this.#steps.length > MOST) this.#broken.push(...this.#steps.shift().joint)
  }

  /** @returns {any[]} what there is, the oldest first; from now on there is nothing */
  take() {
    const steps = this.#steps
    const joint = this.#broken
    this.#steps = []
    this.#broken = []
    return joint.length > 0 ? [{ ...noEvents(), joint }, ...steps] : steps
  }

  get isEmpty() {
    return this.#steps.length === 0 && this.#broken.length === 0
  }
}

/** Of a step that nothing happened in. */
export const noEvents = () => ({ solver: [], contact: [], sensor: [], joint: [], sleep: undefined })
