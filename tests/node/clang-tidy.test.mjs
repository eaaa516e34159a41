import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { clangTidy } from '../../scripts/clang-tidy.mjs'
import { Failure } from '../../scripts/tools.mjs'

/** In place of clang-tidy: notes the files that it is given, and finds fault with what says so. */
const TOOL = `#!/bin/sh
[ "$1" = --version ] && { echo "version of a stand-in"; exit; }
for file; do :; done
basename "$file" >> "$(dirname "$0")/seen"
! grep -q fault "$file"
`

/** A chain of headers, as includes are. */
const files = {
  'tool/clang-tidy': TOOL,
  '.clang-tidy': 'Checks: all\n',
  'include/api.h': 'int api;\n',
  'src/math/deep.h': '#include "api.h"\n',
  'src/math/vec.h': '#include "math/deep.h"\n',
  'src/math/vec.c': '#include "math/vec.h"\n',
  'src/math/alone.c': 'int alone;\n',
  'build/compile_commands.json': '[]',
}

/** @param {import('node:test').TestContext} context */
function plant(context) {
  const tree = fs.mkdtempSync(join(tmpdir(), 'clang-tidy-'))
  context.after(() => fs.rmSync(tree, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(tree, path)), { recursive: true })
    fs.writeFileSync(join(tree, path), text)
  }
  fs.chmodSync(join(tree, 'tool/clang-tidy'), 0o755)
  return tree
}

/**
 * Runs it and gives the names of the files that the tool saw.
 * @param {string} tree
 * @param {string[]} args
 */
async function look(tree, args = []) {
  const seen = join(tree, 'tool/seen')
  fs.rmSync(seen, { force: true })
  const options = { tree, build: join(tree, 'build'), tool: join(tree, 'tool/clang-tidy'), args }
  /** @type {unknown} */
  let failure
  await clangTidy(options).catch((error) => (failure = error))
  assert.ok(failure === undefined || failure instanceof Failure, String(failure))
  const names = fs.existsSync(seen) ? fs.readFileSync(seen, 'utf8').trim().split('\n') : []
  return { names: names.map((name) => basename(name)).sort(), failed: failure !== undefined }
}

const clean = (/** @type {string[]} */ ...names) => ({ names, failed: false })

test('a clean file is looked at once', async (context) => {
  const tree = plant(context)
  assert.deepEqual(await look(tree), clean('alone.c', 'vec.c'))
  assert.deepEqual(await look(tree), clean())
})

test('a change in a header is noticed in what includes it, however deep', async (context) => {
  const tree = plant(context)
  for (const header of ['src/math/vec.h', 'src/math/deep.h', 'include/api.h']) {
    await look(tree)
    fs.appendFileSync(join(tree, header), 'int more;\n')
    assert.deepEqual(await look(tree), clean('vec.c'), header)
  }
})

test('a file that failed is looked at until it is clean', async (context) => {
  const tree = plant(context)
  const file = join(tree, 'src/math/alone.c')
  fs.writeFileSync(file, 'int fault;\n')
  assert.deepEqual(await look(tree), { names: ['alone.c', 'vec.c'], failed: true })
  assert.deepEqual(await look(tree), { names: ['alone.c'], failed: true })
  fs.writeFileSync(file, 'int alone;\n')
  assert.deepEqual(await look(tree), clean('alone.c'))
  assert.deepEqual(await look(tree), clean())
})

test('other checks, another way to compile, another tool or other arguments count', async (context) => {
  const tree = plant(context)
  const file = 'src/math/alone.c'
  const commands = [{ directory: tree, file, command: 'cc -O1' }]
  await look(tree)
  fs.writeFileSync(join(tree, '.clang-tidy'), 'Checks: more\n')
  assert.deepEqual(await look(tree), clean('alone.c', 'vec.c'))
  fs.writeFileSync(join(tree, 'build/compile_commands.json'), JSON.stringify(commands))
  assert.deepEqual(await look(tree), clean('alone.c'))
  fs.writeFileSync(join(tree, 'tool/clang-tidy'), TOOL.replace('stand-in', 'newcomer'))
  assert.deepEqual(await look(tree), clean('alone.c', 'vec.c'))
  assert.deepEqual(await look(tree, ['--deep']), clean('alone.c', 'vec.c'))
  assert.deepEqual(await look(tree, ['--deep']), clean())
})
