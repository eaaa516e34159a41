import { engine } from './engine.mjs'

/** @import { CallbackTarget } from './callbacks.mjs' */
/** @import { Body } from './body.mjs' */
/** @import { ConstraintBody, ConstraintFunction } from './types.mjs' */
/** @import { Quaternion, Vector } from './types.mjs' */

/** What the engine asks for; the same numbers as in exports.c. */
const PHASE = Object.freeze({ evaluate: 0, jacobian: 1, timeDerivative: 2, isActive: 3 })

// Where things are in the block of a question: time, address of the answer, A, B.
const BODY_A = 2
const BODY_NUMBERS = 16

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
 * A body at the pose that a function is asked about. One object per constraint and body, filled
 * anew for each call.
 * @implements {ConstraintBody}
 */
export class BodyView {
  /** @readonly */
  body
  position = /** @type {Vector} */ ([0, 0, 0])
  orientation = /** @type {Quaternion} */ ([0, 0, 0, 1])
  worldCenterOfMass = /** @type {Vector} */ ([0, 0, 0])
  linearVelocity = /** @type {Vector} */ ([0, 0, 0])
  angularVelocity = /** @type {Vector} */ ([0, 0, 0])

  /** @param {Body} body */
  constructor(body) {
    this.body = body
  }

  /**
   * @param {Float64Array} from
   * @param {number} at
   */
  fill(from, at) {
    copy(from, at, this.position)
    copy(from, at + 3, this.orientation)
    copy(from, at + 7, this.worldCenterOfMass)
    copy(from, at + 10, this.linearVelocity)
    copy(from, at + 13, this.angularVelocity)
  }
}

/**
 * @param {Float64Array} from
 * @param {number} at
 * @param {number[]} to
 */
function copy(from, at, to) {
  for (let i = 0; i < to.length; i++) to[i] = from[at + i]
}

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
  #bodies
  #isRunning = false
  /**
   * For calls while one is running, whose body and answer are not theirs.
   * @type {ConstraintCallbacks | undefined}
   */
  #inner

  /**
   * @param {ConstraintFunctions} functions
   * @param {readonly Body[]} bodies one or two
   * @param {number} dimension
   */
  constructor(functions, bodies, dimension) {
    this.#functions = functions
    this.#bodies = bodies
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
    if (this.#isRunning) {
      this.#inner ??= new ConstraintCallbacks(this.#functions, this.#bodies, this.#values.length)
      this.#inner.answer(phase, address)
      return
    }
    this.#isRunning = true
    try {
      this.#answer(phase, address)
    } finally {
      this.#isRunning = false
    }
  }

  /**
   * @param {number} phase
   * @param {number} address
   */
  #answer(phase, address) {
    const { f64 } = engine()
    const at = address / 8
    if (lastTime[1] !== f64[at]) lastTime[1] = f64[at]
    const time = lastTime[1]
    const answerAt = f64[at + 1] / 8
    const a = this.#a
    const b = this.#b
    a.fill(f64, at + BODY_A)
    b?.fill(f64, at + BODY_A + BODY_NUMBERS)
    const { evaluate, jacobian, timeDerivative, isActive } = this.#functions
    if (phase === PHASE.isActive) {
      const active = isActive?.(a, b, time)
      engine().f64[answerAt] = active ? 1 : 0
      return
    }
    const out = phase === PHASE.jacobian ? this.#jacobian : this.#values
    out.fill(0)
    if (phase === PHASE.evaluate) evaluate(a, b, time, out)
    else if (phase === PHASE.jacobian) jacobian?.(a, b, time, out)
    else timeDerivative?.(a, b, time, out)
    engine().f64.set(out, answerAt)
  }
}
