import { checkNames, readInteger, readObject } from '../core/arguments.mjs'

/** @import { Filter } from '../types/index.mjs' */

/** Bits may be written as unsigned or, as `~x` gives them, as signed 32-bit numbers. */
const LOWEST = -(2 ** 31)
const HIGHEST_BITS = 2 ** 32 - 1
const HIGHEST_GROUP = 2 ** 31 - 1

/**
 * 32 bits.
 * @param {unknown} value
 * @param {string} path
 * @returns {number} 0 to 0xffffffff
 */
export function readBits(value, path) {
  return readInteger(value, path, LOWEST, HIGHEST_BITS) >>> 0
}

/**
 * What meets everything.
 * @type {Readonly<Required<Filter>>}
 */
export const FULL_FILTER = Object.freeze({ category: 1, mask: HIGHEST_BITS, group: 0 })

/**
 * A filter, with what it leaves out from another one.
 * @param {unknown} value a Filter
 * @param {string} path
 * @param {Readonly<Required<Filter>>} preset
 * @returns {[category: number, mask: number, group: number]}
 */
export function readFilter(value, path, preset) {
  const filter = readObject(value, path)
  checkNames(filter, ['category', 'mask', 'group'], path)
  const { category = preset.category, mask = preset.mask, group = preset.group } = filter
  return [
    readBits(category, `${path}.category`),
    readBits(mask, `${path}.mask`),
    readInteger(group, `${path}.group`, LOWEST, HIGHEST_GROUP),
  ]
}
