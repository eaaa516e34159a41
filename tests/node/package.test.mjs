/**
 * The npm package as it is published: a tarball.
 */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { ADD_ONS, exportsField, typesVersionsField } from '../../scripts/package/entries.mjs'
import { filesBelow, root } from '../../scripts/tools.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Too big for everybody's node_modules: README shows it where it is read, in the repository. */
const MOVING = 'docs/pictures/moving.webp'

describe('the tarball', () => {
  /** @type {string} */
  let folder
  /** @type {string} */
  let tarball

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'moreau-package-'))
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
    tarball = join(folder, filename)
    execFileSync('tar', ['-xf', tarball, '-C', folder])
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  test('has nothing that publint would tell', async () => {
    const { messages, pkg } = await publint({ pkgDir: join(folder, 'package'), pack: false })
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg, { color: false })),
      [],
    )
  })

  test('has types that every kind of resolution finds', async () => {
    const types = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)))
    // Files without types of their own.
    const excludeEntrypoints = [/\.wasm$/, /\.json$/, /worker-script\.js$/]
    const result = await checkPackage(types, { excludeEntrypoints })
    assert.ok(result.types !== false, 'there are types')
    assert.deepEqual(result.problems, [])
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
  'index.mjs': 527,
  'threads.mjs': 528,
  'slim.mjs': 79,
  'moreau.wasm': 466,
  'three.mjs': 5,
  'rapier.mjs': 15,
  'import.mjs': 30,
}

for (const [name, most] of Object.entries(MOST_KILOBYTES)) {
  test(`${name} has at most ${most} KB, gzipped`, () => {
    const kilobytes = gzipSync(readFileSync(join(root, 'dist', name)), { level: 9 }).length / 1024
    assert.ok(kilobytes < most, `${kilobytes.toFixed(1)} KB`)
  })
}

test('bundles have no character beyond Latin-1', () => {
  // Of a text with one other character hosts keep two bytes for each: `moreau` then took 0.8 MB more on the heap.
  const bundles = readdirSync(join(root, 'dist')).filter(
    // The command line draws bars, the XML parser knows the mark of byte orders, scenes describe themselves with formulas.
    (name) => /\.(mjs|cjs|js)$/.test(name) && !/^(cli|import-xml|scenarios)\./.test(name),
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
