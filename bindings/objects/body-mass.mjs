import { readPositive, readWordNumber } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList, writeList } from '../core/lists.mjs'
import { Scratch } from '../core/scratch.mjs'
import { frozenVector, readInertia, readVector, writeVector } from '../core/vectors.mjs'
import { BODY_TYPES } from '../generated/enums.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { adviseInertia } from './advice.mjs'
import { aliveCore, setNumber, stateOf } from './body-motion.mjs'
import { BodyPoints } from './body-points.mjs'

/** @import { BodyType, InertiaLike, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

const INERTIA_NUMBERS = 9

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(3)
const inertias = new Scratch(INERTIA_NUMBERS)

/** @type {(value: unknown, path: string) => number} */
const readType = (value, path) => readWordNumber(value, path, BODY_TYPES)

/** How a body resists what moves it: its type, mass and inertia. A part of `Body`, and nothing by itself. */
export class BodyMass extends BodyPoints {
  /**
   * How the body takes part: a `dynamic` body moves by forces and contacts, a `kinematic` one only by
   * its velocity, a `static` one not at all. A plane must stay static, and a dynamic body needs mass.
   * @returns {BodyType}
   */
  get type() {
    return BODY_TYPES[stateOf(this, 'type').at(BODY_STATE.type)]
  }

  /** @param {BodyType} value */
  set type(value) {
    setNumber(this, 'type', 'type', value, readType)
  }

  /**
   * kg; 0 for static and kinematic bodies, which keep what is set for when they become dynamic. Above
   * 0 to set; the inertia is scaled with it.
   * @returns {number}
   */
  get mass() {
    return stateOf(this, 'mass').at(BODY_STATE.mass)
  }

  /** @param {number} value */
  set mass(value) {
    setNumber(this, 'mass', 'mass', value, readPositive)
  }

  /**
   * Mean density in kg/m³: the mass over the volume of the shapes; 0 for static and kinematic bodies.
   * Above 0 to set, which sets the mass and scales the inertia; refused without a shape that has a
   * volume.
   * @returns {number}
   */
  get density() {
    return stateOf(this, 'density').at(BODY_STATE.density)
  }

  /** @param {number} value */
  set density(value) {
    setNumber(this, 'density', 'density', value, readPositive)
  }

  /**
   * Inertia about the centre of mass in body axes, 9 numbers by rows, kg m²; 0 for static and
   * kinematic bodies. `[Ixx, Iyy, Izz]` or 9 numbers to set, symmetric and positive definite.
   * @returns {readonly number[]}
   */
  get inertia() {
    return Object.freeze(this.readInertia([]))
  }

  /** @param {InertiaLike} value */
  set inertia(value) {
    const core = aliveCore(this, 'inertia')
    const rows = readInertia(value, 'inertia')
    core.engine.begin(rows.length)
    core.engine.putAll(rows)
    core.check(core.engine.exports.body_set_inertia(core.pointer, this.id), 'inertia')
    adviseInertia(core, /** @type {any} */ (this), 'body.inertia')
  }

  /**
   * Writes the 9 numbers of `inertia` to what is given, and allocates nothing.
   * @template {number[] | Float32Array | Float64Array} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readInertia(out) {
    const path = 'readInertia: out'
    if (!isList(out)) throw invalid(path, 'an array or a typed array of 9 or more', out)
    const engine = stateOf(this, 'readInertia')
    const numbers = inertias.take()
    for (let i = 0; i < INERTIA_NUMBERS; i++) numbers[i] = engine.at(BODY_STATE.inertia + i)
    writeList(out, numbers, INERTIA_NUMBERS, path)
    inertias.giveBack(numbers)
    return out
  }

  /**
   * The centre of mass in the body's frame, metres. Setting it leaves the inertia as it is, and the
   * motion of every point of the body.
   * @returns {Readonly<Vector>}
   */
  get centerOfMass() {
    return frozenVector(this.readCenterOfMass(first))
  }

  /** @param {VectorLike} value */
  set centerOfMass(value) {
    const core = aliveCore(this, 'centerOfMass')
    readVector(value, 'centerOfMass', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_center_of_mass(core.pointer, this.id, first[0], first[1], first[2]),
      'centerOfMass',
    )
  }

  /**
   * Writes `centerOfMass` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readCenterOfMass(out) {
    const engine = stateOf(this, 'readCenterOfMass')
    const at = engine.place(BODY_STATE.centerOfMass)
    return writeVector(out, engine.f64, at, 'readCenterOfMass: out')
  }
}
