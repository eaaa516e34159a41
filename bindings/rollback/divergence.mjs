import { MoreauError } from '../core/errors.mjs'
import { describeDifference } from '../state/difference.mjs'

/** @import { StateDifference } from '../state/difference.mjs' */

/** The same frame came out in two ways. Its `code` is `diverged`. */
export class Divergence extends MoreauError {
  /**
   * @param {string} where
   * @param {number} frame
   * @param {readonly StateDifference[]} differences
   */
  constructor(where, frame, differences) {
    const [first, ...others] = differences
    const rest = others.length > 0 ? `; ${others.length} more values differ` : ''
    super('diverged', `${where}: frame ${frame}: ${describeDifference(first)}${rest}`)
    /**
     * The first frame at whose beginning the states differ.
     * @readonly
     */
    this.frame = frame
    /**
     * What differs, most first.
     * @readonly
     */
    this.differences = differences
  }
}
