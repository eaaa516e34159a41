// Kinematic bodies carry what stands on them: a truck that accelerates, a turntable, and what slides because friction gives no more.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { near } from './support.mjs'

/** @typedef {import('moreau').SolverName} SolverName */

const DT = 1 / 60
const SOLVERS = /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])

/**
 * How far the highest of boxes that stand on each other slips back on a truck that accelerates for two seconds.
 *
 * @param {SolverName} solver
 * @param {{ acceleration: number, friction: number, boxes?: number }} options
 */
async function slip(solver, { acceleration, friction, boxes = 1 }) {
  const world = await World.create({ allowSleep: false, solver })
  const bed = world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [25, 0.5, 2] },
    position: [0, -0.5, 0],
    friction,
  })
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  const stack = Array.from({ length: boxes }, (_, k) =>
    world.createBody({ shape, position: [0, 0.5 + k, 0], friction }),
  )
  const box = stack[boxes - 1]
  for (let i = 0; i < 60; i++) world.step(DT)
  const start = box.position[0]
  for (let i = 1; i <= 120; i++) {
    const x = (acceleration * (i * DT) ** 2) / 2
    bed.linearVelocity = [(x - bed.position[0]) / DT, 0, 0]
    world.step(DT)
    near(bed.position[0], x, 1e-12, 'the truck')
  }
  const slipped = bed.position[0] - box.position[0] + start
  world.free()
  return slipped
}

for (const solver of SOLVERS) {
  describe(solver, () => {
    test('a box on a truck at 4.7 m/s² does not slip', async () => {
      near(await slip(solver, { acceleration: 4.7, friction: 0.5 }), 0, 1e-6)
    })

    test('a box on a truck at 6 m/s² slips as friction has it', async () => {
      const theory = ((6 - 0.5 * 9.81) * 2 ** 2) / 2
      near((await slip(solver, { acceleration: 6, friction: 0.5 })) / theory, 1, 0.02)
    })

    // The load of the upper box reaches the lower contact over some substeps of soft-step, once, when the truck starts.
    test('a box on a box on a truck at 3 m/s² stays where it stands', async () => {
      const most = { 'soft-step': 1e-3, 'block-pgs': 1e-4, exact: 1e-6 }
      near(await slip(solver, { acceleration: 3, friction: 0.5, boxes: 2 }), 0, most[solver])
    })

    test('a box on a truck without friction stays where it is', async () => {
      near(await slip(solver, { acceleration: 4.7, friction: 0 }), 9.4, 1e-9)
    })

    test('boxes on a turntable, one on another, keep to their circles', async () => {
      const world = await World.create({ allowSleep: false, solver })
      const table = world.createBody({
        type: 'kinematic',
        shape: { type: 'box', halfExtents: [3, 0.5, 3] },
        position: [0, -0.5, 0],
      })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.15, 0.15, 0.15] })
      const places = [
        [0.5, 0.15],
        [1, 0.15],
        [1, 0.45],
        [1.5, 0.15],
        [2, 0.15],
      ]
      const boxes = places.map(([radius, height]) => {
        const x = radius === 1.5 ? -radius : radius
        return world.createBody({
          shape,
          position: [x, height, 0],
          linearVelocity: [0, 0, -x],
          angularVelocity: [0, 1, 0],
        })
      })
      for (let i = 0; i < 360; i++) {
        table.angularVelocity = [0, 1, 0]
        world.step(DT)
      }
      boxes.forEach((box, index) => {
        const [x, , z] = box.position
        near(Math.hypot(x, z) / places[index][0], 1, 1e-3, `box ${index}`)
        const turned = Math.atan2(-z, x) - 6 - (places[index][0] === 1.5 ? Math.PI : 0)
        assert.ok(Math.cos(turned) > 1 - 1e-5, `box ${index} lags by ${turned}`)
      })
      world.free()
    })
  })
}
