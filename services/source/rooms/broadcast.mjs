import { HASH_EVERY } from '../netcode/events.mjs'
import { encodeStates } from '../netcode/protocol.mjs'
import {
  difference,
  encodeChanges,
  FIELDS,
  hashStates,
  MOST_PLAYERS,
  quantise,
  sceneBodies,
} from '../netcode/states.mjs'

/** @import { Authority } from './authority.mjs' */
/** @import { Peer } from './peer.mjs' */

/** Frames from one packet to a client to the next: 20 per second. */
export const SEND_EVERY = 3
/** Packets whose states are remembered per client, for what it acknowledges: 1.6 s. */
const REMEMBERED = 32
/** Steps of a millimetre: bodies within 8 m of a player's own are told of in every packet, others in every fifth. */
const NEAR = 8 * 1024
const FAR_EVERY = 5

/** What a client was sent: states by packet, as the client has them when it has the packet. */
class Sent {
  packet = 0
  frame = -1
  hashSecond = -1
  /** @type {Map<number, Int32Array>} */
  states = new Map()
  session

  /** @param {number} session */
  constructor(session) {
    this.session = session
  }

  /** @param {number} packet that the client has @returns {[number, Int32Array | undefined]} the newest that is remembered of it */
  baseline(packet) {
    for (const old of this.states.keys()) if (old < packet) this.states.delete(old)
    return this.states.has(packet) ? [packet, this.states.get(packet)] : [0, undefined]
  }

  /** @param {Int32Array} states */
  remember(states) {
    this.states.set(++this.packet, states)
    this.states.delete(this.packet - REMEMBERED)
  }
}

/** Tells the clients of an authoritative room where bodies are: what moved and is of interest, as differences from what they have. */
export class Broadcast {
  #authority
  #scene
  /** @type {Map<Peer, Sent>} */
  #sent = new Map()
  #frame = -1
  /** @type {Int32Array} */
  #states = new Int32Array(0)

  /** @param {Authority} authority */
  constructor(authority) {
    this.#authority = authority
    this.#scene = sceneBodies(authority.simulation)
  }

  /** @param {Peer} peer @returns {number} the newest packet that the client can have */
  newest(peer) {
    return this.#sent.get(peer)?.packet ?? 0
  }

  /** @param {Peer} peer whose player is gone */
  forget(peer) {
    this.#sent.delete(peer)
  }

  /** @param {Peer} peer @param {number} time ms @returns {Uint8Array | undefined} */
  packet(peer, time) {
    const { frame } = this.#authority
    const sent = this.#sentTo(peer)
    if (frame % SEND_EVERY !== 0 || frame === sent.frame) return undefined
    sent.frame = frame
    this.#measure(frame)
    const [baseline, known] = sent.baseline(peer.acknowledged)
    const before = known ?? new Int32Array(this.#states.length)
    const entities = this.#choose(before, peer.player, sent.packet)
    const after = withEntities(before, this.#states, entities)
    sent.remember(after)
    const second = Math.floor(frame / HASH_EVERY)
    const hash = second > sent.hashSecond ? { frame, hash: hashStates(after) } : undefined
    sent.hashSecond = second
    const changes = encodeChanges(before, after, entities)
    return encodeStates({ ...peer.head(frame, time), packet: sent.packet, baseline, changes, hash })
  }

  /** @param {Peer} peer */
  #sentTo(peer) {
    const known = this.#sent.get(peer)
    if (known?.session === peer.session) return known
    const fresh = new Sent(peer.session)
    this.#sent.set(peer, fresh)
    return fresh
  }

  /** Once for all clients. @param {number} frame */
  #measure(frame) {
    if (frame === this.#frame) return
    this.#frame = frame
    this.#states = quantise(this.#authority.simulation, this.#scene)
  }

  /** @param {Int32Array} before @param {number} player @param {number} packet @returns {number[]} entities that the client is told of */
  #choose(before, player, packet) {
    const entities = []
    const isFarsTurn = packet % FAR_EVERY === 0
    for (let entity = 0; entity * FIELDS < before.length; entity++) {
      if (difference(before, this.#states, entity) === 0) continue
      if (isFarsTurn || entity < MOST_PLAYERS || this.#isNear(entity, player)) entities.push(entity)
    }
    return entities
  }

  /** @param {number} entity @param {number} player */
  #isNear(entity, player) {
    const [a, b] = [entity * FIELDS, player * FIELDS]
    const states = this.#states
    return [0, 1, 2].every((axis) => Math.abs(states[a + axis] - states[b + axis]) < NEAR)
  }
}

/** @param {Int32Array} before @param {Int32Array} now @param {readonly number[]} entities @returns {Int32Array} */
function withEntities(before, now, entities) {
  const after = before.slice()
  for (const entity of entities) {
    after.set(now.subarray(entity * FIELDS, (entity + 1) * FIELDS), entity * FIELDS)
  }
  return after
}
