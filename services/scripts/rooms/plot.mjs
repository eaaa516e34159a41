/**
 * A plot as SVG: corrections over time.
 */

/** Pixels */
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [760, 320, 64, 48, 40, 16]
const COLOURS = ['#1f6fb4', '#d9730d', '#2e8b57']

/** @param {number} largest @returns {number} of the axis: 1, 2 or 5 times a power of ten */
function niceEnd(largest) {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1e-3)))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= largest) ?? 10)
}

/**
 * @param {string} title
 * @param {{ name: string, points: [number, number][] }[]} series seconds and metres
 * @returns {string}
 */
export function plotCorrections(title, series) {
  const all = series.flatMap(({ points }) => points)
  const [start, end] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))]
  const top = niceEnd(Math.max(...all.map(([, y]) => y)))
  const x = (/** @type {number} */ s) =>
    LEFT + ((s - start) / (end - start || 1)) * (WIDTH - LEFT - RIGHT)
  const y = (/** @type {number} */ m) => HEIGHT - BOTTOM - (m / top) * (HEIGHT - BOTTOM - TOP)
  const text = (
    /** @type {number} */ px,
    /** @type {number} */ py,
    /** @type {string} */ words,
    anchor = 'middle',
  ) => `<text x="${px.toFixed(1)}" y="${py.toFixed(1)}" text-anchor="${anchor}">${words}</text>`
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const height = y(part * top)
    return `<path d="M${LEFT} ${height}H${WIDTH - RIGHT}" stroke="#ddd"/>${text(LEFT - 8, height + 4, String(Number((part * top).toPrecision(3))), 'end')}`
  })
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) =>
    text(x(start + part * (end - start)), HEIGHT - BOTTOM + 18, (part * (end - start)).toFixed(0)),
  )
  const marks = series.map(({ points, name }, i) => {
    const colour = COLOURS[i % COLOURS.length]
    const stems = [...largestByColumn(points, x)]
      .map(([column, m]) => `M${column} ${y(0).toFixed(0)}V${y(m).toFixed(1)}`)
      .join('')
    const label = `<g fill="${colour}">${text(LEFT + 8, TOP + 14 + 16 * i, `${name}: ${points.length}`, 'start')}</g>`
    return `<path d="${stems}" stroke="${colour}" stroke-width="1.5" stroke-opacity="0.7"/>${label}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(WIDTH / 2, 22, title),
    ...[...grid, ...times, ...marks],
    text(WIDTH / 2, HEIGHT - 10, 'time, s'),
    `<g transform="rotate(-90 14 ${HEIGHT / 2})">${text(14, HEIGHT / 2, 'correction, m')}</g>`,
    '</svg>\n',
  ].join('\n')
}

/**
 * @param {readonly [number, number][]} points
 * @param {(seconds: number) => number} x pixels
 * @returns {Map<number, number>} the largest value by column of pixels: more is not to be seen
 */
function largestByColumn(points, x) {
  const columns = new Map()
  for (const [seconds, value] of points) {
    const column = Math.round(x(seconds))
    columns.set(column, Math.max(columns.get(column) ?? 0, value))
  }
  return columns
}
