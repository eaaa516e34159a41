/**
 * Seeds of runs, and what samples the parameters of a run by its number alone, so that any machine can make any run.
 */
import { Random } from 'moreau/gym'

/** Seeds of sweeps are smaller: with the number of a run they fit the whole numbers of a double. */
export const SEEDS = 2 ** 20
/** Runs of a sweep: what 32 bits count. */
export const MOST_RUNS = 2 ** 32

/** Streams of parameters are apart from those of worlds, which begin at 0. */
const PARAMETER_STREAMS = 2 ** 52
/** Rounds of a Feistel network after which each bit depends on all others (Luby and Rackoff 1988 ask for four). */
const ROUNDS = 4

/**
 * The seed of the world of a run: what its scene makes its random numbers of.
 *
 * @param {number} seed of the sweep
 * @param {number} run
 * @returns {number}
 */
export const seedOfRun = (seed, run) => seed * MOST_RUNS + run

/**
 * A generator for the parameters of a run, or with the run `MOST_RUNS - 1` for the sweep as a whole.
 *
 * @param {number} seed of the sweep
 * @param {number} run
 */
export const parameterRandom = (seed, run) => new Random(PARAMETER_STREAMS + seedOfRun(seed, run))

/** 32 bits that depend on all bits of a number: the last steps of MurmurHash3 (Appleby 2011). @param {number} bits */
function mix(bits) {
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * A random permutation of 0 to count - 1 that needs no table: a Feistel network over the next power of four, walked along until it is back
 * below `count` (cycle walking, Black and Rogaway 2002).
 *
 * @param {number} count
 * @param {Random} random its keys
 * @returns {(index: number) => number}
 */
export function randomPermutation(count, random) {
  let half = 1
  while (4 ** half < count) half++
  const size = 2 ** half
  const keys = Array.from({ length: ROUNDS }, () => random.bits())
  const once = (/** @type {number} */ index) => {
    let [left, right] = [Math.floor(index / size), index % size]
    for (const key of keys) [left, right] = [right, (left ^ mix(right ^ key)) & (size - 1)]
    return left * size + right
  }
  return (index) => {
    let place = once(index)
    while (place >= count) place = once(place)
    return place
  }
}
