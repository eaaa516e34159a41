/** @import { World } from 'moreau' */

/** The buffer is made by so much longer than a snapshot, for bodies and contacts to come. */
const GROWTH = 1.5

/**
 * A buffer for snapshots that are needed for a moment only: each takes the place of the last one. So large worlds that are written down again and
 * again make no garbage, for which all rooms would have to wait.
 */
export class Scratch {
  #bytes = new Uint8Array(0)

  /** @param {World} world @returns {Uint8Array} good until the next one is taken */
  take(world) {
    try {
      if (this.#bytes.length > 0) return world.snapshot(this.#bytes)
    } catch (error) {
      if (Object(error).code !== 'invalid-argument') throw error
    }
    const bytes = world.snapshot()
    this.#bytes = new Uint8Array(Math.ceil(GROWTH * bytes.length))
    return bytes
  }
}
