/**
 * What a sweep is: all that its rows depend on.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SEEDS } from './random-runs.mjs'
import { checkSpace } from './space.mjs'

/**
 * @typedef {object} SweepSpec
 * @property {string} id of what follows: the same sweep has the same id, on every machine
 * @property {string} moreau version of the engine
 * @property {import('./scene-reference.mjs').SceneReference} scene
 * @property {import('./space.mjs').Space} space
 * @property {number} chunk runs of a job
 */

/** Runs of a job unless somebody says otherwise: enough that Redis' part is small, few enough that little is made twice after a failure. */
const USUAL_CHUNK = 250
/** So many jobs has at least a sweep of few runs, so that workers end together. */
const FEWEST_CHUNKS = 32
/** Runs of a job: those of a batch of worlds. */
const MOST_PER_CHUNK = 2 ** 20

/** @returns {string} version of the engine that is installed here */
export function engineVersion() {
  const path = fileURLToPath(import.meta.resolve('moreau/package.json'))
  return JSON.parse(readFileSync(path, 'utf8')).version
}

/**
 * @param {object} sweep
 * @param {import('./scene-reference.mjs').SceneReference} sweep.scene
 * @param {import('./space.mjs').Axis[]} sweep.axes
 * @param {number} sweep.runs
 * @param {number} [sweep.seed] 0 to 2^20 - 1, default 1
 * @param {number} [sweep.chunk] runs of a job
 * @returns {SweepSpec}
 */
export function makeSpec({ scene, axes, runs, seed = 1, chunk }) {
  const space = { axes, runs, seed }
  checkSpace(space)
  checkWhole('seed', seed, 0, SEEDS - 1)
  const size = chunk ?? Math.max(1, Math.min(USUAL_CHUNK, Math.ceil(runs / FEWEST_CHUNKS)))
  checkWhole('chunk', size, 1, MOST_PER_CHUNK)
  const content = { moreau: engineVersion(), scene, space, chunk: size }
  return { id: idOf(content), ...content }
}

/** @param {Omit<SweepSpec, 'id'>} content @returns {string} name of the scene, and a hash of all that the rows depend on */
export function idOf(content) {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const name = basename(content.scene.name)
    .replace(/\.\w+$/, '')
    .replace(/[^\w-]/g, '_')
  return `${name}-${digest.slice(0, 10)}`
}

/**
 * A sweep's id is its checksum: what was kept of it must come to the same again.
 *
 * @param {string} id under which it was kept
 * @param {SweepSpec} spec as it was kept
 * @throws {Error}
 */
export function checkSpec(id, { id: own, ...content }) {
  const found = idOf(content)
  if (found !== id || own !== id) throw new Error(`what is in it is the sweep ${found}`)
}

/** @param {string} name @param {number} value @param {number} least @param {number} most */
function checkWhole(name, value, least, most) {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, is ${value}`)
}

/**
 * Rows of one sweep are of one engine: another version may come to other bits, and nobody would see it.
 *
 * @param {SweepSpec} spec
 * @throws {RangeError}
 */
export function checkEngine({ id, moreau }) {
  const own = engineVersion()
  if (own === moreau) return
  throw new RangeError(
    `sweep ${id} is of moreau ${moreau}, and here is moreau ${own}: install that, or sweep anew`,
  )
}

/** @param {SweepSpec} spec @returns {number} */
export const chunkCount = ({ space: { runs }, chunk }) => Math.ceil(runs / chunk)

/** @param {SweepSpec} spec @param {number} index @returns {{ first: number, count: number }} */
export function chunkAt({ space: { runs }, chunk }, index) {
  const first = index * chunk
  return { first, count: Math.min(chunk, runs - first) }
}

/** @param {SweepSpec} spec @param {Set<number>} done @returns {number[]} chunks that are not done */
export const missingChunks = (spec, done) =>
  Array.from({ length: chunkCount(spec) }, (_, index) => index).filter((index) => !done.has(index))
