/**
 * Which runs there are, and which of their faults are known (known.json: a sentence each).
 */
import { readFileSync } from 'node:fs'
import { SOLVERS } from '../solvers.mjs'
import { FLOORS } from './floors.mjs'
import { VARIANTS } from './judge.mjs'
import { MOVERS } from './movers.mjs'

/** @import { Result, Run, Variant } from './judge.mjs' */

/** @typedef {{ solver: string, mover: string, most: number, issue: number, why: string }} Known */

/** @type {readonly Known[]} */
export const KNOWN = JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8'))

/** Every floor with every mover. @param {readonly Variant[]} [variants] @returns {Run[]} */
export const allRuns = (variants = VARIANTS) =>
  SOLVERS.flatMap((solver) =>
    FLOORS.flatMap((floor) =>
      Object.keys(MOVERS).flatMap((mover) =>
        variants.map((variant) => ({ solver, floor, mover, variant })),
      ),
    ),
  )

/** Coprime to the numbers of variants and movers, so that each is met by each floor in turn. */
const STRIDE = 7

/** Every floor with every mover once, each time with another variant. @returns {Run[]} */
export const sampleRuns = () =>
  allRuns().filter((_, i) => {
    const pair = Math.floor(i / VARIANTS.length)
    return i % VARIANTS.length === (STRIDE * pair) % VARIANTS.length
  })

/** @param {Result} result */
export function lineOf({ run: { solver, floor, mover, variant }, speed, height }) {
  const seen = `${speed.toPrecision(2)} m/s, ${(1000 * height).toPrecision(2)} mm`
  return `${solver}, ${floor}, ${mover}, ${JSON.stringify(variant)}: ${seen}`
}

/** Lines of faults that no entry has, or that are more than it has. @param {readonly Result[]} results @returns {string[]} */
export function unknownFaults(results) {
  const left = new Map(KNOWN.map((known) => [known, known.most]))
  return results.flatMap((result) => {
    if (!result.isBad) return []
    const { solver, mover } = result.run
    const entry = KNOWN.find((known) => known.solver === solver && known.mover === mover)
    const rest = entry ? (left.get(entry) ?? 0) : 0
    if (entry) left.set(entry, rest - 1)
    return rest > 0 ? [] : [lineOf(result)]
  })
}
