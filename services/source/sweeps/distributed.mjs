import { setTimeout as delay } from 'node:timers/promises'
import { checkRedis } from '../operations/index.mjs'
import { connectRedis } from '../operations/redis-connection.mjs'
import { enqueueChunks, failedChunks, runsUnderway, sweepQueue } from './queue.mjs'
import { chunkCount, missingChunks } from './spec.mjs'
import { startWorker } from './worker.mjs'

/** ms between two looks at how many chunks are done */
const LOOK = 100
/** Looks after which failed jobs are looked for, too. */
const LOOKS_PER_CHECK = 10

/**
 * @typedef {import('./local.mjs').RunOptions & { url: string, lease: number, log?: import('pino').Logger }} DistributedOptions
 *   `workers` are processes of this machine, and may be 0 where others work; `lease` as in `WorkerOptions`
 */

/**
 * Makes what is missing of a sweep by jobs that this machine and any others take, and waits for it.
 *
 * @param {DistributedOptions} options its store is that of a Redis
 * @returns {Promise<boolean>} whether all is done; false if somebody ended or cancelled it
 * @throws {import('../operations/index.mjs').RedisClusterError}
 */
export async function runDistributed(options) {
  const { store, spec, url, workers, signal, log } = options
  await checkRedis(url)
  const connection = connectRedis(url, (error) => log?.warn({ err: error }, 'redis'))
  const queue = sweepQueue(connection)
  const worker = workers > 0 ? startWorker(options) : undefined
  try {
    // Whoever resumes a sweep has mended what made chunks fail.
    for (const job of await failedChunks(queue, spec.id)) await job.remove()
    await enqueueChunks(queue, spec.id, missingChunks(spec, await store.done()))
    return await waitForChunks(options, queue)
  } finally {
    await worker?.close(signal?.aborted === false)
    await queue.close()
    connection.disconnect()
  }
}

/** @param {DistributedOptions} options @param {ReturnType<typeof sweepQueue>} queue @returns {Promise<boolean>} */
async function waitForChunks({ store, spec, scenes, lease, signal, onProgress }, queue) {
  const chunks = chunkCount(spec)
  const progress = { done: -1, since: performance.now(), runs: -1 }
  const tell = (/** @type {number} */ runs) => {
    if (runs <= progress.runs) return
    progress.runs = runs
    onProgress?.(Math.min(runs, spec.space.runs))
  }
  for (let look = 0; !signal?.aborted; look++) {
    const done = await store.doneCount()
    if (done !== progress.done) {
      Object.assign(progress, { done, since: performance.now() })
      tell(done * spec.chunk)
    }
    const state = await store.state()
    if (state === 'conflicting')
      throw new Error(
        `sweep ${spec.id}: the same runs came to other rows; the scene is not deterministic`,
      )
    if (done === chunks) return true
    if (state === 'cancelled') return false
    if (look % LOOKS_PER_CHECK === 0) {
      await refuseFailed(queue, spec.id, chunks - done)
      tell(done * spec.chunk + (await runsUnderway(queue, spec.id)))
    }
    if (performance.now() - progress.since > lease * 1000) {
      // What Redis lost, as it does without its append-only file, is added again; to what it has, this does nothing.
      if (!(await store.read())) await store.create(spec, scenes)
      await enqueueChunks(queue, spec.id, missingChunks(spec, await store.done()))
      progress.since = performance.now()
    }
    await delay(LOOK)
  }
  return false
}

/**
 * @param {ReturnType<typeof sweepQueue>} queue
 * @param {string} id of the sweep
 * @param {number} missing
 * @throws if nothing but failed chunks is left
 */
async function refuseFailed(queue, id, missing) {
  const failed = await failedChunks(queue, id)
  if (failed.length < missing) return
  const [{ data, failedReason }] = failed
  throw new Error(
    `sweep ${id}: ${failed.length} chunks failed, the first of them, ${data.index}, because: ${failedReason}`,
  )
}
