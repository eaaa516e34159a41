/**
 * Sweeps over Redis come to the rows of one process.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startRedis } from '../../scripts/redis-server.mjs'
import {
  connectRedis,
  folderStore,
  openTable,
  redisStore,
  runDistributed,
  runLocally,
  summarize,
} from '../../source/sweeps/index.mjs'
import { DEADLINE, hashOf, inFolder, scenes, specOf, undisturbed } from './support.mjs'

/** @type {import('../../scripts/redis-server.mjs').RedisServer} */
let redis
/** @type {import('ioredis').Redis} */
let connection
before(async () => {
  redis = await startRedis()
  connection = connectRedis(redis.url)
})
after(async () => {
  connection.disconnect()
  await redis.stop()
})

test('a grid sweep over BullMQ has the hash of one thread without Redis', () =>
  inFolder(async (folder) => {
    const axes = ['grid friction=0.1:0.9:8', 'latin speed=0.1:1', 'sobol spin=0:20']
    const spec = specOf('die.mjs', axes, { runs: 320, chunk: 16 })
    const hash = await hashOf(await undisturbed(spec, folder), spec)
    const store = redisStore(connection, spec.id)
    await store.create(spec, scenes)
    /** @type {number[]} */
    const progress = []
    const onProgress = (/** @type {number} */ done) => progress.push(done)
    const options = { store, spec, scenes, url: redis.url, deadline: DEADLINE, lease: 5 }
    assert.equal(await runDistributed({ ...options, workers: 2, onProgress }), true)
    assert.equal(await hashOf(store, spec), hash)
    assert.equal(progress.at(-1), 320)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    const left = await connection.keys('bull:moreau-sweeps:*die*')
    assert.deepEqual(left, [], 'jobs that are done leave nothing')
  }))

/** What troubled-die.mjs calls them, and s that a chunk may take. */
const TROUBLES = { 'one run in 16 throws': [1, DEADLINE], 'one run in 16 hangs': [2, 3] }

for (const [name, [trouble, deadline]] of Object.entries(TROUBLES)) {
  test(`${name}: over BullMQ it is told as without, and the hash is the same`, () =>
    inFolder(async (folder) => {
      const axes = [`grid trouble=${trouble}`, 'latin lot=0:1', 'random speed=0.1:1']
      const spec = specOf('troubled-die.mjs', axes, { runs: 16, chunk: 8 })
      const local = folderStore(folder, spec.id)
      await local.create(spec, scenes)
      await runLocally({ store: local, spec, scenes, workers: 1, deadline })
      const store = redisStore(connection, spec.id)
      await store.create(spec, scenes)
      const options = { store, spec, scenes, url: redis.url, deadline, lease: 5 }
      assert.equal(await runDistributed({ ...options, workers: 2 }), true)
      const { failed, failures } = await summarize(await openTable(store, spec))
      assert.deepEqual([failed, failures[0].seed], [1, 2 ** 32 + failures[0].run])
      assert.equal(await hashOf(store, spec), await hashOf(local, spec))
    }))
}

test('of a chunk that takes long it is told how far it is', () =>
  inFolder(async () => {
    const spec = specOf('slow.mjs', ['grid seconds=0.3'], { runs: 12, chunk: 12 })
    const store = redisStore(connection, spec.id)
    await store.create(spec, scenes)
    /** @type {number[]} */
    const progress = []
    const onProgress = (/** @type {number} */ done) => progress.push(done)
    const options = { store, spec, scenes, url: redis.url, deadline: DEADLINE, lease: 30 }
    assert.equal(await runDistributed({ ...options, workers: 1, onProgress }), true)
    assert.deepEqual([progress[0], progress.at(-1)], [0, 12])
    assert.ok(
      progress.some((done) => done > 0 && done < 12),
      `told: ${progress}`,
    )
  }))
