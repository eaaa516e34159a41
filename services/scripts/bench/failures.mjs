import { run } from 'node:test'
import { fileURLToPath } from 'node:url'

const tests = [
  ...['sweeps/processes', 'sweeps/failures', 'sweeps/export', 'sweeps/command-line'],
  ...['sweeps/references', 'redis-server', 'rooms/rooms', 'rooms/authoritative', 'rooms/pick-up'],
  ...[
    'rooms/admission',
    'rooms/hostile',
    'rooms/smoothing',
    'rooms/mistakes',
    'operations/operations',
  ],
].map((name) => fileURLToPath(new URL(`../../tests/${name}.test.mjs`, import.meta.url)))

/** The tests of what goes wrong, with real processes: each with its outcome and time. */
export async function failureTests() {
  const rows = [['case', 'outcome', 's']]
  const stream = run({ files: tests, concurrency: 1 })
  for await (const { type, data } of stream) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, details, nesting, skip } = /** @type {any} */ (data)
    const outcome = type === 'test:fail' ? 'FAILED' : skip ? 'skipped' : 'holds'
    if (type === 'test:fail') process.exitCode = 1
    const indent = '· '.repeat(nesting)
    rows.push([`${indent}${name}`, outcome, (details.duration_ms / 1000).toFixed(1)])
  }
  return { title: 'What goes wrong: tests with real processes', rows }
}
