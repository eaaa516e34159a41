/**
 * Measures the rows of the table of physics, each in each engine in a process of its own, and writes the table.
 */
import { failureOf, runInChild } from '../comparison/in-child.mjs'
import { formatTable } from '../table.mjs'
import { rowOf } from './index.mjs'

/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./child.mjs').Measurement} Measurement */
/** @typedef {{ measurement: Measurement } | import('../comparison/in-child.mjs').FailedOutcome} Outcome */

/**
 * @typedef {object} Plan
 * @property {string[]} rows names
 * @property {string[]} engines
 * @property {boolean} quick
 * @property {Record<string, unknown>} world
 * @property {number} timeout s that one process may take
 */

/**
 * What came of a row.
 *
 * @typedef {object} Finding
 * @property {string} row
 * @property {string} engine
 * @property {number | null} value null where there is none, or where it is not a finite number
 * @property {string | null} note
 * @property {string | null} version of the engine
 * @property {string | null} failure why there is no value
 * @property {boolean | null} isMet whether the goal is met; Moreau's only
 */

const CHILD = new URL('child.mjs', import.meta.url)

/** The engines that the rows are measured in if nobody asks for others. */
export const PHYSICS_ENGINES = ['moreau', 'rapier', 'jolt', 'havok', 'physx']

/**
 * @param {Plan} plan
 * @param {(title: string, done: number, total: number) => void} onProgress
 * @returns {Promise<Finding[]>} by rows, in the order of the plan
 */
export async function measurePhysics({ rows, engines, quick, world, timeout }, onProgress) {
  /** @type {Finding[]} */
  const findings = []
  const total = rows.length * engines.length
  for (const row of rows) {
    for (const engine of engines) {
      onProgress(`${row}, ${engine}`, findings.length, total)
      const outcome = await runInChild(CHILD, { engine, row, quick, world }, timeout)
      findings.push(findingOf(rowOf(row), engine, /** @type {Outcome} */ (outcome)))
    }
  }
  onProgress('done', total, total)
  return findings
}

/**
 * @param {Row} row
 * @param {string} engine
 * @param {Outcome} outcome
 * @returns {Finding}
 */
function findingOf({ name: row, goal }, engine, outcome) {
  if (!('measurement' in outcome)) {
    const failure = failureOf(outcome)
    return { row, engine, value: null, note: null, version: null, failure, isMet: null }
  }
  const { value, note = null, version } = outcome.measurement
  const isMet = engine === 'moreau' && goal ? goal.isMet(value ?? NaN) : null
  return { row, engine, value, note, version, failure: null, isMet }
}

/** What a value is multiplied by for its unit. @type {Record<string, number>} */
const FACTORS = { mm: 1000, '%': 100 }

/**
 * @param {Row} row
 * @param {Finding | undefined} finding
 * @returns {string} '-' for what an engine cannot do, '!' for what went wrong
 */
function cellOf({ unit }, finding) {
  if (!finding) return ''
  if (finding.failure) return finding.failure.startsWith('not supported') ? '-' : '!'
  // JSON has no word for what is not finite.
  if (finding.value === null) return 'lost'
  return digits(finding.value * (FACTORS[unit] ?? 1))
}

/**
 * @param {number} value
 * @returns {string} three digits
 */
function digits(value) {
  const size = Math.abs(value)
  if (value === 0) return '0'
  if (size < 1e-3 || size >= 1e6) return value.toExponential(1)
  return String(Number(value.toPrecision(3)))
}

/**
 * @param {Finding[]} findings
 * @param {string[]} engines
 * @returns {string} the table, and below it what else is to be said of its figures
 */
export function reportPhysics(findings, engines) {
  const names = [...new Set(findings.map(({ row }) => row))]
  const find = (/** @type {string} */ row, /** @type {string} */ engine) =>
    findings.find((finding) => finding.row === row && finding.engine === engine)
  const cells = names.map((name) => {
    const row = rowOf(name)
    const title = `${row.title}${row.unit ? `, ${row.unit}` : ''}`
    const isMet = find(name, 'moreau')?.isMet
    const mark = isMet === undefined || isMet === null ? '' : isMet ? 'ok' : 'FAIL'
    return [
      title,
      row.goal?.text ?? '',
      mark,
      ...engines.map((each) => cellOf(row, find(name, each))),
    ]
  })
  const titles = engines.map((engine) => {
    const version = findings.find((each) => each.engine === engine && each.version)?.version
    return version ? `${engine} ${version}` : engine
  })
  const judged = findings.filter(({ isMet }) => isMet !== null)
  const met = judged.filter(({ isMet }) => isMet).length
  return [
    formatTable(['', 'goal', '', ...titles], cells),
    ...(judged.length > 0 ? [`Moreau meets ${met} of ${judged.length} goals.`] : []),
    names.flatMap((name) => notesOf(name, engines, find)).join('\n'),
  ].join('\n\n')
}

/**
 * @param {string} name
 * @param {string[]} engines
 * @param {(row: string, engine: string) => Finding | undefined} find
 * @returns {string[]} a line, if there is something to say
 */
function notesOf(name, engines, find) {
  const notes = engines.flatMap((engine) => {
    const finding = find(name, engine)
    const text = finding?.failure?.split('\n')[0] ?? finding?.note
    return text ? [`${engine}: ${text}`] : []
  })
  return notes.length > 0 ? [`${name}: ${notes.join('; ')}`] : []
}
