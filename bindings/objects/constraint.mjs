import { access } from '../core/access.mjs'
import { invalid } from '../core/describe.mjs'
import { isList, writeList } from '../core/lists.mjs'
import { MoreauError } from '../core/errors.mjs'
import { Scratch } from '../core/scratch.mjs'
import { coordinateCount } from '../definitions/joint-drives.mjs'
import { REFERENCE_NUMBERS, takeReference } from '../definitions/joint-reference.mjs'
import {
  CONSTRAINT_DEF_NUMBERS,
  CONSTRAINT_ROW_NUMBERS,
  COORDINATE_DRIVE_NUMBERS,
  takeConstraintRow,
  takeCoordinateDrive,
} from '../generated/records.mjs'
import * as CONSTRAINT_STATE from '../generated/places/constraint-state.mjs'
import { WorldCore } from '../core/world-core.mjs'

/** @import { Body } from './body.mjs' */
/** @import { ConstraintMaking } from '../definitions/constraint-definition.mjs' */
/** @import { ConstraintRow, ConstraintSummary, ConstraintType } from '../types/index.mjs' */
/** @import { JointReference, JointType } from '../types/index.mjs' */
/** @import { Engine } from '../core/engine.mjs' */
/** @import { Joint } from './joint.mjs' */
/** @import { World } from './world.mjs' */

/** MO_CONSTRAINT_ROWS */
const MOST_ROWS = 32

/** @type {readonly Joint[]} */
const NO_JOINTS = Object.freeze([])

/** MO_CONSTRAINT_BODIES */
const MOST_BODIES = 4

const rows = new Scratch(MOST_ROWS)

/**
 * The world and the id of a living constraint.
 * @type {(constraint: Constraint, where: string) => { core: WorldCore, id: number }}
 */
export let handleOf

/**
 * What holds one body, or two bodies to each other. Made by `world.createConstraint`. It goes with
 * any of its bodies, and a gear with its joints; after that, after `destroy()`, or after the world was freed, everything but
 * `id`, `type`, `typeName`, `world`, `bodies`, `bodyA`, `bodyB`, `joints`, `userData` and `isAlive` throws
 * `stale-handle`.
 */
export class Constraint {
  #core
  #id
  #making

  /**
   * Anything; Moreau does not look at it.
   * @type {unknown}
   */
  userData

  static {
    handleOf = (constraint, where) => ({ core: constraint.#alive(where), id: constraint.#id })
    access.constraintMaking = (constraint) => ({ id: constraint.#id, making: constraint.#making })
  }

  /**
   * @param {WorldCore} core
   * @param {number} id
   * @param {ConstraintMaking} making
   */
  constructor(core, id, making) {
    if (!(core instanceof WorldCore)) {
      const message = 'constraints are made by world.createConstraint, joints by world.createJoint'
      throw new MoreauError('invalid-argument', message)
    }
    this.#core = core
    this.#id = id
    this.#making = making
    this.userData = making.userData
  }

  /**
   * Names it for good: an id never comes back, but after `world.restore`, for what is made then.
   * @returns {number}
   */
  get id() {
    return this.#id
  }

  /** @returns {World} */
  get world() {
    return this.#core.world
  }

  /** @returns {ConstraintType | JointType} */
  get type() {
    return this.#making.type
  }

  /** @returns {string} the type, or the name that a custom constraint was given */
  get typeName() {
    return this.#making.typeName
  }

  /** @returns {Body | null} null is the world */
  get bodyA() {
    return this.#making.bodyA
  }

  /** @returns {Body | null} null is the world, or no body */
  get bodyB() {
    return this.#making.bodyB
  }

  /** @returns {readonly Body[]} one or two, A first; of a gear all that its joints hold */
  get bodies() {
    return this.#making.bodies
  }

  /** @returns {readonly Joint[]} those that a gear or a rack couples, with which it goes; else none */
  get joints() {
    return this.#making.joints ?? NO_JOINTS
  }

  /** @returns {boolean} */
  get isAlive() {
    return this.#core.constraints.has(this)
  }

  /**
   * What it is, for logs: what JSON.stringify and console.log show. `world.toJSON` has all of it.
   * @returns {ConstraintSummary}
   */
  toJSON() {
    const { id, type, typeName, isAlive } = this
    const bodies = this.bodies.map((body) => body.id)
    return {
      id,
      type,
      ...(typeName !== type && { typeName }),
      bodies,
      ...(!isAlive && { isAlive }),
    }
  }

  /** @returns {number} rows */
  get dimension() {
    return this.#state('dimension', CONSTRAINT_STATE.dimension)
  }

  /** @returns {boolean} whether it held in the last step: false before the first one */
  get isActive() {
    return this.#state('isActive', CONSTRAINT_STATE.isActive) !== 0
  }

  /**
   * What the limits are for: the angle of a hinge in rad, counted over full turns; the translation of
   * a slider and the distance of a `distance` in metres. 0 for others.
   * @returns {number}
   */
  get coordinate() {
    return this.#state('coordinate', CONSTRAINT_STATE.coordinate)
  }

  /**
   * Impulses of the last step, one per row: N s, N m s for angles. Zeros before the first step and
   * where it was not active.
   * @returns {number[]}
   */
  impulse() {
    return this.readImpulse([])
  }

  /**
   * Writes `impulse()` to what is given, and allocates nothing.
   * @template {number[] | Float64Array} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readImpulse(out) {
    return this.#readImpulses('readImpulse', 1, out)
  }

  /**
   * Forces of the last step, one per row: impulses divided by its dt, N, N m for angles.
   * @returns {number[]}
   */
  force() {
    const { lastDt } = this.#core
    return this.#readImpulses('force', lastDt > 0 ? 1 / lastDt : 0, [])
  }

  /**
   * C at the present poses and time, one number per row: 0 where the constraint holds, below 0 where a
   * limit is exceeded. `unitQuaternion`: |Q|² - 1.
   * @returns {number[]} metres and radians, or what a custom constraint has
   * @throws {MoreauError} `constraint-failed`
   */
  violation() {
    return this.#ask('violation', 0)
  }

  /**
   * dC/dt at the present velocities, one number per row.
   * @returns {number[]}
   * @throws {MoreauError} `constraint-failed`
   */
  velocityViolation() {
    return this.#ask('velocityViolation', 1)
  }

  /**
   * Its rows at the present poses, as `violation()` and `reaction()` see them: J with
   * `velocityViolation() = J v + dC/dt`, and what it carried in the last step. The sum of
   * `jacobian` times `force` is the force and the torque on each body, about its centre of mass.
   * @returns {ConstraintRow[]}
   * @throws {MoreauError} `constraint-failed`
   */
  rows() {
    const core = this.#alive('rows')
    const dimension = this.#state('rows', CONSTRAINT_STATE.dimension)
    const { engine, pointer, lastDt } = core
    const count = dimension * (CONSTRAINT_ROW_NUMBERS + 6 * MOST_BODIES)
    engine.begin(count)
    core.callBack(() => engine.exports.constraint_get_rows(pointer, this.#id, dimension), 'rows')
    engine.begin(count)
    const bodies = bodiesOfRows(this)
    return Array.from({ length: dimension }, () => takeRow(engine, this.type, bodies, lastDt))
  }

  /**
   * What it keeps of the poses at which it was made: where its coordinates are 0, full turns that were
   * counted, effective masses. `createJoint` and `createConstraint` take it, so that a joint can be made
   * again where its bodies are at present.
   * @returns {JointReference}
   */
  get reference() {
    const core = this.#alive('reference')
    const rests = Array.from({ length: coordinateCount(this.type) }, (_, i) => {
      core.check(core.engine.exports.constraint_get_drive(core.pointer, this.#id, i), 'reference')
      core.engine.begin(COORDINATE_DRIVE_NUMBERS)
      return takeCoordinateDrive(core.engine).springRest
    })
    core.check(core.engine.exports.constraint_get_definition(core.pointer, this.#id), 'reference')
    core.engine.begin(CONSTRAINT_DEF_NUMBERS + REFERENCE_NUMBERS)
    core.engine.takeAll(CONSTRAINT_DEF_NUMBERS)
    return takeReference(core.engine, this.type, rests)
  }

  /** Removes it from its world. */
  destroy() {
    const core = this.#alive('destroy')
    core.begin('destroy')
    core.check(core.engine.exports.constraint_destroy(core.pointer, this.#id), 'destroy')
    core.removeConstraint(this)
  }

  /**
   * @param {string} where
   * @returns {WorldCore}
   */
  #alive(where) {
    const core = this.#core
    core.alive(where)
    if (core.constraints.has(this)) return core
    const message = `${where}: constraint '${this.typeName}' (id ${this.#id}) was destroyed`
    throw new MoreauError('stale-handle', message)
  }

  /**
   * @param {string} where
   * @param {number} place
   */
  #state(where, place) {
    const core = this.#alive(where)
    core.check(core.engine.exports.constraint_get_state(core.pointer, this.#id), where)
    return core.engine.at(place)
  }

  /**
   * @template {number[] | Float64Array} Out
   * @param {string} where
   * @param {number} factor
   * @param {Out} out
   * @returns {Out}
   */
  #readImpulses(where, factor, out) {
    const core = this.#alive(where)
    const dimension = this.#state(where, CONSTRAINT_STATE.dimension)
    if (!isList(out)) throw invalid(`${where}: out`, 'an array or a typed array', out)
    const from = (core.engine.exports.constraint_impulses(core.pointer, this.#id) >>> 0) / 8
    const { f64 } = core.engine
    const numbers = rows.take()
    for (let i = 0; i < dimension; i++) numbers[i] = factor * f64[from + i]
    writeList(out, numbers, dimension, `${where}: out`)
    rows.giveBack(numbers)
    return out
  }

  /**
   * @param {string} where
   * @param {number} isRate
   */
  #ask(where, isRate) {
    const core = this.#alive(where)
    const dimension = this.#state(where, CONSTRAINT_STATE.dimension)
    const { engine } = core
    const { pointer } = core
    core.callBack(() => engine.exports.constraint_violation(pointer, this.#id, isRate), where)
    engine.begin(MOST_ROWS)
    return engine.takeAll(dimension)
  }
}

/**
 * @param {Constraint} constraint
 * @returns {readonly (Body | null)[]} A and B; of what couples two pairs of bodies C and D too
 */
function bodiesOfRows({ type, joints, bodyA, bodyB }) {
  if (joints.length > 0) return joints.flatMap((joint) => [joint.bodyA, joint.bodyB])
  return type === 'gear' ? [null, bodyA, null, bodyB] : [bodyA, bodyB]
}

/**
 * @param {Engine} engine at a row in the shared block
 * @param {ConstraintType | JointType} type of its constraint
 * @param {readonly (Body | null)[]} bodies of its constraint
 * @param {number} dt s, of the last step
 * @returns {ConstraintRow}
 */
function takeRow(engine, type, bodies, dt) {
  const { role, coordinate, bounds, effectiveMass, impulse } = takeConstraintRow(engine)
  const numbers = engine.takeAll(6 * MOST_BODIES)
  const isOfCoordinate = role !== 'hold' && type !== 'motor'
  return {
    ...{ role, coordinate: isOfCoordinate ? coordinate : null, ...bounds },
    ...{ bodies: [...bodies], effectiveMass },
    jacobian: Float64Array.from(numbers.slice(0, 6 * bodies.length)),
    force: (dt > 0 ? 1 / dt : 0) * impulse, // to the bit that of force()
  }
}
