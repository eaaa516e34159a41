// Lines of bundles, and what maps say of them.
//
// Node shows the line of an error that nobody caught. A bundle of a single line would fill the user's terminal with itself.
// Functions and members of classes begin lines, whatever their length: lines that begin alike make gzip's work easier than
// breaks that stand now here, now there (600 bytes of 82,000).

import { decode, encode } from '@jridgewell/sourcemap-codec'
import { parseSync, Visitor } from 'rolldown/utils'
import { Failure } from '../tools.mjs'

/** Characters from which on a line ends where a statement begins. */
const LONG_LINE = 400

/** @typedef {{ start: number }} Part of a program */

/**
 * Where a line begins, and where it may begin: at statements, members of classes, cases, and further variables of a declaration.
 * Before each of them is a brace, a semicolon, a comma or a colon, so that the line break means nothing.
 * @param {string} file
 * @param {string} code
 * @returns {{ lines: Set<number>, starts: number[] }} offsets: of whole functions, classes and members; of all, ascending
 */
function beginnings(file, code) {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Failure(`${file}: ${errors[0].message}`)
  /** @type {number[]} */
  const lines = []
  /** @type {number[]} */
  const others = []
  /** @param {number[]} to @param {Part[]} parts */
  const add = (to, parts) => to.push(...parts.map(({ start }) => start))
  new Visitor({
    Program: ({ body }) => add(lines, body),
    ClassBody: ({ body }) => add(lines, body),
    BlockStatement: ({ body }) => add(others, body),
    StaticBlock: ({ body }) => add(others, body),
    SwitchStatement: ({ cases }) => add(others, cases),
    VariableDeclaration: ({ declarations }) => add(others, declarations.slice(1)),
  }).visit(program)
  return { lines: new Set(lines), starts: [...lines, ...others].sort((a, b) => a - b) }
}

/**
 * All beginnings of lines, and between them the last ones before lines would be too long.
 * @param {{ lines: Set<number>, starts: number[] }} beginnings
 */
function chooseBreaks({ lines, starts }) {
  /** @type {number[]} */
  const breaks = []
  let line = 0
  let last = 0
  for (const start of starts) {
    if (start - line > LONG_LINE && last > line) breaks.push((line = last))
    if (lines.has(start) && start > line) breaks.push((line = start))
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
