/**
 * One contact problem, solved by one of Moreau's solvers and judged by the benchmarks' own certificate.
 */
import { performance } from 'node:perf_hooks'
import { init, MoreauError, solveContactProblem } from 'moreau'
import { certificate } from './certificate.mjs'
import { denseProblem } from './contact-problem.mjs'

/** @typedef {import('./contact-problem.mjs').ContactProblem} ContactProblem */
/** @typedef {import('./contact-problem.mjs').DenseProblem} DenseProblem */
/** @typedef {'cone' | 'active-set' | 'block-pgs'} SolverName */

export const SOLVERS = /** @type {const} */ (['cone', 'active-set', 'block-pgs'])

/**
 * @typedef {object} SolveOptions
 * @property {number} tolerance m/s
 * @property {'step' | 'offline'} effort
 * @property {Partial<Record<SolverName, number>>} maxIterations the engine's default where none is given
 */

/**
 * @typedef {object} SolveRecord
 * @property {string} problem
 * @property {number} contacts
 * @property {SolverName} solver
 * @property {string} status what the solver says
 * @property {number} certificate m/s, on the symmetric part of W; not a number if the solver refused the problem
 * @property {number} recordedCertificate m/s, on W as recorded
 * @property {number} iterations
 * @property {number} factorisations
 * @property {number} milliseconds
 */

/** To be called, and waited for, before the first `solve`. */
export const initialise = () => init()

/**
 * @param {ContactProblem} problem
 * @param {SolverName} solver `active-set` knows no friction: it gets the problem with mu = 0
 * @param {SolveOptions} options
 * @param {DenseProblem} [dense] of the problem, where it is at hand
 * @returns {SolveRecord}
 */
export function solve(problem, solver, options, dense = denseProblem(problem)) {
  const mu = solver === 'active-set' ? problem.mu.map(() => 0) : problem.mu
  const maxIterations = options.maxIterations[solver]
  const { tolerance, effort } = options
  const before = performance.now()
  const answer = attempt(
    { ...problem, mu },
    {
      solver,
      tolerance,
      effort,
      ...(maxIterations === undefined ? {} : { maxIterations }),
    },
  )
  const milliseconds = performance.now() - before
  const { status, impulses, iterations, factorisations } = answer
  return {
    problem: problem.name,
    contacts: problem.contacts,
    solver,
    status,
    certificate: certificate(dense.W, dense.q, mu, impulses),
    recordedCertificate: certificate(dense.recordedW, dense.q, mu, impulses),
    iterations,
    factorisations,
    milliseconds,
  }
}

/**
 * A refused problem is an answer, too: its status is the error's code.
 *
 * @param {ContactProblem} problem
 * @param {import('moreau').SolveOptions} options
 */
function attempt(problem, options) {
  const matrices =
    problem.form === 'local'
      ? { W: problem.W, q: problem.q, mu: problem.mu }
      : { M: problem.M, H: problem.H, f: problem.f, w: problem.w, mu: problem.mu }
  try {
    return solveContactProblem(matrices, options)
  } catch (error) {
    if (!(error instanceof MoreauError)) throw error
    const impulses = new Float64Array(3 * problem.contacts).fill(NaN)
    return { status: error.code, impulses, iterations: 0, factorisations: 0 }
  }
}
