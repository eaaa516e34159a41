import { BodyView } from './body-view.mjs'
import { engine } from '../core/engine.mjs'

/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { PotentialBody, PotentialEnergy, PotentialForce } from '../types/index.mjs' */

/** What the engine asks for; the same numbers as in abi/exports_potential.c. */
const PHASE = Object.freeze({ wrench: 0, energy: 1 })

// Where things are in the block of a question: time, id and mass of the body, the body, the answer.
const ID = 1
const MASS = 2
const BODY = 3
const ANSWER = 19

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
    const time = f64[at]
    const view = this.#view(f64[at + ID])
    view.mass = f64[at + MASS]
    view.fill(f64, at + BODY)
    const { force, torque, energy } = this.#functions
    if (phase === PHASE.energy) {
      const value = energy?.(view, time)
      engine().f64[at + ANSWER] = typeof value === 'number' ? value : NaN
      return
    }
    this.#force.fill(0)
    this.#torque.fill(0)
    force(view, time, this.#force)
    torque?.(view, time, this.#torque)
    engine().f64.set(this.#force, at + ANSWER)
    engine().f64.set(this.#torque, at + ANSWER + 3)
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
