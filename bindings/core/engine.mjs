import { MOST_BYTES } from './lists.mjs'
import { MoreauError } from './errors.mjs'

/** @import { EngineExports } from './engine-exports.mjs' */
/** @import { MoreauErrorCode } from './errors.mjs' */
/** @import { Vector } from '../types/index.mjs' */

/**
 * Frames of 8 KB (bindings/abi/stack.c) of the host's stack that must be left where the engine is entered: the deepest
 * call takes 8 KB, and V8 wants 40 KB more where it compiles a function that is called for the first time.
 */
const NEEDED_FRAMES = 8

/**
 * The running module and its memory. Everything of fixed length goes through one block of doubles,
 * `io`, field after field: `begin`, `put...`, a call, then `begin` and `take...`. The orders are
 * those of bindings/abi.
 */
export class Engine {
  /** Of the module, or in their place what `intercept` was given. @type {EngineExports} */
  exports

  /** What it is an instance of, for another thread. @readonly @type {WebAssembly.Module} */
  module

  #memory
  #isShared
  #views

  // Where the module's own stack begins.
  #stackBase

  // The block: its first double, as an index into `f64`, how many it holds, and where we are.
  #io = 0
  #capacity = 0
  #cursor = 0

  /**
   * @param {WebAssembly.Instance} instance
   * @param {WebAssembly.Module} module that it is of
   * @param {WebAssembly.Memory} [imported] its memory, where it exports none
   */
  constructor(instance, module, imported) {
    this.module = module
    this.exports = /** @type {EngineExports} */ (/** @type {unknown} */ (instance.exports))
    const { memory = imported } = this.exports
    if (!('io_reserve' in this.exports) || !memory || ('memory' in this.exports && imported)) {
      const message = "init: this WebAssembly module is not Moreau's, or that of another entry"
      throw new MoreauError('wasm-failed', message)
    }
    this.exports._initialize?.()
    this.#stackBase = this.exports.stack_save()
    this.#memory = memory
    this.#isShared = memory === imported
    this.#views = viewsOf(memory.buffer)
    this.begin(1)
  }

  /**
   * Throws the host's RangeError where its stack has no room for a call of the engine and for our bookkeeping
   * after it. Running out of it within the engine would leave things half done there (bindings/abi/stack.c).
   */
  needStack() {
    this.exports.stack_need(NEEDED_FRAMES, 0)
  }

  /**
   * Takes back what calls that trapped have left on the module's own stack.
   * @param {number} [position] where it is to go on; default: its beginning
   */
  restoreStack(position = this.#stackBase) {
    this.exports.stack_restore(position)
  }

  /** The whole memory, as it is now. */
  get buffer() {
    return this.#memory.buffer
  }

  /** The whole memory as doubles. Not to be kept: memory may grow in any call. */
  get f64() {
    return this.#current().f64
  }

  /** The whole memory as unsigned 32-bit numbers. Not to be kept. */
  get u32() {
    return this.#current().u32
  }

  #current() {
    const views = this.#views
    // Memory that grew leaves the views of before empty, unless threads share it: then they have to
    // be told from new ones by their buffer, which takes much longer to ask for.
    if (views.f64.length > 0 && !this.#isShared) return views
    const { buffer } = this.#memory
    if (views.buffer !== buffer) this.#views = viewsOf(buffer)
    return this.#views
  }

  /**
   * Goes to the start of the block.
   * @param {number} count doubles that will be written or read
   */
  begin(count) {
    if (count > this.#capacity) {
      const address = 8 * count > MOST_BYTES ? 0 : this.exports.io_reserve(count) >>> 0
      if (address === 0) throw outOfMemory('arguments', count * 8)
      this.#io = address / 8
      this.#capacity = count
    }
    this.#cursor = this.#io
  }

  /** @returns {Float64Array} what was put into the block since `begin` */
  get written() {
    return this.f64.slice(this.#io, this.#cursor)
  }

  /**
   * Makes calls of its own in the middle of one: the block is as before then.
   * @template Result
   * @param {() => Result} action
   * @returns {Result}
   */
  aside(action) {
    const place = this.#cursor - this.#io
    const block = this.f64.slice(this.#io, this.#io + this.#capacity)
    try {
      return action()
    } finally {
      this.f64.set(block, this.#io)
      this.#cursor = this.#io + place
    }
  }

  /**
   * Puts other functions in the place of the module's.
   * @param {EngineExports} exports
   */
  intercept(exports) {
    this.exports = exports
  }

  /** @param {number} value */
  put(value) {
    this.f64[this.#cursor++] = value
  }

  /** @param {ArrayLike<number>} values */
  putAll(values) {
    this.f64.set(values, this.#cursor)
    this.#cursor += values.length
  }

  /** @returns {number} */
  take() {
    return this.f64[this.#cursor++]
  }

  /** @returns {Vector} */
  takeVector() {
    return [this.take(), this.take(), this.take()]
  }

  /**
   * @param {number} count
   * @returns {number[]}
   */
  takeAll(count) {
    const values = []
    for (let i = 0; i < count; i++) values.push(this.take())
    return values
  }

  /**
   * Where a double of the block is in `f64`.
   * @param {number} index its place in the block
   * @returns {number}
   */
  place(index) {
    return this.#io + index
  }

  /**
   * A double of the block.
   * @param {number} index its place in the block
   * @returns {number}
   */
  at(index) {
    return this.f64[this.#io + index]
  }

  /**
   * The text at an address: UTF-8, ended by a zero.
   * @param {number} address
   * @returns {string}
   */
  text(address) {
    if (address === 0) return ''
    const bytes = new Uint8Array(this.#memory.buffer)
    const start = address >>> 0
    // A copy, since TextDecoder refuses some kinds of memory in some browsers.
    return new TextDecoder().decode(bytes.slice(start, bytes.indexOf(0, start)))
  }

  /**
   * The code that belongs to a result of the engine.
   * @param {number} result
   * @returns {MoreauErrorCode}
   */
  code(result) {
    return /** @type {MoreauErrorCode} */ (this.text(this.exports.result_name(result)))
  }

  /**
   * The error for what the engine refused.
   * @param {number} result
   * @param {string} where
   * @param {number} world whose last error it is, or 0
   * @param {ErrorOptions} [options] `cause`
   * @returns {MoreauError}
   */
  failure(result, where, world, options) {
    const code = this.code(result)
    const text = world === 0 ? '' : this.text(this.exports.world_last_error(world))
    const message = joined(where, text === '' ? (TEXTS[code] ?? code) : ours(text))
    return new MoreauError(code, message, options)
  }
}

/**
 * A text of the engine as JavaScript says it: without the C function, names in camel case. By hand:
 * V8 ends the process where the stack has no room to compile a regular expression.
 * @param {string} text "mo_body_create: linear_velocity must be ..."
 */
function ours(text) {
  const colon = text.startsWith('mo_') ? text.indexOf(': ') : -1
  const [first, ...words] = text.slice(colon < 0 ? 0 : colon + 2).split('_')
  return words.reduce((name, word) => name + capitalized(word), first)
}

/**
 * A word of a name behind its first: only a letter takes the place of the underscore.
 * @param {string} word
 */
function capitalized(word) {
  const isLetter = word >= 'a' && word < '{'
  return isLetter ? word[0].toUpperCase() + word.slice(1) : `_${word}`
}

/**
 * Where and what, without saying a name twice: "World: gravity" and "gravity must be ..." make
 * "World: gravity must be ...".
 * @param {string} where
 * @param {string} text
 */
function joined(where, text) {
  const name = where.slice(where.lastIndexOf(' ') + 1)
  return text.startsWith(`${name} `) ? where + text.slice(name.length) : `${where}: ${text}`
}

/** @type {Partial<Record<MoreauErrorCode, string>>} */
const TEXTS = {
  'out-of-memory': 'the WebAssembly memory could not grow',
  'invalid-argument': 'a value is out of its allowed range',
}

/** @param {ArrayBuffer} buffer */
function viewsOf(buffer) {
  return { buffer, f64: new Float64Array(buffer), u32: new Uint32Array(buffer) }
}

/**
 * @param {string} where
 * @param {number} bytes
 */
export function outOfMemory(where, bytes) {
  const message = `${where}: the WebAssembly memory could not grow by ${bytes} bytes`
  return new MoreauError('out-of-memory', message)
}

/** @type {Engine | undefined} */
let current

/** @returns {boolean} whether the module is there */
export function isReady() {
  return current !== undefined
}

/** @param {Engine} loaded the one that everything uses from now on */
export function setEngine(loaded) {
  current = loaded
}

/** @returns {Engine} */
export function engine() {
  if (current === undefined) {
    const message = 'Moreau is not loaded: call `await init()` or `await World.create()` first'
    throw new MoreauError('not-initialized', message)
  }
  return current
}
