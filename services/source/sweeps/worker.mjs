import { Worker } from 'bullmq'
import { Counter, Gauge, Histogram } from 'prom-client'
import { connectRedis } from '../operations/redis-connection.mjs'
import { QUEUE } from './queue.mjs'

/** s: bounds of the histogram of how long chunks take */
const CHUNK_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300]
/** How often a job may lose its worker. Each loss is of a process, not of the job: `attempts` counts what the job itself does. */
const MOST_LOSSES = 100

/**
 * @typedef {object} WorkerOptions
 * @property {string} url of Redis
 * @property {string} scenes folder of scenes on this machine
 * @property {number} workers chunks at a time, each in a process
 * @property {number} deadline s that a chunk may take
 * @property {number} lease s after which the chunks of a process that is not heard of go to others
 * @property {import('pino').Logger} [log]
 * @property {import('prom-client').Registry} [registry]
 */

/**
 * Takes chunks of any sweep of a Redis and makes them, in processes of their own.
 *
 * @param {WorkerOptions} options
 */
export function startWorker({ url, scenes, workers, deadline, lease, log, registry }) {
  const connection = connectRedis(url, (error) => log?.warn({ err: error }, 'redis'))
  const worker = new Worker(QUEUE, new URL('./processor.mjs', import.meta.url), {
    connection,
    concurrency: workers,
    ...{ lockDuration: lease * 1000, stalledInterval: lease * 1000, maxStalledCount: MOST_LOSSES },
    workerForkOptions: {
      env: { ...process.env, MOREAU_SWEEP_WORKER: JSON.stringify({ url, scenes, deadline }) },
    },
  })
  const count = registry && countWork(worker, registry)
  worker.on('error', (error) => log?.warn({ err: error }, 'worker'))
  worker.on('active', () => count?.active.inc())
  worker.on('completed', (job, result) => {
    log?.debug({ ...job.data, ...result }, 'chunk')
    count?.done(job, result)
  })
  worker.on('failed', (job, error) => {
    log?.warn({ ...job?.data, attempt: job?.attemptsMade, err: error }, 'chunk failed')
    count?.failed.inc()
    count?.active.dec()
  })
  return {
    isRunning: () => worker.isRunning() && connection.status === 'ready',
    /** Takes no more chunks, and waits for those that run unless `force`. */
    async close(force = false) {
      await worker.close(force)
      connection.disconnect()
    },
  }
}

/** @param {Worker} worker @param {import('prom-client').Registry} registry */
function countWork(worker, registry) {
  const registers = [registry]
  const chunks = new Counter({ name: 'moreau_sweep_chunks_total', help: 'chunks done', registers })
  const failed = new Counter({
    ...{
      name: 'moreau_sweep_chunk_failures_total',
      help: 'attempts at chunks that failed',
      registers,
    },
  })
  const runs = new Counter({ name: 'moreau_sweep_runs_total', help: 'runs done', registers })
  const failedRuns = new Counter({
    ...{ name: 'moreau_sweep_failed_runs_total', help: 'runs whose scene failed', registers },
  })
  const active = new Gauge({
    name: 'moreau_sweep_active_chunks',
    help: 'chunks being made',
    registers,
  })
  const seconds = new Histogram({
    ...{ name: 'moreau_sweep_chunk_seconds', help: 'time of a chunk', registers },
    buckets: CHUNK_SECONDS,
  })
  /** @param {import('bullmq').Job} job @param {{ runs: number, failed: number }} result */
  const done = (job, result) => {
    active.dec()
    chunks.inc()
    runs.inc(result.runs)
    failedRuns.inc(result.failed)
    seconds.observe(((job.finishedOn ?? 0) - (job.processedOn ?? 0)) / 1000)
  }
  return { active, failed, done }
}
