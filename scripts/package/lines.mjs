// Lines of bundles, and what maps say of them.
//
// Node shows the line of an error that nobody caught. A bundle of a single line would fill the user's terminal with itself.

import { decode, encode } from '@jridgewell/sourcemap-codec'
import { parseSync, Visitor } from 'rolldown/utils'
import { Failure } from '../tools.mjs'

/** Characters from which on a line ends where a statement begins. */
const LONG_LINE = 300

/** @typedef {{ start: number }} Part of a program */

/**
 * Where a line may begin: at statements, members of classes, cases, and further variables of a declaration. Before each of them is
 * a brace, a semicolon, a comma or a colon, so that the line break means nothing.
 * @param {string} file
 * @param {string} code
 * @returns {number[]} offsets, ascending
 */
function beginnings(file, code) {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Failure(`${file}: ${errors[0].message}`)
  /** @type {number[]} */
  const starts = []
  /** @param {Part[]} parts */
  const add = (parts) => starts.push(...parts.map(({ start }) => start))
  new Visitor({
    Program: ({ body }) => add(body),
    BlockStatement: ({ body }) => add(body),
    StaticBlock: ({ body }) => add(body),
    ClassBody: ({ body }) => add(body),
    SwitchStatement: ({ cases }) => add(cases),
    VariableDeclaration: ({ declarations }) => add(declarations.slice(1)),
  }).visit(program)
  return starts.sort((a, b) => a - b)
}

/**
 * The last beginnings before lines would be too long.
 * @param {number[]} starts ascending
 */
function chooseBreaks(starts) {
  /** @type {number[]} */
  const breaks = []
  let line = 0
  let last = 0
  for (const start of starts) {
    if (start - line > LONG_LINE && last > line) breaks.push((line = last))
    last = start
  }
  return breaks
}

/**
 * @param {string} code
 * @param {number[]} breaks
 */
const cut = (code, breaks) =>
  [0, ...breaks].map((from, i) => code.slice(from, breaks[i])).join('\n')

/**
 * The mappings of a text that got line breaks.
 * @param {string} mappings
 * @param {string} code without them
 * @param {number[]} breaks offsets in `code`
 */
function cutMappings(mappings, code, breaks) {
  let line = 0
  const lines = decode(mappings).flatMap((segments) => {
    const next = code.indexOf('\n', line) + 1 || code.length + 1
    const inside = breaks.filter((at) => at > line && at < next).map((at) => at - line)
    line = next
    return [0, ...inside].map((from, i) => {
      const to = inside[i] ?? Infinity
      const own = segments.filter(([column]) => column >= from && column < to)
      return own.map(([column, ...source]) => [column - from, ...source])
    })
  })
  return encode(/** @type {import('@jridgewell/sourcemap-codec').SourceMapMappings} */ (lines))
}

/**
 * Breaks a bundle into lines that a person can see.
 * @template {{ mappings: string }} Map
 * @param {string} file its name
 * @param {string} code
 * @param {Map} map
 * @returns {{ code: string, map: Map }}
 */
export function breakLines(file, code, map) {
  const breaks = chooseBreaks(beginnings(file, code))
  return {
    code: cut(code, breaks),
    map: { ...map, mappings: cutMappings(map.mappings, code, breaks) },
  }
}
