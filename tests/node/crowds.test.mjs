import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'

const dt = 1 / 60
const BALL = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

/**
 * @param {number} count of balls in one point
 * @param {Partial<import('moreau').WorldOptions>} [options]
 */
async function crowd(count, options) {
  const world = await World.create({ ...options, warnings: false })
  for (let i = 0; i < count; i++) world.createBody({ shape: BALL })
  return world
}

describe('hundreds of bodies in one point', () => {
  test('take memory in proportion to their number, with every solver', async () => {
    for (const solver of /** @type {const} */ (['soft-step', 'auto', 'block-pgs'])) {
      const world = await crowd(300, { solver })
      const before = world.memory().bytes
      for (let step = 0; step < 3; step++) world.step(dt)
      const perBody = (world.memory().bytes - before) / 300
      assert.ok(perBody < 200 * 1024, `${solver}: ${perBody} bytes for each`)
      world.free()
    }
  })

  test('tell of the pairs that are not looked at: stats and an event', async () => {
    const world = await crowd(300)
    /** @type {import('moreau').SolverEvent[]} */
    const heard = []
    world.on('solver', (event) => heard.push(event))
    world.step(dt)
    const { refusedPairs } = world.stats
    assert.ok(refusedPairs > 0 && refusedPairs < (300 * 299) / 2, `${refusedPairs}`)
    const told = heard.filter(({ type }) => type === 'refused-pairs')
    assert.deepEqual(told, [{ type: 'refused-pairs', pairs: refusedPairs }])
    assert.deepEqual(world.solverEvents, heard)
    world.free()
  })

  test('33 in one point are solved in full, and nothing is told', async () => {
    const world = await crowd(33)
    world.step(dt)
    assert.equal(world.stats.refusedPairs, 0)
    assert.equal(world.stats.pairs, (33 * 32) / 2)
    assert.deepEqual(world.solverEvents, [])
    world.free()
  })

  test('come apart to the same bits from a snapshot that was taken among refused pairs', async () => {
    const world = await crowd(120)
    for (let step = 0; step < 2; step++) world.step(dt)
    const copy = await World.create({ warnings: false })
    copy.restore(world.snapshot())
    for (let step = 0; step < 20; step++) {
      world.step(dt)
      copy.step(dt)
    }
    assert.equal(copy.hash(), world.hash())
    assert.equal(world.stats.refusedPairs, 0)
    world.free()
    copy.free()
  })
})
