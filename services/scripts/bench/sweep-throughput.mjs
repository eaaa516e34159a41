import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRedis } from '../redis-server.mjs'

const pathOf = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url))
const program = pathOf('source/command-line/moreau-services.mjs')

/**
 * Runs a program and what it starts.
 *
 * @param {string[]} words
 * @param {string} folder
 * @returns {Promise<{ output: string, wall: number, processor: number }>} s; `processor` of all that it started
 */
async function timed(words, folder) {
  // Only a shell tells what processes took that somebody else has waited for.
  const script = 'TIMEFORMAT="processor %U %S"; time "$@"'
  const began = performance.now()
  const child = spawn('bash', ['-c', script, 'bash', ...words], { cwd: folder })
  let [output, errors] = ['', '']
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (errors += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${words.join(' ')}: ${errors}`)
  const [, user, system] = /processor ([\d.]+) ([\d.]+)/.exec(errors) ?? []
  const wall = (performance.now() - began) / 1000
  return { output, wall, processor: Number(user) + Number(system) }
}

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
