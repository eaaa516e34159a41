// XML as the importers read it: elements with attributes and elements in them. Text between elements means nothing to them.

import { MoreauError } from '../../core/errors.mjs'

/**
 * An element.
 * @typedef {object} Element
 * @property {string} name
 * @property {Readonly<Record<string, string>>} attributes
 * @property {readonly Element[]} children
 * @property {string} path where it is, for messages: names from the root on, with the `name` attribute or the place among its like
 */

/**
 * What a parser gives of an element.
 * @typedef {object} RawElement
 * @property {string} name
 * @property {Record<string, string>} attributes
 * @property {RawElement[]} children
 */

/**
 * The root element of a document. Browsers parse with their `DOMParser`, Node with fast-xml-parser.
 * @param {string} text
 * @param {string} where for messages
 * @returns {Promise<Element>}
 * @throws {MoreauError} `invalid-argument` with the line where it is no XML
 */
export async function parseXml(text, where) {
  if (typeof text !== 'string') {
    throw new MoreauError('invalid-argument', `${where}: text must be a string of XML`)
  }
  const parser =
    typeof globalThis.DOMParser === 'function' ? parseInBrowser : (await import('./node.mjs')).parse
  const result = parser(text)
  if ('name' in result) return named(result, result.name)
  throw new MoreauError('invalid-argument', `${where}: text is no XML: ${result.problem}`)
}

/**
 * @param {string} text
 * @returns {RawElement | { problem: string }}
 */
function parseInBrowser(text) {
  const document = new globalThis.DOMParser().parseFromString(text, 'application/xml')
  const problem = document.querySelector('parsererror')
  if (problem !== null) return { problem: problem.textContent ?? '' }
  return rawOf(document.documentElement)
}

/**
 * @param {globalThis.Element} element
 * @returns {RawElement}
 */
const rawOf = (element) => ({
  name: element.tagName,
  attributes: Object.fromEntries(
    Array.from(element.attributes, ({ name, value }) => [name, value]),
  ),
  children: Array.from(element.children, rawOf),
})

/**
 * @param {RawElement} raw
 * @param {string} path
 * @returns {Element}
 */
function named({ name, attributes, children }, path) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const elements = children.map((child) => {
    const count = counts.get(child.name) ?? 0
    counts.set(child.name, count + 1)
    return named(child, `${path}/${child.name}[${child.attributes.name ?? count}]`)
  })
  return { name, attributes, children: elements, path }
}
