/**
 * Contact problems as files: what is in one, and its local form u = W r + q.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  cholesky,
  fromTriplets,
  multiplyAdd,
  solveLower,
  symmetricPart,
  transposedTimes,
} from './dense-matrix.mjs'

/** @typedef {import('./dense-matrix.mjs').Triplets} Triplets */

/**
 * A contact problem as in its file. Vectors are stacked per contact as (normal, tangent 1, tangent 2); impulses r in N s,
 * velocities u in m/s. Local: u = W r + q. Global: M v = H r + f, u = H' v + w.
 *
 * @typedef {{ name: string, source: string, contacts: number, mu: number[] }} ProblemHead
 * @typedef {ProblemHead & { form: 'local', W: Triplets, q: number[] }} LocalProblem
 * @typedef {ProblemHead & { form: 'global', M: Triplets, H: Triplets, f: number[], w: number[] }} GlobalProblem
 * @typedef {LocalProblem | GlobalProblem} ContactProblem
 */

/**
 * The local form with dense matrices by rows.
 *
 * @typedef {object} DenseProblem
 * @property {number} contacts
 * @property {Float64Array} W symmetrised: (W + W')/2
 * @property {Float64Array} recordedW as recorded
 * @property {Float64Array} q m/s
 * @property {number[]} mu
 */

/**
 * @param {string} folder
 * @param {string} [filter] only files whose names match this regular expression
 * @returns {ContactProblem[]} by name
 * @throws {Error} if a file is not a contact problem
 */
export function readContactProblems(folder, filter = '') {
  const pattern = new RegExp(filter)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && pattern.test(file))
    .sort()
    .map((file) => readContactProblem(join(folder, file)))
}

/**
 * @param {string} path
 * @returns {ContactProblem}
 */
export function readContactProblem(path) {
  /** @type {Record<string, any>} */
  const problem = JSON.parse(readFileSync(path, 'utf8'))
  const needed = problem.form === 'global' ? ['M', 'H', 'f', 'w'] : ['W', 'q']
  for (const name of ['form', 'mu', ...needed]) {
    if (!(name in problem)) throw new Error(`${path} is not a contact problem: it has no ${name}`)
  }
  const { name = basename(path, '.json'), mu } = problem
  return /** @type {ContactProblem} */ ({ ...problem, name, contacts: mu.length })
}

/**
 * The local form: W = H' M^-1 H, q = w + H' M^-1 f where the problem is global.
 *
 * @param {ContactProblem} problem
 * @returns {DenseProblem}
 */
export function denseProblem(problem) {
  const { contacts, mu } = problem
  const { W, q } = problem.form === 'local' ? localForm(problem) : eliminateBodies(problem)
  return { contacts, mu, recordedW: W, W: symmetricPart(W, 3 * contacts), q }
}

/** @param {LocalProblem} problem */
function localForm({ W, q }) {
  return { W: fromTriplets(W), q: Float64Array.from(q) }
}

/** @param {GlobalProblem} problem */
function eliminateBodies({ M, H, f, w }) {
  const [size] = M.shape
  const factor = cholesky(fromTriplets(M), size)
  // With M = L L': W = (L^-1 H)' (L^-1 H), which is symmetric to the last bit.
  const half = solveLower(factor, size, fromTriplets(H))
  const forces = solveLower(factor, size, Float64Array.from(f))
  const W = transposedTimes(half, half, size)
  return { W, q: multiplyAdd(transposedTimes(half, forces, size), [1], w) }
}
