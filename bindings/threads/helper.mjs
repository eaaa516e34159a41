// Threads that help: those of Node where there are some, Web Workers elsewhere.

import { MoreauError } from '../core/errors.mjs'
import { nodeModule } from '../core/node-modules.mjs'

/**
 * What a helper is given.
 * @typedef {object} HelperData
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {number} stackTop
 * @property {number} number from 1 on
 */

// A script without a file of its own, which bundlers would have to find. Helpers never call back:
// the engine asks the user's functions on the thread of the step only.
const SCRIPT = `
const work = ({ module, memory, stackTop, number }, tell) => {
  const callback = () => { throw new Error('a callback in a helper thread') }
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, moreau: { callback } })
  exports.threads_set_stack(stackTop)
  tell('ready')
  try {
    exports.threads_help(number)
  } catch (error) {
    exports.threads_break()
    throw error
  }
}
`
const WEB_SCRIPT = `${SCRIPT}
onmessage = ({ data }) => work(data, (text) => postMessage(text))
`
const NODE_SCRIPT = `${SCRIPT}
const { parentPort, workerData } = require('worker_threads')
work(workerData, (text) => parentPort.postMessage(text))
`

/** @returns {number} threads that the processor runs at once */
export function processorCount() {
  const count = globalThis.navigator?.hardwareConcurrency
  return count ?? nodeModule('os')?.availableParallelism() ?? 1
}

/**
 * The error where there can be no threads.
 * @param {string} where
 * @param {ErrorOptions} [options] `cause`
 * @returns {MoreauError}
 */
export function unavailable(where, options) {
  if (options?.cause instanceof MoreauError) return options.cause
  const text =
    options?.cause instanceof Error
      ? `helper threads could not be started (${options.cause.message})`
      : 'threads need SharedArrayBuffer, which is not available here'
  const advice =
    'a page has threads if it is served with the headers ' +
    "'Cross-Origin-Opener-Policy: same-origin' and 'Cross-Origin-Embedder-Policy: require-corp', " +
    "and if its Content-Security-Policy, where it has one, allows 'worker-src blob:'. " +
    "Otherwise use init({ threads: 1 }), or import 'moreau'"
  return new MoreauError('threads-unavailable', `${where}: ${text}; ${advice}`, options)
}

/** A helper thread. */
export class Helper {
  /** Settles when it works, or does not. @readonly @type {Promise<void>} */
  isReady
  /** Ends it. @readonly @type {() => void} */
  stop

  /** @param {HelperData} data */
  constructor(data) {
    const threads = nodeThreads()
    const { isReady, stop } = threads ? startInNode(threads, data) : startInWeb(data)
    this.isReady = isReady
    this.stop = stop
    // Who does not wait for it (initSync) does without it.
    isReady.catch(() => {})
  }
}

/** @param {HelperData} data */
function startInWeb(data) {
  if (typeof globalThis.Worker !== 'function') {
    throw new Error('this host has neither Worker nor worker_threads')
  }
  const address = URL.createObjectURL(new Blob([WEB_SCRIPT], { type: 'text/javascript' }))
  const worker = new globalThis.Worker(address, { name: 'moreau' })
  /** @type {Promise<void>} */
  const isReady = new Promise((resolve, reject) => {
    worker.onmessage = () => resolve()
    worker.onerror = (event) => reject(new Error(event.message ?? 'the worker was refused'))
    worker.onmessageerror = () => reject(new Error('the memory could not be shared'))
  })
  const settled = isReady.finally(() => URL.revokeObjectURL(address))
  worker.postMessage(data)
  return { isReady: settled, stop: () => worker.terminate() }
}

/**
 * Threads as Node has them, and Bun and Deno too. There they come before Web Workers, which would keep the
 * program running, and in Deno are modules only.
 * @returns {typeof import('node:worker_threads') | undefined}
 */
export function nodeThreads() {
  // A window of Electron has Node's modules, but no threads of Node's kind; that of jsdom has nothing else.
  const isWindow = typeof document !== 'undefined' && typeof globalThis.Worker === 'function'
  return isWindow ? undefined : nodeModule('worker_threads')
}

/**
 * @param {typeof import('node:worker_threads')} threads
 * @param {HelperData} data
 */
function startInNode(threads, data) {
  // Not the flags of the program: they may preload what a helper has no use for.
  const worker = new threads.Worker(NODE_SCRIPT, { eval: true, workerData: data, execArgv: [] })
  /** @type {Promise<void>} */
  const isReady = new Promise((resolve, reject) => {
    worker.once('message', () => {
      // The program ends without it.
      worker.unref()
      resolve()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended')))
  })
  return { isReady, stop: () => void worker.terminate() }
}
