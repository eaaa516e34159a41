import { readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { idAt } from '../core/world-core.mjs'
import * as SLEEP_EVENT from '../generated/places/sleep-event.mjs'
import { islands } from './solver-report.mjs'

/** @import { Body } from './body.mjs' */
/** @import { SleepEvents, SolverEvent, WorldEvents } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Those that may be listened to. */
const NAMES = /** @type {const} */ (['solver', 'sleep', 'joint'])
const LATER_NAMES = ['contact', 'sensor']

/**
 * Islands that the last step did not solve as asked for.
 * @param {WorldCore} core
 * @returns {SolverEvent[]}
 */
export function solverEvents(core) {
  if (core.engine.exports.world_missed_islands(core.pointerFor('solverEvents')) === 0) return []
  return islands(core).flatMap((island) =>
    island.event === null ? [] : [{ type: island.event, island }],
  )
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

/** Who wants to be told what, after each step. */
export class Listeners {
  /** @type {{ readonly [Name in keyof WorldEvents]: Set<(event: WorldEvents[Name]) => void> }} */
  #sets = { solver: new Set(), sleep: new Set(), joint: new Set() }

  /**
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  add(name, listener) {
    readWord(name, 'on: name', NAMES, LATER_NAMES)
    if (typeof listener !== 'function') throw invalid('on: listener', 'a function', listener)
    const set = this.#sets[name]
    set.add(listener)
    return () => void set.delete(listener)
  }

  /**
   * Tells of the last step.
   * @param {WorldCore} core
   */
  tell(core) {
    const { solver, sleep, joint } = this.#sets
    if (solver.size === 0 && sleep.size === 0 && joint.size === 0) return
    // All is read before anything is told: a listener may free the world.
    const missed = solver.size > 0 ? solverEvents(core) : []
    const hasSlept = sleep.size > 0 && core.engine.exports.world_sleep_event_count(core.pointer) > 0
    const slept = hasSlept ? sleepEvents(core) : undefined
    const { jointEvents } = core
    for (const event of missed) call(solver, event)
    if (slept !== undefined) call(sleep, slept)
    for (const event of jointEvents) call(joint, event)
  }
}

/**
 * @template Event
 * @param {ReadonlySet<(event: Event) => void>} listeners
 * @param {Event} event
 */
function call(listeners, event) {
  // A copy: a listener may end itself or others.
  for (const listener of [...listeners]) listener(event)
}
