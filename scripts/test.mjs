// npm test: builds what is missing and runs every test. Also what the CI runs.
//
//   npm test                     everything
//   npm test -- node browser     only these stages (names below); setup and build always run

import { build, buildPreset } from './build.mjs'
import { libFuzzer } from './fuzz.mjs'
import { lint } from './lint.mjs'
import { setup, testTools } from './setup.mjs'
import { Failure, filesBelow, findChromium, run, runMain, stage } from './tools.mjs'

/** Inputs for each program of libFuzzer, the same everywhere. `npm run fuzz` gives as many as one likes. */
const FUZZ_INPUTS = { hulls: 5000, worlds: 1000 }

/**
 * Runs the files *.test.mjs of folders.
 * @param {...string} folders
 */
async function nodeTests(...folders) {
  const files = folders.flatMap((folder) => {
    const found = filesBelow(folder, /\.test\.mjs$/)
    if (found.length === 0) throw new Failure(`${folder}: no tests`)
    return found
  })
  await run(process.execPath, ['--test', '--test-reporter=spec', ...files], {
    env: { CHROMIUM_PATH: findChromium() },
  })
}

/** @type {Record<string, { title: string, work: () => Promise<void> }>} */
const stages = {
  lint: { title: 'lint: ESLint, Prettier, tsc, clang-format, clang-tidy', work: () => lint() },
  c: {
    title: 'C unit tests and fuzzers under sanitizers',
    work: async () => {
      await buildPreset('native-debug')
      await run('ctest', ['--preset', 'native-debug'])
      await buildPreset('native-fuzz')
      for (const name of /** @type {const} */ (['hulls', 'worlds'])) {
        await libFuzzer(name, { inputs: FUZZ_INPUTS[name], seed: 1 })
      }
    },
  },
  node: {
    title: 'Node tests: engine as wasm, scenes, package, fuzzer, native and wasm to the bit',
    work: async () => {
      await buildPreset('native-release')
      await buildPreset('native-scalar')
      await nodeTests('tests/node', 'tests/fuzz/javascript')
    },
  },
  browser: { title: 'browser tests of the built page', work: () => nodeTests('tests/browser') },
}

await runMain(async () => {
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((name) => !(name in stages))
  if (unknown.length > 0)
    throw new Failure(
      `unknown: ${unknown.join(', ')}; stages are ${Object.keys(stages).join(', ')}`,
    )

  await stage('setup', () => setup(testTools))
  await build()
  /** @type {string[]} */
  const failed = []
  for (const [name, { title, work }] of Object.entries(stages)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    try {
      await stage(title, work)
    } catch (error) {
      // The other stages still run: a person wants to see all that is broken.
      if (!(error instanceof Failure)) throw error
      console.error(error.message)
      failed.push(name)
    }
  }
  if (failed.length > 0) throw new Failure(`FAILED: ${failed.join(', ')}`)
  console.log('\nAll passed.')
})
