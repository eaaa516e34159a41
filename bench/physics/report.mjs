/**
 * The table of physics, as text and as Markdown.
 */
import { NOT_SUPPORTED } from '../comparison/in-child.mjs'
import { markdownTable } from '../comparison/markdown.mjs'
import { formatTable } from '../table.mjs'
import { rowOf } from './index.mjs'

/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./run.mjs').Finding} Finding */

/** What a value is multiplied by for its unit. @type {Record<string, number>} */
const FACTORS = { mm: 1000, '%': 100 }

/**
 * @param {Row} row
 * @param {Finding | undefined} finding
 * @returns {string} '-' for what an engine cannot do, '!' for what went wrong
 */
function cellOf({ unit }, finding) {
  if (!finding) return ''
  if (finding.failure) return finding.failure.startsWith(NOT_SUPPORTED) ? '-' : '!'
  // JSON has no word for what is not finite.
  if (finding.value === null) return 'lost'
  return digits(finding.value * (FACTORS[unit] ?? 1))
}

/**
 * @param {number} value
 * @returns {string} three digits
 */
function digits(value) {
  const size = Math.abs(value)
  if (value === 0) return '0'
  if (size < 1e-3 || size >= 1e6) return value.toExponential(1)
  return String(Number(value.toPrecision(3)))
}

/**
 * @param {Finding[]} findings
 * @returns {{ head: string[], lines: string[][], summary: string }} title, goal, mark, and a cell per engine
 */
function tableOf(findings) {
  const engines = enginesOf(findings)
  const lines = [...byRow(findings)].map(([name, found]) => {
    const row = rowOf(name)
    const title = row.title + (row.unit ? `, ${row.unit}` : '')
    const mark = found.map(({ isMet }) => (isMet === null ? '' : isMet ? 'ok' : 'FAIL')).join('')
    const cells = engines.map((engine) =>
      cellOf(
        row,
        found.find((each) => each.engine === engine),
      ),
    )
    return [title, row.goal?.text ?? '', mark, ...cells]
  })
  const versions = engines.map((engine) => {
    const version = findings.find((each) => each.engine === engine && each.version)?.version
    return version ? `${engine} ${version}` : engine
  })
  const judged = findings.filter(({ isMet }) => isMet !== null)
  const met = judged.filter(({ isMet }) => isMet).length
  const summary = judged.length > 0 ? `Moreau meets ${met} of ${judged.length} goals.` : ''
  return { head: ['', 'goal', '', ...versions], lines, summary }
}

/** @param {Finding[]} findings */
const enginesOf = (findings) => [...new Set(findings.map(({ engine }) => engine))]

/**
 * @param {Finding[]} findings
 * @returns {Map<string, Finding[]>}
 */
function byRow(findings) {
  /** @type {Map<string, Finding[]>} */
  const rows = new Map()
  for (const each of findings) rows.set(each.row, [...(rows.get(each.row) ?? []), each])
  return rows
}

/**
 * What else is to be said of the figures, a line per row.
 *
 * @param {Finding[]} findings
 */
function notesOf(findings) {
  return [...byRow(findings)].flatMap(([name, found]) => {
    const notes = found.flatMap(({ engine, note, failure }) => {
      // What a peer does not have shows in the table.
      const isMissing = engine !== 'moreau' && failure?.startsWith(NOT_SUPPORTED)
      const text = isMissing ? null : (failure?.split('\n')[0] ?? note)
      return text ? [`${engine}: ${text}`] : []
    })
    return notes.length > 0 ? [`${name}: ${notes.join('; ')}`] : []
  })
}

/**
 * @param {Finding[]} findings
 * @returns {string} the table, and below it what else is to be said of its figures
 */
export function reportPhysics(findings) {
  const { head, lines, summary } = tableOf(findings)
  const parts = [formatTable(head, lines), summary, notesOf(findings).join('\n')]
  return parts.filter(Boolean).join('\n\n')
}

/**
 * @param {{ date: string, machine: string, node: string, findings: Finding[] }} result of `npm run bench -- --physics --json <file>`
 * @returns {string}
 */
export function physicsMarkdown({ date, machine, node, findings }) {
  const { head, lines, summary } = tableOf(findings)
  return [
    `${date.slice(0, 10)}, ${machine}, Node ${node}. ${summary}`,
    markdownTable(head, lines),
  ].join('\n\n')
}
