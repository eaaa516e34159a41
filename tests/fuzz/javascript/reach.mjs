/**
 * Which public members of the package the lines of the fuzzer call: every member is found by reflection, so that one that
 * is new and that no line calls is noticed.
 */

import { flush } from './check.mjs'

/** What no line can call: it makes promises, and lines are over when they return; or it is the package's own. */
const NOT_IN_LINES = [
  ...['init', 'initSync', 'World.create', 'WorldBatch.create'],
  ...['ContactPair.take', 'ContactPair.answer'],
]

/** @typedef {Map<string, number>} Counts calls by name; `get` and `set` stand before those of properties */

/** How many members call each other at this moment. */
let depth = 0

/**
 * @param {Function} original
 * @param {string} name
 * @param {Counts} counts
 */
function counted(original, name, counts) {
  counts.set(name, counts.get(name) ?? 0)
  const wrapped = function (/** @type {any[]} */ ...values) {
    // What a member calls of another one is no line's work. A contact is seen by functions of lines alone.
    const isOfLine = depth === 0 || name.includes('ContactPair')
    if (isOfLine) counts.set(name, (counts.get(name) ?? 0) + 1)
    depth++
    try {
      // @ts-expect-error `this` is that of any class
      return original.apply(this, values)
    } finally {
      depth--
    }
  }
  return Object.defineProperty(wrapped, 'length', { value: original.length })
}

/**
 * @param {object} owner a prototype, or a class for its static members
 * @param {string} name
 * @param {Counts} counts
 */
function countMembersOf(owner, name, counts) {
  for (const [key, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    const full = `${name}.${key}`
    if (key === 'constructor' || key === 'prototype' || NOT_IN_LINES.includes(full)) continue
    if (typeof member.value === 'function') member.value = counted(member.value, full, counts)
    if (member.get) member.get = counted(member.get, `get ${full}`, counts)
    if (member.set) member.set = counted(member.set, `set ${full}`, counts)
    if (member.configurable) Object.defineProperty(owner, key, member)
  }
}

/**
 * Has a class and those that it extends counted, each of them once.
 * @param {any} prototype
 * @param {string} name
 * @param {Counts} counts
 * @param {Set<object>} done
 */
function countClass(prototype, name, counts, done) {
  for (let one = prototype; one !== Object.prototype && one !== Error.prototype;) {
    if (!done.has(one)) countMembersOf(one, name, counts)
    done.add(one)
    one = Object.getPrototypeOf(one)
  }
}

/**
 * Instances of the classes that the package does not export and gives to its users.
 * @param {any} moreau
 */
function hiddenInstances(moreau) {
  const world = new moreau.World()
  const shape = { type: 'sphere', radius: 0.5 }
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const chassis = world.createBody({ shape, position: [0, 0.4, 0] })
  const [wheel] = world.createVehicle({ chassis, wheels: [{ position: [0, 0, 0] }] }).wheels
  /** @type {any} */
  let pair
  world.contactModifier = (/** @type {any} */ given) => void (pair = given)
  world.step(1 / 60)
  world.free()
  const keeper = new moreau.World()
  flush(keeper, moreau)
  keeper.free()
  return { Wheel: wheel, ContactPair: pair }
}

/**
 * The package with all that is public counted.
 * @param {any} moreau a copy of the package of its own, whose classes are changed
 * @param {Counts} counts
 */
export function countCalls(moreau, counts) {
  const done = new Set()
  const hidden = hiddenInstances(moreau)
  /** @type {Record<string, any>} */
  const copy = { ...moreau }
  for (const [name, value] of Object.entries(copy)) {
    if (typeof value !== 'function' || NOT_IN_LINES.includes(name)) continue
    const isClass = Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
    if (isClass) {
      countClass(value.prototype, name, counts, done)
      countMembersOf(value, name, counts)
    } else {
      copy[name] = counted(value, name, counts)
    }
  }
  for (const [name, instance] of Object.entries(hidden)) {
    countClass(Object.getPrototypeOf(instance), name, counts, done)
  }
  return copy
}
