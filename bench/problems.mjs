/**
 * Solves every contact problem of a folder with each solver and judges the answers:
 *
 *     npm run bench:problems -- [folder] [--offline] [--solver <name>]... [--filter <regular expression>] [--tolerance <m/s>]
 *       [--max-iterations <count>] [--json <file>]
 *
 * Without a folder it takes the project's own set, bench/problems. --offline lets `cone` follow its path through folds for as long
 * as it takes; --max-iterations holds for all solvers.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../scripts/command-line.mjs'
import { denseProblem, readContactProblems } from './contact-problem.mjs'
import { PROTOTYPE_FACTORISATIONS } from './prototype.mjs'
import { initialise, solve, SOLVERS } from './solve.mjs'
import { formatTable, readNumber, scientific } from './table.mjs'

/** @typedef {import('./solve.mjs').SolveRecord} SolveRecord */
/** @typedef {import('./solve.mjs').SolverName} SolverName */

const OWN_PROBLEMS = fileURLToPath(new URL('problems', import.meta.url))
/** Sweeps of block PGS that tell whether it gets there at all. */
const SWEEPS = 2000

try {
  await main()
} catch (error) {
  process.stderr.write(`bench:problems: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values, positionals } = readCommandLine(import.meta.url, {
    allowPositionals: true,
    options: {
      offline: { type: 'boolean', default: false },
      solver: { type: 'string', multiple: true, default: [...SOLVERS] },
      filter: { type: 'string', default: '' },
      tolerance: { type: 'string', default: '1e-8' },
      'max-iterations': { type: 'string' },
      json: { type: 'string' },
    },
  })
  const solvers = values.solver.map(solverByName)
  const tolerance = readNumber('--tolerance', values.tolerance)
  const limit = values['max-iterations']
  const problems = readContactProblems(positionals[0] ?? OWN_PROBLEMS, values.filter)
  if (problems.length === 0) throw new Error(`no problem in ${positionals[0] ?? OWN_PROBLEMS}`)
  await initialise()
  /** @type {import('./solve.mjs').SolveOptions} */
  const options = {
    tolerance,
    effort: values.offline ? 'offline' : 'step',
    maxIterations: iterationLimits(limit && readNumber('--max-iterations', limit)),
  }
  /** @type {SolveRecord[]} */
  const records = []
  for (const problem of problems) {
    const dense = denseProblem(problem)
    for (const solver of solvers) {
      if (process.stderr.isTTY) process.stderr.write(`${problem.name}: ${solver}\n`)
      records.push(solve(problem, solver, options, dense))
    }
  }
  const machine = `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  process.stdout.write(`${report(records, machine, tolerance)}\n`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, options, records })}\n`)
}

/**
 * @param {string} word
 * @returns {SolverName}
 */
function solverByName(word) {
  const found = SOLVERS.find((name) => name === word)
  if (found) return found
  throw new RangeError(`--solver is '${word}', but it must be one of ${SOLVERS.join(', ')}`)
}

/**
 * @param {number | '' | undefined} limit of all solvers
 * @returns {Partial<Record<SolverName, number>>}
 */
function iterationLimits(limit) {
  if (!limit) return { 'block-pgs': SWEEPS }
  return Object.fromEntries(SOLVERS.map((name) => [name, limit]))
}

/**
 * @param {SolveRecord[]} records
 * @param {string} machine
 * @param {number} tolerance m/s
 */
function report(records, machine, tolerance) {
  const head = [
    'problem',
    'contacts',
    'solver',
    'status',
    'certificate',
    'recorded W',
    'iter',
    'fac',
    'prototype',
    'ms',
  ]
  const rows = records.map((record) => [
    record.problem,
    String(record.contacts),
    record.solver,
    record.status,
    scientific(record.certificate),
    scientific(record.recordedCertificate),
    String(record.iterations),
    String(record.factorisations),
    String((record.solver === 'cone' && PROTOTYPE_FACTORISATIONS[record.problem]) || ''),
    record.milliseconds.toFixed(1),
  ])
  return [
    machine,
    'certificate in m/s on (W + W’)/2 and on W as recorded; factorisations, beside them those of the',
    'numpy prototype; active-set solves the problem without friction',
    '',
    formatTable(head, rows),
    '',
    ...summary(records, tolerance),
  ].join('\n')
}

/**
 * A line per solver.
 *
 * @param {SolveRecord[]} records
 * @param {number} tolerance m/s
 */
function summary(records, tolerance) {
  return SOLVERS.flatMap((solver) => {
    const own = records.filter((record) => record.solver === solver)
    if (own.length === 0) return []
    const solved = own.filter((record) => record.certificate <= tolerance)
    const missed = own.filter((record) => !solved.includes(record)).map(({ problem }) => problem)
    const time = own.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
    const factorisations = own.reduce((sum, record) => sum + record.factorisations, 0)
    const rest = missed.length > 0 ? `; missed: ${missed.join(', ')}` : ''
    const counts = `${factorisations} factorisations, ${time.toFixed(0)} ms`
    return [`${solver}: ${solved.length} of ${own.length} at ${tolerance} m/s, ${counts}${rest}`]
  })
}
