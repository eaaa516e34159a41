/**
 * Dense matrices of the benchmarks: `Float64Array`s by rows. Written for clarity and independent of the engine, which they judge.
 */

/** @typedef {{ shape: [number, number], rows: number[], cols: number[], vals: number[] }} Triplets entries, added up where repeated */

/**
 * @param {Triplets} triplets
 * @returns {Float64Array} by rows
 */
export function fromTriplets({ shape: [rowCount, columnCount], rows, cols, vals }) {
  const matrix = new Float64Array(rowCount * columnCount)
  for (let k = 0; k < vals.length; k++) matrix[rows[k] * columnCount + cols[k]] += vals[k]
  return matrix
}

/**
 * (A + A')/2 of a square matrix.
 *
 * @param {Float64Array} a
 * @param {number} size
 * @returns {Float64Array}
 */
export function symmetricPart(a, size) {
  const half = new Float64Array(a.length)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) half[i * size + j] = 0.5 * (a[i * size + j] + a[j * size + i])
  }
  return half
}

/**
 * A x + y.
 *
 * @param {Float64Array} a of y.length rows
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 * @returns {Float64Array}
 */
export function multiplyAdd(a, x, y) {
  const columns = x.length
  const result = new Float64Array(y.length)
  for (let i = 0; i < y.length; i++) {
    let sum = y[i]
    for (let j = 0; j < columns; j++) sum += a[i * columns + j] * x[j]
    result[i] = sum
  }
  return result
}

/**
 * L with A = L L' (Cholesky), of a symmetric positive definite matrix. Its lower triangle is read.
 *
 * @param {Float64Array} a
 * @param {number} size
 * @returns {Float64Array} lower triangular
 * @throws {RangeError} if A is not positive definite
 */
export function cholesky(a, size) {
  const l = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * size + j]
      for (let k = 0; k < j; k++) sum -= l[i * size + k] * l[j * size + k]
      if (i !== j) l[i * size + j] = sum / l[j * size + j]
      else if (sum > 0) l[i * size + i] = Math.sqrt(sum)
      else throw new RangeError(`the matrix is not positive definite: pivot ${i} is ${sum}`)
    }
  }
  return l
}

/**
 * Solves L X = B in place for all columns of B.
 *
 * @param {Float64Array} l lower triangular
 * @param {number} size
 * @param {Float64Array} b size rows
 * @returns {Float64Array} b
 */
export function solveLower(l, size, b) {
  const columns = b.length / size
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) {
      const factor = l[i * size + k]
      if (factor === 0) continue
      for (let j = 0; j < columns; j++) b[i * columns + j] -= factor * b[k * columns + j]
    }
    for (let j = 0; j < columns; j++) b[i * columns + j] /= l[i * size + i]
  }
  return b
}

/**
 * A' B of two matrices with the same number of rows. Zeros of A cost nothing.
 *
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @param {number} rows
 * @returns {Float64Array}
 */
export function transposedTimes(a, b, rows) {
  const left = a.length / rows
  const right = b.length / rows
  const product = new Float64Array(left * right)
  for (let k = 0; k < rows; k++) {
    for (let i = 0; i < left; i++) {
      const factor = a[k * left + i]
      if (factor === 0) continue
      for (let j = 0; j < right; j++) product[i * right + j] += factor * b[k * right + j]
    }
  }
  return product
}
