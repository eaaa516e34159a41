import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConeAudit } from './cone-audit.mjs'
import {
  acceptanceWorld,
  addSlab,
  cube,
  dt,
  g,
  near,
  stepMany,
  totalNormalImpulse,
} from './support.mjs'

/** @typedef {import('moreau').Body} Body */

describe('a cube at rest', () => {
  for (const { mass, friction } of [
    { mass: 5, friction: 0.5 },
    { mass: 0.01, friction: 0 },
    { mass: 1e4, friction: 1 },
  ]) {
    test(`A34, A31 ${mass} kg, mu ${friction}: the floor carries m g dt in each of 1000 steps`, async () => {
      const world = await acceptanceWorld()
      addSlab(world, { friction })
      const body = world.createBody({ shape: cube, mass, friction, position: [0, 0, 0.5] })
      const audit = new ConeAudit(world, friction, mass)
      stepMany(world, 1000, (step) => {
        audit.afterStep()
        near(totalNormalImpulse(world) / (mass * g * dt), 1, 1e-9, `weight in step ${step}`)
        near(body.position[2], 0.5, 1e-3, `height in step ${step}`)
        assert.ok(body.speed < 1e-3, `speed in step ${step}`)
      })
      assert.equal(audit.contacts, 4000)
      world.free()
    })
  }

  test('A34 with 3 sweeps: warm starting gets there within 20 steps', async () => {
    const world = await acceptanceWorld({ iterations: 3 })
    addSlab(world)
    const body = world.createBody({ shape: cube, mass: 5, position: [0, 0, 0.5] })
    stepMany(world, 1000, (step) => {
      near(body.position[2], 0.5, 1e-3, `height in step ${step}`)
      if (step <= 20) return
      near(totalNormalImpulse(world) / (5 * g * dt), 1, 1e-3, `weight in step ${step}`)
      assert.ok(body.speed < 1e-3, `speed in step ${step}`)
    })
    world.free()
  })
})

describe('a stack', () => {
  for (const { row, count, masses } of [
    { row: 'A53', count: 10, masses: [1] },
    { row: 'A53', count: 4, masses: [3, 2, 5, 1] },
  ]) {
    test(`${row} ${count} cubes of ${masses} kg for 600 steps`, async () => {
      const world = await acceptanceWorld()
      const floor = addSlab(world)
      /** @type {Body[]} */
      const cubes = []
      for (let level = 0; level < count; level++) {
        const mass = masses[level % masses.length]
        cubes.push(world.createBody({ shape: cube, mass, position: [0, 0, level + 0.5] }))
      }
      stepMany(world, 600)
      for (const [level, body] of cubes.entries()) {
        const below = level === 0 ? floor : cubes[level - 1]
        const above = cubes.slice(level).reduce((sum, other) => sum + other.mass, 0)
        let impulse = 0
        for (const contact of body.contacts()) {
          if (contact.other.id !== below.id) continue
          for (const point of contact.points) impulse += point.normalImpulse
        }
        near(impulse / (above * g * dt), 1, 1e-2, `impulse under cube ${level}`)
        const [x, y, z] = body.position
        assert.ok(Math.hypot(x, y, z - level - 0.5) < 0.01, `drift of cube ${level}`)
      }
      assert.ok(world.energy().kinetic < 1e-4, 'kinetic energy')
      world.free()
    })
  }
})

describe('removal of overlap', () => {
  /**
   * A cube at rest without gravity that is in the floor by `depth`.
   *
   * @param {import('./support.mjs').WorldOptions} options
   * @param {number} depth m
   */
  async function sunken(options, depth) {
    const world = await acceptanceWorld({ gravity: [0, 0, 0], errorReduction: 0.2, ...options })
    addSlab(world)
    const body = world.createBody({ shape: cube, mass: 1, position: [0, 0, 0.5 - depth] })
    world.step(dt)
    return { world, body, moved: body.position[2] - (0.5 - depth) }
  }

  test('A58 Baumgarte: the overlap goes through the velocity, errorReduction depth / dt', async () => {
    for (const [errorReduction, depth] of [
      [0.2, 0.01],
      [0.5, 0.004],
    ]) {
      const { world, body } = await sunken({ stabilization: 'baumgarte', errorReduction }, depth)
      near(body.linearVelocity[2], (errorReduction * depth) / dt, 1e-9, 'velocity')
      world.free()
    }
  })

  test('A58 Baumgarte is capped by maxCorrectionSpeed', async () => {
    const { world, body } = await sunken(
      { stabilization: 'baumgarte', errorReduction: 1, maxCorrectionSpeed: 0.25 },
      0.02,
    )
    near(body.linearVelocity[2], 0.25, 1e-9, 'velocity')
    world.free()
  })

  test('A59 split: the same way, and no velocity', async () => {
    const { world, body, moved } = await sunken({ stabilization: 'split' }, 0.01)
    near(moved, 0.002, 1e-9, 'way')
    assert.equal(body.speed < 1e-12 && body.angularSpeed < 1e-12, true, 'velocity')
    near(world.energy().kinetic, 0, 1e-12, 'kinetic energy')
    world.free()
  })

  test('A59 split leaves the slop alone', async () => {
    const { world, moved } = await sunken({ stabilization: 'split', linearSlop: 0.005 }, 0.01)
    near(moved, 0.001, 1e-9, 'way')
    world.free()
    const within = await sunken({ stabilization: 'split', linearSlop: 0.005 }, 0.004)
    near(within.moved, 0, 1e-12, 'way within the slop')
    within.world.free()
  })

  test('A58 without stabilization the overlap stays', async () => {
    const { world, body, moved } = await sunken({ stabilization: 'none' }, 0.01)
    near(moved, 0, 1e-12, 'way')
    near(body.speed, 0, 1e-12, 'speed')
    world.free()
  })
})
