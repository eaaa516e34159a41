import { MalformedMessage } from '../netcode/bytes.mjs'
import { EVENT, HASH_EVERY, NO_INPUT } from '../netcode/events.mjs'
import { MOST_ITEMS } from '../netcode/protocol.mjs'
import { Peer } from './peer.mjs'

/** @import { RoomEvent } from '../netcode/events.mjs' */
/** @import { FrameHash, InputsMessage } from '../netcode/protocol.mjs' */
/** @import { RoomSimulation } from '../netcode/simulation.mjs' */

/** A frame's events and perhaps a hash, as they are written down before anybody is told. @typedef {{ frame: number, first: number, events: RoomEvent[], hash?: FrameHash }} FrameRecord */

/** Events that are remembered for clients that have not acknowledged them; who needs older ones gets the whole state. */
const REMEMBERED = 2048

/**
 * A room without its network and its store: it gives every input its frame, keeps the list of events, and simulates. What it has not been told
 * to be written down (`release`) it tells nobody, so that no client knows what a room picked up by another process would not.
 */
export class Authority {
  #simulation
  /** @type {Map<number, Peer>} */
  #peers = new Map()
  /** The newest events; the first has the number `#firstRemembered`. @type {RoomEvent[]} */
  #events = []
  #firstRemembered = 0
  /** Events of frames to come. @type {Map<number, RoomEvent[]>} */
  #scheduled = new Map()
  /** What is not written down yet begins with this event. */
  #unrecorded = 0
  /** @type {FrameHash | undefined} */
  #hash
  #releasedEvents = 0
  #releasedFrame = 0
  /** @type {FrameHash | undefined} */
  #releasedHash
  /** The last frame for which inputs are taken. */
  latest = Infinity
  /** Counts why something was refused. @type {(reason: string) => void} */
  onRefused = () => {}

  /** @param {RoomSimulation} simulation */
  constructor(simulation) {
    this.#simulation = simulation
    this.#releasedFrame = simulation.frame
  }

  get simulation() {
    return this.#simulation
  }

  get frame() {
    return this.#simulation.frame
  }

  get firstRemembered() {
    return this.#firstRemembered
  }

  get releasedEvents() {
    return this.#releasedEvents
  }

  /** The number of the next event. */
  get nextEvent() {
    return this.#firstRemembered + this.#events.length
  }

  get releasedFrame() {
    return this.#releasedFrame
  }

  /** @returns {ReadonlyMap<number, Peer>} */
  get peers() {
    return this.#peers
  }

  /** A new player comes in the next frame. @param {number} player */
  join(player) {
    this.#peers.set(player, new Peer(player))
    this.#append({ frame: this.frame, player, kind: EVENT.join, input: NO_INPUT })
  }

  /** A player leaves in the next frame, or after its last input. @param {number} player */
  leave(player) {
    const peer = this.#peers.get(player)
    if (!peer) return
    this.#peers.delete(player)
    const frame = Math.max(this.frame, peer.lastFrame)
    this.#append({ frame, player, kind: EVENT.leave, input: NO_INPUT })
  }

  /** @param {Peer} peer as it was in a room that is picked up */
  restorePeer(peer) {
    this.#peers.set(peer.player, peer)
  }

  /**
   * Takes inputs. Those that come late count in the next frame; those that are there already are passed over.
   * @param {number} player
   * @param {InputsMessage} message
   * @param {number} time ms
   * @param {number} [mostAcknowledged] the highest number that the client can acknowledge
   * @returns {boolean} whether the room has all now that the client had done; not where more may follow, or the message counts for nothing
   * @throws {MalformedMessage} where no client of ours would send that; what came before in the message counts
   */
  receive(player, message, time, mostAcknowledged = this.#releasedEvents) {
    const peer = this.#peers.get(player)
    if (!peer) throw new MalformedMessage(`player ${player} is not here`)
    if (message.session !== peer.session) return this.#refuse('stale')
    if (message.acknowledged > mostAcknowledged)
      throw new MalformedMessage('acknowledges what nobody sent')
    if (message.first > peer.received) return this.#refuse('gap')
    peer.heard(message, time)
    message.items.forEach((item, i) => {
      if (message.first + i < peer.received) this.onRefused('repeated')
      else this.#accept(peer, item)
    })
    return message.items.length < MOST_ITEMS
  }

  /** @param {string} reason */
  #refuse(reason) {
    this.onRefused(reason)
    return false
  }

  /** @param {Peer} peer @param {import('../netcode/events.mjs').InputChange} item */
  #accept(peer, { frame, input }) {
    if (frame > this.latest) throw new MalformedMessage(`input for ${frame}, now is ${this.frame}`)
    if (frame <= peer.lastMeant) throw new MalformedMessage('inputs out of order')
    if (frame < this.frame) this.onRefused('late')
    peer.lastMeant = frame
    peer.lastFrame = Math.max(frame, this.frame, peer.lastFrame)
    peer.received++
    this.#append({ frame: peer.lastFrame, player: peer.player, kind: EVENT.input, input })
  }

  /** @param {RoomEvent} event */
  #append(event) {
    this.#events.push(event)
    const list = this.#scheduled.get(event.frame)
    if (list) list.push(event)
    else this.#scheduled.set(event.frame, [event])
    const surplus = Math.min(
      this.#events.length - REMEMBERED,
      this.#releasedEvents - this.#firstRemembered,
    )
    if (surplus < REMEMBERED / 2) return
    this.#events.splice(0, surplus)
    this.#firstRemembered += surplus
  }

  /** Makes the next frame. */
  advance() {
    const { frame } = this
    this.#simulation.advance(this.#scheduled.get(frame) ?? [])
    this.#scheduled.delete(frame)
    if (this.frame % HASH_EVERY === 0)
      this.#hash = { frame: this.frame, hash: this.#simulation.hash() }
  }

  /** @returns {FrameRecord | undefined} what has to be written down, once */
  takeRecord() {
    const first = this.#unrecorded
    if (first === this.nextEvent && !this.#hash) return undefined
    const record = { frame: this.frame, first, events: this.eventsFrom(first), hash: this.#hash }
    this.#unrecorded = this.nextEvent
    this.#hash = undefined
    return record
  }

  /** A record is written down: clients may be told. @param {FrameRecord} record */
  release({ frame, first, events, hash }) {
    this.#releasedEvents = first + events.length
    this.#releasedFrame = frame
    this.#releasedHash = hash ?? this.#releasedHash
    for (const { kind, player } of events) {
      const peer = this.#peers.get(player)
      if (peer && kind === EVENT.input) peer.recorded++
    }
  }

  /** What happened in a room that is picked up. @param {FrameRecord} record */
  replay(record) {
    // A record that Redis was told of twice, because the connection broke, counts once.
    const events = record.events.slice(Math.max(0, this.nextEvent - record.first))
    for (const event of events) this.#replayEvent(event)
    this.#unrecorded = this.nextEvent
    this.release({ ...record, first: this.nextEvent - events.length, events })
  }

  /** @param {RoomEvent} event */
  #replayEvent(event) {
    if (event.kind === EVENT.join) this.#peers.set(event.player, new Peer(event.player))
    if (event.kind === EVENT.leave) this.#peers.delete(event.player)
    this.#append(event)
    const peer = this.#peers.get(event.player)
    if (!peer || event.kind !== EVENT.input) return
    peer.received++
    peer.lastFrame = event.frame
  }

  /** @param {number} first @returns {RoomEvent[]} events from this number on that are remembered */
  eventsFrom(first) {
    return this.#events.slice(Math.max(0, first - this.#firstRemembered))
  }

  /** The number of the first event that the present state does not have. */
  get firstScheduled() {
    const next = this.#events.findIndex(({ frame }) => frame >= this.frame)
    return next < 0 ? this.nextEvent : this.#firstRemembered + next
  }

  /** Goes on from a checkpoint. @param {number} firstEvent @param {number} nextEvent @param {RoomEvent[]} events from the first on */
  resume(firstEvent, nextEvent, events) {
    this.#firstRemembered = firstEvent
    this.#events = events.slice(0, nextEvent - firstEvent)
    this.#unrecorded = this.#releasedEvents = this.nextEvent
    for (const event of this.#events) {
      if (event.frame < this.frame) continue
      this.#scheduled.set(event.frame, [...(this.#scheduled.get(event.frame) ?? []), event])
    }
  }

  /** @param {number} player @param {number} time ms @returns {Uint8Array | undefined} a packet of events for a client, if it is time for one */
  packet(player, time) {
    const peer = this.#peers.get(player)
    if (!peer) return undefined
    if (peer.acknowledged < this.#firstRemembered) peer.needsState = true
    return peer.packet(time, {
      ...{ now: this.frame, final: this.#releasedFrame, end: this.#releasedEvents },
      ...{ eventsFrom: (first) => this.eventsFrom(first), hash: this.#releasedHash },
    })
  }
}
