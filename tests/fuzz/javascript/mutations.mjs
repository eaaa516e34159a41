/**
 * Files of robots and scenes, changed at random: their text, their elements and attributes, the values of their JSON. Each is an
 * arbitrary of fast-check, so that failures shrink.
 */
import fc from 'fast-check'

/** What stands for a change: which, where, with what. @typedef {{ kind: number, at: number, to: number, value: number }} Change */

const change = fc.record({
  kind: fc.nat({ max: 1e6 }),
  at: fc.nat({ max: 1e6 }),
  to: fc.nat({ max: 1e6 }),
  value: fc.nat({ max: 1e6 }),
})

/** Changes of one file. */
export const changes = fc.array(change, { minLength: 1, maxLength: 4 })

/** @template Item @param {readonly Item[]} list @param {number} i @returns {Item} */
const pick = (list, i) => list[i % list.length]

const NAMES = ['__proto__', 'constructor', 'toString', 'world', 'a', '0', 'hasOwnProperty', 'x/y']
const VALUES = [
  ...['', ' ', '0', '-0', '1', '-1', '0.5', '1e-300', '1e300', '1e400', '-1e18', 'NaN', 'Infinity'],
  ...['1 2', '0 0', '1 0', '0 0 0', '0 0 0 0', '1 2 3', '1 2 3 4 5 6 7', '1,2,3', 'abc', 'true'],
  ...['false', 'auto', '0x10', '4294967296', '90 0 0', '1 1 1 1 1 1', '0 1 0 0 0 0 0', '\u00e4'],
  ...NAMES,
]
const TEXTS = [
  ...['<', '>', '&', '&lt;', '&x;', '&#0;', '&#xD800;', '"', "'", '/', '\0', '\ud800', '\ufeff'],
  ...['<!--', '-->', '<![CDATA[', ']]>', '<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>'],
  ...['<!DOCTYPE robot>', '</robot>', '<x/>', 'text', '\n', '<include file="inner.xml"/>'],
]

/** @param {string} text @param {Change} change */
function changeText(text, { kind, at, to, value }) {
  const [a, b] = [at % (text.length + 1), to % (text.length + 1)].sort((x, y) => x - y)
  switch (kind % 4) {
    case 0:
      return text.slice(0, a) + pick(TEXTS, value) + text.slice(a)
    case 1:
      return text.slice(0, a) + text.slice(a + 1)
    case 2:
      return text.slice(0, Math.max(a, b - (value % 40))) + text.slice(b)
    default:
      return value % 20 === 0
        ? text.slice(0, a)
        : text.slice(0, a) + text.slice(a, b) + text.slice(a)
  }
}

/** Where the pattern matches. @param {string} text @param {RegExp} pattern */
const found = (text, pattern) =>
  Array.from(text.matchAll(pattern), ({ 0: whole, 1: name, 2: value, index: at }) => ({
    at,
    whole,
    name,
    value,
  }))

const ATTRIBUTE = /\s([\w:]+)="([^"]*)"/g
const TAG = /<(\w+)/g
/** An element without others of its name in it. */
const ELEMENT = /<(\w+)\b[^<>]*(?:\/>|>(?:(?!<\1\b)[\s\S])*?<\/\1>)/g

/**
 * @param {string} text
 * @param {{ at: number, whole: string }} old
 * @param {string} instead
 */
const replace = (text, { at, whole }, instead) =>
  text.slice(0, at) + instead + text.slice(at + whole.length)

/**
 * @param {string} text of XML
 * @param {Change} one
 * @returns {string}
 */
export function changeXml(text, one) {
  const { kind, at, to, value } = one
  if (kind % 10 === 0) return changeText(text, { ...one, kind: to })
  const attributes = found(text, ATTRIBUTE)
  const tags = found(text, TAG)
  const elements = found(text, ELEMENT)
  if (attributes.length === 0 || tags.length === 0 || elements.length === 0) return text
  const attribute = pick(attributes, at)
  const other = pick(attributes, to)
  const element = pick(elements, at)
  switch (kind % 10) {
    case 1:
    case 2:
      return replace(text, attribute, ` ${attribute.name}="${pick(VALUES, value)}"`)
    case 3:
      return replace(text, attribute, ` ${attribute.name}="${other.value}"`)
    case 4:
      return replace(text, attribute, value % 3 === 0 ? '' : ` ${other.name}="${attribute.value}"`)
    case 5:
      return replace(text, attribute, `${attribute.whole} ${pick(NAMES, value)}="${other.value}"`)
    case 6: {
      const tag = pick(tags, at)
      const name = value % 3 === 0 ? pick(NAMES, to).replace(/\W/g, '_') : pick(tags, to).name
      return replace(text, tag, `<${name}`).replaceAll(`</${tag.name}>`, `</${name}>`)
    }
    case 7:
      return replace(text, element, '')
    case 8:
      return replace(text, element, element.whole + element.whole)
    default: {
      const place = pick(elements, to).at
      return text.slice(0, place) + element.whole + text.slice(place)
    }
  }
}

// --- JSON -----------------------------------------------------------------------------------------

const STRANGE = [
  ...[null, true, false, 0, -0, 1, -1, 2, 3, 0.5, 1e9, 2 ** 31, 2 ** 53, 1e300, NaN, Infinity],
  ...['', 'x', '-0', 'Infinity', '__proto__', 'constructor', 'data:;base64,!!!', '2.0'],
  ...[[], [0], [0, 0, 0], [1, 2, 3], [0, 0, 0, 0], [NaN, 0, 0], [[]], {}, { x: 1 }],
]

/** Objects and lists in a value, with themselves. @param {any} value @returns {any[]} */
function holders(value) {
  const list = [value]
  for (const one of list) {
    for (const inner of Object.values(one)) {
      if (typeof inner === 'object' && inner !== null) list.push(inner)
      if (list.length > 5000) return list
    }
  }
  return list
}

/**
 * Changes a value of JSON in its place.
 * @param {any} json
 * @param {Change} change
 */
export function changeJson(json, { kind, at, to, value }) {
  const all = holders(json).filter((one) => Object.keys(one).length > 0)
  if (all.length === 0) return
  const holder = pick(all, at)
  const key = pick(Object.keys(holder), to)
  const other = pick(all, value)
  const strange = () => structuredClone(pick(STRANGE, value))
  switch (kind % 8) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return
    case 1:
      holder[key] = structuredClone(other[pick(Object.keys(other), to)])
      return
    case 2:
      if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]))
      else holder[pick(NAMES, value)] = holder[key]
      return
    case 3:
    case 4:
      if (typeof holder[key] === 'number') holder[key] = pick([-1, 1, 2, 1e3, -holder[key]], value)
      else if (typeof holder[key] === 'string')
        holder[key] = changeText(holder[key], { kind, at: to, to: at, value })
      else holder[key] = strange()
      return
    case 5:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, strange())
      else holder[pick(Object.keys(other), to)] = strange()
      return
    default:
      holder[key] = strange()
  }
}

/**
 * Changes bytes of a file.
 * @param {Uint8Array} bytes
 * @param {Change} change
 * @returns {Uint8Array}
 */
export function changeBytes(bytes, { kind, at, to, value }) {
  const copy = bytes.slice(0, kind % 8 === 0 ? at % (bytes.length + 1) : bytes.length)
  // The head and the first bytes of chunks are where most can go wrong.
  const place = (kind % 3 === 0 ? at : at % 32) % Math.max(1, copy.length)
  if (copy.length > 0) copy[place] = kind % 2 === 0 ? value % 256 : copy[place] ^ (1 << (to % 8))
  return copy
}
