// Materials of contacts: rules of combination, rolling and spinning friction, moving surfaces.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init, World } from 'moreau'

before(() => init())

const G = 9.81
const DT = 0.016
const SOLVERS = ['exact', 'block-pgs', 'soft-step']

/** @param {any} [options] @returns {any} with definitions of any kind */
function makeWorld(options = {}) {
  return new World({
    gravity: [0, 0, -G],
    linearSlop: 0,
    stabilization: 'none',
    iterations: 200,
    allowSleep: false,
    ...options,
  })
}

const FLOOR = { type: 'plane', normal: [0, 0, 1] }
const CUBE = { type: 'box', halfExtents: [0.5, 0.5, 0.5] }

/**
 * @param {number} actual
 * @param {number} expected
 * @param {number} tolerance
 * @param {string} [what]
 */
function near(actual, expected, tolerance, what = '') {
  const error = Math.abs(actual - expected)
  assert.ok(error <= tolerance, `${what}: ${actual} is not within ${tolerance} of ${expected}`)
}

// --- A113 --------------------------------------------------------------------------------------

/**
 * Friction and restitution of the contact of a cube on a floor, from what they do.
 * @param {string} solver @param {string} ruleA @param {string} ruleB
 */
function measured(solver, ruleA, ruleB) {
  const friction = { a: 0.3, b: 0.8 }
  const world = makeWorld({ solver })
  world.createBody({ type: 'static', shape: FLOOR, friction: friction.a, frictionCombine: ruleA })
  const cube = world.createBody({
    ...{ shape: CUBE, position: [0, 0, 0.5], mass: 1, inertia: [1e9, 1e9, 1e9] },
    ...{ friction: friction.b, frictionCombine: ruleB, linearVelocity: [5, 0, 0] },
  })
  world.step(DT)
  const mu = (5 - cube.linearVelocity[0]) / (G * DT)
  world.free()
  const other = makeWorld({ solver, gravity: [0, 0, 0] })
  other.createBody({ type: 'static', shape: FLOOR, restitution: 0.2, restitutionCombine: ruleA })
  const ball = other.createBody({
    ...{ shape: { type: 'sphere', radius: 0.5 }, position: [0, 0, 0.5] },
    ...{ restitution: 0.9, restitutionCombine: ruleB, linearVelocity: [0, 0, -3] },
  })
  other.step(DT)
  const e = ball.linearVelocity[2] / 3
  other.free()
  return { mu, e }
}

/** @type {any[][]} */
const COMBINED = [
  ['geometricMean', 'geometricMean', 0.4898979486, 0.4242640687],
  ['average', 'average', 0.55, 0.55],
  ['minimum', 'minimum', 0.3, 0.2],
  ['maximum', 'maximum', 0.8, 0.9],
  ['multiply', 'multiply', 0.24, 0.18],
  ['average', 'multiply', 0.55, 0.55],
  ['minimum', 'maximum', 0.3, 0.2],
  ['multiply', 'maximum', 0.8, 0.9],
  ['geometricMean', 'multiply', 0.24, 0.18],
  ['minimum', 'geometricMean', 0.3, 0.2],
]

for (const solver of SOLVERS) {
  test(`A113 ${solver}: of two rules the first of average, minimum, maximum, multiply counts`, () => {
    for (const [a, b, friction, restitution] of COMBINED) {
      const { mu, e } = measured(solver, a, b)
      near(mu, friction, solver === 'soft-step' ? 1e-4 : 1e-8, `friction ${a} ${b}`)
      near(e, restitution, solver === 'soft-step' ? 1e-5 : 1e-9, `restitution ${a} ${b}`)
    }
  })
}

test('A113: a rule of a shape counts before that of its body', () => {
  const world = makeWorld({ solver: 'exact' })
  world.createBody({ type: 'static', shape: FLOOR, friction: 0.3 })
  const shape = { ...CUBE, frictionCombine: 'maximum' }
  const cube = world.createBody({
    ...{ shape, position: [0, 0, 0.5], inertia: [1e9, 1e9, 1e9] },
    ...{ friction: 0.8, frictionCombine: 'minimum', linearVelocity: [5, 0, 0] },
  })
  world.step(DT)
  near(cube.linearVelocity[0], 5 - 0.8 * G * DT, 1e-8)
  world.free()
})

test('A113 exact: a cube slides with the product of both coefficients', () => {
  const world = makeWorld({ solver: 'exact' })
  world.createBody({ type: 'static', shape: FLOOR, friction: 0.3, frictionCombine: 'multiply' })
  const cube = world.createBody({
    ...{ shape: CUBE, position: [0, 0, 0.5], mass: 1, friction: 0.8, linearVelocity: [2, 0, 0] },
    frictionCombine: 'multiply',
  })
  world.step(DT)
  near(cube.linearVelocity[0], 1.9623296, 1e-8)
  world.free()
})

// --- A114 --------------------------------------------------------------------------------------

/** @param {string} solver @param {any} shape @param {any} [options] */
function rollingScene(solver, shape, options = {}) {
  const world = makeWorld({ solver, ...options.world })
  world.createBody({ type: 'static', shape: FLOOR, friction: 0.8, rollingFriction: 0.01 })
  const body = world.createBody({
    ...{ shape, position: [0, 0, 0.5], mass: 1, friction: 0.8, rollingFriction: 0.01 },
    ...options.body,
  })
  return { world, body }
}

const BALL = { type: 'sphere', radius: 0.5 }

for (const solver of SOLVERS) {
  const isFast = solver === 'soft-step'
  test(`A114 ${solver}: a ball that rolls at 1 m/s stops in step 446`, () => {
    const { world, body } = rollingScene(solver, BALL, {
      body: { linearVelocity: [1, 0, 0], angularVelocity: [0, 2, 0] },
    })
    let stopped = 0
    for (let i = 1; i <= 470; i++) {
      world.step(DT)
      const [v] = body.linearVelocity
      near(v, 0.5 * body.angularVelocity[1], isFast ? 1e-2 : 1e-6, 'rolls')
      if (i === 100) near(v, 1 - 100 * DT * 0.14014286, isFast ? 2e-2 : 1e-6, 'speed')
      if (stopped === 0 && Math.abs(v) < (isFast ? 1e-3 : 1e-7)) stopped = i
    }
    near(stopped, 446, isFast ? 9 : 0, 'stops')
    near(body.position[0], 3.5597884, isFast ? 0.07 : 1e-6, 'distance')
    if (!isFast) assert.ok(world.residual().worst < 1e-6)
    world.free()
  })

  for (const [degrees, expected] of [
    [1.031, 0],
    [2.3, 0.14117925],
  ]) {
    test(`A114 ${solver}: a ball at rest on a slope of ${degrees} degrees`, () => {
      const angle = (degrees * Math.PI) / 180
      const gravity = [G * Math.sin(angle), 0, -G * Math.cos(angle)]
      const { world, body } = rollingScene(solver, BALL, { world: { gravity } })
      for (let i = 0; i < 1000; i++) world.step(0.001)
      near(body.linearVelocity[0], expected, isFast ? 5e-3 : 1e-6)
      near(body.linearVelocity[1], 0, 1e-6)
      world.free()
    })
  }
}

// --- A115 --------------------------------------------------------------------------------------

for (const solver of SOLVERS) {
  const isFast = solver === 'soft-step'
  test(`A115 ${solver}: a ball that spins about the normal stops in step 319`, () => {
    const world = makeWorld({ solver })
    world.createBody({ type: 'static', shape: FLOOR, spinningFriction: 0.02 })
    const ball = world.createBody({
      ...{ shape: BALL, position: [0, 0, 0.5], mass: 1, spinningFriction: 0.02 },
      angularVelocity: [0, 0, 10],
    })
    let stopped = 0
    for (let i = 1; i <= 330; i++) {
      world.step(DT)
      if (i === 10) near(ball.angularVelocity[2], 10 - 10 * DT * 1.962, isFast ? 1e-2 : 1e-6)
      if (stopped === 0 && Math.abs(ball.angularVelocity[2]) < 1e-7) stopped = i
    }
    near(stopped, 319, isFast ? 4 : 0, 'stops')
    near(Math.hypot(ball.position[0], ball.position[1]), 0, 1e-6, 'drift')
    world.free()
  })

  test(`A115 ${solver}: spin and slip slow down each at its own rate`, () => {
    const world = makeWorld({ solver })
    const material = { friction: 0.3, spinningFriction: 0.02 }
    world.createBody({ type: 'static', shape: FLOOR, ...material })
    const ball = world.createBody({
      ...{ shape: BALL, position: [0, 0, 0.5], mass: 1, ...material },
      ...{ linearVelocity: [1, 0, 0], angularVelocity: [0, 0, 10] },
    })
    world.step(DT)
    near(ball.linearVelocity[0], 0.952912, isFast ? 1e-4 : 1e-6)
    // the first substep of a contact bears no load yet, so a part of the first step is missing
    near(ball.angularVelocity[2], 9.968608, isFast ? 0.01 : 1e-6)
    world.free()
  })
}

// --- A116 --------------------------------------------------------------------------------------

const BELT = { type: 'box', halfExtents: [20, 20, 0.5] }

for (const solver of SOLVERS) {
  const isFast = solver === 'soft-step'
  test(`A116 ${solver}: a conveyor takes up a cube`, () => {
    const world = makeWorld({ solver })
    world.createBody({
      ...{ type: 'static', shape: BELT, position: [0, 0, -0.5], friction: 0.5 },
      surfaceVelocity: [2, 0, 0],
    })
    const cube = world.createBody({ shape: CUBE, position: [0, 0, 0.5], friction: 0.5 })
    for (let i = 1; i <= 26; i++) {
      world.step(DT)
      if (i < 26) near(cube.linearVelocity[0], 0.07848 * i, isFast ? 0.02 : 1e-6, `step ${i}`)
    }
    near(cube.linearVelocity[0], 2, isFast ? 0.02 : 1e-6)
    // the rest of the slip behind the belt: 0.832 - the way of the cube
    near(26 * DT * 2 - cube.position[0], 0.391904, isFast ? 0.02 : 1e-5)
    world.free()
  })

  test(`A116 ${solver}: a ball that is put on it rolls back`, () => {
    const world = makeWorld({ solver })
    world.createBody({
      ...{ type: 'static', shape: BELT, position: [0, 0, -0.5], friction: 0.5 },
      surfaceVelocity: [2, 0, 0],
    })
    const ball = world.createBody({ shape: BALL, position: [0, 0, 0.5], friction: 0.5 })
    for (let i = 0; i < 60; i++) world.step(DT)
    near(ball.linearVelocity[0], 0.57142857, isFast ? 0.012 : 1e-6)
    near(ball.angularVelocity[1], -2.85714286, isFast ? 0.06 : 1e-6)
    world.free()
  })

  test(`A116 ${solver}: the velocity turns with the body`, () => {
    const world = makeWorld({ solver })
    world.createBody({
      ...{ type: 'static', shape: BELT, position: [0, 0, -0.5], friction: 0.5 },
      ...{ surfaceVelocity: [2, 0, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
    })
    const cube = world.createBody({ shape: CUBE, position: [0, 0, 0.5], friction: 0.5 })
    for (let i = 0; i < 60; i++) world.step(DT)
    near(cube.linearVelocity[0], 0, 1e-3)
    near(cube.linearVelocity[1], 2, isFast ? 0.02 : 1e-6)
    world.free()
  })

  test(`A116 ${solver}: a belt at 20 degrees carries a cube up at 1 m/s`, () => {
    const angle = (20 * Math.PI) / 180
    const world = makeWorld({ solver, gravity: [-G * Math.sin(angle), 0, -G * Math.cos(angle)] })
    world.createBody({
      ...{ type: 'static', shape: BELT, position: [0, 0, -0.5], friction: 0.5 },
      surfaceVelocity: [1, 0, 0],
    })
    const cube = world.createBody({ shape: CUBE, position: [0, 0, 0.5], friction: 0.5 })
    for (let i = 0; i < 120; i++) world.step(DT)
    near(cube.linearVelocity[0], 1, isFast ? 0.02 : 1e-6)
    world.free()
  })

  test(`${solver}: the surface of a body that moves pushes both, with no momentum of its own`, () => {
    const world = makeWorld({ solver, gravity: [0, 0, 0] })
    const truck = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [2, 2, 0.5] }, position: [0, 0, -0.5], mass: 3 },
      ...{ friction: 0.5, surfaceVelocity: [2, 0, 0], lockRotation: true },
    })
    const cube = world.createBody({
      ...{ shape: CUBE, position: [0, 0, 0.5], mass: 1, friction: 0.5, lockRotation: true },
    })
    for (let i = 0; i < 40; i++) {
      cube.applyForce([0, 0, -20])
      truck.applyForce([0, 0, 20])
      world.step(DT)
    }
    near(cube.linearVelocity[0] - truck.linearVelocity[0], 2, isFast ? 0.04 : 1e-6, 'slip')
    near(cube.linearVelocity[0] + 3 * truck.linearVelocity[0], 0, isFast ? 1e-4 : 1e-9, 'momentum')
    world.free()
  })
}

// --- bad values --------------------------------------------------------------------------------

test('bad values of materials are refused by name', () => {
  const world = makeWorld()
  /** @type {any[][]} */
  const bad = [
    ['frictionCombine', 'sum'],
    ['restitutionCombine', null],
    ['rollingFriction', -1],
    ['rollingFriction', NaN],
    ['spinningFriction', Infinity],
    ['surfaceVelocity', [1, 2]],
    ['surfaceVelocity', [1, 2, NaN]],
    ['lockRotation', 1],
    ['lockTranslation', [true, false]],
  ]
  const body = world.createBody({ shape: CUBE })
  for (const [name, value] of bad) {
    const error = { name: 'MoreauError', code: 'invalid-argument', message: new RegExp(name) }
    assert.throws(() => world.createBody({ shape: CUBE, [name]: value }), error)
    assert.throws(() => Object.assign(body, { [name]: value }), error)
  }
  world.free()
})

for (const solver of ['auto', ...SOLVERS]) {
  test(`${solver}: what a joint holds together is carried by a belt, and driven by its own surface`, () => {
    const DOUBLE = { ...CUBE, halfExtents: [0.3, 0.3, 0.3] }
    for (const belt of [true, false]) {
      const world = makeWorld({ solver })
      world.createBody({
        type: 'static',
        shape: FLOOR,
        surfaceVelocity: belt ? [2, 0, 0] : [0, 0, 0],
      })
      const bodies = [0, 0.8].map((x) =>
        world.createBody({
          ...{ shape: DOUBLE, position: [x, 0, 0.3], mass: 1 },
          surfaceVelocity: belt ? [0, 0, 0] : [-2, 0, 0],
        }),
      )
      const [bodyA, bodyB] = bodies
      world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [0.4, 0, 0.3] })
      // mu g = 4.905 m/s2: 2 m/s after 0.41 s.
      for (let step = 0; step < 60; step++) world.step(DT)
      for (const body of bodies) near(body.linearVelocity[0], 2, 1e-3, belt ? 'belt' : 'tracks')
      world.free()
    }
  })
}
