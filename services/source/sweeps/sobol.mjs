/** Bits of a coordinate. */
const BITS = 32

/**
 * Degree, inner coefficients of the primitive polynomial, and first direction numbers of each dimension but the first (Joe and Kuo 2008).
 *
 * @type {readonly { degree: number, polynomial: number, first: readonly number[] }[]}
 */
const DIMENSIONS = [
  { degree: 1, polynomial: 0, first: [1] },
  { degree: 2, polynomial: 1, first: [1, 3] },
  { degree: 3, polynomial: 1, first: [1, 3, 1] },
  { degree: 3, polynomial: 2, first: [1, 1, 1] },
  { degree: 4, polynomial: 1, first: [1, 1, 3, 3] },
  { degree: 4, polynomial: 4, first: [1, 3, 5, 13] },
  { degree: 5, polynomial: 2, first: [1, 1, 5, 5, 17] },
  { degree: 5, polynomial: 4, first: [1, 1, 5, 5, 5] },
  { degree: 5, polynomial: 7, first: [1, 1, 7, 11, 19] },
]

/** So many parameters can be sampled together. */
export const SOBOL_DIMENSIONS = DIMENSIONS.length + 1

/**
 * The direction numbers of a dimension: bit `k` of an index turns on `numbers[k]`.
 *
 * @param {number} dimension from 0
 * @returns {Uint32Array}
 */
function directionNumbers(dimension) {
  if (dimension === 0) return Uint32Array.from({ length: BITS }, (_, k) => 2 ** (BITS - 1 - k))
  const { degree, polynomial, first } = DIMENSIONS[dimension - 1]
  const numbers = new Uint32Array(BITS)
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      numbers[k] = first[k] * 2 ** (BITS - 1 - k)
      continue
    }
    // The recurrence of Bratley and Fox (1988), on numbers that are shifted to the top.
    numbers[k] = numbers[k - degree] ^ (numbers[k - degree] >>> degree)
    for (let i = 1; i < degree; i++) {
      if ((polynomial >> (degree - 1 - i)) & 1) numbers[k] ^= numbers[k - i]
    }
  }
  return numbers
}

/**
 * A coordinate of Sobol's sequence (1967), shifted digitally: of 2^k points that follow one another from a multiple of 2^k on, one falls into
 * each of 2^k equal parts.
 *
 * @param {number} dimension from 0 to `SOBOL_DIMENSIONS` - 1
 * @param {number} shift 32 random bits; other bits give another sequence of the same quality
 * @returns {(index: number) => number} in [0, 1)
 */
export function sobolCoordinate(dimension, shift) {
  const numbers = directionNumbers(dimension)
  return (index) => {
    let bits = shift
    for (let k = 0, rest = index; rest > 0; k++, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) bits ^= numbers[k]
    }
    return (bits >>> 0) / 2 ** BITS
  }
}
