import { MoreauError } from '../index.mjs'
import { warnOnce } from '../rapier/index.mjs'

/** @import { RapierWorld } from '../rapier/index.mjs' */

/** `world.integrationParameters`: what Rapier's solver is told, as far as there is something like it. */
export class IntegrationParameters {
  #world

  /** @internal @param {RapierWorld} world */
  constructor(world) {
    this.#world = world
  }

  /** Seconds of a step. @returns {number} */
  get dt() {
    return this.#world.timestep
  }

  set dt(value) {
    this.#world.timestep = value
  }

  /** Substeps of each step. @returns {number} */
  get numSolverIterations() {
    return this.#world.numSolverIterations
  }

  set numSolverIterations(value) {
    this.#world.numSolverIterations = value
  }

  /** Has no equal. @returns {number} */
  get numInternalPgsIterations() {
    return 1
  }

  set numInternalPgsIterations(_value) {
    warnOnce('numInternalPgsIterations', 'there are substeps alone: raise numSolverIterations')
  }

  /** Has no equal. @returns {number} */
  get maxCcdSubsteps() {
    return 1
  }

  set maxCcdSubsteps(_value) {
    warnOnce('maxCcdSubsteps', 'bodies with ccd go to their impacts without a number of substeps')
  }

  /** Units in a metre. @returns {number} */
  get lengthUnit() {
    return 1
  }

  set lengthUnit(value) {
    if (value === 1) return
    const message = `integrationParameters.lengthUnit must be 1, got ${value}: Moreau counts in metres; for bodies of other sizes set world.raw.linearSlop, 0.005 of a usual size`
    throw new MoreauError('not-supported', message)
  }
}
