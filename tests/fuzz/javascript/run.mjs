// Random sequences of calls of the JavaScript surface (lines.mjs), each checked (check.mjs).
//
//   node tests/fuzz/javascript/run.mjs --sequences N --seed S [--path P] [--length L] [--skip-transactions]
//
// A failure is printed with the shortest lines that still fail, as a script to paste; --seed and --path of its heading
// run it again.
import { readCommandLine } from '../../../scripts/command-line.mjs'
import { runSequences } from './fuzz.mjs'

/** ms of processor time that a sequence may take: a step that hangs is a failure too. */
const MOST_TIME = 10_000

const { values } = readCommandLine(import.meta.url, {
  options: {
    sequences: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
    length: { type: 'string', default: '60' },
    'skip-transactions': { type: 'boolean', default: false },
  },
})
const { passed, failed } = await runSequences({
  sequences: Number(values.sequences),
  seed: Number(values.seed),
  path: values.path,
  length: Number(values.length),
  skipTransactions: values['skip-transactions'],
  mostTime: MOST_TIME,
  say: (text) => console.log(text),
})
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
