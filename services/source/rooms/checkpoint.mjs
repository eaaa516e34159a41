/**
 * A room as bytes, from which another process goes on: the state at the beginning of a frame, and what is known of its players and events. The
 * records of later frames are lines of JSON.
 */
import { fromHex, toHex } from '../netcode/bytes.mjs'

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

/** @param {Checkpoint} checkpoint @returns {Buffer} */
export function encodeCheckpoint({ state: { world, ...state }, events, ...rest }) {
  const header = Buffer.from(JSON.stringify({ ...rest, state, events: events.map(rowOf) }))
  const length = Buffer.alloc(HEADER_LENGTH)
  length.writeUInt32LE(header.length)
  return Buffer.concat([length, header, world])
}

/** @param {Buffer} bytes @returns {Checkpoint} */
export function decodeCheckpoint(bytes) {
  const end = HEADER_LENGTH + bytes.readUInt32LE()
  const { state, events, ...rest } = JSON.parse(bytes.toString('utf8', HEADER_LENGTH, end))
  return {
    ...rest,
    state: { ...state, world: new Uint8Array(bytes.subarray(end)) },
    events: events.map(eventOf),
  }
}

/**
 * A frame's events, and digests of the tokens of players who joined with them.
 * @param {FrameRecord} record
 * @param {[number, string][]} tokens
 * @returns {string}
 */
export function encodeRecord({ frame, first, events, hash }, tokens) {
  return JSON.stringify({ frame, first, events: events.map(rowOf), hash, tokens })
}

/** @param {Buffer} line @returns {{ record: FrameRecord, tokens: [number, string][] }} */
export function decodeRecord(line) {
  const { tokens, events, ...record } = JSON.parse(line.toString())
  return { record: { ...record, events: events.map(eventOf) }, tokens }
}
