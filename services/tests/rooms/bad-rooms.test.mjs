/**
 * Rooms with which nobody can go on: what is wrong is told, each time, and nothing but a sound room is ever gone on with.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init } from 'moreau'
import { BAD_ROOMS } from '../../scripts/rooms/bad-rooms.mjs'
import { makeStillHost } from '../../scripts/rooms/still-host.mjs'
import { FRAME_TIME } from '../../source/netcode/events.mjs'
import { decodeCheckpoint, encodeCheckpoint } from '../../source/rooms/checkpoint.mjs'
import { LIMITS } from '../../source/rooms/limits.mjs'
import { beginRoom, openStored, pickUpRoom, RoomFault } from '../../source/rooms/pick-up.mjs'
import { Seat } from '../../source/rooms/seat.mjs'
import { inSlices } from '../../source/rooms/slices.mjs'

before(() => init())

/** A room that was written down after a second with a player. */
async function storedRoom() {
  const clock = { time: 1000 }
  const room = await beginRoom(makeStillHost(clock), 'room', {
    scene: 'stacks',
    options: { stacks: 1, height: 2 },
  })
  room.enter(
    new Seat(
      LIMITS,
      () => {},
      () => {},
    ),
    {},
  )
  for (let frame = 0; frame < 60; frame++) room.tick((clock.time += FRAME_TIME))
  const checkpoint = room.journal.encode()
  const hash = room.authority.simulation.hash()
  room.close()
  return { clock, checkpoint, hash }
}

/** @param {RegExp | string} kind */
const fault = (kind) => (/** @type {unknown} */ error) => {
  assert.ok(error instanceof RoomFault, String(error))
  assert.match(error.kind, new RegExp(kind))
  assert.ok(error.message.length > 5 && error.message.length < 300, error.message)
  return true
}

test('a checkpoint of which any bit is flipped, or that is cut anywhere, is refused at first sight', async () => {
  const { clock, checkpoint } = await storedRoom()
  const host = makeStillHost(clock)
  const open = (/** @type {Buffer} */ bytes) =>
    openStored(host, 'room', { epoch: 2, owner: 'x', checkpoint: bytes, records: [] })
  open(checkpoint)
  for (let byte = 0; byte < checkpoint.length; byte += byte < 64 ? 1 : 37) {
    const bad = Buffer.from(checkpoint)
    bad[byte] ^= 1 << (byte % 8)
    assert.throws(() => open(bad), fault('unreadable'), `byte ${byte}`)
    assert.throws(() => open(checkpoint.subarray(0, byte)), fault('unreadable'), `cut at ${byte}`)
  }
})

test('each kind of bad room is found: wrong types and records by the store, all else by who opens it', async () => {
  const { clock, checkpoint } = await storedRoom()
  const host = makeStillHost(clock)
  const seed = decodeCheckpoint('room', checkpoint)
  let opened = 0
  for (const [name, { kind, make }] of Object.entries(BAD_ROOMS)) {
    const [id, room] = ['bad-3', 'moreau:room:bad-3']
    const wrote = { checkpoint: /** @type {Buffer | undefined} */ (undefined), records: [] }
    const commands = {
      hset: (/** @type {string} */ _, /** @type {any} */ fields) => {
        wrote.checkpoint = Buffer.from(fields.checkpoint)
        return commands
      },
      rpush: (/** @type {string} */ key, /** @type {any} */ line) => {
        if (key !== room) wrote.records.push(/** @type {never} */ (Buffer.from(line)))
        return commands
      },
      set: () => commands,
    }
    make(/** @type {any} */ (commands), {
      ...{ id, room, log: `${room}:log` },
      checkpoint: encodeCheckpoint(id, seed),
    })
    // What Redis itself finds out is tested with a real one.
    if (!wrote.checkpoint || /log|epoch/.test(name)) continue
    const { checkpoint: bytes, records } = wrote
    const stored = { epoch: 2, owner: 'x', checkpoint: bytes, records }
    assert.throws(() => pickUpRoom(host, { id, stored }), fault(kind), name)
    opened++
  }
  assert.ok(opened >= 13, `${opened} kinds`)
})

test('a room from before there were checksums goes on', async () => {
  const { clock, checkpoint, hash } = await storedRoom()
  // Its head is 24 bytes.
  const stored = { epoch: 2, owner: 'x', checkpoint: checkpoint.subarray(24), records: [] }
  const line = { frame: 62, first: 1, events: [], tokens: [] }
  const records = [Buffer.from(JSON.stringify(line))]
  const room = pickUpRoom(makeStillHost(clock), { id: 'room', stored })
  assert.equal(room.authority.simulation.hash(), hash)
  room.close()
  const later = pickUpRoom(makeStillHost(clock), { id: 'room', stored: { ...stored, records } })
  assert.equal(later.authority.frame, 62)
  later.close()
})

for (const hours of [1, -1]) {
  test(`a room that comes to a process whose clock is ${hours} h on goes on at once`, async () => {
    const { clock, checkpoint } = await storedRoom()
    clock.time += hours * 3_600_000
    const host = makeStillHost(clock)
    const stored = { epoch: 2, owner: 'x', checkpoint, records: [] }
    const room = pickUpRoom(host, { id: 'room', stored })
    const { frame } = room.authority
    clock.time += host.times.grace + 1
    for (let i = 0; i < 120; i++) room.tick((clock.time += FRAME_TIME))
    const made = room.authority.frame - frame
    assert.ok(made >= 100 && made <= 300, `${made} frames in 2 s, and 2 s of waiting`)
    room.close()
  })
}

test('work in slices comes to its end, and lets others do theirs in between', async () => {
  let others = 0
  const timer = setInterval(() => others++, 1)
  const slow = function* () {
    for (let piece = 0; piece < 20; piece++) {
      const start = performance.now()
      while (performance.now() - start < 4);
      yield
    }
    return 'done'
  }
  try {
    assert.equal(await inSlices(slow()), 'done')
  } finally {
    clearInterval(timer)
  }
  assert.ok(others >= 5, `${others} turns of others`)
})
