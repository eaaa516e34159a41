/**
 * A plot of a sweep: each result over the first parameter that varies, or its histogram where none does. Colours are of Okabe and Ito (2008).
 */
import { quantile } from './statistics.mjs'

/** @typedef {import('./table.mjs').Table} Table */

/** Panels of a plot: more would not be seen. */
const PANELS = 6
/** Parts of the range of the parameter, or of the histogram */
const BINS = 48
/** px */
const PANEL = { width: 360, height: 240, left: 64, right: 16, top: 28, bottom: 40 }
const TICKS = 5
/** of the numbers at ticks */
const MOST_DECIMALS = 8
const COLORS = { line: '#0072b2', band: '#56b4e9' }

/**
 * @param {Table} table
 * @returns {Promise<string>} SVG
 */
export async function plotSvg(table) {
  const { columns, spec } = table
  const x = columns.findIndex(({ role, kind }) => role === 'parameter' && kind === 'number')
  const results = columns.flatMap(({ role, kind }, i) =>
    role === 'result' && kind === 'number' ? [i] : [],
  )
  const shown = results.slice(0, PANELS)
  const points = await pointsOf(table, x, shown)
  const across = Math.min(3, Math.max(1, shown.length))
  const [width, height] = [
    across * PANEL.width,
    Math.ceil(shown.length / across) * PANEL.height + 28,
  ]
  const panels = shown.map((column, k) => {
    const at = `translate(${(k % across) * PANEL.width} ${28 + Math.floor(k / across) * PANEL.height})`
    const labels = {
      x: x < 0 ? columns[column].name : columns[x].name,
      y: x < 0 ? 'runs' : columns[column].name,
    }
    return `<g transform="${at}">${panel(x < 0 ? histogram(points[k]) : bands(points[k]), labels)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
<text x="12" y="18" font-size="13">${escape(spec.id)}: ${spec.space.runs} runs${x < 0 ? '' : ', median and 5 to 95 %'}</text>
${panels.join('\n')}
</svg>
`
}

/** @param {string} text */
const escape = (text) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Of a million runs: numbers in a row, not objects. @typedef {{ x: Float64Array, y: Float64Array }} Points */

/** @param {Table} table @param {number} x @param {readonly number[]} results @returns {Promise<Points[]>} */
async function pointsOf(table, x, results) {
  const { runs } = table.spec.space
  const points = results.map(() => ({ x: new Float64Array(runs), y: new Float64Array(runs) }))
  const counts = results.map(() => 0)
  for await (const { count, values } of table.parts()) {
    for (let i = 0; i < count; i++) {
      results.forEach((column, k) => {
        const y = values[column][i]
        if (y === null) return
        points[k].x[counts[k]] = x < 0 ? 0 : Number(values[x][i])
        points[k].y[counts[k]++] = Number(y)
      })
    }
  }
  return points.map((of, k) => ({ x: of.x.subarray(0, counts[k]), y: of.y.subarray(0, counts[k]) }))
}

/** @typedef {{ x: number, low: number, middle: number, high: number }} Band */

/** Median and spread over parts of the parameter's range. @param {Points} points @returns {Band[]} */
function bands({ x, y }) {
  const { lower, upper } = rangeOf(x)
  const bins = x.map((value) => binOf(value, lower, upper))
  const counts = countBins(bins)
  const members = Array.from(counts, (count) => ({
    ...{ x: new Float64Array(count), y: new Float64Array(count), count: 0 },
  }))
  bins.forEach((bin, i) => {
    const member = members[bin]
    member.x[member.count] = x[i]
    member.y[member.count++] = y[i]
  })
  return members.filter(({ count }) => count > 0).map(bandOf)
}

/** @param {Points} bin @returns {Band} */
function bandOf({ x, y }) {
  const sorted = y.toSorted()
  const [low, middle, high] = [0.05, 0.5, 0.95].map((part) => quantile(sorted, part))
  // Where the points are, which is not the middle of the bin if they are of a grid.
  return { x: x.reduce((sum, value) => sum + value / x.length, 0), low, middle, high }
}

/** @param {Points} points @returns {Band[]} */
function histogram({ y }) {
  const { lower, upper } = rangeOf(y)
  const counts = countBins(y.map((value) => binOf(value, lower, upper)))
  return counts.map((count, k) => ({
    ...{ x: lower + ((upper - lower) * (k + 0.5)) / BINS, low: 0, middle: count, high: count },
  }))
}

/** @param {Float64Array} bins @returns {number[]} how many there are of each */
function countBins(bins) {
  const counts = new Array(BINS).fill(0)
  for (const bin of bins) counts[bin]++
  return counts
}

/** @param {Iterable<number>} values */
function rangeOf(values) {
  let [lower, upper] = [Infinity, -Infinity]
  for (const value of values) {
    lower = Math.min(lower, value)
    upper = Math.max(upper, value)
  }
  if (lower > upper) return { lower: 0, upper: 1 }
  return lower < upper ? { lower, upper } : { lower: lower - 0.5, upper: upper + 0.5 }
}

/** @param {number} value @param {number} lower @param {number} upper */
const binOf = (value, lower, upper) =>
  Math.min(BINS - 1, Math.floor(((value - lower) / (upper - lower)) * BINS))

/** @param {readonly Band[]} curve @param {{ x: string, y: string }} labels */
function panel(curve, labels) {
  const x = rangeOf(curve.map((band) => band.x))
  const y = rangeOf(curve.flatMap(({ low, high }) => [low, high]))
  const { width, height, left, right, top, bottom } = PANEL
  const px = (/** @type {number} */ value) =>
    (left + ((value - x.lower) / (x.upper - x.lower)) * (width - left - right)).toFixed(1)
  const py = (/** @type {number} */ value) =>
    (height - bottom - ((value - y.lower) / (y.upper - y.lower)) * (height - top - bottom)).toFixed(
      1,
    )
  const upwards = curve.map((band) => `${px(band.x)},${py(band.high)}`)
  const back = curve.toReversed().map((band) => `${px(band.x)},${py(band.low)}`)
  const middle = curve.map((band) => `${px(band.x)},${py(band.middle)}`)
  const across = ticks(x).map(
    (value) =>
      `<text x="${px(value)}" y="${height - bottom + 16}" text-anchor="middle">${short(value, x)}</text>`,
  )
  const along = ticks(y).map(
    (value) =>
      `<text x="${left - 6}" y="${Number(py(value)) + 4}" text-anchor="end">${short(value, y)}</text>`,
  )
  return `<polygon points="${[...upwards, ...back].join(' ')}" fill="${COLORS.band}" fill-opacity="0.35"/>
<polyline points="${middle.join(' ')}" fill="none" stroke="${COLORS.line}" stroke-width="1.5"/>
<path d="M${left} ${top}V${height - bottom}H${width - right}" fill="none" stroke="#444"/>
${[...across, ...along].join('')}
<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">${escape(labels.x)}</text>
<text x="${left}" y="${top - 8}">${escape(labels.y)}</text>`
}

/** @param {{ lower: number, upper: number }} range */
const ticks = ({ lower, upper }) =>
  Array.from({ length: TICKS }, (_, i) => lower + ((upper - lower) * i) / (TICKS - 1))

/** A number with as many digits as tell two ticks from one another. @param {number} value @param {{ lower: number, upper: number }} range */
function short(value, { lower, upper }) {
  const decimals = 1 - Math.floor(Math.log10((upper - lower) / (TICKS - 1)))
  return decimals > MOST_DECIMALS ? value.toPrecision(3) : value.toFixed(Math.max(0, decimals))
}
