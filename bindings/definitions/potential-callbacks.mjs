import { BodyView } from './body-view.mjs'
import { engine } from '../core/engine.mjs'
import { POTENTIAL_PHASES } from '../generated/enums.mjs'
import * as POTENTIAL_BODY from '../generated/places/potential-body.mjs'
import * as POTENTIAL_QUESTION from '../generated/places/potential-question.mjs'
import * as WRENCH from '../generated/places/wrench.mjs'
import { POTENTIAL_QUESTION_NUMBERS } from '../generated/records.mjs'

/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { PotentialBody, PotentialEnergy, PotentialForce } from '../types/index.mjs' */

const ENERGY = POTENTIAL_PHASES.indexOf('energy')

// Where things are in the block of a question.
const ID = POTENTIAL_QUESTION.body + POTENTIAL_BODY.id
const MASS = POTENTIAL_QUESTION.body + POTENTIAL_BODY.mass
const BODY = POTENTIAL_QUESTION.body + POTENTIAL_BODY.position
const ANSWER = POTENTIAL_QUESTION_NUMBERS

/**
 * The functions of a custom potential.
 * @typedef {object} PotentialFunctions
 * @property {PotentialForce} force
 * @property {PotentialForce} [torque]
 * @property {PotentialEnergy} [energy]
 */

/** @implements {PotentialBody} */
class PotentialBodyView extends BodyView {
  mass = 0
}

/**
 * Calls the functions of one custom potential. They write to arrays of their own: the memory of the
 * module may grow while they run.
 * @implements {CallbackTarget}
 */
export class PotentialCallbacks {
  #core
  #functions
  /** @type {WeakMap<object, PotentialBodyView>} */
  #bodies = new WeakMap()
  #force = new Float64Array(3)
  #torque = new Float64Array(3)

  /**
   * @param {WorldCore} core
   * @param {PotentialFunctions} functions
   */
  constructor(core, functions) {
    this.#core = core
    this.#functions = functions
  }

  /**
   * @param {number} phase
   * @param {number} address
   */
  answer(phase, address) {
    const { f64 } = engine()
    const at = address / 8
    const time = f64[at + POTENTIAL_QUESTION.time]
    const view = this.#view(f64[at + ID])
    view.mass = f64[at + MASS]
    view.fill(f64, at + BODY)
    const { force, torque, energy } = this.#functions
    if (phase === ENERGY) {
      const value = energy?.(view, time)
      engine().f64[at + ANSWER] = typeof value === 'number' ? value : NaN
      return
    }
    this.#force.fill(0)
    this.#torque.fill(0)
    force(view, time, this.#force)
    torque?.(view, time, this.#torque)
    engine().f64.set(this.#force, at + ANSWER + WRENCH.force)
    engine().f64.set(this.#torque, at + ANSWER + WRENCH.torque)
  }

  /** @param {number} id */
  #view(id) {
    const body = this.#core.find(id)
    // The engine asks about living bodies.
    if (body === undefined) throw new TypeError(`no body ${id}`)
    let view = this.#bodies.get(body)
    if (view === undefined) {
      view = new PotentialBodyView(body)
      this.#bodies.set(body, view)
    }
    return view
  }
}
