/**
 * A typed array on the engine's memory that stays the same object as long as it is right: it is
 * made again when the memory grew, or when the array moved or changed its length.
 * @template {Float32Array | Float64Array | Uint32Array} View
 */
export class BulkView {
  #Type
  /** @type {View} */
  #view

  /** @param {new (buffer: ArrayBuffer, offset: number, length: number) => View} Type */
  constructor(Type) {
    this.#Type = Type
    this.#view = new Type(new ArrayBuffer(0), 0, 0)
  }

  /**
   * @param {ArrayBuffer} buffer
   * @param {number} address
   * @param {number} length
   * @returns {View}
   */
  at(buffer, address, length) {
    const view = this.#view
    // An empty array may have no address.
    const offset = length === 0 ? 0 : address >>> 0
    if (view.buffer === buffer && view.byteOffset === offset && view.length === length) return view
    this.#view = new this.#Type(buffer, offset, length)
    return this.#view
  }
}
