// npm run test:deep: what takes too long for `npm test`.
//
//   npm run test:deep                       everything: half an hour or so on two free cores
//   npm run test:deep -- threads memory     only these stages (`--help` has their names)
//
// Debian and Ubuntu only: the ARM64 stage uses their cross compiler and qemu-user.

import { build, buildPreset } from './build.mjs'
import { FUZZED, libFuzzer } from './fuzz.mjs'
import { deepTools, setup } from './setup.mjs'
import { chosenStages, run, runMain, runNode, runStages, stage } from './tools.mjs'

/** s: libFuzzer on each of its programs. */
const FUZZ_SECONDS = 300

/**
 * Builds a preset and compares its bits with the golden hashes.
 * @param {string} preset
 */
async function checkGolden(preset) {
  await buildPreset(preset)
  await runNode('tests/golden/golden.mjs', [preset])
}

/** @type {Record<string, import('./tools.mjs').Stage>} */
const stages = {
  scalar: {
    title: 'golden hashes without SIMD, native and wasm',
    work: async () => {
      await checkGolden('native-scalar')
      await checkGolden('wasm-scalar')
    },
  },
  arm64: { title: 'golden hashes on ARM64, emulated', work: () => checkGolden('native-arm64') },
  threads: {
    title: 'thread sanitizer: the pool, and golden hashes on three threads',
    work: async () => {
      await checkGolden('native-tsan')
      await run('ctest', ['--preset', 'native-tsan'])
    },
  },
  memory: {
    title: 'memory sanitizer: C unit tests, golden hashes',
    work: async () => {
      await checkGolden('native-msan')
      await run('ctest', ['--preset', 'native-msan'])
    },
  },
  mutants: {
    title: 'mechanisms of soft-step, each switched off in turn: a test must notice',
    work: () => runNode('tests/mutants/run.mjs'),
  },
  fuzz: {
    title: `libFuzzer, ${FUZZ_SECONDS} s each`,
    work: async () => {
      await buildPreset('native-fuzz')
      for (const name of FUZZED) {
        await libFuzzer(name, { seconds: FUZZ_SECONDS, seed: 1 })
      }
    },
  },
}

await runMain(async () => {
  const chosen = chosenStages(import.meta.url, stages)
  await stage('setup', () => setup(deepTools))
  await build({ web: false })
  await runStages(stages, chosen)
})
