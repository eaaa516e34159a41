import { MoreauError } from '../core/errors.mjs'

/**
 * Members of Rapier that have no equal here: they throw, and name Moreau's way.
 * @param {object} target
 * @param {string} name of it
 * @param {Readonly<Record<string, string>>} ways by member
 */
export function refuse(target, name, ways) {
  for (const [member, way] of Object.entries(ways)) {
    const value = () => {
      const message = `${name}.${member}: not supported in Rapier's spelling: use ${way}`
      throw new MoreauError('not-supported', message)
    }
    Object.defineProperty(target, member, { value, configurable: true })
  }
}
