import { RapierWorld, refuse, triple } from '../rapier/index.mjs'
import { IntegrationParameters } from './integration-parameters.mjs'

/** @import { VectorInput } from '../rapier/index.mjs' */

/** A world as `new RAPIER.World(gravity)` gives it. Moreau's own `World` is its `raw`. */
export class World extends RapierWorld {
  /** @readonly */
  integrationParameters = new IntegrationParameters(this)

  /** @param {VectorInput} gravity m/s² */
  constructor(gravity) {
    super({ gravity: triple(gravity) })
  }

  /** @returns {number} */
  get lengthUnit() {
    return this.integrationParameters.lengthUnit
  }

  set lengthUnit(value) {
    this.integrationParameters.lengthUnit = value
  }

  /** @returns {number} */
  get numInternalPgsIterations() {
    return this.integrationParameters.numInternalPgsIterations
  }

  set numInternalPgsIterations(value) {
    this.integrationParameters.numInternalPgsIterations = value
  }

  /** @returns {number} */
  get maxCcdSubsteps() {
    return this.integrationParameters.maxCcdSubsteps
  }

  set maxCcdSubsteps(value) {
    this.integrationParameters.maxCcdSubsteps = value
  }
}

refuse(World, 'World', {
  restoreSnapshot: 'world.raw.restore(bytes) of the world that the bytes are of',
})
