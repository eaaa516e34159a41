// The JavaScript of the boundary (bindings/generated): enums, records and layouts.

import { ENUMS } from '../../bindings/schema/enums.mjs'
import { LAYOUTS, RECORDS } from '../../bindings/schema/records.mjs'
import { layoutOf } from './c.mjs'
import { kindOf, pascalName } from './fields.mjs'
import { camelCase, comment } from './words.mjs'

/** @import { EnumWord } from '../../bindings/schema/enums.mjs' */

const HEAD = '// Made by scripts/generate-bindings.mjs from bindings/schema.\n'

// --- enums ----------------------------------------------------------------------------------------

/** @param {EnumWord} word */
const literalOf = (word) => {
  const text = typeof word === 'string' ? word : word.word
  return text === null ? 'null' : `'${text}'`
}

/** bindings/generated/enums.mjs */
export function enumsModule() {
  const lists = Object.values(ENUMS).map(({ c, prefix, list, words }) => {
    const order =
      c === undefined ? `As the constants ${prefix}... of the module.` : `In the order of ${c}.`
    const items = words.map(literalOf).join(', ')
    return `/** ${order} */\nexport const ${list} = /** @type {const} */ ([${items}])\n`
  })
  return [HEAD, ...lists].join('\n')
}

/** The public types of words, for bindings/generated/types.mjs. */
export function enumTypes() {
  return Object.values(ENUMS).flatMap(({ type, doc, words }) => {
    if (type === undefined) return []
    const union = words.map(literalOf).join(' | ')
    return [comment([...(doc ? [doc] : []), `@typedef {${union}} ${type}`], '', Infinity)]
  })
}

// --- records --------------------------------------------------------------------------------------

/**
 * Fields of a record as JavaScript has them, with their places in the block.
 * @param {string} name
 */
function fieldsOf(name) {
  let place = 0
  return Object.entries(RECORDS[name].fields).map(([field, kindName]) => {
    const kind = kindOf(kindName)
    const found = { name: camelCase(field), kind, kindName, place }
    place += kind.numbers
    return found
  })
}

/** @param {string} name */
function typeText(name) {
  const isInput = RECORDS[name].way !== 'out'
  const properties = fieldsOf(name).map(({ name: field, kind }) => {
    const type = isInput && kind.type === 'Vector' ? 'Readonly<Vector>' : kind.type
    return `${field}: ${type}`
  })
  return `/** @typedef {{ ${properties.join(', ')} }} ${pascalName(name)} */`
}

/**
 * A module of places, each a constant of its own: bundlers put the numbers where they are used.
 * @param {string} title
 * @param {readonly (readonly [string, number])[]} places
 */
export function placesModule(title, places) {
  const lines = places.map(([name, place]) => `export const ${name} = ${place}`)
  return [HEAD, comment([title], ''), '', ...lines, ''].join('\n')
}

/** @param {string} name */
function recordPlaces(name) {
  const places = fieldsOf(name).map(
    ({ name: field, place }) => /** @type {const} */ ([field, place]),
  )
  const title = 'Where each field is in the shared block, and how many numbers there are.'
  return placesModule(title, [...places, ['NUMBERS', kindOf(name).numbers]])
}

/** @param {string} name */
function putText(name) {
  const pascal = pascalName(name)
  return [
    '/**',
    ' * @param {Engine} io',
    ` * @param {${pascal}} r`,
    ' */',
    `export function put${pascal}(io, r) {`,
    `  io.putAll([${kindOf(name).put('r')}])`,
    '}',
  ].join('\n')
}

/** @param {string} name */
function takeText(name) {
  const fields = fieldsOf(name)
  const lines = fields.map(({ name: field, kind }) => `    ${field}: ${kind.take},`)
  const pascal = pascalName(name)
  return [
    '/**',
    ' * @param {Engine} io',
    ` * @returns {${pascal}}`,
    ' */',
    `export function take${pascal}(io) {`,
    '  return {',
    ...lines,
    '  }',
    '}',
  ].join('\n')
}

/**
 * All is taken before anything is written: setters of the object may call the engine.
 * @param {string} name
 */
function writeText(name) {
  const fields = fieldsOf(name)
  const pascal = pascalName(name)
  return [
    '/**',
    ' * All is taken before anything is written: setters of the object may call the engine.',
    ' * @param {Engine} io',
    ` * @param {${pascal}} out`,
    ' */',
    `export function write${pascal}(io, out) {`,
    ...fields.map(({ name: field, kind }) => `  const ${field} = ${kind.take}`),
    ...fields.map(({ name: field }) => `  out.${field} = ${field}`),
    '}',
  ].join('\n')
}

/** @type {Readonly<Record<string, (name: string) => string>>} */
const FORMS = { put: putText, take: takeText, write: writeText }

/** @param {string} name */
function recordText(name) {
  const forms = RECORDS[name].forms.filter((form) => form in FORMS)
  return [typeText(name), ...forms.map((form) => FORMS[form](name))].join('\n')
}

/** @param {string} text @returns {string} an import of the lists that it uses */
function listImport(text) {
  const lists = Object.values(ENUMS).map(({ list }) => list)
  const used = lists.filter((list) => new RegExp(`\\b${list}\\b`).test(text))
  return `import { ${used.join(', ')} } from './enums.mjs'\n`
}

// --- layouts --------------------------------------------------------------------------------------

/**
 * Places in doubles of what is made of doubles, in 32-bit numbers of everything else.
 * @param {string} name
 * @param {number} [start] bytes
 * @returns {(readonly [string, number])[]}
 */
function layoutPlaces(name, start = 0) {
  const { offsets } = layoutOf(name)
  return Object.entries(LAYOUTS[name].fields).flatMap(([field, kind]) => {
    const offset = start + offsets[field]
    if (kind in LAYOUTS) return layoutPlaces(kind, offset)
    const isDoubles = kind === 'number' || kind === 'vec3'
    return [[camelCase(field), offset / (isDoubles ? 8 : 4)]]
  })
}

/** @param {string} name */
function layoutModule(name) {
  const title = `Where the fields of a ${LAYOUTS[name].c} are: numbers and vectors counted in doubles, others in 32-bit numbers; BYTES is the size of all.`
  return placesModule(title, [...layoutPlaces(name), ['BYTES', layoutOf(name).size]])
}

/**
 * bindings/generated/places
 * @returns {Record<string, string>} text by name of the file
 */
export function placesModules() {
  const records = Object.keys(RECORDS).filter((name) => RECORDS[name].forms.includes('places'))
  const fileOf = (/** @type {string} */ name) => `${name.replaceAll('_', '-')}.mjs`
  return Object.fromEntries([
    ...records.map((name) => [fileOf(name), recordPlaces(name)]),
    ...Object.keys(LAYOUTS).map((name) => [fileOf(name), layoutModule(name)]),
  ])
}

/** bindings/generated/records.mjs */
export function recordsModule() {
  const body = Object.keys(RECORDS)
    .map((name) => `${recordText(name)}\n`)
    .join('\n')
  const counts = Object.keys(RECORDS).map(
    (name) => `export const ${name.toUpperCase()}_NUMBERS = ${kindOf(name).numbers}`,
  )
  return [
    `${HEAD}\n${listImport(body)}`,
    "/** @import { Engine } from '../core/engine.mjs' */",
    "/** @import { Vector } from '../types/values.mjs' */\n",
    '// Doubles of the shared block that each record takes. First of all: bundlers put numbers that stand here where they are used.',
    ...counts,
    '',
    body,
  ].join('\n')
}
