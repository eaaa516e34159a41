/**
 * Node's own module of this name, where the host has it: Node, Deno, Bun. Not an import, which
 * bundlers for browsers would stumble over.
 * @template {'buffer' | 'fs' | 'os' | 'worker_threads' | 'zlib'} Name
 * @param {Name} name
 * @returns {NodeModules[Name] | undefined}
 */
export function nodeModule(name) {
  try {
    return /** @type {any} */ (globalThis.process?.getBuiltinModule?.(name))
  } catch {
    return undefined // the edge runtime of Next.js has a `process` that throws where it is asked for this
  }
}

/**
 * @typedef {object} NodeModules
 * @property {typeof import('node:buffer')} buffer
 * @property {typeof import('node:fs')} fs
 * @property {typeof import('node:os')} os
 * @property {typeof import('node:worker_threads')} worker_threads
 * @property {typeof import('node:zlib')} zlib
 */
