/**
 * Passwords are not printed, whatever characters they have: not in errors, not by the command line, not in the log.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Redis } from 'ioredis'
import { startRedis } from '../../scripts/redis-server.mjs'
import {
  checkRedis,
  makeLog,
  printedAddress,
  readRedisAddress,
} from '../../source/operations/index.mjs'
import { runCommand } from '../sweeps/command.mjs'
import { inFolder } from '../sweeps/support.mjs'

/** Passwords of all kinds; each part that could be printed alone is one that nothing else has. */
const PASSWORDS = [
  'qsecretq',
  'qone:qtwo',
  ':qone::qtwo:',
  'qone@qtwo',
  '@qone@qtwo@',
  'qone%qtwo',
  'qone%40qtwo',
  '12/qtwo',
  'qone/qtwo',
  'qone?qtwo',
  '12?qtwo',
  'qone#qtwo',
  '12#qtwo',
  'qone,qtwo',
  'qone,redis://qtwo',
  'qone qtwo',
  'qone\tqtwo',
  'qone\\qtwo',
  'qone[qtwo]',
  'qone://qtwo',
  '1234/5',
  'q$&q',
]
/** Parts of these that must not be found. */
const SECRET = /qone|qtwo|qsecret|q\$&q|1234/

for (const user of ['', 'quser']) {
  test(`an address is printed without its password${user && ', nor its name'}`, () => {
    for (const password of PASSWORDS) {
      const hidden = `${user && '***'}:***`
      const encoded = `redis://${user}:${encodeURIComponent(password)}@redis.example:6379/2`
      assert.equal(printedAddress(encoded), `redis://${hidden}@redis.example:6379/2`)
      const { url, database } = readRedisAddress(encoded)
      assert.equal(database, 2)
      assert.equal(new Redis(url, { lazyConnect: true }).options.password, password)
      assert.equal(readRedisAddress(url).url, url, 'once is enough')
      for (const text of [
        `redis://${user}:${password}@redis.example:6379/2`,
        `redis://${user}:${password}@redis.example`,
        `rediss://${user}:${password}@[::1]:6379/x`,
        `reids://${user}:${password}@redis.example`,
        `${user}:${password}@redis.example:6379`,
        `redis://a,${user}:${password}@b`,
        `redis://redis.example?password=${password}`,
      ]) {
        assert.doesNotMatch(printedAddress(text), SECRET, text)
        try {
          readRedisAddress(text)
        } catch (error) {
          assert.doesNotMatch(String(error), SECRET, text)
        }
      }
    }
  })
}

test('what has no password is printed as it is', () => {
  for (const address of [
    'redis://127.0.0.1:6379',
    'rediss://[::1]:1/3',
    'undefined',
    '',
    'http://x',
  ])
    assert.equal(printedAddress(address), address)
})

test('passwords that are not encoded are taken as they are, as far as it is sure where they end', () => {
  for (const password of ['qone:qtwo', 'qone@qtwo', 'qone%qtwo', 'qone,qtwo', '%%']) {
    const { url } = readRedisAddress(`redis://:${password}@127.0.0.1:6379`)
    assert.equal(new Redis(url, { lazyConnect: true }).options.password, password)
  }
  assert.throws(
    () => readRedisAddress('redis://:a/b@127.0.0.1'),
    /^RangeError: Redis redis:\/\/\*\*\*: must be redis:.*encodeURIComponent/,
  )
})

/** @type {Awaited<ReturnType<typeof startRedis>>} */
let redis
before(async () => (redis = await startRedis()))
after(() => redis.stop())

test('a Redis that wants another password: neither in the error, nor in what it has besides', async () => {
  const client = new Redis(redis.url)
  await client.config('SET', 'requirepass', 'right')
  const url = redis.url.replace('//', '//:qone%40qtwo@')
  const error = await checkRedis(url).catch((/** @type {any} */ thrown) => thrown)
  assert.match(error.message, /redis:\/\/:\*\*\*@127\.0\.0\.1:\d+: WRONGPASS/)
  assert.doesNotMatch(JSON.stringify([error.stack, error.cause, error.cause.message]), SECRET)
  await client.config('SET', 'requirepass', '')
  client.disconnect()
})

test('an error of the library goes into the log without the words of its command', async () => {
  const client = new Redis(redis.url)
  let line = ''
  const stream = new Writable({
    write(part, _, done) {
      line += part
      done()
    },
  })
  const log = makeLog('test', { level: 'info', stream })
  for (const words of [
    ['auth', 'qone', 'qtwo'],
    ['nothing', 'qone', 'qtwo'],
  ]) {
    const [name, ...values] = words
    const error = await client
      .call(name, ...values)
      .catch((/** @type {unknown} */ thrown) => thrown)
    log.error({ err: new Error('it failed', { cause: error }) }, 'redis')
    log.error({ err: error }, 'redis')
  }
  assert.match(line, /"command":"auth"/)
  assert.match(line, /unknown command/)
  assert.doesNotMatch(line, SECRET)
  client.disconnect()
})

test('the command line: addresses that fail, and addresses at a wrong place', async () => {
  // Nobody answers here, as soon as it is closed.
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (closed.address())
  closed.close()
  const url = `redis://:qone:q@two%qtwo@127.0.0.1:${port}`
  await inFolder(async (folder) => {
    for (const words of [
      ['rooms', '--redis', url],
      ['status', '--redis', 'redis://:qone/qtwo@127.0.0.1'],
      ['worker', url],
    ]) {
      const { status, stdout, stderr } = runCommand(words, folder)
      assert.notEqual(status, 0)
      assert.doesNotMatch(stdout + stderr, SECRET, words.join(' '))
      assert.match(stderr, /\*\*\*/, words.join(' '))
    }
  })
})
