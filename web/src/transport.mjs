/**
 * Play, pause, step, reset, the clock with its time line, the speed and what is shown.
 */
import { byId, setText } from './dom.mjs'
import { TimeLine } from './time-line.mjs'

/**
 * @typedef {object} TransportActions
 * @property {() => void} toggle plays or pauses
 * @property {() => void} step
 * @property {() => void} stepBack
 * @property {(frame: number) => void} seek
 * @property {() => void} reset
 * @property {(speed: number) => void} setSpeed simulated per real second
 * @property {(shown: { contacts: boolean, forces: boolean }) => void} show
 */

export class Transport {
  #play = byId('play', HTMLButtonElement)
  #playLabel = byId('play-label', HTMLElement)
  #clock = byId('clock', HTMLOutputElement)
  #timeLine
  #contacts = byId('show-contacts', HTMLInputElement)
  #forces = byId('show-forces', HTMLInputElement)
  /** Whether somebody said by hand what is to be shown. */
  #isChosen = false
  #show

  /** @param {TransportActions} actions */
  constructor(actions) {
    this.#play.addEventListener('click', actions.toggle)
    byId('step', HTMLButtonElement).addEventListener('click', actions.step)
    byId('back', HTMLButtonElement).addEventListener('click', actions.stepBack)
    byId('reset', HTMLButtonElement).addEventListener('click', actions.reset)

    this.#timeLine = new TimeLine(actions.seek)

    const speed = byId('speed', HTMLInputElement)
    const speedValue = byId('speed-value', HTMLOutputElement)
    const readSpeed = () => {
      // A logarithmic slider that finds 1 again by hand
      const exponent = speed.valueAsNumber
      const value = Math.abs(exponent) < 0.04 ? 1 : 10 ** exponent
      const text = `${value < 0.995 ? value.toFixed(2) : value.toFixed(1).replace(/\.0$/, '')}×`
      speedValue.textContent = text
      speed.setAttribute('aria-valuetext', text)
      actions.setSpeed(value)
    }
    speed.addEventListener('input', readSpeed)
    speed.addEventListener('dblclick', () => {
      speed.value = '0'
      readSpeed()
    })

    this.#show = actions.show
    for (const box of [this.#contacts, this.#forces]) {
      box.addEventListener('change', () => {
        this.#isChosen = true
        this.#showChosen()
      })
    }
  }

  /**
   * Shows contacts and forces or not, unless somebody has chosen by hand.
   *
   * @param {boolean} shown
   */
  suggestContacts(shown) {
    if (!this.#isChosen) this.#contacts.checked = this.#forces.checked = shown
    this.#showChosen()
  }

  #showChosen() {
    this.#show({ contacts: this.#contacts.checked, forces: this.#forces.checked })
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    this.#play.classList.toggle('playing', playing)
    setText(this.#playLabel, playing ? 'Pause' : 'Play')
  }

  /** @param {import('./simulation.mjs').Simulation} simulation */
  setTime({ world, scene, timeLine }) {
    const text = `${world.time.toFixed(2)} s of ${scene.duration} s`
    setText(this.#clock, text)
    this.#timeLine.show(timeLine, text)
  }
}
