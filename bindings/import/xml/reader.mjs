// Reads values of elements, and keeps book of what nobody asked for.

import { describe } from '../../core/describe.mjs'

/** @import { Vector } from '../../types/index.mjs' */
/** @import { Element } from './element.mjs' */
/** @import { Place } from './place.mjs' */

/**
 * What an importer did not take over, or not as it is written.
 * @typedef {object} ImportWarning
 * @property {string} path where in the file
 * @property {string} message
 * @property {number} [line] of XML: the line, from 1 on
 * @property {string} [file] that the file includes and the line is of; undefined: the file itself
 */

/** What was said so far, in the order of the file as it is read. */
export class Warnings {
  /** @type {ImportWarning[]} */
  list = []

  /**
   * @param {Place | string} place
   * @param {string} message
   * @param {string} [attribute] of the element at the place that it is about
   */
  add(place, message, attribute) {
    if (typeof place === 'string') {
      this.list.push({ path: place, message })
      return
    }
    const { path, line, file } = place
    this.list.push({
      path: attribute === undefined ? path : `${path}/@${attribute}`,
      message,
      ...(line !== undefined && { line }),
      ...(file !== undefined && { file }),
    })
  }
}

/**
 * Numbers of an attribute.
 * @param {Element} element
 * @param {string} name
 * @param {[least: number, most: number]} count how many there may be
 * @param {Warnings} warnings
 * @returns {number[] | undefined} undefined where there is no such attribute, or no such numbers
 */
export function numbersOf(element, name, [least, most], warnings) {
  const text = element.attributes[name]
  if (text === undefined) return undefined
  const words = text.trim().split(/\s+/)
  const numbers = words.map(Number)
  if (text.trim() === '' || numbers.length < least || !numbers.every(Number.isFinite)) {
    warnings.add(
      element,
      `${describe(text)} is not ${least === 1 ? 'a number' : `${least} numbers`}: ignored`,
      name,
    )
    return undefined
  }
  if (numbers.length > most) {
    warnings.add(element, `${describe(text)} is more than ${most} numbers: the first count`, name)
  }
  return numbers.slice(0, most)
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {number} preset
 * @param {Warnings} warnings
 */
export const numberOf = (element, name, preset, warnings) =>
  numbersOf(element, name, [1, 1], warnings)?.[0] ?? preset

/**
 * @param {Element} element
 * @param {string} name
 * @param {Warnings} warnings
 * @returns {number} 0 where there is none, or it is below 0, with a warning
 */
export function amountOf(element, name, warnings) {
  const number = numberOf(element, name, 0, warnings)
  if (number >= 0) return number
  warnings.add(element, `${number} is below 0: ignored`, name)
  return 0
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {Vector} preset
 * @param {Warnings} warnings
 * @returns {Vector}
 */
export function vectorOf(element, name, preset, warnings) {
  const numbers = numbersOf(element, name, [3, 3], warnings)
  return numbers === undefined ? preset : [numbers[0], numbers[1], numbers[2]]
}

/**
 * @template {string} Word
 * @param {Element} element
 * @param {string} name
 * @param {readonly Word[]} words that it may be; the first is what it is where it is not written
 * @param {Warnings} warnings
 * @returns {Word}
 */
export function wordOf(element, name, words, warnings) {
  const text = element.attributes[name]
  if (text === undefined) return words[0]
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  warnings.add(element, `${describe(text)} is none of ${words.join(', ')}: ${words[0]} holds`, name)
  return words[0]
}

/**
 * @param {Element} element
 * @param {string} name
 * @returns {Element | undefined} the first of that name
 */
export const childOf = (element, name) => element.children.find((child) => child.name === name)

/**
 * @param {Element} element
 * @param {string} name
 * @returns {Element[]}
 */
export const childrenOf = (element, name) => element.children.filter((child) => child.name === name)

/**
 * Warns of elements, attributes and text that an importer does not read.
 * @param {Element} element
 * @param {object} known
 * @param {readonly string[]} [known.attributes]
 * @param {readonly string[]} [known.once] children of which the first is read
 * @param {readonly string[]} [known.children] those of which all are
 * @param {Warnings} warnings
 */
export function warnOfOthers(element, { attributes = [], once = [], children = [] }, warnings) {
  for (const [name, value] of Object.entries(element.attributes)) {
    if (attributes.includes(name)) continue
    warnings.add(element, `${name}=${describe(value)} is not taken over`, name)
  }
  /** @type {Set<string>} */
  const seen = new Set()
  for (const child of element.children) {
    if (once.includes(child.name) && seen.has(child.name)) {
      warnings.add(child, `a second <${child.name}> is not taken over`)
    } else if (!once.includes(child.name) && !children.includes(child.name)) {
      warnings.add(child, `<${child.name}> is not taken over`)
    }
    seen.add(child.name)
  }
  warnOfText(element, warnings)
}

/**
 * @param {Element} element
 * @param {Warnings} warnings
 */
export function warnOfText(element, warnings) {
  if (element.text === '') return
  warnings.add(element, `the text ${describe(element.text)} is not taken over`)
}
