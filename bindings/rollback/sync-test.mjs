import { checkNames, readInteger, readObject } from '../core/arguments.mjs'
import { Divergence } from './divergence.mjs'
import { keepInput } from './inputs.mjs'
import { MOST_FRAMES, OPTION_NAMES, RollbackWorld } from './rollback-world.mjs'

/** @import { World } from '../index.mjs' */
/** @import { RollbackOptions } from './rollback-world.mjs' */

/**
 * @typedef {object} SyncTestOptions
 * @property {number} [checkDistance] how many frames are made again in every frame, default 8
 */

/**
 * Finds out whether a game can be rolled back: in every frame it goes back `checkDistance` frames, makes them again with the
 * same inputs, and compares the checksums (as the SyncTestSession of GGRS). To be run before the first network game, and in
 * tests. A frame costs `checkDistance` frames more.
 * @template [Inputs=any]
 */
export class SyncTestSession {
  #game
  #distance
  /** Of the last frames. @type {Inputs[]} */
  #inputs = []
  #isResimulating = false

  /**
   * @param {World} world
   * @param {RollbackOptions<Inputs> & SyncTestOptions} options
   */
  constructor(world, options) {
    const where = 'SyncTestSession'
    checkNames(readObject(options, `${where}: options`), [...OPTION_NAMES, 'checkDistance'], where)
    const { checkDistance = 8, ...rest } = options
    const path = `${where}: checkDistance`
    this.#distance = readInteger(checkDistance, path, 1, MOST_FRAMES - 1)
    this.#game = new RollbackWorld(world, rest, this.#distance + 1)
    this.#game.saveState(0)
  }

  /** The frame that `advanceFrame` makes next. */
  get frame() {
    return this.#game.frame
  }

  /** Whether a frame is being made again, as in a RollbackSession. */
  get isResimulating() {
    return this.#isResimulating
  }

  /** @returns {string} the checksum of the state at the beginning of this frame */
  get checksum() {
    return /** @type {string} */ (this.#game.checksumOf(this.frame))
  }

  /**
   * Makes the next frame, then the last ones once more.
   * @param {Inputs} inputs for `applyInputs`
   * @throws {Divergence} where a frame came out differently, with the first such frame and what differs; the
   *   world is at that frame then, as it came out the second time
   */
  advanceFrame(inputs) {
    const { frame } = this
    this.#compare('changed outside of applyInputs before')
    this.#inputs[frame % this.#distance] = /** @type {Inputs} */ (
      keepInput(inputs, 'advanceFrame: inputs')
    )
    this.#advance(frame)
    this.#game.saveState()
    if (this.frame < this.#distance) return
    this.#game.loadState(this.frame - this.#distance)
    this.#isResimulating = true
    try {
      while (this.frame <= frame) {
        this.#advance(this.frame)
        this.#compare('made again')
      }
    } finally {
      this.#isResimulating = false
    }
  }

  /** @param {number} frame */
  #advance(frame) {
    this.#game.advanceFrame(this.#inputs[frame % this.#distance])
  }

  /**
   * Compares the world with what is kept of its frame.
   * @param {string} what was done with the frame
   */
  #compare(what) {
    const { frame } = this
    if (this.#game.checksum() === this.#game.checksumOf(frame)) return
    throw new Divergence(`SyncTestSession: ${what}`, frame, this.#game.differencesFrom(frame))
  }
}
