/**
 * How a sweep names its scene, so that every machine has the same one or says that it has not.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'

/**
 * @typedef {object} SceneReference
 * @property {'registry' | 'json' | 'module'} kind
 * @property {string} name of a scene of `moreau/scenarios`, or path of a file below the folder of scenes
 * @property {string} [sha256] of the file; what a module imports is not looked at
 */

/** @param {string} path */
const hashOfFile = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

/**
 * What a user calls a scene: a file `*.mjs`, `*.js` or `*.json`, or a name of the registry.
 *
 * @param {string} word
 * @returns {{ scene: SceneReference, folder: string }} and the folder of scenes that it is in
 */
export function referToScene(word) {
  const kind = /\.json$/.test(word) ? 'json' : /\.m?js$/.test(word) ? 'module' : 'registry'
  if (kind === 'registry') return { scene: { kind, name: word }, folder: process.cwd() }
  const path = resolve(word)
  try {
    const scene = { kind, name: basename(path), sha256: hashOfFile(path) }
    return { scene: /** @type {SceneReference} */ (scene), folder: dirname(path) }
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw new RangeError(`scene ${word}: ${reason}`, { cause: error })
  }
}

/**
 * The file of a scene on this machine.
 *
 * @param {SceneReference} scene
 * @param {string} folder of scenes
 * @returns {string} its path
 * @throws if it is not below the folder, or not the same file
 */
export function fileOfScene({ name, sha256 }, folder) {
  const path = resolve(folder, name)
  const below = relative(folder, path)
  // The reference may come out of Redis: it names files of the folder alone.
  if (isAbsolute(name) || isAbsolute(below) || below.startsWith('..')) {
    throw new RangeError(`scene ${name}: is not below the folder of scenes`)
  }
  if (!existsSync(path)) throw new RangeError(`scene ${name}: there is no such file in ${folder}`)
  const found = hashOfFile(path)
  if (found !== sha256) {
    throw new Error(`scene ${name}: the file in ${folder} differs from that of the sweep`)
  }
  return path
}
