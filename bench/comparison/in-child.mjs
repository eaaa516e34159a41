/**
 * Runs a measurement in a process of its own, whatever becomes of it.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Unsupported } from '../engines/engine.mjs'

/** @typedef {{ unsupported: string } | { error: string }} FailedOutcome */

/** How the failure of what an engine cannot do begins. */
export const NOT_SUPPORTED = 'not supported'

/** @param {FailedOutcome} outcome */
export const failureOf = (outcome) =>
  'unsupported' in outcome ? `${NOT_SUPPORTED}: ${outcome.unsupported}` : outcome.error

/** Characters of what a process printed before it died that are kept. */
const LAST_WORDS = 300

/**
 * @param {URL} file that takes the job as JSON in its first argument and sends the outcome as a message
 * @param {object} job
 * @param {number} timeout s
 * @returns {Promise<object>} the message, or a `FailedOutcome`
 */
export function runInChild(file, job, timeout) {
  return new Promise((resolve) => {
    // Engines print what they like; it must not get between our lines.
    const child = fork(fileURLToPath(file), [JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-LAST_WORDS)))
    }
    /** @type {object | undefined} */
    let outcome
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, 1000 * timeout)
    child.on('message', (message) => (outcome = /** @type {object} */ (message)))
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

/**
 * The other end: does the work of a child and sends what came of it.
 *
 * @template T
 * @param {(job: any) => Promise<T>} work
 */
export async function serveParent(work) {
  await send(await outcomeOf(work))
  // Some engines keep threads or timers that would hold the process.
  process.exit()
}

/**
 * @template T
 * @param {(job: any) => Promise<T>} work
 * @returns {Promise<{ measurement: T } | FailedOutcome>}
 */
async function outcomeOf(work) {
  try {
    return { measurement: await work(JSON.parse(process.argv[2])) }
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message }
    return { error: error instanceof Error ? (error.stack ?? '') : String(error) }
  }
}

/**
 * @param {object} outcome
 * @returns {Promise<void>} when it is on its way
 */
function send(outcome) {
  return new Promise((resolve) => process.send?.(outcome, () => resolve()))
}
