import { readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { idAt } from '../core/ids.mjs'
import * as SLEEP_EVENT from '../generated/places/sleep-event.mjs'
import { listContactEvents, listSensorEvents, readOut } from './pair-events.mjs'
import { islands } from './solver-report.mjs'

/** @import { Body } from './body.mjs' */
/** @import { ContactEvent, JointEvent, SensorEvent } from '../types/index.mjs' */
/** @import { SleepEvents, SolverEvent, WorldEvents } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Those of a world and of a body that may be listened to. */
export const WORLD_NAMES = Object.freeze(['contact', 'sensor', 'joint', 'sleep', 'solver'])
export const BODY_NAMES = Object.freeze(['contact', 'sensor', 'joint', 'sleep'])

/**
 * Islands that the last step did not solve as asked for, and pairs that it did not look at.
 * @param {WorldCore} core
 * @returns {SolverEvent[]}
 */
export function solverEvents(core) {
  const { exports } = core.engine
  const pointer = core.pointerFor('solverEvents')
  const pairs = exports.world_refused_pairs(pointer) >>> 0
  const refused = pairs === 0 ? [] : [{ type: /** @type {const} */ ('refused-pairs'), pairs }]
  if (exports.world_missed_islands(pointer) === 0) return refused
  const missed = islands(core).flatMap((island) =>
    island.event === null ? [] : [{ type: island.event, island }],
  )
  return [...missed, ...refused]
}

/**
 * How `world.readSleepEvents` writes an event: `isAwake` is 1 for who woke, 0 for who fell asleep; `bodyId`: the id of the
 * body.
 */
export const SLEEP_EVENT_LAYOUT = Object.freeze({ stride: 2, isAwake: 0, bodyId: 1 })

/**
 * Who fell asleep and who woke, but for bodies that were destroyed since.
 * @param {WorldCore} core
 * @param {unknown} value
 * @returns {number} how many there are
 */
export function readSleepEvents(core, value) {
  const { stride, isAwake, bodyId } = SLEEP_EVENT_LAYOUT
  const out = readOut(value, 'readSleepEvents', stride)
  const pointer = core.pointerFor('readSleepEvents')
  const { exports, u32 } = core.engine
  const all = exports.world_sleep_event_count(pointer)
  const start = (exports.world_sleep_events(pointer) >>> 0) / 4
  let count = 0
  for (let i = 0; i < all; i++) {
    const at = start + (i * SLEEP_EVENT.BYTES) / 4
    const id = idAt(u32, at + SLEEP_EVENT.body)
    if (core.find(id) === undefined) continue
    const to = stride * count++
    if (to + stride > out.length) continue
    out[to + isAwake] = Number((u32[at + SLEEP_EVENT.isAwake] & 0xff) !== 0)
    out[to + bodyId] = id
  }
  return count
}

/**
 * Who fell asleep and who woke.
 * @param {WorldCore} core
 * @returns {SleepEvents}
 */
export function sleepEvents(core) {
  const { exports } = core.engine
  const pointer = core.pointerFor('sleepEvents')
  const count = exports.world_sleep_event_count(pointer)
  const start = (exports.world_sleep_events(pointer) >>> 0) / 4
  const { u32 } = core.engine
  /** @type {{ asleep: Body[], awake: Body[] }} */
  const events = { asleep: [], awake: [] }
  for (let i = 0; i < count; i++) {
    const at = start + (i * SLEEP_EVENT.BYTES) / 4
    const body = core.find(idAt(u32, at + SLEEP_EVENT.body))
    if (body === undefined) continue // destroyed since
    // A flag is one byte; the others there mean nothing.
    const isAwake = (u32[at + SLEEP_EVENT.isAwake] & 0xff) !== 0
    events[isAwake ? 'awake' : 'asleep'].push(body)
  }
  return events
}

/**
 * Who listens to a world, or to one body.
 * @template {object} Events
 */
export class Listeners {
  /** @type {Map<string, Set<(event: any) => void>>} */
  #sets = new Map()
  /** What listens once, and whom it calls. @type {WeakMap<Function, Function>} */
  #onces = new WeakMap()

  /**
   * @template {keyof Events & string} Name
   * @param {WorldCore} core
   * @param {Name} name
   * @param {(event: Events[Name]) => void} listener
   * @param {readonly string[]} names that may be listened to
   * @returns {() => void} ends it
   */
  add(core, name, listener, names) {
    readWord(name, 'on: name', names)
    if (typeof listener !== 'function') throw invalid('on: listener', 'a function', listener)
    const set = this.#sets.get(name) ?? new Set()
    if (!set.has(listener)) core.watches.count(name, 1)
    this.#sets.set(name, set.add(listener))
    return () => {
      if (set.delete(listener)) core.watches.count(name, -1)
    }
  }

  /**
   * As `add`, for one event: it ends before the listener is called.
   * @template {keyof Events & string} Name
   * @param {WorldCore} core
   * @param {Name} name
   * @param {(event: Events[Name]) => void} listener
   * @param {readonly string[]} names
   * @returns {() => void} ends it
   */
  addOnce(core, name, listener, names) {
    if (typeof listener !== 'function') throw invalid('once: listener', 'a function', listener)
    const end = this.add(core, name, call, names)
    /** @param {Events[Name]} event */
    function call(event) {
      end()
      listener(event)
    }
    this.#onces.set(call, listener)
    return end
  }

  /**
   * Ends what `add` or `addOnce` began with this listener.
   * @param {WorldCore} core
   * @param {string} name
   * @param {unknown} listener
   * @param {readonly string[]} names
   * @returns {boolean} whether it listened
   */
  remove(core, name, listener, names) {
    readWord(name, 'off: name', names)
    if (typeof listener !== 'function') throw invalid('off: listener', 'a function', listener)
    const set = this.#sets.get(name)
    const found = [...(set ?? [])].filter((one) => (this.#onces.get(one) ?? one) === listener)
    for (const one of found) {
      set?.delete(one)
      core.watches.count(name, -1)
    }
    return found.length > 0
  }

  /** Ends all. @param {WorldCore} core */
  clear(core) {
    for (const [name, set] of this.#sets) {
      for (let left = set.size; left > 0; left--) core.watches.count(name, -1)
      set.clear()
    }
  }

  /** @param {string} name */
  of(name) {
    return this.#sets.get(name)
  }
}

/**
 * A listener and what it is to be told. Who ends itself or another is not told any more.
 * @typedef {{ set: Set<(event: any) => void>, listener: (event: any) => void, event: unknown }} Call
 */

/**
 * Who is to be told what of the last step, in the order of the events: the world's listeners first,
 * then those of the bodies.
 */
class Calls {
  /** @type {Call[]} */
  all = []

  /** @type {WorldCore} */
  #core

  /** @param {WorldCore} core */
  constructor(core) {
    this.#core = core
  }

  /**
   * @param {string} name
   * @param {unknown} event
   * @param {Listeners<any> | undefined} listeners
   */
  add(name, event, listeners) {
    const set = listeners?.of(name)
    if (set === undefined) return
    for (const listener of set) this.all.push({ set, listener, event })
  }

  /**
   * An event of two bodies, once for each of them.
   * @param {string} name
   * @param {unknown} event
   * @param {Listeners<any>} world
   * @param {Body | null} a null: the world
   * @param {Body | null} b
   */
  addPair(name, event, world, a, b) {
    this.add(name, event, world)
    if (a) this.add(name, event, this.#core.bodyListeners.get(a))
    if (b) this.add(name, event, this.#core.bodyListeners.get(b))
  }

  /** Makes all calls, then throws the first error of those that threw. */
  make() {
    /** @type {{ error: unknown } | undefined} */
    let failure
    for (const { set, listener, event } of this.all) {
      if (!set.has(listener)) continue
      try {
        listener(event)
      } catch (error) {
        failure ??= { error }
      }
    }
    if (failure !== undefined) throw failure.error
  }
}

const WATCHED = /** @type {const} */ (['contact', 'sensor', 'sleep'])

/**
 * Whether somebody may have to be told of the last step: most worlds have nobody, and pay nothing.
 * @param {WorldCore} core
 * @param {Listeners<WorldEvents>} world
 */
function hasListeners(core, world) {
  if (core.jointEvents.length > 0 || world.of('solver')?.size) return true
  return WATCHED.some((name) => core.watches.isListened(name))
}

/**
 * What happened in a step, by the names of what is listened to.
 * @typedef {object} StepEvents
 * @property {readonly SolverEvent[]} solver
 * @property {readonly ContactEvent[]} contact
 * @property {readonly SensorEvent[]} sensor
 * @property {readonly JointEvent[]} joint
 * @property {SleepEvents | undefined} sleep
 */

/**
 * What happened in the last step, as far as somebody listens.
 * @param {WorldCore} core
 * @param {Listeners<WorldEvents>} world
 * @returns {StepEvents}
 */
function eventsOf(core, world) {
  const { watches, engine } = core
  const hasSleep =
    watches.isListened('sleep') && engine.exports.world_sleep_event_count(core.pointer) > 0
  return {
    solver: world.of('solver')?.size ? solverEvents(core) : [],
    contact: watches.isListened('contact') ? listContactEvents(core) : [],
    sensor: watches.isListened('sensor') ? listSensorEvents(core) : [],
    joint: core.jointEvents,
    sleep: hasSleep ? sleepEvents(core) : undefined,
  }
}

/**
 * Tells the listeners of a world and of its bodies of the last step. All is read before anything is
 * told: a listener may free the world.
 * @param {WorldCore} core
 * @param {Listeners<WorldEvents>} world
 */
export function tell(core, world) {
  if (hasListeners(core, world)) tellOf(core, world, eventsOf(core, world))
}

/**
 * Tells them of a step, which may have been made elsewhere.
 * @param {WorldCore} core
 * @param {Listeners<WorldEvents>} world
 * @param {StepEvents} events
 */
export function tellOf(core, world, { solver, contact, sensor, joint, sleep }) {
  const calls = new Calls(core)
  for (const event of solver) calls.add('solver', event, world)
  for (const event of contact) calls.addPair('contact', event, world, event.bodyA, event.bodyB)
  for (const event of sensor) calls.addPair('sensor', event, world, event.sensor, event.body)
  for (const event of joint) calls.addPair('joint', event, world, event.bodyA, event.bodyB)
  if (sleep) addSleep(core, world, calls, sleep)
  if (calls.all.length === 0) return
  core.isTelling = true
  try {
    calls.make()
  } finally {
    core.isTelling = false
  }
}

/**
 * @param {WorldCore} core
 * @param {Listeners<WorldEvents>} world
 * @param {Calls} calls
 * @param {SleepEvents} events
 */
function addSleep(core, world, calls, events) {
  calls.add('sleep', events, world)
  for (const [type, bodies] of Object.entries(events)) {
    for (const body of bodies) {
      calls.add('sleep', Object.freeze({ type, body }), core.bodyListeners.get(body))
    }
  }
}
