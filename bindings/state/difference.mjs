// What differs between two states of a world, for people: which object, and which of its fields. Which bits differ is
// found by hashes; this is asked once, after they did.

/** @import { Body } from '../objects/body.mjs' */
/** @import { World } from '../objects/world.mjs' */

/**
 * One value that is not the same in two states.
 * @typedef {object} StateDifference
 * @property {'world' | 'body' | 'joint' | 'constraint' | 'potential'} kind of what it belongs to
 * @property {number} id of the body, joint, constraint or potential, as its `id`; 0 for the world
 * @property {string} field as in `world.toJSON()`, with the places within it: `linearVelocity[1]`. Besides: `exists`,
 *   `isAwake`, `contacts[0].normalImpulse` and `impulse[0]`, which steps keep for the next one, and `hidden` of the world,
 *   where nothing that can be read differs
 * @property {unknown} expected the value in the first state; undefined where it has none
 * @property {unknown} found in the second
 */

/** @typedef {Map<number, unknown>} Fields by id */
/** @typedef {{ world: unknown, body: Fields, joint: Fields, constraint: Fields, potential: Fields }} ReadState */

const OBJECTS = /** @type {const} */ (['body', 'joint', 'constraint', 'potential'])

/**
 * All of a world that can be read and on which steps depend.
 * @param {World} world
 * @returns {ReadState}
 */
export function readState(world) {
  const written = world.toJSON({ assets: false, userData: () => undefined })
  const { bodies = [], joints = [], constraints = [], potentials = [], settings } = written
  const { time, stepCount } = written
  const contacts = contactsByBody(world)
  return {
    world: { settings, time, stepCount },
    body: byId(world.bodies, bodies, (body) => ({
      isAwake: body.isAwake,
      contacts: contacts.get(body.id),
    })),
    joint: byId(world.joints, joints, (joint) => ({ impulse: [...joint.impulse()] })),
    constraint: byId(world.constraints, constraints, (one) => ({
      impulse: [...one.impulse()],
    })),
    // A world with potentials that no file can hold has fewer in the file.
    potential: byId(
      world.potentials.length === potentials.length ? world.potentials : [],
      potentials,
    ),
  }
}

/**
 * @template {{ id: number }} One
 * @param {readonly One[]} objects
 * @param {readonly object[]} rows of them, in the same order
 * @param {(one: One) => object} [rest] what steps keep of one
 * @returns {Fields}
 */
function byId(objects, rows, rest = () => ({})) {
  return new Map(objects.map((one, i) => [one.id, { ...rows[i], ...rest(one) }]))
}

/**
 * The contact points of the last step, each with the first of its bodies.
 * @param {World} world
 * @returns {Map<number, object[]>}
 */
function contactsByBody(world) {
  /** @type {Map<number, object[]>} */
  const points = new Map()
  for (const { bodyA, bodyB, ...point } of world.contactPoints()) {
    const list = points.get(bodyA.id) ?? []
    points.set(bodyA.id, list)
    list.push({ other: bodyB.id, ...point })
  }
  return points
}

/**
 * All that differs, what differs most first: of the world, then of its objects; of these what one has alone, then by
 * the size of the difference, since what went wrong in a step has gone on to other bodies in it.
 * @param {ReadState} expected
 * @param {ReadState} found
 * @returns {StateDifference[]} at least one: states are compared that have other hashes
 */
export function compareStates(expected, found) {
  /** @type {StateDifference[]} */
  const list = []
  compareValues(expected.world, found.world, '', { kind: 'world', id: 0, list })
  for (const kind of OBJECTS) compareObjects(expected[kind], found[kind], kind, list)
  if (list.length === 0) {
    list.push({ kind: 'world', id: 0, field: 'hidden', expected: undefined, found: undefined })
  }
  return list
    .map((difference, i) => ({ difference, i, size: sizeOf(difference) }))
    .sort((a, b) => (a.size === b.size ? a.i - b.i : b.size - a.size))
    .map(({ difference }) => difference)
}

/**
 * @param {Fields} expected
 * @param {Fields} found
 * @param {typeof OBJECTS[number]} kind
 * @param {StateDifference[]} list
 */
function compareObjects(expected, found, kind, list) {
  for (const id of new Set([...expected.keys(), ...found.keys()])) {
    const [a, b] = [expected.has(id), found.has(id)]
    if (a && b) compareValues(expected.get(id), found.get(id), '', { kind, id, list })
    else list.push({ kind, id, field: 'exists', expected: a, found: b })
  }
}

/**
 * @param {unknown} expected
 * @param {unknown} found
 * @param {string} field
 * @param {{ kind: StateDifference['kind'], id: number, list: StateDifference[] }} owner
 */
function compareValues(expected, found, field, owner) {
  if (Object.is(expected, found)) return
  if (!isTree(expected) || !isTree(found) || Array.isArray(expected) !== Array.isArray(found)) {
    owner.list.push({ kind: owner.kind, id: owner.id, field, expected, found })
    return
  }
  const isList = Array.isArray(expected)
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const inner = isList ? `[${key}]` : `${field && '.'}${key}`
    compareValues(expected[key], found[key], field + inner, owner)
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isTree = (value) => typeof value === 'object' && value !== null

/**
 * How much a value differs, for the order of a list: numbers by the part of the larger one, or by itself where both are
 * below one, since values near zero are noise.
 * @param {StateDifference} difference
 */
function sizeOf({ kind, field, expected, found }) {
  if (kind === 'world') return Infinity
  if (field === 'exists') return Number.MAX_VALUE
  if (typeof expected !== 'number' || typeof found !== 'number') return 1
  return Math.abs(expected - found) / Math.max(1, Math.abs(expected), Math.abs(found))
}

/**
 * A difference in words.
 * @param {StateDifference} difference
 * @returns {string} "body 7: linearVelocity[1] was 0.5 and is 0.25"
 */
export function describeDifference({ kind, id, field, expected, found }) {
  if (field === 'hidden') return 'nothing that can be read differs, but what solvers start from'
  const owner = kind === 'world' ? 'the world' : `${kind} ${id}`
  const [before, now] = [expected, found].map((value) => JSON.stringify(value) ?? 'nothing')
  return `${owner}: ${field} was ${before} and is ${now}`
}
