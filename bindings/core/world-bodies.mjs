import { access } from './access.mjs'
import { invalid } from './describe.mjs'
import { EngineWorld } from './engine-world.mjs'
import { MoreauError } from './errors.mjs'
import { slotOf } from './ids.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Plan } from '../state/plan.mjs' */

/** Which bodies live in a world, and in which slot. A part of `WorldCore`, and nothing by itself. */
export class WorldBodies extends EngineWorld {
  /**
   * Living bodies in the order of their creation.
   * @readonly
   * @type {Set<Body>}
   */
  living = new Set()

  /**
   * @readonly
   * @type {(Body | undefined)[]}
   */
  bySlot = []

  /**
   * `living` as users see it, made again after a change.
   * @type {readonly Body[] | undefined}
   */
  list

  // What `world.bodyIds` shows of, with room for more slots. Nothing here relies on it: it is the
  // user's to write to, and to give to another thread.
  #ids = new Float64Array(0)

  /**
   * Whether a body is alive. Not by its id, which may be that of another one after a restore.
   * @param {object} body
   * @param {number} id of it
   */
  has(body, id) {
    return this.bySlot[slotOf(id)] === body
  }

  /**
   * Throws if a body is not alive.
   * @param {object} body
   * @param {number} id of it
   * @param {string} where
   * @returns {number} its slot
   */
  slot(body, id, where) {
    this.alive(where)
    const slot = slotOf(id)
    if (this.bySlot[slot] === body) return slot
    throw new MoreauError('stale-handle', `${where}: body ${id} was destroyed`)
  }

  /**
   * The living body with an id.
   * @param {number} id
   * @returns {Body | undefined}
   */
  find(id) {
    const body = this.bySlot[slotOf(id)]
    return body !== undefined && body.id === id ? body : undefined
  }

  /**
   * An argument of the user that has to be a living body of this world.
   * @param {unknown} value
   * @param {string} path
   * @param {string} expected in words
   * @returns {Body}
   */
  own(value, path, expected = 'a body of this world') {
    if (!access.isBody(value)) throw invalid(path, expected, value)
    if (value.world !== this.world) {
      throw new MoreauError('invalid-argument', `${path}: body ${value.id} is of another world`)
    }
    this.slot(value, value.id, path)
    return value
  }

  /**
   * The id of the body in each slot, 0 where it is free.
   * @returns {ArrayBuffer} of at least `slotCount` doubles
   */
  get ids() {
    // Also where the last one went to another thread.
    if (this.#ids.length < this.slotCount) {
      this.#ids = new Float64Array(2 * this.slotCount)
      for (const body of this.living) this.#ids[body.index] = body.id
    }
    return this.#ids.buffer
  }

  /** @param {Body} body a new one */
  placeBody(body) {
    this.living.add(body)
    this.bySlot[body.index] = body
    this.#ids[body.index] = body.id // nothing happens where there is no room
    this.list = undefined
  }

  /** @param {Body} body one that is gone */
  displaceBody(body) {
    this.living.delete(body)
    this.bySlot[body.index] = undefined
    this.#ids[body.index] = 0
    this.list = undefined
  }

  /** @param {Plan} plan who lives here from now on */
  replaceBodies(plan) {
    this.living.clear()
    this.bySlot.length = 0
    this.#ids = new Float64Array(0)
    for (const { body, shapes } of plan.bodies.values()) {
      access.setShapes(body, shapes)
      this.living.add(body)
      this.bySlot[body.index] = body
    }
    this.list = undefined
  }
}
