// Moreau on several threads: the default entry with another module, bindings/threads/host.mjs.

import * as loader from '../core/loader.mjs'

export * from '../index.mjs'

/** @import { InitOptions, InitSyncOptions } from '../core/loader.mjs' */

/**
 * @typedef {object} ThreadOptions
 * @property {number} [threads] on how many threads a step runs, with the one that calls it: 1 to 64;
 *   default: as many as the processor has, at most 8. Steps come to the same bits for any number
 * @property {number} [timeout] seconds within which the helper threads have to start, default 30; Infinity: no end
 */

/**
 * Loads the engine and starts its helper threads. `World.create` does it too, with the default
 * number of threads.
 *
 * More than one thread needs `SharedArrayBuffer`: Node has it; a web page has it if it is served
 * with the headers `Cross-Origin-Opener-Policy: same-origin` and
 * `Cross-Origin-Embedder-Policy: require-corp`.
 *
 * Helpers sleep between steps, and do not keep Node running.
 *
 * @type {(options?: InitOptions & ThreadOptions) => Promise<void>} rejects with
 *   `threads-unavailable`, `wasm-failed` or `invalid-argument`
 *
 * @example
 * import { init, World } from 'moreau/threads'
 * await init({ threads: 4 })
 */
export const init = loader.init

/**
 * Loads the engine at once. Helper threads take part in steps as soon as they are there.
 *
 * @type {(options?: InitSyncOptions & ThreadOptions) => void} throws `threads-unavailable`,
 *   `wasm-failed`, `invalid-argument`
 */
export const initSync = loader.initSync
