// Numbers as bytes for messages: little-endian, and variable-length integers of seven bits per byte (LEB128, as in DWARF).

/** What came over the wire is not a message. It is refused and counted; nothing was changed by it. */
export class MalformedMessage extends Error {
  name = 'MalformedMessage'
}

/** Bytes of a number of 32 bits in groups of seven. */
const MOST_GROUPS = 5

/** Writes a message into memory that grows with it. */
export class ByteWriter {
  #bytes = new Uint8Array(64)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** Makes room, which may replace the array. @param {number} count @returns {number} where it begins */
  #take(count) {
    const start = this.#length
    this.#length += count
    if (this.#length <= this.#bytes.length) return start
    const larger = new Uint8Array(2 * this.#length)
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
    return start
  }

  /** @param {number} value 0 to 255 */
  byte(value) {
    const start = this.#take(1)
    this.#view.setUint8(start, value)
  }

  /** @param {number} value 0 to 65535 */
  short(value) {
    const start = this.#take(2)
    this.#view.setUint16(start, value, true)
  }

  /** @param {number} value 0 to 2^32 - 1 */
  word(value) {
    const start = this.#take(4)
    this.#view.setUint32(start, value, true)
  }

  /** @param {number} value 0 to 2^32 - 1; small ones take fewer bytes */
  count(value) {
    let rest = value >>> 0
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128)
    this.byte(rest)
  }

  /** @param {number} value -2^31 to 2^31 - 1; those near 0 take fewer bytes */
  signed(value) {
    this.count(((value << 1) ^ (value >> 31)) >>> 0)
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    const start = this.#take(bytes.length)
    this.#bytes.set(bytes, start)
  }

  /** @returns {Uint8Array} a copy of what was written */
  finish() {
    return this.#bytes.slice(0, this.#length)
  }
}

/** Reads a message; whatever is missing or left over throws `MalformedMessage`. */
export class ByteReader {
  #bytes
  #view
  #place = 0

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @param {number} count @returns {number} where they begin */
  #take(count) {
    const start = this.#place
    if (start + count > this.#bytes.length) throw new MalformedMessage('the message is cut')
    this.#place = start + count
    return start
  }

  byte() {
    return this.#view.getUint8(this.#take(1))
  }

  short() {
    return this.#view.getUint16(this.#take(2), true)
  }

  word() {
    return this.#view.getUint32(this.#take(4), true)
  }

  /** @returns {number} 0 to 2^32 - 1 */
  count() {
    let value = 0
    for (let group = 0; group < MOST_GROUPS; group++) {
      const byte = this.byte()
      value += (byte & 127) * 2 ** (7 * group)
      if (byte > 127) continue
      if (value > 0xffffffff) break
      return value
    }
    throw new MalformedMessage('a number has more than 32 bits')
  }

  signed() {
    const value = this.count()
    return (value >>> 1) ^ -(value & 1)
  }

  /** @param {number} length @returns {Uint8Array} a copy */
  bytes(length) {
    const start = this.#take(length)
    return this.#bytes.slice(start, start + length)
  }

  /** @returns {Uint8Array} all that is left, not copied */
  rest() {
    return this.#bytes.subarray(this.#take(this.#bytes.length - this.#place))
  }

  end() {
    if (this.#place === this.#bytes.length) return
    throw new MalformedMessage(`${this.#bytes.length - this.#place} bytes are left over`)
  }
}

/** @param {string} text hexadecimal digits @returns {Uint8Array} */
export function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  )
}

/** @param {Uint8Array} bytes @returns {string} hexadecimal digits */
export function toHex(bytes) {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export function sameBytes(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
