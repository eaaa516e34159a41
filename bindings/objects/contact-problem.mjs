import {
  checkNames,
  isObject,
  readInteger,
  readNonNegative,
  readObject,
  readWord,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isFloat64Array, isList, makeNumbers, MOST_BYTES } from '../core/lists.mjs'
import { engine, outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { EFFORTS, FRICTION_LAWS, SOLVERS } from '../generated/enums.mjs'
import {
  PROBLEM_ANSWER_NUMBERS,
  PROBLEM_DEF_NUMBERS,
  PROBLEM_RESULT_NUMBERS,
  PROBLEM_SETTINGS_NUMBERS,
  putProblemAnswer,
  putProblemDef,
  putProblemSettings,
  putTriplets,
  takeProblemResult,
  TRIPLETS_NUMBERS,
} from '../generated/records.mjs'

/** @import { ContactProblem, MatrixLike, SolveOptions, SolveResult } from '../types/index.mjs' */
/** @import { Effort, FrictionLaw } from '../types/index.mjs' */

const WHERE = 'solveContactProblem'
const OPTION_NAMES = ['solver', 'tolerance', 'maxIterations', 'frictionLaw', 'effort', 'impulses']
const DEFAULT_TOLERANCE = 1e-8
const DEFAULT_FACTORISATIONS = 400
const DEFAULT_SWEEPS = 1000
/** Arclength continuation alone takes this many. */
const DEFAULT_OFFLINE_FACTORISATIONS = 10000

const SOLVE_NUMBERS =
  PROBLEM_DEF_NUMBERS + PROBLEM_SETTINGS_NUMBERS + PROBLEM_ANSWER_NUMBERS + 2 * TRIPLETS_NUMBERS

/**
 * The matrices of a problem in the engine's memory.
 * @typedef {object} Matrices
 * @property {number} delassus address of W; 0: of masses
 * @property {number} freeVelocity address of q, or of w
 * @property {number} force address of f; 0 without masses
 * @property {ReturnType<typeof copyTriplets>[]} masses M and H; none with W
 */

/**
 * Solves frictional contact that is given as matrices, without a world: impulses `r` and velocities
 * `u = W r + q` with Signorini's condition and Coulomb's law at each contact,
 * `u + mu |u_T| n` in the dual of the cone `|r_T| <= mu r_N` and perpendicular to `r` (de Saxce and
 * Feng 1998). Judge the answer by `residual`, which is computed from scratch.
 * @param {ContactProblem} problem `{ W, q, mu }` or `{ M, H, f, w, mu }`
 * @param {SolveOptions} [options]
 * @returns {SolveResult}
 * @throws {MoreauError} `invalid-argument`, `not-finite` where the answer overflows, `out-of-memory`
 *
 * @example
 * // A block of 2 kg that is pushed along the floor at 0.1 m/s, in a step of gravity of 0.1635 m/s.
 * solveContactProblem({ W: [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]], q: [-0.1635, 0.1, 0], mu: [0.5] })
 */
export function solveContactProblem(problem, options = {}) {
  engine().needStack()
  const given = readObject(problem, `${WHERE}: problem`)
  const settings = readOptions(options)
  const mu = readFriction(given.mu)
  const size = 3 * mu.length
  const block = new Block()
  try {
    const read = given.W === undefined ? readGlobal : readLocal
    return solve(read(given, size, block), mu, settings, block)
  } finally {
    block.release()
  }
}

// --- memory of a call ---------------------------------------------------------------------------

/** Blocks of the engine's memory, released together. */
class Block {
  #engine = engine()
  /** @type {number[]} */
  #addresses = []

  /**
   * @param {number} count
   * @returns {number} the address of as many doubles
   */
  doubles(count) {
    const bytes = 8 * Math.max(1, count)
    const address = bytes > MOST_BYTES ? 0 : this.#engine.exports.allocate(bytes) >>> 0
    if (address === 0) throw outOfMemory(WHERE, bytes)
    this.#addresses.push(address)
    return address
  }

  /**
   * @param {ArrayLike<number>} list
   * @returns {number} the address of its copy in doubles
   */
  copy(list) {
    const address = this.doubles(list.length)
    this.#engine.f64.set(list, address / 8)
    return address
  }

  /**
   * @param {ArrayLike<number>} list
   * @returns {number} the address of its copy in 32-bit numbers
   */
  copyIndices(list) {
    const address = this.doubles((list.length + 1) >> 1)
    this.#engine.u32.set(list, address / 4)
    return address
  }

  /**
   * @param {number} address
   * @param {number} count
   */
  read(address, count) {
    return this.#engine.f64.slice(address / 8, address / 8 + count)
  }

  release() {
    for (const address of this.#addresses) this.#engine.exports.release(address)
    this.#addresses = []
  }
}

// --- input --------------------------------------------------------------------------------------

/** @param {unknown} options */
function readOptions(options) {
  const given = readObject(options, `${WHERE}: options`)
  checkNames(given, OPTION_NAMES, WHERE)
  const { solver = 'exact', tolerance = DEFAULT_TOLERANCE, maxIterations, impulses } = given
  const { frictionLaw = 'coulomb', effort = 'step' } = given
  const solvers = SOLVERS.filter((name) => !['bilateral', 'soft-step', 'auto'].includes(name))
  const name = readWord(solver, `${WHERE}: solver`, solvers)
  const work = readWord(effort, `${WHERE}: effort`, EFFORTS)
  const law = readWord(frictionLaw, `${WHERE}: frictionLaw`, FRICTION_LAWS)
  return {
    solver: name,
    tolerance: readNonNegative(tolerance, `${WHERE}: tolerance`),
    maxIterations:
      maxIterations === undefined
        ? defaultIterations(name, work)
        : readInteger(maxIterations, `${WHERE}: maxIterations`, 1, 1e9),
    frictionLaw: law,
    effort: work,
    impulses: impulses === undefined ? undefined : readList(impulses, 'impulses'),
  }
}

/**
 * @param {string} solver
 * @param {Effort} effort
 */
function defaultIterations(solver, effort) {
  if (solver === 'block-pgs') return DEFAULT_SWEEPS
  return effort === 'offline' ? DEFAULT_OFFLINE_FACTORISATIONS : DEFAULT_FACTORISATIONS
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} [length]
 * @returns {Float64Array} finite numbers
 */
function readList(value, name, length) {
  const path = `${WHERE}: ${name}`
  if (!isList(value)) throw invalid(path, 'an array of numbers', value)
  if (length !== undefined && value.length !== length) {
    throw invalid(`${path}.length`, `${length}, three per contact of mu`, value.length)
  }
  // A copy: what was checked must be what is used, and reading it may run code of the user.
  const list = makeNumbers(value.length, path)
  for (let i = 0; i < list.length; i++) list[i] = readNumber(value[i], path, i)
  return list
}

/**
 * @param {unknown} value
 * @param {string} path of its list
 * @param {number} i
 * @returns {number}
 */
function readNumber(value, path, i) {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalid(`${path}[${i}]`, 'a finite number', value)
}

/** @param {unknown} value */
function readFriction(value) {
  const list = readList(value, 'mu')
  for (let i = 0; i < list.length; i++) readNonNegative(list[i], `${WHERE}: mu[${i}]`)
  return list
}

/**
 * The entries of a matrix.
 * @param {unknown} value a MatrixLike
 * @param {string} name
 * @returns {{ shape: [number, number], rows: ArrayLike<number>, cols: ArrayLike<number>,
 *   vals: ArrayLike<number> }}
 */
function readMatrix(value, name) {
  if (isFloat64Array(value)) return fromFlat(readList(value, name), name)
  if (isList(value) && !ArrayBuffer.isView(value)) return fromRows(value, name)
  if (!isObject(value) || isList(value)) {
    const wanted = 'an array of rows, a Float64Array by rows, or { shape, rows, cols, vals }'
    throw invalid(`${WHERE}: ${name}`, wanted, value)
  }
  const triplets = readObject(value, `${WHERE}: ${name}`)
  checkNames(triplets, ['shape', 'rows', 'cols', 'vals'], `${WHERE}: ${name}`)
  const vals = readList(triplets.vals, `${name}.vals`)
  const shape = readList(triplets.shape, `${name}.shape`)
  for (let i = 0; i < 2; i++) readInteger(shape[i], `${WHERE}: ${name}.shape[${i}]`, 0, 1e6)
  return {
    shape: [shape[0], shape[1]],
    rows: readIndices(triplets.rows, `${name}.rows`, vals.length, shape[0]),
    cols: readIndices(triplets.cols, `${name}.cols`, vals.length, shape[1]),
    vals,
  }
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} length
 * @param {number} limit
 */
function readIndices(value, name, length, limit) {
  const list = readList(value, name)
  if (list.length !== length) {
    throw invalid(`${WHERE}: ${name}.length`, `${length}, as vals`, list.length)
  }
  for (let i = 0; i < length; i++) {
    readInteger(list[i], `${WHERE}: ${name}[${i}]`, 0, limit - 1)
  }
  return list
}

/**
 * @param {Float64Array} list a square matrix by rows
 * @param {string} name
 */
function fromFlat(list, name) {
  const size = Math.round(Math.sqrt(list.length))
  if (size * size !== list.length) {
    throw invalid(`${WHERE}: ${name}.length`, 'a square number, or an array of rows', list.length)
  }
  const rows = Array.from({ length: size }, (_, i) => list.subarray(i * size, (i + 1) * size))
  return fromRows(rows, name)
}

/**
 * @param {ArrayLike<unknown>} list
 * @param {string} name
 */
function fromRows(list, name) {
  const width = isList(list[0]) ? list[0].length : 0
  /** @type {number[]} */
  const rows = []
  /** @type {number[]} */
  const cols = []
  /** @type {number[]} */
  const vals = []
  for (let i = 0; i < list.length; i++) {
    const row = readList(list[i], `${name}[${i}]`)
    if (row.length !== width) {
      throw invalid(`${WHERE}: ${name}[${i}].length`, `${width}, as the row before`, row.length)
    }
    for (let k = 0; k < width; k++) {
      if (row[k] === 0) continue
      rows.push(i)
      cols.push(k)
      vals.push(row[k])
    }
  }
  return { shape: /** @type {[number, number]} */ ([list.length, width]), rows, cols, vals }
}

// --- both forms ---------------------------------------------------------------------------------

/**
 * @param {Record<string, unknown>} problem
 * @param {number} size
 * @param {Block} block
 * @returns {Matrices}
 */
function readLocal(problem, size, block) {
  const { shape, rows, cols, vals } = readMatrix(problem.W, 'W')
  if (shape[0] !== size || shape[1] !== size) {
    const wanted = `${size} by ${size}, three rows per contact of mu`
    throw invalid(`${WHERE}: W.shape`, wanted, `${shape[0]} by ${shape[1]}`)
  }
  const q = block.copy(readList(problem.q, 'q', size))
  const delassus = block.doubles(size * size)
  const { f64 } = engine()
  f64.fill(0, delassus / 8, delassus / 8 + size * size)
  for (let i = 0; i < vals.length; i++) f64[delassus / 8 + rows[i] * size + cols[i]] += vals[i]
  return { delassus, freeVelocity: q, force: 0, masses: [] }
}

/**
 * @param {Record<string, unknown>} problem
 * @param {number} size
 * @param {Block} block
 * @returns {Matrices}
 */
function readGlobal(problem, size, block) {
  if (problem.M === undefined) {
    throw invalid(`${WHERE}: problem`, '{ W, q, mu } or { M, H, f, w, mu }', problem)
  }
  const mass = readMatrix(problem.M, 'M')
  const jacobian = readMatrix(problem.H, 'H')
  if (jacobian.shape[0] !== mass.shape[0] || jacobian.shape[1] !== size) {
    const wanted = `${mass.shape[0]} by ${size}, the rows of M and three columns per contact of mu`
    throw invalid(`${WHERE}: H.shape`, wanted, `${jacobian.shape[0]} by ${jacobian.shape[1]}`)
  }
  const force = readList(problem.f, 'f')
  if (force.length !== mass.shape[0]) {
    throw invalid(`${WHERE}: f.length`, `${mass.shape[0]}, the rows of M`, force.length)
  }
  return {
    delassus: 0,
    freeVelocity: block.copy(readList(problem.w, 'w', size)),
    force: block.copy(force),
    masses: [copyTriplets(mass, block), copyTriplets(jacobian, block)],
  }
}

/**
 * @param {ReturnType<typeof readMatrix>} matrix
 * @param {Block} block
 */
function copyTriplets({ shape, rows, cols, vals }, block) {
  return {
    ...{ rows: shape[0], columns: shape[1], count: vals.length },
    ...{ row: block.copyIndices(rows), column: block.copyIndices(cols), value: block.copy(vals) },
  }
}

// --- solve --------------------------------------------------------------------------------------

/**
 * @param {Matrices} matrices
 * @param {ArrayLike<number>} mu
 * @param {ReturnType<typeof readOptions>} settings
 * @param {Block} block
 * @returns {SolveResult}
 */
function solve({ masses, ...matrices }, mu, settings, block) {
  const size = 3 * mu.length
  const { impulses: start } = settings
  if (start !== undefined && start.length !== size) {
    throw invalid(`${WHERE}: impulses.length`, `${size}, three per contact of mu`, start.length)
  }
  const friction = block.copy(mu)
  const warm = start === undefined ? 0 : block.copy(start)
  const impulses = block.doubles(size)
  const velocities = block.doubles(size)
  const module = engine()
  module.begin(Math.max(SOLVE_NUMBERS, PROBLEM_RESULT_NUMBERS))
  const contactCount = mu.length
  putProblemDef(module, { contactCount, ...matrices, friction, warmStart: warm })
  putProblemSettings(module, settings)
  putProblemAnswer(module, { impulses, velocities })
  for (const matrix of masses) putTriplets(module, matrix)
  const result = module.exports.problem_solve()
  module.begin(PROBLEM_RESULT_NUMBERS)
  const { refused, refusedAt, refusedValue, residual: details, ...out } = takeProblemResult(module)
  if (result !== 0) throw refusal(result, refused, refusedAt, refusedValue)
  return {
    impulses: block.read(impulses, size),
    velocities: block.read(velocities, size),
    ...out,
    solver: /** @type {SolveResult['solver']} */ (out.solver),
    residual: details.worst,
    details,
  }
}

/**
 * @param {number} result
 * @param {number} refused address of a text, or 0
 * @param {number} at index in what it is about
 * @param {number} value that is refused; NaN where it is not about a number
 */
function refusal(result, refused, at, value) {
  const module = engine()
  if (refused === 0) return module.failure(result, WHERE, 0)
  const got = Number.isNaN(value) ? '' : `, got ${value}`
  return new MoreauError(module.code(result), `${WHERE}: ${module.text(refused)} (at ${at})${got}`)
}
