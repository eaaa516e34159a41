// Vectors as Rapier has them, objects with x, y, z, beside the arrays of Moreau.

/** @typedef {{ x: number, y: number, z: number }} Xyz */
/** @typedef {{ x: number, y: number, z: number, w: number }} Xyzw */
/** @typedef {readonly [number, number, number]} Triple */
/** @typedef {Readonly<Xyz> | ArrayLike<number> | number} VectorInput */
/** @typedef {Readonly<Xyzw> | ArrayLike<number>} QuaternionInput */

/** @param {ArrayLike<number>} from @param {number} [at] @returns {Xyz} */
export const xyz = (from, at = 0) => ({ x: from[at], y: from[at + 1], z: from[at + 2] })

/** @param {ArrayLike<number>} from @param {number} [at] @returns {Xyzw} */
export const xyzw = (from, at = 0) => ({
  ...xyz(from, at),
  w: from[at + 3],
})

/**
 * An array of a vector in any spelling; a number stands for all three.
 * @param {VectorInput} value
 * @returns {[number, number, number]}
 */
export function triple(value) {
  if (typeof value === 'number') return [value, value, value]
  if ('x' in value) return [value.x, value.y, value.z]
  return [value[0], value[1], value[2]]
}

/**
 * An array of a quaternion, of unit length: that of Rapier is normalised where it comes in, too.
 * @param {QuaternionInput} value
 * @returns {[number, number, number, number]}
 */
export function quadruple(value) {
  const [x, y, z, w] =
    'x' in value ? [value.x, value.y, value.z, value.w] : [value[0], value[1], value[2], value[3]]
  const length = Math.sqrt(x * x + y * y + z * z + w * w)
  return length > 0 ? [x / length, y / length, z / length, w / length] : [0, 0, 0, 1]
}

/**
 * The numbers of a prop, so that React may compare them: `undefined` and what has no numbers stay as they are.
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
export function numbersOf(value) {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return [value]
  const { x, y, z, w } = /** @type {Partial<Xyzw>} */ (value)
  return [x, y, z, w]
}

/** Rapier's class of vectors: any object with its members will do in its place. */
export class Vector3 {
  /** @param {number} x @param {number} y @param {number} z */
  constructor(x, y, z) {
    this.x = x
    this.y = y
    this.z = z
  }
}

/** Rapier's class of orientations. */
export class Quaternion {
  /** @param {number} x @param {number} y @param {number} z @param {number} w */
  constructor(x, y, z, w) {
    this.x = x
    this.y = y
    this.z = z
    this.w = w
  }
}
