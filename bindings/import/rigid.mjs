// Vectors, quaternions and poses of files, before there are bodies. Plain arrays; quaternions are x y z w.

/** @import { Quaternion, Vector } from '../types/index.mjs' */

/**
 * Where a frame is in another one.
 * @typedef {object} Frame
 * @property {Vector} position metres
 * @property {Quaternion} orientation
 */

/** @type {Vector} */
export const ZERO = [0, 0, 0]
/** @type {Quaternion} */
export const NO_TURN = [0, 0, 0, 1]
/** @type {Frame} */
export const ORIGIN = { position: ZERO, orientation: NO_TURN }

// --- angles ---------------------------------------------------------------------------------------

/** π/2 as a number whose low bits are 0, so that a small multiple of it is exact, and what that leaves out (Cody and Waite 1980). */
const QUARTER = 1.5707963267341256
const QUARTER_REST = 6.077100506506192e-11
/** Terms of both series: the first that is left out is below 1e-19 where the angle is at most π/4. */
const TERMS = 8

/**
 * Sine and cosine, the same bits on every machine, which `Math.sin` does not promise. Errors are below 4e-16 for angles of some turns.
 * @param {number} angle rad
 * @returns {{ sine: number, cosine: number }}
 */
export function circular(angle) {
  const quarters = Math.round(angle / (QUARTER + QUARTER_REST))
  const x = angle - quarters * QUARTER - quarters * QUARTER_REST
  let [sine, cosine] = [1, 1]
  for (let k = 2 * TERMS; k >= 2; k -= 2) {
    sine = 1 - (sine * x * x) / (k * (k + 1))
    cosine = 1 - (cosine * x * x) / (k * (k - 1))
  }
  sine *= x
  switch (((quarters % 4) + 4) % 4) {
    case 0:
      return { sine, cosine }
    case 1:
      return { sine: cosine, cosine: -sine }
    case 2:
      return { sine: -sine, cosine: -cosine }
    default:
      return { sine: -cosine, cosine: sine }
  }
}

// --- vectors --------------------------------------------------------------------------------------

/**
 * @param {Readonly<Vector>} a
 * @param {Readonly<Vector>} b
 * @returns {Vector}
 */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

/**
 * @param {Readonly<Vector>} a
 * @param {Readonly<Vector>} b
 * @returns {Vector}
 */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/**
 * @param {Readonly<Vector>} a
 * @param {number} factor
 * @returns {Vector}
 */
export const scale = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor]

/**
 * @param {Readonly<Vector>} a
 * @param {Readonly<Vector>} b
 */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/**
 * @param {Readonly<Vector>} a
 * @param {Readonly<Vector>} b
 * @returns {Vector}
 */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** @param {Readonly<Vector>} a */
export const length = (a) => Math.sqrt(dot(a, a))

/**
 * The direction of a vector that is not zero.
 * @param {Readonly<Vector>} a
 */
export const unit = (a) => scale(a, 1 / length(a))

// --- turns ----------------------------------------------------------------------------------------

/**
 * The turn by b, then by a.
 * @param {Readonly<Quaternion>} a
 * @param {Readonly<Quaternion>} b
 * @returns {Quaternion}
 */
export const turnAfter = (a, b) => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
]

/**
 * @param {Readonly<Quaternion>} q
 * @returns {Quaternion}
 */
export const turnBack = (q) => [-q[0], -q[1], -q[2], q[3]]

/**
 * @param {Readonly<Quaternion>} q of any length but 0
 * @returns {Quaternion}
 */
export function unitTurn(q) {
  const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size]
}

/**
 * @param {Readonly<Quaternion>} q
 * @param {Readonly<Vector>} v
 * @returns {Vector}
 */
export function rotate(q, v) {
  /** @type {Vector} */
  const axis = [q[0], q[1], q[2]]
  const twice = scale(cross(axis, v), 2)
  return add(add(v, scale(twice, q[3])), cross(axis, twice))
}

/**
 * @param {Readonly<Vector>} axis of any length but 0
 * @param {number} angle rad
 * @returns {Quaternion}
 */
export function turnAbout(axis, angle) {
  const { sine, cosine } = circular(angle / 2)
  const [x, y, z] = scale(unit(axis), sine)
  return [x, y, z, cosine]
}

/**
 * The shortest turn of one direction onto another one.
 * @param {Readonly<Vector>} from of any length but 0
 * @param {Readonly<Vector>} to
 * @returns {Quaternion}
 */
export function turnOnto(from, to) {
  const [a, b] = [unit(from), unit(to)]
  const w = 1 + dot(a, b)
  // Opposite directions leave the axis open: any that is perpendicular will do.
  if (w < 1e-12) return turnAbout(perpendicular(a), Math.PI)
  const [x, y, z] = cross(a, b)
  return unitTurn([x, y, z, w])
}

/**
 * @param {Readonly<Vector>} a of any length but 0
 * @returns {Vector} a unit vector at a right angle to it
 */
export function perpendicular(a) {
  const [x, y, z] = a.map(Math.abs)
  /** @type {Vector} */
  const other = x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]
  return unit(cross(a, other))
}

/**
 * The turn whose matrix has these columns: right-handed unit vectors at right angles.
 * @param {Readonly<Vector>} x
 * @param {Readonly<Vector>} y
 * @param {Readonly<Vector>} z
 * @returns {Quaternion}
 */
export function turnOfColumns(x, y, z) {
  // The largest of the four squares is at least 1/4, so nothing is divided by a small number (Shepperd 1978).
  const squares = [x[0] - y[1] - z[2], y[1] - x[0] - z[2], z[2] - x[0] - y[1], x[0] + y[1] + z[2]]
  switch (squares.indexOf(Math.max(...squares))) {
    case 0:
      return unitTurn([1 + squares[0], y[0] + x[1], z[0] + x[2], y[2] - z[1]])
    case 1:
      return unitTurn([y[0] + x[1], 1 + squares[1], z[1] + y[2], z[0] - x[2]])
    case 2:
      return unitTurn([z[0] + x[2], z[1] + y[2], 1 + squares[2], x[1] - y[0]])
    default:
      return unitTurn([y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + squares[3]])
  }
}

// --- frames ---------------------------------------------------------------------------------------

/**
 * A frame that is given in another one, in the frame which that one is given in.
 * @param {Frame} outer
 * @param {Frame} inner
 * @returns {Frame}
 */
export const compose = (outer, inner) => ({
  position: add(outer.position, rotate(outer.orientation, inner.position)),
  orientation: turnAfter(outer.orientation, inner.orientation),
})

/**
 * @param {Frame} frame
 * @returns {Frame} what undoes it
 */
export function inverse({ position, orientation }) {
  const back = turnBack(orientation)
  return { position: rotate(back, scale(position, -1)), orientation: back }
}

/**
 * @param {Frame} frame
 * @param {Readonly<Vector>} point in it
 */
export const pointIn = ({ position, orientation }, point) =>
  add(position, rotate(orientation, point))
