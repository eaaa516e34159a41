/**
 * Scenes of files: what is wrong with one is told with its name and its line.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileScene } from '../scenarios/index.mjs'
import { UsageError } from './arguments.mjs'
import { lineOfMistake, lineOfPath } from './json-lines.mjs'

/** What `moreau/import` reads, which is no scene yet. */
const IMPORTED = ['.urdf', '.xml', '.mjcf', '.gltf', '.glb']
/** What was asked of the system, in place of its codes. @type {Record<string, string>} */
const REFUSALS = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, and not a file',
  EACCES: 'this file may not be read',
}

/**
 * @param {string} name
 * @returns {boolean} whether it is meant as a file: no scene has such a name
 */
export const isFileName = (name) => extname(name) !== '' || /[/\\]/.test(name) || existsSync(name)

/** A file with a scene. */
export class SceneFile {
  #path
  #text
  scene

  /** @param {string} path */
  constructor(path) {
    this.#path = path
    refuseOthers(path)
    this.#text = read(path)
    this.scene = fileScene(basename(path, extname(path)), this.#parse())
  }

  #parse() {
    try {
      return JSON.parse(this.#text)
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      const what = message.replace(/( in JSON)? at position.*$/s, '')
      const place = placed(this.#path, lineOfMistake(this.#text, message))
      const hint = 'JSON has double quotes, no comments, and no comma behind the last item'
      throw new UsageError(`${place}: this is no JSON: ${what}. ${hint}`)
    }
  }

  /**
   * What an error of the engine is about: a value of the file, with its line, or the file as a whole.
   *
   * @param {string} message "bodies[0].shape must be ..."
   * @returns {string}
   */
  explain(message) {
    const text = message.replace(/^World\.fromJSON: /, '')
    const [path = ''] = /^[a-z]\w*(?:\[\d+\]|\.\w+)*(?= must | has |: )/.exec(text) ?? []
    const [, option] = /unknown option '(\w+)'/.exec(text) ?? []
    const place = [path, option].filter(Boolean).join('.')
    return `${placed(this.#path, place ? lineOfPath(this.#text, place) : undefined)}: ${text}`
  }
}

/**
 * @param {string} path
 * @param {number} [line]
 */
const placed = (path, line) => (line === undefined ? path : `${path}, line ${line}`)

/** @param {string} path */
function refuseOthers(path) {
  const ending = extname(path).toLowerCase()
  if (ending === '.json') return
  const hint = IMPORTED.includes(ending)
    ? "a program reads this by 'moreau/import'; run takes what world.toJSON() of it wrote"
    : "run takes the name of a scene ('moreau list' shows them) or a file that ends in .json"
  throw new UsageError(`${path}: ${hint}`)
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new UsageError(`${path}: ${REFUSALS[code] ?? message}`)
  }
}
