/**
 * Moreau beside the other engines of the web, on the same scenes:
 *
 *     npm run bench -- [--scene pyramid-20,boxes] [--engine moreau,havok] [--sleep off] [--rounds 3] [--quality] [--json <file>]
 *                      [--solver <name>] [--world <options as JSON>] [--timeout <seconds>]
 *     npm run bench -- --physics [--only tower-40,puck] [--engine moreau,rapier] [--quick] [--json <file>] ...
 *     npm run bench -- --frontier [--json <file>]
 *
 * Every measurement is made in a process of its own, the rounds interleaved over the engines. `--scene growth` stands for all
 * piles that show how the cost grows. `--quality` runs longer and looks at quality alone. `--physics`
 * measures physics against theory, row by row; `--quick` with shorter runs. `--frontier` measures Moreau's overlap against its energy
 * as its options change. `--solver` and `--world` change Moreau's defaults.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { readCommandLine } from '../scripts/command-line.mjs'
import { Failure } from '../scripts/tools.mjs'
import { installPeers } from './comparison/peers.mjs'
import { startProgress } from './comparison/progress.mjs'
import { report } from './comparison/report.mjs'
import { runRounds } from './comparison/rounds.mjs'
import { summarize } from './comparison/summary.mjs'
import { engineNames, loadAdapter } from './engines/engine.mjs'
import { FRONTIER, measurePoint } from './frontier/measure.mjs'
import { reportFrontier } from './frontier/report.mjs'
import { rowNames } from './physics/index.mjs'
import { reportPhysics } from './physics/report.mjs'
import { measurePhysics, PHYSICS_ENGINES } from './physics/run.mjs'
import { GROWTH, sceneNames } from './scenes/index.mjs'
import { readNumber } from './table.mjs'

/** s that one process may take: a pyramid of 820 cubes for five minutes takes slow engines minutes. */
const TIMEOUT = { compare: '300', physics: '1200' }

try {
  await main()
} catch (error) {
  const known =
    error instanceof Failure || error instanceof RangeError || error instanceof TypeError
  process.stderr.write(`bench: ${known ? error.message : /** @type {Error} */ (error).stack}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      scene: { type: 'string', default: sceneNames.join() },
      engine: { type: 'string' },
      sleep: { type: 'string', default: 'both' },
      rounds: { type: 'string' },
      quality: { type: 'boolean', default: false },
      physics: { type: 'boolean', default: false },
      frontier: { type: 'boolean', default: false },
      only: { type: 'string', default: rowNames.join() },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      solver: { type: 'string' },
      world: { type: 'string', default: '{}' },
      timeout: { type: 'string' },
    },
  })
  const kind = values.physics ? 'physics' : 'compare'
  const engines = values.physics ? PHYSICS_ENGINES : engineNames
  const common = {
    engines: choose('--engine', values.engine ?? engines.join(), engineNames),
    world: { ...readWorld(values.world), ...(values.solver ? { solver: values.solver } : {}) },
    timeout: readNumber('--timeout', values.timeout ?? TIMEOUT[kind]),
  }
  const result = await (values.frontier
    ? measureFrontier(common)
    : values.physics
      ? measure(common, values)
      : compare(common, values))
  const made = {
    date: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    world: common.world,
  }
  process.stdout.write(`${result.text(made)}\n`)
  if (!values.json) return
  writeFileSync(values.json, `${JSON.stringify({ ...made, ...result.data }, null, 1)}\n`)
}

/** @typedef {{ engines: string[], world: Record<string, unknown>, timeout: number }} Common */
/** @typedef {{ date: string, machine: string, node: string, world: Record<string, unknown> }} Made */

/**
 * Engines and scenes.
 *
 * @param {Common} common
 * @param {{ scene: string, sleep: string, rounds?: string, quality: boolean }} values
 */
async function compare(common, { scene, sleep, rounds, quality }) {
  const plan = {
    ...common,
    scenes: choose('--scene', scene, sceneNames, {
      growth: GROWTH.map((count) => `growth-${count}`),
    }),
    sleep: sleepModes(sleep),
    // A second run would come to the same end.
    rounds: quality ? 1 : Math.ceil(readNumber('--rounds', rounds ?? '3')),
    quality,
  }
  await installPeers(plan.engines)
  const progress = startProgress()
  const records = await runRounds(plan, progress.update).finally(progress.stop)
  const data = { rounds: plan.rounds, quality, ...summarize(records) }
  return { data, text: (/** @type {Made} */ made) => report({ ...made, ...data }) }
}

/**
 * The table of physics.
 *
 * @param {Common} common
 * @param {{ only: string, quick: boolean }} values
 */
async function measure(common, { only, quick }) {
  const plan = { ...common, rows: choose('--only', only, rowNames), quick }
  await installPeers(plan.engines)
  const progress = startProgress()
  const findings = await measurePhysics(plan, progress.update).finally(progress.stop)
  const text = (/** @type {Made} */ { date, machine, node }) =>
    `${date.slice(0, 10)}, ${machine}, Node ${node}${quick ? ', quick' : ''}\n\n` +
    reportPhysics(findings)
  return { data: { quick, findings }, text }
}

/**
 * Overlap against energy.
 *
 * @param {Common} common
 */
async function measureFrontier({ world }) {
  const progress = startProgress()
  const { load } = await loadAdapter('moreau')
  const engine = await load()
  /** @type {import("./frontier/measure.mjs").Point[]} */
  const points = []
  // What a process does first is slow: JavaScript and WebAssembly are compiled meanwhile.
  await measurePoint(engine, {}, { seconds: 2, scenes: 10 })
  for (const [done, options] of FRONTIER.entries()) {
    progress.update(JSON.stringify(options), done, FRONTIER.length)
    points.push(await measurePoint(engine, { .../** @type {any} */ (world), ...options }))
  }
  progress.stop()
  return { data: { points }, text: () => reportFrontier(points) }
}

/**
 * @param {string} option
 * @param {string} words names with commas between them
 * @param {string[]} names that there are
 * @param {Record<string, string[]>} [groups] names that stand for several
 * @returns {string[]}
 */
function choose(option, words, names, groups = {}) {
  const chosen = words.split(',').flatMap((word) => groups[word] ?? [word])
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown === undefined) return [...new Set(chosen)]
  const known = [...names, ...Object.keys(groups)].join(', ')
  throw new RangeError(`${option} has '${unknown}'; there are ${known}`)
}

/**
 * @param {string} word
 * @returns {boolean[]}
 */
function sleepModes(word) {
  /** @type {Record<string, boolean[]>} */
  const modes = { off: [false], on: [true], both: [false, true] }
  if (word in modes) return modes[word]
  throw new RangeError(`--sleep is '${word}', but it must be on, off or both`)
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function readWorld(text) {
  try {
    const options = JSON.parse(text)
    if (typeof options === 'object' && options !== null) return options
  } catch {
    // Said below.
  }
  throw new RangeError(`--world is '${text}', but it must be an object as JSON: {"iterations":40}`)
}
