/**
 * The little vector arithmetic that scenes and their checks need. Plain arrays, nothing is changed in place.
 */

/** @typedef {[number, number, number]} Vector */
/** @typedef {[number, number, number, number]} Quaternion x y z w */
/** @typedef {ArrayLike<number>} VectorLike */

/**
 * @param {VectorLike} a
 * @param {VectorLike} b
 * @returns {Vector}
 */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

/**
 * @param {VectorLike} a
 * @param {VectorLike} b
 * @returns {Vector}
 */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/**
 * @param {VectorLike} a
 * @param {number} factor
 * @returns {Vector}
 */
export const scale = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor]

/**
 * @param {VectorLike} a
 * @param {VectorLike} b
 * @returns {number}
 */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/**
 * @param {VectorLike} a
 * @param {VectorLike} b
 * @returns {Vector}
 */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/**
 * @param {VectorLike} a
 * @returns {number}
 */
export const length = (a) => Math.sqrt(dot(a, a))

/**
 * @param {VectorLike} a
 * @param {VectorLike} b
 * @returns {number}
 */
export const distance = (a, b) => length(subtract(a, b))

/**
 * A vector turned by a quaternion: v + 2 w (u x v) + 2 u x (u x v).
 *
 * @param {ArrayLike<number>} q x y z w, unit
 * @param {VectorLike} v
 * @returns {Vector}
 */
export function rotate(q, v) {
  const twice = scale(cross(q, v), 2)
  return add(add(v, scale(twice, q[3])), cross(q, twice))
}

/**
 * A vector of the world, seen in a body's axes.
 *
 * @param {ArrayLike<number>} q orientation of the body, unit
 * @param {VectorLike} v
 * @returns {Vector}
 */
export const rotateBack = (q, v) => rotate([-q[0], -q[1], -q[2], q[3]], v)

/**
 * An angle by its cosine and sine. Scenes are made of such, not of `Math.cos` and `Math.sin`, whose last bits differ between
 * browsers: a scene is to be the same everywhere, to the bit.
 *
 * @typedef {object} Angle
 * @property {number} cosine
 * @property {number} sine
 */

/** The angles that scenes need, by degrees: what a square root does not give is written out. */
export const ANGLES = Object.freeze({
  0: Object.freeze({ cosine: 1, sine: 0 }),
  20: Object.freeze({ cosine: 0.9396926207859084, sine: 0.3420201433256687 }),
  30: Object.freeze({ cosine: Math.sqrt(3) / 2, sine: 0.5 }),
  45: Object.freeze({ cosine: Math.sqrt(0.5), sine: Math.sqrt(0.5) }),
})

/**
 * Cosine and sine of any angle, by operations that are the same everywhere: Taylor's series to 1e-16 within an eighth of a turn.
 *
 * @param {number} angle rad
 * @returns {Angle}
 */
export function angleOf(angle) {
  const quarter = Math.round(angle / (Math.PI / 2))
  const x = angle - quarter * (Math.PI / 2)
  let [cosine, sine, term] = [0, 0, 1]
  for (let n = 1; n < 20; n += 2) {
    cosine += term
    sine += (term * x) / n
    term *= (-x * x) / (n * (n + 1))
  }
  const turns = ((quarter % 4) + 4) % 4
  if (turns === 0) return { cosine, sine }
  if (turns === 1) return { cosine: -sine, sine: cosine }
  return turns === 2 ? { cosine: -cosine, sine: -sine } : { cosine: sine, sine: -cosine }
}

/** @param {number} angle rad */
export const cosineOf = (angle) => angleOf(angle).cosine

/** @param {number} angle rad */
export const sineOf = (angle) => angleOf(angle).sine

/**
 * The turn by an angle about a unit axis, by the half-angle formulas.
 *
 * @param {VectorLike} axis
 * @param {Angle} angle between -180 and 180 degrees
 * @returns {Quaternion}
 */
export function turn(axis, { cosine, sine }) {
  const halfCosine = Math.sqrt((1 + cosine) / 2)
  const halfSine = sine / (2 * halfCosine)
  return [axis[0] * halfSine, axis[1] * halfSine, axis[2] * halfSine, halfCosine]
}

/**
 * The angle that has a cosine and a sine, rad between -pi and pi: x + sin(angle - x) is nearer to it than x by the third power.
 *
 * @param {Angle} angle not 180 degrees
 * @returns {number}
 */
export function radians({ cosine, sine }) {
  let x = 0
  for (let round = 0; round < 12; round++) {
    const at = angleOf(x)
    x += sine * at.cosine - cosine * at.sine
  }
  return x
}
