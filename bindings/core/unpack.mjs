// The text of the engine's module to its bytes.

import unpacker from '../generated/unpack-base64.mjs'
import { nodeModule } from './node-modules.mjs'

/** Of WebAssembly's memory. */
const PAGE_BYTES = 65536

/** Bytes behind the text that are read. */
const READ_AHEAD = 8

/**
 * By Node's zlib where there is one, in two fifths of the time.
 * @param {string} text base64 of a raw deflate stream
 * @param {number} size of what comes out
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function unpack(text, size) {
  const [buffer, zlib] = [nodeModule('buffer'), nodeModule('zlib')]
  if (!buffer || !zlib) return inflate(text, size)
  // In one piece: pieces would be joined by a copy. A little more than it is, or it asks for a second one; 64 is the least.
  const bytes = zlib.inflateRawSync(buffer.Buffer.from(text, 'base64'), { chunkSize: size + 64 })
  return /** @type {Uint8Array<ArrayBuffer>} */ (bytes)
}

/**
 * The same everywhere else, by bindings/unpack/unpack.c: browsers unpack only in tasks to come.
 * @param {string} text
 * @param {number} size
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function inflate(text, size) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(unpacker)))
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory)
  const start = memory.buffer.byteLength
  const out = start + text.length + READ_AHEAD
  memory.grow(Math.ceil((out + size - start) / PAGE_BYTES))
  write(text, new Uint8Array(memory.buffer, start))
  const run = /** @type {(text: number, length: number, out: number) => void} */ (exports.unpack)
  run(start, text.length, out)
  return new Uint8Array(memory.buffer, out, size)
}

/**
 * @param {string} text base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesOf(text) {
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  writeSlowly(characters, bytes)
  return bytes
}

/**
 * @param {string} text of ASCII
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function write(text, bytes) {
  // The window of jsdom has none.
  if (typeof TextEncoder === 'undefined') writeSlowly(text, bytes)
  else new TextEncoder().encodeInto(text, bytes)
}

/**
 * @param {string} text
 * @param {Uint8Array} bytes
 */
function writeSlowly(text, bytes) {
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
}
