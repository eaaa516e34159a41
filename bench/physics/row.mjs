/**
 * A row of the table of physics: what is measured, and what it must come to.
 */

/** @typedef {import('../engines/engine.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */

/**
 * @typedef {object} Goal
 * @property {string} text
 * @property {(value: number) => boolean} isMet
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title
 * @property {'' | 's' | 'm' | 'mm' | 'm/s' | 'rad/s' | '%' | '°'} unit of the table; values are in SI units, degrees and parts
 * @property {Goal | null} goal of Moreau; null where a row only shows
 * @property {boolean} [ownOption] whether it is about an option that Moreau alone has
 * @property {(engine: Engine, quick: boolean) => Promise<Outcome>} measure the figure, with `quick` by a shorter or smaller run
 */

/**
 * @param {string} text
 * @param {number} limit
 * @returns {Goal}
 */
export const below = (text, limit) => ({ text, isMet: (value) => value < limit })

/**
 * @param {string} text
 * @param {number} lower
 * @param {number} upper
 * @returns {Goal}
 */
export const within = (text, lower, upper) => ({
  text,
  isMet: (value) => value >= lower && value <= upper,
})

/** The two ways to a force: one that the user applies before each step, one that the engine computes. */
export const WAYS = /** @type {const} */ (['force', 'potential'])
