import { isObject } from '../core/arguments.mjs'
import { isTypedArray } from '../core/lists.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

// Read-outs that go to another thread, and come out there with the bodies and joints of that thread's world: on the way
// each of these is an object of its kind and id.

/** The property that marks such an object; no read-out has one of this name. */
export const MARK = '@reference'

/** Shapes are found again by whose they are: what names the shape, its body and its index. */
const SHAPES = /** @type {const} */ ([
  ['shapeA', 'bodyA', 'shapeIndexA'],
  ['shapeB', 'bodyB', 'shapeIndexB'],
  ['sensorShape', 'sensor', 'sensorShapeIndex'],
  ['shape', 'body', 'shapeIndex'],
])

export const TYPED = Object.freeze([
  ...['Float64Array', 'Float32Array', 'Uint32Array', 'Int32Array', 'Uint8Array'],
])

/** @param {number} id */
export const constraintReference = (id) => ({ [MARK]: 'constraint', id })
/** @param {number} id 0: none */
export const bodyReference = (id) => (id === 0 ? null : { [MARK]: 'body', id })

/**
 * What it was, in a world of the same bodies and joints.
 * @param {WorldCore} core
 * @param {any} value
 * @returns {any}
 */
export function revive(core, value) {
  if (Array.isArray(value)) return value.map((one) => revive(core, one))
  if (!isObject(value) || isTypedArray(value, TYPED)) return value
  if (MARK in value) return objectOf(core, /** @type {any} */ (value))
  const out = /** @type {Record<string, unknown>} */ ({})
  for (const [key, one] of Object.entries(value)) out[key] = revive(core, one)
  for (const [name, owner, index] of SHAPES) {
    if (name in out) out[name] = shapeOf(core, /** @type {any} */ (out), owner, index)
  }
  return out
}

/**
 * @param {WorldCore} core
 * @param {{ '@reference': string, id: number }} reference
 */
function objectOf(core, { [MARK]: kind, id }) {
  if (kind === 'body') return core.find(id) ?? core.past.body(id)
  if (kind === 'shape') return undefined
  for (const constraint of core.constraints.keys()) if (constraint.id === id) return constraint
  return undefined
}

/**
 * @param {WorldCore} core
 * @param {Record<string, any>} event
 * @param {string} owner
 * @param {string} index
 */
function shapeOf(core, event, owner, index) {
  const isOver = event.type === 'end' || event.type === 'exit'
  const body = /** @type {Body | undefined} */ (event[owner])
  return body && core.past.shapesOf(body, isOver)[event[index]]
}
