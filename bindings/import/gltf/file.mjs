// A glTF file: its JSON and the bytes of its buffers.

import { MoreauError } from '../../core/errors.mjs'
import { isObject } from '../../core/arguments.mjs'
import { describe, invalid } from '../../core/describe.mjs'
import { isArrayBuffer } from '../../core/lists.mjs'
import { load } from '../meshes.mjs'

/** @import { Loading } from '../meshes.mjs' */
/** @import { Gltf, GltfAccessor } from './types.mjs' */

/** 'glTF', 'JSON' and 'BIN' as little-endian numbers: the head of a GLB and of its chunks. */
const GLB_MAGIC = 0x46546c67
const GLB_HEAD = 12
const CHUNK_HEAD = 8
const CHUNK_JSON = 0x4e4f534a
const CHUNK_BINARY = 0x004e4942

/** Arrays by `componentType`. @type {ReadonlyMap<number, any>} */
const COMPONENTS = new Map(
  /** @type {[number, any][]} */ ([
    [5120, Int8Array],
    [5121, Uint8Array],
    [5122, Int16Array],
    [5123, Uint16Array],
    [5125, Uint32Array],
    [5126, Float32Array],
  ]),
)
/** What a whole number stands for 1 with, where it is a fraction. @type {ReadonlyMap<number, number>} */
const ONES = new Map([
  [5120, 127],
  [5121, 255],
  [5122, 32767],
  [5123, 65535],
])
/** Numbers by `type`. */
const WIDTHS = new Map([
  ['SCALAR', 1],
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
])

/**
 * @param {unknown} value an object, JSON, or the bytes of either kind of file
 * @param {string} where
 * @returns {{ json: unknown, binary: Uint8Array | undefined }} of version 2
 */
export function readFile(value, where) {
  const parts = partsOf(value, where)
  const { json } = parts
  const asset = isObject(json) ? json.asset : undefined
  const version = isObject(asset) ? asset.version : undefined
  if (version === undefined) {
    throw new MoreauError('invalid-argument', `${where}: file is no glTF: it has no asset.version`)
  }
  if (typeof version !== 'string' || !version.startsWith('2.')) {
    const message = `${where}: file is glTF ${typeof version === 'string' ? version : describe(version)}, not 2`
    throw new MoreauError('not-supported', message)
  }
  return parts
}

/**
 * @param {unknown} value
 * @param {string} where
 * @returns {{ json: unknown, binary: Uint8Array | undefined }}
 */
function partsOf(value, where) {
  if (typeof value === 'string') return { json: parse(value, where), binary: undefined }
  const bytes = bytesOf(value)
  if (bytes === null) {
    if (isObject(value)) return { json: value, binary: undefined }
    throw invalid(`${where}: file`, 'a glTF object, its JSON or its bytes', value)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBinary = bytes.length >= GLB_HEAD && view.getUint32(0, true) === GLB_MAGIC
  if (!isBinary) return { json: parse(decode(bytes, where), where), binary: undefined }
  const version = view.getUint32(4, true)
  if (version !== 2) {
    throw new MoreauError('not-supported', `${where}: file is GLB ${version}, not 2`)
  }
  /** @type {Map<number, Uint8Array>} */
  const chunks = new Map()
  for (let at = GLB_HEAD; at + CHUNK_HEAD <= bytes.length;) {
    const [length, type] = [view.getUint32(at, true), view.getUint32(at + 4, true)]
    const start = at + CHUNK_HEAD
    if (start + length > bytes.length) {
      const message = `${where}: file ends within a chunk of ${length} bytes`
      throw new MoreauError('invalid-argument', message)
    }
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(start, start + length))
    at = start + length
  }
  const json = chunks.get(CHUNK_JSON)
  if (json === undefined) {
    throw new MoreauError('invalid-argument', `${where}: file is a GLB without JSON`)
  }
  return { json: parse(decode(json, where), where), binary: chunks.get(CHUNK_BINARY) }
}

/**
 * @param {unknown} value
 * @returns {Uint8Array | null} null: it has no bytes
 */
function bytesOf(value) {
  if (isArrayBuffer(value)) return new Uint8Array(value)
  if (!ArrayBuffer.isView(value)) return null
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/**
 * @param {Uint8Array} bytes
 * @param {string} where
 * @returns {string}
 */
function decode(bytes, where) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new MoreauError('invalid-argument', `${where}: file is no text of UTF-8`)
  }
}

/**
 * @param {string} text
 * @param {string} where
 * @returns {unknown}
 */
function parse(text, where) {
  try {
    // A byte order mark is none of JSON.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    const message = `${where}: file is no JSON: ${/** @type {Error} */ (error).message}`
    throw new MoreauError('invalid-argument', message, { cause: error })
  }
}

/** Bytes of a buffer, from one place on. @typedef {{ bytes: Uint8Array, stride: number | undefined }} Slice */

/** The numbers of accessors, whose buffers are loaded when they are first asked for. */
export class Accessors {
  #json
  #binary
  #loading
  /** @type {Map<number, Promise<Uint8Array | null>>} */
  #buffers = new Map()

  /**
   * @param {Gltf} json
   * @param {Uint8Array | undefined} binary
   * @param {Loading} loading
   */
  constructor(json, binary, loading) {
    this.#json = json
    this.#binary = binary
    this.#loading = loading
  }

  /**
   * @param {number} index of an accessor
   * @param {string} type that it must have
   * @param {string} path of what names it
   * @returns {Promise<number[] | null>} null: they cannot be had, with a warning
   */
  async numbers(index, type, path) {
    const accessor = this.#json.accessors?.[index]
    if (accessor === undefined || accessor.type !== type) {
      const what = accessor === undefined ? 'there is no' : `no ${type} is`
      return this.#leaveOut(path, `${what} accessor ${index}`)
    }
    const { bufferView, sparse, count } = accessor
    if (bufferView === undefined && sparse === undefined) {
      return this.#leaveOut(path, `accessor ${index} has no numbers`)
    }
    const width = WIDTHS.get(type) ?? 1
    const numbers =
      bufferView === undefined
        ? this.#zeros(width * count, path)
        : await this.#read(bufferView, accessor, width, path)
    if (numbers === null) return null
    return sparse === undefined ? numbers : this.#replace(numbers, accessor, width, path)
  }

  /**
   * @param {string} path
   * @param {string} why
   * @returns {null}
   */
  #leaveOut(path, why) {
    this.#loading.warnings.add(path, `${why}: left out`)
    return null
  }

  /**
   * @param {number} count
   * @param {string} path
   */
  #zeros(count, path) {
    if (count <= MOST_ZEROS) return /** @type {number[]} */ (Array(count).fill(0))
    return this.#leaveOut(path, `its accessor has ${count} numbers and no buffer`)
  }

  /**
   * @param {number} viewIndex
   * @param {Pick<GltfAccessor, 'byteOffset' | 'componentType' | 'count' | 'normalized'>} accessor
   * @param {number} width numbers of an element
   * @param {string} path
   * @returns {Promise<number[] | null>}
   */
  async #read(viewIndex, { byteOffset = 0, componentType, count, normalized }, width, path) {
    const Type = COMPONENTS.get(componentType)
    if (Type === undefined)
      return this.#leaveOut(path, `there is no type ${componentType ?? 'of its numbers'}`)
    const view = await this.#view(viewIndex, path)
    if (view === null) return null
    const { bytes, stride: written } = view
    const size = width * Type.BYTES_PER_ELEMENT
    const stride = written ?? size
    if (stride < size || (count > 0 && byteOffset + stride * (count - 1) + size > bytes.length)) {
      return this.#leaveOut(path, 'its accessor reaches beyond its buffer')
    }
    const one = normalized === true ? (ONES.get(componentType) ?? 1) : 1
    /** @type {number[]} */
    const numbers = []
    for (let i = 0; i < count; i++) {
      const from = byteOffset + i * stride
      for (const number of new Type(bytes.slice(from, from + size).buffer)) {
        numbers.push(one === 1 ? number : Math.max(-1, number / one))
      }
    }
    return numbers
  }

  /**
   * Puts in what a sparse accessor has instead.
   * @param {number[]} numbers
   * @param {GltfAccessor} accessor
   * @param {number} width
   * @param {string} path
   * @returns {Promise<number[] | null>}
   */
  async #replace(numbers, { sparse, componentType, normalized, count: all }, width, path) {
    const { count, indices, values } = sparse ?? {}
    if (
      count === undefined ||
      indices?.bufferView === undefined ||
      values?.bufferView === undefined
    ) {
      return this.#leaveOut(path, 'its accessor is sparse without indices and values')
    }
    const { bufferView, ...of } = indices
    const places = await this.#read(bufferView, { ...of, count }, 1, path)
    const { bufferView: valuesView, byteOffset } = values
    const common = { byteOffset, componentType, normalized }
    const instead = await this.#read(valuesView, { ...common, count }, width, path)
    if (places === null || instead === null) return null
    if (!places.every((place) => Number.isInteger(place) && place >= 0 && place < all)) {
      return this.#leaveOut(path, 'an index of its sparse accessor is beyond its count')
    }
    places.forEach((place, i) => {
      for (let k = 0; k < width; k++) numbers[place * width + k] = instead[i * width + k]
    })
    return numbers
  }

  /**
   * @param {number} index
   * @param {string} path
   * @returns {Promise<Slice | null>}
   */
  async #view(index, path) {
    const view = this.#json.bufferViews?.[index]
    if (view?.buffer === undefined || view.byteLength === undefined) {
      return this.#leaveOut(path, `there is no buffer view ${index}`)
    }
    const bytes = await this.#buffer(view.buffer, path)
    if (bytes === null) return null
    const start = view.byteOffset ?? 0
    if (start + view.byteLength > bytes.length) {
      return this.#leaveOut(path, `buffer view ${index} reaches beyond its buffer`)
    }
    return { bytes: bytes.subarray(start, start + view.byteLength), stride: view.byteStride }
  }

  /**
   * @param {number} index
   * @param {string} path
   * @returns {Promise<Uint8Array | null>}
   */
  #buffer(index, path) {
    const known = this.#buffers.get(index) ?? this.#load(index, path)
    this.#buffers.set(index, known)
    return known
  }

  /**
   * @param {number} index
   * @param {string} path
   * @returns {Promise<Uint8Array | null>}
   */
  async #load(index, path) {
    const uri = this.#json.buffers?.[index]?.uri
    if (uri === undefined && index === 0 && this.#binary !== undefined) return this.#binary
    if (uri === undefined) return this.#leaveOut(path, `there is no buffer ${index}`)
    const data = /^data:[^,]*;base64,/.exec(uri)
    if (data !== null) {
      const bytes = fromBase64(uri.slice(data[0].length))
      return bytes ?? this.#leaveOut(path, `buffer ${index} is no base64`)
    }
    const loaded = await load(uri, { path }, this.#loading)
    return (
      bytesOf(loaded) ?? this.#leaveOut(path, `buffer ${index} (${describe(uri)}) is not there`)
    )
  }
}

/** Numbers of an accessor without a buffer: a file of some bytes must not ask for gigabytes. */
const MOST_ZEROS = 3e6

/**
 * @param {string} text
 * @returns {Uint8Array | null} null: it is none
 */
function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
