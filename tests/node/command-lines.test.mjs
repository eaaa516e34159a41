/**
 * What the project's programs say of themselves, and that none begins its work for a word that it does not know.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { filesBelow, root } from '../../scripts/tools.mjs'
import { HANGS_AFTER } from './until.mjs'

/** @param {readonly string[]} words of Node */
function runNode(words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    timeout: HANGS_AFTER,
  })
  return { status, stdout, stderr }
}

/** @type {Record<string, string>} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('--help says what a command takes, and does nothing else', () => {
  const commands = Object.entries(scripts).filter(([, command]) => command.startsWith('node '))

  for (const [name, command] of commands) {
    // What these two do is named with what they call.
    if (name === 'prepack' || name === 'simulate') continue
    test(`npm run ${name} -- --help`, () => {
      const { status, stdout, stderr } = runNode([...command.split(' ').slice(1), '--help'])
      assert.equal(stderr, '')
      assert.equal(status, 0)
      assert.match(stdout, new RegExp(`npm (run )?${name}\\b|node ${command.split(' ')[1]}`))
      assert.doesNotMatch(stdout, /^(\/\/| \*)/m)
    })
  }

  test('of stages, with their names', () => {
    assert.match(runNode(['scripts/test.mjs', '--help']).stdout, /Stages:\n {2}lint {7}\S/)
  })

  test('of scripts of the services', () => {
    const { status, stdout } = runNode(['scripts/services.mjs', 'bench', '--help'])
    assert.equal(status, 0)
    assert.match(stdout, /million \[--runs 1000000\]/)
  })
})

describe('a word that a program does not know ends it at once', () => {
  const programs = ['bench', 'scripts', 'environments', 'tests/fuzz', 'tests/golden']
    .flatMap((folder) => filesBelow(folder, /\.mjs$/))
    .filter((file) =>
      /readCommandLine\(\s*import\.meta\.url/.test(readFileSync(join(root, file), 'utf8')),
    )

  test('there are programs', () => assert.ok(programs.length > 15, programs.join()))

  for (const program of programs) {
    test(`node ${program} --no-such-thing`, () => {
      const { status, stdout, stderr } = runNode([program, '--no-such-thing'])
      assert.equal(stderr, "Unknown option '--no-such-thing'; --help says what there is\n")
      assert.equal(stdout, '')
      assert.equal(status, 2)
    })
  }

  for (const program of ['scripts/test.mjs', 'scripts/deep.mjs']) {
    test(`node ${program} no-such-stage`, () => {
      const { status, stderr } = runNode([program, 'no-such-stage'])
      assert.match(stderr, /unknown: no-such-stage; stages are /)
      assert.equal(status, 1)
    })
  }
})
