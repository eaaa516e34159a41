/**
 * Chunks as jobs of BullMQ.
 */
import { Queue } from 'bullmq'

/** All sweeps have one queue: a worker takes what comes. */
export const QUEUE = 'moreau-sweeps'

/** Workers may end so often in the middle of a chunk, by no fault of its runs, until somebody should look. */
const ATTEMPTS = 5
/** ms until a chunk that failed is tried again; doubled each time */
const BACKOFF = 100
/** Jobs that Redis is given at a time, so that it answers others in between. */
const BULK = 1000
/** Failed jobs, and such as are being made, that are looked at. */
const [FAILED_SEEN, ACTIVE_SEEN] = [1000, 1000]

/** @typedef {{ id: string, index: number }} ChunkJob of which sweep, and which chunk */

/** The same chunk has the same job: to add it again does nothing while it is there. @param {ChunkJob} job */
const jobId = ({ id, index }) => `${id}-${index}`

/** @param {import('ioredis').Redis} connection @returns {Queue<ChunkJob>} */
export function sweepQueue(connection) {
  const queue = new Queue(QUEUE, { connection })
  // The connection reports its own errors.
  queue.on('error', () => {})
  return queue
}

/**
 * @param {Queue<ChunkJob>} queue
 * @param {string} id of the sweep
 * @param {readonly number[]} chunks
 */
export async function enqueueChunks(queue, id, chunks) {
  for (let first = 0; first < chunks.length; first += BULK) {
    const jobs = chunks.slice(first, first + BULK).map((index) => ({
      name: 'chunk',
      data: { id, index },
      opts: {
        jobId: jobId({ id, index }),
        ...{ attempts: ATTEMPTS, backoff: { type: 'exponential', delay: BACKOFF } },
        // Their rows say that they are done.
        removeOnComplete: true,
      },
    }))
    await queue.addBulk(jobs)
  }
}

/**
 * @param {Queue<ChunkJob>} queue
 * @param {string} id of the sweep
 * @returns {Promise<number>} runs that are made of chunks that are not done, as their workers have told
 */
export async function runsUnderway(queue, id) {
  const jobs = await queue.getActive(0, ACTIVE_SEEN - 1)
  const ours = jobs.filter((job) => job?.data.id === id)
  return ours.reduce((sum, { progress }) => sum + Number(Object(progress).runs ?? 0), 0)
}

/**
 * @param {Queue<ChunkJob>} queue
 * @param {string} id of the sweep
 * @returns {Promise<import('bullmq').Job<ChunkJob>[]>} those that failed too often
 */
export async function failedChunks(queue, id) {
  const jobs = await queue.getFailed(0, FAILED_SEEN - 1)
  return jobs.filter((job) => job?.data.id === id)
}
