/**
 * The golden hashes of the repository, and the same hashes as the engine gives them now: as wasm, and natively by the replay helper.
 *
 *   node tests/golden/golden.mjs                       compares wasm with golden.json
 *   node tests/golden/golden.mjs native-release ...    compares the replay helpers of these presets with it
 *   node tests/golden/golden.mjs --restored native-release    the same, each step by a new world from a snapshot
 *   node tests/golden/golden.mjs wasm-scalar           compares the module of this preset with it
 *   node tests/golden/golden.mjs --write               writes golden.json anew: where a result was meant to change
 *
 * What it runs must be built.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { initSync, World } from 'moreau'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { Failure, isMain, runMain } from '../../scripts/tools.mjs'
import { caseText, goldenCases, runCase } from './cases.mjs'

/** @typedef {import('./cases.mjs').GoldenCase} GoldenCase */
/**
 * Hashes by the number of the step: of the motion and, after a space, of the contacts.
 *
 * @typedef {Record<string, string>} Hashes
 */

const FILE = fileURLToPath(new URL('golden.json', import.meta.url))
/** The replay helper. Its name on Windows was never tried. */
const REPLAY = process.platform === 'win32' ? 'replay.exe' : 'replay'
/** What runs the programs of a preset for another processor. @type {Record<string, string[]>} */
const EMULATORS = { 'native-arm64': ['qemu-aarch64'] }

/** What the replay helper of a preset is started with. @type {Record<string, string[]>} */
const OPTIONS = { 'native-tsan': ['--threads', '3'] }

/** @returns {Record<string, Hashes>} by the name of the case */
export const readGolden = () => JSON.parse(readFileSync(FILE, 'utf8'))

/**
 * A file that a preset makes.
 *
 * @param {string} preset of CMakePresets.json
 * @param {string} file
 */
function built(preset, file) {
  const path = fileURLToPath(new URL(`../../build/${preset}/${file}`, import.meta.url))
  if (!existsSync(path)) throw new Failure(`${path} is missing: cmake --build --preset ${preset}`)
  return path
}

/** @returns {Promise<Record<string, Hashes>>} as wasm gives them */
export async function wasmHashes() {
  /** @type {Record<string, Hashes>} */
  const all = {}
  for (const golden of goldenCases()) all[golden.name] = await runCase(World, golden)
  return all
}

/**
 * Hashes as a native build gives them.
 *
 * @param {string} preset of CMakePresets.json
 * @param {{ isRestored?: boolean, count?: number }} [options] `isRestored`: each world is made from a snapshot before each step; `count` of
 *   hashes, else all
 * @returns {Promise<Record<string, Hashes>>}
 */
export async function nativeHashes(preset, { isRestored = false, count = Infinity } = {}) {
  const emulator = EMULATORS[preset] ?? []
  const options = [...(isRestored ? ['--restored'] : []), ...(OPTIONS[preset] ?? [])]
  const command = [...emulator, built(preset, REPLAY), ...options]
  const folder = await mkdtemp(join(tmpdir(), 'moreau-golden-'))
  try {
    /** @type {Record<string, Hashes>} */
    const all = {}
    for (const golden of goldenCases().filter(({ isReplayed }) => isReplayed)) {
      const steps = golden.steps.slice(0, count)
      all[golden.name] = await replayCase(command, join(folder, 'scene.txt'), { ...golden, steps })
    }
    return all
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * @param {string[]} command what to start, and its arguments
 * @param {string} file to write the case to
 * @param {GoldenCase} golden
 * @returns {Promise<Hashes>}
 */
async function replayCase([program, ...first], file, golden) {
  await writeFile(file, await caseText(World, golden))
  const { stdout } = await promisify(execFile)(program, [
    ...first,
    file,
    ...golden.steps.map(String),
  ])
  const lines = stdout.trim().split('\n')
  return Object.fromEntries(
    lines.map((line) => {
      const [step, ...hashes] = line.split(' ')
      return [step, hashes.join(' ')]
    }),
  )
}

/**
 * What differs, a line per case: its name, the first step that differs, and in what.
 *
 * @param {Record<string, Hashes>} expected
 * @param {Record<string, Hashes>} found
 * @returns {string[]}
 */
export function differences(expected, found) {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return names.flatMap((name) => {
    if (!expected[name]) return [`${name}: not in golden.json`]
    if (!found[name]) return [`${name}: only in golden.json`]
    const steps = Object.keys({ ...expected[name], ...found[name] })
    const step = steps.find((key) => expected[name][key] !== found[name][key])
    if (step === undefined) return []
    const [a, b] = [expected, found].map((hashes) => (hashes[name][step] ?? '').split(' '))
    const parts = ['motion', 'contacts'].filter((_, i) => a[i] !== b[i])
    return [`${name}: ${parts.join(' and ')} after step ${step}`]
  })
}

/**
 * The golden hashes of the cases that the replay helper can run.
 * @param {number} [count] of the hashes of each
 * @returns {Record<string, Hashes>}
 */
export function readReplayedGolden(count = Infinity) {
  const golden = readGolden()
  const cases = goldenCases().filter(({ isReplayed }) => isReplayed)
  return Object.fromEntries(
    cases.map(({ name, steps }) => [
      name,
      Object.fromEntries(steps.slice(0, count).map((step) => [step, golden[name][step]])),
    ]),
  )
}

/**
 * @param {string} title
 * @param {Record<string, Hashes>} found
 * @param {Record<string, Hashes>} [expected]
 */
function compare(title, found, expected = readGolden()) {
  const lines = differences(expected, found)
  if (lines.length > 0) {
    throw new Failure(`${title}: ${lines.length} cases differ\n${lines.join('\n')}`)
  }
  console.log(`${title}: ${Object.keys(found).length} cases have the golden hashes`)
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const { values, positionals: presets } = readCommandLine(import.meta.url, {
      allowPositionals: true,
      options: { write: { type: 'boolean' }, restored: { type: 'boolean', default: false } },
    })
    const [first] = presets
    if (values.write) {
      writeFileSync(FILE, `${JSON.stringify(await wasmHashes(), null, 2)}\n`)
    } else if (first?.startsWith('wasm')) {
      initSync({ wasm: readFileSync(built(first, 'moreau.wasm')) })
      compare(first, await wasmHashes())
    } else if (first === undefined) {
      compare('wasm', await wasmHashes())
    } else {
      for (const preset of presets) {
        compare(
          preset,
          await nativeHashes(preset, { isRestored: values.restored }),
          readReplayedGolden(),
        )
      }
    }
  })
}
