// What is generated of the options of a world: JavaScript (bindings/generated), types and documentation.

import { ENUMS } from '../../bindings/schema/enums.mjs'
import { WORLD_OPTIONS } from '../../bindings/schema/world-options.mjs'
import { crossingOf, rangeOf } from './c.mjs'
import { enumTypes, placesModule } from './javascript.mjs'
import { comment } from './words.mjs'

/** @import { OptionSchema } from '../../bindings/schema/world-options.mjs' */

const HEAD = '// Made by scripts/generate-bindings.mjs from bindings/schema.\n'

/** Bytes that JavaScript may ask for: half of the address space of the module. */
const MOST_BYTES = '2 ** 31 - 1'

const MEMBERS = WORLD_OPTIONS.filter(({ member }) => member !== false)

/** Where each option begins in the list of settings. */
function places() {
  let place = 0
  return MEMBERS.map((option) => {
    const found = { option, place }
    place += crossingOf(option).numbers
    return found
  })
}

// --- readers --------------------------------------------------------------------------------------

/**
 * A function that reads a value, given it and its path.
 * @param {OptionSchema} option
 */
function readerOf({ kind, enum: name, least, most }) {
  const readers = {
    vector: 'toVector',
    word: `(value, path) => readWordNumber(value, path, ${ENUMS[name ?? '']?.list})`,
    count: `(value, path) => readInteger(value, path, ${least}, ${most})`,
    bytes: `(value, path) => readInteger(value, path, 1, ${MOST_BYTES})`,
    number: 'readNonNegative',
    fraction: 'readFraction',
    positive: 'readPositive',
    automatic: 'readOrAuto',
    flag: 'readBoolean',
    teller: 'readTeller',
  }
  return readers[kind]
}

/**
 * @param {OptionSchema} option
 * @param {number} [place] in the list; undefined: of the world alone
 */
function readerText(option, place) {
  return `  ${option.name}: [${[readerOf(option), place].filter((item) => item !== undefined).join(', ')}],`
}

/** bindings/generated/places/settings.mjs */
export function settingPlaces() {
  const found = places().map(({ option, place }) => /** @type {const} */ ([option.name, place]))
  const count = MEMBERS.reduce((sum, option) => sum + crossingOf(option).numbers, 0)
  const title = 'Where each setting is in the list of numbers in which settings travel.'
  return placesModule(title, [...found, ['NUMBERS', count]])
}

/** bindings/generated/world-options.mjs */
export function optionsModule() {
  const found = places()
  const others = WORLD_OPTIONS.filter(({ member }) => member === false)
  const texts = [
    ...found.map(({ option, place }) => readerText(option, place)),
    ...others.map((option) => readerText(option)),
  ]
  const body = texts.join('\n')
  const readers = ['readBoolean', 'readFraction', 'readInteger', 'readNonNegative', 'readOrAuto']
  readers.push('readPositive', 'readTeller', 'readWordNumber')
  const lists = Object.values(ENUMS).map(({ list }) => list)
  const used = (/** @type {string[]} */ names) => names.filter((name) => body.includes(name))
  return [
    HEAD,
    `import { ${used(readers).join(', ')} } from '../core/arguments.mjs'`,
    "import { toVector } from '../core/vectors.mjs'",
    `import { ${used(lists).join(', ')} } from './enums.mjs'`,
    '',
    "/** @import { Vector } from '../types/values.mjs' */",
    '',
    '/**',
    ' * Of all options by name: what reads a value, given it and its path, and where that goes in the list, if it does.',
    ' * @type {Readonly<Record<string, readonly [(value: unknown, path: string) => number | boolean | Function | Vector, number?]>>}',
    ' */',
    'export const READERS = Object.freeze({',
    body,
    '})',
    '',
  ].join('\n')
}

// --- getters and setters --------------------------------------------------------------------------

/** @param {OptionSchema} option @returns {{ get: string, set: string }} types */
function typesOf({ kind, enum: name }) {
  if (kind === 'vector') return { get: 'Readonly<Vector>', set: 'VectorLike' }
  if (kind === 'teller') {
    const type = 'boolean | ((advice: Advice) => void)'
    return { get: type, set: type }
  }
  const word = name && ENUMS[name].type
  const other = kind === 'flag' ? 'boolean' : kind === 'automatic' ? "number | 'auto'" : 'number'
  return { get: word ?? other, set: word ?? other }
}

/**
 * @param {OptionSchema} option
 * @param {number} place
 */
function getterText({ kind, name, enum: enumName }, place) {
  const number = `settingsOf(this, '${name}')[${place}]`
  const list = ENUMS[enumName ?? '']?.list
  if (kind === 'vector') {
    const all = `const settings = settingsOf(this, '${name}')`
    const items = `settings[${place}], settings[${place + 1}], settings[${place + 2}]`
    return `${all}\n    return Object.freeze([${items}])`
  }
  if (kind === 'word') return `return ${list}[${number}]`
  if (kind === 'automatic') return `return orAuto(${number})`
  return kind === 'flag' ? `return ${number} !== 0` : `return ${number}`
}

/** @param {string} text */
const capitalized = (text) => text[0].toUpperCase() + text.slice(1)

/** Unit and range, as far as there are any. @param {OptionSchema} option */
function factsOf(option) {
  return [option.unit, rangeOf(option)].filter(Boolean).join(', ')
}

/** @param {OptionSchema} option */
function sentences(option) {
  const { doc, more } = option
  const text = more === undefined ? doc : `${doc}; ${more}`
  const facts = factsOf(option)
  return facts === '' ? `${capitalized(text)}.` : `${facts}: ${text}.`
}

/**
 * @param {OptionSchema} option
 * @param {number} place
 */
function accessorText(option, place) {
  const { name } = option
  const { get, set } = typesOf(option)
  return [
    comment([sentences(option), `@returns {${get}}`], '  ', Infinity),
    `  get ${name}() {`,
    `    ${getterText(option, place)}`,
    '  }',
    '',
    `  /** @param {${set}} value */`,
    `  set ${name}(value) {`,
    `    changeSetting(this, '${name}', value)`,
    '  }',
  ].join('\n')
}

/** bindings/generated/world-settings.mjs */
export function settingsModule() {
  const body = places().map(({ option, place }) => accessorText(option, place))
  const lists = Object.values(ENUMS).map(({ list }) => list)
  const used = lists.filter((list) => body.some((text) => text.includes(`${list}[`)))
  const types = MEMBERS.flatMap(({ enum: name }) => (name ? [ENUMS[name].type] : []))
  return [
    HEAD,
    "import { changeSetting, orAuto, SettingsOwner, settingsOf } from '../objects/settings-owner.mjs'",
    `import { ${used.join(', ')} } from './enums.mjs'`,
    '',
    `/** @import { ${[...new Set(types)].join(', ')} } from './types.mjs' */`,
    "/** @import { Vector, VectorLike } from '../types/values.mjs' */",
    '',
    '/**',
    ' * The settings of a world, as in `WorldOptions`. All may be changed at any time; they count from the',
    ' * next step on. A part of `World`, and nothing by itself.',
    ' */',
    'export class WorldSettings extends SettingsOwner {',
    body.join('\n\n'),
    '}',
    '',
  ].join('\n')
}

// --- types and documentation ----------------------------------------------------------------------

/** @param {OptionSchema} option as JavaScript writes it */
function defaultOf(option) {
  if (Array.isArray(option.default)) return `[${option.default.join(', ')}]`
  const isText = typeof option.default === 'string'
  return isText ? `'${option.default}'` : String(option.default)
}

/** @param {OptionSchema} option */
function propertyText(option) {
  const { set } = typesOf(option)
  const facts = factsOf(option)
  const { doc, more, name } = option
  const initial = `default \`${defaultOf(option)}\``
  const lead = facts === '' ? initial : `${facts}; ${initial}`
  return `@property {${set}} [${name}] ${lead}: ${doc}${more === undefined ? '' : `; ${more}`}`
}

/** bindings/generated/types.mjs */
export function typesModule() {
  const options = [
    'Options of a world. All but `profile` and `warnings` may also be read and set later, under the same names.',
    '@typedef {object} WorldOptions',
    ...WORLD_OPTIONS.map(propertyText),
  ]
  return [
    HEAD,
    "/** @import { Advice } from '../types/advice.mjs' */",
    "/** @import { VectorLike } from '../types/values.mjs' */\n",
    ...enumTypes().map((text) => `${text}\n`),
    comment(options, '', Infinity),
    '',
    'export {}',
    '',
  ].join('\n')
}

/** @param {OptionSchema} option */
function tableRow(option) {
  const isText = typeof option.default !== 'number'
  const initial = isText ? `\`${defaultOf(option)}\`` : defaultOf(option)
  const facts = factsOf(option)
  const { doc, more, see, name } = option
  const text = `${facts === '' ? '' : `${facts}: `}${doc}${more === undefined ? '' : `; ${more}`}${see === undefined ? '' : ` (${see})`}`
  return `| \`${name}\` | ${initial} | ${text.replaceAll('|', '\\|')} |`
}

/** The table of options in docs/api.md. */
export function optionTable() {
  return ['| option | default | |', '| --- | --- | --- |', ...WORLD_OPTIONS.map(tableRow)].join(
    '\n',
  )
}
