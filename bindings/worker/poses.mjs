import { blend, STRIDE } from '../objects/pose-blend.mjs'

/** @import { World } from '../index.mjs' */

/** As many frames as can lie between what is drawn and what has come last. */
const KEPT = 4

/** @typedef {{ time: number, transforms: Float32Array, ids: Float64Array }} Kept */

/** The poses of the last frames, for pictures of the time between them. */
export class Poses {
  /** The oldest first. @type {Kept[]} */
  #kept = []

  /**
   * @param {World} world which shows a new frame
   * @param {number} time of it
   */
  keep({ transforms, bodyIds }, time) {
    const last = this.#kept.at(-1)
    // Of one time there is one frame, the newest.
    const isOther = last === undefined || time !== last.time
    const room =
      isOther && this.#kept.length === KEPT
        ? this.#kept.shift()
        : isOther
          ? undefined
          : this.#kept.pop()
    const kept = fitting(room, transforms.length)
    kept.time = time
    kept.transforms.set(transforms)
    kept.ids.set(bodyIds)
    this.#kept.push(kept)
  }

  /** What comes next has nothing to do with what was before. */
  reset() {
    this.#kept.length = 0
  }

  /**
   * The poses at a time: those of a frame, or between two.
   * @param {World} world
   * @param {number} time seconds of the world
   * @param {Float32Array} out
   */
  at(world, time, out) {
    const kept = this.#kept
    let after = 0
    while (after < kept.length && kept[after].time < time) after++
    const from = after < kept.length ? kept[after - 1] : undefined
    const to = kept[Math.min(after, kept.length - 1)]
    const { transforms, bodyIds } = world
    out.set(transforms)
    if (to === undefined) return
    const part = from ? (time - from.time) / (to.time - from.time) : 1
    for (let slot = 0, at = 0; at < to.transforms.length; slot++, at += STRIDE) {
      // What was made since, or put into another's slot, is where it is.
      if (to.ids[slot] === 0 || to.ids[slot] !== bodyIds[slot]) continue
      if (from && from.ids[slot] === to.ids[slot])
        blend(from.transforms, to.transforms, part, out, at)
      else for (let i = at; i < at + STRIDE; i++) out[i] = to.transforms[i]
    }
  }
}

/**
 * @param {Kept | undefined} room
 * @param {number} floats
 * @returns {Kept}
 */
function fitting(room, floats) {
  if (room && room.transforms.length === floats) return room
  return { time: 0, transforms: new Float32Array(floats), ids: new Float64Array(floats / STRIDE) }
}
