import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptanceWorld, addSlab, cube, dt, near } from './support.mjs'

/** @typedef {[number, number, number]} Vector */

describe('the certificate residual()', () => {
  for (const friction of [0, 0.5]) {
    test(`is zero for a contact that stays open, mu ${friction}`, async () => {
      const world = await acceptanceWorld({ gravity: [0, 0, 0] })
      addSlab(world, { friction })
      // 1 cm above the floor and approaching by 1 mm per step.
      const velocity = /** @type {Vector} */ ([0, 0, -0.001 / dt])
      const falling = { shape: cube, friction, mass: 1, linearVelocity: velocity }
      world.createBody({ ...falling, position: [0, 0, 0.5005] })
      world.createBody({ ...falling, position: [3, 0, 0.502] })
      for (let step = 0; step < 5; step++) {
        world.step(dt)
        near(world.residual().worst, 0, 1e-9, `certificate of step ${step + 1}`)
      }
      world.free()
    })

    test(`is small for a glancing impact whose strip opens, mu ${friction}`, async () => {
      const world = await acceptanceWorld({
        gravity: [0, 0, 0],
        iterations: 5000,
        tolerance: 1e-12,
      })
      const common = { shape: cube, friction, restitution: 0.5 }
      world.createBody({ ...common, mass: 2, linearVelocity: [1, 0, 0] })
      world.createBody({ ...common, mass: 1, position: [1, 0.9, 0] })
      world.step(dt)
      assert.equal(world.stats.status, 'converged')
      near(world.residual().worst, 0, 1e-9, 'certificate')
      world.free()
    })

    test(`shows a solve that was cut short, mu ${friction}`, async () => {
      const world = await acceptanceWorld({ iterations: 1 })
      addSlab(world, { friction })
      world.createBody({ shape: cube, friction, mass: 1, position: [0, 0, 0.5] })
      world.createBody({ shape: cube, friction, mass: 1, position: [0, 0, 1.5] })
      world.step(dt)
      assert.equal(world.stats.status, 'budget')
      assert.ok(world.residual().worst > 1e-3, `certificate ${world.residual().worst}`)
      world.free()
    })
  }

  test('falls with the number of sweeps', async () => {
    let last = Infinity
    for (const iterations of [1, 4, 16]) {
      const world = await acceptanceWorld({ iterations })
      addSlab(world)
      world.createBody({
        shape: cube,
        mass: 1,
        position: [0, 0, 0.5],
        linearVelocity: [1, 0.5, 0],
      })
      world.step(dt)
      const { worst, rms, contacts } = world.residual()
      assert.equal(contacts, 4)
      assert.ok(rms <= worst)
      assert.ok(worst < last, `${iterations} sweeps: ${worst}, before ${last}`)
      last = worst
      world.free()
    }
    near(last, 0, 1e-8, 'certificate after 16 sweeps')
  })
})
