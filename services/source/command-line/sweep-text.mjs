/** Significant digits of a number in a table */
const DIGITS = 5
const COLUMNS = /** @type {const} */ ([
  'count',
  'mean',
  'deviation',
  'min',
  'p5',
  'median',
  'p95',
  'max',
])

/**
 * A summary for people.
 *
 * @param {import('../sweeps/statistics.mjs').Summary} summary
 * @param {string} hash
 * @returns {string}
 */
export function summaryText({ sweep, runs, failed, columns, texts, failures }, hash) {
  const rows = [
    ['', ...COLUMNS],
    ...columns.map((column) => [column.name, ...COLUMNS.map((name) => short(column[name]))]),
  ]
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  const table = rows.map((row) => row.map((cell, i) => cell.padStart(widths[i])).join('  '))
  const counts = Object.entries(texts).map(
    ([name, values]) =>
      `${name}: ${Object.entries(values)
        .map(([value, count]) => `${value} ${count}`)
        .join(', ')}`,
  )
  const failedRuns = failures.map(
    ({ run, seed, parameters, error }) =>
      `  run ${run}, seed ${seed}, ${JSON.stringify(parameters)}: ${error}`,
  )
  return [
    `${sweep}: ${runs} runs, ${failed} failed; table ${hash}`,
    ...(columns.length > 0 ? table : []),
    ...counts,
    ...(failed > 0 ? [`failed runs, the first ${failures.length}:`, ...failedRuns] : []),
  ].join('\n')
}

/** @param {number} value */
const short = (value) => String(Number(value.toPrecision(DIGITS)))
