import { sameBytes } from '../netcode/bytes.mjs'
import { Pace } from './pace.mjs'
import { Sender } from './sender.mjs'

/** @import { InputChange, RoomEvent } from '../netcode/events.mjs' */
/** @import { WelcomeMessage } from '../netcode/protocol.mjs' */
/** @import { RoomSimulation } from '../netcode/simulation.mjs' */

/** Frames made in one update at the most, so that a page that slept does not freeze. */
export const MOST_PER_UPDATE = 60

/**
 * @typedef {object} SessionStatistics
 * @property {number} matches hashes that were those of the room
 * @property {number} mismatches hashes that were not
 * @property {number} rollbacks
 * @property {number} resimulated frames that were made again
 */

/** What clients of all rooms have in common: a simulation, the player's input, and when to send what. */
export class Session {
  #player
  #inputDelay
  #simulation
  /** @type {Uint8Array} */
  #held
  /** @type {Uint8Array} */
  #wanted
  #lastInputFrame = -1
  /** @protected */
  pace
  /** @protected */
  sender
  /** Whether the way is lost, and the whole state has to be asked for. */
  needsState = false
  /** Called with every event that a lockstep room tells of, for recordings. @type {(event: RoomEvent) => void} */
  onEvent = () => {}
  /**
   * Called before and after frames are made again, for what is drawn: `true` before.
   * @type {(isBefore: boolean) => void}
   */
  onRollback = () => {}

  /**
   * @param {RoomSimulation} simulation
   * @param {WelcomeMessage} welcome
   * @param {number} time ms
   * @param {{ inputDelay: number, inputBytes: number }} options
   */
  constructor(simulation, { player, frame, session, received }, time, { inputDelay, inputBytes }) {
    this.#simulation = simulation
    this.#player = player
    this.#inputDelay = inputDelay
    const held = simulation.members.get(player)?.input ?? new Uint8Array(inputBytes)
    this.#held = this.#wanted = held
    this.pace = new Pace(inputDelay)
    this.pace.begin(frame, time)
    this.sender = new Sender(this.pace, session, received)
  }

  get player() {
    return this.#player
  }

  get simulation() {
    return this.#simulation
  }

  get frame() {
    return this.#simulation.frame
  }

  get roundTrip() {
    return this.pace.roundTrip
  }

  /** What the player holds. */
  get input() {
    return this.#wanted
  }

  /** What the player holds from now on. @param {Uint8Array} input @throws {RangeError} where it is not as long as the scene's inputs */
  setInput(input) {
    if (!(input instanceof Uint8Array) || input.length !== this.#wanted.length)
      throw new RangeError(
        `setInput: input must be a Uint8Array of ${this.#wanted.length} bytes, the scene's inputBytes, is ${input instanceof Uint8Array ? `of ${input.length} bytes` : String(input)}`,
      )
    this.#wanted = input
  }

  /** @param {number} time ms @returns {Uint8Array | undefined} what is to be sent now, if anything */
  packet(time) {
    return this.sender.packet(time)
  }

  /** Goes on after the connection was lost, with what the room has by now. @param {WelcomeMessage} welcome */
  resume({ session, received }) {
    this.sender.resume(session, received)
  }

  free() {
    this.#simulation.free()
  }

  /** The input changes at most once in a frame. @protected @returns {InputChange | undefined} a change, which is to be sent from now on */
  sampleInput() {
    const frame = this.frame + this.#inputDelay
    if (sameBytes(this.#wanted, this.#held) || frame <= this.#lastInputFrame) return undefined
    const change = { frame, input: this.#wanted.slice() }
    this.#held = change.input
    this.#lastInputFrame = frame
    this.sender.add(change)
    return change
  }
}
