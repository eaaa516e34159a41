/**
 * The Redis of tests: what is written to its append-only file outlives a restart, and without the file it does not. And a Redis Cluster, which
 * the services refuse by name.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { startRedis } from '../scripts/redis-server.mjs'
import { checkRedis, RedisClusterError } from '../source/operations/index.mjs'
import { startRoomServer } from '../source/rooms/index.mjs'
import { stacks } from '../source/scenes/stacks.mjs'
import { runCommand } from './sweeps/command.mjs'
import { inFolder, scenes } from './sweeps/support.mjs'

for (const appendOnly of [true, false]) {
  test(`a restart ${appendOnly ? 'keeps' : 'loses'} the data ${appendOnly ? 'with' : 'without'} append-only file`, async () => {
    const server = await startRedis({ appendOnly })
    const client = new Redis(server.url)
    try {
      await client.set('key', 'value')
      await server.restart()
      assert.equal(await client.get('key'), appendOnly ? 'value' : null)
    } finally {
      client.disconnect()
      await server.stop()
    }
  })
}

test('a node of a cluster is refused, and a list of nodes: by name, with what to give instead', async () => {
  const server = await startRedis({ isCluster: true })
  try {
    const advice = /Redis Cluster.*Give the address of a single Redis/
    for (const url of [server.url, `${server.url},${server.url}`]) {
      await assert.rejects(checkRedis(url), (error) => {
        assert.ok(error instanceof RedisClusterError)
        assert.match(error.message, advice)
        return error.message.includes(url)
      })
      await inFolder(async (folder) => {
        const die = ['sweep', `${scenes}/die.mjs`, '--grid', 'friction=0.1:0.9:8']
        for (const words of [die, ['worker'], ['status'], ['rooms']]) {
          const { status, stderr } = runCommand([...words, '--redis', url], folder)
          assert.equal(status, 1, stderr)
          assert.match(stderr, advice)
        }
      })
    }
    const rooms = startRoomServer({ port: 0, redis: server.url, scenes: [stacks] })
    await assert.rejects(rooms, RedisClusterError)
  } finally {
    await server.stop()
  }
})
