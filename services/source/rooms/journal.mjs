import { Scratch } from '../netcode/scratch.mjs'
import { encodeCheckpoint, encodeRecord } from './checkpoint.mjs'

/** @import { FrameRecord } from './authority.mjs' */
/** @import { Host } from './host.mjs' */
/** @import { LiveRoom } from './live-room.mjs' */

/** Events from before a checkpoint that it has, so that clients can go on without the whole state. */
const EVENTS_BEFORE = 256
/** Records written at once at the most. */
const BATCH = 64
/** ms for which what happens waits to be written before it is told all the same; clients go on alone for 6 s. */
const PATIENCE = 2000
/** Of all rooms: a checkpoint has the bytes of the state in itself as soon as it is made. */
const scratch = new Scratch()

/**
 * Writes down what happens in a room, in order, and lets it be told only then. Without a store all counts as written at once. Where the store
 * refuses, or is silent for too long, the room goes on and tells unwritten what happens: it is behind, until the whole room is written again.
 */
export class Journal {
  #host
  #room
  #epoch
  /** @type {{ record: FrameRecord, line: string, since: number }[]} */
  #outbox = []
  #isWriting = false
  #isClosed = false
  /** Whether clients know what the store does not. */
  #isBehind = false
  #nextCheckpoint
  /** @type {Promise<unknown>} */
  #checkpointing = Promise.resolve()
  #isCheckpointing = false
  /** Whether records wait until it is known whether there is a checkpoint before them. */
  #isHeld = false
  onWritten = () => {}
  onLost = () => {}

  /** @param {Host} host @param {LiveRoom} room @param {number} epoch */
  constructor(host, room, epoch) {
    this.#host = host
    this.#room = room
    this.#epoch = epoch
    this.#nextCheckpoint = host.now() + host.times.checkpoint
  }

  get epoch() {
    return this.#epoch
  }

  /** Whether nothing waits to be written before it is told. */
  get isWritten() {
    return this.#outbox.length === 0
  }

  /** Whether clients know what the store does not: a process that went on with the room now would go on from a past. */
  get isBehind() {
    return this.#isBehind
  }

  /** Notes what happened since the last time. @param {number} time ms */
  note(time) {
    const record = this.#room.authority.takeRecord()
    if (record) this.#take(record, time)
    const [oldest] = this.#outbox
    if (oldest && time - oldest.since > PATIENCE) this.#fallBehind()
    const isDue = time >= this.#nextCheckpoint && this.isWritten && !this.#isCheckpointing
    if (!isDue || !this.#host.store?.encoding.isFree(time)) return
    this.#nextCheckpoint = time + this.#host.times.checkpoint
    this.#checkpointing = this.checkpoint()
  }

  /** @param {FrameRecord} record @param {number} time */
  #take(record, time) {
    if (!this.#host.store || this.#isBehind) return this.#room.authority.release(record)
    const line = encodeRecord(this.#room.id, record, this.#room.tokens.takeFresh())
    this.#outbox.push({ record, line, since: time })
    if (!this.#isWriting && !this.#isHeld) void this.#write()
  }

  /** Lets all be told that waits to be written: from now on only the whole room is written, as soon as that is possible. */
  #fallBehind() {
    this.#isBehind = true
    this.#release(this.#outbox.length)
    this.onWritten()
  }

  /** What the store has of the room is not what was written: the room is written whole as soon as it is its turn. */
  rewrite() {
    if (this.#isBehind || this.#isCheckpointing) return
    this.#fallBehind()
    this.#nextCheckpoint = -Infinity
  }

  async #write() {
    const { store } = this.#host
    if (!store) return
    this.#isWriting = true
    try {
      while (this.#outbox.length > 0 && !this.#isClosed) {
        const batch = this.#outbox.slice(0, BATCH)
        const lines = batch.map(({ line }) => line)
        const standing = await store.append(this.#room.id, this.#epoch, lines)
        if (this.#isClosed) return
        if (standing === 'lost') return this.onLost()
        if (standing === 'gone') return this.rewrite()
        // What fell behind meanwhile is told already.
        if (!this.#isBehind) this.#release(batch.length)
      }
      this.onWritten()
    } catch {
      // The store has told why.
      if (!this.#isClosed) this.#fallBehind()
    } finally {
      this.#isWriting = false
    }
  }

  /** @param {number} count of records that may be told */
  #release(count) {
    for (const { record } of this.#outbox.splice(0, count)) this.#room.authority.release(record)
  }

  /**
   * @param {import('../netcode/simulation.mjs').RoomState} [state] as it is, where somebody has it already
   * @returns {Buffer} the room as it is; all that happened has to be noted
   */
  encode(state = this.#room.authority.simulation.state(scratch)) {
    const { authority, rules, frameZero, tokens, id } = this.#room
    const { firstScheduled, firstRemembered, nextEvent } = authority
    const firstEvent = Math.max(
      firstRemembered,
      Math.min(firstScheduled, nextEvent - EVENTS_BEFORE),
    )
    const peers = [...authority.peers.values()].map(({ player, received, lastFrame }) => ({
      player,
      received,
      lastFrame,
    }))
    return encodeCheckpoint(id, {
      ...{ state, rules, frameZero, peers, tokens: tokens.entries() },
      ...{ firstEvent, nextEvent, events: authority.eventsFrom(firstEvent) },
    })
  }

  /** Writes the room whole, in place of all that the store has of it. Nothing may be in the outbox. */
  async checkpoint() {
    const { store } = this.#host
    if (!store) return
    const wasBehind = this.#isBehind
    // What happens from here on is written behind the checkpoint, by the order of the connection, if there is anything to write it behind.
    this.#isBehind = false
    this.#isHeld = wasBehind
    this.#isCheckpointing = true
    try {
      const bytes = store.encoding.measure(this.#host.now, () => this.encode())
      // The checkpoint has all tokens.
      this.#room.tokens.takeFresh()
      const epoch = await store.checkpoint(this.#room.id, this.#epoch, bytes)
      if (this.#isClosed) return
      if (epoch === 0) return this.onLost()
      this.#epoch = epoch
    } catch {
      // The store has told why. What it had before it still has, with all that was written since.
      if (wasBehind && !this.#isClosed) this.#fallBehind()
    } finally {
      this.#isCheckpointing = this.#isHeld = false
      if (!this.isWritten && !this.#isWriting && !this.#isClosed) void this.#write()
    }
  }

  /** Writes all there is and a last checkpoint. The room has to be stopped. */
  async finish() {
    await this.#checkpointing
    const record = this.#room.authority.takeRecord()
    if (record) this.#take(record, this.#host.now())
    while (this.#isWriting) await new Promise((resolve) => setTimeout(resolve, 1))
    await this.checkpoint()
  }

  close() {
    this.#isClosed = true
  }
}
