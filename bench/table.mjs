/**
 * Tables of the benchmarks as text.
 */

/**
 * @param {string[]} head titles of the columns
 * @param {string[][]} rows cells
 * @returns {string} the first column to the left, all others to the right
 */
export function formatTable(head, rows) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  )
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) =>
          column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * @param {number} value
 * @returns {string} two digits: 1.2e-9
 */
export const scientific = (value) => (value === 0 ? '0' : value.toExponential(1))

/**
 * @param {string} option
 * @param {string} word
 * @returns {number}
 */
export function readNumber(option, word) {
  const number = Number(word)
  if (number > 0 && number < Infinity) return number
  throw new RangeError(`${option} is '${word}', but it must be a number above zero`)
}
