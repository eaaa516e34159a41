import { sameBytes } from '../netcode/bytes.mjs'

/** @import { InputChange, RoomEvent } from '../netcode/events.mjs' */

/** @type {readonly RoomEvent[]} */
const NOTHING = Object.freeze([])

/** What is known of a room's events, and what this client's player did of which the room has not told yet. */
export class Timeline {
  #player
  /** By frame, in the order of their numbers. @type {Map<number, RoomEvent[]>} */
  #known = new Map()
  /** Own inputs of which the room has not told, in their order. @type {InputChange[]} */
  #own = []
  /** The first frame that is another one than when it was asked for; Infinity where all are the same. */
  firstChanged = Infinity

  /** @param {number} player */
  constructor(player) {
    this.#player = player
  }

  /** The inputs that the room has not told of. @returns {readonly InputChange[]} */
  get own() {
    return this.#own
  }

  /** Takes an input of this client's player to count as it is. @param {InputChange} change */
  predict(change) {
    this.#own.push(change)
  }

  /**
   * Takes an event of the room. An own input that counts where it was meant to changes nothing.
   * @param {RoomEvent} event
   * @param {boolean} isOwn whether it is the first own input that the room has not told of
   */
  confirm(event, isOwn) {
    const list = this.#known.get(event.frame)
    if (list) list.push(event)
    else this.#known.set(event.frame, [event])
    const guess = isOwn ? this.#own.shift() : undefined
    if (guess?.frame === event.frame && sameBytes(guess.input, event.input)) return
    this.firstChanged = Math.min(this.firstChanged, event.frame, guess?.frame ?? Infinity)
  }

  /** @param {number} frame @returns {readonly RoomEvent[]} what happens in it, as far as that is known */
  at(frame) {
    const known = this.#known.get(frame) ?? NOTHING
    const own = this.#own.filter((change) => change.frame === frame)
    if (own.length === 0) return known
    return [...known, ...own.map(({ input }) => ({ frame, player: this.#player, kind: 0, input }))]
  }

  /** Drops what happened before a frame. @param {number} frame */
  forget(frame) {
    for (const old of this.#known.keys()) if (old < frame) this.#known.delete(old)
  }
}
