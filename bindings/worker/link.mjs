import { MoreauError } from '../core/errors.mjs'
import { frameSize } from './motion-frame.mjs'
import { makeSharedFrames, SharedFrames } from './shared-frames.mjs'
import { startWorker } from './start.mjs'

/** @import { Follower } from './follower.mjs' */
/** @import { Changes } from '../state/journal.mjs' */
/** @import { Batch, ContactNames, Failure, News } from './protocol.mjs' */
/** @import { MakeWorker, Port } from './start.mjs' */

/** Slots that frames have room for at least. */
const LEAST_SLOTS = 64
/** Buffers that go back and forth: one is written, one is read, and one is on its way. */
const BUFFERS = 3

/** @type {News[]} */
const NOTHING = []
/** @type {ArrayBuffer[]} */
const NO_BUFFERS = []

/**
 * Who is told that something came. Not kept from being collected while nobody waits for an answer.
 * @typedef {object} Owner
 * @property {() => void} isNews somebody waits for what has come
 * @property {(error: MoreauError) => void} hasEnded
 */

/**
 * @typedef {object} LinkOptions
 * @property {'shared' | 'transferred'} transport
 * @property {MakeWorker | undefined} worker
 * @property {number} snapshotEvery
 * @property {boolean} profile
 * @property {string | undefined} functions address of the module
 * @property {ContactNames} contacts
 */

/** @typedef {{ resolve: (value: any) => void, reject: (error: unknown) => void, owner: Owner }} Waiting */

/** The way to a worker and back. */
export class Link {
  #transport
  /** @type {Port} */
  #port
  #owner
  #batch = 0
  #tickets = 0
  #listened = ''
  /** @type {Map<number, Waiting>} */
  #waiting = new Map()

  #slots = LEAST_SLOTS
  /** Doubles of vehicles and characters that frames have room for at least. */
  #controls = 0
  /** @type {SharedFrames | undefined} */
  #shared
  /** The newest frame that was transferred, not read yet. @type {ArrayBuffer | undefined} */
  #arrived
  /** Frames that were read and go back. @type {ArrayBuffer[]} */
  #spare = []
  /** Memory of snapshots that newer ones have replaced: it goes back, or the collector of this thread would have to see to it. @type {ArrayBuffer[]} */
  #spent = []

  /** What came and was not looked at. @type {News[]} */
  #news = []
  /** The newest state that is known. @type {{ bytes: Uint8Array, batch: number }} */
  snapshot
  #hasSnapshots = false
  /** Why the worker does not work any more. @type {MoreauError | undefined} */
  failure

  /**
   * @param {Follower} follower of a world that nothing was noted of yet. Not kept: who forgets the world ends the worker
   * @param {LinkOptions} options
   * @param {Owner} owner
   */
  constructor(follower, options, owner) {
    this.#transport = options.transport
    this.#owner = new WeakRef(owner)
    this.#port = startWorker(options.worker, {
      message: (news) => this.#receive(news),
      end: (error) => this.#fail(error),
    })
    const [snapshot] = follower.take(0).snapshots
    this.snapshot = { bytes: snapshot, batch: 0 }
    const { module, timeline } = follower
    const { snapshotEvery, profile, functions, contacts } = options
    const how = { snapshotEvery, profile, functions, contacts }
    this.#post({ module, snapshot, timeline, ...this.#makeRoom(follower), ...how })
  }

  /** Whether there are answers under way. */
  get isAwaited() {
    return this.#waiting.size > 0
  }

  // --- to the worker --------------------------------------------------------------------------------

  /**
   * @param {Owner} owner who is to be there for the answer
   * @param {(ticket: number) => void} note notes what is to be answered
   * @returns {Promise<any>}
   */
  wait(owner, note) {
    const ticket = ++this.#tickets
    note(ticket)
    if (this.#waiting.size === 0) this.#port.hold(true)
    return new Promise((resolve, reject) => this.#waiting.set(ticket, { resolve, reject, owner }))
  }

  /**
   * Sends what was noted since the last time.
   * @param {Follower} follower
   */
  send(follower) {
    const changes = follower.take(this.#batch + 1)
    if (this.failure) return
    if (!this.#hasToSend(follower, changes)) {
      this.#sendStep(follower)
      return
    }
    /** @type {Batch} */
    const batch = {}
    if (follower.stepLength > 0) {
      batch.changes = { ...changes, entries: [['step', follower.stepLength]] }
      batch.batch = ++this.#batch
      follower.stepLength = 0
    }
    if (changes.entries.length > 0) {
      batch.batch = ++this.#batch
      batch.changes = changes
    }
    const { listened } = follower
    if (listened !== this.#listened) {
      batch.listens = listened.split(' ').slice(0, -1)
      this.#listened = listened
    }
    if (this.#isTooSmall(follower)) Object.assign(batch, this.#makeRoom(follower))
    const spare = this.#spare
    if (spare.length > 0) batch.spare = spare
    if (this.#spent.length > 0) batch.spent = this.#spent
    this.#post(batch, this.#spent.length > 0 ? [...spare, ...this.#spent] : spare)
    // What was posted is copied: the lists are used again.
    empty(spare)
    empty(this.#spent)
  }

  /**
   * A step and nothing else is a number.
   * @param {Follower} follower
   */
  #sendStep(follower) {
    if (follower.stepLength === 0) return
    this.#batch++
    this.#port.post(follower.stepLength, NO_BUFFERS)
    follower.stepLength = 0
  }

  /**
   * In most frames there is nothing, and nothing is made.
   * @param {Follower} follower
   * @param {Changes} changes
   */
  #hasToSend(follower, { entries }) {
    if (entries.length > 0 || follower.listened !== this.#listened) return true
    return this.#spare.length > 0 || this.#spent.length > 0 || this.#isTooSmall(follower)
  }

  /** Whether frames have no room for what there is. @param {Follower} follower */
  #isTooSmall({ slotCount, controls }) {
    return slotCount > this.#slots || controls.size > this.#controls
  }

  /**
   * Room for frames with all slots that there are.
   * @param {Follower} follower
   */
  #makeRoom({ slotCount, controls }) {
    while (this.#slots < slotCount) this.#slots *= 2
    if (controls.size > this.#controls) this.#controls = 2 * controls.size
    this.#arrived = undefined
    if (this.#transport === 'shared') {
      const room = makeSharedFrames(this.#slots, this.#controls)
      this.#shared = new SharedFrames(room, 'read')
      return { room }
    }
    const bytes = 8 * frameSize(this.#slots, this.#controls)
    empty(this.#spare)
    return { room: Array.from({ length: BUFFERS }, () => new ArrayBuffer(bytes)) }
  }

  /**
   * @param {any} message
   * @param {ArrayBuffer[]} [spare]
   */
  #post(message, spare = []) {
    const room = Array.isArray(message.room) ? message.room : undefined
    this.#port.post(message, room ? [...spare, ...room] : spare)
  }

  // --- from the worker ------------------------------------------------------------------------------

  /** @param {News} news */
  #receive(news) {
    if (this.failure) return // it was on its way when the worker ended
    const { frame, snapshot } = news
    if (frame) {
      if (this.#arrived) this.#spare.push(this.#arrived)
      this.#arrived = frame
    }
    if (snapshot) this.#keepSnapshot(snapshot, news.snapshotBatch ?? 0)
    if (news.answers || news.failures || news.steps) this.#news.push(news)
    const first = news.answers?.[0]
    if (first) (this.#waiting.get(first.ticket)?.owner ?? this.#owner.deref())?.isNews()
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes @param {number} batch */
  #keepSnapshot(bytes, batch) {
    const { buffer } = this.snapshot.bytes
    // The first one is of this side, and may be anybody's.
    if (this.#hasSnapshots) this.#spent.push(/** @type {ArrayBuffer} */ (buffer))
    this.#hasSnapshots = true
    this.snapshot = { bytes, batch }
  }

  /** @returns {News[]} what came since the last time, but for frames */
  takeNews() {
    const news = this.#news
    if (news.length === 0) return NOTHING
    this.#news = []
    return news
  }

  /**
   * Has the newest frame read, if there is one that was not.
   * @param {(frame: Float64Array) => void} read
   * @returns {boolean} whether there is
   */
  readFrame(read) {
    const frame = this.#shared ? this.#shared.newest() : this.#takeArrived()
    if (frame === undefined) return false
    read(frame)
    return true
  }

  #takeArrived() {
    const buffer = this.#arrived
    if (buffer === undefined) return undefined
    this.#arrived = undefined
    this.#spare.push(buffer) // it goes back with what is sent next, after it was read
    return new Float64Array(buffer)
  }

  /**
   * @param {number} ticket
   * @param {any} value
   * @param {{ error: unknown } | undefined} failure
   */
  settle(ticket, value, failure) {
    const waiting = this.#waiting.get(ticket)
    this.#waiting.delete(ticket)
    if (this.#waiting.size === 0) this.#port.hold(false)
    if (failure) waiting?.reject(failure.error)
    else waiting?.resolve(value)
  }

  // --- the end --------------------------------------------------------------------------------------

  /** @param {unknown} cause */
  #fail(cause) {
    if (this.failure) return
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `World: the worker has failed: ${why}; \`await world.restart()\` goes on from its last snapshot`
    const failure = new MoreauError('worker-failed', message, { cause })
    this.#end(failure)
    this.#owner.deref()?.hasEnded(failure)
  }

  /** Ends the worker. */
  stop() {
    if (!this.failure) this.#end(new MoreauError('stale-handle', 'World: the world was freed'))
  }

  /** @param {MoreauError} failure for who waits */
  #end(failure) {
    this.failure = failure
    this.#port.hold(false)
    this.#port.stop()
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
  }
}

/** With its room: a list whose length is set to 0 has none. @param {ArrayBuffer[]} list */
function empty(list) {
  while (list.length > 0) list.pop()
}

/** @param {Failure} failure */
export const errorOf = ({ code, message }) => new MoreauError(/** @type {any} */ (code), message)
