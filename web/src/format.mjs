/**
 * Numbers for people.
 */

/**
 * Three digits that matter, with an exponent only where it is shorter.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 1e-3 || size >= 1e5) return value.toExponential(1).replace('e+', 'e')
  if (size >= 1000) return value.toFixed(0)
  return value.toPrecision(3)
}

/**
 * A number that does not change while one looks at it: without zeros at its end.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatLimit(value) {
  const text = formatNumber(value)
  return text.includes('e') ? text.replace('.0e', 'e') : String(Number(text))
}

/**
 * @param {ArrayLike<number>} vector
 * @returns {string}
 */
export function formatVector(vector) {
  return Array.from(vector, (value) => value.toFixed(2).replace(/^-0\.00$/, '0.00')).join(', ')
}
