/**
 * Sequences by seed: one of fast-check's per seed, so that each failure has a seed of its own and the others go on.
 */
import fc from 'fast-check'
import { checkSequence, Finding, scriptOf } from './check.mjs'
import { sequence, worldOptions } from './lines.mjs'
import { countCalls } from './reach.mjs'

/** Seconds between two lines of progress. */
const PROGRESS_SECONDS = 60
/** Milliseconds that the search for a shorter failure may take. */
const SHRINK_TIME = 20_000
/**
 * @typedef {object} Run
 * @property {number} sequences
 * @property {number} seed of the first
 * @property {string} [path] of fast-check, to a shortened failure of the seed
 * @property {number} length lines of a sequence at the most
 * @property {boolean} skipTransactions whether refused steps may change the world
 * @property {number} [mostTime] ms of processor time that a sequence may take; without, the clock decides nothing
 * @property {import('./reach.mjs').Counts} [counts] where calls of public members are counted
 * @property {(text: string) => void} say
 */

/**
 * @param {Run} run
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSequences(run) {
  const { sequences, seed, path, length, skipTransactions, mostTime = Infinity, counts, say } = run
  const load = async () => {
    const moreau = await loadCopy()
    return counts === undefined ? moreau : countCalls(moreau, counts)
  }
  let moreau = await load()
  const property = fc.asyncProperty(worldOptions, sequence(length), async (world, lines) => {
    const start = process.cpuUsage()
    try {
      checkSequence(lines, { moreau, world, skipTransactions })
    } catch (error) {
      // What failed may have left anything behind.
      moreau = await load()
      throw error
    }
    const time = process.cpuUsage(start).user / 1000
    if (time > mostTime) throw new Finding('slow', `${Math.round(time)} ms`)
  })
  const count = { passed: 0, failed: 0 }
  let told = performance.now()
  for (let i = 0; i < sequences; i++) {
    const options = { seed: seed + i, numRuns: 1, interruptAfterTimeLimit: SHRINK_TIME }
    const result = await fc.check(property, path === undefined ? options : { ...options, path })
    if (result.failed && result.counterexample !== null) {
      count.failed++
      const [world, lines] = result.counterexample
      const error = /** @type {any} */ (result.errorInstance)
      say(`\n--seed ${seed + i} --path ${result.counterexamplePath}: ${error?.message}`)
      if (!(error instanceof Finding)) say(String(error?.stack))
      say(`${scriptOf(lines, world)}\n`)
    } else {
      count.passed++
    }
    if (performance.now() - told > 1000 * PROGRESS_SECONDS) {
      told = performance.now()
      say(`${i + 1} of ${sequences}, ${count.failed} failed`)
    }
  }
  return count
}

let loads = 0

/** @returns {Promise<any>} the package, with a module of its own */
async function loadCopy() {
  const address = new URL(import.meta.resolve('moreau'))
  address.searchParams.set('copy', String(loads++))
  const moreau = await import(address.href)
  await moreau.init()
  return moreau
}
