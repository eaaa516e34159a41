import { outOfMemory } from '../core/engine.mjs'
import { idAt } from '../core/ids.mjs'
import * as CONTACT_POINT from '../generated/places/contact-point.mjs'

/** @import { BodyContact, ContactPoint, Vector } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Doubles per point in the engine. */
const STRIDE = CONTACT_POINT.BYTES / 8

/**
 * How `world.readContactPoints` writes a contact point: `stride` numbers per point, and where in them
 * each field begins. Point `i` has its position at `i * stride + position` and the two after it.
 *
 * `idA`, `idB`: ids of the bodies; `position`: x y z, metres, world; `normal`: x y z, unit, from A to
 * B; `separation`: metres; `normalImpulse`: N s; `tangentImpulse`: x y z, N s, on B.
 */
export const CONTACT_POINT_LAYOUT = Object.freeze({
  stride: 13,
  idA: 0,
  idB: 1,
  position: 2,
  normal: 5,
  separation: 8,
  normalImpulse: 9,
  tangentImpulse: 10,
})

/**
 * Has the engine list the contact points of the last step.
 * @param {WorldCore} core
 * @param {string} where
 * @returns {number} how many there are
 */
function listContacts(core, where) {
  const count = core.engine.exports.world_contact_points(core.pointer) >>> 0
  // UINT32_MAX
  if (count === 0xffffffff) throw outOfMemory(where, CONTACT_POINT.BYTES)
  return count
}

/**
 * @param {WorldCore} core
 * @returns {number} the first point, as an index into the engine's doubles
 */
function start(core) {
  return (core.engine.exports.contact_points_address() >>> 0) / 8
}

/**
 * @param {Float64Array} f64
 * @param {number} at
 * @param {number} sign
 * @returns {Vector}
 */
function vectorAt(f64, at, sign = 1) {
  return [sign * f64[at], sign * f64[at + 1], sign * f64[at + 2]]
}

/**
 * @param {WorldCore} core
 * @param {number} id
 */
function bodyOf(core, id) {
  return /** @type {import('./body.mjs').Body} */ (core.find(id))
}

/**
 * @param {WorldCore} core
 * @returns {ContactPoint[]}
 */
export function contactPoints(core) {
  const count = listContacts(core, 'contactPoints')
  const { f64, u32 } = core.engine
  // Contacts come from a step, so this is above 0 where there are any.
  const perSecond = 1 / core.lastDt
  /** @type {ContactPoint[]} */
  const points = []
  for (let i = 0, at = start(core); i < count; i++, at += STRIDE) {
    const tangentImpulse = vectorAt(f64, at + CONTACT_POINT.tangentImpulse)
    points.push({
      bodyA: bodyOf(core, idAt(u32, 2 * at + CONTACT_POINT.bodyA)),
      bodyB: bodyOf(core, idAt(u32, 2 * at + CONTACT_POINT.bodyB)),
      position: vectorAt(f64, at + CONTACT_POINT.position),
      normal: vectorAt(f64, at + CONTACT_POINT.normal),
      separation: f64[at + CONTACT_POINT.separation],
      normalImpulse: f64[at + CONTACT_POINT.normalImpulse],
      tangentImpulse,
      normalForce: f64[at + CONTACT_POINT.normalImpulse] * perSecond,
      tangentForce: vectorAt(f64, at + CONTACT_POINT.tangentImpulse, perSecond),
    })
  }
  return points
}

/**
 * @param {WorldCore} core
 * @param {Float64Array} out
 * @returns {number} how many points there are
 */
export function readContactPoints(core, out) {
  const count = listContacts(core, 'readContactPoints')
  const { f64, u32 } = core.engine
  const { stride, idA, idB, position } = CONTACT_POINT_LAYOUT
  const fitting = Math.min(count, Math.floor(out.length / stride))
  const from = start(core)
  for (let i = 0; i < fitting; i++) {
    const at = from + i * STRIDE
    const to = i * stride
    out[to + idA] = idAt(u32, 2 * at + CONTACT_POINT.bodyA)
    out[to + idB] = idAt(u32, 2 * at + CONTACT_POINT.bodyB)
    // From the position on in the same order as in the engine.
    for (let k = 0; k < stride - position; k++) {
      out[to + position + k] = f64[at + CONTACT_POINT.position + k]
    }
  }
  return count
}

/**
 * The contacts of one body, seen from it.
 * @param {WorldCore} core
 * @param {number} id
 * @returns {BodyContact[]}
 */
export function contactsOf(core, id) {
  const count = listContacts(core, 'contacts')
  const { f64, u32 } = core.engine
  /** @type {Map<number, BodyContact>} */
  const byOther = new Map()
  for (let i = 0, at = start(core); i < count; i++, at += STRIDE) {
    const a = idAt(u32, 2 * at + CONTACT_POINT.bodyA)
    const b = idAt(u32, 2 * at + CONTACT_POINT.bodyB)
    if (a !== id && b !== id) continue
    const otherId = a === id ? b : a
    // The engine's normal points from A to B and its impulse acts on B.
    const sign = a === id ? 1 : -1
    let contact = byOther.get(otherId)
    if (contact === undefined) {
      contact = { other: bodyOf(core, otherId), points: [] }
      byOther.set(otherId, contact)
    }
    contact.points.push({
      position: vectorAt(f64, at + CONTACT_POINT.position),
      normal: vectorAt(f64, at + CONTACT_POINT.normal, sign),
      separation: f64[at + CONTACT_POINT.separation],
      normalImpulse: f64[at + CONTACT_POINT.normalImpulse],
      tangentImpulse: vectorAt(f64, at + CONTACT_POINT.tangentImpulse, sign),
    })
  }
  return [...byOther.values()]
}
