/**
 * What strangers ask a room server for: each is refused by a word that is counted, without a stack trace in the answer or in the log, in
 * development and in production, and the room that runs goes on as if nothing had been.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startRedis } from '../../scripts/redis-server.mjs'
import { joinBot, RoomProcess, until } from '../../scripts/rooms/processes.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'
import { REFUSAL, startRoomServer } from '../../source/rooms/index.mjs'
import { LIMITS, readNumbers } from '../../source/rooms/limits.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'
import { ask, chunk, say } from '../attacker.mjs'

/** @typedef {import('../../scripts/rooms/processes.mjs').Bot} Bot */

/** @typedef {Awaited<ReturnType<typeof startRedis>>} Redis */

/** @type {Redis} */
let redis
before(async () => (redis = await startRedis()))
after(() => redis.stop())

const CREATE = 'POST /matchmake/create/moreau'
const JSON_TYPE = { 'content-type': 'application/json' }
/** A line of a stack trace, as it stands in an answer or in a line of JSON. */
const TRACE = /\n\s+at |\\n\s+at /
/** @param {string} open @param {string} close @param {number} depth */
const nested = (open, close, depth) => open.repeat(depth) + close.repeat(depth)

/** Bodies that are no wish. @type {[string, string][]} */
const NO_WISHES = [
  ['null', 'null'],
  ['a number', '7'],
  ['a text', '"moreau"'],
  ['a list', '[{"scene":"stacks"}]'],
  ['what is no JSON', '{"scene":'],
  ['bytes that are no text', '\u0000\u0001\u0002'],
  ['lists in lists', nested('[', ']', 4000)],
  [
    'objects in objects',
    `{"scene":"stacks","options":${nested('{"a":', '}', 2000).replace('}', '1}')}}`,
  ],
  ['a scene with a toString of its own', '{"scene":{"toString":1}}'],
  ['a scene that is a list', '{"scene":["stacks"]}'],
  ['no scene', '{}'],
  ['a scene of every object', '{"scene":"constructor"}'],
  ['a scene with a long name', `{"scene":"${'x'.repeat(5000)}"}`],
  ['a mode with a toString of its own', '{"scene":"stacks","mode":{"toString":1}}'],
  ['a mode that is a number', '{"scene":"stacks","mode":1}'],
  ['options that are null', '{"scene":"stacks","options":null}'],
  ['options that are a list', '{"scene":"stacks","options":[1]}'],
  ['an option with a valueOf of its own', '{"scene":"stacks","options":{"stacks":{"valueOf":1}}}'],
  ['a prototype', '{"scene":"stacks","options":{"__proto__":{"stacks":3}}}'],
  ['a constructor', '{"scene":"stacks","constructor":{"prototype":{"a":1}}}'],
  ['an event that is none', '{"scene":"stacks","nextEvent":"1"}'],
]

/** Requests that no route answers, or not so. @type {[string, keyof typeof REFUSAL | undefined, number, string][]} */
const REQUESTS = [
  ['a body of 20 kB', 'oversized', 413, ask(CREATE, JSON_TYPE, '['.repeat(20_000))],
  [
    'a body of 20 kB in pieces',
    'oversized',
    413,
    `${ask(CREATE, { ...JSON_TYPE, 'transfer-encoding': 'chunked' })}${chunk('['.repeat(1000)).repeat(20)}0\r\n\r\n`,
  ],
  ['a length of 250 MB', 'oversized', 413, ask(CREATE, { 'content-length': 250e6 })],
  ['a room with a body', 'oversized', 413, ask('GET /rooms/x', {}, '{}')],
  [
    'a room with a body of no length',
    'oversized',
    413,
    ask('GET /rooms/x', { 'transfer-encoding': 'chunked' }),
  ],
  ['a room of %', 'malformed', 400, ask('GET /rooms/%')],
  ['a room of %c0%ae', 'malformed', 400, ask('GET /rooms/%c0%ae')],
  ['a room of every object', undefined, 404, ask('GET /rooms/__proto__')],
  ['another method', 'rules', 403, ask('POST /matchmake/exit/moreau', JSON_TYPE, '{}')],
  ['a method of every object', 'rules', 403, ask('POST /matchmake/constructor/moreau')],
  ['Colyseus’ own reconnection', 'rules', 403, ask('POST /matchmake/reconnect/moreau')],
  ['rooms of another name', 'rules', 403, ask('POST /matchmake/create/__proto__', JSON_TYPE, '{}')],
  ['a room that is none', 'unknown-room', 404, ask('POST /matchmake/joinById/a%20b', {}, '{}')],
  ['a token that is an object', 'forged-token', 401, ask(CREATE, {}, '{"token":{"$ne":null}}')],
  ['a host that is none', 'rules', 403, ask(CREATE, { host: '[' }, '{}')],
  ['a protocol that is none', 'rules', 403, ask(CREATE, { 'x-forwarded-proto': 'a b://' }, '{}')],
  [
    'an upgrade to what nobody speaks',
    'malformed',
    400,
    ask('GET /a/b', { connection: 'upgrade', upgrade: 'h2c' }),
  ],
  ['metrics', undefined, 404, ask('GET /metrics')],
  ['health', undefined, 404, ask('GET /healthz')],
  ['Colyseus’ own pages', undefined, 404, ask('GET /__healthcheck')],
  ['nothing', undefined, 404, ask('GET /')],
]

/** Paths of sockets that no client opens, and why they are closed. @type {[string, keyof typeof REFUSAL][]} */
const SOCKETS = [
  ['/x/constructor?sessionId=a', 'unknown-room'],
  ['/x/__proto__?sessionId=a', 'unknown-room'],
  ['/__proto__/hasOwnProperty', 'unknown-room'],
  ['/', 'unknown-room'],
  ['/x/y/z?sessionId=%', 'unknown-room'],
  ['/x/ROOM', 'forged-token'],
  ['/x/ROOM?sessionId=__proto__&reconnectionToken=__proto__', 'forged-token'],
  ['/x/ROOM?sessionId=constructor&skipHandshake=1', 'forged-token'],
]

for (const environment of ['development', 'production']) {
  describe(environment, () => {
    /** Of its own, as rooms of a process that has ended go to the next one. @type {Redis} */
    let own
    /** @type {RoomProcess} */
    let server
    /** @type {Bot} */
    let good

    before(async () => {
      own = await startRedis()
      const { NODE_ENV } = process.env
      process.env.NODE_ENV = environment
      server = await RoomProcess.start(own.url, { logLevel: 'info' })
      if (NODE_ENV === undefined) delete process.env.NODE_ENV
      else process.env.NODE_ENV = NODE_ENV
      good = await joinBot([server], randomFrom(1), {
        options: { stacks: 1, height: 2 },
        isNew: true,
      })
    })

    after(async () => {
      const { statistics } = good.client.session
      const { matches } = statistics
      await until(() => statistics.matches > matches)
      assert.equal(statistics.mismatches, 0)
      await good.leave()
      await server.end()
      await own.stop()
      assert.doesNotMatch(server.log, TRACE)
    })

    /** @param {string} text @param {number} status @param {string | undefined} reason */
    async function isRefused(text, status, reason) {
      const counted = reason ? await server.refused(reason) : 0
      const start = server.log.length
      const answer = await say(server.port, text)
      assert.equal(answer.status, status, answer.text)
      assert.doesNotMatch(answer.text + server.log.slice(start), TRACE)
      if (!reason) return
      assert.equal(JSON.parse(JSON.parse(answer.text.split('\r\n\r\n')[1]).error).reason, reason)
      assert.equal(await server.refused(reason), counted + 1)
    }

    test('bodies that are no wish: 403, counted as rules', async () => {
      for (const [name, body] of NO_WISHES) {
        await isRefused(ask(CREATE, JSON_TYPE, body), 403, 'rules').catch((error) => {
          throw new Error(`${name}: ${error.message}`, { cause: error })
        })
      }
      assert.equal((await server.ask('')).rooms, 1)
    })

    test('requests that no route answers', async () => {
      for (const [name, reason, status, text] of REQUESTS) {
        await isRefused(text, status, reason).catch((error) => {
          throw new Error(`${name}: ${error.message}`, { cause: error })
        })
      }
      assert.equal((await server.ask('')).rooms, 1)
    })

    test('no socket is compressed, so that no message is larger than what came', async () => {
      const upgrade = {
        ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': 13 },
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-extensions': 'permessage-deflate',
      }
      const { status, text } = await say(server.port, ask('GET /x/y?sessionId=a', upgrade))
      assert.equal(status, 101)
      assert.doesNotMatch(text, /permessage-deflate/)
    })

    test('sockets that have no seat: closed with a code, and counted', async () => {
      for (const [path, reason] of SOCKETS) {
        const counted = await server.refused(reason)
        const url = server.endpoint.replace('http', 'ws') + path.replace('ROOM', good.client.roomId)
        const code = await new Promise((resolve) => {
          new WebSocket(url).onclose = (event) => resolve(event.code)
        })
        assert.equal(code, REFUSAL[reason], path)
        assert.equal(await server.refused(reason), counted + 1, path)
      }
    })
  })
}

/** Requests by which costs are measured. */
const TIMES = 100

/**
 * What a process takes while something is done.
 * @template Result
 * @param {RoomProcess} server @param {() => Promise<Result>} work
 * @returns {Promise<{ answers: Result, milliseconds: number, megabytes: number }>} of its CPU, and of its memory more than before
 */
async function costOf(server, work) {
  const first = await server.ask('')
  const answers = await work()
  const last = await server.ask('')
  return {
    answers,
    milliseconds: (last.processor - first.processor) / 1000,
    megabytes: (last.memory - first.memory) / 1e6,
  }
}

describe('a process without players', () => {
  /** @type {RoomProcess} */
  let server
  const limits = { handshakeTime: 300 }
  before(async () => (server = await RoomProcess.start(redis.url, { limits })))
  after(() => server.end())

  for (const [name, length] of /** @type {[string, number][]} */ ([
    ['1 kB that is no wish', 1000],
    ['20 MB', 20e6],
    ['250 MB', 250e6],
  ])) {
    // Bounds of time and memory would fail on a busy machine; bytes that were taken do not depend on it.
    test(`what it costs to refuse ${name}`, async (context) => {
      const attack = () =>
        say(server.port, ask(CREATE, { 'content-length': length }), (line) => line.pour(length))
      const attacks = () => Promise.all(Array.from({ length: TIMES }, attack))
      // The first ones are compiled.
      await attacks()
      const idle = await costOf(server, () => delay(1000))
      const begun = performance.now()
      const { answers, ...cost } = await costOf(server, attacks)
      const own = (idle.milliseconds * (performance.now() - begun)) / 1000
      const each = Math.max(0, cost.milliseconds - own) / TIMES
      const memory = `${cost.megabytes.toFixed(1)} MB more after ${TIMES}`
      context.diagnostic(`${each.toFixed(2)} ms of CPU each, ${memory}`)
      for (const { status, sent } of answers) {
        assert.equal(status, length > 16_384 ? 413 : 403)
        assert.ok(sent < 16e6, `${sent} bytes were taken`)
      }
    })
  }

  test('who is let in and does not say that it is there is out', async () => {
    const wish = { scene: 'stacks', options: { stacks: 1, height: 1 } }
    const answer = await fetch(`${server.endpoint}/matchmake/create/moreau`, {
      method: 'POST',
      body: JSON.stringify(wish),
    })
    const { roomId, sessionId } = await answer.json()
    const url = `${server.endpoint.replace('http', 'ws')}/x/${roomId}?sessionId=${sessionId}`
    const code = await new Promise((resolve) => {
      new WebSocket(url).onclose = (event) => resolve(event.code)
    })
    assert.equal(code, REFUSAL.slow)
    assert.equal(await server.refused('slow'), 1)
  })

  test('metrics and health are on a port of their own, of the loopback', async () => {
    const health = await fetch(`${server.operations}/healthz`)
    assert.equal(health.status, 200)
    assert.equal((await health.json()).ok, true)
    assert.match(await server.page('/metrics'), /moreau_rooms/)
    // Another address of this machine.
    const elsewhere = server.operations.replace('127.0.0.1', '127.0.0.2')
    await assert.rejects(fetch(`${elsewhere}/healthz`))
    const players = server.endpoint.replace('127.0.0.1', '127.0.0.2')
    assert.equal((await fetch(`${players}/rooms/x`)).status, 404)
  })
})

test('limits and times that are none: told by name, before anything is begun', async () => {
  for (const [options, message] of /** @type {[any, RegExp][]} */ ([
    [{ limits: { bodyByte: 1 } }, /limits\.bodyByte: there is no such name; there are .*bodyBytes/],
    [{ limits: { bodyBytes: '1' } }, /limits\.bodyBytes must be a number above 0, is 1/],
    [
      { limits: { requestTime: Number.NaN } },
      /limits\.requestTime must be a number above 0, is NaN/,
    ],
    [{ times: { leese: 1 } }, /times\.leese: there is no such name; there are lease/],
    [{ times: { lease: 0 } }, /times\.lease must be a number above 0, is 0/],
  ])) {
    const start = startRoomServer({ port: 0, redis: redis.url, scenes: [stacks], ...options })
    await assert.rejects(start, message)
  }
  assert.equal(readNumbers('limits', LIMITS, { bodyBytes: 5 }).bodyBytes, 5)
})
