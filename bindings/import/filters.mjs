// Filters for things whose file says of any two of their classes whether they collide: each class gets a category of its own.

/** @import { Filter } from '../types/index.mjs' */

/** Bits of a category. */
export const MOST_CLASSES = 32

/**
 * @param {number} count of classes, at most MOST_CLASSES; the first is that of bodies beside the file, category 1
 * @param {(a: number, b: number) => boolean} collide whether two classes do; symmetric
 * @returns {Filter[]} of the classes
 */
export function classFilters(count, collide) {
  return Array.from({ length: count }, (_, i) => {
    let mask = 0
    for (let j = 0; j < count; j++) if (collide(i, j)) mask = (mask | (1 << j)) >>> 0
    return { category: (1 << i) >>> 0, mask }
  })
}
