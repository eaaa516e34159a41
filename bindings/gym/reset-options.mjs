import { readInteger } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'

/** @param {unknown} mask @param {number} count @returns {Uint8Array} */
export function readMask(mask, count) {
  if (mask === undefined) return new Uint8Array(count).fill(1)
  if (!isList(mask) || mask.length !== count) {
    throw invalid('reset: mask', `an array of ${count} entries`, mask)
  }
  return Uint8Array.from(mask, (entry) => (entry ? 1 : 0))
}

/** @param {unknown} seed @param {number} count @returns {number[] | undefined} */
export function readSeeds(seed, count) {
  if (seed === undefined) return undefined
  if (!isList(seed)) {
    const first = readInteger(seed, 'reset: seed', 0, Number.MAX_SAFE_INTEGER - count)
    return Array.from({ length: count }, (_, i) => first + i)
  }
  if (seed.length !== count) throw invalid('reset: seed', `a seed or ${count} of them`, seed)
  return Array.from(seed, (one, i) =>
    readInteger(one, `reset: seed[${i}]`, 0, Number.MAX_SAFE_INTEGER),
  )
}
