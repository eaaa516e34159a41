import { encodeCheckpoint, encodeRecord } from './checkpoint.mjs'

/** @import { FrameRecord } from './authority.mjs' */
/** @import { Host } from './host.mjs' */
/** @import { LiveRoom } from './live-room.mjs' */

/** Events from before a checkpoint that it has, so that clients can go on without the whole state. */
const EVENTS_BEFORE = 256
/** Records written at once at the most. */
const BATCH = 64

/**
 * Writes down what happens in a room, in order, and lets it be told only then. Without a store all counts as written at once.
 */
export class Journal {
  #host
  #room
  #epoch
  /** @type {{ record: FrameRecord, line: string }[]} */
  #outbox = []
  #isWriting = false
  #isClosed = false
  /** Records in the store that no checkpoint covers. */
  #written = 0
  #nextCheckpoint
  /** @type {Promise<unknown>} */
  #checkpointing = Promise.resolve()
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

  get isWritten() {
    return this.#outbox.length === 0
  }

  /** What was read from the store when the room was picked up. @param {number} count of records */
  resume(count) {
    this.#written = count
  }

  /** Notes what happened since the last time. @param {number} time ms */
  note(time) {
    const record = this.#room.authority.takeRecord()
    if (record && !this.#host.store) this.#room.authority.release(record)
    else if (record) this.#enqueue(record)
    if (time < this.#nextCheckpoint || !this.isWritten || !this.#host.store) return
    this.#nextCheckpoint = time + this.#host.times.checkpoint
    this.#checkpointing = this.checkpoint()
  }

  /** @param {FrameRecord} record */
  #enqueue(record) {
    this.#outbox.push({ record, line: encodeRecord(record, this.#room.tokens.takeFresh()) })
    if (!this.#isWriting) void this.#write()
  }

  async #write() {
    const { store, log } = this.#host
    if (!store) return
    this.#isWriting = true
    try {
      while (this.#outbox.length > 0 && !this.#isClosed) {
        const batch = this.#outbox.slice(0, BATCH)
        const isOurs = await store.append(
          this.#room.id,
          this.#epoch,
          batch.map(({ line }) => line),
        )
        if (this.#isClosed) return
        if (!isOurs) return this.onLost()
        this.#release(batch)
      }
      this.onWritten()
    } catch (error) {
      log.error({ err: error, room: this.#room.id }, 'events were not written')
    } finally {
      this.#isWriting = false
    }
  }

  /** @param {{ record: FrameRecord }[]} batch */
  #release(batch) {
    this.#outbox.splice(0, batch.length)
    this.#written += batch.length
    for (const { record } of batch) this.#room.authority.release(record)
  }

  /** @returns {Buffer} the room as it is; all that happened has to be noted */
  encode() {
    const { authority, rules, frameZero, tokens } = this.#room
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
    return encodeCheckpoint({
      ...{ state: authority.simulation.state(), rules, frameZero, peers, tokens: tokens.entries() },
      ...{ firstEvent, nextEvent, events: authority.eventsFrom(firstEvent) },
    })
  }

  /** Writes a checkpoint, which covers all records. Nothing may be in the outbox. */
  async checkpoint() {
    const covered = this.#written
    const { store, log } = this.#host
    try {
      const isOurs = await store?.checkpoint(this.#room.id, this.#epoch, this.encode(), covered)
      if (isOurs) this.#written -= covered
      else if (!this.#isClosed) this.onLost()
    } catch (error) {
      log.error({ err: error, room: this.#room.id }, 'no checkpoint')
    }
  }

  /** Writes all there is and a last checkpoint. The room has to be stopped. */
  async finish() {
    await this.#checkpointing
    const record = this.#room.authority.takeRecord()
    if (record) this.#enqueue(record)
    while (this.#isWriting) await new Promise((resolve) => setTimeout(resolve, 1))
    if (this.isWritten) await this.checkpoint()
  }

  close() {
    this.#isClosed = true
  }
}
