import { EVENT, NO_INPUT } from '../netcode/events.mjs'
import { decodeStates } from '../netcode/protocol.mjs'
import { RoomSimulation } from '../netcode/simulation.mjs'
import {
  applyChanges,
  difference,
  FIELDS,
  hashStates,
  isPresent,
  MOST_PLAYERS,
  placeBody,
  quantise,
  sceneBodies,
  valuesOf,
} from '../netcode/states.mjs'
import { Interpolation } from './interpolation.mjs'
import { MOST_PER_UPDATE, Session } from './session.mjs'

/** @import { InputChange } from '../netcode/events.mjs' */
/** @import { WelcomeMessage } from '../netcode/protocol.mjs' */
/** @import { Scene } from '../netcode/simulation.mjs' */

/** Frames from one kept state to the next: as the room sends. */
const KEEP_EVERY = 3
/** Kept states, prime to KEEP_EVERY: three seconds. */
const KEPT = 61
const MOST_AHEAD = KEEP_EVERY * (KEPT - 2)
/** Steps: the rounding of a state and of the one that it was predicted from. What differs by more is corrected. */
const TOLERANCE = 8
/** Packets whose states are remembered, as by the room. */
const REMEMBERED = 32

/**
 * A client of an authoritative room, without its network: it predicts its own body among the others with the same simulation, and goes back to
 * the room's state where that is another. Others are shown by `interpolation`.
 */
export class PredictedSession extends Session {
  #bodies
  /** Own inputs of frames that may be made again. @type {InputChange[]} */
  #inputs = []
  /** States by packet. @type {Map<number, Int32Array>} */
  #received = new Map()
  /** Own states by frame, as whole numbers. @type {Map<number, Int32Array>} */
  #predicted = new Map()
  /** The newest states that are not compared yet. @type {{ frame: number, states: Int32Array } | undefined} */
  #news
  #newest
  interpolation = new Interpolation()
  /** `agreed`: packets whose states were those predicted. @type {import('./session.mjs').SessionStatistics & { agreed: number }} */
  statistics = { matches: 0, mismatches: 0, rollbacks: 0, resimulated: 0, agreed: 0 }

  /**
   * @param {Scene} scene
   * @param {WelcomeMessage} welcome with the world's bytes as they were before compression
   * @param {number} time ms
   * @param {{ inputDelay?: number }} [options]
   */
  constructor(scene, welcome, time, { inputDelay = 3 } = {}) {
    const simulation = RoomSimulation.restore(scene, withoutOthersInputs(welcome, scene), KEPT)
    super(simulation, welcome, time, { inputDelay, inputBytes: scene.inputBytes })
    this.#bodies = sceneBodies(simulation)
    this.#newest = welcome.frame
  }

  /** The frame of the newest states. */
  get final() {
    return this.#newest
  }

  /** Own inputs that the room does not have, as far as is known. */
  get untold() {
    return this.sender.pending
  }

  /** Of packets nothing is resumed: the room begins anew. */
  get nextEvent() {
    return 0
  }

  /** @param {number} time ms @returns {number} the frame that the newest states would be of, also between frames */
  roomFrame(time) {
    return this.pace.heard(time)
  }

  /** @param {WelcomeMessage} welcome */
  resume(welcome) {
    this.#received.clear()
    this.sender.acknowledged = 0
    super.resume(welcome)
  }

  /** @param {Uint8Array} bytes a message of kind states @param {number} time ms */
  receive(bytes, time) {
    const message = decodeStates(bytes)
    this.pace.received(message, time)
    this.sender.confirm(message.received)
    const { packet, baseline, now, hash } = message
    const before = baseline > 0 ? this.#received.get(baseline) : this.#nothing()
    if (packet <= this.sender.acknowledged || !before) return
    const states = before.slice()
    applyChanges(states, message.changes)
    this.#remember(packet, states, time)
    if (hash && hash.hash === hashStates(states)) this.statistics.matches++
    else if (hash) this.#lose()
    this.interpolation.add(now, states)
    this.#newest = now
    this.#news = { frame: now, states }
  }

  #lose() {
    this.statistics.mismatches++
    this.needsState = true
  }

  #nothing() {
    return new Int32Array((MOST_PLAYERS + this.#bodies.length) * FIELDS)
  }

  /** @param {number} packet @param {Int32Array} states @param {number} time */
  #remember(packet, states, time) {
    this.#received.set(packet, states)
    this.#received.delete(packet - REMEMBERED)
    for (const old of this.#received.keys())
      if (old < packet - REMEMBERED) this.#received.delete(old)
    this.sender.acknowledged = packet
    this.sender.owe(time)
  }

  /** @param {number} time ms @returns {number} frames that were made */
  update(time) {
    this.#correct()
    const start = this.frame
    const limit = this.#newest + MOST_AHEAD
    const end = Math.min(this.pace.advance(time), start + MOST_PER_UPDATE, limit)
    while (this.frame < end) this.#makeFrame()
    return Math.max(0, end - start)
  }

  #makeFrame() {
    const change = this.sampleInput()
    if (change) this.#inputs.push(change)
    this.#simulate()
  }

  #simulate() {
    const { frame } = this
    if (frame % KEEP_EVERY === 0) {
      this.simulation.keep()
      this.#predicted.set(frame, quantise(this.simulation, this.#bodies))
      this.#predicted.delete(frame - KEEP_EVERY * KEPT)
    }
    const changes = this.#inputs.filter((change) => change.frame === frame)
    this.simulation.advance(
      changes.map(({ input }) => this.#event(EVENT.input, this.player, input)),
    )
  }

  /** @param {number} kind @param {number} player @param {Uint8Array} input */
  #event(kind, player, input) {
    return { frame: this.frame, player, kind, input }
  }

  /** Goes back to the room's states where the own ones are others, and makes the frames since then again. */
  #correct() {
    const news = this.#news
    if (!news || news.frame >= this.frame) return
    this.#news = undefined
    this.#inputs = this.#inputs.filter(({ frame }) => frame >= news.frame)
    const predicted = this.#predicted.get(news.frame)
    if (!predicted || this.simulation.hashOf(news.frame) === undefined) return
    const wrong = this.#differing(predicted, news.states)
    if (wrong.length === 0) this.statistics.agreed++
    else this.#makeAgain(news.frame, news.states, wrong)
  }

  /** @param {Int32Array} predicted @param {Int32Array} states @returns {number[]} entities */
  #differing(predicted, states) {
    const entities = []
    for (let entity = 0; entity * FIELDS < states.length; entity++) {
      const isThere = isPresent(states, entity)
      // Of a body that the room has never told of nothing is known.
      if (!isThere && entity >= MOST_PLAYERS) continue
      if (difference(predicted, states, entity) > TOLERANCE) entities.push(entity)
    }
    return entities
  }

  /** @param {number} start @param {Int32Array} states @param {number[]} wrong */
  #makeAgain(start, states, wrong) {
    const end = this.frame
    this.onRollback(true)
    this.simulation.goBack(start)
    for (const entity of wrong) this.#place(entity, states)
    while (this.frame < end) this.#simulate()
    this.onRollback(false)
    this.statistics.rollbacks++
    this.statistics.resimulated += end - start
    this.sender.rollbacks++
  }

  /** @param {number} entity @param {Int32Array} states */
  #place(entity, states) {
    const { members, world } = this.simulation
    const isThere = isPresent(states, entity)
    if (entity < MOST_PLAYERS && isThere !== members.has(entity)) {
      this.simulation.change(this.#event(isThere ? EVENT.join : EVENT.leave, entity, NO_INPUT))
    }
    const id =
      entity < MOST_PLAYERS ? members.get(entity)?.body : this.#bodies[entity - MOST_PLAYERS]
    const body = id === undefined ? undefined : world.bodyById(id)
    if (body && isThere) placeBody(body, valuesOf(states, entity))
  }
}

/**
 * What others hold is not told in authoritative rooms: they are predicted to roll on.
 * @param {WelcomeMessage} welcome
 * @param {Scene} scene
 * @returns {WelcomeMessage}
 */
function withoutOthersInputs(welcome, scene) {
  const members = /** @type {[number, number, string][]} */ (JSON.parse(welcome.user))
  const nothing = '00'.repeat(scene.inputBytes)
  const user = members.map(([player, body, input]) => [
    player,
    body,
    player === welcome.player ? input : nothing,
  ])
  return { ...welcome, user: JSON.stringify(user) }
}
