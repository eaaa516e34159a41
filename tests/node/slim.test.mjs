/**
 * The entries of the package: with the bytes of the engine, and without.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../../scripts/tools.mjs'

const run = promisify(execFile)

/** @param {string} code of a module of its own process @returns {Promise<string>} what it prints */
async function printed(code, type = 'module') {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '-e', code], {
    cwd: root,
  })
  return stdout.trim()
}

const STEP =
  'const world = await World.create(); world.createBody({ mass: 1, inertia: [1, 1, 1] }); world.step(1 / 60); console.log(world.hash())'

describe('moreau/slim', () => {
  test('finds the module beside it, and steps to the same bits', async () => {
    const whole = await printed(`import { World } from 'moreau'; ${STEP}`)
    assert.match(whole, /^[0-9a-f]{16}$/)
    assert.equal(await printed(`import { World } from 'moreau/slim'; ${STEP}`), whole)
    const cjs = `(async () => { const { World } = require('moreau/slim'); ${STEP} })()`
    assert.equal(await printed(cjs, 'commonjs'), whole)
  })

  test('takes the module from anywhere', async () => {
    const code = `
      import { readFileSync } from 'node:fs'
      import { initSync, World } from 'moreau/slim'
      const file = new URL(import.meta.resolve('moreau/wasm'))
      initSync({ wasm: readFileSync(file) })
      console.log(new World().stepCount)`
    assert.equal(await printed(code), '0')
  })

  test('says what it needs', async () => {
    const code = `
      import { initSync } from 'moreau/slim'
      try { initSync() } catch (error) { console.log(error.code, error.message) }`
    assert.equal(
      await printed(code),
      'invalid-argument initSync: wasm must be given: this entry of the package has no bytes of its own',
    )
  })

  test('has entries of its own that stand on it: one class of each', async () => {
    const code = `
      import { MoreauError, World } from 'moreau/slim'
      import { importURDF } from 'moreau/slim/import'
      import { MoreauPhysics } from 'moreau/slim/three'
      const physics = await MoreauPhysics({ autoStart: false })
      const { world } = physics
      const refused = await importURDF('<robot', { world }).catch((error) => error)
      console.log(world instanceof World, refused instanceof MoreauError)
      physics.dispose()`
    assert.equal(await printed(code), 'true true')
    const cjs = `
      const { World } = require('moreau/slim')
      require('moreau/slim/three').MoreauPhysics({ autoStart: false }).then((physics) => {
        console.log(physics.world instanceof World)
        physics.dispose()
      })`
    assert.equal(await printed(cjs, 'commonjs'), 'true')
  })

  test('has no bytes in it', () => {
    const size = (/** @type {string} */ name) => statSync(join(root, 'dist', name)).size
    assert.ok(size('slim.mjs') < size('moreau.wasm') / 2)
    assert.doesNotMatch(readFileSync(join(root, 'dist/slim.mjs'), 'utf8'), /AGFzbQ/)
  })
})

describe('the entry for workerd', () => {
  test('imports the module, and has no bytes', () => {
    const text = readFileSync(join(root, 'dist/workerd.mjs'), 'utf8')
    assert.match(text, /from\s*"\.\/moreau\.wasm"/)
    assert.doesNotMatch(text, /AGFzbQ/)
  })
})

describe('maps', () => {
  test('have the sources in them, and no bundle names one: the tarball is without', () => {
    for (const name of ['index.mjs', 'slim.cjs', 'three.mjs', 'import.mjs', 'scenarios.mjs']) {
      const text = readFileSync(join(root, 'dist', name), 'utf8')
      assert.doesNotMatch(text, /sourceMappingURL/, name)
      const map = JSON.parse(readFileSync(join(root, 'dist', `${name}.map`), 'utf8'))
      assert.ok(map.sources.length > 0 && map.sourcesContent.length === map.sources.length, name)
      assert.doesNotMatch(map.sourcesContent.join(''), /'AGFzbQ/, 'not the bytes')
    }
  })

  test('lead from a place in a stack trace to its source', () => {
    const [, line, column] = tellUncaught('moreau').match(/dist.index\.mjs:(\d+):(\d+)/) ?? []
    const map = new SourceMap(JSON.parse(readFileSync(join(root, 'dist/index.mjs.map'), 'utf8')))
    const found = map.findEntry(Number(line) - 1, Number(column) - 1)
    assert.ok('originalSource' in found)
    assert.match(found.originalSource, /bindings.core.arguments\.mjs$/)
    const source = readFileSync(join(root, 'bindings/core/arguments.mjs'), 'utf8').split('\n')
    assert.match(source[found.originalLine], /throw new MoreauError/)
  })
})

test('an error that nobody caught shows some lines, not the whole bundle', () => {
  for (const entry of ['moreau', 'moreau/slim', 'moreau/threads']) {
    const told = tellUncaught(entry)
    assert.match(told, /MoreauError: World: unknown option 'gravty'; did you mean 'gravity'\?/)
    assert.ok(told.length < 3000, `${entry}: ${told.length} characters`)
  }
})

/**
 * What Node prints of a program that gives a world an option that there is not.
 * @param {string} entry
 */
function tellUncaught(entry) {
  const code = `import { World, init } from '${entry}'; await init(); new World({ gravty: 3 })`
  const args = ['--input-type=module', '-e', code]
  const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  return stderr
}
