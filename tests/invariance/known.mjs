/**
 * What is known to fail, which only gets less: tests/invariance/known.json. Each entry has a relation, a solver, the part of pairs that may move
 * apart, the issue that will empty it, and why.
 */
import { readFileSync } from 'node:fs'
import { judgedAs } from './solvers.mjs'

/** @import { Row } from './examine.mjs' */

/** @typedef {{ relation: string, solver: string, part: number, issue: number, why: string }} Known */

/** Of so many pairs one may be apart where a few are known to be: a part of few pairs is none of whole ones. */
const ONE = 1
/** Standard deviations by which a sample of few pairs may have more than the part of many: one sample of some hundred does. */
const DEVIATIONS = 3

/** How many of some pairs may move apart, where a part of many does. @param {number} part @param {number} pairs */
const mostOf = (part, pairs) =>
  Math.max(ONE, part * pairs + DEVIATIONS * Math.sqrt(part * (1 - part) * pairs))

/** @returns {Known[]} */
export const readKnown = () =>
  JSON.parse(readFileSync(new URL('./known.json', import.meta.url), 'utf8'))

/** @param {readonly Row[]} rows @returns {string[]} what is not known, a line per row */
export function unknownFaults(rows) {
  const known = readKnown()
  return rows.flatMap(({ solver, relation, worst, faults }) => {
    const entry = known.find(
      (one) => one.relation === relation.name && one.solver === judgedAs(solver),
    )
    const most = entry ? mostOf(entry.part, worst.length) : 0
    if (faults.length <= most) return []
    const seeds = faults.map(({ seed }) => seed).slice(0, 10)
    return [
      `${solver}, ${relation.group}, ${relation.name}: ${faults.length} of ${worst.length} pairs move apart, known are ${Math.floor(most)}; seeds ${seeds.join(', ')}`,
    ]
  })
}
