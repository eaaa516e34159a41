/**
 * Energy, residual and the other numbers of the running scene.
 */
import { hasSubsteps } from '../../scenarios/solver-choices.mjs'
import { byId, Facts, make } from './dom.mjs'
import { formatNumber } from './format.mjs'
import { Plot } from './plot.mjs'

/** @typedef {import('./simulation.mjs').Simulation} Simulation */

/** m/s: below this a residual is round-off; zero has no place on a logarithmic axis. */
const LEAST_RESIDUAL = 1e-13
/** ms between two looks at the residual, which costs about as much as a step. */
const RESIDUAL_INTERVAL = 50
/** Share of the newest frame in running means. */
const SMOOTHING = 0.08

export class ReadOuts {
  #energy = new Plot(
    byId('energy-plot', HTMLElement),
    [
      { label: 'kinetic', color: '--kinetic' },
      { label: 'potential', color: '--potential' },
      { label: 'total', color: '--total' },
    ],
    { title: 'Kinetic, potential and total energy over time' },
  )
  #residual = new Plot(
    byId('residual-plot', HTMLElement),
    [
      { label: 'worst', color: '--residual' },
      { label: 'tolerance', color: '--tolerance' },
    ],
    { title: 'Worst violation of the contact laws over time', isLogarithmic: true },
  )
  #facts = new Facts(byId('state', HTMLElement))
  #legend = byId('legend', HTMLElement)
  /** @type {Simulation | null} */
  #simulation = null
  /** Filled anew by each look at the world. */
  #energyNow = { kinetic: 0, potential: 0, total: 0 }
  #residualNow = /** @type {import('moreau').Residual} */ ({})
  #statsNow = /** @type {import('moreau').Stats} */ ({})
  #lastResidual = 0
  /** ms, running mean */
  #stepTime = 0
  /** Running means of frames: s of real time, s simulated. */
  #realTime = 0
  #simulatedTime = 0

  applyTheme() {
    this.#energy.applyTheme()
    this.#residual.applyTheme()
  }

  /** @param {Simulation} simulation that is looked at from now on */
  show(simulation) {
    this.#simulation = simulation
    this.#stepTime = 0
    this.#lastResidual = 0
    this.#realTime = 0
    this.#simulatedTime = 0
    this.#energy.clear()
    this.#residual.clear()
  }

  /**
   * Notes how long a frame took and how much it simulated.
   *
   * @param {number} real s
   * @param {number} simulated s
   */
  countFrame(real, simulated) {
    this.#realTime += (real - this.#realTime) * SMOOTHING
    this.#simulatedTime += (simulated - this.#simulatedTime) * SMOOTHING
  }

  /** Adds the present state to the plots. */
  sample() {
    if (!this.#simulation) return
    const { world, stepTime } = this.#simulation
    this.#stepTime =
      this.#stepTime === 0 ? stepTime : this.#stepTime + (stepTime - this.#stepTime) * SMOOTHING
    const { kinetic, potential, total } = world.readEnergy(this.#energyNow)
    this.#energy.add(world.time, kinetic, potential, total)
    const now = performance.now()
    if (now - this.#lastResidual < RESIDUAL_INTERVAL) return
    this.#lastResidual = now
    const worst = Math.max(world.readResidual(this.#residualNow).worst, LEAST_RESIDUAL)
    // Substeps promise no tolerance
    this.#residual.add(world.time, worst, hasSubsteps(world.solver) ? NaN : world.tolerance)
  }

  /**
   * Shows the plots up to a time that is past.
   *
   * @param {number} time s
   */
  goTo(time) {
    this.#energy.goTo(time)
    this.#residual.goTo(time)
  }

  /** @param {number} largestForce N, 0 if none is shown */
  draw(largestForce) {
    const simulation = this.#simulation
    if (!simulation) return
    this.#energy.draw()
    this.#residual.draw()
    const { world } = simulation
    const { bodies, contactPoints, maxPenetration } = world.readStats(this.#statsNow)
    const facts = this.#facts
    facts.set('bodies', String(bodies))
    facts.set('contact points', String(contactPoints))
    facts.set('step time', `${this.#stepTime.toFixed(2)} ms`)
    facts.set('speed', this.#speedText(simulation))
    facts.set('solver', world.solver)
    this.#showSolution(world.solver)
    facts.set('deepest overlap', `${formatNumber(1000 * maxPenetration)} mm`)
    facts.set('steps', String(world.stepCount))
    facts.set('hash', world.hash(), 'mono')
    this.#showLegend(largestForce)
  }

  /**
   * How the last step was solved, from the stats just read.
   *
   * @param {import('../../scenarios/scene.mjs').SolverName} solver
   */
  #showSolution(solver) {
    const { status, iterations, factorisations, islands, missedIslands } = this.#statsNow
    // Substeps are as many as were asked for: that is no limit at which somebody gave up
    const end = status === 'none' || hasSubsteps(solver) ? '' : STATUS[status]
    const facts = this.#facts
    facts.set('iterations', status === 'none' ? 'nothing to solve' : `${iterations}${end}`)
    facts.set('factorisations', String(factorisations))
    facts.set('islands', missedIslands === 0 ? `${islands}` : `${islands}, ${missedIslands} missed`)
  }

  /** @param {Simulation} simulation */
  #speedText({ late, speed }) {
    if (this.#realTime === 0) return '–'
    const factor = this.#simulatedTime / this.#realTime
    const text = `${factor.toFixed(2)}× real time`
    return late && factor < 0.9 * speed ? `${text}, too slow` : text
  }

  /** @param {number} largestForce */
  #showLegend(largestForce) {
    this.#legend.hidden = largestForce === 0
    if (largestForce === 0) return
    const mark = make('i', { style: 'color: var(--stage-force)' })
    const text = `largest force ${formatNumber(largestForce)} N`
    this.#legend.replaceChildren(make('span', {}, mark, new Text(text)))
  }
}

const STATUS = { converged: '', budget: ', the budget', stalled: ', stalled' }
