import { MoreauError } from '../core/errors.mjs'
import { hashOf } from '../scene/content-hash.mjs'

// How the bytes of `world.snapshot()` are laid out:
//
//   16 bytes   what they are, and the version of this frame
//   12 bytes   lengths of the three parts
//   32 bytes   the hashes of the roster and of the controls, as text
//   engine     the state, as the engine writes it: it has its own version and checksum
//   roster     which objects there are, as JSON
//   controls   what vehicles and characters go on from
//
// Bytes of assets have the same frame with another name, and so have recordings, with their snapshots in the place of the
// engine's state.

const VERSION = 2
const ROSTER_HASH_AT = 28
const CONTROLS_HASH_AT = 44
const HEAD = 60

/** @type {TextEncoder | undefined} */
let kept

/** Made when it is needed: the window of jsdom has none, and worlds run there all the same. */
const encoder = () => (kept ??= new TextEncoder())

/** @param {string} text of ASCII */
const ascii = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** @typedef {'snapshot' | 'assets' | 'recording'} Kind */
/** @typedef {{ bytes: Uint8Array, hash: Uint8Array }} Part bytes, with their hash as text */
/** @typedef {Part} Roster */

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
  return hashed(encoder().encode(text))
}

/** @param {Uint8Array} bytes @returns {Part} */
export const hashed = (bytes) => ({ bytes, hash: ascii(hashOf([bytes])) })

/** No vehicles and characters. */
export const NO_CONTROLS = Object.freeze(hashed(new Uint8Array(0)))

/**
 * How many bytes a frame has.
 * @param {number} engineLength
 * @param {readonly Part[]} parts
 */
export const frameLength = (engineLength, parts) =>
  parts.reduce((sum, { bytes }) => sum + bytes.length, HEAD + engineLength)

/**
 * Writes a frame to the beginning of `out`, which has room for it.
 * @param {Kind} kind
 * @param {Uint8Array} engine
 * @param {readonly [roster: Roster, controls: Part]} parts
 * @param {Uint8Array} out
 */
export function writeFrame(kind, engine, [roster, controls], out) {
  encoder().encodeInto(NAMES[kind], out)
  const view = new DataView(out.buffer, out.byteOffset)
  view.setUint32(12, VERSION, true)
  view.setUint32(16, engine.length, true)
  view.setUint32(20, roster.bytes.length, true)
  view.setUint32(24, controls.bytes.length, true)
  out.set(roster.hash, ROSTER_HASH_AT)
  out.set(controls.hash, CONTROLS_HASH_AT)
  out.set(engine, HEAD)
  out.set(roster.bytes, HEAD + engine.length)
  out.set(controls.bytes, HEAD + engine.length + roster.bytes.length)
}

/**
 * The parts of a frame.
 * @param {Kind} kind
 * @param {Uint8Array} bytes
 * @param {string} path of them
 * @returns {{ engine: Uint8Array, roster: Part, controls: Part }} their hashes are not checked
 */
export function readFrame(kind, bytes, path) {
  const refuse = (/** @type {string} */ why) => badSnapshot(`${path}: ${why}`)
  if (bytes.length < HEAD) throw refuse(`${bytes.length} bytes are too few for a ${kind}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const name = encoder().encode(NAMES[kind])
  if (!sameBytes(bytes.subarray(0, name.length), name)) {
    throw refuse(`they do not begin as a ${kind} of Moreau`)
  }
  const version = view.getUint32(12, true)
  if (version !== VERSION) throw refuse(`they have version ${version}, and this is ${VERSION}`)
  const [engine, roster, controls] = [16, 20, 24].map((at) => view.getUint32(at, true))
  const length = HEAD + engine + roster + controls
  if (bytes.length !== length) throw refuse(`${bytes.length} bytes, of ${length} that they name`)
  const [second, third] = [HEAD + engine, HEAD + engine + roster]
  return {
    engine: bytes.subarray(HEAD, second),
    roster: {
      bytes: bytes.subarray(second, third),
      hash: bytes.subarray(ROSTER_HASH_AT, CONTROLS_HASH_AT),
    },
    controls: { bytes: bytes.subarray(third), hash: bytes.subarray(CONTROLS_HASH_AT, HEAD) },
  }
}

/**
 * Throws unless the bytes of a part have its hash.
 * @param {Part} part
 * @param {string} path
 * @param {string} name of it
 */
export function checkHash({ bytes, hash }, path, name) {
  if (sameBytes(hashed(bytes).hash, hash)) return
  throw badSnapshot(`${path}: the hash of their ${name} is wrong: they were damaged`)
}

/**
 * What a roster says.
 * @param {Roster} roster
 * @param {string} path
 * @returns {any}
 */
export function decodeRoster(roster, path) {
  checkHash(roster, path, 'roster')
  try {
    return JSON.parse(new TextDecoder().decode(roster.bytes))
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
