/**
 * Processes that die in the middle of a sweep, and a Redis that does: nothing is lost, nothing is there twice.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { startRedis } from '../../scripts/redis-server.mjs'
import { connectRedis, redisStore } from '../../source/sweeps/index.mjs'
import { Command, isAlive, until } from './command.mjs'
import { hashOf, inFolder, scenes, setPace, specOf, undisturbed } from './support.mjs'

const AXES = ['grid friction=0.1:0.9:8', 'random speed=0.1:1']
const SIZE = { runs: 3000, chunk: 50 }
const CHUNKS = SIZE.runs / SIZE.chunk
const WORDS = [
  ...[
    'sweep',
    join(scenes, 'paced-die.mjs'),
    '--grid',
    'friction=0.1:0.9:8',
    '--random',
    'speed=0.1:1',
  ],
  ...['--runs', SIZE.runs, '--chunk', SIZE.chunk],
]
/** ms: at this pace the sweep would take 15 s in two processes, and a chunk half a second. */
const PACE = 10
const spec = specOf('paced-die.mjs', AXES, SIZE)
let hash = ''
before(() =>
  inFolder(async (folder) => {
    hash = await hashOf(await undisturbed(spec, folder), spec)
  }),
)

/**
 * @typedef {object} Stage
 * @property {import('../../scripts/redis-server.mjs').RedisServer} redis
 * @property {import('../../source/sweeps/store.mjs').SweepStore} store
 * @property {string} folder
 * @property {(words: readonly (string | number)[]) => Command} command ended after the test
 * @property {(least: number) => Promise<void>} chunksDone waits until so many are
 */

/** @param {(stage: Stage) => Promise<void>} work @param {{ appendOnly?: boolean }} [options] */
const onStage = (work, options) =>
  inFolder(async (folder) => {
    const redis = await startRedis(options)
    const connection = connectRedis(redis.url)
    const store = redisStore(connection, spec.id)
    /** @type {Command[]} */
    const commands = []
    const command = (/** @type {readonly (string | number)[]} */ words) => {
      const started = new Command([...words, '--redis', redis.url], folder)
      commands.push(started)
      return started
    }
    const chunksDone = (/** @type {number} */ least) =>
      until(async () => (await store.doneCount()) >= least, `${least} chunks`)
    try {
      await work({ redis, store, folder, command, chunksDone })
    } finally {
      for (const started of commands) started.kill('SIGKILL')
      connection.disconnect()
      await redis.stop()
    }
  })

/** @param {Command} command */
async function endsWhole(command) {
  assert.equal(await command.end(), 0, command.errors)
  assert.equal(command.hash, hash)
}

describe('SIGKILL', () => {
  test('of processes that make chunks, three times: the hash of an undisturbed run', () =>
    onStage(async ({ store, folder, command, chunksDone }) => {
      await setPace(folder, PACE)
      const sweep = command([...WORDS, '--workers', 2, '--lease', 2])
      let killed = 0
      for (const part of [0.1, 0.3, 0.5]) {
        await chunksDone(part * CHUNKS)
        for (const id of sweep.children()) killed += Number(process.kill(id, 'SIGKILL'))
      }
      assert.ok(killed >= 3, `${killed} processes were killed`)
      await setPace(folder, 0)
      await endsWhole(sweep)
      assert.equal(await store.doneCount(), CHUNKS)
    }))

  test('of a worker: its chunks go to another, and its children end', () =>
    onStage(async ({ store, folder, command, chunksDone }) => {
      await setPace(folder, PACE)
      const worker = ['worker', '--scenes', scenes, '--workers', 1, '--lease', 1]
      const first = command(worker)
      const sweep = command([...WORDS, '--workers', 0, '--lease', 1])
      // The other comes once the first one works: a machine may start one long before the other.
      await chunksDone(1)
      command(worker)
      await chunksDone(0.1 * CHUNKS)
      const children = first.children()
      assert.ok(children.length > 0)
      first.kill('SIGKILL')
      assert.ok((await store.doneCount()) < CHUNKS)
      await setPace(folder, 0)
      await endsWhole(sweep)
      await until(() => !children.some(isAlive), 'the children of a killed worker end')
    }))

  test('of the command itself: resume finishes', () =>
    onStage(async ({ store, folder, command, chunksDone }) => {
      await setPace(folder, PACE)
      const sweep = command([...WORDS, '--workers', 2, '--lease', 1])
      await chunksDone(0.3 * CHUNKS)
      sweep.kill('SIGKILL')
      await sweep.end()
      const before_ = await store.doneCount()
      assert.ok(before_ < CHUNKS)
      await setPace(folder, 0)
      await endsWhole(command(['resume', spec.id, '--workers', 2, '--lease', 1]))
    }))
})

describe('Redis', () => {
  for (const how of /** @type {const} */ (['halt', 'kill'])) {
    test(`restarted after ${how === 'kill' ? 'SIGKILL' : 'SIGTERM'} with its append-only file: what was done stays, the rest is made`, () =>
      onStage(
        async ({ redis, store, folder, command, chunksDone }) => {
          await setPace(folder, PACE)
          const sweep = command([...WORDS, '--workers', 2, '--lease', 2])
          await chunksDone(0.3 * CHUNKS)
          await redis.restart(how)
          const done = await store.doneCount()
          assert.ok(done >= 0.3 * CHUNKS && done < CHUNKS, `${done} chunks`)
          await setPace(folder, 0)
          await endsWhole(sweep)
        },
        { appendOnly: true },
      ))
  }

  test('that lost all, without that file: all is made again', () =>
    onStage(async ({ redis, store, folder, command, chunksDone }) => {
      await setPace(folder, PACE)
      const sweep = command([...WORDS, '--workers', 2, '--lease', 1])
      await chunksDone(0.2 * CHUNKS)
      await redis.restart()
      assert.ok((await store.doneCount()) < 0.2 * CHUNKS)
      await setPace(folder, 0)
      await endsWhole(sweep)
    }))
})

test('the same runs with other rows are refused: the table says so instead of choosing', () =>
  onStage(async ({ store, command }) => {
    await store.create(spec, scenes)
    const sound = command([...WORDS, '--workers', 1])
    await endsWhole(sound)
    await assert.rejects(store.put(3, Buffer.from('other rows')), /chunk 3.*not deterministic/)
    const again = command(['resume', spec.id])
    assert.equal(await again.end(), 1)
    assert.match(again.errors, /not deterministic/)
  }))
