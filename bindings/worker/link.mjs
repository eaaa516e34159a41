import { MoreauError } from '../core/errors.mjs'
import { Patience } from '../core/patience.mjs'
import { GENERATOR } from '../generated/version.mjs'
import { Frames } from './frames.mjs'
import { startWorker } from './start.mjs'
import { Untold } from './untold.mjs'

/** @import { Follower } from './follower.mjs' */
/** @import { Changes } from '../state/journal.mjs' */
/** @import { Batch, ContactNames, News } from './protocol.mjs' */
/** @import { MakeWorker, Port } from './start.mjs' */

/** @type {ArrayBuffer[]} */
const NO_BUFFERS = []

/**
 * Who is told that something came. Not kept from being collected while nobody waits for an answer.
 * @typedef {object} Owner
 * @property {() => void} isNews somebody waits for what has come
 * @property {(error: MoreauError, isKnown: boolean) => void} hasEnded `isKnown`: somebody waited, and was refused
 */

/**
 * @typedef {object} LinkOptions
 * @property {'shared' | 'transferred'} transport
 * @property {MakeWorker | undefined} worker
 * @property {number} snapshotEvery
 * @property {boolean} profile
 * @property {number} timeout seconds
 * @property {string | undefined} functions address of the module
 * @property {ContactNames} contacts
 */

/**
 * @typedef {object} Waiting
 * @property {(value: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {Owner} owner
 * @property {boolean} isProbe nobody but the link wants to know
 */

/** The way to a worker and back. */
export class Link {
  /** @type {Port} */
  #port
  #owner
  #batch = 0
  #tickets = 0
  #listened = ''
  /** @type {Map<number, Waiting>} */
  #waiting = new Map()
  #patience
  /** Whether the worker has said that it is one of this version. */
  #isGreeted = false

  #frames
  /** A buffer that is posted alone. @type {ArrayBuffer[]} */
  #one = []
  /** Memory of snapshots that newer ones have replaced: it goes back, or the collector of this thread would have to see to it. @type {ArrayBuffer[]} */
  #spent = []

  /** What came and was not looked at: answers, and what was refused. @type {News[]} */
  #news = []
  /** And what happened in steps. */
  #untold = new Untold()
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
    this.#frames = new Frames(options.transport)
    this.#owner = new WeakRef(owner)
    this.#patience = new Patience(options.timeout, () => this.#fail(silent(options.timeout)))
    this.#port = startWorker(options.worker, {
      message: (news) => this.#receive(news),
      end: (error) => this.#fail(error),
    })
    const [snapshot] = follower.take(0).snapshots
    this.snapshot = { bytes: snapshot, batch: 0 }
    const { module, timeline } = follower
    const { snapshotEvery, profile, functions, contacts } = options
    const how = { snapshotEvery, profile, functions, contacts }
    this.#post({ module, snapshot, timeline, ...this.#frames.makeRoom(follower), ...how })
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
    return this.#wait(owner, note, false)
  }

  /**
   * Asks whether the worker still answers. If it does not, it has failed after its time, and nobody was refused.
   * @param {Owner} owner
   * @param {(ticket: number) => void} note
   */
  probe(owner, note) {
    if (!this.isAwaited) this.#wait(owner, note, true).catch(() => {})
  }

  /**
   * @param {Owner} owner
   * @param {(ticket: number) => void} note
   * @param {boolean} isProbe
   * @returns {Promise<any>}
   */
  #wait(owner, note, isProbe) {
    const ticket = ++this.#tickets
    note(ticket)
    if (!this.isAwaited) {
      this.#port.hold(true)
      this.#patience.begin()
    }
    return new Promise((resolve, reject) =>
      this.#waiting.set(ticket, { resolve, reject, owner, isProbe }),
    )
  }

  /** Whether somebody waits for an answer but the link. @param {number} ticket */
  isWanted(ticket) {
    return this.#waiting.get(ticket)?.isProbe === false
  }

  /**
   * Sends what was noted since the last time.
   * @param {Follower} follower
   */
  send(follower) {
    const changes = follower.take(this.#batch + 1)
    if (this.failure) return
    if (!this.#hasToSend(follower, changes)) this.#sendLittle(follower)
    else this.#sendBatch(follower, changes)
  }

  /**
   * @param {Follower} follower
   * @param {Changes} changes
   */
  #sendBatch(follower, changes) {
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
    if (this.#frames.isTooSmall(follower)) Object.assign(batch, this.#frames.makeRoom(follower))
    const spare = this.#frames.spare
    if (spare.length > 0) batch.spare = spare
    if (this.#spent.length > 0) batch.spent = this.#spent
    this.#post(batch, this.#spent.length > 0 ? [...spare, ...this.#spent] : spare)
    // What was posted is copied: the lists are used again.
    empty(spare)
    empty(this.#spent)
  }

  /**
   * In most frames there is a step at most, and a buffer that goes back: nothing is made for them.
   * @param {Follower} follower
   */
  #sendLittle(follower) {
    const { stepLength } = follower
    const buffer = this.#frames.spare.pop()
    if (buffer) {
      this.#frames.order(buffer, stepLength)
      this.#one[0] = buffer
      this.#port.post(buffer, this.#one)
    } else if (stepLength > 0) this.#port.post(stepLength, NO_BUFFERS)
    if (stepLength > 0) this.#batch++
    follower.stepLength = 0
  }

  /**
   * @param {Follower} follower
   * @param {Changes} changes
   */
  #hasToSend(follower, { entries }) {
    if (entries.length > 0 || follower.listened !== this.#listened) return true
    return (
      this.#frames.spare.length > 1 || this.#spent.length > 0 || this.#frames.isTooSmall(follower)
    )
  }

  /**
   * @param {any} message
   * @param {ArrayBuffer[]} [spare]
   */
  #post(message, spare = []) {
    const room = Array.isArray(message.room) ? message.room : undefined
    try {
      this.#port.post(message, room ? [...spare, ...room] : spare)
    } catch (error) {
      this.#fail(error) // it will never have what was in it
    }
  }

  // --- from the worker ------------------------------------------------------------------------------

  /** @param {News | ArrayBuffer} news */
  #receive(news) {
    if (this.failure) return // it was on its way when the worker ended
    if (!this.#isGreeted) this.#greet(news)
    else if ('byteLength' in news) this.#frames.keep(news)
    else this.#receiveNews(news)
  }

  /**
   * Of a script that is none of Moreau's nothing is understood: the time will be over for it.
   * @param {Partial<News> | ArrayBuffer | null} news
   */
  #greet(news) {
    const version = Object(news).version
    if (version === GENERATOR) this.#isGreeted = true
    else if (typeof version === 'string') {
      const advice = "it needs the file 'moreau/worker-script.js' of the same package"
      this.#fail(new Error(`its script is of ${version}, and the page has ${GENERATOR}: ${advice}`))
    }
  }

  /** @param {News} news */
  #receiveNews({ frame, snapshot, snapshotBatch = 0, steps, failures, answers }) {
    if (frame) this.#frames.keep(frame)
    if (snapshot) this.#keepSnapshot(snapshot, snapshotBatch)
    if (steps) this.#untold.add(steps)
    if (failures || answers) this.#news.push({ failures, answers })
    const first = answers?.[0]
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

  /** Whether something came since the last time, but for frames. */
  get hasNews() {
    return this.#news.length > 0 || !this.#untold.isEmpty
  }

  /** Since the last time: events of steps, and answers and what was refused. */
  takeNews() {
    const news = this.#news
    this.#news = []
    return { steps: this.#untold.take(), news }
  }

  /**
   * Has the newest frame read, if there is one that was not.
   * @param {(frame: Float64Array) => void} read
   * @returns {boolean} whether there is
   */
  readFrame(read) {
    const frame = this.#frames.takeNewest()
    if (frame === undefined) return false
    read(frame)
    return true
  }

  /**
   * @param {number} ticket
   * @param {any} value
   * @param {{ error: unknown } | undefined} failure
   */
  settle(ticket, value, failure) {
    const waiting = this.#waiting.get(ticket)
    if (waiting === undefined) return
    this.#waiting.delete(ticket)
    if (this.isAwaited) {
      this.#patience.begin()
    } else {
      this.#patience.end()
      this.#port.hold(false)
    }
    if (failure) waiting.reject(failure.error)
    else waiting.resolve(value)
  }

  // --- the end --------------------------------------------------------------------------------------

  /** @param {unknown} cause */
  #fail(cause) {
    if (this.failure) return
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `World: the worker has failed: ${why}; \`await world.restart()\` goes on from its last snapshot`
    const failure = new MoreauError('worker-failed', message, { cause })
    const isKnown = [...this.#waiting.values()].some(({ isProbe }) => !isProbe)
    this.#end(failure)
    this.#owner.deref()?.hasEnded(failure, isKnown)
  }

  /**
   * Ends the worker.
   * @param {MoreauError} [why] for who waits
   */
  stop(why = new MoreauError('stale-handle', 'World: the world was freed')) {
    if (!this.failure) this.#end(why)
  }

  /** @param {MoreauError} failure for who waits */
  #end(failure) {
    this.failure = failure
    this.#patience.end()
    this.#port.hold(false)
    this.#port.stop()
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
  }
}

/** @param {number} timeout seconds */
function silent(timeout) {
  const reasons = 'it hangs or is very slow, or its script is not that of Moreau'
  return new Error(`it has not answered for ${timeout} s (workerOptions.timeout): ${reasons}`)
}

/** With its room: a list whose length is set to 0 has none. @param {ArrayBuffer[]} list */
function empty(list) {
  while (list.length > 0) list.pop()
}
