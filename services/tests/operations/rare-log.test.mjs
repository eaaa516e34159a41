/**
 * What goes on and on is told once a minute and cause; what is wrong with Redis stands until Redis is well.
 */
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { makeLog, RareLog } from '../../source/operations/index.mjs'
import { StoreHealth } from '../../source/rooms/store-health.mjs'

/** A log whose lines are kept. */
function keptLog() {
  const lines = /** @type {any[]} */ ([])
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(chunk))
      done()
    },
  })
  return { lines, log: makeLog('test', { level: 'info', stream }) }
}

test('one line a minute and cause, with how many were left out', () => {
  const { lines, log } = keptLog()
  const clock = { time: 0 }
  const rare = new RareLog(log, () => clock.time)
  for (; clock.time < 180_000; clock.time += 100) {
    rare.warn('OOM', { reason: 'full' }, 'refused')
    if (clock.time === 90_000) rare.warn('READONLY', {}, 'refused')
  }
  assert.deepEqual(
    lines.map(({ cause, leftOut }) => [cause, leftOut]),
    [
      ['OOM', 0],
      ['OOM', 599],
      ['READONLY', 0],
      ['OOM', 599],
    ],
  )
  assert.equal(rare.leftOut, 599)
})

test('a refusal stands, whatever else succeeds, until Redis takes a write again; silence and lost connections are told', async () => {
  const { lines, log } = keptLog()
  const clock = { time: 0 }
  const health = new StoreHealth(log, () => clock.time)
  const failures = /** @type {string[]} */ ([])
  health.onFailure = (cause) => failures.push(cause)
  const full = () =>
    Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'."))
  for (let time = 0; time < 100; time++) await assert.rejects(health.watch(full()), /OOM/)
  await health.watch(Promise.resolve('read'))
  assert.deepEqual([health.trouble?.cause, health.isRefused, failures.length], ['OOM', true, 100])
  assert.equal(lines.length, 1)
  assert.equal(lines[0].err, undefined)
  clock.time = 7000
  health.recovered()
  assert.equal(health.trouble, undefined)
  assert.deepEqual(
    lines.map(({ cause, leftOut, seconds }) => [cause, leftOut, seconds]),
    [
      ['OOM', 0, undefined],
      ['OOM', 99, 7],
    ],
  )
  const waits = health.watch(new Promise((resolve) => setTimeout(resolve, 20)))
  clock.time += 900
  assert.equal(health.trouble, undefined)
  clock.time += 3100
  const { reason } = Object(health.trouble)
  assert.equal(reason, 'no answer for 4 s')
  await waits
  assert.equal(health.trouble, undefined)
  health.disconnected(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  assert.match(Object(health.trouble).reason, /no connection: connect ECONNREFUSED/)
  health.connected()
  assert.equal(health.trouble, undefined)
  // Redis repeats the words of a command that it does not know.
  health.disconnected(
    new Error("ERR unknown command 'auth', with args beginning with: 'qone' 'qtwo' "),
  )
  assert.match(Object(health.trouble).reason, /no connection: ERR unknown command 'auth'$/)
  assert.doesNotMatch(JSON.stringify(lines), /qone|qtwo/)
})
