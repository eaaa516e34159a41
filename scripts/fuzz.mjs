// npm run fuzz: random use of the engine for hours. Sequences of calls of the JavaScript interface, also while memory fails and on
// threads; damaged files of scenes and robots; sequences of calls of the C interface under sanitizers; then libFuzzer, which looks for bytes that
// reach new code, on hulls, meshes, snapshots and worlds.
//
//   npm run fuzz                                     10,000 sequences of each kind and as many changed files, ten minutes of libFuzzer on each
//   npm run fuzz -- --sequences 1000 --seconds 60 --seed 7
//   npm run fuzz -- --hours 8                        again and again, each time with the next seed
//
// What libFuzzer learns is kept in build/fuzz, as are the bytes of what it finds.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { build, buildPreset, FAILING_MEMORY } from './build.mjs'
import { readCommandLine } from './command-line.mjs'
import { buildTools, fuzzTools, setup } from './setup.mjs'
import { Failure, isMain, root, run, runMain, runNode, stage } from './tools.mjs'

const JAVASCRIPT = 'tests/fuzz/javascript/run.mjs'

/** Bytes of an input at most: 63 calls, or as many points as a hull of the fuzzer has, or vertices and triangles, or twice a snapshot. */
const MOST_BYTES = { worlds: 1024, hulls: 1200, meshes: 800, snapshots: 20000 }

/** @typedef {keyof typeof MOST_BYTES} Fuzzed */
export const FUZZED = /** @type {readonly Fuzzed[]} */ (Object.freeze(Object.keys(MOST_BYTES)))
/** s: an input that takes longer counts as a hang. */
const LONGEST = 30

/**
 * Runs a program of libFuzzer for some time, from the corpus of the repository and what it has learnt before.
 * @param {Fuzzed} name
 * @param {{ seconds: number, seed: number }} options
 */
export async function libFuzzer(name, { seconds, seed }) {
  const learnt = join('build/fuzz', name)
  mkdirSync(join(root, learnt), { recursive: true })
  const options = [
    `-max_total_time=${Math.ceil(seconds)}`,
    `-seed=${seed}`,
    `-max_len=${MOST_BYTES[name]}`,
    `-timeout=${LONGEST}`,
    `-artifact_prefix=build/fuzz/${name}-`,
  ]
  const program = join(root, `build/native-fuzz/libfuzzer-${name}`)
  await run(program, [...options, learnt, await corpusOf(name)], { quiet: true })
}

/**
 * The inputs from which a program begins: those of the repository, or snapshots of the present format.
 * @param {Fuzzed} name
 * @returns {Promise<string>} a folder
 */
async function corpusOf(name) {
  if (name !== 'snapshots') return `tests/fuzz/corpus/${name}`
  const folder = 'build/fuzz/seeds-snapshots'
  mkdirSync(join(root, folder), { recursive: true })
  await run(join(root, 'build/native-fuzz/snapshot-seeds'), [folder], { quiet: true })
  return folder
}

/**
 * One round. Every stage runs, whatever the others find.
 * @param {{ sequences: number, seconds: number, seed: number }} options
 * @returns {Promise<string[]>} the stages that found something
 */
async function round({ sequences, seconds, seed }) {
  const ofSeed = ['--seed', String(seed)]
  const javaScript = (/** @type {string} */ kind) =>
    runNode(JAVASCRIPT, [kind, '--cases', String(sequences), ...ofSeed])
  const native = join(root, 'build/native-debug/fuzz-worlds')
  /** @type {[string, () => Promise<void>][]} */
  const stages = [
    [`JavaScript: ${sequences} sequences`, () => javaScript('sequences')],
    [`JavaScript without memory: ${sequences} sequences`, () => javaScript('memory')],
    [`JavaScript on threads: ${sequences} sequences`, () => javaScript('threads')],
    [`worlds as JSON: ${sequences} damaged files`, () => javaScript('scenes')],
    [`robots and scenes: ${sequences} changed files`, () => javaScript('imports')],
    [
      `native: ${sequences} sequences`,
      () => run(native, ['--sequences', String(sequences), ...ofSeed]),
    ],
  ]
  for (const name of FUZZED) {
    stages.push([`libFuzzer, ${name}: ${seconds} s`, () => libFuzzer(name, { seconds, seed })])
  }
  /** @type {string[]} */
  const found = []
  for (const [title, work] of stages) {
    try {
      await stage(`${title}, seed ${seed}`, work)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      console.error(error.message)
      found.push(title)
    }
  }
  return found
}

/**
 * The options, as numbers.
 * @returns {{ sequences: number, seconds: number, seed: number, hours: number }}
 */
function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  const names = { sequences: text, seconds: text, seed: text, hours: text }
  const options = { sequences: 10000, seconds: 600, seed: 1, hours: 0 }
  for (const [name, value] of Object.entries(
    readCommandLine(import.meta.url, { options: names }).values,
  )) {
    if (!(Number(value) >= 0)) throw new Failure(`--${name} must be a number, 0 or more`)
    options[/** @type {keyof typeof options} */ (name)] = Number(value)
  }
  return options
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const { hours, ...options } = readOptions()
    await setup([...buildTools, ...fuzzTools])
    await build({ web: false })
    await stage('builds for the fuzzers', async () => {
      await buildPreset('wasm', FAILING_MEMORY)
      await buildPreset('native-debug')
      await buildPreset('native-fuzz')
    })
    const start = performance.now()
    /** @type {string[]} */
    const found = []
    do {
      found.push(...(await round(options)))
      options.seed++
    } while (performance.now() - start < hours * 3600e3)
    if (found.length > 0) throw new Failure(`FOUND: ${found.join(', ')}`)
    console.log('\nNothing found.')
  })
}
