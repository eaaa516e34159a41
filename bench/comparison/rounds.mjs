/**
 * Measures every engine on every scene, each in a process of its own, the rounds interleaved over the engines: a machine that gets
 * slower for a while does not hit one engine only.
 */
import { failureOf, runInChild } from './in-child.mjs'

/** @typedef {import('./child.mjs').Job} Job */
/** @typedef {import('./child.mjs').Measurement} Measurement */
/** @typedef {import('./child.mjs').Outcome} Outcome */

/**
 * @typedef {object} Plan
 * @property {string[]} scenes
 * @property {string[]} engines
 * @property {boolean[]} sleep
 * @property {number} rounds
 * @property {boolean} quality
 * @property {Record<string, unknown>} world
 * @property {number} timeout s that one process may take
 */

/**
 * What all rounds gave for an engine on a scene.
 *
 * @typedef {object} Series
 * @property {string} scene
 * @property {string} engine
 * @property {boolean} sleep
 * @property {Measurement[]} measurements one per round
 * @property {string | null} failure why there are none
 */

const CHILD = new URL('child.mjs', import.meta.url)

/**
 * @param {Plan} plan
 * @param {(title: string, done: number, total: number) => void} onProgress
 * @returns {Promise<Series[]>}
 */
export async function runRounds(plan, onProgress) {
  const { scenes, engines, sleep, rounds, quality, world } = plan
  /** @type {Series[]} */
  const records = scenes.flatMap((scene) =>
    sleep.flatMap((each) =>
      engines.map((engine) => ({ scene, engine, sleep: each, measurements: [], failure: null })),
    ),
  )
  let done = 0
  for (const scene of scenes) {
    for (let round = 0; round < rounds; round++) {
      for (const record of records.filter((each) => each.scene === scene)) {
        const { engine } = record
        onProgress(`${scene}, ${engine}`, done++, rounds * records.length)
        // What failed once is not asked again.
        if (record.failure) continue
        const job = { engine, scene, sleep: record.sleep, quality, world }
        const outcome = /** @type {Outcome} */ (await runInChild(CHILD, job, plan.timeout))
        if ('measurement' in outcome) record.measurements.push(outcome.measurement)
        else record.failure = failureOf(outcome)
      }
    }
  }
  onProgress('done', done, done)
  return records
}
