// Names of files as keys: they may be any text, `constructor` and `__proto__` among it, and may occur twice.

/** @import { Place } from './xml/place.mjs' */

/**
 * @template Value
 * @param {Record<string, Value>} record
 * @param {string} name
 * @param {Value} value
 */
export const setOwn = (record, name, value) =>
  Object.defineProperty(record, name, {
    ...{ value, writable: true, enumerable: true, configurable: true },
  })

/**
 * @template Value
 * @param {Readonly<Record<string, Value>>} record
 * @param {string} name
 * @returns {Value | undefined}
 */
export const getOwn = (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined)

/**
 * @param {string} name that a file does not have
 * @param {{ has: (name: string) => boolean }} taken
 * @returns {string} the name, or the name with a number that makes it another one
 */
export function unusedName(name, taken) {
  let unused = name
  for (let i = 2; taken.has(unused); i++) unused = `${name}#${i}`
  return unused
}

/** Characters of a path that is a name. */
const MOST_CHARACTERS = 200

/**
 * @param {Place} place of what has no name in the file
 * @returns {string} its path, or the end of that
 */
export const autoName = ({ path, line }) =>
  path.length <= MOST_CHARACTERS ? path : `...${path.slice(-MOST_CHARACTERS)} (line ${line})`
