/**
 * Throws a die a hundred thousand times, on all processors, and says how likely its faces are.
 *
 *     npm install && npm start
 *     node monte-carlo.mjs --throws 1e5 --workers 2 --seed 1 --bias 0.5
 */
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import cliProgress from 'cli-progress'
import { Piscina } from 'piscina'
import { OUTCOMES } from './throws.mjs'

/** Throws of a task: what a worker does at a time. */
const TASK = 250
/** Standard deviations of an interval of 95 %. */
const Z = 1.959964
/** Of chi squared with 5 degrees of freedom: a fair die is above in 5 % of all experiments. */
const CHI_SQUARED_95 = 11.0705
/** Characters of a bar of the histogram that stands for all throws */
const WIDTH = 240

/**
 * @typedef {object} ExperimentOptions
 * @property {number} throws
 * @property {number} [workers] default: as many as there are processors
 * @property {number} [seed] 0 to 2^20, default 1
 * @property {number} [bias] 0, the default: a fair die; 0.5: its centre of mass is half way to the face of the six
 * @property {(done: number) => void} [onProgress] throws that are done
 */

/**
 * Has workers throw. The result is the same for any number of them.
 *
 * @param {ExperimentOptions} options
 * @returns {Promise<Uint8Array>} the face of each throw
 */
export async function experiment({ throws, workers, seed = 1, bias = 0, onProgress }) {
  const count = workers ?? availableParallelism()
  const pool = new Piscina({
    filename: new URL('./throws.mjs', import.meta.url).href,
    ...{ minThreads: count, maxThreads: count },
  })
  const faces = new Uint8Array(throws)
  let done = 0
  const tasks = Array.from({ length: Math.ceil(throws / TASK) }, async (_, i) => {
    const first = i * TASK
    const size = Math.min(TASK, throws - first)
    faces.set(await pool.run({ first, count: size, seed, bias }), first)
    done += size
    onProgress?.(done)
  })
  try {
    await Promise.all(tasks)
  } finally {
    await pool.destroy()
  }
  return faces
}

/**
 * How often each face came, with the interval of Wilson (1927), which holds for rare ones too.
 *
 * @param {Uint8Array} faces
 * @returns {{ counts: number[], intervals: [number, number][], chiSquared: number }} by faces; place 0 is for dice askew.
 *   `chiSquared`: against a fair die
 */
export function summarize(faces) {
  const counts = new Array(OUTCOMES).fill(0)
  for (const face of faces) counts[face]++
  const n = faces.length
  const intervals = counts.map((count) => {
    const [part, spread] = [count / n, Z ** 2 / n]
    const middle = (part + spread / 2) / (1 + spread)
    const half = (Z * Math.sqrt((part * (1 - part)) / n + spread / (4 * n))) / (1 + spread)
    return /** @type {[number, number]} */ ([middle - half, middle + half])
  })
  const expected = (n - counts[0]) / 6
  const chiSquared = counts
    .slice(1)
    .reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  return { counts, intervals, chiSquared }
}

/** @param {Uint8Array} faces @returns {string} a histogram */
export function histogram(faces) {
  const { counts, intervals, chiSquared } = summarize(faces)
  const percent = (/** @type {number} */ part) => (100 * part).toFixed(2).padStart(5)
  const lines = counts.map((count, face) => {
    const part = count / faces.length
    const interval = intervals[face].map(percent).join(', ')
    const name = face === 0 ? 'askew' : `    ${face}`
    const bar = '#'.repeat(Math.round(part * WIDTH))
    return `${name} ${String(count).padStart(7)}  ${percent(part)} %  [${interval}]  ${bar}`
  })
  const verdict = chiSquared < CHI_SQUARED_95 ? 'a fair die' : 'not a fair die'
  const bound = CHI_SQUARED_95.toFixed(2)
  return [
    ...lines,
    `chi squared ${chiSquared.toFixed(2)} (95 % of fair dice: below ${bound}): ${verdict}`,
  ].join('\n')
}

async function main() {
  const option = (/** @type {string} */ standard) =>
    /** @type {const} */ ({ type: 'string', default: standard })
  const { values } = parseArgs({
    options: {
      ...{ throws: option('1e5'), workers: option(String(availableParallelism())) },
      ...{ seed: option('1'), bias: option('0') },
    },
  })
  const throws = Number(values.throws)
  const bar = new cliProgress.SingleBar({
    format: '[{bar}] {percentage} %  {value} of {total} throws  {eta_formatted} to go',
    clearOnComplete: true,
  })
  const began = performance.now()
  bar.start(throws, 0)
  const faces = await experiment({
    ...{ throws, workers: Number(values.workers) },
    ...{ seed: Number(values.seed), bias: Number(values.bias) },
    onProgress: (done) => bar.update(done),
  })
  bar.stop()
  const seconds = (performance.now() - began) / 1000
  console.log(histogram(faces))
  console.log(`${throws} throws in ${seconds.toFixed(1)} s by ${values.workers} workers`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main()
