import { EVENT } from '../netcode/events.mjs'
import { decodeEvents } from '../netcode/protocol.mjs'
import { RoomSimulation } from '../netcode/simulation.mjs'
import { MOST_PER_UPDATE, Session } from './session.mjs'
import { Timeline } from './timeline.mjs'

/** @import { RoomEvent } from '../netcode/events.mjs' */
/** @import { FrameHash, WelcomeMessage } from '../netcode/protocol.mjs' */
/** @import { Scene } from '../netcode/simulation.mjs' */

/** Frames from one kept state to the next, a divisor of the second between hashes: a state costs more than a few frames made again. */
const KEEP_EVERY = 12
/** Kept states. Prime to KEEP_EVERY, so that in the ring of kept frames (by frame modulo this) the last 35 have places of their own. */
const KEPT = 35
/** Frames that a client goes on without its room, so that it finds the way back: six seconds. */
const MOST_AHEAD = KEEP_EVERY * (KEPT - 2)

/** `late`: own inputs that counted later than meant. @typedef {import('./session.mjs').SessionStatistics & { late: number }} LockstepStatistics */

/**
 * A client of a lockstep room, without its network: it predicts that everybody goes on holding what they hold, and goes back where that was
 * wrong. As long as it is right it needs nothing from the room.
 */
export class LockstepSession extends Session {
  #scene
  #timeline
  #nextEvent
  /** Events of frames before this one are in the state that the session began with. */
  #start
  /** Frames before this one change no more. */
  #final
  /** Hashes of the room that are not compared yet. @type {FrameHash[]} */
  #hashes = []
  /** @type {LockstepStatistics} */
  statistics = { matches: 0, mismatches: 0, rollbacks: 0, resimulated: 0, late: 0 }

  /**
   * @param {Scene} scene
   * @param {WelcomeMessage} welcome with the world's bytes as they were before compression
   * @param {number} time ms
   * @param {{ inputDelay?: number }} [options] frames by which own inputs count later
   */
  constructor(scene, welcome, time, { inputDelay = 3 } = {}) {
    const simulation = RoomSimulation.restore(scene, welcome, KEPT)
    super(simulation, welcome, time, { inputDelay, inputBytes: scene.inputBytes })
    this.#scene = scene
    this.#timeline = new Timeline(welcome.player)
    this.sender.acknowledged = this.#nextEvent = welcome.nextEvent
    this.#start = this.#final = welcome.frame
  }

  get final() {
    return this.#final
  }

  /** Own inputs of which the room has not told. */
  get untold() {
    return this.#timeline.own.length
  }

  /** The number of the first event that is not here. */
  get nextEvent() {
    return this.#nextEvent
  }

  /** @param {Uint8Array} bytes a message of kind events @param {number} time ms */
  receive(bytes, time) {
    const message = decodeEvents(bytes, this.#scene.inputBytes)
    this.pace.received(message, time)
    this.sender.confirm(message.received)
    const isWhole = message.first <= this.#nextEvent
    if (!isWhole) return
    for (const event of message.items.slice(this.#nextEvent - message.first)) this.#take(event)
    if (message.items.length > 0) this.sender.owe(time)
    this.sender.acknowledged = this.#nextEvent
    this.#final = Math.max(this.#final, message.final)
    if (message.hash) this.#hashes.push(message.hash)
  }

  /** @param {number} time ms @returns {number} frames that were made, those again not counted */
  update(time) {
    this.#rollBack()
    // What is made without the way back is of no use.
    if (this.needsState) return 0
    const start = this.frame
    const furthest = Math.min(this.#final, this.#untoldFrame) + MOST_AHEAD
    const end = Math.min(this.pace.advance(time), start + MOST_PER_UPDATE, furthest)
    while (this.frame < end) this.#makeFrame()
    this.#compareHashes()
    this.#timeline.forget(this.#settled - KEEP_EVERY)
    return Math.max(0, end - start)
  }

  /** @param {RoomEvent} event */
  #take(event) {
    this.#nextEvent++
    this.onEvent(event)
    if (event.frame < this.#start) return
    const isOwn = event.kind === EVENT.input && event.player === this.player
    const meant = isOwn ? this.#timeline.own[0]?.frame : undefined
    if (meant !== undefined && meant < event.frame) this.statistics.late++
    this.#timeline.confirm(event, isOwn)
  }

  #makeFrame() {
    const change = this.sampleInput()
    if (change) this.#timeline.predict(change)
    this.#simulate()
  }

  #simulate() {
    if (this.frame % KEEP_EVERY === 0) this.simulation.keep()
    this.simulation.advance(this.#timeline.at(this.frame))
  }

  /** Makes all frames again from the first one that was wrong. */
  #rollBack() {
    const first = this.#timeline.firstChanged
    this.#timeline.firstChanged = Infinity
    const end = this.frame
    if (first >= end) return
    const start = this.#keptBefore(first)
    if (start === undefined) {
      this.needsState = true
      return
    }
    this.onRollback(true)
    this.simulation.goBack(start)
    while (this.frame < end) this.#simulate()
    this.onRollback(false)
    this.statistics.rollbacks++
    this.sender.rollbacks++
    this.statistics.resimulated += end - start
  }

  /** @param {number} frame @returns {number | undefined} the newest state that is kept of it or of a frame before */
  #keptBefore(frame) {
    for (let kept = frame; kept >= frame - KEEP_EVERY; kept--) {
      if (kept >= 0 && this.simulation.hashOf(kept) !== undefined) return kept
    }
    return undefined
  }

  /** The last frame up to which nothing changes: an own input that the room has not told of may count later than meant. */
  get #settled() {
    return Math.min(this.frame - 1, this.#final, this.#untoldFrame)
  }

  /** The frame of the first own input that the room has not told of. */
  get #untoldFrame() {
    return this.#timeline.own[0]?.frame ?? Infinity
  }

  /** Compares what was made and changes no more. */
  #compareHashes() {
    const end = this.#settled
    this.#hashes = this.#hashes.filter(({ frame, hash }) => {
      if (frame > end) return true
      const own = this.simulation.hashOf(frame)
      if (own === hash) this.statistics.matches++
      else if (own !== undefined) this.statistics.mismatches++
      if (own !== undefined && own !== hash) this.needsState = true
      return false
    })
  }
}
