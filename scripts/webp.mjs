/**
 * Moving pictures: an animated WebP file made of still ones, by Google's "WebP Container Specification".
 */

/** Bits of a header's and of a frame's flags. */
const HAS_ANIMATION = 0x02
const DO_NOT_BLEND = 0x02
/** Bytes before the chunks of a file: 'RIFF', its length, 'WEBP'. */
const FILE_HEADER = 12
const CHUNK_HEADER = 8

/**
 * @typedef {object} Frame
 * @property {Uint8Array} bytes a still WebP without transparency
 * @property {number} x pixels, even: where it lies on what was there before
 * @property {number} y pixels, even
 * @property {number} width pixels
 * @property {number} height pixels
 */

/**
 * @param {Frame[]} frames the first covers all
 * @param {{ width: number, height: number, duration: number }} options pixels; ms that each frame is shown
 * @returns {Buffer} a file that plays for ever
 */
export function animatedWebP(frames, { width, height, duration }) {
  const header = chunk('VP8X', [
    number(HAS_ANIMATION, 4),
    number(width - 1, 3),
    number(height - 1, 3),
  ])
  const loop = chunk('ANIM', [number(0, 4), number(0, 2)])
  const pictures = frames.map((frame) =>
    chunk('ANMF', [
      ...[number(frame.x / 2, 3), number(frame.y / 2, 3)],
      ...[number(frame.width - 1, 3), number(frame.height - 1, 3)],
      ...[number(Math.round(duration), 3), number(DO_NOT_BLEND, 1)],
      pictureOf(frame.bytes),
    ]),
  )
  const content = Buffer.concat([Buffer.from('WEBP'), header, loop, ...pictures])
  return Buffer.concat([Buffer.from('RIFF'), number(content.length, 4), content])
}

/**
 * The chunk of a still file that is the picture itself.
 *
 * @param {Uint8Array} bytes
 */
function pictureOf(bytes) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = FILE_HEADER; at < file.length;) {
    const length = CHUNK_HEADER + even(file.readUInt32LE(at + 4))
    const name = file.toString('latin1', at, at + 4)
    if (name === 'VP8 ' || name === 'VP8L') return file.subarray(at, at + length)
    at += length
  }
  throw new Error('not a still WebP')
}

/**
 * @param {string} name of four letters
 * @param {Uint8Array[]} parts
 */
function chunk(name, parts) {
  const content = Buffer.concat(parts)
  const rest = Buffer.alloc(even(content.length) - content.length)
  return Buffer.concat([Buffer.from(name), number(content.length, 4), content, rest])
}

/** @param {number} length */
const even = (length) => length + (length % 2)

/**
 * @param {number} value
 * @param {number} size bytes, the lowest first
 */
function number(value, size) {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size)
  return bytes
}
