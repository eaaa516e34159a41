/** Islands under `solver: 'exact'`: who solves them, what they may cost, and what they tell. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { solveContactProblem, World } from 'moreau'
import { addSlab, cube, exactWorld, near, nearVector, stepMany, throwsCode } from './support.mjs'

/** @typedef {import('./support.mjs').SolverName} SolverName */
/** @typedef {import('./support.mjs').WorldOptions} WorldOptions */

const dt = 1 / 60

/**
 * A pyramid of cubes beside a single cube on the same floor.
 *
 * @param {import('moreau').World} world
 * @param {number} rows
 */
function pyramidAndCube(world, rows) {
  addSlab(world)
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < rows - row; i++) {
      world.createBody({ shape: cube, mass: 1, position: [1.1 * (i + row / 2), 0, row + 0.5] })
    }
  }
  return world.createBody({
    shape: cube,
    mass: 1,
    position: [-5, 0, 0.5],
    linearVelocity: [-1, 0.5, 0],
  })
}

describe('an island that needs more than exactMemoryLimit', () => {
  test('is told of, solved by block-pgs, and changes nothing for the others', async () => {
    const world = await exactWorld({ exactMemoryLimit: 200_000 })
    const plenty = await exactWorld()
    const [cubeHere, cubeThere] = [pyramidAndCube(world, 6), pyramidAndCube(plenty, 6)]
    /** @type {import('moreau').SolverEvent[]} */
    const events = []
    world.on('solver', (event) => events.push(event))
    plenty.on('solver', () => assert.fail('with enough memory nothing is told'))
    stepMany(
      world,
      30,
      (step) => {
        plenty.step(dt)
        assert.equal(events.length, step, 'an event a step')
        const { type, island } = events[step - 1]
        assert.equal(type, 'too-big')
        assert.equal(island?.solver, 'block-pgs')
        assert.equal(island?.bodies, 21)
        const [big, small] = world.islands().sort((a, b) => b.bodies - a.bodies)
        assert.equal(big.event, 'too-big')
        assert.equal(small.solver, 'cone')
        assert.equal(small.event, null)
        assert.ok(small.residual <= 1e-8)
        assert.equal(world.stats.missedIslands, 1)
        assert.deepEqual(cubeHere.position, cubeThere.position, 'the other island, to the bit')
        assert.deepEqual(cubeHere.linearVelocity, cubeThere.linearVelocity)
      },
      dt,
    )
    for (const body of world.bodies) assert.ok(body.position.every(Number.isFinite))
    world.exactMemoryLimit = 2 ** 30
    world.step(dt)
    assert.equal(events.length, 30, 'with more memory the events end')
    world.free()
    plenty.free()
  })

  test('at a limit of a few bytes every island is left to block-pgs, and the world goes on', async () => {
    const world = await exactWorld({ exactMemoryLimit: 64 })
    pyramidAndCube(world, 3)
    stepMany(world, 10, undefined, dt)
    assert.deepEqual(
      world.islands().map(({ solver, event }) => [solver, event]),
      [
        ['block-pgs', 'too-big'],
        ['block-pgs', 'too-big'],
      ],
    )
    assert.ok(world.bodies.every((body) => body.position.every(Number.isFinite)))
    world.free()
  })
})

describe('memory', () => {
  for (const { what, friction } of [
    { what: 'with friction', friction: 0.5 },
    { what: 'without friction', friction: 0 },
  ]) {
    test(`a step allocates nothing after warm-up, ${what}`, async () => {
      const world = await exactWorld()
      addSlab(world, { friction })
      for (let i = 0; i < 12; i++) {
        world.createBody({
          shape: i % 2 ? cube : { type: 'sphere', radius: 0.5 },
          mass: 1,
          friction,
          position: [0.3 * (i % 3), 0.2 * (i % 4), 0.6 + 1.1 * i],
          linearVelocity: [friction, 0, 0],
        })
      }
      // Some seconds after a peak memory is fitted to what steps need since, which is the last of the warm-up.
      stepMany(world, 600, undefined, dt)
      const { allocations, bytes } = world.memory()
      stepMany(world, 240, undefined, dt)
      assert.equal(world.memory().allocations, allocations, 'calls of the allocator')
      assert.equal(world.memory().bytes, bytes, 'bytes held')
      world.free()
    })
  }
})

describe('a solver per body', () => {
  test('an exact machine in a block-pgs world', async () => {
    const world = await exactWorld({ solver: 'block-pgs', allowSleep: false })
    addSlab(world)
    const heavyTop = [1, 1e6].map((mass, level) =>
      world.createBody({ shape: cube, mass, position: [0, 0, level + 0.5] }),
    )
    const plain = world.createBody({ shape: cube, mass: 1, position: [10, 0, 0.5] })
    assert.equal(heavyTop[0].solver, undefined, 'that of the world')
    heavyTop[0].solver = 'exact'
    stepMany(
      world,
      60,
      () => {
        const [exact, sweeps] = world.islands()
        assert.equal(exact.solver, 'cone', 'one body that asks is enough for its island')
        assert.ok(exact.residual <= 1e-8)
        assert.equal(sweeps.solver, 'block-pgs')
        assert.equal(sweeps.factorisations, 0)
      },
      dt,
    )
    nearVector(heavyTop[1].position, [0, 0, 1.5], 1e-6, 'the machine stands')
    nearVector(plain.position, [10, 0, 0.5], 1e-6, 'the other cube stands')
    world.free()
  })

  test('block-pgs for a body of an exact world', async () => {
    const world = await exactWorld()
    addSlab(world)
    world.createBody({ shape: cube, mass: 1, position: [0, 0, 0.5] })
    world.createBody({ shape: cube, mass: 1, position: [5, 0, 0.5], solver: 'block-pgs' })
    world.step(dt)
    assert.deepEqual(
      world.islands().map(({ solver }) => solver),
      ['cone', 'block-pgs'],
    )
    world.free()
  })

  test('exact takes active-set where nothing rubs, cone where something does', async () => {
    const world = await exactWorld()
    addSlab(world, { friction: 1 })
    world.createBody({ shape: cube, mass: 1, friction: 0, position: [0, 0, 0.5] })
    world.createBody({ shape: cube, mass: 1, friction: 1, position: [5, 0, 0.5] })
    world.step(dt)
    assert.deepEqual(
      world.islands().map(({ solver, rows }) => [solver, rows]),
      [
        ['active-set', 4],
        ['cone', 12],
      ],
    )
    world.free()
  })
})

describe('a step that misses its tolerance', () => {
  test('says so in stats, islands and an event, and uses the best point found', async () => {
    const world = await exactWorld({ maxIterations: 1 })
    addSlab(world)
    for (let i = 0; i < 6; i++) {
      world.createBody({
        shape: cube,
        mass: 10 ** (i % 4),
        position: [0.2 * i, 0.1 * i, i + 0.5],
        linearVelocity: [i, -i, -1],
      })
    }
    /** @type {import('moreau').SolverEvent[]} */
    const events = []
    const end = world.on('solver', (event) => events.push(event))
    world.step(dt)
    const [island] = world.islands()
    assert.equal(events.length, 1)
    assert.equal(events[0].type, 'budget')
    assert.equal(island.event, 'budget')
    assert.equal(island.status, 'budget')
    assert.ok(island.residual > 1e-8)
    assert.ok(island.factorisations <= 1)
    assert.equal(world.stats.missedIslands, 1)
    near(
      world.stats.residual,
      world.residual().worst,
      1e-12,
      'the certificate is that of residual()',
    )
    assert.ok(world.bodies.every((body) => body.position.every(Number.isFinite)))
    end()
    world.step(dt)
    assert.equal(events.length, 1, 'nobody listens any more')
    world.free()
  })
})

test('beside islands of soft-step the exact ones are told of as they are', async () => {
  const world = await World.create({ gravity: [0, 0, -9.81], exactMemoryLimit: 100_000 })
  addSlab(world)
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  for (const [x, count, solver] of /** @type {const} */ ([
    [-8, 2, undefined],
    [-4, 2, 'exact'],
    [0, 3, undefined],
    [4, 25, 'exact'],
    [8, 1, 'block-pgs'],
  ])) {
    for (let i = 0; i < count; i++) {
      world.createBody({ shape, mass: 1, position: [x, 0, 0.5 + i], solver })
    }
  }
  /** @type {import('moreau').SolverEvent[]} */
  const events = []
  world.on('solver', (event) => events.push(event))
  stepMany(world, 5, () => {}, dt)
  const islands = world.islands()
  assert.deepEqual(
    islands.map(({ solver, bodies, event }) => [solver, bodies, event]),
    [
      ['soft-step', 2, null],
      ['soft-step', 3, null],
      ['cone', 2, null],
      ['block-pgs', 25, 'too-big'],
      ['block-pgs', 1, null],
    ],
  )
  assert.ok(islands[2].residual <= 1e-8)
  assert.equal(world.stats.missedIslands, 1)
  assert.deepEqual(
    events.map(({ type, island }) => [type, island?.bodies]),
    Array.from({ length: 5 }, () => ['too-big', 25]),
  )
  assert.equal(world.contactPoints().length, 4 * 33, 'four under each cube, once')
})

describe('recordProblem', () => {
  for (const { what, options } of /** @type {{ what: string, options: WorldOptions }[]} */ ([
    { what: 'exact', options: { tolerance: 1e-12, stabilization: 'none' } },
    {
      what: 'block-pgs',
      options: { solver: 'block-pgs', iterations: 20000, tolerance: 1e-14, stabilization: 'none' },
    },
  ])) {
    test(`gives the problem of the step (${what}): solved again, the same velocities`, async () => {
      const world = await exactWorld(options)
      addSlab(world)
      // Balls: a face on a face would leave open which corner carries, and with it the slip.
      const height = Math.sqrt(2 / 3)
      for (const [i, position] of /** @type {[number, number, number][]} */ ([
        [0, 0, 0.5],
        [1, 0, 0.5],
        [0.5, Math.sqrt(3) / 2, 0.5],
        [0.5, Math.sqrt(3) / 6, 0.5 + height],
      ]).entries()) {
        world.createBody({
          shape: { type: 'sphere', radius: 0.5 },
          mass: 1 + i,
          friction: 0.3,
          position,
          linearVelocity: [2 - i, 0.5 * i, i === 3 ? -1 : 0],
        })
      }
      world.step(dt)
      const problem = JSON.parse(JSON.stringify(world.recordProblem('four balls')))
      assert.equal(problem.name, 'four balls')
      const points = world.contactPoints()
      assert.equal(problem.contacts, points.length)
      assert.ok(points.length >= 6)
      const answer = solveContactProblem(problem, { tolerance: 1e-12 })
      assert.ok(answer.residual < 1e-10)
      // Normal velocity and slip of each contact do not depend on the choice of tangents.
      for (const [i, point] of points.entries()) {
        const [normal, t1, t2] = answer.velocities.slice(3 * i, 3 * i + 3)
        const { approach, slip } = relativeVelocity(world, point)
        near(normal, approach, 1e-7, `normal velocity of contact ${i}`)
        near(Math.hypot(t1, t2), slip, 1e-7, `slip of contact ${i}`)
      }
      world.free()
    })
  }

  test('without contacts it is an empty problem', async () => {
    const world = await exactWorld()
    world.step(dt)
    const problem = world.recordProblem()
    assert.equal(problem.contacts, 0)
    assert.deepEqual(problem.W.shape, [0, 0])
    assert.equal(solveContactProblem(problem).status, 'none')
    world.free()
    throwsCode(() => world.recordProblem(), 'stale-handle')
  })
})

/**
 * Normal and tangential speed at a contact point after the step, with arms from where the bodies
 * were before it.
 *
 * @param {import('moreau').World} world
 * @param {ReturnType<import('moreau').World['contactPoints']>[number]} point
 */
function relativeVelocity(world, { bodyA, bodyB, position, normal }) {
  const [a, b] = [bodyA, bodyB].map((body) => {
    const v = body.linearVelocity
    const w = body.angularVelocity
    const r = position.map((x, axis) => x - (body.position[axis] - dt * v[axis]))
    return [
      v[0] + w[1] * r[2] - w[2] * r[1],
      v[1] + w[2] * r[0] - w[0] * r[2],
      v[2] + w[0] * r[1] - w[1] * r[0],
    ]
  })
  const relative = b.map((x, axis) => x - a[axis])
  const approach = relative.reduce((sum, x, axis) => sum + x * normal[axis], 0)
  const slip = Math.hypot(...relative.map((x, axis) => x - approach * normal[axis]))
  return { approach, slip }
}

describe('what has no solution', () => {
  test('a box that a kinematic one presses into the floor stays where it is', async () => {
    for (const solver of /** @type {const} */ (['exact', 'block-pgs'])) {
      const world = await World.create({ solver })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      const box = world.createBody({ shape, position: [0, 0.5, 0], mass: 1 })
      const kind = /** @type {const} */ ('kinematic')
      world.createBody({ type: kind, shape, position: [0, 1.5, 0], linearVelocity: [0, -0.5, 0] })
      for (let i = 0; i < 12; i++) {
        world.step(1 / 60)
        const [x, y, z] = box.position
        assert.ok(Math.hypot(x, z) < 0.01 && Math.abs(y - 0.5) < 0.1, `${solver}: ${x}, ${y}, ${z}`)
        assert.ok(box.speed < 1, `${solver}: ${box.speed} m/s`)
      }
      world.free()
    }
  })

  test('joints that exclude each other leave the body between them', async () => {
    const world = await World.create({ solver: 'exact' })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: 0.2 },
      position: [1, 0.3, 0],
      mass: 1,
    })
    for (const x of [0, 3]) {
      world.createJoint({ type: 'distance', bodyB: ball, anchorA: [x, 0, 0], length: 1 })
    }
    for (let i = 0; i < 300; i++) {
      world.step(1 / 60)
      assert.ok(Math.hypot(...ball.position) < 4, `step ${i}: ${ball.position}`)
    }
    world.free()
  })
})

test('a step of 0 s tells of no event again', async () => {
  const world = await World.create({ solver: 'exact', exactMemoryLimit: 1 })
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 0.5, 0] })
  let events = 0
  world.on('solver', () => events++)
  world.step(1 / 60)
  world.step(0)
  assert.equal(events, 1)
  world.free()
})
