import { once } from 'node:events'
import { Worker } from 'bullmq'
import { connectRedis } from '../../source/sweeps/index.mjs'
import { redisStore } from '../../source/sweeps/redis-store.mjs'
import { enqueueChunks, QUEUE, sweepQueue } from '../../source/sweeps/queue.mjs'
import { encodeRows, rowsOf } from '../../source/sweeps/rows.mjs'
import { startRedis } from '../redis-server.mjs'

/** Jobs at a time of the workers that do nothing, so that Redis and not waiting for it is measured. */
const CONCURRENCY = 50
/** Runs of the chunks whose rows are written, with a row of the die: three numbers and a hash */
const CHUNK = 250

/** @param {import('ioredis').Redis} connection @returns {Promise<Record<string, number>>} the numbers of INFO */
async function infoOf(connection) {
  const lines = (await connection.info()).split('\r\n').map((line) => line.split(':'))
  return Object.fromEntries(lines.map(([name, value]) => [name, Number(value)]))
}

const processorOf = (/** @type {Record<string, number>} */ info) =>
  info.used_cpu_user + info.used_cpu_sys

/** @param {number} first */
const rowsOfChunk = (first) =>
  encodeRows(
    rowsOf(
      first,
      Array.from({ length: CHUNK }, (_, i) => ({
        x: i / 3,
        y: i / 7,
        z: i / 9,
        hash: (first + i).toString(16).padStart(16, '0'),
      })),
    ),
  )

/**
 * The cost of a job to Redis: jobs that do nothing but what every job does, to read the state of their sweep and to write their rows.
 *
 * @param {number} jobs
 */
export async function jobCost(jobs) {
  const redis = await startRedis({ appendOnly: true })
  const connection = connectRedis(redis.url)
  const queue = sweepQueue(connection)
  try {
    const chunks = Array.from({ length: jobs }, (_, index) => index)
    const empty = await infoOf(connection)
    let began = performance.now()
    await enqueueChunks(queue, 'bench', chunks)
    const addRate = (1000 * jobs) / (performance.now() - began)
    const queued = await infoOf(connection)
    began = performance.now()
    await workOff(redis.url, jobs)
    const seconds = (performance.now() - began) / 1000
    const done = await infoOf(connection)
    return {
      title: `${jobs} jobs of BullMQ that compute nothing`,
      rows: rowsFor(jobs, addRate, seconds, empty, queued, done),
    }
  } finally {
    await queue.close()
    connection.disconnect()
    await redis.stop()
  }
}

/** @param {string} url @param {number} jobs */
async function workOff(url, jobs) {
  const connection = connectRedis(url)
  let done = 0
  const worker = new Worker(
    QUEUE,
    async ({ data: { id, index } }) => {
      const store = redisStore(connection, id)
      await store.state()
      await store.put(index, rowsOfChunk(index * CHUNK))
    },
    { connection, concurrency: CONCURRENCY },
  )
  const finished = new Promise((resolve) =>
    worker.on('completed', () => ++done === jobs && resolve(done)),
  )
  await finished
  await worker.close()
  connection.disconnect()
  if (connection.status !== 'end') await once(connection, 'end')
}

/**
 * @param {number} jobs
 * @param {number} addRate
 * @param {number} seconds
 * @param {Record<string, number>} empty
 * @param {Record<string, number>} queued
 * @param {Record<string, number>} done
 */
function rowsFor(jobs, addRate, seconds, empty, queued, done) {
  const [adding, working] = [
    processorOf(queued) - processorOf(empty),
    processorOf(done) - processorOf(queued),
  ]
  const each = (/** @type {string} */ name) => ((done[name] - queued[name]) / jobs).toFixed(1)
  const micro = (/** @type {number} */ value) => ((1e6 * value) / jobs).toFixed(0)
  const rowBytes = rowsOfChunk(0).length
  return [
    ['', 'measured'],
    ['jobs added per s (one process)', addRate.toFixed(0)],
    ['jobs done per s (one process, 50 at a time)', (jobs / seconds).toFixed(0)],
    ["Redis' processor time to add a job, µs", micro(adding)],
    ["Redis' processor time to do a job, µs", micro(working)],
    ['jobs per s at which one Redis is busy', (jobs / (adding + working)).toFixed(0)],
    ['commands per job', each('total_commands_processed')],
    [
      'bytes to Redis and from it per job',
      `${each('total_net_input_bytes')}, ${each('total_net_output_bytes')}`,
    ],
    [
      'memory of a job that waits, bytes',
      ((queued.used_memory - empty.used_memory) / jobs).toFixed(0),
    ],
    [
      `memory of the rows of a chunk of ${CHUNK}, bytes (${rowBytes} of them rows)`,
      ((done.used_memory - empty.used_memory) / jobs).toFixed(0),
    ],
  ]
}
