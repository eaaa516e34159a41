import { checkNames, isObject, readObject } from './arguments.mjs'
import { defaultWasm } from './default-wasm.mjs'
import { describe, invalid } from './describe.mjs'
import { Engine, isReady, setEngine } from './engine.mjs'
import { MoreauError } from './errors.mjs'
import { createHost, OPTION_NAMES } from './host.mjs'
import { nodeModule } from './node-modules.mjs'

/** @import { ResponseLike, WasmModule, WasmSource } from '../types/index.mjs' */

/**
 * @typedef {object} InitOptions
 * @property {WasmSource} [wasm] where the WebAssembly module comes from; default: what the entry has,
 *   `moreau` the bytes themselves, `moreau/slim` the file moreau.wasm beside it
 */

/**
 * @typedef {object} InitSyncOptions
 * @property {ArrayBuffer | ArrayBufferView | WasmModule} [wasm] the bytes or the compiled module
 *   (`WebAssembly.Module`); default: what the entry has; `moreau/slim` has none
 */

// The smallest module that uses both features that the engine needs: (try (drop (i8x16.splat 0)) (catch_all)).
const FEATURE_TEST = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 13, 1, 11, 0, 6, 64, 65, 0, 253,
  15, 26, 25, 11, 11,
]

/**
 * The load that is under way: where the module comes from, and the promise that callers share.
 * @type {{ source: unknown, promise: Promise<void> } | undefined}
 */
let pending

/**
 * Settles once the engine is there, whoever brought it: a load that hangs holds nobody up then.
 * @type {{ promise: Promise<void>, settle: () => void } | undefined}
 */
let arrival

/** @type {Promise<void> | undefined} */
let ready

/**
 * Loads the engine. `World.create` does it too; call it yourself before `new World`, `createShape`,
 * `collide` and `ConvexHull.fromPoints`, or to say where the module comes from.
 *
 * Works the same in browsers, Node and workers. Calls after the first do nothing and give the same
 * promise, unless they say another place while the first is still under way: then the first to arrive
 * is used. After a failure one may try again.
 *
 * @param {InitOptions} [options]
 * @returns {Promise<void>} rejects with `wasm-failed` or `invalid-argument`
 *
 * @example
 * await init() // from the bytes in the package
 * await init({ wasm: new URL('./moreau.wasm', import.meta.url) }) // from a file of its own
 */
export function init(options = {}) {
  if (isReady()) return (ready ??= Promise.resolve())
  const source = isObject(options) ? options.wasm : undefined
  if (pending && (source === undefined || source === pending.source)) return pending.promise
  const promise = Promise.race([load(options), theArrival().promise]).catch((error) => {
    if (pending?.promise === promise) pending = undefined
    throw error
  })
  pending = { source, promise }
  promise.then(
    () => (ready ??= promise),
    () => {},
  )
  return promise
}

function theArrival() {
  if (arrival) return arrival
  /** @type {() => void} */
  let settle = () => {}
  /** @type {Promise<void>} */
  const promise = new Promise((resolve) => {
    settle = resolve
  })
  arrival = { promise, settle }
  return arrival
}

/** @param {Engine} loaded */
function arrive(loaded) {
  setEngine(loaded)
  arrival?.settle()
}

/**
 * Loads the engine at once. In a browser window this blocks for some milliseconds, and old browsers
 * refuse it there; workers and Node are free of that.
 *
 * @param {InitSyncOptions} [options]
 * @throws {MoreauError} `wasm-failed`, `invalid-argument`
 */
export function initSync(options = {}) {
  if (isReady()) return
  const given = checkedOptions(options, 'initSync')
  const source = given.wasm === undefined ? defaultWasm() : given.wasm
  if (given.wasm === undefined && !isModule(source) && !isBytes(source)) {
    const message =
      'initSync: wasm must be given: this entry of the package has no bytes of its own'
    throw new MoreauError('invalid-argument', message)
  }
  if (!isModule(source) && !isBytes(source)) {
    throw invalid('initSync: wasm', 'bytes or a WebAssembly.Module', source)
  }
  checkFeatures()
  try {
    const module = isModule(source)
      ? source
      : new WebAssembly.Module(checkMagic(source, 'initSync: wasm'))
    const host = createHost(given, 'initSync')
    const instance = new WebAssembly.Instance(module, host.imports)
    const loaded = new Engine(instance, module, host.memory)
    arrive(loaded)
    host.start(loaded.exports, module).catch(() => {})
  } catch (error) {
    throw failed('initSync', error)
  }
}

/** @param {InitOptions} options */
async function load(options) {
  const given = checkedOptions(options, 'init')
  checkFeatures()
  try {
    const module = await moduleOf(given.wasm)
    const host = createHost(given, 'init')
    const instance = await WebAssembly.instantiate(module, host.imports)
    const loaded = new Engine(instance, module, host.memory)
    await host.start(loaded.exports, module)
    // initSync may have been faster.
    if (isReady()) host.stop()
    else arrive(loaded)
  } catch (error) {
    throw failed('init', error)
  }
}

/**
 * @param {unknown} options
 * @param {string} where
 * @returns {Record<string, unknown>}
 */
function checkedOptions(options, where) {
  const object = readObject(options, `${where}: options`)
  checkNames(object, OPTION_NAMES, where)
  return object
}

/**
 * @param {unknown} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function moduleOf(source) {
  const told = await source
  const given = told === undefined ? defaultWasm() : told
  if (isModule(given)) return given
  if (isBytes(given)) return compile(checkMagic(given, 'init: wasm'))
  const address = addressOf(given)
  const answer = address === undefined ? given : await request(address)
  if (isBytes(answer)) return compile(checkMagic(answer, `init: ${address}`))
  if (!isResponse(answer)) {
    const kinds = 'an address, a Response, bytes or a WebAssembly.Module'
    throw invalid('init: wasm', kinds, given)
  }
  const name = `init: ${address ?? (answer.url || 'the Response')}`
  if (!answer.ok) throw new MoreauError('wasm-failed', `${name} has status ${answer.status}`)
  return compile(checkMagic(await answer.arrayBuffer(), name))
}

/**
 * In Node at once: no page has to go on meanwhile, and in tasks to come it takes half as long again.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {WebAssembly.Module | Promise<WebAssembly.Module>}
 */
function compile(bytes) {
  const isPage = 'document' in globalThis
  return nodeModule('fs') && !isPage ? new WebAssembly.Module(bytes) : WebAssembly.compile(bytes)
}

/**
 * @param {unknown} value
 * @returns {string | undefined} of a string or a URL
 */
function addressOf(value) {
  if (typeof value === 'string') return value
  const isUrl = isObject(value) && 'href' in value
  return isUrl && typeof value.href === 'string' ? value.href : undefined
}

/**
 * Gets a file: address by the file system, which fetch refuses in Node, and anything else by fetch.
 * @param {string} address
 * @returns {Promise<unknown>} a Response or bytes
 */
function request(address) {
  if (address.startsWith('file:')) {
    const files = nodeModule('fs')
    if (files) return files.promises.readFile(new URL(address))
  }
  return fetch(address)
}

/** One line of truth about the engine's demands, instead of a compile error at some offset. */
function checkFeatures() {
  if (typeof WebAssembly !== 'object') {
    throw new MoreauError('wasm-failed', 'init: WebAssembly is not available here')
  }
  if (!WebAssembly.validate(new Uint8Array(FEATURE_TEST))) {
    const wanted = 'Chrome 95, Firefox 100, Safari 16.4, Node 18 or newer'
    const message = `init: WebAssembly SIMD and exceptions are needed: ${wanted}`
    throw new MoreauError('wasm-failed', message)
  }
}

/**
 * @param {BufferSource} bytes
 * @param {string} origin where they come from
 * @returns {Uint8Array<ArrayBuffer>} the bytes, if they begin as a WebAssembly module does
 */
function checkMagic(bytes, origin) {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes)
  const magic = [0x00, 0x61, 0x73, 0x6d]
  if (magic.every((byte, i) => view[i] === byte)) return view
  const first = Array.from(view.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'))
  const found = `${view.length} bytes that begin with ${first.join(' ') || 'nothing'}`
  const html = new TextDecoder().decode(view.subarray(0, 64)).trimStart().startsWith('<')
  const hint = html ? '; it looks like a web page: the server has no such file at this address' : ''
  const message = `${origin} is no WebAssembly module but ${found}${hint}`
  throw new MoreauError('wasm-failed', message)
}

/**
 * @param {string} where
 * @param {unknown} error
 * @returns {MoreauError}
 */
function failed(where, error) {
  if (error instanceof MoreauError) return error
  const text = error instanceof Error ? error.message : describe(error)
  let hint = ''
  if (/unsafe-eval|Content Security Policy/i.test(text)) {
    hint = "; the page's Content-Security-Policy needs script-src 'wasm-unsafe-eval'"
  } else if (/disallowed by embedder/i.test(text)) {
    hint = '; this host wants an imported module: init({ wasm: module })'
  }
  return new MoreauError('wasm-failed', `${where}: ${text}${hint}`, { cause: error })
}

// By tag, not by instanceof: test runners and frames bring classes of their own.

/**
 * @param {unknown} value
 * @returns {value is WebAssembly.Module}
 */
function isModule(value) {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]'
}

/**
 * @param {unknown} value
 * @returns {value is BufferSource}
 */
function isBytes(value) {
  const tag = Object.prototype.toString.call(value)
  return ArrayBuffer.isView(value) || tag === '[object ArrayBuffer]'
}

/**
 * @param {unknown} value
 * @returns {value is ResponseLike}
 */
function isResponse(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    'arrayBuffer' in value &&
    typeof value.arrayBuffer === 'function'
  )
}
