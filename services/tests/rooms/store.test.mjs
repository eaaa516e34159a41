/**
 * Rooms in a real Redis that loses keys, is full, read-only, or whose clock is set: who has a room keeps it, and one alone.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startRedis } from '../../scripts/redis-server.mjs'
import { makeLog } from '../../source/operations/index.mjs'
import { StoreHealth } from '../../source/rooms/store-health.mjs'
import { RoomStore } from '../../source/rooms/store.mjs'

/** @typedef {import('../../source/rooms/store.mjs').Standing} Standing */

/** ms: leases of tests that wait for their end, and of those that must not see it */
const [SHORT, LONG] = [200, 600_000]
const HOUR = 3_600_000
const CHECKPOINT = Buffer.from('checkpoint')

/** @type {Awaited<ReturnType<typeof startRedis>>} */
let server
/** @type {Redis} */
let redis
/** @type {RoomStore[]} */
const stores = []

before(async () => {
  server = await startRedis()
  redis = new Redis(server.url)
})
after(async () => {
  for (const store of stores) store.close()
  redis.disconnect()
  await server.stop()
})
beforeEach(() => redis.flushall())

/** @param {string} owner @param {number} [lease] */
function storeOf(owner, lease = LONG) {
  const health = new StoreHealth(makeLog('store', { level: 'silent' }))
  const store = new RoomStore({ url: server.url, lease, owner, health })
  stores.push(store)
  return store
}

/** Ends all leases. */
async function endLeases() {
  for (const id of await redis.zrange('moreau:rooms', 0, -1))
    await redis.zadd('moreau:rooms', 0, id)
}

/** @param {RoomStore} store @param {string} id @param {number} epoch */
const standingOf = async (store, id, epoch) => (await store.renew(new Map([[id, epoch]]))).get(id)

const KEYS = ['moreau:rooms', 'moreau:room:a', 'moreau:room:a:log', 'moreau:clock']
/** All sets of keys but the empty one. */
const SETS = Array.from({ length: 2 ** KEYS.length - 1 }, (_, i) =>
  KEYS.filter((_key, bit) => ((i + 1) >> bit) & 1),
)

for (const lost of SETS) {
  test(`Redis without ${lost.join(', ')}: the process that has the room has it, and all of it, again`, async () => {
    const [store, other] = [storeOf('one'), storeOf('two')]
    await store.create('a', CHECKPOINT)
    assert.equal(await store.append('a', 1, ['first', 'second']), 'ours')
    await redis.del(...lost)
    // What others look for meanwhile takes nothing.
    assert.equal(await other.claim('a'), undefined)
    const isWritten = !lost.some((key) => key.startsWith('moreau:room:'))
    assert.equal(await store.append('a', 1, ['third']), isWritten ? 'ours' : 'gone')
    assert.equal(await standingOf(store, 'a', 1), isWritten ? 'ours' : 'gone')
    if (!isWritten) assert.equal(await store.checkpoint('a', 1, Buffer.from('whole')), 1)
    assert.equal(await standingOf(store, 'a', 1), 'ours')
    assert.deepEqual([await other.overdue(9), await other.claim('a')], [[], undefined])
    await endLeases()
    const stored = await other.claim('a')
    assert.deepEqual(
      [String(stored?.checkpoint), stored?.records.map(String), stored?.fault],
      isWritten
        ? ['checkpoint', ['first', 'second', 'third'], undefined]
        : ['whole', [], undefined],
    )
  })
}

for (const kind of ['string', 'list', 'set', 'hash of something else']) {
  test(`keys that somebody made a ${kind}: the process that has the room writes it again`, async () => {
    for (const key of KEYS) {
      await redis.flushall()
      const store = storeOf('one')
      await store.create('a', CHECKPOINT)
      await store.append('a', 1, ['first'])
      await redis.del(key)
      if (kind === 'string') await redis.set(key, 'no')
      else if (kind === 'list') await redis.rpush(key, 'no', 'never')
      else if (kind === 'set') await redis.sadd(key, 'no')
      else await redis.hset(key, { epoch: 'soon', wall: 'high', records: -1 })
      const standing = await store.append('a', 1, ['second'])
      if (standing === 'gone') assert.equal(await store.checkpoint('a', 1, CHECKPOINT), 1)
      assert.equal(await standingOf(store, 'a', 1), 'ours', key)
      await endLeases()
      const stored = await storeOf('two').claim('a')
      assert.deepEqual([String(stored?.checkpoint), stored?.fault], ['checkpoint', undefined], key)
    }
  })
}

describe('of two processes that think that they have a room, one goes on:', () => {
  /** Both do what processes do, in any order, until nothing changes. @param {RoomStore[]} all @param {number[]} epochs @param {number} order */
  async function settle(all, epochs, order) {
    const alive = new Set(all.keys())
    for (let round = 0; round < 4; round++) {
      for (const i of order & (1 << round) ? [1, 0] : [0, 1]) {
        if (!alive.has(i)) continue
        const standing = await (order & 16
          ? all[i].append('a', epochs[i], ['x'])
          : standingOf(all[i], 'a', epochs[i]))
        if (standing === 'gone') epochs[i] = await all[i].checkpoint('a', epochs[i], CHECKPOINT)
        if (standing === 'lost' || epochs[i] === 0) alive.delete(i)
      }
    }
    return [...alive]
  }

  for (const { name, epochs, kept, winner } of [
    { name: 'one was away and the other took it', epochs: [1, 2], kept: true, winner: 1 },
    { name: 'the same, and Redis lost all', epochs: [1, 2], kept: false, winner: 1 },
    { name: 'the same epoch in both, and Redis lost all', epochs: [2, 2], kept: false },
    { name: 'Redis came back to a past in which the other took it', epochs: [2, 2], kept: true },
    { name: 'and to one that is longer ago', epochs: [5, 2], kept: true, winner: 0 },
  ]) {
    test(name, async () => {
      for (let order = 0; order < 32; order++) {
        await redis.flushall()
        const all = [storeOf('one'), storeOf('two')]
        if (kept) {
          await all[1].create('a', CHECKPOINT)
          await redis.hset('moreau:room:a', 'epoch', epochs[1])
        }
        const alive = await settle(all, [...epochs], order)
        assert.equal(alive.length, 1, `order ${order}`)
        if (winner !== undefined) assert.deepEqual(alive, [winner], `order ${order}`)
        for (const store of all) store.close()
      }
    })
  }

  test('two that claim it at once, twenty times', async () => {
    const all = Array.from({ length: 8 }, (_, i) => storeOf(`claims ${i}`))
    await all[0].create('a', CHECKPOINT)
    for (let time = 0; time < 20; time++) {
      await endLeases()
      const claims = await Promise.all(all.map((store) => store.claim('a')))
      assert.deepEqual(
        claims.flatMap((one) => (one ? [one.epoch] : [])),
        [time + 2],
      )
    }
  })
})

/** Sets the clock of Redis: what it shows now less what it showed last is all that scripts know of it. @param {number} jump ms */
async function jumpBy(jump) {
  const wall = Number(await redis.hget('moreau:clock', 'wall'))
  await redis.hset('moreau:clock', 'wall', wall - Math.round(jump))
}

describe('a lease', () => {
  for (const jump of [1, -1, 600, -600]) {
    test(`does not end because the clock of Redis jumps by ${jump} hours, and ends after it`, async () => {
      const [store, other] = [storeOf('one'), storeOf('two')]
      await store.create('a', CHECKPOINT)
      await jumpBy(jump * HOUR)
      assert.equal(await other.claim('a'), undefined)
      assert.equal(await standingOf(store, 'a', 1), 'ours')
      // Nobody renews it any more, while others look often.
      for (let time = 0; time < 4; time++) {
        assert.equal(await other.claim('a'), undefined, `after ${time} times 0.24 of a lease`)
        await jumpBy(0.24 * LONG)
        await other.overdue(1)
      }
      await jumpBy(0.24 * LONG)
      assert.equal((await other.claim('a'))?.epoch, 2)
    })
  }

  for (const garbage of ['+inf', '-inf', '9e18', '-5', '1e-300']) {
    test(`of ${garbage} is none`, async () => {
      const store = storeOf('one')
      await store.create('a', CHECKPOINT)
      await redis.zadd('moreau:rooms', garbage, 'a')
      assert.deepEqual(await store.overdue(9), ['a'])
      assert.equal((await store.claim('a'))?.epoch, 2)
      assert.deepEqual(await store.overdue(9), [])
    })
  }

  test('of a room that is handed over is over, also where the clock was lost', async () => {
    const [store, other] = [storeOf('one'), storeOf('two')]
    await store.create('a', CHECKPOINT)
    await store.handOver('a', 1)
    await redis.del('moreau:clock')
    assert.equal((await other.claim('a'))?.epoch, 2)
  })
})

describe('Redis that refuses to write:', () => {
  test('full: leases hold, a room takes the place of its older self, all else is refused and told', async () => {
    const store = storeOf('one', SHORT)
    await store.create('a', CHECKPOINT)
    await redis.config('SET', 'maxmemory', '1')
    try {
      await assert.rejects(store.append('a', 1, ['first']), /OOM/)
      await assert.rejects(store.create('b', CHECKPOINT), /OOM/)
      assert.match(String(store.health.trouble?.reason), /OOM command not allowed/)
      assert.equal(store.health.trouble?.cause, 'OOM')
      for (let time = 0; time < 4; time++) {
        await delay(SHORT / 2)
        assert.equal(await standingOf(store, 'a', 1), 'ours')
      }
      assert.equal(await storeOf('two', SHORT).claim('a'), undefined)
      assert.equal(await store.checkpoint('a', 1, Buffer.from('newer')), 1)
      await assert.rejects(store.probe(), /OOM/)
      assert.equal(store.health.trouble?.cause, 'OOM')
    } finally {
      await redis.config('SET', 'maxmemory', '0')
    }
    await store.probe()
    assert.equal(store.health.trouble, undefined)
    assert.equal(await store.append('a', 1, ['first']), 'ours')
  })

  test('a replica: nothing is lost, and nobody takes a room before its process can write again', async () => {
    const [store, other] = [storeOf('one', SHORT), storeOf('two', SHORT)]
    await store.create('a', CHECKPOINT)
    await redis.replicaof('127.0.0.1', String(server.port + 1))
    try {
      for (const refused of [
        () => store.append('a', 1, ['first']),
        () => store.renew(new Map([['a', 1]])),
        () => store.checkpoint('a', 1, CHECKPOINT),
        () => other.claim('a'),
      ])
        await assert.rejects(refused(), /READONLY/)
      assert.equal(store.health.trouble?.cause, 'READONLY')
      await delay(2 * SHORT)
    } finally {
      await redis.replicaof('NO', 'ONE')
    }
    assert.equal(await other.claim('a'), undefined, 'the time of leases stood still')
    assert.equal(await standingOf(store, 'a', 1), 'ours')
    await store.probe()
    assert.equal(store.health.trouble, undefined)
  })
})

test('what is put aside is kept with its reason, for three days; another process’s room is not', async () => {
  const store = storeOf('one')
  await store.create('a', CHECKPOINT)
  await store.append('a', 1, ['first'])
  await store.putAside('a', 1, 'unreadable: no')
  const names = ['moreau:aside:a', 'moreau:aside:a:log', 'moreau:aside:a:reason']
  assert.equal(String(await redis.hget(names[0], 'checkpoint')), 'checkpoint')
  assert.deepEqual(await redis.lrange(names[1], 0, -1), ['first'])
  assert.equal(await redis.get(names[2]), 'unreadable: no')
  for (const name of names) {
    const days = (await redis.pttl(name)) / (24 * HOUR)
    assert.ok(days > 2.99 && days <= 3, `${name}: ${days} days`)
  }
  assert.deepEqual(await redis.exists('moreau:room:a', 'moreau:room:a:log'), 0)
  assert.equal(await redis.zscore('moreau:rooms', 'a'), null)
  const other = storeOf('two')
  await other.create('b', CHECKPOINT)
  await endLeases()
  assert.equal((await store.claim('b'))?.epoch, 2)
  await other.putAside('b', 1, 'no')
  assert.equal(await redis.exists('moreau:room:b'), 1)
})
