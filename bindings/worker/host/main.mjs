// The script of the worker.

import { nodeModule } from '../../core/node-modules.mjs'
import { GENERATOR } from '../../generated/version.mjs'
import { loadFunctions } from '../functions.mjs'
import { Host } from './host.mjs'

/** @import { Batch, Begin } from '../protocol.mjs' */
/** @import { Post } from './host.mjs' */

/** @typedef {Batch | number | ArrayBuffer} Message */

// Node's own workers have no messages of their own in the global scope.
const threads = nodeModule('worker_threads')
const port = /** @type {any} */ (threads?.parentPort ?? globalThis)

/** @type {Host | undefined} */
let host
/** What came while the module of functions was loaded. @type {Message[] | undefined} */
let waiting

/** @type {Post} */
const post = (news, transfer) => port.postMessage(news, transfer)

/** @param {Begin | Message} message */
function receive(message) {
  if (host) host.take(/** @type {Message} */ (message))
  else if (waiting) waiting.push(/** @type {Message} */ (message))
  else begin(/** @type {Begin} */ (message))
}

/** @param {Begin} message */
function begin(message) {
  post({ version: GENERATOR }, [])
  const { functions: address } = message
  if (address === undefined) {
    host = new Host(message, {}, post)
    return
  }
  /** @type {Message[]} */
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
 * @param {readonly Message[]} batches
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
