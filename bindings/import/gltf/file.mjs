// A glTF file: its JSON and the bytes of its buffers.

import { MoreauError } from '../../core/errors.mjs'
import { invalid } from '../../core/describe.mjs'

/** @import { Loader } from '../meshes.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Gltf, GltfAccessor } from './types.mjs' */

/** 'glTF', 'JSON' and 'BIN' as little-endian numbers: the head of a GLB and of its chunks. */
const GLB_MAGIC = 0x46546c67
const CHUNK_JSON = 0x4e4f534a
const CHUNK_BINARY = 0x004e4942

/** Arrays by `componentType`. */
const COMPONENTS = /** @type {Record<number, any>} */ ({
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
})
/** Numbers by `type`. */
const WIDTHS = /** @type {Record<string, number>} */ ({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 })

/**
 * @param {unknown} value an object, JSON, or the bytes of either kind of file
 * @param {string} where
 * @returns {{ json: Gltf, binary: Uint8Array | undefined }}
 */
export function readFile(value, where) {
  const parts = partsOf(value, where)
  const { json } = parts
  if (typeof json !== 'object' || json === null || json.asset?.version === undefined) {
    throw new MoreauError('invalid-argument', `${where}: file is no glTF: it has no asset.version`)
  }
  if (!String(json.asset.version).startsWith('2.')) {
    throw new MoreauError('not-supported', `${where}: file is glTF ${json.asset.version}, not 2`)
  }
  return parts
}

/**
 * @param {unknown} value
 * @param {string} where
 * @returns {{ json: Gltf, binary: Uint8Array | undefined }}
 */
function partsOf(value, where) {
  if (typeof value === 'string') return { json: parse(value, where), binary: undefined }
  const bytes = bytesOf(value)
  if (bytes === null) {
    if (typeof value === 'object' && value !== null) {
      return { json: /** @type {Gltf} */ (value), binary: undefined }
    }
    throw invalid(`${where}: file`, 'a glTF object, its JSON or its bytes', value)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBinary = bytes.length >= 12 && view.getUint32(0, true) === GLB_MAGIC
  if (!isBinary) return { json: parse(new TextDecoder().decode(bytes), where), binary: undefined }
  /** @type {Map<number, Uint8Array>} */
  const chunks = new Map()
  for (let at = 12; at + 8 <= bytes.length;) {
    const [length, type] = [view.getUint32(at, true), view.getUint32(at + 4, true)]
    chunks.set(type, bytes.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  const json = parse(new TextDecoder().decode(chunks.get(CHUNK_JSON) ?? new Uint8Array()), where)
  return { json, binary: chunks.get(CHUNK_BINARY) }
}

/**
 * @param {unknown} value
 * @returns {Uint8Array | null} null: it has no bytes
 */
function bytesOf(value) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (!ArrayBuffer.isView(value)) return null
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/**
 * @param {string} text
 * @param {string} where
 * @returns {Gltf}
 */
function parse(text, where) {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `${where}: file is no JSON: ${/** @type {Error} */ (error).message}`
    throw new MoreauError('invalid-argument', message, { cause: error })
  }
}

/** The numbers of accessors, whose buffers are loaded when they are first asked for. */
export class Accessors {
  #json
  #binary
  #loader
  #warnings
  /** @type {Map<number, Promise<Uint8Array | null>>} */
  #buffers = new Map()

  /**
   * @param {Gltf} json
   * @param {Uint8Array | undefined} binary
   * @param {Loader | undefined} loader
   * @param {Warnings} warnings
   */
  constructor(json, binary, loader, warnings) {
    this.#json = json
    this.#binary = binary
    this.#loader = loader
    this.#warnings = warnings
  }

  /**
   * @param {number} index of an accessor
   * @param {string} path of what names it
   * @returns {Promise<number[] | null>} null: they cannot be had, with a warning
   */
  async numbers(index, path) {
    const accessor = this.#json.accessors?.[index]
    const view = this.#json.bufferViews?.[accessor?.bufferView ?? -1]
    const Type = COMPONENTS[accessor?.componentType ?? 0]
    if (accessor === undefined || view === undefined || Type === undefined || accessor.sparse) {
      this.#warnings.add(path, `accessor ${index} is not one of plain numbers: left out`)
      return null
    }
    const bytes = await this.#buffer(view.buffer, path)
    if (bytes === null) return null
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
    return this.#take(bytes, start, view.byteStride, accessor, Type, path)
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number | undefined} byteStride
   * @param {GltfAccessor} accessor
   * @param {any} Type
   * @param {string} path
   * @returns {number[] | null}
   */
  #take(bytes, start, byteStride, { type, count }, Type, path) {
    const width = WIDTHS[type] ?? 0
    const size = width * Type.BYTES_PER_ELEMENT
    const stride = byteStride ?? size
    if (width === 0 || start + stride * (count - 1) + size > bytes.length) {
      this.#warnings.add(path, 'its accessor reaches beyond its buffer: left out')
      return null
    }
    const numbers = []
    for (let i = 0; i < count; i++) {
      const from = start + i * stride
      numbers.push(...new Type(bytes.slice(from, from + size).buffer))
    }
    return numbers
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
   */
  async #load(index, path) {
    const uri = this.#json.buffers?.[index]?.uri
    if (uri === undefined && index === 0 && this.#binary !== undefined) return this.#binary
    const data = /^data:[^,]*;base64,(.*)$/s.exec(uri ?? '')
    if (data !== null) return Uint8Array.from(atob(data[1]), (letter) => letter.charCodeAt(0))
    const bytes = uri === undefined ? null : bytesOf(await this.#loader?.(uri))
    if (bytes === null)
      this.#warnings.add(path, `buffer ${index} ('${uri}') is not there: left out`)
    return bytes
  }
}
