/**
 * What users of rooms get wrong, on either side: each gets a sentence that names it, and no room or process is harmed.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { startRedis } from '../../scripts/redis-server.mjs'
import { joinBot, RoomProcess, until } from '../../scripts/rooms/processes.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'
import { RoomClient, RoomRefused } from '../../source/client/index.mjs'
import { startRoomServer } from '../../source/rooms/index.mjs'
import { inputOf, stacks } from '../../source/scenes/stacks.mjs'

const LIMITS = { players: 3 }
const OPTIONS = { stacks: 2, height: 2 }
/** ms: how long Colyseus waits for a process that it asks to make a room, before it makes it itself */
process.env.COLYSEUS_PRESENCE_SHORT_TIMEOUT = '60000'

/** @type {Awaited<ReturnType<typeof startRedis>>} */
let redis
/** @type {RoomProcess} */
let server
/** @type {import('../../scripts/rooms/processes.mjs').Bot} */
let bot

before(async () => {
  redis = await startRedis()
  server = await RoomProcess.start(redis.url, { limits: LIMITS })
  bot = await joinBot([server], randomFrom(1), { options: OPTIONS, isNew: true })
})
after(async () => {
  assert.equal(bot.client.session.statistics.mismatches, 0)
  await bot.leave()
  await server.end()
  await redis.stop()
})

/** @param {Partial<Parameters<typeof RoomClient.join>[0]>} [options] */
const join = (options) =>
  RoomClient.join({
    scene: stacks,
    endpoints: [server.endpoint],
    wish: { options: OPTIONS },
    ...options,
  })

/** @param {string} reason @param {RegExp} message */
const refused = (reason, message) => (/** @type {unknown} */ error) => {
  assert.ok(error instanceof RoomRefused, String(error))
  assert.equal(error.reason, reason)
  assert.match(error.message, message)
  return true
}

test('who plays another game, or in another mode, is not let in', async () => {
  const { roomId } = bot.client
  const other = { ...stacks, name: 'other' }
  await assert.rejects(
    join({ roomId, mode: 'authoritative' }),
    refused('rules', /mode of the room is lockstep, not authoritative/),
  )
  await assert.rejects(
    join({ roomId, scene: other }),
    refused('rules', /scene of the room is stacks, not other/),
  )
  assert.equal((await server.ask(roomId)).room.players, 1)
  assert.equal(await server.refused('rules'), 2)
})

test('who asks for any room gets one of the same mode; where it is full, a new one', async () => {
  const clients = [await join()]
  assert.equal(clients[0].roomId, bot.client.roomId)
  const authoritative = await join({ mode: 'authoritative' })
  assert.notEqual(authoritative.roomId, bot.client.roomId)
  clients.push(await join(), await join())
  assert.equal(clients[1].roomId, bot.client.roomId)
  assert.notEqual(clients[2].roomId, bot.client.roomId, 'three players are there')
  for (const client of [authoritative, ...clients]) {
    await client.leave()
    assert.equal(client.update(), 0, 'a page that still draws is not stopped')
  }
  await until(async () => (await server.ask(bot.client.roomId)).room.players === 1)
})

test('what another process refuses, which was to make the room, is told as that process says it', async () => {
  // It has no room, so that new ones are its: it is asked for them by the first.
  const other = await RoomProcess.start(redis.url, { limits: { ...LIMITS, bodies: 40 } })
  try {
    const wish = { options: { stacks: 20, height: 2 } }
    await assert.rejects(join({ isNew: true, wish }), refused('rules', /bodies; a room has 40/))
    assert.equal(await other.refused('rules'), 1)
  } finally {
    await other.end()
  }
})

test('a page that is loaded again comes back by its token, to its own ball', async () => {
  const { roomId } = bot.client
  const first = await join({ roomId })
  const { player } = first.session
  first.connection.end(0, 'the page is closed')
  const again = await join({ roomId, token: first.token })
  assert.equal(again.session.player, player)
  assert.deepEqual(again.token, first.token)
  assert.equal((await server.ask(roomId)).room.players, 2)
  await assert.rejects(
    join({ roomId, token: new Uint8Array(16) }),
    refused('forged-token', /token/),
  )
  await again.leave()
})

test('a client’s options and inputs', async () => {
  for (const [options, message] of /** @type {[any, RegExp][]} */ ([
    [{ scene: undefined }, /scene must be the scene of the room.*undefined/],
    [{ mode: 'lock-step' }, /mode must be one of lockstep, authoritative, is lock-step/],
    [{ endpoints: [] }, /endpoints must be a list of addresses/],
    [{ endpoints: ['127.0.0.1:2567'] }, /endpoints must be addresses.*127\.0\.0\.1:2567/],
    [{ endpoints: ['http://127.0.0.1:1'] }, /no room server answers at http:\/\/127\.0\.0\.1:1/],
  ])) {
    await assert.rejects(join(options), message)
  }
  await assert.rejects(join({ roomId: 'nothing' }), refused('unknown-room', /"nothing" not found/))
  for (const input of [undefined, [1, 2, 3], new Uint8Array(2)]) {
    assert.throws(
      () => bot.client.setInput(/** @type {any} */ (input)),
      /setInput: input must be a Uint8Array of 3 bytes/,
    )
  }
  bot.client.setInput(inputOf(0, 0, 0))
})

test('a server’s options: a port that is taken, no Redis, scenes that are none', async () => {
  const taken = createServer().listen(0)
  await once(taken, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (taken.address())
  for (const [options, message] of /** @type {[any, RegExp][]} */ ([
    [{ port }, new RegExp(`port ${port}: another program listens there`)],
    [{ port: 70_000 }, /port must be a whole number from 0 to 65535, is 70000/],
    [{ redis: undefined }, /Redis undefined: must be redis:/],
    [
      { redis: 'redis://:secret@127.0.0.1:1' },
      /Redis redis:\/\/:\*\*\*@127\.0\.0\.1:1: .*ECONNREFUSED/,
    ],
    [{ scenes: [] }, /scenes must be a list with one scene or more/],
    [{ scenes: [stacks, stacks] }, /two scenes have the name stacks/],
    [{ scenes: [{ ...stacks, inputBytes: 17 }] }, /scene stacks: inputBytes must be.*17/],
    [{ scenes: [{ ...stacks, drive: undefined }] }, /scene stacks: drive must be a function/],
  ])) {
    const start = startRoomServer({ port: 0, redis: redis.url, scenes: [stacks], ...options })
    await assert.rejects(start, message)
  }
  taken.close()
})
