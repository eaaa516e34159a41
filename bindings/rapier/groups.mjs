// Interaction groups of Rapier: 16 bits of membership above 16 bits of filter.

/** @import { Filter } from '../index.mjs' */

/** All 16 groups. */
const ALL = 0xffff

/** @param {number | readonly number[]} groups */
const bitsOf = (groups) => [groups].flat().reduce((bits, group) => bits | (1 << group), 0) & ALL

/**
 * The number for `collisionGroups` and `solverGroups`: which groups something is in, and which it meets.
 * Two meet if each is in a group that the other meets.
 * @param {number | readonly number[]} memberships 0 to 15
 * @param {number | readonly number[]} [filters] 0 to 15; default: all
 * @returns {number} 32 bits
 */
export const interactionGroups = (memberships, filters) =>
  ((bitsOf(memberships) << 16) | (filters === undefined ? ALL : bitsOf(filters))) >>> 0

/** @param {number} groups @returns {Filter} the same law, in the spelling of Moreau */
export const filterOf = (groups) => ({ category: groups >>> 16, mask: groups & ALL })

/** @param {number} a groups @param {number} b groups @returns {boolean} whether they meet */
export const doMeet = (a, b) => ((a >>> 16) & b & ALL) !== 0 && ((b >>> 16) & a & ALL) !== 0
