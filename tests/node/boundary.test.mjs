/**
 * What is made of the description of the module's boundary (bindings/schema), and the rooms of bindings/.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { describe, test } from 'node:test'
import { filesOfRepository } from '../../scripts/generate-bindings.mjs'
import { filesBelow, root } from '../../scripts/tools.mjs'

/** @param {string} path from the root */
const read = (path) => readFileSync(join(root, path), 'utf8')

describe('what is made from bindings/schema', () => {
  for (const [path, text] of Object.entries(filesOfRepository())) {
    test(`${path} is up to date: node scripts/generate-bindings.mjs`, () => {
      assert.equal(read(path), text)
    })
  }

  test('a new option of a world is one line of the schema', () => {
    const copy = mkdtempSync(join(tmpdir(), 'moreau-schema-'))
    try {
      for (const path of [
        'bindings/schema',
        'scripts',
        'package.json',
        ...Object.keys(filesOfRepository()),
      ]) {
        cpSync(join(root, path), join(copy, path), { recursive: true })
      }
      const schema = join(copy, 'bindings/schema/world-options.mjs')
      const toy =
        "{ name: 'toyDrag', kind: 'number', default: 0.25, unit: '1/s', must: 'must be 0 or more', doc: 'a toy' },"
      writeFileSync(
        schema,
        readFileSync(schema, 'utf8').replace("  {\n    ...{ name: 'certify'", `  ${toy}\n$&`),
      )
      execFileSync(process.execPath, ['scripts/generate-bindings.mjs'], {
        cwd: copy,
        stdio: 'pipe',
      })
      const made = /** @type {const} */ ([
        ['include/moreau.h', /1\/s, 0 or more: a toy\. Default 0\.25\. \*\/\n {2}double toy_drag;/],
        [
          'src/world/settings.c',
          /\{"toy_drag", OPTION_NUMBER, offsetof\(mo_world_def, toy_drag\), \{0\.25\}, false, 0, INFINITY,/,
        ],
        ['src/world/state_fields.c', /NUMBERS\(mo_world_def, toy_drag\),/],
        ['docs/api.md', /\| `toyDrag` \| 0\.25 \| 1\/s, 0 or more: a toy \|/],
        ['bindings/generated/abi.h', /settings->toy_drag = read_number\(at\);/],
        ['bindings/generated/abi.h', /write_number\(at, \(double\)settings->toy_drag\);/],
        ['bindings/generated/world-options.mjs', /toyDrag: \[readNonNegative, \d+\],/],
        [
          'bindings/generated/world-settings.mjs',
          /get toyDrag\(\)[^}]*\}\s*\/\*\*[^/]*\/\s*set toyDrag\(value\)/,
        ],
        [
          'bindings/generated/types.mjs',
          /@property \{number\} \[toyDrag\] 1\/s, 0 or more; default `0\.25`: a toy/,
        ],
      ])
      for (const [path, wanted] of made) {
        assert.match(readFileSync(join(copy, path), 'utf8'), wanted, path)
      }
    } finally {
      rmSync(copy, { recursive: true })
    }
  })
})

/**
 * The rooms of bindings/, lowest first; files beside them are entries. `generated` has files of every room: each stands
 * where what it imports puts it.
 */
const ROOMS = [
  'core',
  'definitions',
  'scene',
  'state',
  'objects',
  '.',
  'decompose',
  'gym',
  'import',
  'rollback',
  'rapier',
  'rapier-entry',
  'three',
  'react',
  'threads',
  'worker',
]

/** Entry of `moreau/threads` that stands in for a file of a lower room. */
const STAND_INS = ['bindings/threads/host.mjs', 'bindings/threads/helper.mjs']

/** @param {string} file from the root @returns {string[]} files that it imports when it runs */
function importsOf(file) {
  const matches = read(file).matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']*)'/gms)
  return Array.from(matches, ([, path]) => posix.join(dirname(file), path))
}

/** @param {string} file @returns {number} its room; of what is generated, the highest that it imports */
function levelOf(file) {
  const folder = posix.relative('bindings', posix.dirname(file)) || '.'
  const [room] = folder.split('/')
  if (room !== 'generated') return ROOMS.indexOf(room)
  return Math.max(0, ...importsOf(file).map(levelOf))
}

describe('the rooms of bindings/', () => {
  const files = filesBelow('bindings', /\.mjs$/).filter(
    (file) => !/^bindings\/(schema|types|generated)\//.test(file) && !STAND_INS.includes(file),
  )

  test('imports point downwards only', () => {
    assert.ok(files.length > 30)
    const upwards = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => levelOf(target) > levelOf(file))
        .map((target) => `${file} imports ${target}`),
    )
    assert.deepEqual(upwards, [])
  })

  test('includes of the module know moreau.h, each other and what is generated', () => {
    const strange = filesBelow('bindings/abi', /\.[ch]$/).flatMap((file) =>
      Array.from(read(file).matchAll(/#include "([^"]*)"/g), ([, path]) => path)
        .filter((path) => !/^(\w+\.h|\.\.\/generated\/abi\.h)$/.test(path))
        .map((path) => `${file} includes ${path}`),
    )
    // The pool of threads is no part of the public interface.
    assert.deepEqual(strange, ['bindings/abi/exports_threads.c includes parallel/pool.h'])
  })
})
