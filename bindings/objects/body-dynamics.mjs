import { readObject } from '../core/arguments.mjs'
import { unwritable } from '../core/describe.mjs'
import { frozenVector, writeVector } from '../core/vectors.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { BODY_ENERGY_NUMBERS, writeBodyEnergy } from '../generated/records.mjs'
import { aliveCore, BodyMotion, stateOf } from './body-motion.mjs'

/** @import { BodyEnergy, Vector, VectorOut } from '../types/index.mjs' */

// A value is written here as a whole, and given on before anything else is.
const first = new Float64Array(4)

/** What the engine computes of the motion of a body: its energy, its accelerations. A part of `Body`, and nothing by itself. */
export class BodyDynamics extends BodyMotion {
  /**
   * Its energy at this moment: of its motion, and in the world's gravity.
   * @returns {BodyEnergy} J
   */
  energy() {
    return this.readEnergy(/** @type {BodyEnergy} */ ({}))
  }

  /**
   * Writes `energy()` to what is given, and allocates nothing.
   * @template {BodyEnergy} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readEnergy(out) {
    readObject(out, 'readEnergy: out')
    const core = aliveCore(this, 'energy')
    core.check(core.engine.exports.body_get_energy(core.pointer, this.id), 'energy')
    core.engine.begin(BODY_ENERGY_NUMBERS)
    try {
      writeBodyEnergy(core.engine, out)
    } catch (error) {
      throw unwritable(error, 'readEnergy: out', 'an object', out)
    }
    return out
  }

  /**
   * The centre of mass in the world, metres.
   * @returns {Readonly<Vector>}
   */
  get worldCenterOfMass() {
    return frozenVector(this.readWorldCenterOfMass(first))
  }

  /**
   * Writes `worldCenterOfMass` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readWorldCenterOfMass(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.worldCenterOfMass,
      'readWorldCenterOfMass',
      'readWorldCenterOfMass: out',
    )
  }

  /**
   * Change of the linear velocity over the last step, divided by its dt, m/s².
   * @returns {Readonly<Vector>}
   */
  get linearAcceleration() {
    return frozenVector(this.readLinearAcceleration(first))
  }

  /**
   * Writes `linearAcceleration` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readLinearAcceleration(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.linearAcceleration,
      'readLinearAcceleration',
      'readLinearAcceleration: out',
    )
  }

  /**
   * Change of the angular velocity over the last step, divided by its dt, rad/s².
   * @returns {Readonly<Vector>}
   */
  get angularAcceleration() {
    return frozenVector(this.readAngularAcceleration(first))
  }

  /**
   * Writes `angularAcceleration` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readAngularAcceleration(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.angularAcceleration,
      'readAngularAcceleration',
      'readAngularAcceleration: out',
    )
  }

  /**
   * About the centre of mass, world, kg m²/s; 0 for static and kinematic bodies.
   * @returns {Readonly<Vector>}
   */
  get angularMomentum() {
    return frozenVector(this.readAngularMomentum(first))
  }

  /**
   * Writes `angularMomentum` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readAngularMomentum(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.angularMomentum,
      'readAngularMomentum',
      'readAngularMomentum: out',
    )
  }

  /**
   * J, of the motion of the centre of mass and of the rotation; 0 for static and kinematic bodies.
   * @returns {number}
   */
  get kineticEnergy() {
    return stateOf(this, 'kineticEnergy').at(BODY_STATE.kineticEnergy)
  }

  /**
   * @template {VectorOut} Out
   * @param {Out} out
   * @param {number} place
   * @param {string} where
   * @param {string} path
   * @returns {Out}
   */
  #readStateVector(out, place, where, path) {
    const engine = stateOf(this, where)
    return writeVector(out, engine.f64, engine.place(place), path)
  }
}
