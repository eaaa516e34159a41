/**
 * Bytes that are kept, with what tells later that they are still those that were written: what they are, in which format, and a checksum over
 * that, their name and themselves. So bytes of another name are as wrong as bytes of which one bit is.
 */
import { createHash } from 'node:crypto'

/** 'MOR' and a letter for what it is, the format as a number of 32 bits, the checksum. */
const [WORD, FORMAT_AT, SUM_AT, SUM_LENGTH] = ['MOR', 4, 8, 16]
const HEAD_LENGTH = SUM_AT + SUM_LENGTH
/** Hexadecimal digits of the checksum of a line. */
const LINE_SUM = 16

/** Bytes are not those that were written. */
export class Damaged extends Error {
  name = 'Damaged'
}

/** Bytes are of a version of these services that this one does not know. */
export class TooNew extends Error {
  name = 'TooNew'
}

/** @param {string} name @param {Uint8Array} front @param {Uint8Array} body */
const sumOf = (name, front, body) =>
  createHash('sha256')
    .update(name)
    .update('\0')
    .update(front)
    .update(body)
    .digest()
    .subarray(0, SUM_LENGTH)

/**
 * @param {string} kind a letter
 * @param {number} format
 * @param {string} name of these bytes alone
 * @param {readonly Uint8Array[]} parts
 * @returns {Buffer}
 */
export function seal(kind, format, name, parts) {
  const bytes = Buffer.concat([Buffer.alloc(HEAD_LENGTH), ...parts])
  bytes.write(WORD + kind, 'latin1')
  bytes.writeUInt32LE(format, FORMAT_AT)
  sumOf(name, bytes.subarray(0, SUM_AT), bytes.subarray(HEAD_LENGTH)).copy(bytes, SUM_AT)
  return bytes
}

/**
 * @param {string} kind a letter
 * @param {number} newest format that is known here
 * @param {string} name
 * @param {Uint8Array} sealed
 * @returns {Buffer | undefined} what was sealed; undefined for what has no seal, as before there were any
 * @throws {Damaged | TooNew}
 */
export function unseal(kind, newest, name, sealed) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.toString('latin1', 0, FORMAT_AT) !== WORD + kind) return undefined
  if (bytes.length < HEAD_LENGTH) throw new Damaged(`${bytes.length} bytes, cut in the head`)
  const body = bytes.subarray(HEAD_LENGTH)
  const sum = sumOf(name, bytes.subarray(0, SUM_AT), body)
  if (!sum.equals(bytes.subarray(SUM_AT, HEAD_LENGTH)))
    throw new Damaged(`the checksum of ${bytes.length} bytes is not that which was written`)
  const format = bytes.readUInt32LE(FORMAT_AT)
  if (format > newest)
    throw new TooNew(`format ${format}; formats up to ${newest} are known in this version`)
  return body
}

/** @param {string} name @param {string} text */
const lineSum = (name, text) =>
  createHash('sha256').update(`${name}\0${text}`).digest('hex').slice(0, LINE_SUM)

/** @param {string} name of what the line belongs to @param {string} text @returns {string} checksum, space, text */
export const sealLine = (name, text) => `${lineSum(name, text)} ${text}`

/**
 * @param {string} name
 * @param {string} line
 * @returns {{ text: string, isChecked: boolean }} not checked: a line of JSON without a checksum, as before there were any
 * @throws {Damaged}
 */
export function unsealLine(name, line) {
  if (line.startsWith('{')) return { text: line, isChecked: false }
  const text = line.slice(LINE_SUM + 1)
  if (line !== sealLine(name, text)) throw new Damaged('the checksum of a record is wrong')
  return { text, isChecked: true }
}
