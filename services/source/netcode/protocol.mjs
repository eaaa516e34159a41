/**
 * Everything that goes over the wire between a room and its clients, as bytes. Every message begins with a byte of version and kind; whatever
 * is too short, too long or of another version throws `MalformedMessage` and has changed nothing.
 *
 * Nothing here needs a network that keeps order or loses nothing: inputs and events are numbered, each packet has all that the other side has
 * not acknowledged, and what came twice is passed over (as in Quake 3 and GGPO).
 */
import { ByteReader, ByteWriter, fromHex, MalformedMessage, toHex } from './bytes.mjs'
import { EVENT, NO_INPUT } from './events.mjs'

/** @import { InputChange, RoomEvent } from './events.mjs' */

const VERSION = 1
/** The kinds of messages. From clients: inputs and request. */
export const KIND = Object.freeze({ inputs: 1, events: 2, welcome: 3, request: 4, states: 5 })

/** Inputs or events in one packet at most. */
export const MOST_ITEMS = 64
/** Bytes of a message from a client that can be right: 64 inputs of 16 bytes, with the longest numbers. */
export const MOST_CLIENT_BYTES = 2048
/** Bytes of an input at most. */
export const MOST_INPUT_BYTES = 16
/** Bytes of the token by which a client comes back. */
export const TOKEN_BYTES = 16
const HASH_BYTES = 8
/** ms: a probe that was held for longer says nothing about the way. */
const LONGEST_HOLD = 255
const HAS_HASH = 1

/** @param {number} kind */
function begin(kind) {
  const writer = new ByteWriter()
  writer.byte((VERSION << 4) | kind)
  return writer
}

/** @param {Uint8Array} bytes @returns {number} the kind of a message of this version */
export function kindOf(bytes) {
  if (bytes.length === 0) throw new MalformedMessage('the message is empty')
  if (bytes[0] >> 4 !== VERSION) throw new MalformedMessage(`version ${bytes[0] >> 4}`)
  return bytes[0] & 15
}

/** @param {Uint8Array} bytes @param {number} kind @returns {ByteReader} behind the first byte */
function open(bytes, kind) {
  const found = kindOf(bytes)
  if (found !== kind) throw new MalformedMessage(`a message of kind ${found}, not ${kind}`)
  const reader = new ByteReader(bytes)
  reader.byte()
  return reader
}

/** @param {ByteReader} reader */
function readItemCount(reader) {
  const count = reader.byte()
  if (count > MOST_ITEMS) throw new MalformedMessage(`${count} items`)
  return count
}

/**
 * From a client: its inputs that are not acknowledged.
 * @typedef {object} InputsMessage
 * @property {number} session of the welcome that it follows, mod 256
 * @property {number} probe number that comes back, to measure the way; mod 65536
 * @property {number} acknowledged the number of the first event (or, of states, the packet) that the client does not have
 * @property {number} rollbacks of this client since its last packet, 255 at the most
 * @property {number} first the number of the first input
 * @property {InputChange[]} items
 */

/** @param {InputsMessage} message @returns {Uint8Array} */
export function encodeInputs({ session, probe, rollbacks, acknowledged, first, items }) {
  const writer = begin(KIND.inputs)
  writer.byte(session)
  writer.short(probe)
  writer.byte(Math.min(255, rollbacks))
  writer.count(acknowledged)
  writer.count(first)
  writer.byte(items.length)
  let previous = 0
  for (const { frame, input } of items) {
    writer.count(frame - previous)
    writer.bytes(input)
    previous = frame
  }
  return writer.finish()
}

/**
 * @param {Uint8Array} bytes
 * @param {number} inputBytes of each input
 * @returns {InputsMessage}
 */
export function decodeInputs(bytes, inputBytes) {
  const reader = open(bytes, KIND.inputs)
  const message = {
    ...{ session: reader.byte(), probe: reader.short(), rollbacks: reader.byte() },
    ...{ acknowledged: reader.count(), first: reader.count() },
    items: /** @type {InputChange[]} */ ([]),
  }
  const count = readItemCount(reader)
  let frame = 0
  for (let i = 0; i < count; i++) {
    frame += reader.count()
    message.items.push({ frame, input: reader.bytes(inputBytes) })
  }
  reader.end()
  return message
}

/**
 * What a room tells a client in every packet.
 * @typedef {object} PacketHead
 * @property {number} now the frame that the room makes next
 * @property {number} echo the last probe that came from this client, mod 65536
 * @property {number} hold ms for which the room held it
 * @property {number} received the number of the first input that the room does not have from this client
 */

/** @param {ByteWriter} writer @param {PacketHead} head */
function writeHead(writer, { now, echo, hold, received }) {
  writer.word(now)
  writer.short(echo)
  writer.byte(Math.min(LONGEST_HOLD, Math.round(hold)))
  writer.count(received)
}

/** @param {ByteReader} reader @returns {PacketHead} */
function readHead(reader) {
  const [now, echo, hold] = [reader.word(), reader.short(), reader.byte()]
  return { now, echo, hold: hold < LONGEST_HOLD ? hold : Infinity, received: reader.count() }
}

/**
 * The checksum of the state at the beginning of a frame.
 * @typedef {{ frame: number, hash: string }} FrameHash
 */

/** @param {ByteWriter} writer @param {number} now @param {FrameHash} hash */
function writeHash(writer, now, { frame, hash }) {
  writer.count(now - frame)
  writer.bytes(fromHex(hash))
}

/** @param {ByteReader} reader @param {number} now @returns {FrameHash} */
const readHash = (reader, now) => ({
  frame: now - reader.count(),
  hash: toHex(reader.bytes(HASH_BYTES)),
})

/**
 * From a lockstep room: what happened, and how far it is final.
 * @typedef {PacketHead & { final: number, first: number, items: RoomEvent[], hash?: FrameHash }} EventsMessage
 * `final`: with these events, all of frames before this one are known. `first`: number of the first event
 */

/** @param {EventsMessage} message @returns {Uint8Array} */
export function encodeEvents(message) {
  const { now, final, first, items, hash } = message
  const writer = begin(KIND.events)
  writeHead(writer, message)
  writer.byte(hash ? HAS_HASH : 0)
  writer.count(now - final)
  writer.count(first)
  writer.byte(items.length)
  for (const { frame, player, kind, input } of items) {
    writer.byte(player)
    writer.byte(kind)
    writer.signed(frame - now)
    writer.bytes(input)
  }
  if (hash) writeHash(writer, now, hash)
  return writer.finish()
}

/** @param {ByteReader} reader @param {number} now @param {number} inputBytes @returns {RoomEvent} */
function readEvent(reader, now, inputBytes) {
  const [player, kind] = [reader.byte(), reader.byte()]
  if (kind > EVENT.leave) throw new MalformedMessage(`an event of kind ${kind}`)
  const frame = now + reader.signed()
  return { frame, player, kind, input: kind === EVENT.input ? reader.bytes(inputBytes) : NO_INPUT }
}

/** @param {Uint8Array} bytes @param {number} inputBytes @returns {EventsMessage} */
export function decodeEvents(bytes, inputBytes) {
  const reader = open(bytes, KIND.events)
  const head = readHead(reader)
  const flags = reader.byte()
  const final = head.now - reader.count()
  const first = reader.count()
  const items = Array.from({ length: readItemCount(reader) }, () =>
    readEvent(reader, head.now, inputBytes),
  )
  const hash = flags & HAS_HASH ? readHash(reader, head.now) : undefined
  reader.end()
  return { ...head, final, first, items, hash }
}

/**
 * From a room to a client that comes or has lost its way: the whole state at the beginning of a frame. To one that comes back and can go on with
 * what it has, the same without a world.
 * @typedef {object} WelcomeMessage
 * @property {number} frame
 * @property {number} player the number of the client's player
 * @property {number} session how often this client was welcomed, mod 256: what it sent before counts no more
 * @property {Uint8Array} token by which the client comes back to its player
 * @property {number} received the number of the first input that the room does not have from this player
 * @property {number} nextEvent the number of the first event that the state does not have
 * @property {string} user what the simulation has beside its world
 * @property {Uint8Array} world the snapshot, compressed by deflate
 */

/** @param {WelcomeMessage} message @returns {Uint8Array} */
export function encodeWelcome({ frame, player, session, token, received, nextEvent, user, world }) {
  const writer = begin(KIND.welcome)
  writer.word(frame)
  writer.byte(player)
  writer.byte(session)
  writer.bytes(token)
  writer.count(received)
  writer.count(nextEvent)
  const text = new TextEncoder().encode(user)
  writer.count(text.length)
  writer.bytes(text)
  writer.bytes(world)
  return writer.finish()
}

/** @param {Uint8Array} bytes @returns {WelcomeMessage} */
export function decodeWelcome(bytes) {
  const reader = open(bytes, KIND.welcome)
  const [frame, player, session] = [reader.word(), reader.byte(), reader.byte()]
  const token = reader.bytes(TOKEN_BYTES)
  const [received, nextEvent] = [reader.count(), reader.count()]
  const user = new TextDecoder().decode(reader.bytes(reader.count()))
  return { frame, player, session, token, received, nextEvent, user, world: reader.rest() }
}

/** From a client that needs the whole state. @returns {Uint8Array} */
export const encodeRequest = () => begin(KIND.request).finish()

/** @param {Uint8Array} bytes */
export const decodeRequest = (bytes) => open(bytes, KIND.request).end()

/**
 * From an authoritative room: where bodies are, as the difference from an earlier packet that the client has.
 * @typedef {PacketHead & { packet: number, baseline: number, changes: Uint8Array, hash?: FrameHash }} StatesMessage
 * `packet`: its number, from 1; `baseline`: that of the packet that the changes start from, 0 for none; `changes` as `encodeChanges` makes them;
 * `hash`: of the quantised states as they are with the changes
 */

/** @param {StatesMessage} message @returns {Uint8Array} */
export function encodeStates(message) {
  const { now, packet, baseline, changes, hash } = message
  const writer = begin(KIND.states)
  writeHead(writer, message)
  writer.byte(hash ? HAS_HASH : 0)
  writer.count(packet)
  writer.count(packet - baseline)
  if (hash) writeHash(writer, now, hash)
  writer.bytes(changes)
  return writer.finish()
}

/** @param {Uint8Array} bytes @returns {StatesMessage} */
export function decodeStates(bytes) {
  const reader = open(bytes, KIND.states)
  const head = readHead(reader)
  const flags = reader.byte()
  const packet = reader.count()
  const baseline = packet - reader.count()
  const hash = flags & HAS_HASH ? readHash(reader, head.now) : undefined
  return { ...head, packet, baseline, hash, changes: reader.rest() }
}
