// Axis locks, targets of kinematic bodies, teleport.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init, World } from 'moreau'

before(() => init())

const G = 9.81
/** @param {any} options @returns {any} a world with the defaults of all other options */
const makeSleepy = (options) => new World(options)
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

/**
 * @param {number | readonly number[]} actual
 * @param {number | readonly number[]} expected
 * @param {number} tolerance
 * @param {string} [what]
 */
function near(actual, expected, tolerance, what = '') {
  const [a, b] = [[actual].flat(), [expected].flat()]
  assert.equal(a.length, b.length)
  const good = a.every((x, i) => Math.abs(x - b[i]) <= tolerance)
  assert.ok(good, `${what}: ${a} is not within ${tolerance} of ${b}`)
}

/** @param {number} degrees @param {number[]} axis */
function turned(degrees, [x, y, z]) {
  const half = (degrees * Math.PI) / 360
  const s = Math.sin(half) / Math.hypot(x, y, z)
  return [s * x, s * y, s * z, Math.cos(half)]
}

// --- A128 --------------------------------------------------------------------------------------

const INERTIA = [2, 0.3, 0.2, 0.3, 1.5, -0.4, 0.2, -0.4, 0.9]

for (const solver of SOLVERS) {
  const isFast = solver === 'soft-step'

  test(`A128 ${solver}: a box that cannot turn slides upright`, () => {
    const world = makeWorld({ solver })
    world.createBody({ type: 'static', shape: FLOOR, friction: 0.8 })
    const box = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 1] }, position: [0, 0, 1], mass: 1 },
      ...{ friction: 0.8, linearVelocity: [2, 0, 0], lockRotation: true },
    })
    world.step(DT)
    near(box.linearVelocity, [1.874432, 0, 0], isFast ? 1e-4 : 1e-8)
    near(box.angularVelocity, [0, 0, 0], 0)
    let sum = 0
    for (const point of box.contacts()[0].points) sum += point.normalImpulse
    near(sum, 0.15696, isFast ? 1e-4 : 1e-8)
    for (let i = 0; i < 60; i++) world.step(DT)
    near(box.orientation, [0, 0, 0, 1], 0)
    near(box.linearVelocity, [0, 0, 0], 1e-6)
    if (!isFast) assert.ok(world.residual().worst < 1e-7, `${world.residual().worst}`)
    world.free()
  })

  test(`A128 ${solver}: what cannot move down has no weight and no friction`, () => {
    const world = makeWorld({ solver })
    world.createBody({ type: 'static', shape: FLOOR })
    const box = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0, 0.5], mass: 1 },
      lockTranslation: [false, false, true],
    })
    box.applyImpulse([2, 0, 3])
    near(box.linearVelocity, [2, 0, 0], 0)
    for (let i = 0; i < 30; i++) world.step(DT)
    near(box.linearVelocity, [2, 0, 0], 1e-9)
    near(box.position, [0.96, 0, 0.5], 1e-9)
    for (const { points } of box.contacts()) {
      for (const point of points) near(point.normalImpulse, 0, 1e-12)
    }
    world.free()
  })

  test(`A128 ${solver}: the inverse inertia is that of the constrained body`, () => {
    /** @param {any} lockRotation */
    const make = (lockRotation) => {
      const world = makeWorld({ solver, gravity: [0, 0, 0] })
      const body = world.createBody({
        ...{ shape: { type: 'sphere', radius: 0.5 }, mass: 1, inertia: INERTIA, lockRotation },
      })
      body.applyAngularImpulse([0, 0, 1])
      const spin = body.angularVelocity
      world.step(0.0001)
      near(body.angularVelocity, spin, 1e-3)
      world.free()
      return spin
    }
    near(make([true, true, false]), [0, 0, 1.1111111111], 1e-9)
    near(make([true, false, false]), [0, 0.3361344538, 1.2605042017], 1e-9)
    near(make(true), [0, 0, 0], 0)
  })

  test(`A128 ${solver}: a cart that only moves along x, with a pendulum`, () => {
    const world = makeWorld({ solver })
    const cart = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.2, 0.1, 0.1] }, mass: 2, filter: { mask: 0 } },
      ...{ lockTranslation: [false, true, true], lockRotation: true },
    })
    const angle = (2 * Math.PI) / 180
    const ball = world.createBody({
      ...{ shape: { type: 'sphere', radius: 0.01 }, mass: 1, filter: { mask: 0 } },
      position: [0.8 * Math.sin(angle), 0, -0.8 * Math.cos(angle)],
    })
    world.createJoint({
      ...{ type: 'distance', bodyA: cart, bodyB: ball, anchorA: [0, 0, 0], anchorB: [0, 0, 0] },
    })
    /** @type {any[]} */
    const crossings = []
    let [least, most, sideBefore] = [0, 0, 1]
    for (let i = 0; i < 5000; i++) {
      world.step(0.001)
      const side = Math.sign(ball.position[0] - cart.position[0])
      if (side > 0 && sideBefore < 0) crossings.push(world.time)
      sideBefore = side
      least = Math.min(least, cart.position[0])
      most = Math.max(most, cart.position[0])
      near(cart.position.slice(1), [0, 0], 1e-12)
    }
    const period = (crossings.at(-1) - crossings[0]) / (crossings.length - 1)
    near(period, 1.465024, isFast ? 0.02 : 1.5e-3)
    near((most - least) / 2, 0.0093065, isFast ? 2e-4 : 2e-5)
    world.free()
  })

  test(`${solver}: locked bodies in a stack of unequal masses, released asleep`, () => {
    const world = makeWorld({ solver, allowSleep: true })
    world.createBody({ type: 'static', shape: FLOOR })
    const boxes = [1, 30, 1].map((mass, i) =>
      world.createBody({
        ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, mass },
        ...{ position: [0.4 * (i === 2 ? 1.6 : 0), 0, 0.5 + i], lockRotation: i === 2 },
      }),
    )
    // the top one overhangs: its centre is beyond the edge of the one below
    for (let i = 0; i < 400; i++) world.step(1 / 60)
    near(boxes[2].orientation, [0, 0, 0, 1], 0)
    near(boxes[2].position[2], 2.5, 0.02)
    assert.ok(!boxes[2].isAwake)
    boxes[2].lockRotation = false
    assert.ok(boxes[2].isAwake)
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    assert.ok(boxes[2].position[2] < 1.6, 'it falls')
    world.free()
  })

  test(`${solver}: bodies in a plane stay in it`, () => {
    const world = makeWorld({ solver })
    world.createBody({ type: 'static', shape: FLOOR })
    const balls = Array.from({ length: 12 }, (_, i) =>
      world.createBody({
        ...{ shape: { type: 'sphere', radius: 0.5 }, position: [(i % 4) * 0.9, 0, 1 + i] },
        ...{ lockTranslation: [false, true, false], lockRotation: [true, false, true] },
        linearVelocity: [0.3, 5, 0],
      }),
    )
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    for (const ball of balls) {
      near(ball.position[1], 0, 0)
      assert.ok(ball.position[2] > 0.4)
      near(ball.angularVelocity[0], 0, 0)
    }
    world.free()
  })
}

test('locks are read back, and take velocities at once', () => {
  const world = makeWorld()
  const body = world.createBody({ shape: { type: 'sphere', radius: 0.5 } })
  assert.deepEqual(body.lockTranslation, [false, false, false])
  body.linearVelocity = [1, 2, 3]
  body.angularVelocity = [1, 2, 3]
  body.lockTranslation = [true, false, true]
  body.lockRotation = [false, true, false]
  assert.deepEqual(body.lockTranslation, [true, false, true])
  assert.deepEqual(body.lockRotation, [false, true, false])
  near(body.linearVelocity, [0, 2, 0], 0)
  near(body.angularVelocity, [1, 0, 3], 1e-15)
  body.lockTranslation = false
  body.lockRotation = false
  body.linearVelocity = [1, 2, 3]
  near(body.linearVelocity, [1, 2, 3], 0)
  world.free()
})

// --- A121 --------------------------------------------------------------------------------------

for (const solver of SOLVERS) {
  test(`A121 ${solver}: a kinematic body reaches its target in the step`, () => {
    const world = makeWorld({ solver })
    const body = world.createBody({
      ...{ type: 'kinematic', shape: { type: 'box', halfExtents: [1, 1, 0.1] } },
    })
    body.moveTo({ position: [0.08, 0, 0.02], orientation: turned(10, [0, 0, 1]) })
    assert.ok(body.isMoving)
    world.step(DT)
    near(body.position, [0.08, 0, 0.02], 1e-12)
    near(body.orientation, turned(10, [0, 0, 1]), 1e-12)
    near(body.linearVelocity, [5, 0, 1.25], 1e-9)
    near(body.angularVelocity, [0, 0, 10.90830782], 1e-8)
    assert.ok(!body.isMoving)
    world.step(DT)
    near(body.position, [0.08, 0, 0.02], 1e-12)
    near(body.linearVelocity, [0, 0, 0], 0)
    near(body.angularVelocity, [0, 0, 0], 0)
    body.moveTo({ orientation: turned(360, [0, 0, 1]) })
    world.step(DT)
    near(body.angularVelocity, [0, 0, -10.90830782], 1e-8)
    body.moveTo({ orientation: turned(179, [0, 0, 1]) })
    world.step(DT)
    near(body.angularVelocity, [0, 0, (179 * Math.PI) / 180 / DT], 1e-6)
    near(body.orientation, turned(179, [0, 0, 1]), 1e-12)
    world.free()
  })

  test(`A121 ${solver}: a move of a second takes a second, and a velocity ends it`, () => {
    const world = makeWorld({ solver })
    const body = world.createBody({ type: 'kinematic', shape: { type: 'sphere', radius: 1 } })
    body.moveTo({ position: [3, 0, 0] }, 1)
    for (let i = 1; i <= 50; i++) {
      world.step(0.02)
      near(body.position[0], 0.06 * i, 1e-12)
      near(body.linearVelocity[0], 3, 1e-9)
    }
    near(body.position, [3, 0, 0], 0)
    world.step(0.02)
    near(body.position, [3, 0, 0], 0)
    body.moveTo({ position: [0, 0, 0] }, 1)
    body.linearVelocity = [0, 1, 0]
    world.step(0.02)
    near(body.position, [3, 0.02, 0], 1e-12)
    world.free()
  })

  test(`A121 ${solver}: a rider on a platform that is sent round a circle`, () => {
    const world = makeWorld({ solver })
    /** @param {number} i */
    const at = (i) => [Math.cos((i * 2 * Math.PI) / 1000), Math.sin((i * 2 * Math.PI) / 1000), 0]
    const platform = world.createBody({
      ...{ type: 'kinematic', shape: { type: 'box', halfExtents: [2, 2, 0.5] }, position: at(0) },
    })
    const rider = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] }, position: [1, 0, 0.75] },
    })
    const slip = () => [0, 1].map((k) => rider.position[k] - platform.position[k])
    /** @type {any} */
    let settled
    for (let i = 1; i <= 3000; i++) {
      platform.moveTo({ position: at(i) })
      world.step(DT)
      near(platform.position, at(i), 1e-12)
      if (i === 200) settled = slip()
    }
    near(Math.hypot(...settled), 0.0157, 0.008, 'slip at the start')
    near(slip(), settled, 1e-3, 'then none')
    world.free()
  })

  test(`A122 ${solver}: a platform that accelerates carries a cube, or slides away below it`, () => {
    for (const a of [3, 6]) {
      const slips = a === 6
      const world = makeWorld({ solver })
      const platform = world.createBody({
        ...{ type: 'kinematic', shape: { type: 'box', halfExtents: [50, 5, 0.5] } },
        position: [0, 0, -0.5],
      })
      const cube = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0, 0.5], mass: 1 },
      })
      let x = 0
      for (let i = 1; i <= 62; i++) {
        x += a * DT * i * DT
        platform.moveTo({ position: [x, 0, -0.5] })
        world.step(DT)
      }
      const v = slips ? 4.86576 : platform.linearVelocity[0]
      near(cube.linearVelocity[0], v, solver === 'soft-step' ? 0.02 * v : 1e-7)
      // What slips is moved by friction alone, in steps of DT or in substeps of h.
      const [h, steps] = solver === 'soft-step' ? [DT / 4, 4 * 62] : [DT, 62]
      const behind = slips ? x - (0.5 * G * h * h * steps * (steps + 1)) / 2 : 0
      near(x - cube.position[0], behind, solver === 'soft-step' ? 1e-3 : 1e-7, 'behind')
      world.free()
    }
  })

  test(`${solver}: moveTo wakes what sleeps on the platform and lifts it`, () => {
    const world = makeSleepy({ gravity: [0, 0, -G], solver })
    const lift = world.createBody({
      ...{ type: 'kinematic', shape: { type: 'box', halfExtents: [2, 2, 0.5] } },
    })
    const cube = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0, 1] },
    })
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    assert.ok(!cube.isAwake)
    lift.moveTo({ position: [0, 0, 1] }, 0.5)
    assert.ok(cube.isAwake)
    for (let i = 0; i < 30; i++) world.step(1 / 60)
    near(cube.position[2], 2, 0.06)
    near(lift.position, [0, 0, 1], 0)
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    near(cube.position[2], 2, 0.02)
    assert.ok(!cube.isAwake)
    world.free()
  })
}

test('a move of a body that is not kinematic, and bad poses, are refused by name', () => {
  const world = makeWorld()
  const shape = { type: 'sphere', radius: 0.5 }
  const ball = world.createBody({ shape })
  const mover = world.createBody({ shape, type: 'kinematic' })
  assert.throws(() => ball.moveTo({ position: [1, 0, 0] }), { code: 'invalid-argument' })
  for (const bad of [{ position: [0, 1] }, { orientation: [0, 0, 0, 0] }, { place: 1 }, 3]) {
    assert.throws(() => mover.moveTo(bad), { code: 'invalid-argument' })
    assert.throws(() => ball.teleport(bad), { code: 'invalid-argument' })
  }
  assert.throws(() => mover.moveTo({}, -1), /dt/)
  assert.ok(!mover.isMoving)
  // a target out of reach makes the step refuse, with nothing changed
  mover.moveTo({ position: [1e308, 0, 0] })
  const hash = world.hash()
  assert.throws(() => world.step(1e-3), { code: 'not-finite' })
  assert.equal(world.hash(), hash)
  mover.teleport({ position: [2, 0, 0] })
  world.step(DT)
  near(mover.position, [2, 0, 0], 0)
  world.free()
})

for (const solver of SOLVERS) {
  test(`${solver}: teleport from a stack to a stack leaves both right`, () => {
    const world = makeWorld({ solver, allowSleep: true })
    world.createBody({ type: 'static', shape: FLOOR })
    const cube = { type: 'box', halfExtents: [0.5, 0.5, 0.5] }
    /** @param {number} x @param {number} z */
    const make = (x, z) => world.createBody({ shape: cube, position: [x, 0, z], mass: 1 })
    const [a, b, c, d] = [make(0, 0.5), make(0, 1.5), make(0, 2.5), make(5, 0.5)]
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    assert.ok(!b.isAwake)
    b.teleport({ position: [5, 0, 1.5], orientation: turned(90, [0, 0, 1]) })
    assert.ok([a, b, c].every((body) => body.isAwake))
    world.step(1 / 60)
    assert.ok(b.speed < 0.1 && c.linearVelocity[2] < -0.1)
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    near(b.position, [5, 0, 1.5], 0.02)
    near(c.position[2], 1.5, 0.02)
    near(d.position[2], 0.5, 0.02)
    world.free()
  })
}

test('a new centre of mass, or new shapes, bring no velocity along a locked axis', () => {
  const world = makeWorld()
  const box = { type: 'box', halfExtents: [0.5, 0.5, 0.5] }
  const body = world.createBody({
    shape: box,
    angularVelocity: [0, 0, 3],
    lockTranslation: [true, false, false],
  })
  body.centerOfMass = [0, 0.2, 0]
  near(body.linearVelocity, [0, 0, 0], 0)
  const other = world.createBody({
    shape: box,
    position: [5, 0, 0],
    angularVelocity: [0, 0, 3],
    lockTranslation: true,
  })
  other.addShape({ ...box, position: [0, 2, 0] })
  near(other.linearVelocity, [0, 0, 0], 0)
  world.free()
})

// --- joints in a plane ------------------------------------------------------------------------

/** Locks that leave a body the plane of y and z: the first only what it may turn about. */
const PLANES = [
  { lockRotation: [false, true, true] },
  { lockRotation: [false, true, true], lockTranslation: [true, false, false] },
]
/** @type {Record<string, (angle: number) => object>} */
const IN_PLANE = {
  hinge: () => ({ axis: [1, 0, 0] }),
  universal: (angle) => ({ axisA: [1, 0, 0], axisB: [0, Math.cos(angle), Math.sin(angle)] }),
  ball: () => ({}),
}

for (const solver of SOLVERS) {
  for (const [type, axes] of Object.entries(IN_PLANE)) {
    // What locks leave of a joint's rows is round-off, which held the body where it was.
    test(`${solver}: a ${type} swings in the plane to which its body is locked`, () => {
      for (const locks of PLANES) {
        for (const angle of [0, 0.37, 1.1, 2.5]) {
          const world = makeWorld({ solver })
          const [free, locked] = [{}, locks].map((options, i) => {
            const arm = [0, 0.5 * Math.cos(angle), 0.5 * Math.sin(angle)]
            const body = world.createBody({
              ...{ shape: { type: 'box', halfExtents: [0.1, 0.5, 0.1] }, mass: 1, ...options },
              position: [5 * i, arm[1], arm[2]],
              orientation: turned((180 * angle) / Math.PI, [1, 0, 0]),
            })
            world.createJoint({ type, bodyB: body, anchor: [5 * i, 0, 0], ...axes(angle) })
            return body
          })
          const [, , start] = free.position
          for (let i = 0; i < 20; i++) world.step(1 / 60)
          assert.ok(Math.abs(free.position[2] - start) > 0.1, 'the free one swings')
          // With locked translation soft-step leaves the body to block-pgs, which has longer steps.
          near(locked.position.slice(1), free.position.slice(1), 0.05, `${angle} rad`)
          world.free()
        }
      }
    })
  }

  test(`${solver}: a motor turns a hinge in the plane to which its body is locked`, () => {
    for (const locks of PLANES) {
      const world = makeWorld({ solver, gravity: [0, 0, 0], stabilization: 'split' })
      const body = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [0.1, 0.5, 0.1] }, mass: 1, position: [0, 0.5, 0] },
        ...locks,
      })
      const motor = { targetPosition: 1, maxForce: 5 }
      world.createJoint({ type: 'hinge', bodyB: body, anchor: [0, 0, 0], axis: [1, 0, 0], motor })
      for (let i = 0; i < 60; i++) world.step(1 / 60)
      near(body.position, [0, 0.5 * Math.cos(1), 0.5 * Math.sin(1)], 1e-3)
      world.free()
    }
  })
}
