/**
 * Checks the types of the services and runs their tests: all, or those whose path has one of the words given.
 *
 *   npm run test:services [-- sweeps rooms/lockstep]      in services/ alone, with its packages installed: npm test
 *   ... --failed <file>                                   also writes the tests that failed into a file
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { nodeOfServices } from './node.mjs'

/** ms: no test of the services takes so long, on any machine */
const LONGEST = 1_800_000

const folder = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} program @param {string[]} args */
function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const {
  positionals: words,
  values: { failed },
} = readCommandLine(import.meta.url, {
  allowPositionals: true,
  options: { failed: { type: 'string' } },
})
const files = readdirSync(`${folder}tests`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .map((name) => `tests/${name}`)
  .sort()
if (files.length === 0) throw new Error(`no tests of: ${words.join(', ')}`)
run(process.execPath, ['../node_modules/typescript/bin/tsc', '--project', 'tsconfig.json'])
// Two at a time, as they wait more than they compute. What a test that failed left behind must not keep the run from its end.
const ends = ['--test-force-exit', `--test-timeout=${LONGEST}`]
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout']
if (failed) {
  const module = new URL('../../scripts/failed-tests.mjs', import.meta.url)
  reporters.push(`--test-reporter=${module}`, `--test-reporter-destination=${failed}`)
}
run(nodeOfServices(), ['--test', ...reporters, '--test-concurrency=2', ...ends, ...files])
