/**
 * The checks of the scene and how they stand.
 */
import { byId, make, setText } from './dom.mjs'
import { formatLimit, formatNumber } from './format.mjs'

/** @typedef {import('./simulation.mjs').Simulation} Simulation */
/** @typedef {Simulation['checks'][number]} CheckReport */
/** @typedef {Simulation['scene']['checks'][number]} SceneCheck */

const MARKS = { waiting: '·', pass: '✓', fail: '✗' }
const WORDS = { waiting: 'not yet looked at', pass: 'holds', fail: 'does not hold' }

export class CheckList {
  /** @type {Simulation | null} */
  #simulation = null
  /** @type {{ item: HTMLElement, mark: HTMLElement, word: HTMLElement, figure: HTMLElement }[]} */
  #rows = []
  #list = byId('checks', HTMLUListElement)
  #summary = byId('checks-summary', HTMLOutputElement)

  /** @param {Simulation} simulation */
  show(simulation) {
    this.#simulation = simulation
    this.#rows = simulation.scene.checks.map(({ name, description }) => {
      const mark = make('span', { className: 'mark' })
      mark.ariaHidden = 'true'
      const word = make('span', { className: 'visually-hidden' })
      const figure = make('span', { className: 'figure' })
      const title = make('span', { text: name.replaceAll('-', ' ') })
      const item = make('li', {}, mark, title, word, figure)
      item.title = description
      return { item, mark, word, figure }
    })
    this.#list.replaceChildren(...this.#rows.map(({ item }) => item))
    this.update()
  }

  update() {
    if (!this.#simulation) return
    const { scene, isDisturbed } = this.#simulation
    const reports = this.#simulation.readChecks()
    reports.forEach((report, index) => {
      const { item, mark, word, figure } = this.#rows[index]
      const verdict = verdictOf(report)
      item.className = verdict
      setText(mark, MARKS[verdict])
      setText(word, WORDS[verdict])
      setText(figure, figureOf(report, scene.checks[index]))
    })
    setText(this.#summary, isDisturbed ? 'disturbed: on hold' : summaryOf(reports))
  }
}

/** @param {CheckReport} report */
function verdictOf({ passed }) {
  if (passed === null) return 'waiting'
  return passed ? 'pass' : 'fail'
}

/**
 * @param {CheckReport} report
 * @param {SceneCheck} check
 */
function figureOf({ worst, tolerance, unit }, { from = 0 }) {
  // What has no unit is a ratio.
  const limit = `limit ${formatLimit(tolerance)} ${unit === '1' ? '' : unit}`.trimEnd()
  if (worst !== null) return `worst ${formatNumber(worst)}, ${limit}`
  return from === 0 ? limit : `${limit}, from ${formatLimit(from)} s on`
}

/** @param {CheckReport[]} reports */
function summaryOf(reports) {
  const failed = reports.filter(({ passed }) => passed === false).length
  if (failed > 0) return `${failed} of ${reports.length} fail`
  const passing = reports.filter(({ passed }) => passed === true).length
  const waiting = reports.length - passing
  return waiting === 0 ? 'all pass' : `${passing} pass, ${waiting} to come`
}
