import { ChunkPool } from './pool.mjs'
import { encodeRows } from './rows.mjs'
import { chunkAt, missingChunks } from './spec.mjs'

/**
 * @typedef {object} RunOptions
 * @property {import('./store.mjs').SweepStore} store
 * @property {import('./spec.mjs').SweepSpec} spec
 * @property {string} scenes folder of scenes on this machine
 * @property {number} workers
 * @property {number} deadline s that a chunk may take
 * @property {number} [memory] MB of JavaScript that a thread may hold, default 512
 * @property {AbortSignal} [signal] ends it; what is done stays
 * @property {(done: number) => void} [onProgress] gets the number of runs that are done
 */

/**
 * Makes what is missing of a sweep in threads of this process.
 *
 * @param {RunOptions} options
 * @returns {Promise<boolean>} whether all is done; false if somebody ended it
 */
export async function runLocally({ store, spec, scenes, signal, onProgress, ...options }) {
  const { workers, deadline, memory } = options
  const missing = missingChunks(spec, await store.done())
  let done = spec.space.runs - missing.reduce((sum, index) => sum + chunkAt(spec, index).count, 0)
  onProgress?.(done)
  const pool = new ChunkPool({ threads: workers, scenes, deadline, ...(memory ? { memory } : {}) })
  const failure = new AbortController()
  const ends = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])])

  const lane = async () => {
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
      ends.throwIfAborted()
      if ((await store.state()) === 'cancelled') return
      const chunk = chunkAt(spec, index)
      await store.put(index, encodeRows(await pool.run(spec, chunk, ends)))
      done += chunk.count
      onProgress?.(done)
    }
  }
  try {
    await Promise.all(Array.from({ length: workers }, lane))
    return done === spec.space.runs
  } catch (error) {
    failure.abort()
    if (signal?.aborted) return false
    throw error
  } finally {
    await pool.close()
  }
}
