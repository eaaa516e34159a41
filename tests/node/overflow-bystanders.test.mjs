/**
 * Bystanders: a body whose numbers overflow in its contact leaves alone what lies on the same floor.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

/** @typedef {import('moreau').BodyDefinition} BodyDefinition */

const halfExtents = /** @type {const} */ ([0.5, 0.5, 0.5])

before(() => init())

/**
 * A box at rest on a floor, and perhaps another body on it.
 * @param {BodyDefinition} [other]
 */
function bystander(other) {
  const world = new World({ solver: 'soft-step', allowSleep: false, warnings: false })
  const slab = /** @type {const} */ ({ type: 'box', halfExtents: [50, 1, 50] })
  world.createBody({ type: 'static', shape: slab, position: [0, -1, 0] })
  const box = world.createBody({ shape: { type: 'box', halfExtents }, position: [10, 0.5, 0] })
  if (other) {
    world.createBody({ shape: { type: 'box', halfExtents }, position: [-10, 0.45, 0], ...other })
  }
  for (let i = 0; i < 3; i++) {
    try {
      world.step(1 / 60)
    } catch (error) {
      assert.equal(/** @type {any} */ (error).code, 'not-finite')
      break
    }
  }
  const seen = {
    steps: world.stepCount,
    position: box.position,
    deepest: world.stats.maxPenetration,
  }
  world.free()
  return seen
}

describe('a box on a floor lies as it would alone, beside', () => {
  /** @type {[number, number][]} m/s and kg */
  const cases = [
    [1.8e28, 1e10],
    [1e38, 1],
    [7e37, 3],
    [2e25, 1e14],
  ]
  for (const [speed, mass] of cases) {
    for (const spin of [0, speed]) {
      test(`${mass} kg at ${speed} m/s, ${spin} rad/s`, () => {
        const linearVelocity = /** @type {const} */ ([spin, -speed, 0])
        const seen = bystander({ linearVelocity, angularVelocity: [spin, spin, -spin], mass })
        assert.ok(!Number.isNaN(seen.deepest))
        assert.ok(Math.abs(seen.position[1] - 0.5) < 1e-3, `it lies at ${seen.position[1]}`)
      })
    }
  }
})
