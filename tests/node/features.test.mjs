/**
 * The table of docs/features.md names the tests that prove what it says of Moreau: they have to be there.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../scripts/tools.mjs'

const lines = readFileSync(join(root, 'docs/features.md'), 'utf8').split('\n')

const rows = lines
  .filter((line) => line.startsWith('|'))
  .map((line) => line.slice(1, -1).split('|'))
  .map((cells) => cells.map((cell) => cell.trim()))
const [head, , ...features] = rows

/** @param {string} name as the table gives it */
const fileOf = (name) =>
  name.endsWith('.c') ? join('tests/unit', name) : join('tests/node', `${name}.test.mjs`)

/** @param {string} cell */
const testsOf = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => fileOf(name))

describe('the table of features', () => {
  test('has a cell for every engine in every row', () => {
    assert.equal(head[1], 'Moreau')
    assert.ok(features.length >= 40, `${features.length} rows`)
    for (const row of features) assert.equal(row.length, head.length, row[0])
  })

  for (const [feature, cell] of features) {
    test(`${feature}: the tests that Moreau's cell names exist, and it has some if it says yes`, () => {
      const named = testsOf(cell)
      for (const file of named) assert.ok(existsSync(join(root, file)), `there is no ${file}`)
      const claims = !cell.startsWith('-') && !cell.endsWith('no test)')
      assert.ok(named.length > 0 || !claims, `'${cell}' names no test`)
    })
  }

  test('files named below it exist', () => {
    const below = lines.filter((line) => line.startsWith('- ')).join('\n')
    const files = [...below.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    for (const file of files) assert.ok(existsSync(join(root, file)), `there is no ${file}`)
  })
})
