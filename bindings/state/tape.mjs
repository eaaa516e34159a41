import { invalid } from '../core/describe.mjs'
import { AssetReader, bytesOfBase64 } from '../scene/assets.mjs'
import { ShapeReader } from '../scene/read-shapes.mjs'
import { badSnapshot, decodeRoster, readFrame } from './frame.mjs'
import { isBytes } from './snapshot.mjs'

/** @import { Entry } from './journal.mjs' */

/** The call that reads them, for messages. */
export const where = 'World.replay'

/**
 * A recording that was read.
 * @typedef {object} Tape
 * @property {string[]} functions for contacts that the world had at the beginning
 * @property {Entry[]} entries
 * @property {object[]} shapes definitions
 * @property {Uint8Array[]} snapshots the first is the beginning
 * @property {Uint8Array} assets of them
 */

/**
 * @param {unknown} value
 * @returns {Tape}
 * @throws {MoreauError} `invalid-argument`, `bad-snapshot`
 */
export function readTape(value) {
  const path = `${where}: bytes`
  if (!isBytes(value)) throw invalid(path, 'a Uint8Array', value)
  const { engine, roster } = readFrame('recording', value, path)
  const text = decodeRoster(roster, path)
  try {
    return tapeOf(text, engine)
  } catch (cause) {
    throw badSnapshot(`${path}: they are no recording: ${String(cause)}`, { cause })
  }
}

/**
 * @param {any} text
 * @param {Uint8Array} engine the snapshots, one behind the other
 * @returns {Tape}
 */
function tapeOf({ functions, entries, shapes, assets, lengths }, engine) {
  let at = 0
  const parts = lengths.map((/** @type {number} */ length) => {
    at += length
    return engine.subarray(at - length, at)
  })
  return {
    functions: [...functions],
    entries: entries.map((/** @type {Entry} */ entry) => [...entry]),
    shapes: readShapes(shapes, assets),
    snapshots: parts.slice(0, -1),
    assets: parts[parts.length - 1],
  }
}

/**
 * @param {readonly string[]} texts of shapes
 * @param {unknown} assets that they name
 * @returns {object[]} definitions
 */
export function readShapes(texts, assets) {
  const reader = new ShapeReader(new AssetReader(assets, undefined))
  return texts.map((text, i) => reader.read(JSON.parse(text), `shapes[${i}]`))
}

/**
 * @param {unknown} text base64 of doubles, or what Journal notes of a world that is followed: a list of them; undefined:
 *   none
 * @returns {number[]}
 */
export function numbersOf(text) {
  if (text instanceof Float64Array) return Array.from(text)
  const bytes = bytesOfBase64(String(text ?? ''))
  if (bytes === undefined || bytes.length % 8 !== 0) {
    throw badSnapshot(`${where}: bytes: they have numbers that are none`)
  }
  return Array.from(new Float64Array(bytes.buffer))
}
