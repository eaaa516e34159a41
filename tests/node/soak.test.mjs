/**
 * Some minutes of what `npm run soak` does for 24,000 s; npm test has built the program.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compare, soak } from '../../scripts/soak.mjs'

describe('bodies that come and go for long', () => {
  test('no overflow, no escape, flat memory, the same end twice', async () => {
    const { hash } = await soak({ seconds: 400, bodies: 10 })
    assert.match(hash, /^[0-9a-f]{16}$/)
    assert.notEqual(
      (await soak({ seconds: 400, bodies: 10, seed: 3 })).hash,
      hash,
      'the seed counts',
    )
  })

  test('what is wrong is told', () => {
    const run = { hash: 'a', bytes: [1, 50, 90, 100, 100.5, 200, 200, 201] }
    compare(run, run)
    assert.throws(() => compare(run, { ...run, hash: 'b' }), /ended as a and as b/)
    const growing = { hash: 'a', bytes: [1, 50, 90, 100, 102, 104, 106, 108] }
    assert.throws(() => compare(growing, growing), /went on growing .*: 102, 104, 106, 108 /)
  })
})
