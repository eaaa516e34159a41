/**
 * What a step of the exact solver has where its budget does not pay for a solution: never less than sweeps, and more with more work.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init } from 'moreau'
import { budgetWorld, coldStep } from './budget-worlds.mjs'

const dt = 1 / 60

before(() => init())

describe('a wall of 100 bricks at rest', () => {
  test('is solved within the default budget in all but a few steps', () => {
    const world = budgetWorld('wall at rest', { solver: 'exact' })
    let missed = 0
    for (let step = 0; step < 100; step++) {
      world.step(dt)
      if (step >= 40) missed += Number(world.residual().worst > 1e-8)
    }
    world.free()
    assert.ok(missed <= 3, `${missed} of 60 steps missed`)
  })
})

describe('a step without a warm start', () => {
  for (const { name, at } of [
    { name: 'wall hit, 0 mm', at: 17 },
    { name: 'pile 50, seed 1', at: 60 },
    { name: 'pyramid hit', at: 20 },
  ])
    test(`${name}, step ${at}: no budget is worse than 20 sweeps of block-pgs, and the default one far better`, () => {
      const step = coldStep(name, at)
      const swept = step({ solver: 'block-pgs', iterations: 20 }).rms
      const solved = [1e6, 2.5e7, 5e7, 1e8, 2e8].map(
        (workBudget) => step({ solver: 'exact', workBudget }).rms,
      )
      for (const rms of solved) assert.ok(rms <= 1.001 * swept, `${solved}, swept ${swept}`)
      assert.ok(solved[4] < 0.2 * swept, `${solved}, swept ${swept}`)
    })
})
