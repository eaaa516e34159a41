import { readObject } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'

/**
 * The functions of a custom constraint or potential, of which a scene has the name alone.
 * @param {unknown} known by name
 * @param {unknown} name
 * @param {string} path of the name
 * @param {'constraints' | 'potentials'} option where they are given
 * @returns {Record<string, unknown>}
 */
export function functionsOf(known, name, path, option) {
  const where = `World.fromJSON: options.${option}`
  const table = readObject(known, where)
  if (typeof name === 'string' && Object.hasOwn(table, name)) {
    return readObject(table[name], `${where}.${name}`)
  }
  const names = Object.keys(table).map((one) => describe(one))
  const there = names.length > 0 ? names.join(', ') : 'empty'
  throw invalid(path, `a name in options.${option} (${there}), which has its functions`, name)
}
