import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '../redis-server.mjs'
import { pathOf, program, timed } from './timed.mjs'

/**
 * A die of 1 s, thrown so often by threads and by processes over Redis, 1 and 2 of them.
 *
 * @param {number} runs
 */
export async function sweepThroughput(runs) {
  const rows = [
    ['workers', 'wall s', 'runs/s', 'processor s', 'runs per processor second', 'table'],
  ]
  const redis = await startRedis({ appendOnly: true })
  const folder = await mkdtemp(join(tmpdir(), 'moreau-bench-'))
  try {
    for (const [kind, more] of Object.entries({
      threads: [],
      'processes over Redis': ['--redis', redis.url],
    })) {
      for (const workers of [1, 2]) {
        // Another folder or chunk makes it another sweep.
        const place = ['--folder', join(folder, String(workers)), '--chunk', String(249 + workers)]
        const axes = [
          '--random',
          'speed=0.1:1',
          '--runs',
          String(runs),
          '--workers',
          String(workers),
        ]
        const words = [
          process.execPath,
          program,
          'sweep',
          pathOf('scenes/die.mjs'),
          ...axes,
          ...place,
          ...more,
        ]
        const { output, wall, processor } = await timed(words, folder)
        const [, hash] = /table ([0-9a-f]{12})/.exec(output) ?? []
        const rates = [
          wall.toFixed(1),
          (runs / wall).toFixed(0),
          processor.toFixed(1),
          (runs / processor).toFixed(0),
        ]
        rows.push([`${workers} ${kind}`, ...rates, `${hash}...`])
      }
    }
  } finally {
    await redis.stop()
    await rm(folder, { recursive: true })
  }
  return { title: `${runs} dice of 1 s (120 steps), from the command to the summary`, rows }
}
