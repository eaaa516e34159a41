// What each kind of field of the schema is, in C and in the shared block.

import { ENUMS } from '../../bindings/schema/enums.mjs'
import { RECORDS } from '../../bindings/schema/records.mjs'
import { camelCase } from './words.mjs'

/**
 * @typedef {object} Kind
 * @property {number} numbers doubles of the shared block
 * @property {string} c type of the member
 * @property {(member: string) => string} read an assignment in C, from the cursor `at`
 * @property {(member: string) => string} write a statement in C, to the cursor `at`
 * @property {string} take an expression of JavaScript, from the engine `io`
 * @property {(value: string) => string} put items of a list of JavaScript, the numbers of a value
 * @property {string} type of JavaScript
 * @property {number} [bytes] in the memory of the module, where layouts may have it
 */

/**
 * @param {string} c
 * @param {string} reader
 * @param {Partial<Kind>} [more]
 * @returns {Kind}
 */
const single = (c, reader, more) => ({
  numbers: 1,
  c,
  read: (member) => `${member} = ${reader}(at);`,
  write: (member) => `write_number(at, (double)${member});`,
  take: 'io.take()',
  put: (value) => value,
  type: 'number',
  ...more,
})

/**
 * @param {string} name
 * @param {number} numbers
 * @param {Partial<Kind>} [more]
 * @returns {Kind}
 */
const several = (name, numbers, more) => ({
  numbers,
  c: `mo_${name}`,
  read: (member) => `${member} = read_${name}(at);`,
  write: (member) => `write_${name}(at, ${member});`,
  take: `io.takeAll(${numbers})`,
  put: (value) => `...${value}`,
  type: 'readonly number[]',
  ...more,
})

/** @type {Readonly<Record<string, Kind>>} */
const KINDS = {
  number: single('double', 'read_number', { bytes: 8 }),
  uint: single('uint32_t', 'read_uint', { bytes: 4 }),
  int: single('int32_t', 'read_int', { bytes: 4 }),
  size: single('size_t', 'read_uint'),
  flag: single('bool', 'read_bool', {
    take: 'io.take() !== 0',
    put: (value) => `+${value}`,
    type: 'boolean',
    bytes: 1,
  }),
  id: single('mo_body_id', 'read_body_id', {
    write: (member) => `write_body_id(at, ${member});`,
    bytes: 8,
  }),
  pointer: single('void *', 'read_pointer', {
    write: (member) => `write_pointer(at, ${member});`,
  }),
  vec3: several('vec3', 3, { take: 'io.takeVector()', type: 'Vector', bytes: 24 }),
  quat: several('quat', 4),
  mat3: several('mat3', 9),
  indices: several('indices', 3, { take: 'io.takeVector()', type: 'Vector' }),
}

/**
 * @param {string} name of a kind, of an enum or of a record
 * @returns {Kind}
 */
export function kindOf(name) {
  if (name in KINDS) return KINDS[name]
  if (name in ENUMS) return enumKind(name)
  if (name in RECORDS) return recordKind(name)
  throw new Error(`bindings/schema: no kind '${name}'`)
}

/** @param {string} name */
function enumKind(name) {
  const { c, list } = ENUMS[name]
  return single(c ?? 'int', 'read_uint', {
    read: (member) => `${member} = (${c})read_uint(at);`,
    take: `${list}[io.take()]`,
    put: (value) => `${list}.indexOf(${value})`,
    type: `(typeof ${list})[number]`,
  })
}

/**
 * @param {string} name
 * @returns {Kind}
 */
function recordKind(name) {
  const { c, fields } = RECORDS[name]
  const pascal = pascalName(name)
  return {
    numbers: Object.values(fields).reduce((sum, field) => sum + kindOf(field).numbers, 0),
    c: c ?? `abi_${name}`,
    read: (member) => `read_${name}(at, &${member});`,
    write: (member) => `write_${name}(at, &${member});`,
    take: `take${pascal}(io)`,
    put: (value) => putItems(fields, value),
    type: pascal,
  }
}

/**
 * @param {Readonly<Record<string, string>>} fields
 * @param {string} value
 */
function putItems(fields, value) {
  const items = Object.entries(fields).map(([name, kind]) =>
    kindOf(kind).put(`${value}.${camelCase(name)}`),
  )
  return items.join(', ')
}

/** @param {string} name */
export const pascalName = (name) =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase())

/** @param {string} name of a record @returns {number} doubles of the shared block that it takes */
export const numbersOf = (name) => kindOf(name).numbers
