import { readBoolean, readNonNegative, readNumber, readWordNumber } from '../core/arguments.mjs'
import { defaults, readLock } from '../definitions/body-definition.mjs'
import { readFilter } from '../definitions/filter.mjs'
import { SOLVERS } from '../generated/enums.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import { BODY_BOUNDS_NUMBERS, takeBodyBounds } from '../generated/records.mjs'
import { aliveCore, setNumber, stateOf } from './body-motion.mjs'
import { BodySurface } from './body-surface.mjs'

/** @import { Filter, SolverName, Vector } from '../types/index.mjs' */
/** @import { BodyPoints } from './body-points.mjs' */

/** @type {(value: unknown, path: string) => number} */
const readSwitch = (value, path) => Number(readBoolean(value, path))

/**
 * How a body takes part in the world. A part of `Body`, and nothing by itself.
 */
export class BodyProperties extends BodySurface {
  // --- damping and solver -----------------------------------------------------------------------

  /**
   * 1/s, 0 or more: the linear velocity falls by this part per second.
   * @returns {number}
   */
  get linearDamping() {
    return stateOf(this, 'linearDamping').at(BODY_STATE.linearDamping)
  }

  /** @param {number} value */
  set linearDamping(value) {
    setNumber(this, 'linearDamping', 'linear_damping', value, readNonNegative)
  }

  /**
   * 1/s, 0 or more: the angular velocity falls by this part per second.
   * @returns {number}
   */
  get angularDamping() {
    return stateOf(this, 'angularDamping').at(BODY_STATE.angularDamping)
  }

  /** @param {number} value */
  set angularDamping(value) {
    setNumber(this, 'angularDamping', 'angular_damping', value, readNonNegative)
  }

  /**
   * Factor on the world's gravity, any finite number.
   * @returns {number}
   */
  get gravityScale() {
    return stateOf(this, 'gravityScale').at(BODY_STATE.gravityScale)
  }

  /** @param {number} value */
  set gravityScale(value) {
    setNumber(this, 'gravityScale', 'gravity_scale', value, readNumber)
  }

  /**
   * The solver that the body asks for; undefined: the world's. The most exact one that a body of an
   * island asks for solves the island.
   * @returns {SolverName | undefined}
   */
  get solver() {
    const engine = stateOf(this, 'solver')
    return engine.at(BODY_STATE.hasSolver) === 0 ? undefined : SOLVERS[engine.at(BODY_STATE.solver)]
  }

  /** @param {SolverName | undefined} value */
  set solver(value) {
    const core = aliveCore(this, 'solver')
    const number = value === undefined ? -1 : readWordNumber(value, 'solver', SOLVERS)
    core.check(core.engine.exports.body_set_solver(core.pointer, this.id, number), 'solver')
  }

  // --- collision and sleep ----------------------------------------------------------------------

  /**
   * Which bodies this one collides with. Setting it takes the defaults for what is left out, and
   * counts from the next step on.
   * @returns {Readonly<Required<Filter>>}
   */
  get filter() {
    const engine = stateOf(this, 'filter')
    return Object.freeze({
      category: engine.at(BODY_STATE.filter),
      mask: engine.at(BODY_STATE.filter + 1),
      group: engine.at(BODY_STATE.filter + 2),
    })
  }

  /** @param {Filter} value */
  set filter(value) {
    const core = aliveCore(this, 'filter')
    const [category, mask, group] = readFilter(value, 'filter', defaults().filter)
    core.check(
      core.engine.exports.body_set_filter(core.pointer, this.id, category, mask, group),
      'filter',
    )
  }

  /**
   * Whether the body takes part in the world. One that is not enabled keeps its place, its velocities,
   * shapes and joints. It does not move, nothing touches it and no query finds it, and its joints and
   * potentials have no effect on other bodies. What rested on it or was joined to it wakes. A change
   * gives up forces that wait for the next step, and the move to a target.
   * @returns {boolean}
   */
  get isEnabled() {
    return stateOf(this, 'isEnabled').at(BODY_STATE.isEnabled) !== 0
  }

  /** @param {boolean} value */
  set isEnabled(value) {
    setNumber(this, 'isEnabled', 'enabled', value, readSwitch)
  }

  /**
   * The smallest box along the axes of the world that holds the shapes of the body, sensors included,
   * metres. It is infinite for a plane, and the position for a body without shapes.
   * @returns {{ readonly min: Readonly<Vector>, readonly max: Readonly<Vector> }}
   */
  get bounds() {
    const core = aliveCore(this, 'bounds')
    const { engine } = core
    core.check(engine.exports.body_get_bounds(core.pointer, this.id), 'bounds')
    engine.begin(BODY_BOUNDS_NUMBERS)
    const { lower, upper } = takeBodyBounds(engine)
    return Object.freeze({ min: Object.freeze(lower), max: Object.freeze(upper) })
  }

  /**
   * Whether the body, when it is fast, stops at moving bodies too and does not pass them in a step.
   * At static ones every body does.
   * @returns {boolean}
   */
  get bullet() {
    return stateOf(this, 'bullet').at(BODY_STATE.bullet) !== 0
  }

  /** @param {boolean} value */
  set bullet(value) {
    setNumber(this, 'bullet', 'bullet', value, readSwitch)
  }

  /**
   * Whether all of its shapes are sensors, which touch nothing and report what they overlap
   * (`sensorEvents`); to set, of all of them.
   * @returns {boolean}
   */
  get sensor() {
    return stateOf(this, 'sensor').at(BODY_STATE.sensor) !== 0
  }

  /** @param {boolean} value */
  set sensor(value) {
    setNumber(this, 'sensor', 'sensor', value, readSwitch)
  }

  /**
   * Whether the body may fall asleep; with false it stays awake, and all that it touches.
   * @returns {boolean}
   */
  get allowSleep() {
    return stateOf(this, 'allowSleep').at(BODY_STATE.allowSleep) !== 0
  }

  /** @param {boolean} value */
  set allowSleep(value) {
    setNumber(this, 'allowSleep', 'allow_sleep', value, readSwitch)
  }

  /**
   * Whether the body takes part in steps: it is neither static nor asleep.
   * @returns {boolean}
   */
  get isAwake() {
    return stateOf(this, 'isAwake').at(BODY_STATE.isAwake) !== 0
  }

  // --- locks ------------------------------------------------------------------------------------

  /**
   * Axes of the world along which the centre of mass cannot move, while the body is dynamic. true or
   * three booleans to set; a velocity along them is taken at once. `soft-step` leaves such a body, and
   * what touches it, to `block-pgs`.
   * @returns {readonly [boolean, boolean, boolean]}
   */
  get lockTranslation() {
    return locksOf(stateOf(this, 'lockTranslation').at(BODY_STATE.lockTranslation))
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockTranslation(value) {
    const engine = stateOf(this, 'lockTranslation')
    const rotation = engine.at(BODY_STATE.lockRotation)
    setLocks(this, 'lockTranslation', readLock(value, 'lockTranslation'), rotation)
  }

  /**
   * Axes of the world about which the body cannot turn, while it is dynamic. true or three booleans to
   * set; what it turns about them is taken at once.
   * @returns {readonly [boolean, boolean, boolean]}
   */
  get lockRotation() {
    return locksOf(stateOf(this, 'lockRotation').at(BODY_STATE.lockRotation))
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockRotation(value) {
    const engine = stateOf(this, 'lockRotation')
    const translation = engine.at(BODY_STATE.lockTranslation)
    setLocks(this, 'lockRotation', translation, readLock(value, 'lockRotation'))
  }
}

/**
 * @param {number} bits
 * @returns {readonly [boolean, boolean, boolean]}
 */
function locksOf(bits) {
  return Object.freeze([(bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0])
}

/**
 * @param {BodyPoints} body
 * @param {string} where
 * @param {number} translation
 * @param {number} rotation
 */
function setLocks(body, where, translation, rotation) {
  const core = aliveCore(body, where)
  const { exports } = core.engine
  core.check(exports.body_set_locks(core.pointer, body.id, translation, rotation), where)
}
