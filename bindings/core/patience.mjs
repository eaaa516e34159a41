import { invalid } from './describe.mjs'

// How long somebody waits for the answer of another thread, which may never come: its script may be missing, be of
// another version, or hang.

/** Seconds. A slow phone starts a worker within some of them. */
export const DEFAULT_TIMEOUT = 30
/**
 * The time is waited for in so many parts. A thread that was asleep or busy wakes up with its timers before it is given
 * the messages that came meanwhile; so it loses one part, not all of the time.
 */
const PARTS = 8
/** Milliseconds; timers of hosts take a longer time for none. */
const LONGEST_PART = 2 ** 31 - 1

/**
 * @param {unknown} value seconds
 * @param {string} path
 * @returns {number}
 */
export function readTimeout(value, path) {
  if (typeof value === 'number' && value > 0) return value
  throw invalid(path, 'a number of seconds above 0, or Infinity', value)
}

/** Waits for a time, and says so when it is over. */
export class Patience {
  #part
  #over
  #left = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /**
   * @param {number} seconds above 0; Infinity: for ever
   * @param {() => void} over is called once for each `begin` that no `end` follows in time
   */
  constructor(seconds, over) {
    this.#part = (1000 * seconds) / PARTS
    this.#over = over
  }

  /** Waits anew. */
  begin() {
    this.end()
    if (this.#part > LONGEST_PART) return
    this.#left = PARTS
    this.#wait()
  }

  /** Waits no more. */
  end() {
    clearTimeout(this.#timer)
  }

  #wait() {
    this.#timer = setTimeout(() => {
      if (--this.#left > 0) this.#wait()
      else this.#over()
    }, this.#part)
  }
}

/**
 * @template Value
 * @param {number} seconds
 * @param {Promise<Value>} promise
 * @param {string} what has not happened when the time is over
 * @returns {Promise<Value>} rejects when the time is over
 */
export async function within(seconds, promise, what) {
  /** @type {Patience | undefined} */
  let patience
  const isOver = new Promise((_, reject) => {
    patience = new Patience(seconds, () => reject(new Error(`${what} within ${seconds} s`)))
    patience.begin()
  })
  try {
    return await /** @type {Promise<Value>} */ (Promise.race([promise, isOver]))
  } finally {
    patience?.end()
  }
}
