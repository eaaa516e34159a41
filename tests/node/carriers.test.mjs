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
    // Soft-step reads the truck's velocities as means over its steps. Until it knows the acceleration, after some steps, 96 % of friction
    // are not enough.
    test('a box on a truck at 4.7 m/s² does not slip', async () => {
      const most = { 'soft-step': 2e-4, 'block-pgs': 1e-6, exact: 1e-6 }
      near(await slip(solver, { acceleration: 4.7, friction: 0.5 }), 0, most[solver])
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

const GRAVITY = 9.81

/**
 * A body's place on a carrier, in the axes of the carrier.
 *
 * @param {import('moreau').Body} carrier
 * @param {import('moreau').Body} body
 */
function placeOn(carrier, body) {
  const [x, y, z] = body.position.map((at, axis) => at - carrier.position[axis])
  const [a, b, c, w] = carrier.orientation
  // q* p q, by twice the cross product with the vector of q
  const turn = [2 * (c * y - b * z), 2 * (a * z - c * x), 2 * (b * x - a * y)]
  return [
    x + w * turn[0] + c * turn[1] - b * turn[2],
    y + w * turn[1] + a * turn[2] - c * turn[0],
    z + w * turn[2] + b * turn[0] - a * turn[1],
  ]
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */

/**
 * Bodies of one shape on a turntable from whose start they turn with it: how far each moves on it in 20 s, m.
 *
 * @param {{ spin: number, radius: number, part: number, shape?: ShapeDefinition, solver?: SolverName, substeps?: number, dt?: number, masses?: number[], offset?: number }} options
 *   part: of the friction that is used. offset: m, of every second body of a stack, outwards
 */
async function creep({ spin, radius, part, shape, solver = 'soft-step', ...more }) {
  const { substeps = 4, dt = DT, masses = [1], offset = 0 } = more
  const friction = (spin * spin * radius) / GRAVITY / part
  const world = await World.create({ allowSleep: false, solver, substeps })
  const table = world.createBody({
    type: 'kinematic',
    shape: { type: 'cylinder', radius: radius + 1, halfHeight: 0.5 },
    position: [0, -0.5, 0],
    angularVelocity: [0, spin, 0],
    friction,
  })
  const bodies = masses.map((mass, k) => {
    const x = radius + (k % 2) * offset
    return world.createBody({
      shape: shape ?? { type: 'box', halfExtents: [0.15, 0.15, 0.15] },
      mass,
      friction,
      position: [x, 0.15 + 0.3 * k, 0],
      linearVelocity: [0, 0, -spin * x],
      angularVelocity: [0, spin, 0],
    })
  })
  for (let i = 0; i < 10; i++) world.step(dt)
  const starts = bodies.map((body) => placeOn(table, body))
  const most = bodies.map(() => 0)
  for (let i = 0; i < 20 / dt; i++) {
    world.step(dt)
    bodies.forEach((body, k) => {
      most[k] = Math.max(most[k], distance(placeOn(table, body), starts[k]))
    })
  }
  world.free()
  return Math.max(...most)
}

describe('what turns with a turntable keeps its place', () => {
  for (const [spin, radius] of [
    [0.5, 5],
    [1, 1],
    [1.4, 2],
    [3, 1],
    [6, 0.25],
  ]) {
    for (const part of [0.3, 0.7, 0.9, 0.95]) {
      test(`box, ${spin} rad/s, ${radius} m, ${100 * part} % of friction`, async () => {
        near(await creep({ spin, radius, part }), 0, 1e-3)
      })
    }
  }

  const cylinder = /** @type {const} */ ({ type: 'cylinder', radius: 0.15, halfHeight: 0.15 })
  const hull = /** @type {ShapeDefinition} */ ({
    type: 'hull',
    points: [
      [-0.1, -0.15, -0.1],
      [0.2, -0.15, 0],
      [0, -0.15, 0.2],
      [0, 0.15, 0],
    ],
  })
  for (const [name, shape] of /** @type {const} */ ([
    ['cylinder', cylinder],
    ['hull', hull],
  ])) {
    test(`${name}, 2 rad/s, 1 m, 90 % of friction`, async () => {
      near(await creep({ spin: 2, radius: 1, part: 0.9, shape }), 0, 1e-3)
    })
  }

  for (const [substeps, dt] of [
    [1, 1 / 240],
    [4, 1 / 30],
    [8, 1 / 60],
  ]) {
    test(`${substeps} substeps, steps of ${dt.toFixed(4)} s`, async () => {
      near(await creep({ spin: 2, radius: 1, part: 0.9, substeps, dt }), 0, 1e-3)
    })
  }

  for (const masses of [
    [1, 1, 1],
    [1, 2],
    [2, 1, 2],
  ]) {
    test(`stack of ${masses.join(', ')} kg that is not plumb`, async () => {
      near(await creep({ spin: 1.3, radius: 1, part: 0.5, masses, offset: 0.07 }), 0, 1e-3)
    })
  }

  test('stack of 1 and 8 kg', async () => {
    near(await creep({ spin: 1.5, radius: 1, part: 0.5, masses: [1, 8, 1] }), 0, 5e-3)
  })

  for (const solver of /** @type {const} */ (['exact', 'block-pgs'])) {
    test(`${solver}: box, 3 rad/s, 70 % of friction`, async () => {
      near(await creep({ spin: 3, radius: 1, part: 0.7, solver }), 0, 1e-4)
    })
  }
})

/**
 * Stacked boxes on a truck that brakes from 15 m/s to a stand: how far each has slipped when all is at rest, m.
 *
 * @param {{ boxes: { mass: number, half: [number, number, number] }[], braking: number, friction: number, substeps?: number }} options
 */
async function braked({ boxes, braking, friction, substeps = 4 }) {
  const world = await World.create({ allowSleep: false, solver: 'soft-step', substeps })
  let speed = 15
  const truck = world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [5, 0.5, 2] },
    position: [0, -0.5, 0],
    linearVelocity: [speed, 0, 0],
    friction,
  })
  let top = 0
  const bodies = boxes.map(({ mass, half }) => {
    top += 2 * half[1]
    return world.createBody({
      shape: { type: 'box', halfExtents: half },
      mass,
      friction,
      position: [0, top - half[1], 0],
      linearVelocity: [speed, 0, 0],
    })
  })
  for (let i = 0; i < 60; i++) world.step(DT)
  const starts = bodies.map((body) => placeOn(truck, body))
  for (let i = 0; i < 400; i++) {
    speed = Math.max(0, speed - braking * DT)
    truck.linearVelocity = [speed, 0, 0]
    world.step(DT)
  }
  const slipped = bodies.map((body, k) => distance(placeOn(truck, body), starts[k]))
  world.free()
  return Math.max(...slipped)
}

describe('stacks on a truck that brakes', () => {
  const crate = /** @type {[number, number, number]} */ ([0.4, 0.4, 0.4])
  const flat = /** @type {[number, number, number]} */ ([0.6, 0.1, 0.4])

  test('a pallet, 25 kg, under two boxes of 200 kg', async () => {
    const boxes = [
      { mass: 25, half: flat },
      { mass: 200, half: crate },
      { mass: 200, half: crate },
    ]
    near(await braked({ boxes, braking: 3, friction: 0.4 }), 0, 5e-3)
  })

  for (const masses of [
    [1, 1],
    [1, 2],
    [1, 1, 1],
    [2, 1, 1, 2],
  ]) {
    test(`boxes of ${masses.join(', ')} kg`, async () => {
      const boxes = masses.map((mass) => ({ mass, half: flat }))
      near(await braked({ boxes, braking: 2.6, friction: 0.35 }), 0, 1e-3)
    })
  }
})

test('a box on a platform that rocks keeps its place', async () => {
  const world = await World.create({ allowSleep: false, solver: 'soft-step' })
  const shape = /** @type {ShapeDefinition} */ ({ type: 'box', halfExtents: [3, 0.5, 3] })
  const platform = world.createBody({
    type: 'kinematic',
    shape,
    position: [0, -0.5, 0],
    friction: 0.9,
  })
  const box = world.createBody({
    shape: { type: 'box', halfExtents: [0.15, 0.15, 0.15] },
    position: [1, 0.15, 0.2],
    friction: 0.9,
  })
  for (let i = 0; i < 60; i++) world.step(DT)
  const start = placeOn(platform, box)
  const angle = (/** @type {number} */ step) => 0.3 * Math.sin((step * DT) / 0.3)
  for (let i = 1; i <= 1200; i++) {
    platform.angularVelocity = [0, 0, (angle(i) - angle(i - 1)) / DT]
    world.step(DT)
    near(distance(placeOn(platform, box), start), 0, 1e-3)
  }
  world.free()
})

test('a carrier moves nothing that no force moves', async () => {
  const world = await World.create({ allowSleep: false, solver: 'soft-step' })
  const table = world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [3, 0.5, 3] },
    position: [0, -0.5, 0],
    angularVelocity: [0, 3, 0],
    friction: 0,
  })
  const box = world.createBody({
    shape: { type: 'box', halfExtents: [0.1, 0.1, 0.1] },
    position: [1, 0.1, 0],
    friction: 0,
  })
  for (let i = 0; i < 300; i++) {
    table.linearVelocity = [Math.sin(i / 20), 0, 0]
    world.step(DT)
  }
  near(box.position[0], 1, 1e-9)
  near(box.position[2], 0, 1e-9)
  world.free()
})
