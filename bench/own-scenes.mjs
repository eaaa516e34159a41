/**
 * Measures Moreau's scenes in wasm. Each measurement is made in a fresh process; rounds go round robin over the scenes, so that a
 * machine that gets slower for a while does not hit one scene only.
 *
 *     npm run bench:start -- [--scene <name>]... [--rounds 3] [--steps 600] [--json]
 */
import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sceneByName } from 'moreau/scenarios'
import { readCommandLine } from '../scripts/command-line.mjs'
import { formatTable } from './table.mjs'

/** @typedef {import('./own-scenes-measure.mjs').Measurement} Measurement */

const DEFAULT_SCENES = ['pyramid-210', 'pour', 'tumbling-boxes', 'stack-of-10', 'resting-cube']

/** So much young space that no garbage is collected while it is measured. */
const NODE_OPTIONS = ['--expose-gc', '--max-semi-space-size=128']

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`bench:start: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      scene: { type: 'string', multiple: true, default: DEFAULT_SCENES },
      rounds: { type: 'string', default: '3' },
      steps: { type: 'string', default: '600' },
      json: { type: 'boolean', default: false },
    },
  })
  const scenes = values.scene.map((name) => sceneByName(name).name)
  const rounds = readCount('--rounds', values.rounds)
  const steps = readCount('--steps', values.steps)

  /** @type {Map<string, Measurement[]>} */
  const measurements = new Map(scenes.map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const [name, list] of measurements) {
      if (process.stderr.isTTY) process.stderr.write(`round ${round} of ${rounds}: ${name}\n`)
      list.push(await measureInChild(name, steps))
    }
  }
  const result = {
    machine: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    rounds,
    steps,
    scenes: [...measurements].map(([name, list]) => summarize(name, list)),
  }
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${table(result)}\n`)
  return 0
}

/**
 * @param {string} option
 * @param {string} word
 */
function readCount(option, word) {
  const count = Number(word)
  if (Number.isInteger(count) && count > 0) return count
  throw new RangeError(`${option} is '${word}', but it must be a whole number above zero`)
}

/**
 * @param {string} scene
 * @param {number} steps
 * @returns {Promise<Measurement>}
 */
async function measureInChild(scene, steps) {
  const file = fileURLToPath(new URL('own-scenes-measure.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...NODE_OPTIONS,
    file,
    scene,
    String(steps),
  ])
  return JSON.parse(stdout)
}

/**
 * What several rounds say: of each time the median of the rounds, and of the medians the best, which is what the machine can do
 * when nobody disturbs it.
 *
 * @param {string} scene
 * @param {Measurement[]} list
 */
function summarize(scene, list) {
  /** @param {(measurement: Measurement) => number} read */
  const middle = (read) => {
    const sorted = list.map(read).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]
  }
  return {
    scene,
    bodies: list[0].bodies,
    best: Math.min(...list.map(({ median }) => median)),
    median: middle(({ median }) => median),
    p95: middle(({ p95 }) => p95),
    max: middle(({ max }) => max),
    allocationsPerStep: middle(({ allocationsPerStep }) => allocationsPerStep),
    heapBytesPerStep: middle(({ heapBytesPerStep }) => heapBytesPerStep),
    ready: middle(({ ready }) => ready),
    firstStep: middle(({ firstStep }) => firstStep),
    hash: list.every(({ hash }) => hash === list[0].hash) ? list[0].hash : 'DIFFERS',
  }
}

/**
 * @param {{ machine: string, node: string, rounds: number, steps: number, scenes: ReturnType<typeof summarize>[] }} result
 */
function table({ machine, node, rounds, steps, scenes }) {
  const head = [
    'scene',
    'bodies',
    'best',
    'median',
    'p95',
    'max',
    'C alloc',
    'JS bytes',
    'ready',
    'first',
  ]
  const rows = scenes.map((row) => [
    row.scene,
    String(row.bodies),
    ...[row.best, row.median, row.p95, row.max].map((time) => time.toFixed(3)),
    row.allocationsPerStep.toFixed(2),
    row.heapBytesPerStep.toFixed(0),
    row.ready.toFixed(1),
    row.firstStep.toFixed(1),
  ])
  return [
    `${machine}, Node ${node}, ${rounds} rounds of up to ${steps} steps`,
    'ms per step: best and median of the rounds, 95th percentile, slowest; per step in the steady',
    'state, with the bulk arrays and read twins: calls of the C allocator, bytes of JavaScript heap;',
    'ms from import to ready and to the end of the first step',
    '',
    formatTable(head, rows),
  ].join('\n')
}
