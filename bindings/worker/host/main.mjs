// The script of the worker.

import { nodeModule } from '../../core/node-modules.mjs'
import { Host } from './host.mjs'

/** @import { Batch, Begin, News } from '../protocol.mjs' */

// Node's own workers have no messages of their own in the global scope.
const threads = nodeModule('worker_threads')
const port = /** @type {any} */ (threads?.parentPort ?? globalThis)

/** @type {Host | undefined} */
let host

/** @param {News} news @param {ArrayBuffer[]} transfer */
const post = (news, transfer) => port.postMessage(news, transfer)

/** @param {Begin | Batch} message */
function receive(message) {
  if (host) host.take(/** @type {Batch} */ (message))
  else host = new Host(/** @type {Begin} */ (message), post)
}

if (threads?.parentPort) threads.parentPort.on('message', receive)
else globalThis.onmessage = ({ data }) => receive(data)
