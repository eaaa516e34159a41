/**
 * Measures the rows of the table of physics, each in each engine in a process of its own.
 */
import { failureOf, runInChild } from '../comparison/in-child.mjs'
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
