// Reads values of elements, and keeps book of what nobody asked for.

/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Element } from './element.mjs' */

/**
 * What an importer did not take over, or not as it is written.
 * @typedef {object} ImportWarning
 * @property {string} path where in the file
 * @property {string} message
 */

/** What was said so far, in the order of the file as it is read. */
export class Warnings {
  /** @type {ImportWarning[]} */
  list = []

  /**
   * @param {string} path
   * @param {string} message
   */
  add(path, message) {
    this.list.push({ path, message })
  }
}

/**
 * Numbers of an attribute.
 * @param {Element} element
 * @param {string} name
 * @param {number} least how many there must be
 * @param {Warnings} warnings
 * @returns {number[] | undefined} undefined where there is no such attribute, or no such numbers
 */
export function numbersOf(element, name, least, warnings) {
  const text = element.attributes[name]
  if (text === undefined) return undefined
  const numbers = text.trim().split(/\s+/).map(Number)
  if (text.trim() !== '' && numbers.length >= least && numbers.every(Number.isFinite))
    return numbers
  warnings.add(
    `${element.path}/@${name}`,
    `'${text}' is not ${least === 1 ? 'a number' : `${least} numbers`}: ignored`,
  )
  return undefined
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {number} preset
 * @param {Warnings} warnings
 */
export const numberOf = (element, name, preset, warnings) =>
  numbersOf(element, name, 1, warnings)?.[0] ?? preset

/**
 * @param {Element} element
 * @param {string} name
 * @param {Vector} preset
 * @param {Warnings} warnings
 * @returns {Vector}
 */
export function vectorOf(element, name, preset, warnings) {
  const numbers = numbersOf(element, name, 3, warnings)
  return numbers === undefined ? preset : [numbers[0], numbers[1], numbers[2]]
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
 * Warns of elements and attributes that an importer does not read.
 * @param {Element} element
 * @param {{ attributes?: readonly string[], children?: readonly string[] }} known
 * @param {Warnings} warnings
 */
export function warnOfOthers(element, { attributes = [], children = [] }, warnings) {
  for (const name of Object.keys(element.attributes)) {
    if (!attributes.includes(name)) {
      warnings.add(
        `${element.path}/@${name}`,
        `${name}="${element.attributes[name]}" is not taken over`,
      )
    }
  }
  for (const child of element.children) {
    if (!children.includes(child.name))
      warnings.add(child.path, `<${child.name}> is not taken over`)
  }
}
