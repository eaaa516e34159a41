/** Friction far beyond any material's: what is called converged obeys the laws in m/s. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, solveContactProblem, World } from 'moreau'
import { cube, near, nearVector, stepMany } from './support.mjs'

const dt = 1 / 60
const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
const steep = [10, 1e3, 1e6, 1e9, 1e12]
/** @type {('exact' | 'block-pgs')[]} */
const solvers = ['exact', 'block-pgs']

/**
 * @param {'exact' | 'block-pgs'} solver
 * @param {number} friction
 * @param {number} levels of cubes on a floor
 */
async function stack(solver, friction, levels) {
  const world = await World.create({ solver, allowSleep: false })
  world.createBody({
    type: 'static',
    friction,
    shape: { type: 'box', halfExtents: [20, 0.5, 20] },
    position: [0, -0.5, 0],
  })
  const cubes = Array.from({ length: levels }, (_, level) =>
    world.createBody({ shape: cube, mass: 1, friction, position: [0, level + 0.5, 0] }),
  )
  return { world, cubes }
}

before(() => init())

describe('steep friction', () => {
  for (const mu of steep) {
    test(`a contact that approaches is solved, mu ${mu}`, () => {
      for (const solver of /** @type {const} */ (['cone', 'block-pgs'])) {
        const { status, residual, impulses, velocities } = solveContactProblem(
          { W: identity, q: [-0.1635, 0.3, 0], mu: [mu] },
          { solver },
        )
        assert.equal(status, 'converged')
        nearVector([...impulses], [0.1635, -0.3, 0], 1e-8, `impulses of ${solver}`)
        nearVector([...velocities], [0, 0, 0], 1e-8, `velocities of ${solver}`)
        assert.ok(residual <= 1e-8)
      }
    })

    for (const solver of solvers) {
      test(`cubes rest on cubes, mu ${mu}, ${solver}`, async () => {
        const { world, cubes } = await stack(solver, mu, 5)
        stepMany(
          world,
          120,
          (step) => {
            const { status } = world.stats
            if (solver === 'exact') assert.equal(status, 'converged', `step ${step}`)
            if (status === 'converged') assert.ok(world.residual().worst <= 1e-8)
          },
          dt,
        )
        cubes.forEach(({ position }, level) =>
          nearVector(position, [0, level + 0.5, 0], 1e-3, `cube ${level}`),
        )
        world.free()
      })
    }

    test(`a cube that is thrown along the floor stays above it, mu ${mu}`, async () => {
      for (const solver of solvers) {
        const { world, cubes } = await stack(solver, mu, 1)
        cubes[0].linearVelocity = [3, 0, 1]
        let told = 0
        stepMany(
          world,
          120,
          () => {
            const { status, missedIslands } = world.stats
            told += missedIslands
            if (status === 'converged') assert.ok(world.residual().worst <= 1e-7)
            assert.ok(cubes[0].position[1] > 0.495, `height ${cubes[0].position[1]} by ${solver}`)
          },
          dt,
        )
        assert.ok(told <= 4, `${told} steps of 120 without a certificate`)
        near(cubes[0].position[1], 0.5, 5e-3, `height at the end by ${solver}`)
        world.free()
      }
    })
  }
})
