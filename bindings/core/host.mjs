// What the module is and what it needs of its surroundings, in the default entry.
// bindings/threads/host.mjs stands in its place in the bundle of `moreau/threads` (scripts/build.mjs).

import { imports } from './callbacks.mjs'

/** @import { EngineExports } from './engine-exports.mjs' */

/**
 * Surroundings of an instance.
 * @typedef {object} Host
 * @property {WebAssembly.Imports} imports
 * @property {WebAssembly.Memory} [memory] where the module imports it instead of exporting it
 * @property {(exports: EngineExports, module: WebAssembly.Module) => Promise<void>} start what the
 *   instance works with; settles when that is there
 * @property {() => void} stop ends what was started
 */

/** What init and initSync know. @type {readonly string[]} */
export const OPTION_NAMES = ['wasm']

/**
 * @param {Record<string, unknown>} options of init or initSync
 * @param {string} where
 * @returns {Host}
 */
export function createHost(options, where) {
  void options
  void where
  return { imports, start: async () => {}, stop() {} }
}
