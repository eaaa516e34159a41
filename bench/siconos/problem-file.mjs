/**
 * The binary files between run.mjs and solve_problem.c: numbers in the machine's own byte order, one after the other.
 *
 *     int32    contacts, velocities (rows of M)
 *     matrices W, M, H, each as int32 count, int32 rows[count], int32 columns[count], double values[count]
 *     double   f[velocities], w[3 contacts], q[3 contacts], mu[contacts]
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** @typedef {import('../contact-problem.mjs').ContactProblem} ContactProblem */
/** @typedef {import('../contact-problem.mjs').DenseProblem} DenseProblem */
/** @typedef {import('../dense-matrix.mjs').Triplets} Triplets */

/** A pivot below this part of the largest diagonal element is round-off. */
const LEAST_PIVOT = 1e-15

/**
 * Both forms of a problem, whichever it was recorded in: W symmetrised, and where there are no bodies M = I, H = L' of W = L L'.
 *
 * @param {string} path
 * @param {ContactProblem} problem
 * @param {DenseProblem} dense
 */
export function writeProblem(path, problem, { W, q, contacts, mu }) {
  const size = 3 * contacts
  const { M, H, f, w } = problem.form === 'global' ? problem : bodiesOf(W, size, Array.from(q))
  writeFileSync(
    path,
    Buffer.concat([
      bytes(Int32Array.of(contacts, M.shape[0])),
      ...matrixBytes(sparse(W, size, size)),
      ...matrixBytes(M),
      ...matrixBytes(H),
      ...[f, w, q, mu].map((vector) => bytes(Float64Array.from(vector))),
    ]),
  )
}

/**
 * @param {string} path
 * @returns {{ status: number, iterations: number, seconds: number, impulses: Float64Array }}
 */
export function readAnswer(path) {
  const content = readFileSync(path)
  const { buffer } = Uint8Array.from(content)
  if (buffer.byteLength < 16) throw new Error('it left no answer')
  const [status, iterations] = new Int32Array(buffer, 0, 2)
  const [seconds] = new Float64Array(buffer, 8, 1)
  return { status, iterations, seconds, impulses: new Float64Array(buffer, 16) }
}

/** @param {ArrayBufferView} array */
const bytes = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)

/** @param {Triplets} triplets */
function matrixBytes({ rows, cols, vals }) {
  return [
    bytes(Int32Array.of(vals.length)),
    bytes(Int32Array.from(rows)),
    bytes(Int32Array.from(cols)),
    bytes(Float64Array.from(vals)),
  ]
}

/**
 * @param {Float64Array} a by rows
 * @param {number} rowCount
 * @param {number} columnCount
 * @returns {Triplets} without zeros
 */
function sparse(a, rowCount, columnCount) {
  /** @type {Triplets} */
  const result = { shape: [rowCount, columnCount], rows: [], cols: [], vals: [] }
  for (const [place, value] of a.entries()) {
    if (value === 0) continue
    result.rows.push(Math.floor(place / columnCount))
    result.cols.push(place % columnCount)
    result.vals.push(value)
  }
  return result
}

/**
 * A global form of u = W r + q: M = I and H = L', by the Cholesky factorisation with diagonal pivoting (Higham 1990), which W may
 * be singular for.
 *
 * @param {Float64Array} W
 * @param {number} size
 * @param {number[]} q
 */
function bodiesOf(W, size, q) {
  const rest = Float64Array.from(W)
  /** @type {Triplets} */
  const H = { shape: [0, size], rows: [], cols: [], vals: [] }
  const diagonal = (/** @type {number} */ i) => rest[i * size + i]
  const indices = Array.from(q.keys())
  const least = LEAST_PIVOT * Math.max(...indices.map(diagonal))
  let rank = 0
  for (; rank < size; rank++) {
    const pivot = indices.reduce((best, i) => (diagonal(i) > diagonal(best) ? i : best), 0)
    if (!(diagonal(pivot) > least)) break
    const root = Math.sqrt(diagonal(pivot))
    const column = Float64Array.from(indices, (i) => rest[i * size + pivot] / root)
    for (const i of indices) {
      if (column[i] === 0) continue
      for (let j = 0; j < size; j++) rest[i * size + j] -= column[i] * column[j]
      H.rows.push(rank)
      H.cols.push(i)
      H.vals.push(column[i])
    }
    // Eliminated: what is left is round-off.
    for (let j = 0; j < size; j++) rest[pivot * size + j] = rest[j * size + pivot] = 0
  }
  H.shape[0] = rank
  const rows = Array.from({ length: rank }, (_, row) => row)
  /** @type {Triplets} */
  const M = { shape: [rank, rank], rows, cols: rows, vals: rows.map(() => 1) }
  return { M, H, f: rows.map(() => 0), w: q }
}
