/**
 * The sandboxed processor of BullMQ: a process that makes chunks, one at a time, and writes their rows.
 */
import { connectRedis } from '../operations/redis-connection.mjs'
import { ChunkPool, sharedNumber } from './pool.mjs'
import { redisStore } from './redis-store.mjs'
import { encodeRows } from './rows.mjs'
import { chunkAt } from './spec.mjs'

/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {import('bullmq').SandboxedJob<import('./queue.mjs').ChunkJob>} Job */

/** ms: how often it is told how far a chunk is. Most chunks are done before the first time, and cost Redis nothing more. */
const TELL_EVERY = 1000

/** @type {{ url: string, scenes: string, deadline: number }} what `startWorker` hands over */
const { url, scenes, deadline } = JSON.parse(process.env.MOREAU_SWEEP_WORKER ?? '{}')
const connection = connectRedis(url)
const pool = new ChunkPool({ threads: 1, scenes, deadline })
// Nobody is left to tell what a worker's child has done once the worker is dead.
process.on('disconnect', () => process.exit(1))

/** @type {Map<string, SweepSpec>} */
const specs = new Map()

/** @param {import('./store.mjs').SweepStore} store @returns {Promise<SweepSpec>} */
async function specOf(store) {
  const known = specs.get(store.id)
  if (known) return known
  const sweep = await store.read()
  if (!sweep) throw new Error(`there is no sweep ${store.id} in Redis`)
  specs.set(store.id, sweep.spec)
  return sweep.spec
}

/** @param {Job} job @param {number} runs that are made */
async function tell(job, runs) {
  if (runs === 0) return
  // It is for the eye alone, and another second brings another chance.
  await job.updateProgress({ runs }).catch(() => {})
}

/**
 * @param {Job} job
 * @returns {Promise<{ runs: number, failed: number }>}
 */
export default async function makeChunk(job) {
  const { id, index } = job.data
  const store = redisStore(connection, id)
  if ((await store.state()) !== 'running') return { runs: 0, failed: 0 }
  const spec = await specOf(store)
  const made = sharedNumber()
  const timer = setInterval(() => void tell(job, made[0]), TELL_EVERY)
  try {
    const rows = await pool.run(spec, chunkAt(spec, index), undefined, made)
    await store.put(index, encodeRows(rows))
    return { runs: rows.count, failed: Object.keys(rows.errors).length }
  } finally {
    clearInterval(timer)
  }
}
