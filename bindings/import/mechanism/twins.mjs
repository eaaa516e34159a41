import { describe } from '../../core/describe.mjs'
import { refuse } from '../xml/place.mjs'

/** @import { Element } from '../xml/element.mjs' */

/**
 * Throws where two things of a kind have one name: whoever asked for it would get either.
 * @param {readonly Element[]} elements
 * @param {string} kind
 * @param {string} where the call
 */
export function refuseTwins(elements, kind, where) {
  /** @type {Map<string, Element>} */
  const named = new Map()
  for (const element of elements) {
    const { name } = element.attributes
    if (name === undefined) continue
    const first = named.get(name)
    if (first !== undefined) {
      const message = `a ${kind} named ${describe(name)} is there already, in line ${first.line}`
      throw refuse(where, element, message)
    }
    named.set(name, element)
  }
}
