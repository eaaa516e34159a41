/**
 * What a server does with requests that are too large, too slow or too many: it answers and lets go, and its pages never see them.
 */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Addresses } from '../../source/operations/addresses.mjs'
import { HTTP_LIMITS, LimitedServer, readBody } from '../../source/operations/http-server.mjs'
import { ask, chunk, Line, say } from '../attacker.mjs'

/** ms: longer than anything takes on the slowest machine, and what is soon over, for who is slow on purpose */
const [LONG, SHORT] = [240_000, 600]
const LIMITS = { ...HTTP_LIMITS, bodyBytes: 1000, requestTime: LONG, idleTime: LONG }
const MEGABYTE = 1e6
/** Bytes that the machine takes for a socket from which nobody reads. */
const KERNEL = 16 * MEGABYTE

/** @type {LimitedServer} */
let server
let port = 0
/** Bodies that were read to their end, and reasons of refusals. @type {string[]} */
let bodies = []
/** @type {string[]} */
let reasons = []

/** @param {Partial<import('../../source/operations/http-server.mjs').HttpLimits>} [limits] @param {number} [proxies] */
async function begin(limits, proxies) {
  bodies = []
  reasons = []
  server = new LimitedServer(
    { ...LIMITS, ...limits },
    {
      answer: async (request, response) => {
        bodies.push(String(await readBody(request, LIMITS.bodyBytes)))
        response.end('read')
      },
      onRefused: ({ reason }) => reasons.push(reason),
      // It stands still, so that nothing is saved up while a busy machine does something else.
      now: () => 0,
      proxies,
    },
  )
  port = await server.listen(0, '127.0.0.1')
}

beforeEach(() => begin())
afterEach(() => server.close())

/** What is said besides, and what comes back. @typedef {() => Promise<import('../attacker.mjs').Answer>} Attack */

/** @param {Record<string, string | number>} headers @param {(line: Line) => Promise<unknown>} [then] @returns {Attack} */
const post = (headers, then) => () => say(port, ask('POST /', headers), then)

/** @type {Record<string, [number, string, Attack]>} */
const ATTACKS = {
  'a body of a byte more than is allowed': [
    413,
    'oversized',
    () => say(port, ask('POST /', {}, 'x'.repeat(1001))),
  ],
  'a body of 250 MB, told at the head': [
    413,
    'oversized',
    post({ 'content-length': 250 * MEGABYTE }, (line) => line.pour(250 * MEGABYTE)),
  ],
  'a body of 250 MB that asks first': [
    413,
    'oversized',
    post({ 'content-length': 250 * MEGABYTE, expect: '100-continue' }),
  ],
  'a body whose length is beyond all numbers': [
    413,
    'oversized',
    post({ 'content-length': '9'.repeat(15) }),
  ],
  'a body without a length, in many pieces': [
    413,
    'oversized',
    post({ 'transfer-encoding': 'chunked' }, async ({ socket }) => {
      for (let i = 0; i < 20; i++) socket.write(chunk('x'.repeat(100)))
    }),
  ],
  'a body without a length, in one piece of 250 MB': [
    413,
    'oversized',
    post({ 'transfer-encoding': 'chunked' }, (line) => {
      line.socket.write('ee6b280\r\n')
      return line.pour(250 * MEGABYTE)
    }),
  ],
  'a body that never comes': [408, 'slow', post({ 'content-length': 1000 })],
  'a body of a byte each tenth of a second': [
    408,
    'slow',
    post({ 'content-length': 1000 }, (line) => line.drip('x'.repeat(1000), 100)),
  ],
  'a head of a byte each tenth of a second': [
    408,
    'slow',
    () => say(port, '', (line) => line.drip(ask('GET /'), 100)),
  ],
  'a socket that says nothing': [408, 'slow', () => say(port, '')],
  'a head that is too long': [
    431,
    'oversized',
    () => say(port, ask('GET /', { x: 'x'.repeat(10_000) })),
  ],
  'what is no HTTP': [400, 'malformed', () => say(port, '\u0016\u0003\u0001hello\r\n\r\n')],
  'two lengths': [400, 'malformed', post({ 'content-length': 3, 'transfer-encoding': 'chunked' })],
  'a length that is none': [400, 'malformed', post({ 'content-length': '-1' })],
  'a path that is not percent-encoded': [400, 'malformed', () => say(port, ask('GET /%'))],
  'another protocol, where there is none': [
    400,
    'malformed',
    () => say(port, ask('GET /', { connection: 'upgrade', upgrade: 'x' })),
  ],
}

/** Who has no hurry is told so, in a server that has; on a busy machine others may be as slow. @param {Attack} attack @param {string} reason */
async function attackWith(attack, reason) {
  if (reason !== 'slow') return attack()
  server.close()
  await begin({ requestTime: SHORT, idleTime: 4 * SHORT })
  return attack()
}

/** A good request is answered: at once, where the server has no hurry. @param {string} reason of the attack before */
async function goesOn(reason) {
  const ask_ = async () => (await say(port, ask('POST /', {}, 'x'.repeat(1000)))).status
  if (reason === 'slow') while ((await ask_()) !== 200) await delay(5)
  else assert.equal(await ask_(), 200)
}

describe('answered, counted, closed, and not read', () => {
  for (const [name, [status, reason, attack]] of Object.entries(ATTACKS)) {
    test(`${name}: ${status}, ${reason}`, async () => {
      const answer = await attackWith(attack, reason)
      assert.equal(answer.status, status, answer.text)
      assert.equal(JSON.parse(answer.text.split('\r\n\r\n')[1]).code, status)
      assert.deepEqual(reasons, [reason])
      assert.deepEqual(bodies, [])
      assert.ok(answer.sent < KERNEL, `${answer.sent} bytes were taken`)
      await goesOn(reason)
    })
  }
})

test('within the limits a body is read to its end, also in pieces and after 100 Continue', async () => {
  const chunked = `${ask('POST /', { 'transfer-encoding': 'chunked' })}${chunk('ab')}${chunk('c')}0\r\n\r\n`
  assert.equal((await say(port, chunked)).status, 200)
  const asking = new Line(port)
  asking.socket.write(ask('POST /', { 'content-length': 2, expect: '100-continue' }))
  while (!asking.text.startsWith('HTTP/1.1 100')) await delay(5)
  asking.socket.write('de')
  assert.match((await asking.answer()).text, /200 OK/)
  assert.deepEqual([bodies, reasons], [['abc', 'de'], []])
})

test('a fetch whose body is refused at its head gets to read why', async () => {
  const body = 'x'.repeat(20 * MEGABYTE)
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
  assert.equal(answer.status, 413)
  assert.equal(JSON.parse((await answer.json()).error).reason, 'oversized')
})

test('more requests than an address may make: 429, and what follows on the same socket is not read', async () => {
  server.close()
  await begin({ requestsPerAddress: 5 })
  const { text } = await say(port, ask('GET /', { connection: 'keep-alive' }).repeat(500))
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 10, 'two seconds of five')
  assert.equal(text.match(/HTTP\/1\.1 429/g)?.length, 1)
  assert.deepEqual([bodies.length, reasons], [10, ['flood']])
})

test('behind a proxy it is the address that the proxy tells; without one nobody is believed', async () => {
  const asked = async (/** @type {string} */ forwarded) =>
    (await say(port, ask('GET /', { 'x-forwarded-for': forwarded }))).status
  server.close()
  await begin({ requestsPerAddress: 1 }, 1)
  assert.deepEqual(
    [await asked('a, 10.0.0.1'), await asked('b, 10.0.0.1'), await asked('c, 10.0.0.1')],
    [200, 200, 429],
  )
  assert.equal(await asked('10.0.0.2'), 200)
  server.close()
  await begin({ requestsPerAddress: 1 })
  assert.deepEqual([await asked('1'), await asked('2'), await asked('3')], [200, 200, 429])
})

test('more sockets than an address may have: refused, and let in again when others are closed', async () => {
  server.close()
  await begin({ socketsPerAddress: 3 })
  const lines = [new Line(port), new Line(port), new Line(port)]
  for (const { socket } of lines)
    if (socket.connecting) await new Promise((resolve) => socket.once('connect', resolve))
  assert.equal((await say(port, '')).status, 429)
  assert.deepEqual(reasons, ['flood'])
  lines[0].socket.destroy()
  while ((await say(port, ask('GET /'))).status !== 200) await delay(5)
  for (const { socket } of lines) socket.destroy()
})

test('addresses are told apart by what one subscriber has, and forgotten', () => {
  const clock = { time: 0 }
  const limits = { requestsPerAddress: 1, socketsPerAddress: 1 }
  const addresses = new Addresses(limits, () => clock.time)
  const asked = (/** @type {string} */ address) =>
    [1, 2, 3].map(() => addresses.mayAsk(address)).join()
  assert.equal(asked('10.0.0.1'), 'true,true,false')
  assert.equal(asked('::ffff:10.0.0.1'), 'false,false,false', 'the same, of IPv4')
  assert.equal(asked('::ffff:10.0.0.2'), 'true,true,false')
  assert.equal(asked('2001:db8::1'), 'true,true,false')
  assert.equal(asked('2001:db8:0:0:ffff::2'), 'false,false,false', 'the same 64 bits')
  assert.equal(asked('2001:db8:0:1::1'), 'true,true,false')
  assert.equal(addresses.enter('10.0.0.9') === undefined, false)
  assert.equal(addresses.enter('10.0.0.9'), undefined)
  for (let i = 0; i < 10_000; i++) {
    clock.time += 1
    addresses.mayAsk(`10.1.${i >> 8}.${i & 255}`)
  }
  assert.ok(addresses.size < 5000, `${addresses.size} are known`)
  assert.equal(addresses.enter('10.0.0.9'), undefined, 'who has a socket is not forgotten')
})
