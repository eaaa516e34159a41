import { readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isArray } from '../core/lists.mjs'
import { hasAsset } from './assets.mjs'
import { fromPlain } from './values.mjs'

/** @import { AssetReader } from './assets.mjs' */

/** Makes definitions of the shapes of a scene. */
export class ShapeReader {
  #assets
  /** Definitions by their text: equal ones are one shape. @type {Map<string, object>} */
  #known = new Map()

  /** @param {AssetReader} assets */
  constructor(assets) {
    this.#assets = assets
  }

  /**
   * @param {unknown} value
   * @param {string} path
   */
  readAll(value, path) {
    if (!isArray(value)) throw invalid(path, 'an array', value)
    const list = /** @type {unknown[]} */ (value)
    return Array.from(list, (shape, i) => this.read(shape, `${path}[${i}]`))
  }

  /**
   * The definition of a shape, the same object for equal ones: then it is built once.
   * @param {unknown} value
   * @param {string} path
   * @returns {object}
   */
  read(value, path) {
    const shape = readObject(value, path)
    const text = JSON.stringify(shape)
    const known = this.#known.get(text)
    if (known) return known
    const definition = this.#define(shape, path)
    this.#known.set(text, definition)
    return definition
  }

  /**
   * @param {Record<string, unknown>} shape
   * @param {string} path
   */
  #define(shape, path) {
    const { asset, shapes, ...others } = shape
    const definition = /** @type {Record<string, unknown>} */ (fromPlain(others, path))
    if (shapes !== undefined) definition.shapes = this.readAll(shapes, `${path}.shapes`)
    if (asset === undefined) return definition
    const { type } = definition
    if (!hasAsset(type)) throw invalid(`${path}.asset`, 'left out for this type of shape', asset)
    return { ...definition, ...this.#assets.get(asset, type, `${path}.asset`) }
  }
}
