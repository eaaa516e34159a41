// The buffer of a glTF file, with the meshes in it.

/** @import { Gltf } from './types.mjs' */

const UNSIGNED_INT = 5125
const FLOAT = 5126
/** What a buffer view is for: vertices, or indices. */
const VERTICES = 34962
const INDICES = 34963
/** Bytes that become arguments of one call. */
const CHUNK = 0x8000

export class BufferWriter {
  /** @type {Uint8Array[]} */
  #parts = []
  #length = 0
  /** @type {NonNullable<Gltf['bufferViews']>} */
  #views = []
  /** @type {NonNullable<Gltf['accessors']>} */
  #accessors = []

  /**
   * @param {ArrayLike<number>} points three numbers each
   * @returns {number} of the accessor
   */
  addPoints(points) {
    const numbers = Float32Array.from(points)
    const of = (/** @type {number} */ axis) => numbers.filter((_, i) => i % 3 === axis)
    const bounds = (/** @type {(a: number, b: number) => number} */ pick) =>
      [0, 1, 2].map((axis) => of(axis).reduce((a, b) => pick(a, b)))
    return this.#add(numbers, VERTICES, {
      ...{ componentType: FLOAT, count: numbers.length / 3, type: 'VEC3' },
      ...{ min: bounds(Math.min), max: bounds(Math.max) },
    })
  }

  /**
   * @param {ArrayLike<number>} indices
   * @returns {number} of the accessor
   */
  addIndices(indices) {
    const numbers = Uint32Array.from(indices)
    const accessor = { componentType: UNSIGNED_INT, count: numbers.length, type: 'SCALAR' }
    return this.#add(numbers, INDICES, accessor)
  }

  /**
   * @param {Float32Array | Uint32Array} numbers
   * @param {number} target
   * @param {import('./types.mjs').GltfAccessor} accessor
   */
  #add(numbers, target, accessor) {
    const view = { buffer: 0, byteOffset: this.#length, byteLength: numbers.byteLength, target }
    this.#parts.push(new Uint8Array(numbers.buffer))
    this.#length += numbers.byteLength
    const bufferView = this.#views.push(view) - 1
    return this.#accessors.push({ bufferView, ...accessor }) - 1
  }

  /**
   * @param {NonNullable<Gltf['meshes']>} meshes
   * @returns {Partial<Gltf>} nothing without meshes
   */
  parts(meshes) {
    if (meshes.length === 0) return {}
    const uri = `data:application/octet-stream;base64,${this.#base64()}`
    return {
      meshes,
      accessors: this.#accessors,
      bufferViews: this.#views,
      buffers: [{ byteLength: this.#length, uri }],
    }
  }

  #base64() {
    let text = ''
    for (const part of this.#parts) {
      for (let i = 0; i < part.length; i += CHUNK) {
        text += String.fromCharCode(...part.subarray(i, i + CHUNK))
      }
    }
    return btoa(text)
  }
}
