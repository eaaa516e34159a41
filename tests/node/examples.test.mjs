/**
 * The examples of the tarball, unpacked where no repository is around: each can be started by two commands, and those that are
 * programs run, on less. Pages run in tests/browser/examples.test.mjs.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { filesBelow, root } from '../../scripts/tools.mjs'
import { install, unpack } from '../package/packed.mjs'

const unpacked = unpack()
after(() => rmSync(unpacked, { recursive: true, force: true }))

const EXAMPLES = join(unpacked, 'package/examples')
const folderOf = (/** @type {string} */ example) => join(EXAMPLES, example)
const importOf = (/** @type {string} */ path) => import(pathToFileURL(join(EXAMPLES, path)).href)

const names = readdirSync(EXAMPLES)
const isC = (/** @type {string} */ name) => name.startsWith('c-')

/** What a file imports by name: the packages. @param {string} text @returns {string[]} */
const packagesOf = (text) =>
  [...text.replaceAll(/^ *\/\/.*$/gm, '').matchAll(/(?:from|import|import\() ?'([^'./][^']*)'/g)]
    .map(([, name]) => name)
    .filter((name) => !isBuiltin(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)

for (const name of names) {
  test(`${name} says what it shows, how it starts, what one sees, which lines matter, and where next`, () => {
    const text = readFileSync(join(folderOf(name), 'README.md'), 'utf8')
    const commands = isC(name) ? /cmake -B build.*--target run/ : /`npm install` and `npm start`/
    for (const part of [/^Shows /m, commands, /^You see /m, /^The lines that matter: /m]) {
      assert.match(text, part)
    }
    assert.match(text, /^Where next: /m)
  })

  test(`${name} has what it needs: its packages are declared, and no path leads to a server of tests`, () => {
    if (isC(name)) return assert.ok(existsSync(join(folderOf(name), 'CMakeLists.txt')))
    const manifest = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
    assert.ok(manifest.scripts.start)
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    assert.ok(declared.includes('moreau'))
    for (const file of filesBelow(name, /\.(html|m?js)$/, EXAMPLES)) {
      const text = readFileSync(join(EXAMPLES, file), 'utf8')
      for (const used of packagesOf(text)) assert.ok(declared.includes(used), `${file}: ${used}`)
      assert.doesNotMatch(text, /importmap|(?:from|import\() ?'\/|src="\//, file)
    }
  })
}

test('js-physics-benchmarks starts: a wall falls', () => {
  const folder = folderOf('js-physics-benchmarks')
  install(folder)
  const text = execFileSync('npm', ['start', '--silent'], { cwd: folder, encoding: 'utf8' })
  const counts = [...text.matchAll(/: (\d+) of 120 boxes/g)].map(([, count]) => Number(count))
  assert.equal(counts.length, 5)
  assert.ok(counts[0] === 108 && counts[4] < 90, text)
  assert.match(text, /[1-9]\d* contacts began/)
})

describe('examples in C', () => {
  const library = join(root, 'build/native-release')

  test('are configured from the tarball alone, with every source of the engine', () => {
    const folder = folderOf('c-falling-sphere')
    const qhull = `-DQHULL_SOURCE_DIR=${join(library, 'qhull-2020.2')}`
    execFileSync('cmake', ['-B', 'build', qhull], { cwd: folder, stdio: 'pipe' })
    const sources = (/** @type {string} */ tree) => filesBelow('src', /\.[ch]$/, tree)
    assert.deepEqual(sources(join(unpacked, 'package')), sources(root))
  })

  // Compiling the engine takes minutes: it was compiled, and here they are linked with it.
  for (const name of names.filter(isC)) {
    test(`${name} compiles with the header of the tarball, and ends well`, () => {
      const folder = folderOf(name)
      const include = join(unpacked, 'package/include')
      const libraries = [join(library, 'libmoreau.a'), '-lm']
      execFileSync('cc', ['main.c', '-I', include, ...libraries, '-o', 'program'], { cwd: folder })
      const text = execFileSync('./program', { cwd: folder, encoding: 'utf8' })
      assert.match(text, /certificate of .*: \d\.\de[-+]\d+ m\/s/)
    })
  }
})

describe('train-cart-pole', () => {
  before(() => install(folderOf('train-cart-pole')))

  test('learns within three generations of 24, the same way each time', async () => {
    /** @type {typeof import('../../examples/train-cart-pole/train.mjs')} */
    const { train } = await importOf('train-cart-pole/train.mjs')
    /** @type {number[]} */
    const told = []
    const {
      curve,
      policy,
      test: reward,
    } = await train({
      ...{ population: 24, elites: 4, generations: 3, seed: 1 },
      onGeneration: ({ generation }) => told.push(generation),
    })
    assert.deepEqual(told, [1, 2, 3])
    assert.ok(curve[0].mean < 50, `${curve[0].mean}`)
    assert.ok(curve[2].elite > 5 * curve[0].elite, `${curve[2].elite}`)
    assert.ok(reward > 10 * curve[0].mean, `${reward}`)
    const again = await train({ population: 24, elites: 4, generations: 1, seed: 1 })
    assert.deepEqual(again.curve[0], curve[0])
    assert.ok(policy.every(Number.isFinite))
  })
})

describe('monte-carlo', () => {
  before(() => install(folderOf('monte-carlo')))
  /** @returns {Promise<typeof import('../../examples/monte-carlo/monte-carlo.mjs')>} */
  const load = () => importOf('monte-carlo/monte-carlo.mjs')

  test('throws are the same for one worker and for two, and those of a fair die', async () => {
    const { experiment, summarize } = await load()
    let done = 0
    const throws = 600
    const onProgress = (/** @type {number} */ count) => (done = Math.max(done, count))
    const alone = await experiment({ throws, workers: 1, seed: 3, onProgress })
    assert.equal(done, throws)
    assert.deepEqual(await experiment({ throws, workers: 2, seed: 3 }), alone)
    const { counts, chiSquared } = summarize(alone)
    assert.ok(counts[0] <= 3, `${counts}`)
    // Of a fair die it is above in one experiment of a thousand, and this seed is always the same.
    assert.ok(chiSquared < 20.5, `${chiSquared}`)
  })

  test('a loaded die shows the one more often than the six', async () => {
    const { experiment, histogram, summarize } = await load()
    const faces = await experiment({ throws: 250, workers: 1, bias: 0.5 })
    const { counts, intervals, chiSquared } = summarize(faces)
    assert.ok(intervals[1][0] > intervals[6][1], `${counts}`)
    assert.ok(chiSquared > 20.5)
    assert.match(histogram(faces), /not a fair die$/)
  })

  test('intervals are those of Wilson', async () => {
    const { summarize } = await load()
    // 1 of 10: 0.0179 to 0.4042, as textbooks have it.
    const { intervals } = summarize(Uint8Array.of(1, 2, 2, 2, 3, 3, 4, 5, 6, 6))
    assert.ok(
      Math.abs(intervals[1][0] - 0.0179) < 1e-4 && Math.abs(intervals[1][1] - 0.4042) < 1e-4,
    )
    assert.ok(intervals[0][0] < 1e-12 && intervals[0][1] > 0.2)
  })
})
