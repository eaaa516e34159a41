/**
 * Sequences by seed: one of fast-check's per seed, so that each failure has a seed of its own and the others go on.
 */
import fc from 'fast-check'
import { checkSequence, Finding, scriptOf } from './check.mjs'
import { loadFailing } from './failing-memory.mjs'
import { sequence, worldOptions } from './lines.mjs'
import { countCalls } from './reach.mjs'
import { checkSceneFile, damagedFile } from './scene-files.mjs'

/** Seconds between two lines of progress. */
const PROGRESS_SECONDS = 60
/** Milliseconds that the search for a shorter failure may take. */
const SHRINK_TIME = 20_000
/**
 * @typedef {object} Cases
 * @property {number} count
 * @property {number} seed of the first
 * @property {string} [path] of fast-check, to a shortened failure of the seed
 * @property {number} [mostTime] ms of processor time that a case may take; without, the clock decides nothing
 * @property {(text: string) => void} say
 */

/**
 * @template Case
 * @param {fc.Arbitrary<Case>} arbitrary
 * @param {(one: Case) => void | Promise<void>} check throws what it finds
 * @param {(one: Case) => string} describe how to have the case again
 * @param {Cases} cases
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function runCases(
  arbitrary,
  check,
  describe,
  { count, seed, path, mostTime = Infinity, say },
) {
  const property = fc.asyncProperty(arbitrary, async (one) => {
    const start = process.cpuUsage()
    await check(one)
    const time = process.cpuUsage(start).user / 1000
    if (time > mostTime) throw new Finding('slow', `${Math.round(time)} ms`)
  })
  const result = { passed: 0, failed: 0 }
  let told = performance.now()
  for (let i = 0; i < count; i++) {
    const options = { seed: seed + i, numRuns: 1, interruptAfterTimeLimit: SHRINK_TIME }
    const one = await fc.check(property, path === undefined ? options : { ...options, path })
    if (one.failed && one.counterexample !== null) {
      result.failed++
      const error = /** @type {any} */ (one.errorInstance)
      say(`\n--seed ${seed + i} --path ${one.counterexamplePath}: ${error?.message}`)
      if (!(error instanceof Finding)) say(String(error?.stack))
      say(`${describe(one.counterexample[0])}\n`)
    } else {
      result.passed++
    }
    if (performance.now() - told > 1000 * PROGRESS_SECONDS) {
      told = performance.now()
      say(`${i + 1} of ${count}, ${result.failed} failed`)
    }
  }
  return result
}

/** @typedef {{ moreau: any, memory?: import('./failing-memory.mjs').FailingMemory }} Loaded */

/**
 * A copy of the package for one case after the other, and a new one after a failure: what failed may have left anything behind.
 * @template Case
 * @param {() => Promise<Loaded>} load
 * @param {(one: Case, loaded: Loaded) => void} check
 * @returns {Promise<{ check: (one: Case) => Promise<void>, failures: () => number }>}
 */
async function withCopies(load, check) {
  let [loaded, failures] = [await load(), 0]
  return {
    async check(one) {
      try {
        check(one, loaded)
      } catch (error) {
        failures += loaded.memory?.failures ?? 0
        loaded = await load()
        throw error
      }
    },
    failures: () => failures + (loaded.memory?.failures ?? 0),
  }
}

/**
 * @typedef {object} SequenceOptions
 * @property {number} length lines of a sequence at the most
 * @property {boolean} [skipTransactions] whether refused steps may change the world
 * @property {boolean} [failMemory] whether allocations fail at random while lines run
 * @property {number} [threads] of `moreau/threads`; default: the package of one thread
 * @property {import('./reach.mjs').Counts} [counts] where calls of public members are counted
 */

/**
 * Random sequences of lines.
 * @param {Cases & SequenceOptions} run
 * @returns {Promise<{ passed: number, failed: number, failures: number }>} with the number of allocations that failed
 */
export async function runSequences(run) {
  const { length, skipTransactions = false, failMemory, threads, counts } = run
  const load = async () => {
    if (failMemory) return loadFailing(loadCopy)
    const moreau = await loadReady(threads)
    return { moreau: counts === undefined ? moreau : countCalls(moreau, counts) }
  }
  const cases = fc.tuple(worldOptions, sequence(length))
  const copies = await withCopies(load, ([world, lines], loaded) => {
    checkSequence(lines, { ...loaded, world, skipTransactions })
  })
  const result = await runCases(
    cases,
    copies.check,
    ([world, lines]) => scriptOf(lines, world),
    run,
  )
  return { ...result, failures: copies.failures() }
}

/**
 * Random damage of files of worlds.
 * @param {Cases & { files: readonly string[] }} run files as JSON
 */
export async function runSceneFiles(run) {
  const load = async () => ({ moreau: await loadReady() })
  const copies = await withCopies(load, (damaged, { moreau }) => {
    checkSceneFile(run.files, damaged, moreau)
  })
  return runCases(damagedFile, copies.check, (damaged) => JSON.stringify(damaged), run)
}

let loads = 0

/** @param {string} [entry] @returns {Promise<any>} a copy of the package */
export function loadCopy(entry = 'moreau') {
  const address = new URL(import.meta.resolve(entry))
  address.searchParams.set('copy', String(loads++))
  return import(address.href)
}

/** @param {number} [threads] @returns {Promise<any>} a copy of the package, with a module of its own */
async function loadReady(threads) {
  const moreau = await loadCopy(threads === undefined ? 'moreau' : 'moreau/threads')
  await moreau.init(threads === undefined ? {} : { threads })
  return moreau
}
