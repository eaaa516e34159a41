import { checkNames, readFunction, readObject } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { reading } from '../core/readable.mjs'
import { compareStates, describeDifference, readState } from './difference.mjs'
import { Otherwise, Player } from './player.mjs'
import { readTape, where } from './tape.mjs'

/** @import { World } from '../objects/world.mjs' */
/** @import { Replay, ReplayOptions } from '../types/index.mjs' */
/** @import { StateDifference } from './difference.mjs' */
/** @import { Entry } from './journal.mjs' */
/** @import { Tape } from './tape.mjs' */

const NAMES = Object.freeze([
  ...['constraints', 'potentials', 'contactFilter', 'contactModifier', 'beforeStep'],
])

/**
 * @param {unknown} bytes of a recording
 * @param {unknown} options a ReplayOptions
 * @param {() => World} makeWorld
 * @returns {Replay}
 */
export function replayRecording(bytes, options, makeWorld) {
  const path = `${where}: options`
  const replaying = reading(options, path, () => readReplaying(options))
  const tape = readTape(bytes)
  const world = makeWorld()
  try {
    return new Show(tape, replaying, makeWorld).run(world)
  } catch (error) {
    world.free()
    throw error
  }
}

/**
 * @param {unknown} options
 * @returns {ReplayOptions}
 */
function readReplaying(options) {
  // A copy, so that its getters are asked here and once.
  const given = { ...readObject(options, `${where}: options`) }
  checkNames(given, NAMES, `${where}: options`)
  for (const name of NAMES.slice(2)) {
    if (given[name] !== undefined) {
      readFunction(/** @type {Function} */ (given[name]), `${where}: options.${name}`)
    }
  }
  return /** @type {ReplayOptions} */ (given)
}

/** Plays a tape and compares. */
class Show {
  #tape
  #options
  #makeWorld
  #step = 0

  /**
   * @param {Tape} tape
   * @param {ReplayOptions} options
   * @param {() => World} makeWorld
   */
  constructor(tape, options, makeWorld) {
    this.#tape = tape
    this.#options = options
    this.#makeWorld = makeWorld
  }

  /**
   * @param {World} world
   * @returns {Replay}
   */
  run(world) {
    const player = new Player(world, this.#tape, this.#options)
    this.#begin(player, 0, 0)
    for (const [i, entry] of this.#tape.entries.entries()) {
      const divergence = this.#play(player, entry, i)
      if (divergence) return { world, steps: this.#step, divergence }
    }
    return { world, steps: this.#step, divergence: undefined }
  }

  /**
   * @param {Player} player
   * @param {Entry} entry
   * @param {number} i its place
   */
  #play(player, entry, i) {
    const { world } = player
    const [kind, dt, hash] = entry
    const step = this.#step + 1
    try {
      if (kind !== 'step') {
        player.apply(entry)
        return undefined
      }
      const { beforeStep } = this.#options
      beforeStep?.(world, step)
      const start = beforeStep && world.snapshot({ assets: false })
      world.step(dt)
      this.#step = step
      if (typeof hash !== 'string' || world.hash() === hash) return undefined
      return this.#explain(player, i, start)
    } catch (error) {
      if (isOfRecording(error)) throw error
      return diverged(step, [], error instanceof Error ? error.message : String(error))
    }
  }

  /**
   * What is different after a step, or was before it already by what `beforeStep` did.
   * @param {Player} found
   * @param {number} i the place of the step
   * @param {Uint8Array | undefined} start the state before it
   */
  #explain(found, i, start) {
    const other = this.#makeWorld()
    try {
      const expected = this.#wind(other, i)
      if (start !== undefined) {
        const before = { hash: other.hash(), state: readState(other) }
        const after = found.world.snapshot({ assets: false })
        found.world.restore(start)
        const isOther = found.world.hash() !== before.hash
        const state = readState(found.world)
        found.world.restore(after)
        if (isOther) return diverged(this.#step, compareStates(before.state, state))
      }
      const [, dt, hash] = this.#tape.entries[i]
      other.step(dt)
      if (other.hash() === hash) {
        return diverged(this.#step, compareStates(readState(other), readState(found.world)))
      }
      return this.#compareLater(expected, found, i)
    } finally {
      other.free()
    }
  }

  /**
   * Has a new world be what it was at a snapshot. Its functions for contacts come first: setting them changes which
   * contacts there are.
   * @param {Player} player
   * @param {number} place of the snapshot
   * @param {number} count entries before it
   */
  #begin(player, place, count) {
    const { functions, entries } = this.#tape
    for (const name of functions) player.setFunction(name, true)
    for (const entry of entries.slice(0, Math.max(0, count))) {
      if (entry[0] === 'function') player.apply(entry)
    }
    player.load(place)
  }

  /**
   * Brings a world to just before a step, as it was recorded.
   * @param {World} world
   * @param {number} i the place of the step
   */
  #wind(world, i) {
    const { entries } = this.#tape
    const player = new Player(world, this.#tape, this.#options)
    const isState = (/** @type {Entry} */ [kind]) => kind === 'key' || kind === 'state'
    const from = entries.slice(0, i).findLastIndex(isState)
    this.#begin(player, from < 0 ? 0 : entries[from][1], from)
    for (const entry of entries.slice(from + 1, i)) {
      if (entry[0] === 'step') world.step(entry[1])
      else player.apply(entry)
    }
    return player
  }

  /**
   * Here steps have other bits than where the recording was made: what differs is seen at the next state that it has.
   * @param {Player} expected
   * @param {Player} found
   * @param {number} i the place of the first step that differs
   */
  #compareLater(expected, found, i) {
    const { entries } = this.#tape
    const first = this.#step
    const next = entries.findIndex(([kind], k) => k > i && kind === 'key')
    if (next < 0) return diverged(first, [], 'steps have other bits here')
    for (const entry of entries.slice(i + 1, next)) {
      if (entry[0] !== 'step') found.apply(entry)
      else found.world.step(entry[1])
    }
    expected.load(entries[next][1])
    const differences = compareStates(readState(expected.world), readState(found.world))
    return diverged(first, differences, 'steps have other bits here')
  }
}

/**
 * @param {number} step
 * @param {StateDifference[]} differences
 * @param {string} [reason]
 */
function diverged(step, differences, reason) {
  const [first] = differences
  const parts = [`step ${step}`, reason, first && describeDifference(first)]
  return { step, differences, message: parts.filter((part) => part !== undefined).join(': ') }
}

/**
 * Whether an error says that the recording cannot be played, not that it came out differently.
 * @param {unknown} error
 */
function isOfRecording(error) {
  const isOurs = error instanceof MoreauError || error instanceof Otherwise
  return !isOurs || ['bad-snapshot', 'out-of-memory'].includes(/** @type {any} */ (error).code)
}
