/**
 * The Redis of tests: what is written to its append-only file outlives a restart, and without the file it does not.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { startRedis } from '../scripts/redis-server.mjs'

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
