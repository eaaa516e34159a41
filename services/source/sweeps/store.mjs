/**
 * Where the rows of a sweep are kept: a folder or Redis.
 */
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sealRows, unsealRows } from './sealed-chunk.mjs'
import { checkSpec } from './spec.mjs'

/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {'running' | 'cancelled' | 'conflicting'} SweepState `conflicting`: the same runs came to other rows */

/**
 * @typedef {object} SweepStore
 * @property {string} id of the sweep
 * @property {(spec: SweepSpec, scenes: string) => Promise<void>} create does nothing for a sweep that is there already, but one that was
 *   cancelled runs again
 * @property {() => Promise<{ spec: SweepSpec, scenes: string } | undefined>} read `scenes`: folder of its scene where it was created
 * @property {() => Promise<SweepState>} state
 * @property {(state: SweepState) => Promise<void>} setState
 * @property {() => Promise<Set<number>>} done chunks
 * @property {() => Promise<number>} doneCount
 * @property {(index: number, rows: Uint8Array) => Promise<boolean>} put a chunk, once: false if its rows were there already; what is there and
 *   damaged is replaced
 * @property {(index: number) => Promise<Uint8Array>} get what is kept of a chunk, with its checksum: \`readChunk\` reads it
 * @property {(index: number) => string} removalOf a chunk: what a user does to take it away
 */

/** The same runs came to other rows than before. */
export class NotDeterministic extends Error {
  /** @param {number} index */
  constructor(index) {
    super(
      `chunk ${index}: its runs came to other rows than the first time; the scene is not deterministic`,
    )
  }
}

/**
 * @param {string} id of the sweep
 * @param {number} index
 * @param {Uint8Array} kept
 * @param {Uint8Array} rows that were made now
 * @returns {'same' | 'other' | 'damaged'} what is kept, beside them
 */
export function compareRows(id, index, kept, rows) {
  try {
    return Buffer.compare(unsealRows(id, index, kept).rows, rows) === 0 ? 'same' : 'other'
  } catch {
    return 'damaged'
  }
}

/**
 * The sweeps of a folder: each has a folder of its own, and each chunk a file.
 *
 * @param {string} folder
 * @param {string} id of the sweep
 * @returns {SweepStore}
 */
export function folderStore(folder, id) {
  const place = join(folder, id)
  const [specFile, stateFile] = [join(place, 'sweep.json'), join(place, 'state')]
  const chunkFile = (/** @type {number} */ index) => join(place, `${index}.chunk`)
  /** @param {string} file @param {string | Uint8Array} content */
  const temporary = async (file, content) => {
    const path = `${file}.${randomUUID()}.new`
    await writeFile(path, content, { flush: true })
    return path
  }
  /** @param {string} file @param {string | Uint8Array} content */
  const replace = async (file, content) => rename(await temporary(file, content), file)

  const state = async () => /** @type {SweepState} */ ((await contentOf(stateFile)) ?? 'running')

  return {
    id,
    async create(spec, scenes) {
      await mkdir(place, { recursive: true })
      await replace(specFile, JSON.stringify({ spec, scenes }))
      if ((await state()) === 'cancelled') await replace(stateFile, 'running')
    },
    read: async () => {
      const text = await contentOf(specFile)
      return text === undefined ? undefined : readSweep(id, text, specFile)
    },
    state,
    setState: (to) => replace(stateFile, to),
    done: () => chunksIn(place),
    doneCount: async () => (await chunksIn(place)).size,
    async put(index, rows) {
      const sealed = sealRows(id, index, rows)
      const path = await temporary(chunkFile(index), sealed)
      try {
        // A link appears whole or not at all, and never over another.
        await link(path, chunkFile(index))
        return true
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
        const found = compareRows(id, index, await readFile(chunkFile(index)), rows)
        if (found === 'same') return false
        if (found === 'damaged') {
          await replace(chunkFile(index), sealed)
          return true
        }
        await replace(stateFile, 'conflicting')
        throw new NotDeterministic(index)
      } finally {
        await unlink(path)
      }
    },
    get: (index) => readFile(chunkFile(index)),
    removalOf: (index) => `delete the file ${chunkFile(index)}`,
  }
}

/** @param {string} id @param {string} text @param {string} file @returns {{ spec: SweepSpec, scenes: string }} */
function readSweep(id, text, file) {
  try {
    const { spec, scenes } = JSON.parse(text)
    checkSpec(id, spec)
    return { spec, scenes }
  } catch (error) {
    throw new Error(`sweep ${id}: ${file} is damaged: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    })
  }
}

/** @param {string} file @returns {Promise<string | undefined>} */
async function contentOf(file) {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined
    throw error
  }
}

/** @param {string} place @returns {Promise<Set<number>>} */
async function chunksIn(place) {
  const names = await readdir(place)
  return new Set(
    names.flatMap((name) => (/^\d+\.chunk$/.test(name) ? [Number.parseInt(name)] : [])),
  )
}

/** @param {string} folder @returns {Promise<string[]>} ids of its sweeps */
export async function sweepsIn(folder) {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}
