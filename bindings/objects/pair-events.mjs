import { isFloat64Array } from '../core/lists.mjs'
import { invalid } from '../core/describe.mjs'
import { idAt } from '../core/ids.mjs'
import * as CONTACT_EVENT from '../generated/places/contact-event.mjs'
import * as CONTACT_POINT from '../generated/places/contact-point.mjs'
import * as SENSOR_EVENT from '../generated/places/sensor-event.mjs'

/** @import { Body } from './body.mjs' */
/** @import { ContactEvent, ContactEvents, ContactEventType } from '../types/index.mjs' */
/** @import { SensorEvent, SensorEvents, Vector } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

// Events of pairs of shapes, read from the engine's structs.

/** The types of contact events, in the order of their bits. */
const CONTACT_TYPES = /** @type {const} */ (['begin', 'end', 'hit', 'force'])

/** Doubles per event and per point in the engine. */
const EVENT_STRIDE = CONTACT_EVENT.BYTES / 8
const POINT_STRIDE = CONTACT_POINT.BYTES / 8

/**
 * How `world.readContactEvents` writes an event: `stride` numbers each, and where in them each field
 * begins.
 *
 * `types`: a sum of 1 for begin, 2 for end, 4 for hit and 8 for force; `idA`, `idB`: ids of the bodies;
 * `shapeA`, `shapeB`: indices in their `shapes`; `position`: x y z, metres, world; `normal`: x y z, unit,
 * from A to B; `approachSpeed`: m/s; `impulse`: N s; `force`: N; `tangentImpulse`: x y z, N s, on B.
 * Behind an end only ids and shapes have meaning.
 */
export const CONTACT_EVENT_LAYOUT = Object.freeze({
  ...{ stride: 17, types: 0, idA: 1, idB: 2, shapeA: 3, shapeB: 4 },
  ...{ position: 5, normal: 8, approachSpeed: 11, impulse: 12, force: 13, tangentImpulse: 14 },
})

/**
 * How `world.readSensorEvents` writes an event: `isInside` is 1 for what came in, 0 for what left;
 * `sensorId`, `bodyId`: ids of the bodies; `sensorShape`, `shape`: indices in their `shapes`.
 */
export const SENSOR_EVENT_LAYOUT = Object.freeze({
  ...{ stride: 5, isInside: 0, sensorId: 1, bodyId: 2, sensorShape: 3, shape: 4 },
})

/**
 * A body of an event, which may have been destroyed since the last step.
 * @param {WorldCore} core
 * @param {number} id
 * @returns {Body}
 */
function bodyOf(core, id) {
  return /** @type {Body} */ (core.find(id) ?? core.past.body(id))
}

/**
 * @param {Float64Array} f64
 * @param {number} at
 * @returns {Vector}
 */
function vectorAt(f64, at) {
  return [f64[at], f64[at + 1], f64[at + 2]]
}

// --- contacts -------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {number} first
 * @param {number} count
 */
function pointsOf(core, first, count) {
  const { f64, exports } = core.engine
  const start = (exports.world_contact_event_points(core.pointer) >>> 0) / 8
  const points = []
  for (let i = 0; i < count; i++) {
    const at = start + (first + i) * POINT_STRIDE
    points.push({
      position: vectorAt(f64, at + CONTACT_POINT.position),
      normal: vectorAt(f64, at + CONTACT_POINT.normal),
      separation: f64[at + CONTACT_POINT.separation],
      normalImpulse: f64[at + CONTACT_POINT.normalImpulse],
      tangentImpulse: vectorAt(f64, at + CONTACT_POINT.tangentImpulse),
    })
  }
  return points
}

/**
 * @param {WorldCore} core
 * @param {number} start of the event, in doubles
 * @param {ContactEventType} type
 * @returns {ContactEvent}
 */
function contactEvent(core, start, type) {
  const { f64, u32 } = core.engine
  const words = 2 * start
  const idA = idAt(u32, words + CONTACT_EVENT.bodyA)
  const idB = idAt(u32, words + CONTACT_EVENT.bodyB)
  const bodyA = bodyOf(core, idA)
  const bodyB = bodyOf(core, idB)
  const isOver = type === 'end'
  const shapeIndexA = u32[words + CONTACT_EVENT.shapeA]
  const shapeIndexB = u32[words + CONTACT_EVENT.shapeB]
  const first = u32[words + CONTACT_EVENT.firstPoint]
  return {
    ...{ type, bodyA, bodyB, idA, idB, shapeIndexA, shapeIndexB },
    shapeA: core.past.shapesOf(bodyA, isOver)[shapeIndexA],
    shapeB: core.past.shapesOf(bodyB, isOver)[shapeIndexB],
    position: vectorAt(f64, start + CONTACT_EVENT.position),
    normal: vectorAt(f64, start + CONTACT_EVENT.normal),
    approachSpeed: f64[start + CONTACT_EVENT.approachSpeed],
    impulse: f64[start + CONTACT_EVENT.impulse],
    force: f64[start + CONTACT_EVENT.force],
    tangentImpulse: vectorAt(f64, start + CONTACT_EVENT.tangentImpulse),
    points: pointsOf(core, first, u32[words + CONTACT_EVENT.pointCount]),
  }
}

/**
 * Contact events of the last step, one object for each type of each.
 * @param {WorldCore} core
 * @returns {ContactEvent[]}
 */
export function listContactEvents(core) {
  const { exports, u32 } = core.engine
  const count = exports.world_contact_event_count(core.pointer)
  const start = (exports.world_contact_events(core.pointer) >>> 0) / 8
  /** @type {ContactEvent[]} */
  const events = []
  for (let i = 0; i < count; i++) {
    const at = start + i * EVENT_STRIDE
    const types = u32[2 * at + CONTACT_EVENT.types]
    CONTACT_TYPES.forEach((type, bit) => {
      if ((types >> bit) & 1) events.push(contactEvent(core, at, type))
    })
  }
  return events
}

/**
 * @param {WorldCore} core
 * @returns {ContactEvents}
 */
export function contactEvents(core) {
  core.alive('contactEvents')
  core.watches.poll('contact')
  /** @type {ContactEvents} */
  const events = { begin: [], end: [], hit: [], force: [] }
  for (const event of listContactEvents(core)) events[event.type].push(event)
  return events
}

/**
 * @param {unknown} out
 * @param {string} where
 * @param {number} stride
 * @returns {Float64Array}
 */
export function readOut(out, where, stride) {
  if (isFloat64Array(out)) return out
  const what = `a Float64Array with room for ${stride} numbers per event`
  throw invalid(`${where}: out`, what, out)
}

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @returns {number} how many there are
 */
export function readContactEvents(core, value) {
  const { stride, ...at } = CONTACT_EVENT_LAYOUT
  const out = readOut(value, 'readContactEvents', stride)
  core.alive('readContactEvents')
  core.watches.poll('contact')
  const { exports, f64, u32 } = core.engine
  const count = exports.world_contact_event_count(core.pointer)
  const start = (exports.world_contact_events(core.pointer) >>> 0) / 8
  for (let i = 0; i < count && (i + 1) * stride <= out.length; i++) {
    const from = start + i * EVENT_STRIDE
    const to = i * stride
    out[to + at.types] = u32[2 * from + CONTACT_EVENT.types]
    out[to + at.idA] = idAt(u32, 2 * from + CONTACT_EVENT.bodyA)
    out[to + at.idB] = idAt(u32, 2 * from + CONTACT_EVENT.bodyB)
    out[to + at.shapeA] = u32[2 * from + CONTACT_EVENT.shapeA]
    out[to + at.shapeB] = u32[2 * from + CONTACT_EVENT.shapeB]
    // Positions to tangent impulses lie in the same order on both sides.
    for (let k = at.position; k < stride; k++) {
      out[to + k] = f64[from + CONTACT_EVENT.position + k - at.position]
    }
  }
  return count
}

// --- sensors --------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @returns {SensorEvent[]}
 */
export function listSensorEvents(core) {
  const { exports, u32 } = core.engine
  const count = exports.world_sensor_event_count(core.pointer)
  const start = (exports.world_sensor_events(core.pointer) >>> 0) / 4
  /** @type {SensorEvent[]} */
  const events = []
  for (let i = 0; i < count; i++) {
    const at = start + (i * SENSOR_EVENT.BYTES) / 4
    // A flag is one byte; the others there mean nothing.
    const isInside = (u32[at + SENSOR_EVENT.isInside] & 0xff) !== 0
    const sensorId = idAt(u32, at + SENSOR_EVENT.sensorBody)
    const bodyId = idAt(u32, at + SENSOR_EVENT.body)
    const sensor = bodyOf(core, sensorId)
    const body = bodyOf(core, bodyId)
    const sensorShapeIndex = u32[at + SENSOR_EVENT.sensorShape]
    const shapeIndex = u32[at + SENSOR_EVENT.shape]
    events.push({
      type: isInside ? 'enter' : 'exit',
      ...{ sensor, body, sensorId, bodyId, sensorShapeIndex, shapeIndex },
      sensorShape: core.past.shapesOf(sensor, !isInside)[sensorShapeIndex],
      shape: core.past.shapesOf(body, !isInside)[shapeIndex],
    })
  }
  return events
}

/**
 * @param {WorldCore} core
 * @returns {SensorEvents}
 */
export function sensorEvents(core) {
  core.alive('sensorEvents')
  core.watches.poll('sensor')
  /** @type {SensorEvents} */
  const events = { enter: [], exit: [] }
  for (const event of listSensorEvents(core)) events[event.type].push(event)
  return events
}

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @returns {number} how many there are
 */
export function readSensorEvents(core, value) {
  const { stride, ...at } = SENSOR_EVENT_LAYOUT
  const out = readOut(value, 'readSensorEvents', stride)
  core.alive('readSensorEvents')
  core.watches.poll('sensor')
  const { exports, u32 } = core.engine
  const count = exports.world_sensor_event_count(core.pointer)
  const start = (exports.world_sensor_events(core.pointer) >>> 0) / 4
  for (let i = 0; i < count && (i + 1) * stride <= out.length; i++) {
    const from = start + (i * SENSOR_EVENT.BYTES) / 4
    const to = i * stride
    out[to + at.isInside] = Number((u32[from + SENSOR_EVENT.isInside] & 0xff) !== 0)
    out[to + at.sensorId] = idAt(u32, from + SENSOR_EVENT.sensorBody)
    out[to + at.bodyId] = idAt(u32, from + SENSOR_EVENT.body)
    out[to + at.sensorShape] = u32[from + SENSOR_EVENT.sensorShape]
    out[to + at.shape] = u32[from + SENSOR_EVENT.shape]
  }
  return count
}
