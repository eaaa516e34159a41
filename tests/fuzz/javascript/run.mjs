// Random sequences of calls of the JavaScript surface (lines.mjs), each checked (check.mjs).
//
//   node tests/fuzz/javascript/run.mjs --sequences N --seed S [--path P] [--length L] [--skip-transactions]
//
//   node tests/fuzz/javascript/run.mjs --files N --seed S
//
// With --files instead: N files that are changed at random and read by moreau/import (files.mjs).
//
// A failure is printed with the shortest lines that still fail, as a script to paste; --seed and --path of its heading
// run it again.
import { readCommandLine } from '../../../scripts/command-line.mjs'
import { runFiles } from './files.mjs'
import { runSequences } from './fuzz.mjs'

const { values } = readCommandLine(import.meta.url, {
  options: {
    sequences: { type: 'string', default: '1000' },
    files: { type: 'string' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
    length: { type: 'string', default: '60' },
    'skip-transactions': { type: 'boolean', default: false },
  },
})
const say = (/** @type {string} */ text) => console.log(text)
const seed = Number(values.seed)
const { passed, failed } =
  values.files === undefined
    ? await runSequences({
        sequences: Number(values.sequences),
        ...{ seed, say, path: values.path },
        length: Number(values.length),
        skipTransactions: values['skip-transactions'],
      })
    : await runFiles({ files: Number(values.files), seed, say })
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
