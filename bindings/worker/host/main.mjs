// The script of the worker.

import { nodeModule } from '../../core/node-modules.mjs'
import { loadFunctions } from '../functions.mjs'
import { Host } from './host.mjs'

/** @import { Batch, Begin, News } from '../protocol.mjs' */

// Node's own workers have no messages of their own in the global scope.
const threads = nodeModule('worker_threads')
const port = /** @type {any} */ (threads?.parentPort ?? globalThis)

/** @type {Host | undefined} */
let host
/** What came while the module of functions was loaded. @type {(Batch | number)[] | undefined} */
let waiting

/** @param {News} news @param {ArrayBuffer[]} transfer */
const post = (news, transfer) => port.postMessage(news, transfer)

/** @param {Begin | Batch | number} message */
function receive(message) {
  if (host) host.take(/** @type {Batch | number} */ (message))
  else if (waiting) waiting.push(/** @type {Batch | number} */ (message))
  else begin(/** @type {Begin} */ (message))
}

/** @param {Begin} message */
function begin(message) {
  const { functions: address } = message
  if (address === undefined) {
    host = new Host(message, {}, post)
    return
  }
  /** @type {(Batch | number)[]} */
  const kept = []
  waiting = kept
  loadFunctions(address).then(
    (functions) => outside(() => start(message, functions, kept)),
    (error) => outside(() => fail(error)),
  )
}

/**
 * @param {Begin} message
 * @param {import('../functions.mjs').Functions} functions
 * @param {readonly (Batch | number)[]} batches
 */
function start(message, functions, batches) {
  const made = (host = new Host(message, functions, post))
  for (const batch of batches) made.take(batch)
}

/** What is thrown in a promise is told to nobody by a browser. @param {() => void} action */
const outside = (action) => void setTimeout(action)

/** @param {unknown} error */
function fail(error) {
  throw error
}

if (threads?.parentPort) threads.parentPort.on('message', receive)
else globalThis.onmessage = ({ data }) => receive(data)
