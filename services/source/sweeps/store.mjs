/**
 * Where the rows of a sweep are kept: a folder or Redis.
 */
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
 * @property {(index: number, rows: Uint8Array) => Promise<boolean>} put a chunk, once: false if its rows were there already
 * @property {(index: number) => Promise<Uint8Array>} get
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

/** @param {Uint8Array} kept @param {Uint8Array} rows */
export const sameRows = (kept, rows) => Buffer.compare(kept, rows) === 0

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
  /** @param {string} file @param {string} content */
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
      return text === undefined ? undefined : JSON.parse(text)
    },
    state,
    setState: (to) => replace(stateFile, to),
    done: () => chunksIn(place),
    doneCount: async () => (await chunksIn(place)).size,
    async put(index, rows) {
      const path = await temporary(chunkFile(index), rows)
      try {
        // A link appears whole or not at all, and never over another.
        await link(path, chunkFile(index))
        return true
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
        const kept = await readFile(chunkFile(index))
        if (!sameRows(kept, rows)) {
          await replace(stateFile, 'conflicting')
          throw new NotDeterministic(index)
        }
        return false
      } finally {
        await unlink(path)
      }
    },
    get: (index) => readFile(chunkFile(index)),
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
