// The C header of the boundary (bindings/generated/abi.h), and what the engine's own sources have of
// the options of a world.

import { ENUMS } from '../../bindings/schema/enums.mjs'
import { LAYOUTS, RECORDS } from '../../bindings/schema/records.mjs'
import { WORLD_OPTIONS } from '../../bindings/schema/world-options.mjs'
import { kindOf } from './fields.mjs'
import { comment, snakeCase, upperCase } from './words.mjs'

/** @import { EnumSchema, EnumWord } from '../../bindings/schema/enums.mjs' */
/** @import { RecordSchema } from '../../bindings/schema/records.mjs' */
/** @import { OptionSchema } from '../../bindings/schema/world-options.mjs' */

/** Options that are members of mo_world_def. */
const MEMBERS = WORLD_OPTIONS.filter(({ member }) => member !== false)

// --- enums ----------------------------------------------------------------------------------------

/**
 * @param {EnumSchema} schema
 * @param {EnumWord} word
 */
function constantOf({ prefix }, word) {
  return prefix + (typeof word === 'string' ? upperCase(word) : word.constant)
}

/**
 * The constants of the boundary alone are defined; the others have the numbers that JavaScript takes
 * them to have, and no constant is left out, which is what a compiler's warning of a switch says.
 * @param {string} name
 */
function enumText(name) {
  const schema = ENUMS[name]
  const constants = schema.words.map((word) => constantOf(schema, word))
  const numbered = constants.map((constant, i) => `${constant} = ${i}`)
  if (schema.c === undefined) return `enum { ${numbered.join(', ')} };`
  const asserts = constants.map((constant, i) => assertText(`${constant} == ${i}`, name))
  const all = schema.last ? [...constants, schema.prefix + schema.last] : constants
  return [
    ...asserts,
    `static inline void check_${schema.c}(${schema.c} value) {`,
    '  switch (value) {',
    ...all.map((constant) => `  case ${constant}:`),
    '    break;',
    '  }',
    '}',
  ].join('\n')
}

/**
 * @param {string} condition
 * @param {string} what
 */
const assertText = (condition, what) =>
  `_Static_assert(${condition}, "bindings/schema and moreau.h differ: ${what}");`

// --- records --------------------------------------------------------------------------------------

/**
 * A field in C. What only goes out is not copied into a struct of the boundary first: that holds pointers
 * to other records.
 * @param {RecordSchema} schema
 * @param {string} field
 * @param {string} kindName
 */
function fieldText({ c, way }, field, kindName) {
  const { c: type, read, write } = kindOf(kindName)
  const isPointer = c === undefined && way === 'out' && kindName in RECORDS
  return {
    member: `  ${isPointer ? `const ${type} *` : type} ${field};`,
    read: `  ${read(`record->${field}`)}`,
    write: `  ${isPointer ? `write_${kindName}(at, record->${field});` : write(`record->${field}`)}`,
  }
}

/**
 * @param {string} name
 * @param {RecordSchema} schema
 */
function recordText(name, schema) {
  const { c, way, fields } = schema
  const type = c ?? `abi_${name}`
  const texts = Object.entries(fields).map(([field, kind]) => fieldText(schema, field, kind))
  const lines = [`#define ${name.toUpperCase()}_NUMBERS ${kindOf(name).numbers}`]
  if (c === undefined) {
    lines.push(`typedef struct ${type} {`, ...texts.map(({ member }) => member), `} ${type};`)
  }
  if (way !== 'out') {
    lines.push(`static inline void read_${name}(cursor *at, ${type} *record) {`)
    lines.push(...texts.map(({ read }) => read))
    lines.push('}')
  }
  if (way !== 'in') {
    lines.push(`static inline void write_${name}(cursor *at, const ${type} *record) {`)
    lines.push(...texts.map(({ write }) => write))
    lines.push('}')
  }
  return lines.join('\n')
}

// --- layouts --------------------------------------------------------------------------------------

/**
 * Where the fields of a struct lie in the memory of the module, in bytes.
 * @param {string} name
 * @returns {{ size: number, alignment: number, offsets: Record<string, number> }}
 */
export function layoutOf(name) {
  /** @type {Record<string, number>} */
  const offsets = {}
  let size = 0
  let alignment = 1
  for (const [field, kind] of Object.entries(LAYOUTS[name].fields)) {
    const inner = kind in LAYOUTS ? layoutOf(kind) : undefined
    const bytes = inner?.size ?? kindOf(kind).bytes
    if (bytes === undefined) throw new Error(`bindings/schema: a layout cannot hold ${kind}`)
    const step = inner?.alignment ?? Math.min(bytes, 8)
    offsets[field] = Math.ceil(size / step) * step
    size = offsets[field] + bytes
    alignment = Math.max(alignment, step)
  }
  return { size: Math.ceil(size / alignment) * alignment, alignment, offsets }
}

/** @param {string} name */
function layoutText(name) {
  const { c } = LAYOUTS[name]
  const { size, offsets } = layoutOf(name)
  return [
    assertText(`sizeof(${c}) == ${size}`, c),
    ...Object.entries(offsets).map(([field, offset]) =>
      assertText(`offsetof(${c}, ${field}) == ${offset}`, `${c}.${field}`),
    ),
  ].join('\n')
}

// --- options of a world ---------------------------------------------------------------------------

/** How the kinds of options cross the boundary, if they do: a teller stays in JavaScript. */
const CROSSING = Object.freeze({
  ...{ vector: 'vec3', count: 'uint', bytes: 'number', number: 'number', fraction: 'number' },
  ...{ positive: 'number', automatic: 'number', flag: 'flag', word: '', teller: '' },
})

/** @param {OptionSchema} option */
export const crossingOf = (option) => kindOf(option.enum ?? CROSSING[option.kind])

/** @param {OptionSchema} option */
const memberOf = (option) => `settings->${snakeCase(option.name)}`

function settingsText() {
  const numbers = MEMBERS.reduce((sum, option) => sum + crossingOf(option).numbers, 0)
  return [
    `#define SETTINGS_NUMBERS ${numbers}`,
    'static inline void read_settings(cursor *at, mo_world_def *settings) {',
    ...MEMBERS.map((option) => `  ${crossingOf(option).read(memberOf(option))}`),
    '}',
    'static inline void write_settings(cursor *at, const mo_world_def *settings) {',
    ...MEMBERS.map((option) => `  ${crossingOf(option).write(memberOf(option))}`),
    '}',
  ].join('\n')
}

/** bindings/generated/abi.h */
export function abiHeader() {
  const names = Object.keys(RECORDS)
  return [
    '/* Made by scripts/generate-bindings.mjs from bindings/schema. */',
    '// clang-format off',
    '#ifndef MOREAU_ABI_GENERATED_H',
    '#define MOREAU_ABI_GENERATED_H',
    '',
    '#include "../abi/block.h"',
    '',
    ...Object.keys(ENUMS).map((name) => `${enumText(name)}\n`),
    ...names.map((name) => `${recordText(name, RECORDS[name])}\n`),
    ...Object.keys(LAYOUTS).map((name) => `${layoutText(name)}\n`),
    settingsText(),
    '',
    '#endif',
    '',
  ].join('\n')
}

// --- the engine's own sources ---------------------------------------------------------------------

/** @param {OptionSchema} option */
function defaultInC(option) {
  if (Array.isArray(option.default)) return `(${option.default.join(', ')})`
  if (option.kind === 'automatic') return '-1'
  if (option.enum === undefined) return String(option.default)
  return constantOf(ENUMS[option.enum], String(option.default))
}

/** What is said of the values of an option: "1 to 64", "0 or more". @param {OptionSchema} option */
export function rangeOf({ kind, least, most }) {
  if (kind === 'count') return `${least} to ${most}`
  if (kind === 'fraction') return '0 to 1'
  if (kind === 'positive') return 'above 0'
  return kind === 'number' || kind === 'automatic' ? '0 or more' : undefined
}

/**
 * A text that names things as JavaScript does, in the words of C.
 * @param {string} text
 */
function inC(text) {
  return text
    .replaceAll("`'auto'` is", 'below 0 it is')
    .replace(/`([^`]*)`/g, (_, code) => (/^[a-z]+[A-Z]/.test(code) ? snakeCase(code) : code))
    .replace(/'([a-z-]+)'/g, '$1')
    .replaceAll('²', '^2')
}

/** @param {string} text */
const capitalized = (text) => text[0].toUpperCase() + text.slice(1)

/** @param {OptionSchema} option */
function memberComment(option) {
  const range = option.kind === 'automatic' ? undefined : rangeOf(option)
  const facts = [option.unit && inC(option.unit), range].filter(Boolean).join(', ')
  const text = inC(option.c ?? [option.doc, option.more].filter(Boolean).join('; '))
  const lead = facts === '' ? capitalized(text) : `${facts}: ${text}`
  return `${lead}. Default ${defaultInC(option)}.`
}

/** The members of mo_world_def, for include/moreau.h. */
export function worldDefMembers() {
  return MEMBERS.map((option) => {
    const type = option.kind === 'vector' ? 'mo_vec3' : crossingOf(option).c
    const text = comment([memberComment(option)], '  ')
    return `${text}\n  ${type} ${snakeCase(option.name)};`
  }).join('\n')
}

/** @type {Readonly<Record<string, string>>} */
const TABLE_KINDS = {
  ...{ vector: 'VECTOR', word: 'WORD', count: 'WHOLE', bytes: 'NUMBER', number: 'NUMBER' },
  ...{ fraction: 'NUMBER', positive: 'POSITIVE', automatic: 'NUMBER', flag: 'FLAG' },
}

/**
 * The least and the greatest value of an option, in C.
 * @param {OptionSchema} option
 * @returns {[string, string]}
 */
function limitsInC(option) {
  const { kind, least, most } = option
  if (kind === 'count') return [String(least), String(most)]
  if (kind === 'word') return ['0', String(ENUMS[option.enum ?? ''].words.length - 1)]
  if (kind === 'fraction') return ['0', '1']
  if (kind === 'bytes') return ['1', '(double)(SIZE_MAX / 2)']
  if (kind === 'number') return ['0', 'INFINITY']
  return ['-INFINITY', 'INFINITY']
}

/** @param {OptionSchema} option */
function mustOf(option) {
  if (option.must !== undefined) return option.must
  if (option.kind === 'vector') return 'must be finite'
  if (option.kind === 'word') return `must be one of ${ENUMS[option.enum ?? ''].c}`
  return option.kind === 'count' ? `must be ${rangeOf(option)}` : ''
}

/** @param {OptionSchema} option */
function tableRow(option) {
  const name = snakeCase(option.name)
  const initial = Array.isArray(option.default) ? option.default.join(', ') : defaultInC(option)
  const [least, most] = limitsInC(option)
  return `    {"${name}", OPTION_${TABLE_KINDS[option.kind]}, offsetof(mo_world_def, ${name}), {${initial}}, ${option.perLength === true}, ${least}, ${most}, "${mustOf(option)}"},`
}

/** The rows of the table of options, for src/world/settings.c. */
export const worldOptionRows = () => MEMBERS.map(tableRow).join('\n')

/** What an option is to the list of the state. @type {Readonly<Record<string, string>>} */
const STATE_KINDS = {
  ...{ VECTOR: 'NUMBERS', WORD: 'WORDS', WHOLE: 'WORDS' },
  ...{ NUMBER: 'NUMBERS', POSITIVE: 'NUMBERS', FLAG: 'FLAG' },
}

/** The options that motions depend on, for src/world/state_fields.c. */
export function settingsFields() {
  return MEMBERS.filter(({ state }) => state !== false)
    .map(({ kind, name }) => {
      const macro = STATE_KINDS[TABLE_KINDS[kind]]
      return `    ${macro}(mo_world_def, ${snakeCase(name)}),`
    })
    .join('\n')
}
