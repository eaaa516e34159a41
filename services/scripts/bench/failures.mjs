/**
 * What goes wrong: long runs of trouble with rooms, each with its figure, then the tests of all else.
 */
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { measureBursts } from '../rooms/burst.mjs'
import { CASES, runCase } from '../rooms/failures.mjs'

const TESTS = [
  ...['sweeps/processes', 'sweeps/failures', 'sweeps/export', 'sweeps/checksums'],
  ...['sweeps/command-line', 'sweeps/references', 'redis-server'],
  ...['rooms/rooms', 'rooms/authoritative', 'rooms/pick-up', 'rooms/store', 'rooms/bad-rooms'],
  ...[
    'rooms/ticker',
    'rooms/world-builder',
    'rooms/admission',
    'rooms/hostile',
    'rooms/smoothing',
    'rooms/mistakes',
  ],
  ...['operations/operations', 'operations/rare-log', 'operations/http-server'],
  ...['operations/redis-address', 'rooms/http'],
].map((name) => fileURLToPath(new URL(`../../tests/${name}.test.mjs`, import.meta.url)))
/** ms: rooms that run must not be later, so that they make every frame before the next is due */
const TICK = 1000 / 60
const BURSTS = 10

/** Everything that goes wrong, with real processes: each with its outcome and its figure or time. @returns {Promise<import('./rooms.mjs').TextTable>} */
export async function failureTests() {
  const rows = [['case', 'outcome', 'figure']]
  await addBursts(rows)
  for (const [name, { work, long }] of Object.entries(CASES)) {
    for (const seconds of long) {
      const label = seconds > 0 ? `${name}, ${seconds} s` : name
      rows.push([label, ...(await outcomeOf(() => runCase(work, seconds)))])
      console.error(rows.at(-1)?.join(': '))
    }
  }
  await addTests(rows)
  return { title: 'What goes wrong: with real processes', rows }
}

/** @param {() => Promise<string | undefined>} work */
async function outcomeOf(work) {
  try {
    const figure = await work()
    return figure === undefined ? ['skipped', 'this machine allows no mount'] : ['holds', figure]
  } catch (error) {
    process.exitCode = 1
    return ['FAILED', String(error).split('\n')[0]]
  }
}

/** @param {string[][]} rows */
async function addBursts(rows) {
  const name = `${BURSTS} bursts of 25 wishes for rooms of 1925 bodies beside five such rooms`
  const outcome = await outcomeOf(async () => {
    const { p50, p99, most, frames, taken, refused, quiet } = await measureBursts({
      bursts: BURSTS,
    })
    const text = `of ${frames} frames of the five half are ${p50.toFixed(1)} ms late or less, 99 of 100 ${p99.toFixed(1)} ms, the latest ${most.toFixed(0)} ms (without wishes ${quiet.p50.toFixed(1)}, ${quiet.p99.toFixed(1)}, ${quiet.most.toFixed(0)} ms); ${taken} wishes taken, ${refused} refused`
    if (p99 > TICK) throw new Error(text)
    return text
  })
  rows.push([name, ...outcome])
  console.error(rows.at(-1)?.join(': '))
}

/** @param {string[][]} rows */
async function addTests(rows) {
  for await (const { type, data } of run({ files: TESTS, concurrency: 1 })) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, details, nesting, skip } = /** @type {any} */ (data)
    const outcome = type === 'test:fail' ? 'FAILED' : skip ? 'skipped' : 'holds'
    if (type === 'test:fail') process.exitCode = 1
    const indent = '· '.repeat(nesting)
    rows.push([`${indent}${name}`, outcome, `${(details.duration_ms / 1000).toFixed(1)} s`])
  }
}
