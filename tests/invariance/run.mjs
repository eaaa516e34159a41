/**
 * The exam without answers: random scenes and their images, which must move alike (tests/invariance/relations).
 *
 *   npm run invariance                              400 pairs per solver
 *   npm run invariance -- --pairs 10000 --seed 7    more, and others
 *   npm run invariance -- --solver exact            only this solver (auto, exact, block-pgs, soft-step)
 *   npm run invariance -- --relation units --relation plane   only these relations, or groups of them
 *   npm run invariance -- --scripts folder          also writes the smallest scene of each relation that moves apart, as a script
 *
 * Ends with 1 where more pairs move apart than tests/invariance/known.json knows of.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { init } from 'moreau'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { Failure, runMain } from '../../scripts/tools.mjs'
import { examine, shrink } from './examine.mjs'
import { relationsOf } from './exam.mjs'
import { unknownFaults } from './known.mjs'
import { scriptOf } from './script.mjs'
import { ALL_SOLVERS, SOLVERS } from './solvers.mjs'

/** @import { Row } from './examine.mjs' */

/** @param {string} name @param {string} text @returns {number} */
function readCount(name, text) {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0 || text === '')
    throw new Failure(`--${name} must be a whole number of 0 or more, got '${text}'`)
  return count
}

/** @param {string} words with commas between them @returns {string[]} */
function readSolvers(words) {
  const strange = words.split(',').find((word) => !ALL_SOLVERS.some((solver) => solver === word))
  if (strange !== undefined)
    throw new Failure(`--solver must be of ${ALL_SOLVERS.join(', ')}, got '${strange}'`)
  return words.split(',')
}

/** @param {number[]} sorted @param {number} part */
const quantile = (sorted, part) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0

/** @param {Row} row */
function lineOf({ solver, relation, worst, faults }) {
  const sorted = worst.toSorted((a, b) => a - b)
  const part = (/** @type {number} */ at) => quantile(sorted, at).toPrecision(2).padStart(9)
  return [
    solver.padEnd(10),
    `${relation.group}: ${relation.name}`.padEnd(44),
    `${faults.length} of ${worst.length}`.padStart(12),
    ...[part(0.5), part(0.9), part(1)],
  ].join(' ')
}

/** @param {readonly Row[]} rows @param {string} folder */
function writeScripts(rows, folder) {
  mkdirSync(folder, { recursive: true })
  for (const { solver, relation, faults } of rows) {
    const [first] = faults
    if (!first) continue
    const { scene, difference } = shrink(first, solver, relation)
    const name = `${relation.group}-${relation.name}-${solver}`.replaceAll(/[^a-z0-9]+/gi, '-')
    writeFileSync(join(folder, `${name}.mjs`), scriptOf(scene, solver, relation, difference))
  }
}

await runMain(async () => {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      pairs: { type: 'string', default: '400' },
      seed: { type: 'string', default: '1' },
      solver: { type: 'string', default: SOLVERS.join(',') },
      relation: { type: 'string', multiple: true },
      scripts: { type: 'string' },
    },
  })
  await init()
  const relations = relationsOf(values.relation)
  for (const { prepare } of relations) await prepare?.()
  const settings = { pairs: readCount('pairs', values.pairs), seed: readCount('seed', values.seed) }
  const rows = readSolvers(values.solver).flatMap((solver) =>
    examine({ solver, relations, ...settings }),
  )
  console.log(
    `${'solver'.padEnd(10)} ${'relation'.padEnd(44)} ${'apart'.padStart(12)}    median 9 of 10      most   of what may be`,
  )
  for (const row of rows) console.log(lineOf(row))
  if (values.scripts !== undefined) writeScripts(rows, values.scripts)
  const unknown = unknownFaults(rows)
  if (unknown.length > 0) throw new Failure(unknown.join('\n'))
})
