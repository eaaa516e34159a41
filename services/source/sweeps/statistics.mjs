/**
 * Summary statistics of a sweep.
 */

/** @typedef {import('./table.mjs').Table} Table */

/**
 * @typedef {object} ColumnSummary
 * @property {string} name
 * @property {number} count of rows that have a number
 * @property {number} mean
 * @property {number} deviation standard deviation of the sample
 * @property {number} min
 * @property {number} p5
 * @property {number} median
 * @property {number} p95
 * @property {number} max
 */

/**
 * @typedef {object} Summary
 * @property {string} sweep
 * @property {number} runs
 * @property {number} failed
 * @property {ColumnSummary[]} columns results that are numbers
 * @property {Record<string, Record<string, number>>} texts of results that are texts with few values, how often each came
 * @property {{ run: number, seed: number, parameters: Record<string, number | string | null>, error: string }[]} failures the first of them
 */

/** Failures and different texts that a summary lists. */
const LISTED = 20

/** @param {Table} table @returns {Promise<Summary>} */
export async function summarize(table) {
  const { columns, spec } = table
  const results = columns.flatMap((column, i) =>
    column.role === 'result' ? [{ ...column, i }] : [],
  )
  /** @type {Summary} */
  const summary = { sweep: spec.id, runs: 0, failed: 0, columns: [], texts: {}, failures: [] }
  const numbers = results.map(() => new Float64Array(spec.space.runs))
  const counts = results.map(() => 0)
  const texts = results.map(() => /** @type {Map<string, number>} */ (new Map()))
  for await (const part of table.parts()) {
    summary.runs += part.count
    noteFailures(summary, columns, part)
    results.forEach(({ kind, i }, k) => {
      if (kind === 'text') return countTexts(texts[k], part.values[i])
      for (const value of part.values[i])
        if (value !== null) numbers[k][counts[k]++] = Number(value)
    })
  }
  results.forEach(({ name, kind }, k) => {
    if (kind !== 'text')
      summary.columns.push({ name, ...describe(numbers[k].subarray(0, counts[k])) })
    // Texts that all differ, as hashes do, say nothing.
    else if (texts[k].size <= LISTED) summary.texts[name] = Object.fromEntries(texts[k])
  })
  return summary
}

/** Of a text that is new where too many are known, nothing is kept. @param {Map<string, number>} texts @param {readonly (number | string | null)[]} values */
function countTexts(texts, values) {
  for (const value of values) {
    if (value === null) continue
    const known = texts.get(String(value))
    if (known !== undefined || texts.size <= LISTED) texts.set(String(value), (known ?? 0) + 1)
  }
}

/** @param {Summary} summary @param {Table['columns']} columns @param {import('./table.mjs').Part} part */
function noteFailures(summary, columns, { count, values }) {
  const errors = values[columns.length - 1]
  for (let i = 0; i < count; i++) {
    if (errors[i] === null) continue
    summary.failed++
    if (summary.failures.length === LISTED) continue
    const of = (/** @type {string} */ role) =>
      Object.fromEntries(
        columns.flatMap((column, c) => (column.role === role ? [[column.name, values[c][i]]] : [])),
      )
    const { run, seed } = of('run')
    summary.failures.push({
      ...{ run: Number(run), seed: Number(seed) },
      ...{ parameters: of('parameter'), error: String(errors[i]) },
    })
  }
}

/** @param {Float64Array} values @returns {Omit<ColumnSummary, 'name'>} */
function describe(values) {
  const sorted = values.toSorted()
  const count = sorted.length
  const mean = sorted.reduce((sum, value) => sum + value / count, 0)
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    ...{ count, mean, deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : 0 },
    ...{ min: quantile(sorted, 0), p5: quantile(sorted, 0.05), median: quantile(sorted, 0.5) },
    ...{ p95: quantile(sorted, 0.95), max: quantile(sorted, 1) },
  }
}

/**
 * A quantile with linear interpolation (type 7 of Hyndman and Fan 1996, the usual one).
 *
 * @param {ArrayLike<number>} sorted
 * @param {number} part 0 to 1
 * @returns {number} not a number of nothing
 */
export function quantile(sorted, part) {
  if (sorted.length === 0) return NaN
  const place = part * (sorted.length - 1)
  const below = Math.floor(place)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (place - below) * (sorted[above] - sorted[below])
}
