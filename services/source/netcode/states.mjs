/**
 * Where bodies are and how they move, in whole numbers: what an authoritative room sends. An entity is a player's body, by the player's number,
 * or one of the scene's bodies, behind these. Of each there are 13 numbers: position, orientation, velocity, angular velocity.
 */
import { ByteReader, ByteWriter, MalformedMessage } from './bytes.mjs'

/** @import { World } from 'moreau' */
/** @import { RoomSimulation } from './simulation.mjs' */
/** @typedef {import('moreau').Body} Body */

/** Numbers per entity, and where they begin. */
export const FIELDS = 13
const [ORIENTATION, VELOCITY, SPIN] = [3, 7, 10]
/** Players of an authoritative room at most: their entities come first. */
export const MOST_PLAYERS = 16
/** Steps of a quantity per unit: 1 mm, 1/8192 of a quaternion, 4 mm/s, 0.004 rad/s. */
const SCALES = Object.freeze([
  ...Array(ORIENTATION).fill(1024),
  ...Array(VELOCITY - ORIENTATION).fill(8192),
  ...Array(FIELDS - VELOCITY).fill(256),
])
/** Numbers are clamped to what 32 bits hold with room for differences. */
const MOST = 2 ** 30

/** @param {RoomSimulation} simulation @returns {number[]} ids of the scene's moving bodies, in their order */
export function sceneBodies({ world, members }) {
  const players = new Set([...members.values()].map(({ body }) => body))
  return world.bodies
    .filter(({ id, type }) => type === 'dynamic' && !players.has(id))
    .map(({ id }) => id)
}

/** @param {RoomSimulation} simulation @param {readonly number[]} scene ids of its bodies @returns {Int32Array} */
export function quantise({ world, members }, scene) {
  const states = new Int32Array((MOST_PLAYERS + scene.length) * FIELDS)
  for (const [player, { body }] of members) write(states, player, world, body)
  scene.forEach((body, i) => write(states, MOST_PLAYERS + i, world, body))
  return states
}

/** @param {Int32Array} states @param {number} entity @param {World} world @param {number} id */
function write(states, entity, world, id) {
  const body = world.bodyById(id)
  if (!body) return
  const { transforms64, velocities } = world
  const [pose, motion] = [8 * body.index, 8 * body.index]
  const start = entity * FIELDS
  for (let i = 0; i < 3; i++) {
    put(states, start, i, transforms64[pose + i])
    put(states, start, VELOCITY + i, velocities[motion + i])
    put(states, start, SPIN + i, velocities[motion + 4 + i])
  }
  for (let i = 0; i < 4; i++) put(states, start, ORIENTATION + i, transforms64[pose + 4 + i])
}

/** @param {Int32Array} states @param {number} start @param {number} field @param {number} value */
function put(states, start, field, value) {
  states[start + field] = Math.max(-MOST, Math.min(MOST, Math.round(SCALES[field] * value)))
}

/** @param {Int32Array} states @param {number} entity @returns {boolean} whether it is there: an orientation is never 0 */
export function isPresent(states, entity) {
  const start = entity * FIELDS + ORIENTATION
  return states.subarray(start, start + 4).some((x) => x !== 0)
}

/** @param {Int32Array} states @param {number} entity @returns {number[]} 13 numbers in SI units, the quaternion normalised */
export function valuesOf(states, entity) {
  const values = SCALES.map((scale, i) => states[entity * FIELDS + i] / scale)
  const length = Math.hypot(...values.slice(ORIENTATION, VELOCITY)) || 1
  for (let i = ORIENTATION; i < VELOCITY; i++) values[i] /= length
  return values
}

/** @param {Body} body @param {number[]} values as `valuesOf` gives them */
export function placeBody(body, values) {
  body.position = [values[0], values[1], values[2]]
  body.orientation = [values[3], values[4], values[5], values[6]]
  body.linearVelocity = [values[7], values[8], values[9]]
  body.angularVelocity = [values[10], values[11], values[12]]
}

/** @param {Int32Array} a @param {Int32Array} b @param {number} entity @returns {number} the largest difference, in steps */
export function difference(a, b, entity) {
  let largest = 0
  for (let i = entity * FIELDS; i < (entity + 1) * FIELDS; i++)
    largest = Math.max(largest, Math.abs(a[i] - b[i]))
  return largest
}

/**
 * The difference of some entities between two states, as bytes: of each which fields differ, and by how much.
 * @param {Int32Array} before
 * @param {Int32Array} after
 * @param {readonly number[]} entities in rising order
 * @returns {Uint8Array}
 */
export function encodeChanges(before, after, entities) {
  const writer = new ByteWriter()
  writer.count(entities.length)
  let next = 0
  for (const entity of entities) {
    writer.count(entity - next)
    writeChange(writer, before, after, entity * FIELDS)
    next = entity + 1
  }
  return writer.finish()
}

/** @param {ByteWriter} writer @param {Int32Array} before @param {Int32Array} after @param {number} start */
function writeChange(writer, before, after, start) {
  let mask = 0
  for (let i = 0; i < FIELDS; i++) if (before[start + i] !== after[start + i]) mask |= 1 << i
  writer.count(mask)
  for (let i = 0; i < FIELDS; i++) {
    if (mask & (1 << i)) writer.signed(after[start + i] - before[start + i])
  }
}

/**
 * @param {Int32Array} before is changed
 * @param {Uint8Array} bytes
 * @returns {number[]} the entities that changed
 */
export function applyChanges(before, bytes) {
  const reader = new ByteReader(bytes)
  const entities = []
  let next = 0
  for (let left = reader.count(); left > 0; left--) {
    const entity = next + reader.count()
    if ((entity + 1) * FIELDS > before.length)
      throw new MalformedMessage(`there is no entity ${entity}`)
    readChange(reader, before, entity * FIELDS)
    entities.push(entity)
    next = entity + 1
  }
  reader.end()
  return entities
}

/** @param {ByteReader} reader @param {Int32Array} states @param {number} start */
function readChange(reader, states, start) {
  const mask = reader.count()
  for (let i = 0; i < FIELDS; i++) if (mask & (1 << i)) states[start + i] += reader.signed()
}

/** FNV-1a with 32 bits (Fowler, Noll, Vo), from two beginnings. */
const [OFFSET, OTHER_OFFSET, PRIME] = [0x811c9dc5, 0x1b873593, 0x01000193]

/** @param {Int32Array} states @returns {string} 16 hexadecimal digits */
export function hashStates(states) {
  return [OFFSET, OTHER_OFFSET].map((offset) => hashFrom(states, offset)).join('')
}

/** @param {Int32Array} states @param {number} offset */
function hashFrom(states, offset) {
  let hash = offset
  for (const value of states) {
    for (let shift = 0; shift < 32; shift += 8)
      hash = Math.imul(hash ^ ((value >>> shift) & 255), PRIME)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
