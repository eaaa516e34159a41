// Directions as users give them, of any length.

/** @import { Vector } from '../types/index.mjs' */

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 * @returns {Vector}
 */
export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/**
 * @param {readonly number[]} v
 * @returns {number[] | undefined} nothing where it has no length
 */
export function unit(v) {
  const size = Math.hypot(...v)
  return size > 0 && size < Infinity ? v.map((x) => x / size) : undefined
}

/**
 * The sine of the angle between two directions that have a length.
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
export const sineBetween = (a, b) => Math.hypot(...cross(unit(a) ?? a, unit(b) ?? b))
