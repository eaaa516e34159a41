// The marks of an XML document, one after another: tags, and the text between them. Comments, processing instructions and the XML
// declaration, wherever it stands, are passed over.

import { MoreauError } from '../../core/errors.mjs'
import { describe } from '../../core/describe.mjs'

/** @typedef {{ kind: 'begin', name: string, attributes: Record<string, string>, isEmpty: boolean }} Begin */
/** @typedef {Begin | { kind: 'end', name: string } | { kind: 'text', text: string }} Part */

const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y
const BLANKS = /[ \t\r\n]*/y
const REFERENCE = /&([^;&\s]*)(;?)/g
/** What no XML has, but for halves of a pair of surrogates. */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
/** Halves of a pair of surrogates that stand alone. */
const HALF = /\p{Surrogate}/u
const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])
const LAST_CHARACTER = 0x10ffff

/** What is passed over or is text: how it begins, how it ends, and what it is called. */
const SPANS = /** @type {const} */ ([
  ['<!--', '-->', 'a comment'],
  ['<![CDATA[', ']]>', 'a CDATA section'],
  ['<?', '?>', 'a processing instruction'],
])

export class Scanner {
  #text
  #where
  #file
  #at = 0
  #counted = 0
  #lines = 1

  /**
   * @param {string} text
   * @param {string} where the call
   * @param {string | undefined} file
   */
  constructor(text, where, file) {
    this.#text = text
    this.#where = where
    this.#file = file
    const bad = text.search(FORBIDDEN)
    const worst = bad >= 0 ? bad : text.search(HALF)
    if (worst >= 0) {
      this.#at = worst
      const code = text.charCodeAt(worst).toString(16).toUpperCase().padStart(4, '0')
      throw this.refuse(`U+${code} is no character of XML; was the file read as UTF-8?`)
    }
    // A byte order mark.
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1
  }

  /** Where the next mark begins, or the one that was read last. */
  get line() {
    for (; this.#counted < this.#mark; this.#counted++) {
      if (this.#text.charCodeAt(this.#counted) === 10) this.#lines++
    }
    return this.#lines
  }

  #mark = 0

  /** @param {string} message */
  refuse(message) {
    this.#mark = Math.max(this.#mark, this.#at)
    const file = this.#file === undefined ? '' : `${this.#file}, `
    return new MoreauError(
      'invalid-argument',
      `${this.#where}: text is no XML (${file}line ${this.line}): ${message}`,
    )
  }

  /** @returns {Part | null} null: it has ended */
  next() {
    const text = this.#text
    while (this.#at < text.length) {
      this.#mark = this.#at
      if (text[this.#at] !== '<') return this.#characters()
      const span = SPANS.find(([begin]) => text.startsWith(begin, this.#at))
      if (span !== undefined) {
        const inner = this.#pass(span[0], span[1], span[2])
        if (span[0] === '<![CDATA[') return { kind: 'text', text: inner }
      } else if (text.startsWith('<!DOCTYPE', this.#at)) this.#passDoctype()
      else if (text[this.#at + 1] === '/') return this.#end()
      else return this.#begin()
    }
    this.#mark = text.length
    return null
  }

  /**
   * @param {string} begin
   * @param {string} end
   * @param {string} what
   * @returns {string} what is between both
   */
  #pass(begin, end, what) {
    const from = this.#at + begin.length
    const to = this.#text.indexOf(end, from)
    if (to < 0) throw this.refuse(`${what} has no end '${end}'`)
    this.#at = to + end.length
    return this.#text.slice(from, to)
  }

  #passDoctype() {
    const inner = this.#pass('<!DOCTYPE', '>', 'a DOCTYPE')
    if (!inner.includes('[')) return
    throw this.refuse('a DOCTYPE with declarations, of entities for instance, is not read')
  }

  /** @returns {Part} */
  #characters() {
    const end = this.#text.indexOf('<', this.#at)
    const to = end < 0 ? this.#text.length : end
    const text = this.#text.slice(this.#at, to)
    this.#at = to
    return { kind: 'text', text }
  }

  /** @returns {Part} */
  #end() {
    this.#at += 2
    const name = this.#name('the name of an end tag')
    this.#take(BLANKS)
    this.#expect('>')
    return { kind: 'end', name }
  }

  /** @returns {Part} */
  #begin() {
    this.#at++
    const name = this.#name('the name of an element')
    /** @type {Record<string, string>} */
    const attributes = Object.create(null)
    for (;;) {
      const hasBlank = this.#take(BLANKS) !== ''
      const letter = this.#text[this.#at]
      if (letter === '>' || letter === '/') {
        this.#at++
        if (letter === '/') this.#expect('>')
        return { kind: 'begin', name, attributes, isEmpty: letter === '/' }
      }
      if (letter === undefined) throw this.refuse(`the tag <${name}> has no end`)
      if (!hasBlank) throw this.refuse(`a blank is missing in the tag <${name}>`)
      const attribute = this.#name(`an attribute of <${name}>`)
      if (attribute in attributes)
        throw this.refuse(`<${name}> has the attribute ${attribute} twice`)
      this.#take(BLANKS)
      this.#expect('=')
      this.#take(BLANKS)
      attributes[attribute] = this.#value(attribute)
    }
  }

  /** @param {string} attribute */
  #value(attribute) {
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") throw this.refuse(`${attribute}= must be followed by "`)
    const written = this.#pass(quote, quote, `the value of ${attribute}`)
    if (written.includes('<')) throw this.refuse(`the value of ${attribute} has a '<'`)
    const blanks = written.replace(/[\t\r\n]/g, ' ')
    return blanks.replace(REFERENCE, (whole, name, end) => {
      const character = end === ';' ? characterOf(name) : undefined
      if (character !== undefined) return character
      throw this.refuse(`${describe(whole)} in ${attribute} is no character of XML`)
    })
  }

  /** @param {string} what */
  #name(what) {
    const name = this.#take(NAME)
    if (name !== '') return name
    throw this.refuse(`${describe(this.#text.slice(this.#at, this.#at + 10))} is not ${what}`)
  }

  /** @param {string} letter */
  #expect(letter) {
    if (this.#text[this.#at] !== letter) throw this.refuse(`'${letter}' is missing`)
    this.#at++
  }

  /**
   * @param {RegExp} pattern a sticky one
   * @returns {string} what matches it here, which is passed
   */
  #take(pattern) {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? ['']
    this.#at += found.length
    return found
  }
}

/**
 * @param {string} name of a reference: of an entity, or `#` and a number
 * @returns {string | undefined}
 */
function characterOf(name) {
  const [, hexadecimal, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  if (hexadecimal === undefined && decimal === undefined) return ENTITIES.get(name)
  const code = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16)
  if (code > LAST_CHARACTER) return undefined
  const character = String.fromCodePoint(code)
  return FORBIDDEN.test(character) || HALF.test(character) ? undefined : character
}
