/**
 * Numbers from 0 to 1 that follow from a seed: the top bits of a linear congruential generator (Numerical Recipes).
 * @param {number} seed
 * @returns {() => number}
 */
export function randomFrom(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}
