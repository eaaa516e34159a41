import { checkNames, readFunction, readInteger, readObject } from '../core/arguments.mjs'
import { readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { hashOf } from '../scene/content-hash.mjs'
import { compareStates, readState } from '../state/difference.mjs'

/** @import { World } from '../index.mjs' */
/** @import { StateDifference } from '../state/difference.mjs' */

/**
 * What a game has beside its world, such as scores: it goes back with the world.
 * @typedef {object} UserState
 * @property {() => string} save all of it as text, JSON for instance
 * @property {(text: string) => void} load
 */

/**
 * @template [Inputs=any]
 * @typedef {object} RollbackOptions
 * @property {(world: World, inputs: Inputs, frame: number) => void} applyInputs carries out what the players do in a
 *   frame: forces, new bodies and so on. It may depend on the world, the inputs, the number of the frame and `userState`
 *   alone, or frames that are made again come out differently. It must not step the world
 * @property {number} [timeStep] seconds, default 1/60
 * @property {UserState} [userState]
 */

const NAMES = ['applyInputs', 'timeStep', 'userState']
export const OPTION_NAMES = Object.freeze([...NAMES])

/** Frames that a game can keep at most. */
export const MOST_FRAMES = 4096
/** Buffers are made by so much longer than a snapshot, for bodies and contacts to come. */
const GROWTH = 1.5

/** A frame that is kept. The buffer is used again for later frames. */
class Slot {
  frame = -1
  checksum = ''
  user = ''
  /** @type {Uint8Array} */
  bytes = new Uint8Array(0)
  #options = { assets: false, out: this.bytes }

  /** @param {World} world */
  take(world) {
    if (this.#options.out.length > 0 && this.#takeInto(world)) return
    const bytes = world.snapshot({ assets: false })
    const out = new Uint8Array(Math.ceil(GROWTH * bytes.length))
    out.set(bytes)
    this.#options.out = out
    this.bytes = out.subarray(0, bytes.length)
  }

  /** @param {World} world @returns {boolean} whether the buffer was long enough */
  #takeInto(world) {
    try {
      this.bytes = world.snapshot(this.#options)
      return true
    } catch (error) {
      if (/** @type {any} */ (error)?.code === 'invalid-argument') return false
      throw error
    }
  }
}

/**
 * A world that is stepped by inputs and can go back, in the shape that GGPO has given to rollback: `saveState`,
 * `loadState`, `advanceFrame`. Snapshots are kept in a ring of buffers: no memory is taken once these are long enough.
 * @template [Inputs=any]
 */
export class RollbackWorld {
  #applyInputs
  #timeStep
  #userState
  #slots
  #frame = 0

  /** @readonly @type {World} */
  world

  /**
   * @param {World} world
   * @param {RollbackOptions<Inputs>} options
   * @param {number} [frames] how many are kept, default 10
   */
  constructor(world, options, frames = 10) {
    const where = 'RollbackWorld'
    this.world = readWorld(world, where)
    const given = readObject(options, `${where}: options`)
    checkNames(given, NAMES, where)
    const { applyInputs, timeStep = 1 / 60, userState } = options
    this.#applyInputs = readFunction(applyInputs, `${where}: applyInputs`)
    this.#timeStep = readPositive(timeStep, `${where}: timeStep`)
    this.#userState = userState && readUserState(userState, `${where}: userState`)
    const count = readInteger(frames, `${where}: frames`, 1, MOST_FRAMES)
    this.#slots = Array.from({ length: count }, () => new Slot())
  }

  /** The number of the frame that the world is at: how often `advanceFrame` has gone on from 0. */
  get frame() {
    return this.#frame
  }

  /**
   * Keeps the world as it is, as a frame of this number; the oldest that is kept may leave.
   * @param {number} [frame] default: the present one
   * @returns {string} a checksum: 16 hexadecimal digits, equal where all bits of the state are
   * @throws {MoreauError} as `world.snapshot`
   */
  saveState(frame = this.#frame) {
    readInteger(frame, 'saveState: frame', 0, Number.MAX_SAFE_INTEGER)
    const slot = this.#slots[frame % this.#slots.length]
    // The user's function comes first: if it throws, all frames that are kept are still there.
    const user = this.#saveUser()
    const checksum = this.#checksum(user)
    slot.frame = -1
    slot.take(this.world)
    slot.user = user
    slot.checksum = checksum
    this.#frame = slot.frame = frame
    return slot.checksum
  }

  /**
   * Makes the world what it was at a frame that is kept.
   * @param {number} frame
   * @throws {MoreauError} `invalid-argument` for a frame that is not kept; as `world.restore`
   */
  loadState(frame) {
    const slot = this.#slot(frame, 'loadState')
    this.world.restore(slot.bytes)
    this.#userState?.load(slot.user)
    this.#frame = frame
  }

  /**
   * Applies inputs and makes a step: the world is at the next frame then.
   * @param {Inputs} inputs for `applyInputs`
   * @throws {MoreauError} as `world.step`, and what `applyInputs` throws; a frame that is kept is as it was then
   */
  advanceFrame(inputs) {
    try {
      this.#applyInputs(this.world, inputs, this.#frame)
      this.world.step(this.#timeStep)
    } catch (error) {
      if (this.checksumOf(this.#frame) !== undefined) this.loadState(this.#frame)
      throw error
    }
    this.#frame++
  }

  /**
   * Of a frame that is kept, what `saveState` gave; undefined where it is not kept.
   * @param {number} frame
   * @returns {string | undefined}
   */
  checksumOf(frame) {
    const slot = this.#slots[frame % this.#slots.length]
    return slot?.frame === frame ? slot.checksum : undefined
  }

  /** @returns {string} the checksum of the world as it is now, which is not kept */
  checksum() {
    return this.#checksum(this.#saveUser())
  }

  /**
   * What differs between a frame that is kept and the world as it is now, which stays as it is.
   * @param {number} frame
   * @returns {StateDifference[]} what differs most first; empty where nothing does
   */
  differencesFrom(frame) {
    const slot = this.#slot(frame, 'differencesFrom')
    const user = this.#saveUser()
    if (this.#checksum(user) === slot.checksum) return []
    const now = this.world.snapshot({ assets: false })
    const found = readState(this.world)
    this.world.restore(slot.bytes)
    const expected = readState(this.world)
    this.world.restore(now)
    if (user === slot.user) return compareStates(expected, found)
    return compareStates(
      { ...expected, world: { ...Object(expected.world), userState: slot.user } },
      { ...found, world: { ...Object(found.world), userState: user } },
    )
  }

  /**
   * @param {number} frame
   * @param {string} where
   * @returns {Slot}
   */
  #slot(frame, where) {
    readInteger(frame, `${where}: frame`, 0, Number.MAX_SAFE_INTEGER)
    const slot = this.#slots[frame % this.#slots.length]
    if (slot.frame === frame) return slot
    const kept = this.#slots.flatMap((one) => (one.frame < 0 ? [] : [one.frame]))
    const there = kept.length > 0 ? `${Math.min(...kept)} to ${Math.max(...kept)}` : 'none'
    const message = `${where}: frame ${frame} is not kept; kept are ${there}`
    throw new MoreauError('invalid-argument', message)
  }

  #saveUser() {
    const text = this.#userState?.save() ?? ''
    if (typeof text !== 'string') throw invalid('userState: what save gives', 'a text', text)
    return text
  }

  /** @param {string} user */
  #checksum(user) {
    const hash = this.world.hash()
    return user === '' ? hash : hashOf([new TextEncoder().encode(hash + user)])
  }
}

/**
 * By what it can do, as the worlds of `moreau/threads` are of another class.
 * @param {unknown} value
 * @param {string} where
 * @returns {World}
 */
export function readWorld(value, where) {
  const world = /** @type {World} */ (value)
  const isWorld =
    typeof value === 'object' &&
    value !== null &&
    ['snapshot', 'restore', 'step', 'hash'].every(
      (name) => typeof Object(value)[name] === 'function',
    )
  if (!isWorld) throw invalid(`${where}: world`, 'a World', value)
  return world
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {UserState}
 */
function readUserState(value, path) {
  const state = readObject(value, path)
  checkNames(state, ['save', 'load'], path)
  const { save, load } = /** @type {Partial<UserState>} */ (state)
  readFunction(/** @type {Function} */ (save), `${path}.save`)
  readFunction(/** @type {Function} */ (load), `${path}.load`)
  return /** @type {UserState} */ (value)
}
