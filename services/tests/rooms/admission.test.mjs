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
import { ANY_LOAD, joinBot, RoomProcess, until } from '../../scripts/rooms/processes.mjs'
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

/** An admission whose clock is set by hand, and that was as busy for some seconds. @param {number} busy @param {number} size @param {{ rooms?: number }} [limits] */
function admissionOf(busy, size, { rooms: most = 1000 } = {}) {
  const clock = { time: 0 }
  const load = { busy, onMeasured() {}, leaveOut() {} }
  const rooms = { size }
  const admission = new Admission({ rooms: most, busy: 0.75 }, rooms, load, () => clock.time)
  const pass = (/** @type {number} */ seconds) => {
    for (let second = 0; second < seconds; second++) {
      clock.time += 1000
      load.onMeasured()
    }
  }
  pass(3)
  return { admission, clock, load, rooms, pass }
}

/** @param {Admission} admission */
const takeOne = (admission) =>
  admission.take(
    () => 1,
    (room) => Promise.resolve(room),
  )

test('rooms that came since the load was measured count as load, until they are in what is measured', async () => {
  const { admission, clock, load, rooms, pass } = admissionOf(0.6, 100)
  let taken = 0
  for (; !admission.refusal; taken++) {
    clock.time += 10
    await takeOne(admission)
  }
  // Of 100 rooms each took 0.006: 0.15 are 25 of them.
  assert.ok(taken === 25 || taken === 26, `${taken} rooms`)
  clock.time = 3000
  load.busy = 0.7
  rooms.size += taken
  pass(1)
  // The last of them came 0.26 s after the second began, the first 0.01 s.
  const missing = Array.from({ length: taken }, (_, i) => (i + 1) / 100).reduce((a, b) => a + b)
  const expected = 0.7 + (0.7 / rooms.size) * missing
  assert.ok(Math.abs(admission.busy - expected) < 1e-12, `${admission.busy}, not ${expected}`)
  pass(2)
  assert.equal(admission.busy, 0.7, 'all are in what is measured')
})

test('one busy second refuses nobody, three do', () => {
  const { admission, load, pass } = admissionOf(0.4, 100)
  load.busy = 0.95
  pass(2)
  assert.equal(admission.busy, 0.4)
  const early = admission.refusal
  pass(1)
  assert.deepEqual([early, admission.refusal?.reason], [undefined, 'busy'])
})

test('a burst is let in as far as there is room: the making of rooms is no load, and takes its turns', async () => {
  let leftOut = 0
  const load = {
    busy: 0.4,
    onMeasured() {},
    leaveOut: (/** @type {number} */ ms) => (leftOut += ms),
  }
  const rooms = new Map()
  for (let i = 0; i < 40; i++) rooms.set(`old ${i}`, i)
  const admission = new Admission({ rooms: 60, busy: 0.75 }, rooms, load)
  load.onMeasured()
  const order = /** @type {number[]} */ ([])
  const wish = (/** @type {number} */ i) =>
    admission.take(
      () => order.push(i),
      async (room) => {
        rooms.set(`new ${i}`, room)
        return room
      },
    )
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => wish(i)))
  // Twenty places were left, and 0.35 of the time is more than twenty rooms are counted as: none is refused but for the number.
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 20)
  assert.deepEqual(
    order,
    Array.from({ length: 20 }, (_, i) => i),
  )
  for (const result of results.slice(20)) {
    assert.equal(result.status, 'rejected')
    assert.match(
      String(Object(result).reason.message),
      /there are 60 rooms, as many as this process takes/,
    )
  }
  assert.ok(leftOut > 0)
})

test('a wish whose turn would come too late is refused, and a wish that fails keeps no place', async () => {
  const { admission } = admissionOf(0, 0)
  // The clock stands still, so that no turn ever comes nearer: with 40 ms from one to the next 31 are within 1.2 s.
  const wishes = Array.from({ length: 60 }, () => takeOne(admission))
  const results = await Promise.allSettled(wishes)
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.equal(results.length - refused.length, 31)
  for (const result of refused)
    assert.match(String(Object(result).reason.message), /rooms that are being made/)
  const { admission: small } = admissionOf(0, 0, { rooms: 1 })
  const fails = () => {
    throw new Error('no scene')
  }
  await assert.rejects(
    small.take(fails, () => Promise.resolve(0)),
    /no scene/,
  )
  assert.equal(small.refusal, undefined)
  assert.equal(small.busy, 0)
})

test('players in processes of their own are told why, and with which numbers; those who play lose no frame', async () => {
  // Of how busy the machine is nothing depends here: they are refused as there are two rooms.
  const server = await RoomProcess.start(redis.url, { limits: { rooms: 2, busy: ANY_LOAD } })
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
        assert.deepEqual([error.reason, rooms, mostRooms, mostBusy], ['busy', 2, 2, ANY_LOAD])
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
