/**
 * Snapshots that Node takes in the middle of golden cases, for other hosts to go on from.
 */
import { goldenCases } from './cases.mjs'

/**
 * @typedef {object} KeptCase
 * @property {string} name
 * @property {number} timeStep
 * @property {number} steps to make
 * @property {Uint8Array} bytes to begin from
 * @property {string} start hash of the world there
 * @property {string} end and after the steps
 */

const STEPS = 20
/** Of the three solvers of a scene one takes part, of each scene another. */
const EVERY = 4

/**
 * Cases with contacts and joints of all kinds, sleep and sensors; without functions of the user, which other hosts do not have.
 * @param {typeof import('moreau').World} WorldType
 * @returns {Promise<KeptCase[]>}
 */
export async function keptCases(WorldType) {
  const cases = goldenCases().filter(({ name, scene }, i) => {
    return i % EVERY === 0 && !scene.beforeStep && !/^(custom|one-way|grip)/.test(name)
  })
  const kept = []
  for (const golden of cases) kept.push(await keep(WorldType, golden))
  return kept
}

/**
 * @param {typeof import('moreau').World} WorldType
 * @param {import('./cases.mjs').GoldenCase} golden
 * @returns {Promise<KeptCase>}
 */
async function keep(WorldType, { name, scene, options, steps: [, half] }) {
  const { timeStep } = scene
  const world = await WorldType.create(options)
  try {
    scene.setup(world)
    for (let i = 0; i < half; i++) world.step(timeStep)
    const [bytes, start] = [world.snapshot(), world.hash()]
    for (let i = 0; i < STEPS; i++) world.step(timeStep)
    return { name, timeStep, steps: STEPS, bytes, start, end: world.hash() }
  } finally {
    world.free()
  }
}

/**
 * Goes on from a kept case.
 * @param {typeof import('moreau').World} WorldType
 * @param {Pick<KeptCase, 'bytes' | 'timeStep' | 'steps'>} kept
 * @returns {Promise<{ start: string, half: Uint8Array, end: string }>} hashes, and a snapshot after half of the steps
 */
export async function goOn(WorldType, { bytes, timeStep, steps }) {
  const world = await WorldType.create({ gravity: [1, 2, 3] })
  try {
    world.restore(bytes)
    const start = world.hash()
    let half = bytes
    for (let i = 0; i < steps; i++) {
      if (i === Math.floor(steps / 2)) half = world.snapshot()
      world.step(timeStep)
    }
    return { start, half, end: world.hash() }
  } finally {
    world.free()
  }
}
