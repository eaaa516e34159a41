import { BodyView } from './body-view.mjs'
import { engine } from '../core/engine.mjs'
import { CONSTRAINT_PHASES } from '../generated/enums.mjs'
import * as CONSTRAINT_QUESTION from '../generated/places/constraint-question.mjs'

/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { Body } from '../objects/body.mjs' */
/** @import { ConstraintBody, ConstraintFunction } from '../types/index.mjs' */

const EVALUATE = CONSTRAINT_PHASES.indexOf('evaluate')
const JACOBIAN = CONSTRAINT_PHASES.indexOf('jacobian')
const IS_ACTIVE = CONSTRAINT_PHASES.indexOf('isActive')

// The time of the last call. A number that goes to a function that was not inlined is put into an
// object; in a list that holds other things it is in one already, which serves all calls of a time.
/** @type {[undefined, number]} */
const lastTime = [undefined, 0]

/**
 * The functions of a custom constraint.
 * @typedef {object} ConstraintFunctions
 * @property {ConstraintFunction} evaluate
 * @property {ConstraintFunction} [jacobian]
 * @property {ConstraintFunction} [timeDerivative]
 * @property {(bodyA: ConstraintBody, bodyB: ConstraintBody | null, time: number) => boolean
 *   } [isActive]
 */

/**
 * Calls the functions of one custom constraint. They write to arrays of their own: the memory of the
 * module may grow while they run.
 * @implements {CallbackTarget}
 */
export class ConstraintCallbacks {
  #functions
  #a
  #b
  #values
  #jacobian

  /**
   * @param {ConstraintFunctions} functions
   * @param {readonly Body[]} bodies one or two
   * @param {number} dimension
   */
  constructor(functions, bodies, dimension) {
    this.#functions = functions
    this.#a = new BodyView(bodies[0])
    this.#b = bodies.length > 1 ? new BodyView(bodies[1]) : null
    this.#values = new Float64Array(dimension)
    this.#jacobian = new Float64Array(dimension * 6 * bodies.length)
  }

  /**
   * @param {number} phase
   * @param {number} address
   */
  answer(phase, address) {
    const { f64 } = engine()
    const at = address / 8
    if (lastTime[1] !== f64[at + CONSTRAINT_QUESTION.time])
      lastTime[1] = f64[at + CONSTRAINT_QUESTION.time]
    const time = lastTime[1]
    const answerAt = f64[at + CONSTRAINT_QUESTION.answer] / 8
    const a = this.#a
    const b = this.#b
    a.fill(f64, at + CONSTRAINT_QUESTION.a)
    b?.fill(f64, at + CONSTRAINT_QUESTION.b)
    const { evaluate, jacobian, timeDerivative, isActive } = this.#functions
    if (phase === IS_ACTIVE) {
      const active = isActive?.(a, b, time)
      engine().f64[answerAt] = active ? 1 : 0
      return
    }
    const out = phase === JACOBIAN ? this.#jacobian : this.#values
    out.fill(0)
    if (phase === EVALUATE) evaluate(a, b, time, out)
    else if (phase === JACOBIAN) jacobian?.(a, b, time, out)
    else timeDerivative?.(a, b, time, out)
    engine().f64.set(out, answerAt)
  }
}
