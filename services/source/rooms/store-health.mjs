import { messageOf } from '../operations/error-text.mjs'
import { RareLog } from '../operations/index.mjs'

/** ms after which Redis is said not to answer */
const SILENCE = 1000

/** Why Redis does not do what it is asked for: a word, and the sentence. @typedef {{ cause: string, reason: string }} Trouble */

/**
 * What is wrong with Redis, as its answers tell. A refusal stands until Redis takes a write again that it would refuse as well (`probe`), because
 * many commands still work where it is full.
 */
export class StoreHealth {
  #log
  #rareLog
  #now
  /** @type {Trouble & { since: number } | undefined} */
  #refusal
  /** Why there is no connection. @type {Trouble | undefined} */
  #connection
  /** When what is not answered yet was asked for. @type {Set<{ at: number }>} */
  #asked = new Set()
  /** Counts what failed. @type {(cause: string) => void} */
  onFailure = () => {}

  /** @param {import('pino').Logger} log @param {() => number} [now] ms, of a clock that does not jump */
  constructor(log, now = () => performance.now()) {
    this.#log = log
    this.#rareLog = new RareLog(log, now)
    this.#now = now
  }

  /** @returns {Trouble | undefined} */
  get trouble() {
    return this.#connection ?? this.#silence ?? this.#refusal
  }

  /** @returns {Trouble | undefined} */
  get #silence() {
    const [oldest] = this.#asked
    const wait = oldest ? this.#now() - oldest.at : 0
    if (wait < SILENCE) return undefined
    return { cause: 'silence', reason: `no answer for ${(wait / 1000).toFixed(0)} s` }
  }

  /**
   * Notes how a command ends.
   * @template Answer
   * @param {Promise<Answer>} answer
   * @returns {Promise<Answer>}
   */
  async watch(answer) {
    const asked = { at: this.#now() }
    this.#asked.add(asked)
    try {
      return await answer
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#asked.delete(asked)
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    const { cause, reason } = troubleOf(error)
    this.onFailure(cause)
    this.#refusal = { cause, reason, since: this.#refusal?.since ?? this.#now() }
    this.#rareLog.warn(cause, { reason }, 'Redis refuses; rooms go on')
  }

  /** A connection failed. @param {Error} error */
  disconnected(error) {
    const { cause, reason } = troubleOf(error)
    this.onFailure(cause)
    this.#connection = { cause, reason: `no connection: ${reason}` }
    this.#rareLog.warn(cause, { reason }, 'no connection to Redis; rooms go on')
  }

  connected() {
    this.#connection = undefined
  }

  /** Tells when what Redis refused is told of: it may be over. */
  get isRefused() {
    return this.#refusal !== undefined
  }

  /** Redis has taken what it would have refused. */
  recovered() {
    if (!this.#refusal) return
    const { cause, since } = this.#refusal
    const seconds = Math.round((this.#now() - since) / 1000)
    this.#refusal = undefined
    this.#log.info({ cause, seconds, leftOut: this.#rareLog.leftOut }, 'Redis takes all again')
  }
}

/** @param {unknown} error of the library @returns {Trouble} without the words of the command that failed */
export function troubleOf(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (Object(error))
  const reason = String(messageOf(error) || code || error)
    .split('\n')[0]
    .slice(0, 200)
  // Redis' errors begin with a word for the kind, those of scripts have it there too.
  const [word] = /^[A-Z]{3,}\b/.exec(reason) ?? []
  return { cause: code ?? word ?? Object(error).name ?? 'unknown', reason }
}
