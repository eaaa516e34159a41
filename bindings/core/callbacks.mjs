import { tellTime } from './clock.mjs'
import { engine } from './engine.mjs'
import { MoreauError } from './errors.mjs'
import { CALLBACKS } from '../generated/enums.mjs'

// Functions of the user that the engine calls in the middle of one of its own calls. The module has
// one import for all of them, `moreau.callback`. It finds the target by kind and handle, hands over
// a phase and the address of doubles to read and write, and gives back a code. Nothing that a
// target throws passes through the engine: it is kept here until the engine's call has returned.

/** What has functions of the user. */
export const KIND = Object.freeze({
  constraint: CALLBACKS.indexOf('constraint'),
  potential: CALLBACKS.indexOf('potential'),
  query: CALLBACKS.indexOf('query'),
  contact: CALLBACKS.indexOf('contact'),
})

/** The clock that times steps. */
const CLOCK = CALLBACKS.indexOf('clock')

/**
 * How deep functions of the user may be within each other, over all worlds: a function may ask for
 * what has others run, and one that asks for itself would never come to an end.
 */
const MOST_NESTED = 8

/** Codes that the import gives back. */
const ANSWERED = 0
const FAILED = 1

/**
 * One custom object.
 * @typedef {object} CallbackTarget
 * @property {(phase: number, address: number) => void} answer does what the engine asks for: reads
 *   and writes the doubles at the address. What it throws makes the engine's call fail
 */

/**
 * A target that may be asked while it is answering: the inner call gets a target of its own, since
 * bodies and answer of the outer one are in use.
 * @implements {CallbackTarget}
 */
class NestableTarget {
  #make
  #target
  #isRunning = false
  /** @type {NestableTarget | undefined} */
  #inner

  /** @param {() => CallbackTarget} make */
  constructor(make) {
    this.#make = make
    this.#target = make()
  }

  /**
   * @param {number} phase
   * @param {number} address
   */
  answer(phase, address) {
    if (this.#isRunning) {
      this.#inner ??= new NestableTarget(this.#make)
      this.#inner.answer(phase, address)
      return
    }
    this.#isRunning = true
    try {
      this.#target.answer(phase, address)
    } finally {
      this.#isRunning = false
    }
  }
}

/**
 * Whose functions the engine is calling. One at a time: a callback may step another world, and then
 * that one is active until its step is over.
 * @type {Callbacks | undefined}
 */
let active

/** How many functions of the user are running, each called by the one before it. */
let nested = 0

/**
 * Where the module's own stack was when the function of the user that runs was called.
 * @type {number | undefined} undefined: none runs
 */
let stackPosition

/** Takes back what calls of the engine that trapped have left on the module's own stack. */
export function restoreStack() {
  engine().restoreStack(stackPosition)
}

/** The custom objects of a world by kind and handle, and what the last callback threw. */
export class Callbacks {
  /** @type {(CallbackTarget | undefined)[][]} */
  #targets = CALLBACKS.map(() => [])
  #depth = 0
  #hasFailed = false
  /** @type {unknown} */
  #failure

  /**
   * @param {number} kind
   * @param {() => CallbackTarget} make one for each depth of calls within each other
   * @returns {number} its handle, for the engine
   */
  add(kind, make) {
    const targets = this.#targets[kind]
    const free = targets.indexOf(undefined)
    const handle = free < 0 ? targets.length : free
    targets[handle] = new NestableTarget(make)
    return handle
  }

  /**
   * @param {number} kind
   * @param {number} handle
   */
  remove(kind, handle) {
    this.#targets[kind][handle] = undefined
  }

  /** Whether the engine is calling back at this moment: the world can be read and not changed. */
  get isActive() {
    return this.#depth > 0
  }

  /**
   * To be called before a call of the engine that may call back, and `leave` after it, also when it
   * threw.
   * @returns {Callbacks | undefined} what `leave` wants
   */
  enter() {
    restoreStack()
    const outer = active
    active = this
    this.#hasFailed = false
    this.#failure = undefined
    return outer
  }

  /** @param {Callbacks | undefined} outer what `enter` gave */
  leave(outer) {
    active = outer
  }

  /** Whether a function failed in the last call of the engine, and `takeFailure` is due. */
  get hasFailed() {
    return this.#hasFailed
  }

  /**
   * The options of an error: what the callback threw that made the engine's call fail, as `cause`.
   * @returns {ErrorOptions | undefined}
   */
  takeFailure() {
    if (!this.#hasFailed) return undefined
    const cause = this.#failure
    this.#hasFailed = false
    this.#failure = undefined
    return { cause }
  }

  /**
   * @param {number} kind
   * @param {number} handle
   * @param {number} phase
   * @param {number} address
   * @returns {number} a code
   */
  call(kind, handle, phase, address) {
    this.#depth++
    nested++
    const outer = stackPosition
    try {
      stackPosition = engine().exports.stack_save()
      if (nested > MOST_NESTED) throw tooDeep()
      const target = this.#targets[kind][handle]
      if (target === undefined) throw new TypeError(`no callback ${kind}/${handle}`)
      target.answer(phase, address)
      return ANSWERED
    } catch (error) {
      this.#hasFailed = true
      this.#failure = error
      return FAILED
    } finally {
      stackPosition = outer
      this.#depth--
      nested--
    }
  }

  /**
   * Throws inside of a callback.
   * @param {string} where
   */
  checkUnlocked(where) {
    if (!this.isActive) return
    const text = 'inside of a callback the world can be read, not changed'
    throw new MoreauError('world-locked', `${where}: ${text}`)
  }
}

function tooDeep() {
  const text = `functions of constraints, potentials, queries and contacts called each other more than ${MOST_NESTED} deep`
  return new MoreauError(
    'world-locked',
    `${text}: is there one that asks for its own violation() or energy(), or casts with itself as predicate?`,
  )
}

/**
 * @param {number} address
 * @returns {number} a code
 */
function answerClock(address) {
  try {
    tellTime(address)
    return ANSWERED
  } catch {
    return FAILED // the user may have put another performance.now in its place
  }
}

/** What the module imports. */
export const imports = {
  moreau: {
    /**
     * @param {number} kind
     * @param {number} handle
     * @param {number} phase
     * @param {number} address
     */
    callback(kind, handle, phase, address) {
      if (kind === CLOCK) return answerClock(address >>> 0)
      return active === undefined ? FAILED : active.call(kind, handle, phase, address >>> 0)
    },
  },
}
