import { readObject } from '../core/arguments.mjs'
import { unwritable } from '../core/describe.mjs'
import { writeVector } from '../core/vectors.mjs'
import * as QUERY_HIT from '../generated/places/query-hit.mjs'
import { bodyOfHit, HIT_STRIDE, hitCount, hitsAt, shapeOfHit } from './query-question.mjs'
import { shapeAt } from './shape-parts.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Shape } from './shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { CharacterContact } from '../types/index.mjs' */

/** MO_CHARACTER_CONTACTS */
const MOST_TOUCHES = 8

/** Numbers of one that goes to another thread: body, index of the shape, position, normal. */
const STRIDE = 8
/** Numbers of all of them, and how many there are. */
export const TOUCHES_NUMBERS = 1 + STRIDE * MOST_TOUCHES

/**
 * What a move met: the engine keeps that of the last move of all characters only, and bodies change their shapes. As
 * objects it is made where somebody asks for it.
 */
export class Touches {
  count = 0
  /** @type {Body[]} */
  #bodies = []
  // The lists that the bodies had: a body that changes its shapes has another list.
  /** @type {(readonly Shape[])[]} */
  #shapes = []
  #indices = new Uint32Array(MOST_TOUCHES)
  // Of each its position and normal.
  #places = new Float64Array(6 * MOST_TOUCHES)

  /** It was put elsewhere, where it has met nothing. */
  clear() {
    this.count = 0
  }

  /**
   * Takes what the engine has found.
   * @param {WorldCore} core
   */
  take(core) {
    const { f64 } = core.engine
    const start = hitsAt(core)
    this.count = hitCount(core)
    for (let i = 0; i < this.count; i++) {
      const at = start + i * HIT_STRIDE
      const body = bodyOfHit(core, at)
      this.#bodies[i] = body
      this.#shapes[i] = body.shapes
      this.#indices[i] = shapeOfHit(core, at)
      for (let k = 0; k < 3; k++) {
        this.#places[6 * i + k] = f64[at + QUERY_HIT.position + k]
        this.#places[6 * i + 3 + k] = f64[at + QUERY_HIT.normal + k]
      }
    }
  }

  /**
   * Writes what `takeFrom` reads.
   * @param {Float64Array} list
   * @param {number} start
   */
  put(list, start) {
    list[start] = this.count
    for (let i = 0; i < this.count; i++) {
      const at = start + 1 + STRIDE * i
      list[at] = this.#bodies[i].id
      list[at + 1] = this.#indices[i]
      for (let k = 0; k < 6; k++) list[at + 2 + k] = this.#places[6 * i + k]
    }
  }

  /**
   * Takes what a world elsewhere has found, but for bodies that are gone here.
   * @param {WorldCore} core
   * @param {Float64Array} list
   * @param {number} start
   */
  takeFrom(core, list, start) {
    this.count = 0
    for (let i = 0; i < list[start]; i++) {
      const at = start + 1 + STRIDE * i
      const body = core.find(list[at])
      if (body === undefined) continue
      const to = this.count++
      this.#bodies[to] = body
      this.#shapes[to] = body.shapes
      this.#indices[to] = list[at + 1]
      for (let k = 0; k < 6; k++) this.#places[6 * to + k] = list[at + 2 + k]
    }
  }

  /**
   * @param {unknown[]} out whose objects are written to; missing ones are made
   * @returns {CharacterContact[]} `out`
   */
  read(out) {
    for (let i = 0; i < this.count; i++) {
      const path = `readContacts: out[${i}]`
      const given = readObject((out[i] ??= {}), path)
      const contact = /** @type {CharacterContact} */ (/** @type {unknown} */ (given))
      try {
        contact.body = this.#bodies[i]
        contact.shape = shapeAt(this.#shapes[i], this.#indices[i])
        contact.shapeIndex = this.#indices[i]
        writeVector((contact.position ??= [0, 0, 0]), this.#places, 6 * i, `${path}.position`)
        writeVector((contact.normal ??= [0, 0, 0]), this.#places, 6 * i + 3, `${path}.normal`)
      } catch (error) {
        throw unwritable(error, path, 'an object', out[i])
      }
    }
    return /** @type {CharacterContact[]} */ (out)
  }
}
