import { readObject } from '../core/arguments.mjs'
import { unwritable } from '../core/describe.mjs'
import { frozenVector, readDirection, writeVector } from '../core/vectors.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { BODY_ENERGY_NUMBERS, writeBodyEnergy } from '../generated/records.mjs'
import { aliveCore, BodyMotion, stateOf } from './body-motion.mjs'

/** @import { BodyEnergy, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

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
   * The change of the linear velocity per impulse, along all axes that are not locked; 0 for static and kinematic bodies.
   * @returns {number} 1/kg
   */
  get inverseMass() {
    return this.#inverse('inverseMass')[0]
  }

  /**
   * The change of the angular velocity per angular impulse about the centre of mass, along the axes of the world, at the present
   * orientation and with locked rotations taken out; zeros for static and kinematic bodies.
   * @returns {readonly number[]} 9 numbers by rows, 1/(kg m²)
   */
  get inverseInertia() {
    return Object.freeze(this.#inverse('inverseInertia').slice(1))
  }

  /**
   * The support point of the body: a point of its shapes, sensors included, that is furthest in a direction. Of several shapes it is
   * that of their convex hull; of a body without shapes its position.
   * @param {VectorLike} direction in the world, of any length but 0
   * @returns {Vector} metres, in the world
   * @throws {MoreauError} `not-supported` for planes, meshes and height fields
   */
  support(direction) {
    const core = aliveCore(this, 'support')
    const [x, y, z] = readDirection(direction, 'support: direction')
    core.check(core.engine.exports.body_support(core.pointer, this.id, x, y, z), 'support')
    core.engine.begin(3)
    return core.engine.takeVector()
  }

  /** @param {string} where */
  #inverse(where) {
    const core = aliveCore(this, where)
    core.check(core.engine.exports.body_get_inverse_mass(core.pointer, this.id), where)
    core.engine.begin(10)
    return core.engine.takeAll(10)
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
