import { readFraction, readNonNegative } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { KIND } from '../core/callbacks.mjs'
import { toVector } from '../core/vectors.mjs'
import * as CONTACT_PAIR from '../generated/places/contact-pair.mjs'
import { CONTACT_PAIR_NUMBERS } from '../generated/records.mjs'
import { shapeAt } from './shape.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Shape } from './shape.mjs' */
/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { ContactFilter, ContactModifier, Vector, VectorLike } from '../types/index.mjs' */

/** Doubles per point, and how many points there is room for (bindings/abi/exports_contact.c). */
const POINT_NUMBERS = 4
const MOST_POINTS = 4
const ANSWER = CONTACT_PAIR_NUMBERS + POINT_NUMBERS * MOST_POINTS

/**
 * Two shapes that may touch in the step, as the functions of a world for contacts see and change
 * them. It is the functions' own while they run; the next contact is another object.
 */
export class ContactPair {
  /**
   * That was created first.
   * @readonly
   * @type {Body}
   */
  bodyA

  /**
   * @readonly
   * @type {Body}
   */
  bodyB

  /** @readonly */
  shapeIndexA

  /** @readonly */
  shapeIndexB

  /**
   * Unit, from A to B.
   * @readonly
   * @type {Vector}
   */
  normal

  /**
   * Where the shapes may be pushed: metres, world, and the separation in metres, below 0 where they
   * overlap.
   * @readonly
   * @type {{ position: Vector, separation: number }[]}
   */
  points = []

  #friction
  #restitution
  /** @type {Vector} */
  #surfaceVelocity
  #removed = 0

  /**
   * @internal
   * @param {WorldCore} core
   * @param {Float64Array} f64
   * @param {number} start
   */
  constructor(core, f64, start) {
    const at = (/** @type {number} */ place) => f64[start + place]
    const vector = (/** @type {number} */ place) =>
      /** @type {Vector} */ ([at(place), at(place + 1), at(place + 2)])
    this.bodyA = /** @type {Body} */ (core.find(at(CONTACT_PAIR.bodyA)))
    this.bodyB = /** @type {Body} */ (core.find(at(CONTACT_PAIR.bodyB)))
    this.shapeIndexA = at(CONTACT_PAIR.shapeA)
    this.shapeIndexB = at(CONTACT_PAIR.shapeB)
    this.normal = vector(CONTACT_PAIR.normal)
    this.#friction = at(CONTACT_PAIR.friction)
    this.#restitution = at(CONTACT_PAIR.restitution)
    this.#surfaceVelocity = vector(CONTACT_PAIR.surfaceVelocity)
    for (let i = 0; i < at(CONTACT_PAIR.pointCount); i++) {
      const place = CONTACT_PAIR_NUMBERS + POINT_NUMBERS * i
      this.points.push({ position: vector(place), separation: at(place + 3) })
    }
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
   * Coulomb coefficient of this contact in this step, 0 or more.
   * @returns {number}
   */
  get friction() {
    return this.#friction
  }

  /** @param {number} value */
  set friction(value) {
    this.#friction = readNonNegative(value, 'contact: friction')
  }

  /**
   * Restitution of this contact in this step, 0 to 1.
   * @returns {number}
   */
  get restitution() {
    return this.#restitution
  }

  /** @param {number} value */
  set restitution(value) {
    this.#restitution = readFraction(value, 'contact: restitution')
  }

  /**
   * Velocity of the surface of B against that of A in this step, besides the motion of the bodies: m/s, world. Friction
   * acts against the slip that it makes, so that a surface carries what lies on it. It begins as the
   * `surfaceVelocity` of both bodies make it.
   * @returns {Vector}
   */
  get surfaceVelocity() {
    const [x, y, z] = this.#surfaceVelocity
    return [x, y, z]
  }

  /** @param {VectorLike} value */
  set surfaceVelocity(value) {
    this.#surfaceVelocity = toVector(value, 'contact: surfaceVelocity')
  }

  /**
   * Has nothing be pushed at a point in this step.
   * @param {number} index in `points`
   */
  removePoint(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.points.length) {
      throw invalid('removePoint: index', 'that of a point', index)
    }
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
    f64[start + CONTACT_PAIR.friction] = this.#friction
    f64[start + CONTACT_PAIR.restitution] = this.#restitution
    f64.set(this.#surfaceVelocity, start + CONTACT_PAIR.surfaceVelocity)
    f64[start + ANSWER] = Number(isRefused)
    f64[start + ANSWER + 1] = this.#removed
  }
}

/**
 * The filter and the modifier of a world.
 * @implements {CallbackTarget}
 */
export class ContactFunctions {
  #core
  /** @type {ContactFilter | null} */
  filter = null
  /** @type {ContactModifier | null} */
  modifier = null
  /** @type {number | undefined} */
  #handle

  /** @param {WorldCore} core */
  constructor(core) {
    this.#core = core
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
    const pair = new ContactPair(this.#core, this.#core.engine.f64, start)
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
