/**
 * The frontier between overlap and energy, as a table.
 */
import { markdownTable } from '../comparison/markdown.mjs'
import { formatTable } from '../table.mjs'

/** @typedef {import('./measure.mjs').Point} Point */

const HEAD = [
  'options',
  'heap: overlap, mean / deepest, mm',
  'energy gained, %',
  'mean speed, mm/s',
  'CPU time',
  'tower sinks, mm',
  'random scenes that gain',
]

/**
 * @param {number | null} value null: JSON's NaN
 * @param {number} [factor]
 */
const digits = (value, factor = 1) =>
  value === null || Number.isNaN(value) ? 'falls' : String(Number((factor * value).toPrecision(2)))

/**
 * @param {Point[]} points the defaults first
 * @returns {string[][]}
 */
function linesOf(points) {
  return points.map((point) => [
    Object.entries(point.options)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ') || 'defaults',
    `${digits(point.meanOverlap, 1000)} / ${digits(point.deepestOverlap, 1000)}`,
    digits(point.gained, 100),
    digits(point.speed, 1000),
    digits(point.milliseconds / points[0].milliseconds),
    digits(point.sinking, 1000),
    String(point.gaining),
  ])
}

/** @param {Point[]} points */
export const reportFrontier = (points) => formatTable(HEAD, linesOf(points))

/** @param {{ date: string, machine: string, node: string, points: Point[] }} result of `npm run bench -- --frontier --json <file>` */
export const frontierMarkdown = ({ date, machine, node, points }) =>
  [`${date.slice(0, 10)}, ${machine}, Node ${node}.`, markdownTable(HEAD, linesOf(points))].join(
    '\n\n',
  )
