import { readFunction, readObject, readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isTypedArray } from '../core/lists.mjs'
import { hashOf } from './content-hash.mjs'

// The data of hulls, meshes and height fields: lists of numbers that are long, and that many shapes may
// share. A scene has a table of them, and a shape has the name of its entry, which is made of the
// content: equal data have one entry, in all scenes the same.

/** @typedef {Float64Array | Uint32Array} Numbers */
/** @typedef {'hull' | 'mesh' | 'heightfield'} AssetType */
/** @typedef {{ type: AssetType } & Record<string, string>} Asset base64 of its lists */
/** @typedef {(id: string) => unknown} AssetResolver gives an asset, with base64 or typed arrays */

/** The lists of each type. @type {Readonly<Record<AssetType, Readonly<Record<string, 'Float64Array' | 'Uint32Array'>>>>} */
const LISTS = Object.freeze({
  hull: { points: 'Float64Array' },
  mesh: { vertices: 'Float64Array', indices: 'Uint32Array' },
  heightfield: { heights: 'Float64Array' },
})
const TYPES = /** @type {readonly AssetType[]} */ (Object.freeze(Object.keys(LISTS)))

/**
 * Whether shapes of a type have an asset.
 * @param {unknown} type
 * @returns {type is AssetType}
 */
export function hasAsset(type) {
  return TYPES.includes(/** @type {AssetType} */ (type))
}

/** Collects the assets of a scene. */
export class AssetWriter {
  /** @type {Map<string, { type: AssetType, lists: Record<string, Numbers> }>} */
  #assets = new Map()
  /** Of lists that were hashed before. @type {WeakMap<object, string>} */
  #known = new WeakMap()

  /**
   * @param {AssetType} type
   * @param {Record<string, Numbers | undefined>} from what has its lists
   * @returns {string} its name
   */
  add(type, from) {
    const lists = /** @type {Record<string, Numbers>} */ ({})
    for (const name in LISTS[type]) lists[name] = /** @type {Numbers} */ (from[name])
    const [first] = Object.values(lists)
    const id = this.#known.get(first) ?? this.#place(type, lists)
    this.#known.set(first, id)
    return id
  }

  /** The table, in the order in which shapes name them. @returns {Record<string, Asset>} */
  table() {
    return Object.fromEntries(
      Array.from(this.#assets, ([id, { type, lists }]) => [id, { type, ...encodeAll(lists) }]),
    )
  }

  /**
   * Another content with the same hash gets another name.
   * @param {AssetType} type
   * @param {Record<string, Numbers>} lists
   */
  #place(type, lists) {
    const hash = `${type}-${hashOf(Object.values(lists).map(bytesOf))}`
    let id = hash
    for (let i = 2; ; i++) {
      const other = this.#assets.get(id)
      if (other === undefined) break
      if (sameLists(other.lists, lists)) return id
      id = `${hash}-${i}`
    }
    this.#assets.set(id, { type, lists })
    return id
  }
}

/** Looks up the assets of a scene, each of which is decoded once. */
export class AssetReader {
  #table
  #resolve
  /** @type {Map<string, { type: AssetType, lists: Record<string, Numbers> }>} */
  #read = new Map()

  /**
   * @param {unknown} table of the scene
   * @param {unknown} resolve an AssetResolver for what is not in it
   */
  constructor(table, resolve) {
    this.#table = table === undefined ? {} : readObject(table, 'assets')
    this.#resolve =
      resolve === undefined
        ? undefined
        : readFunction(/** @type {AssetResolver} */ (resolve), 'World.fromJSON: options.assets')
  }

  /**
   * The lists of an asset.
   * @param {unknown} id
   * @param {AssetType} type of the shape that names it
   * @param {string} path of the name
   * @returns {Record<string, Numbers>}
   */
  get(id, type, path) {
    if (typeof id !== 'string') throw invalid(path, 'a string', id)
    const found = this.#read.get(id) ?? this.#decode(id, path)
    this.#read.set(id, found)
    if (found.type === type) return found.lists
    throw invalid(path, `the name of a ${type}`, `${id}, a ${found.type}`)
  }

  /**
   * @param {string} id
   * @param {string} path
   */
  #decode(id, path) {
    const isHere = Object.hasOwn(this.#table, id)
    const value = isHere ? this.#table[id] : this.#resolve?.(id)
    if (value === undefined || value === null) {
      const where = this.#resolve ? 'or known to options.assets' : 'or options.assets be given'
      throw invalid(path, `the name of an entry of assets, ${where}`, id)
    }
    const place = isHere ? `assets['${id}']` : `options.assets('${id}')`
    const asset = readObject(value, place)
    const type = readWord(asset.type, `${place}.type`, TYPES)
    const lists = Object.fromEntries(
      Object.entries(LISTS[type]).map(([name, kind]) => [
        name,
        decode(asset[name], kind, `${place}.${name}`),
      ]),
    )
    return { type, lists }
  }
}

// --- bytes ----------------------------------------------------------------------------------------

/** @param {Numbers} list */
function bytesOf(list) {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength)
}

/**
 * @param {Record<string, Numbers>} a
 * @param {Record<string, Numbers>} b of the same type
 */
function sameLists(a, b) {
  return Object.keys(a).every((name) => {
    const [one, other] = [bytesOf(a[name]), bytesOf(b[name])]
    return one.length === other.length && one.every((byte, i) => byte === other[i])
  })
}

/** @param {Record<string, Numbers>} lists */
function encodeAll(lists) {
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, encode(bytesOf(list))]),
  )
}

/** Bytes that become arguments of one call. */
const CHUNK = 0x8000

/** @param {Uint8Array} bytes @returns {string} base64 */
export function encode(bytes) {
  let text = ''
  for (let i = 0; i < bytes.length; i += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(i, i + CHUNK))
  }
  return btoa(text)
}

const ARRAYS = Object.freeze({ Float64Array, Uint32Array })

/**
 * @param {unknown} value base64 of little-endian numbers, or the typed array itself
 * @param {'Float64Array' | 'Uint32Array'} kind
 * @param {string} path
 * @returns {Numbers}
 */
function decode(value, kind, path) {
  if (isTypedArray(value, [kind])) return /** @type {Numbers} */ (value)
  const Type = ARRAYS[kind]
  const bytes = typeof value === 'string' ? bytesOfBase64(value) : undefined
  if (bytes !== undefined && bytes.length % Type.BYTES_PER_ELEMENT === 0) {
    return new Type(bytes.buffer)
  }
  throw invalid(path, `base64 of a ${kind}`, value)
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer> | undefined} undefined: it is no base64 */
export function bytesOfBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
