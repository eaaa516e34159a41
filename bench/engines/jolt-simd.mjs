import { createRequire } from 'node:module'
import { peerFile } from './engine.mjs'
import { loadJolt } from './jolt-world.mjs'

const FILE = 'jolt-physics.multithread.wasm-compat.js'

/**
 * The only build with SIMD is the one with threads. Its module starts a pool of them, which in Node never come up, as the file does
 * not notice that it is in a thread. So each thread gets a file that starts it. No step uses one: mMaxWorkerThreads is 0.
 */
export function load() {
  const threads = createRequire(import.meta.url)('node:worker_threads')
  const { Worker } = threads
  const start = `import(${JSON.stringify(peerFile(`jolt-physics/dist/${FILE}`).href)}).then((jolt) => jolt.default())`
  threads.Worker = class extends Worker {
    /**
     * @param {unknown} _file
     * @param {import('node:worker_threads').WorkerOptions} options
     */
    constructor(_file, options) {
      super(start, { ...options, eval: true })
    }
  }
  return loadJolt(FILE).finally(() => (threads.Worker = Worker))
}
