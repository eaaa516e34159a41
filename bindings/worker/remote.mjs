// What a world in a worker has opened there: a history, a recording. Here is what asks for it.

/**
 * How something there is asked.
 * @typedef {object} Line
 * @property {(name: string, args: unknown[]) => Promise<any>} ask for a member of it
 * @property {(name: string, args: unknown[]) => Promise<void>} jump has a member take the world there elsewhere, and this one after it
 * @property {() => void} close it is of no use any more
 */

/**
 * The last steps of a world in a worker, to which it can go back: made by `await world.history(options)`. As `History` of
 * `moreau`, by promises.
 *
 * What is called between `seek` or `rewind` and the end of its promise is lost, as what they lead back to has no place for it.
 *
 * @example
 * const history = await world.history({ seconds: 10 })
 * for (let i = 0; i < 120; i++) await world.step(1 / 60)
 * await history.rewind(60)
 */
export class WorkerHistory {
  #line

  /**
   * @internal
   * @param {Line} line
   */
  constructor(line) {
    this.#line = line
  }

  /**
   * The first and the last frame that can be sought, by `stepCount`.
   * @returns {Promise<Readonly<{ first: number, last: number }>>}
   */
  get frames() {
    return this.#line.ask('frames', [])
  }

  /**
   * What the frames take.
   * @returns {Promise<number>} bytes
   */
  get bytes() {
    return this.#line.ask('bytes', [])
  }

  /**
   * Makes the world what it was after a step.
   * @param {number} frame from `frames.first` to `frames.last`
   * @returns {Promise<void>} settles when it is so here too; rejects as `seek` of `moreau` throws
   */
  seek(frame) {
    return this.#line.jump('seek', [frame])
  }

  /**
   * Goes back by a number of steps.
   * @param {number} steps
   * @returns {Promise<void>} as of `seek`
   */
  rewind(steps) {
    return this.#line.jump('rewind', [steps])
  }

  /** Ends it and gives its memory back. A second call does nothing. */
  free() {
    this.#line.close()
  }
}

/** A recording that is being made in a worker: `await world.record()`. */
export class WorkerRecording {
  #line

  /**
   * @internal
   * @param {Line} line
   */
  constructor(line) {
    this.#line = line
  }

  /**
   * How many steps it has.
   * @returns {Promise<number>}
   */
  get steps() {
    return this.#line.ask('steps', [])
  }

  /**
   * Ends the recording.
   * @returns {Promise<Uint8Array>} for `World.replay` of `moreau`; the same at a second call
   */
  stop() {
    return this.#line.ask('stop', [])
  }
}
