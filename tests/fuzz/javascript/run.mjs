// Random use of the JavaScript surface, each case checked.
//
//   node tests/fuzz/javascript/run.mjs [sequences | memory | threads | scenes | imports ...] --cases N --seed S [--path P] [--length L] [--skip-transactions]
//
//   sequences   of calls of all public members (lines.mjs)
//   memory      the same while allocations fail at random (failing-memory.mjs); needs the module of `cmake --build build/wasm --target moreau_failing`
//   threads     the same with moreau/threads on three threads
//   scenes      worlds as JSON, damaged (scene-files.mjs)
//   imports     files for moreau/import, changed at random (files.mjs)
//
// A failure is printed with the shortest case that still fails, as a script to paste; --seed and --path of its heading run it again.
import { readCommandLine } from '../../../scripts/command-line.mjs'
import { runFiles } from './files.mjs'
import { runSceneFiles, runSequences } from './fuzz.mjs'
import { sceneFiles } from './stage-files.mjs'

/** ms of processor time that a case may take: a step that hangs is a failure too. */
const MOST_TIME = 10_000

const { values, positionals } = readCommandLine(import.meta.url, {
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
    length: { type: 'string', default: '60' },
    'skip-transactions': { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const cases = {
  count: Number(values.cases),
  seed: Number(values.seed),
  path: values.path,
  mostTime: MOST_TIME,
  say: (/** @type {string} */ text) => console.log(text),
}
const options = {
  ...cases,
  length: Number(values.length),
  skipTransactions: values['skip-transactions'],
}
/** @type {Record<string, () => Promise<{ passed: number, failed: number, failures?: number }>>} */
const KINDS = {
  sequences: () => runSequences(options),
  memory: () => runSequences({ ...options, failMemory: true }),
  threads: () => runSequences({ ...options, threads: 3 }),
  scenes: async () => runSceneFiles({ ...cases, files: await sceneFiles() }),
  imports: () => runFiles({ files: cases.count, seed: cases.seed, say: cases.say }),
}
for (const name of positionals.length > 0 ? positionals : ['sequences']) {
  if (!Object.hasOwn(KINDS, name))
    throw new RangeError(`${name}: must be one of ${Object.keys(KINDS).join(', ')}`)
  const { passed, failed, failures } = await KINDS[name]()
  if (failures) console.log(`${failures} allocations failed`)
  console.log(`${name}: ${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}
// Helper threads of copies that failed may still wait.
process.exit()
