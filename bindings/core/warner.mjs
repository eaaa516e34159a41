// Advice to people who develop with the engine: what is allowed, and is hardly ever meant. Nothing of it
// changes what is computed.

/** @import { Advice, AdviceCode } from '../types/index.mjs' */

/** What was said on the console, which many worlds share. @type {Set<AdviceCode>} */
const printed = new Set()

/** Says each kind of advice once. */
export class Warner {
  /** @type {Set<AdviceCode>} */
  #told = new Set()
  #to

  /** @param {boolean | ((advice: Advice) => void)} [to] `warnings` of a world */
  constructor(to = true) {
    this.#to = to
  }

  /**
   * @param {AdviceCode} code
   * @returns {boolean} whether it is still to be said: ask before a text is made
   */
  wants(code) {
    if (this.#to === false) return false
    return this.#to === true ? !printed.has(code) : !this.#told.has(code)
  }

  /**
   * @param {AdviceCode} code
   * @param {string} message
   */
  tell(code, message) {
    if (!this.wants(code)) return
    this.#told.add(code)
    if (typeof this.#to === 'function') {
      this.#to(/** @type {Advice} */ (Object.freeze({ code, message })))
      return
    }
    printed.add(code)
    globalThis.console?.warn(`moreau: ${message} (${code}; World option warnings: false ends this)`)
  }
}
