/**
 * Moreau's `cone` beside Siconos on the same contact problems, all judged by the same certificate:
 *
 *     npm run bench:siconos -- [folder] [--seconds 20] [--filter <regular expression>] [--tolerance 1e-8] [--offline] [--json <file>]
 *
 * For development, on Debian with libsiconos-numerics-dev; where that is absent it says so and does nothing. Each attempt is a
 * process of its own with one thread, because Siconos may abort; only the solve is timed, after the problem is read. --seconds is
 * the limit of one attempt.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { certificate } from '../certificate.mjs'
import { denseProblem, readContactProblems } from '../contact-problem.mjs'
import { initialise, solve } from '../solve.mjs'
import { formatTable, readNumber, scientific } from '../table.mjs'
import { METHODS, TOLERANCES } from './methods.mjs'
import { readAnswer, writeProblem } from './problem-file.mjs'

/** @typedef {import('../contact-problem.mjs').DenseProblem} DenseProblem */
/** @typedef {import('../contact-problem.mjs').ContactProblem} ContactProblem */
/** @typedef {import('../solve.mjs').SolveRecord} SolveRecord */
/** @typedef {import('./methods.mjs').Setting} Setting */
/** @typedef {import('./methods.mjs').Method} Method */

/**
 * @typedef {object} Attempt
 * @property {string} label of the setting
 * @property {number} asked tolerance that Siconos was given
 * @property {string} status
 * @property {number} certificate m/s
 * @property {number} iterations -1 where the attempt was cut short
 * @property {number} seconds
 */

const OWN_PROBLEMS = fileURLToPath(new URL('../problems', import.meta.url))
const SOURCE = fileURLToPath(new URL('solve_problem.c', import.meta.url))
const BUILD = fileURLToPath(new URL('../../build/siconos', import.meta.url))
const HEADERS = '/usr/include/siconos'
/** By solve_problem.c. */
const OUT_OF_TIME = 1000
const ABORTED = 1001

try {
  await main()
} catch (error) {
  process.stderr.write(`bench:siconos: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values, positionals } = readCommandLine(import.meta.url, {
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '20' },
      filter: { type: 'string', default: '' },
      tolerance: { type: 'string', default: '1e-8' },
      offline: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  })
  const seconds = Math.ceil(readNumber('--seconds', values.seconds))
  const tolerance = readNumber('--tolerance', values.tolerance)
  if (!existsSync(`${HEADERS}/numerics/NonSmoothDrivers.h`)) {
    process.stdout.write(
      'skipped: Siconos is not there (apt-get install libsiconos-numerics-dev)\n',
    )
    return
  }
  const program = compile()
  const problems = readContactProblems(positionals[0] ?? OWN_PROBLEMS, values.filter)
  await initialise()
  const folder = mkdtempSync(join(tmpdir(), 'moreau-siconos-'))
  try {
    const referee = { program, folder, seconds, tolerance }
    const rows = problems.map((problem) => compare(problem, referee, values.offline))
    const machine = `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
    process.stdout.write(`${report(rows, machine, referee)}\n`)
    if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, rows })}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @returns {string} path of the program */
function compile() {
  const program = join(BUILD, 'solve_problem')
  mkdirSync(BUILD, { recursive: true })
  const includes = [HEADERS, `${HEADERS}/numerics`, '/usr/include/suitesparse'].map(
    (path) => `-I${path}`,
  )
  const libraries = ['-lsiconos_numerics', '-lsiconos_externals', '-lm']
  execFileSync('cc', ['-std=gnu17', '-O2', ...includes, '-o', program, SOURCE, ...libraries])
  return program
}

/**
 * @typedef {{ program: string, folder: string, seconds: number, tolerance: number }} Referee
 * @typedef {{ ours: SolveRecord, theirs: Attempt[] }} Row
 */

/**
 * @param {ContactProblem} problem
 * @param {Referee} referee
 * @param {boolean} offline
 * @returns {Row}
 */
function compare(problem, referee, offline) {
  const dense = denseProblem(problem)
  const effort = offline ? 'offline' : 'step'
  const options = { tolerance: referee.tolerance, effort, maxIterations: {} }
  const ours = solve(
    problem,
    'cone',
    /** @type {import('../solve.mjs').SolveOptions} */ (options),
    dense,
  )
  writeProblem(join(referee.folder, 'problem'), problem, dense)
  const theirs = METHODS.map((method) => {
    if (process.stderr.isTTY) process.stderr.write(`${problem.name}: ${method.name}\n`)
    return bestOfMethod(method, dense, referee)
  })
  return { ours, theirs }
}

/**
 * The fastest attempt that meets the tolerance; if none does, the one with the best certificate.
 *
 * @param {Method} method
 * @param {DenseProblem} dense
 * @param {Referee} referee
 * @returns {Attempt}
 */
function bestOfMethod(method, dense, referee) {
  const solves = (/** @type {Attempt} */ attempt) => attempt.certificate <= referee.tolerance
  /** @type {Attempt | undefined} */
  let best
  for (const setting of method.settings) {
    for (const asked of TOLERANCES) {
      // Nobody has to wait for what is slower than the best so far.
      const seconds = best && solves(best) ? Math.ceil(best.seconds) : referee.seconds
      const attempt = attemptOf(setting, asked, dense, { ...referee, seconds })
      if (!best || isBetter(attempt, best, solves)) best = attempt
      if (solves(attempt) || attempt.status !== 'converged') break
    }
  }
  return /** @type {Attempt} */ (best)
}

/**
 * @param {Attempt} attempt
 * @param {Attempt} best
 * @param {(attempt: Attempt) => boolean} solves
 */
function isBetter(attempt, best, solves) {
  if (solves(attempt) !== solves(best)) return solves(attempt)
  return solves(attempt) ? attempt.seconds < best.seconds : attempt.certificate < best.certificate
}

/**
 * @param {Setting} setting
 * @param {number} asked
 * @param {DenseProblem} dense
 * @param {Referee} referee
 * @returns {Attempt}
 */
function attemptOf({ label, words }, asked, dense, { program, folder, seconds }) {
  const answer = join(folder, 'answer')
  rmSync(answer, { force: true })
  const [solver, ...options] = words
  const { error } = spawnSync(
    program,
    [join(folder, 'problem'), answer, String(seconds), solver, `d0=${asked}`, ...options],
    {
      stdio: 'ignore',
      env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
      // For those that do not even notice the alarm.
      timeout: 1000 * (seconds + 30),
      killSignal: 'SIGKILL',
    },
  )
  const none = { label, asked, certificate: Infinity, iterations: -1, seconds }
  if (error || !existsSync(answer)) return { ...none, status: 'killed' }
  try {
    const { status, iterations, seconds: taken, impulses } = readAnswer(answer)
    const worst = certificate(dense.W, dense.q, dense.mu, impulses)
    return {
      label,
      asked,
      status: statusName(status),
      certificate: Number.isNaN(worst) ? Infinity : worst,
      iterations,
      seconds: taken,
    }
  } catch {
    return { ...none, status: 'crashed' }
  }
}

/** @param {number} status */
function statusName(status) {
  if (status === 0) return 'converged'
  if (status === OUT_OF_TIME) return 'out of time'
  return status === ABORTED ? 'aborted' : 'not converged'
}

/**
 * @param {Row[]} rows
 * @param {string} machine
 * @param {Referee} referee
 */
function report(rows, machine, { seconds, tolerance }) {
  const head = ['problem', 'contacts', 'Moreau', 'fac', 'ms']
  for (const { name } of METHODS) head.push(name, 'ms', 'setting')
  const cells = rows.map(({ ours, theirs }) => [
    ours.problem,
    String(ours.contacts),
    scientific(ours.certificate),
    String(ours.factorisations),
    ours.milliseconds.toFixed(1),
    ...theirs.flatMap(({ certificate: worst, seconds: taken, label, status }) => [
      scientific(worst),
      (1000 * taken).toFixed(1),
      status === 'converged' ? label : `${label}: ${status}`,
    ]),
  ])
  const solved = (/** @type {(row: Row) => number} */ read) =>
    `${rows.filter((row) => read(row) <= tolerance).length} of ${rows.length}`
  return [
    `${machine}; Siconos: one thread, up to ${seconds} s for an attempt`,
    `certificates in m/s on (W + W’)/2; asked for: ${tolerance}`,
    '',
    formatTable(head, cells),
    '',
    `at ${tolerance} m/s: Moreau ${solved(({ ours }) => ours.certificate)}, ${METHODS.map(
      ({ name }, index) => `${name} ${solved(({ theirs }) => theirs[index].certificate)}`,
    ).join(', ')}`,
    '',
    `settings; each is asked for ${TOLERANCES.join(', ')} until it meets the tolerance, the fastest counts:`,
    ...METHODS.flatMap(({ name, settings }) =>
      settings.map(({ label, note, words }) => `  ${name} ${label}: ${note} [${words.join(' ')}]`),
    ),
  ].join('\n')
}
