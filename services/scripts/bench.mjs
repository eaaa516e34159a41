/**
 * Measures the services and prints tables: npm run bench -- [parts] [--runs 20000] [--jobs 20000]
 *
 * Parts are `sweeps` (throughput), `jobs` (the cost of a job in Redis) and `failures` (processes killed, Redis restarted: the tests, each with
 * its time); without a name, all.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { failureTests } from './bench/failures.mjs'
import { jobCost } from './bench/job-cost.mjs'
import { sweepThroughput } from './bench/sweep-throughput.mjs'

const text = (/** @type {string} */ standard) =>
  /** @type {const} */ ({ type: 'string', default: standard })
const { values, positionals } = parseArgs({
  options: { runs: text('20000'), jobs: text('20000') },
  allowPositionals: true,
})

/** Each gives a title and rows, the first of them a heading. @type {Record<string, () => Promise<{ title: string, rows: string[][] }>>} */
const parts = {
  sweeps: () => sweepThroughput(Number(values.runs)),
  jobs: () => jobCost(Number(values.jobs)),
  failures: failureTests,
}

/** @param {string[][]} rows @returns {string} a table of Markdown */
function markdown([heading, ...rows]) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n')
}

const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0) {
  throw new RangeError(`unknown: ${unknown.join(', ')}; parts are ${Object.keys(parts).join(', ')}`)
}
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const { title, rows } = await measure()
  console.log(`\n${title} (load of the machine: ${loadavg()[0].toFixed(1)})\n\n${markdown(rows)}`)
}
