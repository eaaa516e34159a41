/**
 * Moreau beside the other engines of the web, on the same scenes:
 *
 *     npm run bench -- [--scene pyramid-20,boxes] [--engine moreau,havok] [--sleep off] [--rounds 3] [--quality] [--json <file>]
 *                      [--solver <name>] [--world <options as JSON>] [--timeout <seconds>]
 *
 * Every measurement is made in a process of its own, the rounds interleaved over the engines. `--scene growth` stands for all
 * piles that show how the cost grows. `--quality` runs longer and looks at quality alone. `--solver` and `--world` change
 * Moreau's defaults.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { Failure } from '../scripts/tools.mjs'
import { installPeers } from './comparison/peers.mjs'
import { startProgress } from './comparison/progress.mjs'
import { report } from './comparison/report.mjs'
import { runRounds } from './comparison/rounds.mjs'
import { summarize } from './comparison/summary.mjs'
import { engineNames } from './engines/engine.mjs'
import { GROWTH, sceneNames } from './scenes/index.mjs'
import { readNumber } from './table.mjs'

try {
  await main()
} catch (error) {
  const known =
    error instanceof Failure || error instanceof RangeError || error instanceof TypeError
  process.stderr.write(`bench: ${known ? error.message : /** @type {Error} */ (error).stack}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = parseArgs({
    options: {
      scene: { type: 'string', default: sceneNames.join() },
      engine: { type: 'string', default: engineNames.join() },
      sleep: { type: 'string', default: 'both' },
      rounds: { type: 'string' },
      quality: { type: 'boolean', default: false },
      json: { type: 'string' },
      solver: { type: 'string' },
      world: { type: 'string', default: '{}' },
      timeout: { type: 'string', default: '300' },
    },
  })
  const { quality } = values
  const plan = {
    scenes: choose('--scene', values.scene, sceneNames, {
      growth: GROWTH.map((count) => `growth-${count}`),
    }),
    engines: choose('--engine', values.engine, engineNames),
    sleep: sleepModes(values.sleep),
    // A second run would come to the same end.
    rounds: quality ? 1 : Math.ceil(readNumber('--rounds', values.rounds ?? '3')),
    quality,
    world: { ...readWorld(values.world), ...(values.solver ? { solver: values.solver } : {}) },
    timeout: readNumber('--timeout', values.timeout),
  }
  await installPeers(plan.engines)
  const progress = startProgress()
  const records = await runRounds(plan, progress.update).finally(progress.stop)
  const result = {
    date: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    rounds: plan.rounds,
    quality,
    world: plan.world,
    ...summarize(records),
  }
  process.stdout.write(`${report(result)}\n`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify(result, null, 1)}\n`)
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
