import { readFraction, readNonNegative } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { KIND } from '../core/callbacks.mjs'
import { inspectable } from '../core/inspect.mjs'
import { frozenVector, toVector, writeVector } from '../core/vectors.mjs'
import * as CONTACT_PAIR from '../generated/places/contact-pair.mjs'
import { CONTACT_PAIR_NUMBERS } from '../generated/records.mjs'
import { shapeAt } from './shape-parts.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Shape } from './shape.mjs' */
/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { ContactFilter, ContactModifier, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

/** Doubles per point, and how many points there is room for (bindings/abi/exports_contact.c). */
const POINT_NUMBERS = 4
const MOST_POINTS = 4
const ANSWER = CONTACT_PAIR_NUMBERS + POINT_NUMBERS * MOST_POINTS

/**
 * Two shapes that may touch in the step, as the functions of a world for contacts see and change
 * them. It is the functions' own while they run: the next contact is the same object again, so that
 * a thousand contacts leave no garbage. `normal`, `points` and `surfaceVelocity` are made where they
 * are read; `readNormal`, `readPosition`, `separation` and `readSurfaceVelocity` make nothing.
 */
export class ContactPair {
  #core
  // What the engine says of the pair, and changes to it.
  #numbers = new Float64Array(ANSWER)
  /** @type {Body | undefined} */
  #bodyA
  /** @type {Body | undefined} */
  #bodyB
  #removed = 0

  /**
   * @internal
   * @param {WorldCore} core
   */
  constructor(core) {
    this.#core = core
  }

  /**
   * Becomes the pair that the engine asks for.
   * @internal
   * @param {Float64Array} f64
   * @param {number} start
   */
  take(f64, start) {
    const numbers = this.#numbers
    for (let i = 0; i < ANSWER; i++) numbers[i] = f64[start + i]
    this.#bodyA = this.#core.find(numbers[CONTACT_PAIR.bodyA])
    this.#bodyB = this.#core.find(numbers[CONTACT_PAIR.bodyB])
    this.#removed = 0
  }

  /**
   * That was created first.
   * @returns {Body}
   */
  get bodyA() {
    return /** @type {Body} */ (this.#bodyA)
  }

  /** @returns {Body} */
  get bodyB() {
    return /** @type {Body} */ (this.#bodyB)
  }

  /** @returns {number} */
  get shapeIndexA() {
    return this.#numbers[CONTACT_PAIR.shapeA]
  }

  /** @returns {number} */
  get shapeIndexB() {
    return this.#numbers[CONTACT_PAIR.shapeB]
  }

  /** @returns {Shape} */
  get shapeA() {
    return shapeAt(this.bodyA.shapes, this.shapeIndexA)
  }

  /** @returns {Shape} */
  get shapeB() {
    return shapeAt(this.bodyB.shapes, this.shapeIndexB)
  }

  /**
   * Unit, from A to B.
   * @returns {Readonly<Vector>}
   */
  get normal() {
    return frozenVector(this.readNormal([0, 0, 0]))
  }

  /**
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readNormal(out) {
    return writeVector(out, this.#numbers, CONTACT_PAIR.normal, 'readNormal: out')
  }

  /**
   * How many points there are, 0 to 4.
   * @returns {number}
   */
  get pointCount() {
    return this.#numbers[CONTACT_PAIR.pointCount]
  }

  /**
   * Where the shapes may be pushed: metres, world, and the separation in metres, below 0 where they
   * overlap.
   * @returns {{ position: Vector, separation: number }[]}
   */
  get points() {
    return Array.from({ length: this.pointCount }, (_, index) => ({
      position: this.readPosition(index, [0, 0, 0]),
      separation: this.separation(index),
    }))
  }

  /**
   * Where a point is, metres, world.
   * @template {VectorOut} Out
   * @param {number} index of the point
   * @param {Out} out
   * @returns {Out} `out`
   */
  readPosition(index, out) {
    return writeVector(
      out,
      this.#numbers,
      this.#placeOf(index, 'readPosition'),
      'readPosition: out',
    )
  }

  /**
   * The separation at a point, metres, below 0 where the shapes overlap.
   * @param {number} index of the point
   * @returns {number}
   */
  separation(index) {
    return this.#numbers[this.#placeOf(index, 'separation') + 3]
  }

  /**
   * @param {number} index
   * @param {string} where
   */
  #placeOf(index, where) {
    if (!Number.isInteger(index) || index < 0 || index >= this.pointCount) {
      throw invalid(`${where}: index`, 'that of a point', index)
    }
    return CONTACT_PAIR_NUMBERS + POINT_NUMBERS * index
  }

  /**
   * Coulomb coefficient of this contact in this step, 0 or more.
   * @returns {number}
   */
  get friction() {
    return this.#numbers[CONTACT_PAIR.friction]
  }

  /** @param {number} value */
  set friction(value) {
    this.#numbers[CONTACT_PAIR.friction] = readNonNegative(value, 'contact: friction')
  }

  /**
   * Restitution of this contact in this step, 0 to 1.
   * @returns {number}
   */
  get restitution() {
    return this.#numbers[CONTACT_PAIR.restitution]
  }

  /** @param {number} value */
  set restitution(value) {
    this.#numbers[CONTACT_PAIR.restitution] = readFraction(value, 'contact: restitution')
  }

  /**
   * Velocity of the surface of B against that of A in this step, besides the motion of the bodies: m/s, world. Friction
   * acts against the slip that it makes, so that a surface carries what lies on it. It begins as the
   * `surfaceVelocity` of both bodies make it.
   * @returns {Readonly<Vector>}
   */
  get surfaceVelocity() {
    return frozenVector(this.readSurfaceVelocity([0, 0, 0]))
  }

  /** @param {VectorLike} value */
  set surfaceVelocity(value) {
    this.#numbers.set(toVector(value, 'contact: surfaceVelocity'), CONTACT_PAIR.surfaceVelocity)
  }

  /**
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readSurfaceVelocity(out) {
    const at = CONTACT_PAIR.surfaceVelocity
    return writeVector(out, this.#numbers, at, 'readSurfaceVelocity: out')
  }

  /**
   * Has nothing be pushed at a point in this step.
   * @param {number} index in `points`
   */
  removePoint(index) {
    this.#placeOf(index, 'removePoint')
    this.#removed |= 1 << index
  }

  /**
   * What the engine is to make of it.
   * @internal
   * @param {Float64Array} f64
   * @param {number} start
   * @param {boolean} isRefused
   */
  answer(f64, start, isRefused) {
    // Friction, restitution and surface velocity lie side by side.
    for (let i = CONTACT_PAIR.friction; i < CONTACT_PAIR.pointCount; i++) {
      f64[start + i] = this.#numbers[i]
    }
    f64[start + ANSWER] = Number(isRefused)
    f64[start + ANSWER + 1] = this.#removed
  }
}

inspectable(ContactPair, 'ContactPair', (pair) => ({
  ...{ idA: pair.bodyA.id, idB: pair.bodyB.id, normal: pair.normal, points: pair.points },
  ...{ friction: pair.friction, restitution: pair.restitution },
}))

/**
 * The filter and the modifier of a world.
 * @implements {CallbackTarget}
 */
export class ContactFunctions {
  #core
  #pair
  /** @type {ContactFilter | null} */
  filter = null
  /** @type {ContactModifier | null} */
  modifier = null
  /** @type {number | undefined} */
  #handle

  /** @param {WorldCore} core */
  constructor(core) {
    this.#core = core
    this.#pair = new ContactPair(core)
  }

  /**
   * @param {'filter' | 'modifier'} name
   * @param {unknown} value
   * @param {string} where
   */
  set(name, value, where) {
    const core = this.#core
    if (value !== null && typeof value !== 'function')
      throw invalid(where, 'a function or null', value)
    const other = name === 'filter' ? this.modifier : this.filter
    const isOn = Number(value !== null || other !== null)
    this.#handle ??= core.callbacks.add(KIND.contact, () => this)
    const { exports } = core.engine
    core.check(
      exports.world_set_contact_function(core.pointerFor(where), this.#handle, isOn),
      where,
    )
    if (name === 'filter') this.filter = /** @type {ContactFilter | null} */ (value)
    else this.modifier = /** @type {ContactModifier | null} */ (value)
  }

  /**
   * @param {number} phase
   * @param {number} address
   */
  answer(phase, address) {
    const start = address / 8
    const pair = this.#pair
    pair.take(this.#core.engine.f64, start)
    const isKept = this.filter === null || readAnswer(this.filter(pair))
    if (isKept) this.modifier?.(pair)
    // The memory may have grown while they ran.
    pair.answer(this.#core.engine.f64, start, !isKept)
  }
}

/** @param {unknown} answer */
function readAnswer(answer) {
  if (typeof answer === 'boolean') return answer
  throw invalid('contactFilter: its answer', 'true or false', answer)
}
