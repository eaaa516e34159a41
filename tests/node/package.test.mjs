/**
 * The npm package as it is published: a tarball.
 */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import * as vite from 'vite'
import { ADD_ONS, exportsField, typesVersionsField } from '../../scripts/package/entries.mjs'
import { filesBelow, root } from '../../scripts/tools.mjs'
import { tarball, unpack } from '../package/packed.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Too big for everybody's node_modules: README shows it where it is read, in the repository. */
const MOVING = 'docs/pictures/moving.webp'

describe('the tarball', () => {
  /** @type {string} */
  let folder

  before(() => (folder = unpack()))
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('has nothing that publint would tell', async () => {
    const { messages, pkg } = await publint({ pkgDir: join(folder, 'package'), pack: false })
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg, { color: false })),
      [],
    )
  })

  test('has types that every kind of resolution finds', async () => {
    const types = createPackageFromTarballData(new Uint8Array(readFileSync(tarball())))
    // Files without types of their own.
    const excludeEntrypoints = [/\.wasm$/, /\.json$/, /worker-script\.js$/]
    const result = await checkPackage(types, { excludeEntrypoints })
    assert.ok(result.types !== false, 'there are types')
    // esbuild writes `default` of CommonJS so that only running it shows it: tests/node/rapier.test.mjs requires it.
    const problems = result.problems.filter(
      (problem) =>
        problem.kind !== 'FalseExportDefault' ||
        !/rapier\.cjs$/.test(problem.implementationFileName),
    )
    assert.deepEqual(problems, [])
    assert.ok(Object.keys(result.entrypoints).includes('./slim/three'))
  })

  test('has what its texts link to', () => {
    const texts = filesBelow('package', /\.md$/, folder)
    assert.ok(texts.includes('package/README.md'))
    assert.ok(statSync(join(root, MOVING)).size < 700e3)
    assert.ok(!existsSync(join(folder, 'package', MOVING)))
    for (const text of texts) {
      const links = readFileSync(join(folder, text), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)
      for (const [, link] of links) {
        if (/^[a-z]+:/.test(link) || link === MOVING) continue
        assert.ok(existsSync(join(folder, dirname(text), link)), `${text} links to ${link}`)
      }
    }
  })

  test('builds by Vite where three and react are not installed, every entry that needs neither', async () => {
    const app = join(folder, 'app')
    mkdirSync(join(app, 'node_modules'), { recursive: true })
    symlinkSync('../../package', join(app, 'node_modules/moreau'), 'junction')
    const peers = ['./three', './react', './slim/three', './slim/react']
    const entries = Object.entries(manifest.exports)
      .filter(([, target]) => typeof target === 'object' && 'types' in target)
      .map(([path]) => path)
      .filter((path) => !peers.includes(path) && path !== './wasm')
    assert.ok(entries.includes('./rapier') && entries.length > 12)
    const text = entries.map((path, i) => `import * as e${i} from 'moreau${path.slice(1)}'`)
    const used = `console.log(${entries.map((_, i) => `e${i}`)})`
    writeFileSync(join(app, 'main.js'), [...text, used].join('\n'))
    const build = (/** @type {string} */ input) =>
      vite.build({
        ...{ root: app, configFile: false, logLevel: 'silent' },
        build: { write: false, minify: false, rolldownOptions: { input } },
      })
    await build(join(app, 'main.js'))
    // What needs them does not build in silence: it says which package there is not.
    writeFileSync(
      join(app, 'with-three.js'),
      "import * as three from 'moreau/three'; console.log(three)",
    )
    await assert.rejects(build(join(app, 'with-three.js')), /three/)
  })

  test('has no source maps, and names none', () => {
    const files = filesBelow('package', /./, folder)
    assert.deepEqual(
      files.filter((name) => name.endsWith('.map')),
      [],
    )
    for (const name of files.filter((file) => /\.[cm]?js$/.test(file))) {
      assert.doesNotMatch(
        readFileSync(join(folder, name), 'utf8'),
        /^\/\/# sourceMappingURL/m,
        name,
      )
    }
  })

  test('has no declarations of internals', () => {
    const declarations = filesBelow('package/dist', /\.d\.c?ts$/, folder)
    // index, threads, wasm and what add-ons share stand beside them, each with a twin for require().
    assert.equal(declarations.length, 2 * (ADD_ONS.length + 4))
    for (const file of declarations) {
      const text = readFileSync(join(folder, file), 'utf8')
      assert.doesNotMatch(
        text,
        /WorldCore|EngineExports|Array<ArrayBuffer|ErrorOptions|: WebAssembly/,
        file,
      )
    }
  })
})

test('package.json has the entries of scripts/package/entries.mjs', () => {
  assert.deepEqual(manifest.exports, exportsField())
  assert.deepEqual(manifest.typesVersions, typesVersionsField())
})

/** The most that files may have, gzipped, in KB: what they have now and at most 2 % more (docs/environments.md). */
const MOST_KILOBYTES = {
  'index.mjs': 567,
  'threads.mjs': 569,
  'slim.mjs': 81,
  'moreau.wasm': 506,
  'three.mjs': 5,
  'rapier-parts.mjs': 19,
  'import.mjs': 42,
}

/** @param {string} name of a file in dist */
const kilobytesOf = (name) =>
  gzipSync(readFileSync(join(root, 'dist', name)), { level: 9 }).length / 1024

for (const [name, most] of Object.entries(MOST_KILOBYTES)) {
  test(`${name} has at most ${most} KB, gzipped`, () => {
    const kilobytes = kilobytesOf(name)
    assert.ok(kilobytes < most, `${kilobytes.toFixed(1)} KB`)
  })
}

/** Files that README.md gives sizes of, by the entry that it names. @type {Record<string, string[]>} */
const ENTRIES_OF_README = {
  moreau: ['index.mjs'],
  'moreau/slim': ['slim.mjs', 'moreau.wasm'],
  'moreau/threads': ['threads.mjs'],
  'moreau/three': ['three.mjs'],
  'moreau/react': ['react.mjs', 'rapier-parts.mjs'],
  'moreau/rapier': ['rapier.mjs', 'rapier-parts.mjs'],
  'moreau/worker': ['worker.mjs'],
  'moreau/rollback': ['rollback.mjs'],
  'moreau/import': ['import.mjs'],
}

test('README.md has the sizes of entries, to 3 % and a kilobyte', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  for (const [entry, files] of Object.entries(ENTRIES_OF_README)) {
    const row = text
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(`\`${entry}\``))
    const said = (/\| ([\d+ ]+) KB \|$/.exec(row ?? '')?.[1] ?? '').split('+').map(Number)
    const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0)
    const kilobytes = sum(files.map(kilobytesOf))
    const error = Math.abs(sum(said) - kilobytes)
    assert.ok(error <= 1 + 0.03 * kilobytes, `${entry}: ${said} instead of ${kilobytes}`)
  }
})

test('bundles have no character beyond Latin-1', () => {
  // Of a text with one other character hosts keep two bytes for each: `moreau` then took 0.8 MB more on the heap.
  const bundles = readdirSync(join(root, 'dist')).filter(
    // The command line draws bars, scenes describe themselves with formulas.
    (name) => /\.(mjs|cjs|js)$/.test(name) && !/^(cli|scenarios)\./.test(name),
  )
  assert.ok(bundles.length > 20)
  for (const name of bundles) {
    const text = readFileSync(join(root, 'dist', name), 'utf8')
    assert.equal(text.match(/[^\0-\xff]+/)?.[0], undefined, name)
  }
})

test('package.json says what is a placeholder', () => {
  const addresses = [manifest.homepage, manifest.repository.url, manifest.bugs.url]
  for (const address of addresses) assert.match(address, /\/\/[^/]*\.example\/placeholder/)
})

test('the package needs nothing at run time', () => {
  assert.equal(manifest.dependencies, undefined)
})

test('moreau/scenarios is required as well as imported', () => {
  const code = `const { scenes } = require('moreau/scenarios'); console.log(scenes.length)`
  const count = execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' })
  assert.ok(Number(count) > 10, count)
})
