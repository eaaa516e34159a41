// npm test: builds what is missing and runs every test. Also what the CI runs.
//
//   npm test                     everything but `slow`
//   npm test -- node browser     only these stages (`--help` has their names); setup and build always run
//   npm test -- slow             what has a faster twin among the others: long runs, clang's analyzer to its own depth

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build, buildPreset, FAILING_MEMORY } from './build.mjs'
import { lint } from './lint.mjs'
import { runServiceScript, setupServices } from './services.mjs'
import { setup, testTools } from './setup.mjs'
import { buildSite } from './site.mjs'
import {
  chosenStages,
  Failure,
  filesBelow,
  findChromium,
  onPath,
  run,
  runMain,
  runNode,
  runStages,
  stage,
} from './tools.mjs'

/**
 * Runs tests and, if they fail, says in the Failure which of them did.
 * @param {(file: string) => Promise<void>} work runs them; it has the path of the file for `failed-tests.mjs`
 */
async function namingFailedTests(work) {
  const file = join(mkdtempSync(join(tmpdir(), 'moreau-tests-')), 'failed')
  try {
    await work(file)
  } catch (error) {
    if (!(error instanceof Failure) || !existsSync(file)) throw error
    throw new Failure(`${error.message}\n${readFileSync(file, 'utf8')}`)
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

/**
 * Runs test files, or the files *.test.mjs of folders.
 * @param {string[]} paths
 * @param {{ atOnce?: number, env?: Record<string, string> }} [options] how many files run at once
 */
async function nodeTests(paths, { atOnce = availableParallelism(), env } = {}) {
  const files = paths.flatMap((path) => {
    const found = filesBelow(path, /\.test\.mjs$/)
    if (found.length === 0) throw new Failure(`${path}: no tests`)
    return found
  })
  await namingFailedTests((failed) => {
    const options = [
      '--test',
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./scripts/failed-tests.mjs', `--test-reporter-destination=${failed}`],
      // Node's own choice leaves a core idle, which is half of two.
      `--test-concurrency=${atOnce}`,
    ]
    return run(process.execPath, [...options, ...files], {
      env: { CHROMIUM_PATH: findChromium(), ...env },
    })
  })
}

/** Tests that do more where MOREAU_SLOW is set. */
const SLOW_TWINS = [
  'tests/node/threads.test.mjs',
  'tests/browser/page.test.mjs',
  'tests/invariance/seams/seams.test.mjs',
]

/** @type {Record<string, import('./tools.mjs').Stage>} */
const stages = {
  lint: { title: 'lint: ESLint, Prettier, tsc, clang-format, clang-tidy', work: () => lint() },
  c: {
    title: 'C unit tests and fuzzers under sanitizers, and who calls whom',
    work: async () => {
      await buildPreset('native-debug')
      const calls = ['--calls', 'build/native-debug']
      await runNode('scripts/include-graph.mjs', calls, { quiet: true })
      await run('ctest', ['--preset', 'native-debug'])
    },
  },
  node: {
    title: 'Node tests: engine as wasm, scenes, package, fuzzer, native and wasm to the bit',
    work: async () => {
      await buildPreset('native-release')
      await buildPreset('wasm', FAILING_MEMORY)
      await nodeTests(['tests/node', 'tests/invariance', 'tests/fuzz/javascript'])
    },
  },
  browser: {
    title: 'browser tests of the built page',
    // Chromium keeps several cores busy by itself.
    work: () => nodeTests(['tests/browser'], { atOnce: 1 }),
  },
  site: {
    title: 'site: its build, links and front page',
    work: async () => {
      await buildSite()
      await nodeTests(['tests/site'])
    },
  },
  services: {
    title: 'services: sweeps and rooms, against a real Redis',
    isBeside: true,
    prepare: async () => {
      try {
        await setupServices()
      } catch (error) {
        if (!(error instanceof Failure) || onPath('redis-server')) throw error
        console.log(`services skipped: no Redis here. ${error.message}`)
        return false
      }
      return true
    },
    work: (isBeside) =>
      namingFailedTests((file) => {
        return runServiceScript('test', ['--failed', file], { late: isBeside })
      }),
  },
  slow: {
    title:
      'slow twins: clang-tidy in depth, threads for a thousand steps, all scenes played to their end, all seams',
    isExtra: true,
    work: async () => {
      await runNode('scripts/lint.mjs', ['--deep'])
      await nodeTests(SLOW_TWINS, {
        ...{ atOnce: 1, env: { MOREAU_SLOW: '1' } },
      })
    },
  },
}

await runMain(async () => {
  const chosen = chosenStages(import.meta.url, stages)
  await stage('setup', () => setup(testTools))
  await build()
  await runStages(stages, chosen)
})
