/**
 * Measures every engine on every scene, each in a process of its own, the rounds interleaved over the engines: a machine that gets
 * slower for a while does not hit one engine only.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

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

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url))

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
        const outcome = await measureInChild(job, plan.timeout)
        if ('measurement' in outcome) record.measurements.push(outcome.measurement)
        else record.failure = failureOf(outcome)
      }
    }
  }
  onProgress('done', done, done)
  return records
}

/** @param {Exclude<Outcome, { measurement: Measurement }>} outcome */
const failureOf = (outcome) =>
  'unsupported' in outcome ? `not supported: ${outcome.unsupported}` : outcome.error

/** Characters of what a process printed before it died that are kept. */
const LAST_WORDS = 300

/**
 * @param {Job} job
 * @param {number} timeout s
 * @returns {Promise<Outcome>}
 */
function measureInChild(job, timeout) {
  return new Promise((resolve) => {
    // Engines print what they like; it must not get between our lines.
    const child = fork(CHILD, [JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-LAST_WORDS)))
    }
    /** @type {Outcome | undefined} */
    let outcome
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, 1000 * timeout)
    child.on('message', (message) => (outcome = /** @type {Outcome} */ (message)))
    child.on('error', (error) => (outcome ??= { error: error.message }))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const end = late
        ? `timed out after ${timeout} s`
        : `crashed (${signal ?? `exit code ${code}`})`
      resolve(outcome ?? { error: [end, printed.trim()].filter(Boolean).join(': ') })
    })
  })
}
