// npm run soak: a room in which bodies are created, thrown and destroyed for 24,000 s of simulated time (tests/native/churn.c),
// natively and twice at once. Nothing may overflow or leave the room, memory stays flat, both end in the same state.
//
//   npm run soak -- --seconds 600 --seed 2 --bodies 60 --joints 10

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildPreset } from './build.mjs'
import { readCommandLine } from './command-line.mjs'
import { buildTools, setup } from './setup.mjs'
import { Failure, isMain, root, runMain, stage } from './tools.mjs'

const STEPS_PER_SECOND = 60

/**
 * Part by which the most memory may grow in a tenth of the time, in the second half. What leaks grows in each of these tenths.
 * Rare crowds come late too, and capacities then double at once. So the tenths are judged by their median.
 */
const MOST_GROWTH = 0.01

/**
 * @typedef {object} Soak
 * @property {number} [seconds] of simulated time, 24,000 by default
 * @property {number} [seed]
 * @property {number} [bodies] at most at once
 * @property {number} [joints] at most at once
 */

/**
 * What a run came to.
 * @typedef {object} Outcome
 * @property {string} hash of the state at the end
 * @property {number[]} bytes the most memory up to each tenth of the time
 */

/**
 * Runs the soak in build/native-release. Throws a Failure where something is wrong.
 * @param {Soak} [options]
 * @returns {Promise<Outcome>}
 */
export async function soak({ seconds = 24000, seed = 1, bodies = 30, joints = 0 } = {}) {
  const options = [seed, Math.round(seconds * STEPS_PER_SECOND), bodies, joints].map(String)
  const [first, second] = await Promise.all([churn(options), churn(options)])
  compare(first, second)
  return first
}

/**
 * Throws a Failure unless both runs ended alike and memory stayed flat.
 * @param {Outcome} first
 * @param {Outcome} second
 */
export function compare(first, second) {
  if (first.hash !== second.hash) {
    throw new Failure(`soak: the same run ended as ${first.hash} and as ${second.hash}`)
  }
  const late = first.bytes.slice(Math.floor(first.bytes.length / 2))
  const growth = late.slice(1).map((most, i) => most / late[i] - 1)
  growth.sort((a, b) => a - b)
  if (!(growth[Math.floor((growth.length - 1) / 2)] <= MOST_GROWTH)) {
    throw new Failure(`soak: memory went on growing in the second half: ${late.join(', ')} bytes`)
  }
}

/**
 * @param {string[]} options
 * @returns {Promise<Outcome>}
 */
async function churn(options) {
  const program = join(root, 'build/native-release/churn')
  try {
    const { stdout, stderr } = await promisify(execFile)(program, options)
    const bytes = [...stderr.matchAll(/most (\d+)$/gm)].map(([, most]) => Number(most))
    return { hash: stdout.trim(), bytes }
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error)
    throw new Failure(`soak: churn ${options.join(' ')}: ${stderr?.trim() || message}`)
  }
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const text = /** @type {const} */ ({ type: 'string' })
    const names = { seconds: text, seed: text, bodies: text, joints: text }
    const given = Object.entries(readCommandLine(import.meta.url, { options: names }).values)
    const options = Object.fromEntries(given.map(([name, value]) => [name, Number(value)]))
    for (const [name, value] of Object.entries(options)) {
      if (!(value >= 0)) throw new Failure(`--${name} must be a number, 0 or more`)
    }
    await setup(buildTools)
    await stage('native build', () => buildPreset('native-release'))
    const { hash, bytes } = await stage('soak', () => soak(options))
    console.log(`${hash}, most memory by tenths of the time: ${bytes.join(', ')} bytes`)
  })
}
