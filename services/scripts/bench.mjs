/**
 * Measures the services and prints tables of Markdown: node scripts/services.mjs bench [parts] [options]
 *
 *   sweeps [--runs 20000]      throughput, by threads and by processes over Redis
 *   million [--runs 1000000]   dice from the command to all files, with the hash of the table
 *   table [--rows 1000000]     what is done with rows besides making them: hash, files, summary, plot
 *   jobs [--jobs 20000]        the cost of a job in Redis
 *   failures                   bursts, bad rooms, a Redis that loses, refuses, stops, jumps: figures; then the tests of all that goes wrong
 *   rooms [parts of rooms]     all of these, or some:
 *     network [--minutes 10]   rooms over a bad network
 *     load [--processes 2] [--seconds 8] [--rooms 400] [--busy 0.75]   how many rooms are in time, and what happens beyond
 *     cost [--seconds 10]      what a room takes, whatever else the machine does
 *     recovery [--times 5]     from the end of a process to its room in another
 *   all                        everything, as without a name
 */
import { loadavg } from 'node:os'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { failureTests } from './bench/failures.mjs'
import { jobCost } from './bench/job-cost.mjs'
import { millionDice } from './bench/million.mjs'
import { roomParts } from './bench/rooms.mjs'
import { sweepThroughput } from './bench/sweep-throughput.mjs'
import { tableCost } from './bench/table.mjs'

/** @typedef {import('./bench/rooms.mjs').Options} Options */
/** @typedef {import('./bench/rooms.mjs').TextTable} TextTable */

/** Each gives a title and rows, the first of them a heading. @type {Record<string, (options: Options) => Promise<TextTable>>} */
const PARTS = {
  sweeps: ({ runs = 20_000 }) => sweepThroughput(runs),
  million: ({ runs = 1_000_000 }) => millionDice(runs),
  table: ({ rows = 1_000_000 }) => tableCost(rows),
  jobs: ({ jobs = 20_000 }) => jobCost(jobs),
  failures: failureTests,
  ...roomParts,
}
const OPTIONS = [
  'runs',
  'rows',
  'jobs',
  'minutes',
  'processes',
  'seconds',
  'rooms',
  'busy',
  'times',
]

/** @param {readonly string[]} words @returns {string[]} names of `PARTS` */
function partsOf(words) {
  if (words.length === 0 || words.includes('all')) return Object.keys(PARTS)
  const unknown = words.filter((word) => word !== 'rooms' && !Object.hasOwn(PARTS, word))
  if (unknown.length > 0)
    throw new RangeError(
      `unknown: ${unknown.join(', ')}; parts are ${Object.keys(PARTS).join(', ')}, rooms, all`,
    )
  const isAllOfRooms = words.includes('rooms') && !words.some((word) => word in roomParts)
  const named = [...words, ...(isAllOfRooms ? Object.keys(roomParts) : [])]
  return Object.keys(PARTS).filter((name) => named.includes(name))
}

/** @param {string} name @param {string} text */
function readNumber(name, text) {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new RangeError(`--${name} ${text}: must be a number above 0`)
}

/** @param {string[][]} rows @returns {string} a table of Markdown */
function markdown([heading, ...rows]) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n')
}

const { values, positionals } = readCommandLine(import.meta.url, {
  options: Object.fromEntries(
    OPTIONS.map((name) => [name, /** @type {const} */ ({ type: 'string' })]),
  ),
  allowPositionals: true,
})
const options = Object.fromEntries(
  Object.entries(values).map(([name, text]) => [name, readNumber(name, String(text))]),
)
for (const name of partsOf(positionals)) {
  const { title, rows } = await PARTS[name](options)
  console.log(`\n${title} (load of the machine: ${loadavg()[0].toFixed(1)})\n\n${markdown(rows)}`)
}
// Clients of rooms keep timers of their own.
process.exit()
