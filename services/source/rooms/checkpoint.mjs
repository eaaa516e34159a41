/**
 * A room as bytes, from which another process goes on: the state at the beginning of a frame, and what is known of its players and events. The
 * records of later frames are lines of JSON. Both carry a checksum over themselves and the room's name.
 */
import { fromHex, toHex } from '../netcode/bytes.mjs'
import { Damaged, seal, sealLine, unseal, unsealLine } from '../storage/seal.mjs'

/** @import { RoomEvent } from '../netcode/events.mjs' */
/** @import { RoomState } from '../netcode/simulation.mjs' */
/** @import { FrameRecord } from './authority.mjs' */

/** @typedef {{ player: number, received: number, lastFrame: number }} StoredPeer */

/**
 * @typedef {object} Checkpoint
 * @property {RoomState} state
 * @property {RoomRules} rules
 * @property {number} frameZero ms since 1970 at which frame 0 began
 * @property {StoredPeer[]} peers
 * @property {[number, string][]} tokens digests of the players' tokens
 * @property {number} firstEvent number of the first event that is remembered
 * @property {number} nextEvent number of the next event
 * @property {RoomEvent[]} events from the first one on
 */

/** What a room is, from its creation on. @typedef {{ scene: string, options: any, mode: string }} RoomRules */

/** @typedef {[number, number, number, string]} EventRow */

/** @param {RoomEvent} event @returns {EventRow} */
const rowOf = ({ frame, player, kind, input }) => [frame, player, kind, toHex(input)]

/** @param {EventRow} row @returns {RoomEvent} */
const eventOf = ([frame, player, kind, input]) => ({ frame, player, kind, input: fromHex(input) })

const HEADER_LENGTH = 4
const [KIND, FORMAT] = ['R', 1]

/** @param {string} id of the room @param {Checkpoint} checkpoint @returns {Buffer} */
export function encodeCheckpoint(id, { state: { world, ...state }, events, ...rest }) {
  const header = Buffer.from(JSON.stringify({ ...rest, state, events: events.map(rowOf) }))
  const length = Buffer.alloc(HEADER_LENGTH)
  length.writeUInt32LE(header.length)
  return seal(KIND, FORMAT, id, [length, header, world])
}

/**
 * @param {string} id of the room
 * @param {Buffer} sealed
 * @returns {Checkpoint & { isChecked: boolean }} not checked: it was written before checkpoints had checksums
 * @throws {Damaged | import('../storage/seal.mjs').TooNew}
 */
export function decodeCheckpoint(id, sealed) {
  const unsealed = unseal(KIND, FORMAT, id, sealed)
  const bytes = unsealed ?? sealed
  const checkpoint = orDamaged('checkpoint', () => {
    const end = HEADER_LENGTH + bytes.readUInt32LE()
    if (end > bytes.length) throw new RangeError(`${bytes.length} bytes, cut in the head`)
    const { state, events, ...rest } = JSON.parse(bytes.toString('utf8', HEADER_LENGTH, end))
    return {
      ...rest,
      state: { ...state, world: new Uint8Array(bytes.subarray(end)) },
      events: events.map(eventOf),
    }
  })
  return { ...checkpoint, isChecked: unsealed !== undefined }
}

/** @template Result @param {string} what @param {() => Result} read @returns {Result} @throws {Damaged} */
function orDamaged(what, read) {
  try {
    return read()
  } catch (error) {
    if (error instanceof Damaged) throw error
    throw new Damaged(`the ${what} cannot be read: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * A frame's events, and digests of the tokens of players who joined with them.
 * @param {string} id of the room
 * @param {FrameRecord} record
 * @param {[number, string][]} tokens
 * @returns {string}
 */
export function encodeRecord(id, { frame, first, events, hash }, tokens) {
  return sealLine(id, JSON.stringify({ frame, first, events: events.map(rowOf), hash, tokens }))
}

/** @param {string} id of the room @param {Buffer} line @returns {{ record: FrameRecord, tokens: [number, string][] }} @throws {Damaged} */
export function decodeRecord(id, line) {
  return orDamaged('record', () => {
    const { tokens, events, ...record } = JSON.parse(unsealLine(id, line.toString()).text)
    return { record: { ...record, events: events.map(eventOf) }, tokens }
  })
}
