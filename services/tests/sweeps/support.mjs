/**
 * Sweeps of tests.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  folderStore,
  hashTable,
  makeSpec,
  openTable,
  readAxis,
  referToScene,
  runLocally,
} from '../../source/sweeps/index.mjs'
import { PACE } from './scenes/paced-die.mjs'

/** @typedef {import('../../source/sweeps/spec.mjs').SweepSpec} SweepSpec */
/** @typedef {import('../../source/sweeps/store.mjs').SweepStore} SweepStore */

/** Folder of the scenes of tests. */
export const scenes = fileURLToPath(new URL('./scenes', import.meta.url))

/** s: no chunk of a test takes so long, however busy the machine. */
export const DEADLINE = 120

/**
 * @param {string} scene file, from the folder of scenes, or name of the registry
 * @param {string[]} axes as on the command line: 'grid gap=1:2:3'
 * @param {{ runs: number, seed?: number, chunk?: number }} options
 */
export function specOf(scene, axes, options) {
  const { scene: reference } = referToScene(/\./.test(scene) ? resolve(scenes, scene) : scene)
  const read = axes.map((words) => {
    const [kind, text] = words.split(' ')
    return readAxis(/** @type {any} */ (kind), text)
  })
  return makeSpec({ scene: reference, axes: read, ...options })
}

/**
 * Calls a test with a temporary folder.
 *
 * @param {(folder: string) => Promise<void>} work
 */
export async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'moreau-sweeps-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * From now on a run of paced-die.mjs waits so long in a process of this folder; 0 is as fast as the machine.
 *
 * @param {string} folder
 * @param {number} milliseconds
 */
export const setPace = (folder, milliseconds) => writeFile(join(folder, PACE), String(milliseconds))

/** Makes a sweep in one thread, undisturbed. @param {SweepSpec} spec @param {string} folder @returns {Promise<SweepStore>} */
export async function undisturbed(spec, folder) {
  const store = folderStore(join(folder, 'undisturbed'), spec.id)
  await store.create(spec, scenes)
  await runLocally({ store, spec, scenes, workers: 1, deadline: DEADLINE })
  return store
}

/** @param {SweepStore} store @param {SweepSpec} spec @returns {Promise<string>} */
export const hashOf = async (store, spec) => hashTable(await openTable(store, spec))
