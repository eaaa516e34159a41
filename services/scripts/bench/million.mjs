import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedis, EXPORT_FORMATS } from '../../source/sweeps/index.mjs'
import { startRedis } from '../redis-server.mjs'
import { pathOf, program, timed } from './timed.mjs'

const WORKERS = 2
/** Runs of a job: it is half a second of a processor. */
const CHUNK = 1000

/**
 * So many dice of 1 s from the command to its files: by two processes over Redis, with all exports.
 *
 * @param {number} runs
 */
export async function millionDice(runs) {
  const redis = await startRedis({ appendOnly: true })
  const folder = await mkdtemp(join(tmpdir(), 'moreau-bench-'))
  const files = EXPORT_FORMATS.map((format) => [format, join(folder, `dice.${format}`)])
  try {
    const { output, wall, processor, memory } = await timed(
      [
        ...[process.execPath, program, 'sweep', pathOf('scenes/die.mjs')],
        ...['--random', 'speed=0.1:1', '--runs', String(runs), '--chunk', String(CHUNK)],
        ...['--workers', String(WORKERS), '--redis', redis.url],
        ...files.flatMap(([format, path]) => [`--${format}`, path]),
      ],
      folder,
      { isShown: true },
    )
    const sizes = await Promise.all(
      files.map(async ([format, path]) => [`${format}, MB`, megabytes((await stat(path)).size)]),
    )
    return {
      title: `${runs} dice of 1 s (120 steps), by ${WORKERS} processes over Redis, with all files`,
      rows: [
        ['', 'measured'],
        ['wall, s', wall.toFixed(0)],
        ['processor of all but Redis, s', processor.toFixed(0)],
        ['runs per s', (runs / wall).toFixed(0)],
        ['runs per processor second', (runs / processor).toFixed(0)],
        ['most memory of the command, MB', memory.toFixed(0)],
        ['most memory of Redis, MB', megabytes(await mostMemoryOf(redis.url))],
        ...sizes,
        ['table', /table ([0-9a-f]{64})/.exec(output)?.[1] ?? 'none'],
      ],
    }
  } finally {
    await redis.stop()
    await rm(folder, { recursive: true })
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1)

/** @param {string} url @returns {Promise<number>} bytes */
async function mostMemoryOf(url) {
  const connection = connectRedis(url)
  const [, bytes] = /used_memory_peak:(\d+)/.exec(await connection.info('memory')) ?? []
  connection.disconnect()
  return Number(bytes)
}
