/**
 * The checks of the scene and how they stand.
 */
import { isMadeFor } from '../../scenarios/solver-choices.mjs'
import { byId, make, setText } from './dom.mjs'
import { formatLimit, formatNumber } from './format.mjs'

/** @typedef {import('./simulation.mjs').Simulation} Simulation */
/** @typedef {ReturnType<Simulation['readChecks']>[number]} CheckReport */
/** @typedef {import('../../scenarios/scene.mjs').SolverName} SolverName */
/** @typedef {Simulation['scene']} Scene */

const MARKS = { waiting: '·', pass: '✓', fail: '✗' }
const WORDS = { waiting: 'not yet looked at', pass: 'holds', fail: 'does not hold' }

export class CheckList {
  /** @type {Simulation | null} */
  #simulation = null
  /** @type {{ item: HTMLElement, mark: HTMLElement, word: HTMLElement, figure: HTMLElement }[]} */
  #rows = []
  #list = byId('checks', HTMLUListElement)
  #summary = byId('checks-summary', HTMLOutputElement)
  #note = byId('checks-note', HTMLElement)

  /**
   * @param {Simulation} simulation
   * @param {SolverName} [refused] solver that was chosen elsewhere and is not used here
   */
  show(simulation, refused) {
    this.#simulation = simulation
    this.#rows = simulation.readChecks().map(({ name, description }) => {
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
    const note = noteOf(simulation, refused)
    this.#note.hidden = note === ''
    setText(this.#note, note)
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
      setText(figure, figureOf(report, scene))
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
 * What there is to say about the checks as a whole.
 *
 * @param {Simulation} simulation
 * @param {SolverName} [refused]
 */
function noteOf({ scene, world }, refused) {
  if (scene.checks.length === 0) {
    return 'This file has no checks. The plots and the state below tell how it goes.'
  }
  const made = `The checks of this scene are made for ${inWords(scene.solvers)}`
  if (refused !== undefined) {
    return `${made}. You chose ${refused} elsewhere; here ${world.solver} runs instead.`
  }
  if (isMadeFor(scene, world.solver)) return ''
  return `${made}. They may fail with ${world.solver}, which you chose.`
}

/** @param {readonly string[]} names @returns {string} */
function inWords(names) {
  if (names.length < 2) return names.join()
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/**
 * @param {CheckReport} report
 * @param {Scene} scene
 */
function figureOf({ name, worst, tolerance, unit }, scene) {
  const { from = 0 } = scene.checks.find((check) => check.name === name) ?? {}
  // What has no unit is a ratio.
  const limit = `limit ${formatLimit(tolerance)} ${unit === '1' ? '' : unit}`.trimEnd()
  if (worst !== null) return `worst ${formatNumber(worst)}, ${limit}`
  return from === 0 ? limit : `${limit}, from ${formatLimit(from)} s on`
}

/** @param {CheckReport[]} reports */
function summaryOf(reports) {
  if (reports.length === 0) return 'none'
  const failed = reports.filter(({ passed }) => passed === false).length
  if (failed > 0) return `${failed} of ${reports.length} fail`
  const passing = reports.filter(({ passed }) => passed === true).length
  const waiting = reports.length - passing
  return waiting === 0 ? 'all pass' : `${passing} pass, ${waiting} to come`
}
