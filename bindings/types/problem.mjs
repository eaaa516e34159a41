// Contact problems that are given as matrices.

/** @import { Effort, FrictionLaw, SolveStatus } from './names.mjs' */
/** @import { Residual } from './report.mjs' */

/**
 * A matrix: its rows, all numbers in one list by rows, or its entries (those of the same place add
 * up).
 * @typedef {readonly (readonly number[] | Float64Array)[] | Float64Array | Triplets} MatrixLike
 */

/**
 * @typedef {object} Triplets
 * @property {readonly [number, number]} shape rows and columns
 * @property {ArrayLike<number>} rows
 * @property {ArrayLike<number>} cols
 * @property {ArrayLike<number>} vals
 */

/**
 * Frictional contact as a matrix: `u = W r + q`, three rows per contact (normal, tangent 1, tangent
 * 2). Only the symmetric part of W counts.
 * @typedef {object} LocalProblem
 * @property {MatrixLike} W 1/kg, positive semidefinite
 * @property {ArrayLike<number>} q m/s
 * @property {ArrayLike<number>} mu Coulomb coefficients, one per contact
 */

/**
 * The same with masses: `M v = H r + f`, `u = Hᵀ v + w`.
 * @typedef {object} GlobalProblem
 * @property {MatrixLike} M positive definite
 * @property {MatrixLike} H as many rows as M, three columns per contact
 * @property {ArrayLike<number>} f N s
 * @property {ArrayLike<number>} w m/s
 * @property {ArrayLike<number>} mu
 */

/** @typedef {LocalProblem | GlobalProblem} ContactProblem */

/**
 * @typedef {object} SolveOptions
 * @property {'exact' | 'cone' | 'active-set' | 'block-pgs'} [solver] default `'exact'`: `'cone'`, or
 *   `'active-set'` where all of mu is 0
 * @property {number} [tolerance] m/s; default 1e-8
 * @property {number} [maxIterations] factorisations, default 400; of `'block-pgs'` sweeps, default
 *   1000
 * @property {FrictionLaw} [frictionLaw] default `'coulomb'`
 * @property {Effort} [effort] default `'step'`; no work is bounded here: `'offline'` allows arclength continuation, `'frame'`
 *   and `'step'` are alike
 * @property {ArrayLike<number>} [impulses] to start from, N s, three per contact
 */

/**
 * @typedef {object} SolveResult
 * @property {Float64Array} impulses N s: normal, tangent 1, tangent 2 of each contact
 * @property {Float64Array} velocities m/s: `W r + q` with the symmetric part of W
 * @property {'exact' | 'cone' | 'active-set' | 'block-pgs' | 'bilateral'} solver that was used
 * @property {SolveStatus} status
 * @property {number} residual m/s: the certificate, `details.worst`
 * @property {Residual} details
 * @property {number} iterations sweeps, or Newton steps
 * @property {number} factorisations of matrices
 */

/**
 * A step's contact problem in the form that `solveContactProblem` takes and
 * `JSON.stringify` writes.
 * @typedef {object} RecordedProblem
 * @property {string} name
 * @property {number} contacts
 * @property {'local'} form
 * @property {{ shape: [number, number], rows: number[], cols: number[], vals: number[] }} W
 * @property {number[]} q
 * @property {number[]} mu
 */

export {}
