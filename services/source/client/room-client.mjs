import { init } from 'moreau'
import { decodeWelcome, encodeRequest, KIND, kindOf } from '../netcode/protocol.mjs'
import { Connection } from './connection.mjs'
import { inflate } from './inflate.mjs'
import { LockstepSession } from './lockstep-session.mjs'
import { PredictedSession } from './predicted-session.mjs'
import { Smoothing } from './smoothing.mjs'

/** @import { Scene } from '../netcode/simulation.mjs' */
/** @import { ConnectionOptions } from './connection.mjs' */

/** How clients follow a room, by its mode. */
const SESSIONS = Object.freeze({ lockstep: LockstepSession, authoritative: PredictedSession })

/** ms: the whole state is asked for when nothing has come by then, for what welcomes a client may get lost */
const ASK_AGAIN = 2000
/** Code of the end of a connection whose messages cannot be read. */
const UNREADABLE = 4400

/**
 * @typedef {object} ClientOptions
 * @property {Scene} scene of the room
 * @property {'lockstep' | 'authoritative'} [mode] of the room, default lockstep
 * @property {number} [inputDelay] frames by which own inputs count later, default 3: more of them, fewer corrections
 */

/**
 * A player in a room: `update` in every frame of the page makes the frames of the room that are due, sends and receives.
 */
export class RoomClient {
  #scene
  #inputDelay
  #mode
  #connection
  /** @type {LockstepSession | PredictedSession | undefined} */
  #session
  /** @type {Uint8Array} */
  #token = new Uint8Array(0)
  /** ms: since when a welcome has been waited for, with a connection, or asked for again; Infinity: it is not */
  #waitsSince = Infinity
  /** Called with the first whole state, or with why none can come. @type {(error?: unknown) => void} */
  #onFirst = () => {}
  #hasLeft = false
  smoothing = new Smoothing()
  /** How often the whole state came. */
  states = 0

  /** @param {ClientOptions & Omit<ConnectionOptions, 'onMessage' | 'standing'>} options */
  constructor({ scene, inputDelay, mode = 'lockstep', ...connection }) {
    checkOptions(scene, mode, connection.endpoints)
    this.#scene = scene
    this.#mode = mode
    this.#inputDelay = inputDelay
    this.#connection = new Connection({
      ...connection,
      wish: { scene: scene.name, mode, ...connection.wish },
      onMessage: (bytes) => void this.#receive(bytes).catch((error) => this.#fail(error)),
      standing: () => this.#session && { token: this.#token, nextEvent: this.#session.nextEvent },
    })
    this.#connection.onOpen = () => (this.#waitsSince = performance.now())
  }

  /** @param {ClientOptions & Omit<ConnectionOptions, 'onMessage' | 'standing'>} options */
  static async join(options) {
    await init()
    const client = new RoomClient(options)
    const isReady = new Promise((resolve, reject) => {
      client.#onFirst = (error) => (error === undefined ? resolve(undefined) : reject(error))
    })
    await client.#connection.begin()
    const timer = setInterval(() => client.#askForState(performance.now()), ASK_AGAIN)
    try {
      await isReady
    } finally {
      clearInterval(timer)
    }
    return client
  }

  /** What came is not to be read: another program, or another version, is at the other end. @param {unknown} error */
  #fail(error) {
    this.#onFirst(error)
    this.#connection.end(UNREADABLE, Object(error).message)
  }

  /** By which the player comes back. */
  get token() {
    return this.#token
  }

  get connection() {
    return this.#connection
  }

  get roomId() {
    return this.#connection.roomId
  }

  /** The state, predicted up to the present. */
  get session() {
    return /** @type {LockstepSession | PredictedSession} */ (this.#session)
  }

  get world() {
    return this.session.simulation.world
  }

  /** The id of the own body, once it is there. @returns {number | undefined} */
  get body() {
    return this.session.simulation.members.get(this.session.player)?.body
  }

  /** What the player holds from now on. @param {Uint8Array} input */
  setInput(input) {
    this.session.setInput(input)
  }

  /** Makes what is due. @param {number} [time] ms @returns {number} frames that were made: none once the room was left */
  update(time = performance.now()) {
    if (this.#hasLeft) return 0
    const { session } = this
    const made = session.update(time)
    if (session.needsState) this.#waitsSince = Math.min(this.#waitsSince, time - ASK_AGAIN)
    this.#askForState(time)
    if (!session.needsState) this.#connection.send(session.packet(time))
    return made
  }

  /** @param {number} time */
  #askForState(time) {
    if (time - this.#waitsSince < ASK_AGAIN) return
    this.#waitsSince = time
    this.#connection.send(encodeRequest())
  }

  /** @param {Uint8Array} bytes */
  async #receive(bytes) {
    const kind = kindOf(bytes)
    if (kind === KIND.events || kind === KIND.states)
      this.#session?.receive(bytes, performance.now())
    if (kind === KIND.welcome) await this.#welcome(bytes.slice())
  }

  /** @param {Uint8Array} bytes */
  async #welcome(bytes) {
    const message = decodeWelcome(bytes)
    this.#token = message.token
    this.#waitsSince = Infinity
    if (message.world.length === 0) return this.#session?.resume(message)
    const welcome = { ...message, world: await inflate(message.world) }
    const before = this.#session
    if (before) this.smoothing.onRollback(before.simulation, true)
    this.#session = new SESSIONS[this.#mode](this.#scene, welcome, performance.now(), {
      inputDelay: this.#inputDelay,
    })
    if (before) this.#replace(before)
    this.states++
    this.#session.onRollback = (isBefore) =>
      this.smoothing.onRollback(this.session.simulation, isBefore)
    this.#onFirst()
  }

  /** The session is a new one: what is drawn goes over to it. @param {LockstepSession | PredictedSession} before */
  #replace(before) {
    this.smoothing.onRollback(this.session.simulation, false)
    Object.assign(this.session.statistics, before.statistics)
    this.session.onEvent = before.onEvent
    this.session.setInput(before.input)
    if (this.session instanceof PredictedSession && before instanceof PredictedSession)
      this.session.interpolation = before.interpolation
    before.free()
  }

  /** Leaves the room for good, and frees the world: nothing is to be drawn of it any more. */
  async leave() {
    this.#hasLeft = true
    await this.#connection.leave()
    this.#session?.free()
  }
}

/** @param {Scene} scene @param {string} mode @param {readonly string[]} endpoints @throws {RangeError} */
function checkOptions(scene, mode, endpoints) {
  if (typeof scene?.build !== 'function' || typeof scene.name !== 'string')
    throw new RangeError(`scene must be the scene of the room (docs/rooms.md), is ${scene}`)
  if (!Object.hasOwn(SESSIONS, mode))
    throw new RangeError(`mode must be one of ${Object.keys(SESSIONS).join(', ')}, is ${mode}`)
  if (!Array.isArray(endpoints) || endpoints.length === 0)
    throw new RangeError(`endpoints must be a list of addresses http://host:port, is ${endpoints}`)
  const strange = endpoints.find(
    (endpoint) => !/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint),
  )
  if (strange !== undefined)
    throw new RangeError(`endpoints must be addresses http://host:port, one is ${strange}`)
}
