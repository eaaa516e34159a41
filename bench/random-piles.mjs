/**
 * Random piles: how many of them does `cone` solve, with how many factorisations?
 *
 *     npm run bench:piles -- [--tolerance <m/s>] [--max-iterations <count>] [--first-seed 1] [--solver cone] [--json <file>]
 *
 * Of each range of masses and each friction coefficient there are 16: pyramids of 3 to 6 rows, twice each, and heaps of 20 to 55
 * spheres. Beside the figures stand those of the numpy prototype: published for piles of the same kinds, and measured on the very same
 * ones (first seed 1).
 */
import { writeFileSync } from 'node:fs'
import { readCommandLine } from '../scripts/command-line.mjs'
import { boxPyramid, sphereHeap } from './generators.mjs'
import { PROTOTYPE_PILES } from './prototype.mjs'
import { initialise, solve, SOLVERS } from './solve.mjs'
import { formatTable, readNumber, scientific } from './table.mjs'

/** @typedef {import('./solve.mjs').SolveRecord} SolveRecord */

const RATIOS = [1, 1e3, 1e6]
const FRICTIONS = [0.3, 0.7, 1]
const ROWS = [3, 4, 5, 6, 3, 4, 5, 6]
const SPHERES = [20, 25, 30, 35, 40, 45, 50, 55]

try {
  await main()
} catch (error) {
  process.stderr.write(`bench:piles: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      tolerance: { type: 'string', default: '1e-8' },
      'max-iterations': { type: 'string' },
      'first-seed': { type: 'string', default: '1' },
      solver: { type: 'string', default: 'cone' },
      json: { type: 'string' },
    },
  })
  const solver = SOLVERS.find((name) => name === values.solver)
  if (!solver) throw new RangeError(`--solver is '${values.solver}': there is no such solver`)
  const tolerance = readNumber('--tolerance', values.tolerance)
  const limit = values['max-iterations']
  /** @type {import('./solve.mjs').SolveOptions} */
  const options = {
    tolerance,
    effort: 'step',
    maxIterations: limit ? { [solver]: readNumber('--max-iterations', limit) } : {},
  }
  const firstSeed = readNumber('--first-seed', values['first-seed'])
  await initialise()
  const cells = RATIOS.flatMap((ratio) =>
    FRICTIONS.map((mu) => {
      if (process.stderr.isTTY) process.stderr.write(`masses to ${ratio}, mu ${mu}\n`)
      const records = piles(ratio, mu, firstSeed).map((pile) => solve(pile, solver, options))
      return { ratio, mu, records }
    }),
  )
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ options, cells })}\n`)
  process.stdout.write(`${report(cells, tolerance)}\n`)
}

/**
 * @param {number} ratio of the masses
 * @param {number} mu
 * @param {number} firstSeed
 */
function piles(ratio, mu, firstSeed) {
  return [
    ...ROWS.map((rows, index) => {
      const seed = firstSeed + index
      return boxPyramid(`pyramid-${rows}-seed-${seed}`, rows, { seed, mu, ratio })
    }),
    ...SPHERES.map((count, index) => {
      const seed = firstSeed + index
      return sphereHeap(`heap-${count}-seed-${seed}`, count, { seed, mu, ratio })
    }),
  ]
}

/**
 * @param {{ ratio: number, mu: number, records: SolveRecord[] }[]} cells
 * @param {number} tolerance m/s
 */
function report(cells, tolerance) {
  const head = [
    'masses',
    'mu',
    'solved',
    'published',
    'same',
    'fac',
    'published',
    'same',
    'max',
    'worst',
    'ms',
  ]
  const rows = cells.map(({ ratio, mu, records }) => {
    const solved = records.filter((record) => record.certificate <= tolerance)
    const counts = solved.map(({ factorisations }) => factorisations).sort((a, b) => a - b)
    const { published, same } = PROTOTYPE_PILES[`${ratio} ${mu}`]
    const time = records.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
    return [
      ratio === 1 ? 'equal' : `1 to ${ratio}`,
      String(mu),
      `${solved.length}/${records.length}`,
      `${published.solved}/16`,
      `${same.solved}/16`,
      String(counts[Math.floor(counts.length / 2)] ?? ''),
      String(published.median),
      String(same.median),
      String(counts.at(-1) ?? ''),
      scientific(worstOf(records)),
      time.toFixed(0),
    ]
  })
  const missed = cells.flatMap(({ ratio, mu, records }) =>
    records
      .filter((record) => !(record.certificate <= tolerance))
      .map((record) => {
        const { problem, status, certificate, factorisations } = record
        const pile = `${problem}, masses to ${ratio}, mu ${mu}`
        return `${pile}: ${status}, ${scientific(certificate)} m/s, ${factorisations} factorisations`
      }),
  )
  return [
    `tolerance ${tolerance} m/s; median and most factorisations of those solved; worst certificate in m/s`,
    'published and same: the numpy prototype on its own seeds and on those with --first-seed 1',
    '',
    formatTable(head, rows),
    '',
    missed.length > 0 ? `missed:\n${missed.join('\n')}` : 'none missed',
  ].join('\n')
}

/**
 * Worst certificate, m/s. Not a number is worse than everything.
 *
 * @param {SolveRecord[]} records
 */
function worstOf(records) {
  return records.reduce((worst, { certificate }) => (certificate <= worst ? worst : certificate), 0)
}
