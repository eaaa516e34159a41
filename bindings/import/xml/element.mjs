// XML as the importers read it: elements with attributes and elements in them. The importers read it themselves, because the parsers
// of hosts differ: in what they allow, in their limits, and in that those of browsers do not say in which line an element is.

import { MoreauError } from '../../core/errors.mjs'
import { describe } from '../../core/describe.mjs'
import { Scanner } from './scanner.mjs'

/** @import { Place } from './place.mjs' */

/**
 * @typedef {object} ElementOnly
 * @property {string} name
 * @property {Readonly<Record<string, string>>} attributes by name; it inherits nothing
 * @property {readonly Element[]} children
 * @property {string} text what stands between its children, where that is more than blanks: its beginning
 */
/** @typedef {Place & ElementOnly} Element */

/** An element that is being read. @typedef {Element & { children: Element[], counts: Map<string, number> }} Open */

/** Elements within each other. Files of robots have some tens. */
const MOST_NESTED = 1000
/** Characters of a text between elements that warnings show, and of a name in a path. */
const MOST_TEXT = 40

/**
 * The root element of a document.
 *
 * What XML allows and files of robots have no use for is refused: declarations in a DOCTYPE, and with them entities beside the five
 * of XML. What it forbids and MuJoCo and ROS take is taken: blanks and comments before the XML declaration.
 *
 * @param {unknown} text
 * @param {string} where the call
 * @param {{ file?: string, path?: string }} [of] the file that it is the text of, and the path that stands for its root
 * @returns {Element}
 * @throws {MoreauError} `invalid-argument` with the line where it is no XML
 */
export function parseXml(text, where, { file, path } = {}) {
  if (typeof text !== 'string') {
    throw new MoreauError(
      'invalid-argument',
      `${where}: text must be a string of XML, got ${describe(text)}`,
    )
  }
  const scanner = new Scanner(text, where, file)
  /** @type {Open[]} */
  const open = []
  /** @type {Open | undefined} */
  let root
  for (let part = scanner.next(); part !== null; part = scanner.next()) {
    const parent = open.at(-1)
    if (part.kind === 'text') {
      const words = part.text.trim()
      if (words === '') continue
      if (parent === undefined) throw scanner.refuse(`text outside of elements: ${describe(words)}`)
      if (parent.text === '') parent.text = words.slice(0, MOST_TEXT)
    } else if (part.kind === 'end') {
      if (parent?.name !== part.name) {
        const expected = parent === undefined ? 'no element is open' : `<${parent.name}> is open`
        throw scanner.refuse(`</${part.name}> where ${expected}`)
      }
      open.pop()
    } else {
      if (parent === undefined && root !== undefined) {
        throw scanner.refuse(`<${part.name}> after the root element <${root.name}>`)
      }
      if (open.length >= MOST_NESTED) {
        throw scanner.refuse(`elements are within each other more than ${MOST_NESTED} deep`)
      }
      const element = begin(part, parent, { line: scanner.line, file, path })
      parent?.children.push(element)
      root ??= element
      if (!part.isEmpty) open.push(element)
    }
  }
  const last = open.at(-1)
  if (last !== undefined) {
    throw scanner.refuse(`<${last.name}> of line ${last.line} has no end`)
  }
  if (root === undefined) throw scanner.refuse('it has no element')
  return root
}

/**
 * @param {{ name: string, attributes: Record<string, string> }} tag
 * @param {Open | undefined} parent
 * @param {{ line: number, file: string | undefined, path: string | undefined }} place
 * @returns {Open}
 */
function begin({ name, attributes }, parent, { line, file, path = name }) {
  const common = { name, attributes, children: [], text: '', counts: new Map(), line }
  const own = file === undefined ? common : { ...common, file }
  if (parent === undefined) return { ...own, path }
  const count = parent.counts.get(name) ?? 0
  parent.counts.set(name, count + 1)
  const label = `${name}[${shown(attributes.name ?? String(count))}]`
  // A name may be the number of another one, or occur twice.
  const times = parent.counts.get(label) ?? 0
  parent.counts.set(label, times + 1)
  return { ...own, path: `${parent.path}/${label}${times === 0 ? '' : `#${times + 1}`}` }
}

/** @param {string} name */
const shown = (name) => (name.length > MOST_TEXT ? `${name.slice(0, MOST_TEXT)}...` : name)
