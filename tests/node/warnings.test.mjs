import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

const dt = 1 / 60

before(() => init())

/**
 * @param {Partial<import('moreau').WorldOptions>} options
 * @param {number} [steps]
 */
function warningsOf(options, steps = 1) {
  const world = new World(options)
  for (let i = 0; i < steps; i++) world.step(dt)
  const { warnings } = world
  world.free()
  return warnings
}

describe('warnings of options that are bounded', () => {
  test('the default options give none, whatever the substeps', () => {
    for (const substeps of [1, 2, 4, 8]) assert.deepEqual(warningsOf({ substeps }), [])
  })

  test('contacts that are too stiff: the option, its value and the bound in force', () => {
    const [warning, ...others] = warningsOf({ contactHertz: 240 })
    assert.deepEqual(others, [])
    const { code, option, value, bound, message } = warning
    assert.deepEqual([code, option, value], ['contactHertz-bounded', 'contactHertz', 240])
    // sqrt(2 - 1 / (1 + zeta)) / (2 pi h), of which a contact has 1.75 per contactHertz
    const stable = Math.sqrt(2 - 1 / 11) / (2 * Math.PI * (dt / 4)) / 1.75
    assert.ok(Math.abs(bound - stable) < 1e-9, `${bound} instead of ${stable}`)
    assert.match(message, /contactHertz is 240, but 30\.16 is in force/)
  })

  test('a value above the bound and one at the bound have the same effect', () => {
    const heights = [240, warningsOf({ contactHertz: 240 })[0].bound].map((contactHertz) => {
      const world = new World({ contactHertz })
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      const ball = world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [0, 2, 0] })
      for (let i = 0; i < 120; i++) world.step(dt)
      const height = ball.position[1]
      world.free()
      return height
    })
    assert.ok(Math.abs(heights[0] - heights[1]) < 1e-6, `${heights}`)
  })

  test('more substeps, and steps that are shorter, raise the bound', () => {
    const [four] = warningsOf({ contactHertz: 1000 })
    const [eight] = warningsOf({ contactHertz: 1000, substeps: 8 })
    assert.ok(Math.abs(eight.bound / four.bound - 2) < 1e-12)
    assert.deepEqual(warningsOf({ contactHertz: 60, substeps: 8 }), [])
  })

  test('joints that are too stiff', () => {
    const [warning] = warningsOf({ jointHertz: 500 })
    assert.equal(warning.code, 'jointHertz-bounded')
    assert.ok(Math.abs(warning.bound - 80) < 1e-9)
    assert.deepEqual(warningsOf({ jointHertz: 500, contactHertz: 500 }).length, 2)
  })

  test('none before the first step, nor where soft-step solves nothing', () => {
    assert.deepEqual(warningsOf({ contactHertz: 240 }, 0), [])
    assert.deepEqual(warningsOf({ contactHertz: 240, solver: 'block-pgs' }), [])
  })
})
