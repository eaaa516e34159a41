/**
 * The comparison as tables for the terminal; markdown.mjs has those of the documentation.
 */
import { formatTable } from '../table.mjs'
import { bestPeers, keyOf } from './summary.mjs'

/** @typedef {import('./summary.mjs').Row} Row */
/** @typedef {import('./summary.mjs').Failed} Failed */

/**
 * @typedef {object} Result what --json writes
 * @property {string} date
 * @property {string} machine
 * @property {string} node
 * @property {number} rounds
 * @property {boolean} quality
 * @property {{ [option: string]: unknown }} world options of Moreau's world on top of its defaults
 * @property {Row[]} rows
 * @property {Failed[]} failed
 */

/** @param {number | null} meters */
const mm = (meters) => (meters === null ? '' : (1000 * meters).toFixed(2))
/** @param {number} bytes */
const mb = (bytes) => (bytes / 2 ** 20).toFixed(1)
/** @param {number} ms */
const time = (ms) => ms.toFixed(ms < 0.1 ? 4 : ms < 10 ? 3 : 1)

/** @type {[string, (row: Row) => string][]} */
const TIME_COLUMNS = [
  ['cpu', ({ times }) => (times ? time(times.cpu) : '')],
  ['median', ({ times }) => (times ? time(times.median) : '')],
  ['p95', ({ times }) => (times ? time(times.p95) : '')],
  ['step only', ({ times }) => (times ? time(times.stepMedian) : '')],
  ['/ Moreau', ({ ratio }) => (ratio === null ? '' : ratio.toFixed(2))],
]

/** @type {[string, (row: Row) => string][]} */
const QUALITY_COLUMNS = [
  ['pairs', ({ verdict }) => String(verdict.touching)],
  ['mean pen.', ({ verdict }) => mm(verdict.meanPenetration)],
  ['max pen.', ({ verdict }) => mm(verdict.maxPenetration)],
  ['escaped', ({ verdict }) => String(verdict.escaped)],
  ['drift', ({ verdict }) => mm(verdict.drift)],
  ['mean joint', ({ verdict }) => mm(verdict.meanJointError)],
  ['max joint', ({ verdict }) => mm(verdict.maxJointError)],
  ['on the way', ({ worstJointError }) => mm(worstJointError)],
  [
    'limit',
    ({ verdict: { maxLimitError } }) =>
      maxLimitError === null ? '' : ((180 / Math.PI) * maxLimitError).toFixed(2),
  ],
  ['wrong rays', ({ rays }) => (rays ? `${rays.wrong} of ${rays.hits} hits` : '')],
  ['events', ({ shown }) => shown?.eventsPerStep?.toFixed(1) ?? ''],
  ['walked', ({ shown }) => shown?.walked?.toFixed(2) ?? ''],
  ['wasm MB', ({ wasmBytes }) => mb(wasmBytes)],
  ['RSS MB', ({ residentBytes }) => mb(residentBytes)],
]

/**
 * @param {Result} result
 * @returns {string}
 */
export function report(result) {
  const { rows, failed, quality } = result
  const keys = [...new Set([...rows, ...failed].map((each) => keyOf(each)))]
  const parts = keys.map((key) => {
    const shown = rows.filter((row) => keyOf(row) === key)
    const misses = failed.filter((each) => keyOf(each) === key)
    const lines = misses.map(({ engine, failure }) => `${engine}: ${failure.split('\n')[0]}`)
    const table = shown.length > 0 ? [sceneTable(shown, quality)] : []
    return [titleOf(key, rows), '', ...table, ...lines].join('\n')
  })
  return [headOf(result), ...parts, quality ? '' : summaryOf(rows)].filter(Boolean).join('\n\n')
}

/** @param {Result} result */
function headOf({ machine, node, rounds, quality, date, world }) {
  const options = Object.keys(world).length > 0 ? `, Moreau with ${JSON.stringify(world)}` : ''
  const what = quality
    ? 'Quality after the time that each scene is watched for'
    : `Median of ${rounds} rounds, ms per step of 1/60 s with all poses read (rays and casts: per 10,000 of them)`
  return (
    `${date.slice(0, 10)}, ${machine}, Node ${node}${options}. ${what}. ` +
    'Penetration, drift and joint errors in mm, limits in degrees, contacts that began or ended per step, m walked.'
  )
}

/**
 * @param {string} key
 * @param {Row[]} rows
 */
function titleOf(key, rows) {
  const bodies = rows.find((row) => keyOf(row) === key)?.bodies
  return bodies === undefined ? key : `${key} (${bodies} bodies)`
}

/**
 * @param {Row[]} rows
 * @param {boolean} quality
 */
function sceneTable(rows, quality) {
  const columns = [...(quality ? [] : TIME_COLUMNS), ...QUALITY_COLUMNS].filter(([, read]) =>
    rows.some((row) => read(row) !== ''),
  )
  return formatTable(
    ['engine', ...columns.map(([title]) => title)],
    rows.map((row) => [`${row.engine} ${row.version}`, ...columns.map(([, read]) => read(row))]),
  )
}

/** @param {Row[]} rows */
function summaryOf(rows) {
  const best = bestPeers(rows)
  if (best.length === 0) return ''
  const head = ['scene', 'sleep', 'Moreau', 'best peer', 'Moreau / best peer']
  const cells = best.map(({ scene, sleep, moreau, peer, peerCpu, ratio }) => [
    scene,
    sleep ? 'on' : 'off',
    time(moreau),
    `${time(peerCpu)} (${peer})`,
    ratio.toFixed(2),
  ])
  return `Moreau and the best of the others, CPU ms per step\n\n${formatTable(head, cells)}`
}
