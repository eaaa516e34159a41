/**
 * Health, metrics, log and the graceful end of a process.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { Counter } from 'prom-client'
import { makeLog, makeRegistry, serveOperations } from '../../source/operations/index.mjs'

/** @param {() => any} health */
async function serve(health) {
  /** @type {any[]} */
  const lines = []
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(chunk))
      done()
    },
  })
  const registry = makeRegistry()
  new Counter({ name: 'worlds', help: 'worlds', registers: [registry] }).inc(3)
  const log = makeLog('test', { level: 'info', stream })
  const server = await serveOperations({ port: 0, host: '127.0.0.1', registry, health, log })
  const get = (/** @type {string} */ path) => fetch(`http://127.0.0.1:${server.port}${path}`)
  return { server, get, lines }
}

test('/healthz is 200 while work is taken and 503 while not; /metrics is what Prometheus reads', async () => {
  let ok = true
  const { server, get } = await serve(() => ({ ok, active: 2 }))
  try {
    const healthy = await get('/healthz')
    assert.equal(healthy.status, 200)
    assert.deepEqual(await healthy.json(), { ok: true, active: 2 })
    ok = false
    assert.equal((await get('/healthz')).status, 503)
    const metrics = await get('/metrics')
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(await metrics.text(), /^worlds 3$/m)
    assert.equal((await get('/constructor')).status, 404)
  } finally {
    await server.close()
  }
})

test('a health that throws is answered with 500 and logged as JSON', async () => {
  const { server, get, lines } = await serve(() => {
    throw new Error('no Redis')
  })
  try {
    assert.equal((await get('/healthz')).status, 500)
    const [line] = lines
    assert.deepEqual([line.name, line.path, line.err.message], ['test', '/healthz', 'no Redis'])
  } finally {
    await server.close()
  }
})

/** A process that drains for `seconds`, with a deadline; and how it ends when it gets the signals. */
async function endOf(
  /** @type {number} */ seconds,
  /** @type {number} */ deadline,
  /** @type {NodeJS.Signals[]} */ ...signals
) {
  const url = new URL('../../source/operations/index.mjs', import.meta.url)
  const text = `
    import { drainOnSignal } from '${url}'
    const drain = () => new Promise((done) => {
      console.log('drains')
      setTimeout(done, ${seconds * 1000})
    })
    drainOnSignal({ drain, deadline: ${deadline} })
    setInterval(() => {}, 1000)
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text])
  await once(child.stdout, 'data')
  const [first, second] = signals
  const [drains, ended] = [once(child.stdout, 'data'), once(child, 'exit')]
  child.kill(first)
  // Two signals at once would come in any order.
  await drains
  if (second) child.kill(second)
  await ended
  return child.exitCode
}

test('SIGTERM drains: 0 when done, 1 at the deadline, at once at a second signal', async () => {
  assert.equal(await endOf(0.2, 20, 'SIGTERM'), 0)
  assert.equal(await endOf(20, 0.2, 'SIGTERM'), 1)
  assert.equal(await endOf(20, 20, 'SIGTERM', 'SIGINT'), 130)
})
