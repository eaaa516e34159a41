import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** @import { RawElement } from './element.mjs' */

/** Where the parser puts attributes. */
const ATTRIBUTES = ':@'

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
})

/**
 * @param {string} text
 * @returns {RawElement | { problem: string }}
 */
export function parse(text) {
  const valid = XMLValidator.validate(text)
  if (valid !== true) return { problem: `${valid.err.msg} (line ${valid.err.line})` }
  const [root] = elementsOf(parser.parse(text))
  return root ?? { problem: 'it has no element' }
}

/**
 * @param {Record<string, any>[]} nodes as the parser gives them: of each, one property is the name, with what is in it
 * @returns {RawElement[]}
 */
function elementsOf(nodes) {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES)
    if (name === undefined || name.startsWith('#')) return []
    return [{ name, attributes: node[ATTRIBUTES] ?? {}, children: elementsOf(node[name]) }]
  })
}
