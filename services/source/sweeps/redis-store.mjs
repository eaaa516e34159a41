import { sealRows } from './sealed-chunk.mjs'
import { checkSpec } from './spec.mjs'
import { compareRows, NotDeterministic } from './store.mjs'

/** @import { Redis } from 'ioredis' */
/** @typedef {import('./store.mjs').SweepStore} SweepStore */

/** The set of all sweeps of a Redis. */
const SWEEPS = 'moreau:sweeps'

/**
 * A sweep in Redis: a hash of what it is, and a hash of its chunks.
 *
 * @param {Redis} connection stays open
 * @param {string} id of the sweep
 * @returns {SweepStore}
 */
export function redisStore(connection, id) {
  const [sweep, chunks] = [`moreau:sweep:${id}`, `moreau:sweep:${id}:chunks`]
  const setState = async (/** @type {string} */ to) =>
    void (await connection.hset(sweep, { state: to }))
  const state = async () =>
    /** @type {import('./store.mjs').SweepState} */ (
      (await connection.hget(sweep, 'state')) ?? 'running'
    )
  return {
    id,
    async create(spec, scenes) {
      await connection.hset(sweep, { spec: JSON.stringify(spec), scenes })
      await connection.sadd(SWEEPS, id)
      if ((await state()) === 'cancelled') await setState('running')
    },
    async read() {
      const [spec, scenes] = await connection.hmget(sweep, 'spec', 'scenes')
      return spec === null ? undefined : { spec: readSpec(id, spec), scenes: scenes ?? '' }
    },
    state,
    setState,
    done: async () => new Set((await connection.hkeys(chunks)).map(Number)),
    doneCount: () => connection.hlen(chunks),
    async put(index, rows) {
      // The field is the key that makes it idempotent: whoever comes second changes nothing.
      const sealed = sealRows(id, index, rows)
      if ((await connection.hsetnx(chunks, String(index), sealed)) === 1) return true
      const kept = await connection.hgetBuffer(chunks, String(index))
      const found = kept ? compareRows(id, index, kept, rows) : 'same'
      if (found === 'same') return false
      if (found === 'damaged') {
        await connection.hset(chunks, String(index), sealed)
        return true
      }
      await setState('conflicting')
      throw new NotDeterministic(index)
    },
    async get(index) {
      const rows = await connection.hgetBuffer(chunks, String(index))
      if (!rows) throw new Error(`sweep ${id}: chunk ${index} is not in Redis`)
      return rows
    },
    removalOf: (index) => `redis-cli HDEL ${chunks} ${index}`,
  }
}

/** @param {string} id @param {string} text @returns {import('./spec.mjs').SweepSpec} */
function readSpec(id, text) {
  try {
    const spec = JSON.parse(text)
    checkSpec(id, spec)
    return spec
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new Error(`sweep ${id}: what Redis has of it is damaged: ${message}`, { cause: error })
  }
}

/** @param {Redis} connection @returns {Promise<string[]>} ids of all sweeps */
export const sweepsInRedis = async (connection) => (await connection.smembers(SWEEPS)).sort()
