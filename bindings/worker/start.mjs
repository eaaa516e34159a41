// Starts the worker, by Web Workers where there are some and by those of Node elsewhere.

import { MoreauError } from '../core/errors.mjs'
import script from '../generated/worker-script.mjs'
import { nodeThreads } from '../threads/helper.mjs'

/**
 * A worker, whatever the host's are.
 * @typedef {object} Port
 * @property {(message: unknown, transfer: ArrayBuffer[]) => void} post
 * @property {() => void} stop ends the worker
 * @property {(isHeld: boolean) => void} hold whether the worker keeps the program running
 */

/**
 * @typedef {object} Hearing
 * @property {(message: any) => void} message
 * @property {(error: unknown) => void} end the worker failed or ended
 */

/** The worker that the user made. @typedef {() => unknown} MakeWorker */

/**
 * @param {MakeWorker | undefined} make
 * @param {Hearing} hearing
 * @returns {Port}
 */
export function startWorker(make, hearing) {
  try {
    const worker = /** @type {any} */ (make ? make() : ownWorker())
    return typeof worker.on === 'function' ? nodePort(worker, hearing) : webPort(worker, hearing)
  } catch (error) {
    throw unavailable(error)
  }
}

/** A worker of a script without a file of its own, which bundlers would have to find. */
function ownWorker() {
  const threads = nodeThreads()
  // Not the flags of the program: they may preload what a worker has no use for.
  if (threads) return new threads.Worker(script, { eval: true, execArgv: [] })
  if (typeof globalThis.Worker !== 'function') {
    throw new Error('this host has neither Worker nor worker_threads')
  }
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  // It has fetched its script when it has answered; the address is small, and goes with the page.
  return new globalThis.Worker(address, { type: 'module', name: 'moreau' })
}

/**
 * @param {import('node:worker_threads').Worker} worker
 * @param {Hearing} hearing
 * @returns {Port}
 */
function nodePort(worker, hearing) {
  worker.on('message', hearing.message)
  worker.on('error', hearing.end)
  worker.on('exit', (code) => hearing.end(new Error(`it ended with code ${code}`)))
  worker.unref()
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    stop: () => void worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  }
}

/**
 * @param {Worker & { ref?: () => void, unref?: () => void }} worker
 * @param {Hearing} hearing
 * @returns {Port}
 */
function webPort(worker, hearing) {
  worker.onmessage = ({ data }) => hearing.message(data)
  worker.onerror = (event) => {
    event.preventDefault?.()
    hearing.end(event.error ?? new Error(toldBy(event)))
  }
  worker.onmessageerror = () => hearing.end(new Error('a message could not be read'))
  worker.unref?.()
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    stop: () => worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref?.() : worker.unref?.()),
  }
}

/** @param {Partial<ErrorEvent>} event */
function toldBy({ message = 'its script was refused', filename, lineno }) {
  return filename ? `${message} (${filename}:${lineno})` : message
}

/**
 * The error where there is no worker.
 * @param {unknown} cause
 * @returns {MoreauError}
 */
export function unavailable(cause) {
  if (cause instanceof MoreauError) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  const advice =
    "a page with a Content-Security-Policy has to allow 'worker-src blob:', or gives " +
    "`worker: () => new Worker(...)` with the file of 'moreau/worker-script.js'"
  return new MoreauError(
    'worker-failed',
    `World: the worker could not be started (${why}); ${advice}`,
    { cause },
  )
}
