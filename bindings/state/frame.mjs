import { MoreauError } from '../core/errors.mjs'
import { hashOf } from '../scene/content-hash.mjs'

// How the bytes of `world.snapshot()` are laid out:
//
//   16 bytes   what they are, and the version of this frame
//   8 bytes    lengths of both parts
//   16 bytes   the hash of the roster, as text
//   engine     the state, as the engine writes it: it has its own version and checksum
//   roster     which objects there are, as JSON
//
// Bytes of assets have the same frame with another name, and so have recordings, with their snapshots in the place of the
// engine's state.

const VERSION = 1
const HEAD = 40
const HASH_AT = 24

const encoder = new TextEncoder()

/** @typedef {'snapshot' | 'assets' | 'recording'} Kind */
/** @typedef {{ bytes: Uint8Array, hash: Uint8Array }} Roster as bytes, with their hash as text */

/** Twelve letters each. @type {Readonly<Record<Kind, string>>} */
const NAMES = Object.freeze({
  snapshot: 'MoreauState:',
  assets: 'MoreauAsset:',
  recording: 'MoreauCalls:',
})

/**
 * @param {string} text
 * @returns {Roster}
 */
export function encodeRoster(text) {
  const bytes = encoder.encode(text)
  return { bytes, hash: encoder.encode(hashOf([bytes])) }
}

/**
 * How many bytes a frame has.
 * @param {number} engineLength
 * @param {Roster} roster
 */
export const frameLength = (engineLength, roster) => HEAD + engineLength + roster.bytes.length

/**
 * Writes a frame to the beginning of `out`, which has room for it.
 * @param {Kind} kind
 * @param {Uint8Array} engine
 * @param {Roster} roster
 * @param {Uint8Array} out
 */
export function writeFrame(kind, engine, roster, out) {
  encoder.encodeInto(NAMES[kind], out)
  const view = new DataView(out.buffer, out.byteOffset)
  view.setUint32(12, VERSION, true)
  view.setUint32(16, engine.length, true)
  view.setUint32(20, roster.bytes.length, true)
  out.set(roster.hash, HASH_AT)
  out.set(engine, HEAD)
  out.set(roster.bytes, HEAD + engine.length)
}

/**
 * The parts of a frame.
 * @param {Kind} kind
 * @param {Uint8Array} bytes
 * @param {string} path of them
 * @returns {{ engine: Uint8Array, roster: Uint8Array, hash: Uint8Array }}
 */
export function readFrame(kind, bytes, path) {
  const refuse = (/** @type {string} */ why) => badSnapshot(`${path}: ${why}`)
  if (bytes.length < HEAD) throw refuse(`${bytes.length} bytes are too few for a ${kind}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const name = encoder.encode(NAMES[kind])
  if (!sameBytes(bytes.subarray(0, name.length), name)) {
    throw refuse(`they do not begin as a ${kind} of Moreau`)
  }
  const version = view.getUint32(12, true)
  if (version !== VERSION) throw refuse(`they have version ${version}, and this is ${VERSION}`)
  const [engineLength, rosterLength] = [view.getUint32(16, true), view.getUint32(20, true)]
  const length = HEAD + engineLength + rosterLength
  if (bytes.length !== length) throw refuse(`${bytes.length} bytes, of ${length} that they name`)
  const end = HEAD + engineLength
  return {
    engine: bytes.subarray(HEAD, end),
    roster: bytes.subarray(end),
    hash: bytes.subarray(HASH_AT, HEAD),
  }
}

/**
 * What a roster says.
 * @param {Uint8Array} roster
 * @param {Uint8Array} hash
 * @param {string} path
 * @returns {any}
 */
export function decodeRoster(roster, hash, path) {
  if (!sameBytes(encoder.encode(hashOf([roster])), hash)) {
    throw badSnapshot(`${path}: the hash of their roster is wrong: they were damaged`)
  }
  try {
    return JSON.parse(new TextDecoder().decode(roster))
  } catch (cause) {
    throw badSnapshot(`${path}: their roster is no JSON`, { cause })
  }
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export function sameBytes(a, b) {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * @param {string} message
 * @param {ErrorOptions} [options]
 */
export function badSnapshot(message, options) {
  return new MoreauError('bad-snapshot', message, options)
}
