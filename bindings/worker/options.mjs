import {
  checkNames,
  readFunction,
  readNonNegative,
  readObject,
  readWord,
} from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { DEFAULT_TIMEOUT, readTimeout } from '../core/patience.mjs'
import { readAddress } from './functions.mjs'

/** @import { MakeWorker } from './start.mjs' */

/**
 * @typedef {object} WorkerOptions
 * @property {'auto' | 'shared' | 'transferred'} [transport] how poses come: in memory that both threads share, or in
 *   buffers that go back and forth. Default `'auto'`: shared where the host has it, as Node does, and pages that are served
 *   with `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`
 * @property {number} [snapshotEvery] seconds of the world after which the worker sends its state, for `restart`; 0: never;
 *   default 1
 * @property {number} [delay] how many steps behind the worker's time `interpolate` draws, 0 or more; default 2: so that
 *   there is a frame on either side of what is drawn
 * @property {number} [timeout] seconds after which a worker that does not answer has failed: at its start, and when somebody waits
 *   for it later, from the last answer that came; default 30; Infinity: never
 * @property {() => unknown} [worker] makes the worker, where the package may not: `() => new Worker(address)` of the file
 *   `moreau/worker-script.js`
 * @property {string | URL} [functions] address of a module that exports the functions of yours which run in steps: `constraints`
 *   and `potentials`, tables of those of custom constraints and potentials by `typeName`, and functions by whose names
 *   `contactFilter`, `contactModifier`, predicates of characters and `call` know them. The worker loads it, and so does this thread, for
 *   energies and violations: two copies, each with variables of its own
 */

const NAMES = Object.freeze([
  ...['transport', 'snapshotEvery', 'delay', 'timeout', 'worker', 'functions'],
])
const TRANSPORTS = Object.freeze(['auto', 'shared', 'transferred'])

/**
 * @param {unknown} given WorkerOptions
 */
export function readWorkerOptions(given) {
  const where = 'World.create: workerOptions'
  const options = /** @type {WorkerOptions} */ (readObject(given, where))
  checkNames(/** @type {any} */ (options), NAMES, where)
  const { transport = 'auto', snapshotEvery = 1, delay = 2, worker, functions } = options
  const { timeout = DEFAULT_TIMEOUT } = options
  readWord(transport, `${where}.transport`, TRANSPORTS)
  return {
    transport: transport === 'transferred' || !canShare(transport) ? 'transferred' : 'shared',
    snapshotEvery: readNonNegative(snapshotEvery, `${where}.snapshotEvery`),
    delay: readNonNegative(delay, `${where}.delay`),
    timeout: readTimeout(timeout, `${where}.timeout`),
    functions: readAddress(functions, `${where}.functions`),
    worker:
      worker === undefined
        ? undefined
        : /** @type {MakeWorker} */ (readFunction(worker, `${where}.worker`)),
  }
}

/** @param {string} transport that was asked for */
function canShare(transport) {
  // A page has the class without the right to post its memory, in some browsers.
  const can = typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false
  if (can || transport !== 'shared') return can
  throw new MoreauError(
    'not-supported',
    "World.create: workerOptions.transport: there is no shared memory here; a page has it if it is served with 'Cross-Origin-Opener-Policy: same-origin' and 'Cross-Origin-Embedder-Policy: require-corp'",
  )
}
