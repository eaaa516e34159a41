import { FRAME_TIME } from '../netcode/events.mjs'
import { isPresent, MOST_PLAYERS, valuesOf } from '../netcode/states.mjs'
import { Offset } from './offset.mjs'

/** Frames that others are shown in the past: two packets may be lost before one has to guess. */
const DELAY = 9
/** Frames of states that are kept. */
const KEPT = 60
/** Frames: beyond the newest states a body is shown where it was last. */
const POSE = 7

/** Shows the bodies of others where they were a moment ago, between the states that came. */
export class Interpolation {
  /** Oldest first. @type {{ frame: number, states: Int32Array }[]} */
  #history = []
  /** How others were shown last, by player. @type {Map<number, { now: number, pose: number[], offset: Offset }>} */
  #shown = new Map()

  /** @param {number} frame @param {Int32Array} states */
  add(frame, states) {
    const newest = this.#history.at(-1)
    if (newest && frame <= newest.frame) return
    this.#history.push({ frame, states })
    // The one before a pause is what the first one after it is reached from.
    while (this.#history.length > 2 && this.#history[1].frame < frame - KEPT) this.#history.shift()
  }

  /**
   * What comes after a pause may be far from where the last of before it was shown: no pose is further from the last one than the body went and
   * `Offset` allows.
   * @param {number} player
   * @param {number} now frame of the room, also between frames
   * @returns {number[] | undefined} position and orientation; undefined where it was not there
   */
  pose(player, now) {
    const pose = this.#between(player, now)
    if (!pose) {
      this.#shown.delete(player)
      return undefined
    }
    const last = this.#shown.get(player)
    const offset = last?.offset ?? new Offset()
    const asKnownNow = last && this.#between(player, last.now)
    if (asKnownNow) offset.absorb(last.pose, asKnownNow)
    offset.advance(Math.max(0, now - (last?.now ?? now)) * FRAME_TIME)
    this.#shown.set(player, { now, pose, offset })
    return offset.apply(pose)
  }

  /** @param {number} player @param {number} now @returns {number[] | undefined} what the states that came say */
  #between(player, now) {
    const time = now - DELAY
    const after = this.#history.findIndex(({ frame }) => frame > time)
    const to = this.#history[after < 0 ? this.#history.length - 1 : after]
    const from = after > 0 ? this.#history[after - 1] : to
    if (!to || player >= MOST_PLAYERS || !isPresent(to.states, player)) return undefined
    const end = valuesOf(to.states, player).slice(0, POSE)
    if (from === to || !isPresent(from.states, player)) return end
    const part = (time - from.frame) / (to.frame - from.frame)
    return blend(valuesOf(from.states, player).slice(0, POSE), end, part)
  }
}

/** @param {number[]} a @param {number[]} b poses @param {number} part @returns {number[]} */
function blend(a, b, part) {
  // q and -q are the same orientation: the way is the shorter one.
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]
  const sign = dot < 0 ? -1 : 1
  const pose = a.map((x, i) => x + part * ((i < 3 ? 1 : sign) * b[i] - x))
  const length = Math.hypot(...pose.slice(3)) || 1
  return pose.map((x, i) => (i < 3 ? x : x / length))
}
