/**
 * More rooms than a process takes: they are refused by a named error with numbers, before anything of them is built, and the rooms that run keep
 * every tick.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { init } from 'moreau'
import { FRAME_TIME } from '../../source/netcode/events.mjs'
import { RoomClient, RoomRefused } from '../../source/client/index.mjs'
import { Admission } from '../../source/rooms/admission.mjs'
import { beginRoom } from '../../source/rooms/pick-up.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'
import { joinBot, RoomProcess, until } from '../../scripts/rooms/processes.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'
import { makeStillHost } from '../../scripts/rooms/still-host.mjs'
import { startRedis } from '../../scripts/redis-server.mjs'

/** @type {Awaited<ReturnType<typeof startRedis>>} */
let redis
before(async () => {
  await init()
  redis = await startRedis()
})
after(() => redis.stop())

const WISH = { scene: 'stacks', options: { stacks: 1, height: 3 } }

test('ten times as many wishes as rooms: none of the others is built, and every running room makes every frame', async () => {
  let built = 0
  const build = (/** @type {any} */ world, /** @type {any} */ options) => {
    built++
    stacks.build(world, options)
  }
  const clock = { time: 0 }
  const host = makeStillHost(clock, { limits: { rooms: 10 }, scene: { ...stacks, build } })
  let refused = 0
  for (let frame = 0; frame < 120; frame++) {
    clock.time += FRAME_TIME
    for (const room of host.rooms.values()) room.tick(clock.time)
    try {
      const room = await beginRoom(host, String(frame), WISH)
      host.rooms.set(room.id, room)
    } catch (error) {
      assert.equal(Object(error).reason, 'busy')
      refused++
    }
  }
  assert.deepEqual([built, refused], [10, 110])
  const made = [...host.rooms.values()].map(({ authority }) => authority.frame)
  assert.deepEqual(
    made,
    Array.from({ length: 10 }, (_, begun) => 119 - begun),
  )
  for (const room of host.rooms.values()) room.close()
})

test('a room has no more bodies and shapes than it may', async () => {
  for (const [limits, message] of /** @type {[object, RegExp][]} */ ([
    [{ bodies: 7 }, /8 bodies; a room has 7/],
    [{ shapes: 7 }, /8 shapes; a room has 7/],
  ])) {
    const host = makeStillHost({ time: 0 }, { limits })
    await assert.rejects(beginRoom(host, 'large', WISH), (error) => {
      assert.equal(Object(error).reason, 'rules')
      assert.match(Object(error).message, message)
      return true
    })
  }
})

test('rooms that came since the load was measured count as load: a burst is not let in', () => {
  const load = { busy: 0.6, onMeasured() {} }
  const rooms = { size: 100 }
  const admission = new Admission({ rooms: 1000, busy: 0.75 }, rooms, load)
  load.onMeasured()
  let taken = 0
  for (; !admission.refusal && taken < 1000; taken++) admission.take()
  // Of 100 rooms each took 0.006: 0.15 are 25 of them.
  assert.ok(taken === 25 || taken === 26, `${taken} rooms`)
  load.busy = 0.7
  rooms.size = 125
  load.onMeasured()
  assert.equal(admission.refusal, undefined, 'measured anew')
})

test('players in processes of their own are told why, and with which numbers; those who play lose no frame', async () => {
  const server = await RoomProcess.start(redis.url, { limits: { rooms: 2 } })
  const random = randomFrom(11)
  const options = { stacks: 2, height: 3 }
  const bots = [
    await joinBot([server], random, { options, isNew: true }),
    await joinBot([server], random, { options, isNew: true }),
  ]
  try {
    for (let i = 0; i < 40; i++) {
      const wish = RoomClient.join({
        ...{ scene: stacks, isNew: true },
        endpoints: [server.endpoint],
      })
      await assert.rejects(wish, (error) => {
        assert.ok(error instanceof RoomRefused)
        const { rooms, mostRooms, busy, mostBusy, retryAfter } = error.numbers
        assert.deepEqual([error.reason, rooms, mostRooms, mostBusy], ['busy', 2, 2, 0.75])
        assert.ok(Number(busy) >= 0 && Number(retryAfter) > 0)
        return true
      })
    }
    assert.equal(await server.refused('busy'), 40)
    const { roomId } = bots[0].client
    const { room: early } = await server.ask(roomId)
    const matched = bots.map(({ client }) => client.session.statistics.matches)
    await until(() =>
      bots.every(({ client }, i) => client.session.statistics.matches >= matched[i] + 2),
    )
    const { room: late } = await server.ask(roomId)
    // A room that left frames out would have moved the time of its first one.
    assert.equal(late.frameZero, early.frameZero)
    assert.ok(late.frame - early.frame >= 60)
    for (const { client } of bots) assert.equal(client.session.statistics.mismatches, 0)
  } finally {
    await Promise.all(bots.map((bot) => bot.leave()))
    await server.end('SIGKILL')
  }
})
