// Ropes, springs, universal joints, six degrees of freedom, gears, racks, pulleys and wheels from JavaScript. A100 to A111, A133.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'

/** @import { BodyDefinition, SolverName } from 'moreau' */

const SOLVERS = /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])
const G = 9.81

/**
 * @param {SolverName} solver
 * @param {number} [gravity]
 */
const makeWorld = (solver, gravity = 0) =>
  World.create({
    solver,
    gravity: [0, 0, -gravity],
    allowSleep: false,
    ...{ iterations: 200, tolerance: 1e-10 },
  })

/**
 * @param {World} world
 * @param {Partial<BodyDefinition>} definition
 */
const add = (world, definition) =>
  world.createBody({ shape: { type: 'sphere', radius: 0.1 }, filter: { mask: 0 }, ...definition })

/**
 * @param {number} got
 * @param {number} expected
 * @param {number} tolerance
 * @param {string} [what]
 */
function near(got, expected, tolerance, what = '') {
  assert.ok(Math.abs(got - expected) <= tolerance, `${what}: ${got} instead of ${expected}`)
}

for (const solver of SOLVERS) {
  const soft = solver === 'soft-step'

  test(`A101: a rope of 2 m stops a ball and holds it, ${solver}`, async () => {
    const world = await makeWorld(solver, G)
    const ball = add(world, { mass: 3, position: [0, 0, -1.5] })
    const rope = world.createJoint({ type: 'rope', bodyB: ball, anchorA: [0, 0, 0], length: 2 })
    for (let step = 1; step <= 80; step++) {
      world.step(0.016)
      const distance = -ball.position[2]
      assert.ok(distance <= 2 + (soft ? 0.01 : 1e-9))
      if (step === 19) near(distance, 1.9771584, soft ? 0.02 : 1e-6)
      if (step < 19) assert.equal(rope.force()[0], 0)
      if (step >= 22 + 20 * Number(soft)) near(rope.force()[0], 29.43, soft ? 0.6 : 1e-6, 'force')
    }
    assert.equal(rope.length, 2)
    rope.length = 2.5
    for (let i = 0; i < 100; i++) world.step(0.016)
    near(-ball.position[2], 2.5, soft ? 0.01 : 1e-6)
    near(rope.translation, 2.5, soft ? 0.01 : 1e-6)
    world.free()
  })

  test(`A100: a spring between bodies of 2 and 6 kg has a period of 1 s, ${solver}`, async () => {
    const world = await makeWorld(solver)
    const a = add(world, { mass: 2, position: [0, 0, 0] })
    const b = add(world, { mass: 6, position: [1.1, 0, 0] })
    const spring = world.createJoint({ type: 'spring', bodyA: a, bodyB: b, length: 1, hertz: 1 })
    near(world.energy().potential, 0.5 * 59.2176264 * 0.01, 1e-6)
    for (let i = 0; i < 500; i++) world.step(0.001)
    near(b.position[0] - a.position[0], 0.9, 2e-3) // half a period
    near((2 * a.position[0] + 6 * b.position[0]) / 8, 0.825, 1e-5)
    assert.equal(spring.length, 1)
    spring.length = 2
    assert.equal(spring.spring?.rest, 2)
    world.free()
  })

  test(`A102: a gear of two hinges, ${solver}`, async () => {
    const world = await makeWorld(solver)
    const a = add(world, { mass: 2, inertia: [0.3, 0.3, 0.4], angularVelocity: [0, 0, 6] })
    const b = add(world, { mass: 1, inertia: [0.08, 0.08, 0.1], position: [1, 0, 0] })
    const jointA = world.createJoint({
      type: 'hinge',
      bodyB: a,
      anchor: [0, 0, 0],
      axis: [0, 0, 1],
    })
    const jointB = world.createJoint({
      type: 'hinge',
      bodyB: b,
      anchor: [1, 0, 0],
      axis: [0, 0, 1],
    })
    const gear = world.createJoint({ type: 'gear', jointA, jointB, ratio: 0.5 })
    assert.deepEqual(gear.joints, [jointA, jointB])
    world.step(0.016)
    const tolerance = soft ? 1e-4 : 1e-9
    near(a.angularVelocity[2], 3, tolerance)
    near(b.angularVelocity[2], -6, tolerance)
    near(gear.impulse()[0], -1.2, tolerance)
    near(world.energy().kinetic, 3.6, 10 * tolerance)
    for (let i = 0; i < 500; i++) world.step(0.016)
    near(jointA.angle + 0.5 * jointB.angle, 0, soft ? 1e-3 : 1e-6, 'slip')
    gear.ratio = -1
    assert.equal(gear.ratio, -1)
    world.step(0.016)
    near(a.angularVelocity[2], b.angularVelocity[2], soft ? 1e-3 : 1e-8)
    // The gear goes with a joint.
    jointA.destroy()
    assert.ok(!gear.isAlive && jointB.isAlive)
    assert.deepEqual(world.joints, [jointB])
    assert.throws(() => gear.ratio, { code: 'stale-handle' })
    world.free()
  })

  test(`a gear of two bodies turns about an axis of the world, ${solver}`, async () => {
    const world = await makeWorld(solver)
    const bodyA = add(world, { mass: 2, inertia: [0.3, 0.3, 0.4], angularVelocity: [0, 0, 6] })
    const bodyB = add(world, { mass: 1, inertia: [0.08, 0.08, 0.1], position: [1, 0, 0] })
    const gear = world.createJoint({ type: 'gear', bodyA, bodyB, axis: [0, 0, 2], ratio: 0.5 })
    assert.deepEqual(gear.bodies, [bodyA, bodyB])
    world.step(0.016)
    near(bodyA.angularVelocity[2], 3, 1e-3)
    near(bodyB.angularVelocity[2], -6, 1e-3)
    // What stopped half of the spin of A, whose inertia is 0.4: reaction() tells of A.
    near(gear.torque()[2], (0.4 * (3 - 6)) / 0.016, 0.1)
    bodyB.destroy()
    assert.ok(!gear.isAlive)
    world.free()
  })

  test(`A103: a rack and a pinion, ${solver}`, async () => {
    const world = await makeWorld(solver)
    const pinion = add(world, { mass: 1, inertia: [0.01, 0.01, 0.02] })
    const rack = add(world, { mass: 3, position: [0, -0.1, 0] })
    const hinge = world.createJoint({
      type: 'hinge',
      bodyB: pinion,
      anchor: [0, 0, 0],
      axis: [0, 0, 1],
    })
    const slider = world.createJoint({ type: 'slider', bodyB: rack, axis: [1, 0, 0] })
    const options = { type: /** @type {const} */ ('rackAndPinion'), ratio: 0.1 }
    const teeth = world.createJoint({ ...options, jointA: slider, jointB: hinge }) // in any order
    for (let i = 0; i < 1000; i++) {
      pinion.applyTorque([0, 0, 1.5])
      world.step(0.001)
    }
    near(rack.linearVelocity[0], 3, soft ? 0.01 : 1e-6)
    near(pinion.angularVelocity[2], 30, soft ? 0.1 : 1e-5)
    near(teeth.force()[0], 9, soft ? 0.1 : 1e-6)
    world.free()
  })

  test(`A104: a pulley is Atwood's machine, ${solver}`, async () => {
    for (const [massA, massB, ratio, upA, upB, tension] of [
      [2, 3, 1, 1.962, -1.962, 23.544],
      [2, 6, 2, 2.80285714, -1.40142857, 25.2257143],
      [2, 4, 2, 0, 0, 19.62],
    ]) {
      const world = await makeWorld(solver, G)
      const bodyA = add(world, { mass: massA, position: [-1, 0, -10] })
      const bodyB = add(world, { mass: massB, position: [1, 0, -10] })
      const pulley = world.createJoint({
        ...{ type: 'pulley', bodyA, bodyB, ratio },
        ...{ groundAnchorA: [-1, 0, 0], groundAnchorB: [1, 0, 0] },
      })
      for (let i = 0; i < 1000; i++) world.step(0.001)
      near(bodyA.linearVelocity[2], upA, soft ? 0.02 : 1e-6)
      near(bodyB.linearVelocity[2], upB, soft ? 0.02 : 1e-6)
      near(pulley.force()[0], tension, soft ? 0.2 : 1e-5)
      near(pulley.length, 10 + 10 * ratio, 1e-9)
      world.free()
    }
  })

  test(`A105: a universal joint of 30 degrees, ${solver}`, async () => {
    const world = await makeWorld(solver)
    const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)]
    const inertia = [0.1, 0.1, 0.1]
    const bodyA = add(world, { mass: 1, inertia, position: [-0.5, 0, 0] })
    const angularVelocity = [2 * c * c, 2 * c * s, 0]
    const bodyB = add(world, { mass: 1, inertia, position: [0.5 * c, 0.5 * s, 0], angularVelocity })
    const hinge = world.createJoint({
      type: 'hinge',
      bodyB: bodyA,
      anchor: [-0.5, 0, 0],
      axis: [1, 0, 0],
    })
    world.createJoint({ type: 'hinge', bodyB, anchor: bodyB.position, axis: [c, s, 0] })
    world.createJoint({
      ...{ type: 'universal', bodyA, bodyB, anchor: [0, 0, 0] },
      ...{ axisA: [0, 0, 1], axisB: [-s, c, 0] },
    })
    for (let i = 0; i < 3142; i++) {
      bodyA.angularVelocity = [2, 0, 0]
      const turned = hinge.angle
      world.step(0.001)
      const [x, y] = bodyB.angularVelocity
      const ratio = (c * x + s * y) / bodyA.angularVelocity[0]
      const expected = c / (1 - s * s * Math.sin(turned) ** 2)
      near(ratio, expected, (soft ? 2e-2 : 4e-3) * expected)
    }
    world.free()
  })

  test(`A107: a sixDof that slides within limits, ${solver}`, async () => {
    const world = await makeWorld(solver)
    const body = add(world, { mass: 4, inertia: [1, 1, 1] })
    const joint = world.createJoint({
      ...{ type: 'sixDof', bodyB: body, anchor: [0, 0, 0] },
      linear: ['locked', 'locked', [-2, 2]],
    })
    assert.deepEqual(joint.linear, ['locked', 'locked', { lower: -2, upper: 2 }])
    assert.deepEqual(joint.angular, ['locked', 'locked', 'locked'])
    for (let i = 0; i < 2000; i++) {
      const [x, y, z] = body.position
      body.applyForce([5, 7, 10], [x + 1, y, z])
      world.step(0.001)
      if (i === 999) near(body.linearVelocity[2], 2.5, soft ? 0.02 : 1e-7)
      if (i === 999) near(body.position[2], 1.25125, soft ? 0.02 : 1e-7)
    }
    near(body.position[2], 2, soft ? 0.01 : 1e-7)
    near(joint.reaction().force[2], -10, soft ? 0.2 : 1e-6)
    near(joint.reaction().force[0], -5, soft ? 0.2 : 1e-6)
    // Everything can be changed.
    joint.linear = { z: 'locked' }
    joint.angular = { x: 'free', y: { motor: { targetVelocity: 1, maxForce: 0 } } }
    assert.deepEqual(joint.angular, ['free', 'free', 'locked'])
    world.step(0.001)
    world.free()
  })

  test(`A110: a wheel's suspension sags by its load, ${solver}`, async () => {
    const world = await makeWorld(solver, G)
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1], offset: 0 } })
    const chassis = add(world, { mass: 300, position: [0, 0, 1] })
    const guide = { type: /** @type {const} */ ('slider'), bodyB: chassis }
    world.createJoint({ ...guide, axis: [0, 0, 1] })
    const shape = /** @type {const} */ ({ type: 'cylinder', radius: 0.3, halfHeight: 0.1 })
    const wheel = world.createBody({ shape, mass: 20, position: [0, 0, 0.3] })
    const joint = world.createJoint({
      ...{ type: 'wheel', bodyA: chassis, bodyB: wheel, axis: [0, 0, 1], axle: [0, 1, 0] },
      spring: { hertz: 5, damping: 0.7 },
    })
    const floorForce = () => {
      const points = wheel.contacts().flatMap((contact) => contact.points)
      return points.reduce((sum, { normalImpulse }) => sum + normalImpulse, 0) / 0.005
    }
    // The damper is that of the light wheel: the chassis swings for long.
    for (let i = 0; i < 3000; i++) world.step(0.005)
    near(joint.translation, 0.15903373, soft ? 0.02 * 0.159 : 1e-5, 'sag')
    near(floorForce(), 3139.2, soft ? 0.02 * 3139.2 : 0.01, 'floor')
    joint.spring = { stiffness: 30000, dampingCoefficient: 3000, rest: 0 }
    for (let i = 0; i < 1200; i++) world.step(0.005)
    near(joint.translation, 0.0981, soft ? 0.02 * 0.0981 : 1e-5, 'stiff')
    near(floorForce(), 3139.2, soft ? 0.02 * 3139.2 : 0.01, 'floor')
    world.free()
  })

  test(`A111: a car drives off and brakes, ${solver}`, async () => {
    const { world, chassis, wheels } = await makeCar(solver)
    for (const wheel of wheels) wheel.motor = { targetVelocity: 1000, maxForce: 200 }
    for (let i = 0; i < 400; i++) world.step(0.005)
    const [speed] = chassis.linearVelocity
    near(speed, 4.81203, 0.02 * 4.81203, 'speed')
    for (const wheel of wheels) near(0.35 * wheel.speeds[1], speed, 0.02 * speed, 'rolls')
    assert.equal(wheels[0].motor?.maxForce, 200)
    wheels[0].steering = 0.3
    assert.equal(wheels[0].steering, 0.3)
    world.free()
  })

  for (const { brake, time, way } of [
    { brake: 300, time: 5.54167, way: 55.41667 },
    { brake: 1200, time: 20 / 6.867, way: 29.1248 },
  ]) {
    test(`A111: a car brakes from 20 m/s with ${brake} N m, ${solver}`, async () => {
      const { world, chassis, wheels } = await makeCar(solver, 20)
      const [from] = chassis.position
      for (const wheel of wheels) wheel.motor = { targetVelocity: 0, maxForce: brake }
      let steps = 0
      for (; chassis.linearVelocity[0] > 0.01 && steps < 1300; steps++) world.step(0.005)
      near(steps * 0.005, time, 0.02 * time, 'time')
      near(chassis.position[0] - from, way, 0.02 * way, 'way')
      world.free()
    })
  }

  test(`A111: wheels that spin push with the friction of the load, ${solver}`, async () => {
    const { world, chassis, wheels } = await makeCar(solver)
    for (const wheel of wheels) wheel.motor = { targetVelocity: 1000, maxForce: 1500 }
    for (let i = 0; i < 200; i++) world.step(0.005)
    near(chassis.linearVelocity[0], 6.867, 0.02 * 6.867, 'speed')
    assert.ok(0.35 * wheels[0].speeds[1] > 10, 'the wheels spin')
    world.free()
  })

  test(`A133: a car on a slope of 20 degrees, ${solver}`, async () => {
    const held = await makeCarOnSlope(solver, 0.5)
    const [from] = held.chassis.position
    for (let i = 0; i < 1000; i++) held.world.step(0.005)
    near(held.chassis.position[0], from, soft ? 0.01 : 0.001, 'stands')
    held.world.free()

    for (const { friction, motor, acceleration, what } of [
      { friction: 0.3, motor: BRAKE, acceleration: -0.589702, what: 'slides' },
      { friction: 0.5, motor: null, acceleration: -3.178627, what: 'rolls back' },
      {
        ...{ friction: 0.5, motor: { targetVelocity: 1000, maxForce: 1500 } },
        ...{ acceleration: 1.253975, what: 'goes up with wheels that slip' },
      },
    ]) {
      const { world, chassis, wheels } = await makeCarOnSlope(solver, friction)
      for (const wheel of wheels) wheel.motor = motor
      const [speed] = chassis.linearVelocity
      for (let i = 0; i < 200; i++) world.step(0.005)
      const gained = chassis.linearVelocity[0] - speed
      near(gained, acceleration, 0.03 * Math.abs(acceleration), what)
      world.free()
    }
  })
}

const BRAKE = { targetVelocity: 0, maxForce: 3000 }

/**
 * The car of A111 in the frame of a slope, nose up, after a second with its brakes on.
 * @param {SolverName} solver
 * @param {number} friction
 */
function makeCarOnSlope(solver, friction) {
  const slope = Math.PI / 9
  const gravity = /** @type {const} */ ([-9.81 * Math.sin(slope), 0, -9.81 * Math.cos(slope)])
  return makeCar(solver, 0, { gravity, friction, motor: BRAKE })
}

/**
 * The car of A111 on flat ground, after a second in which it came to rest on its springs, then set to roll.
 * @param {SolverName} solver
 * @param {number} [speed] m/s
 * @param {object} [ground]
 * @param {readonly [number, number, number]} [ground.gravity]
 * @param {number} [ground.friction]
 * @param {{ targetVelocity: number, maxForce: number }} [ground.motor] of each wheel
 */
async function makeCar(solver, speed = 0, { gravity, friction = 0.7, motor } = {}) {
  const world = await makeWorld(solver, G)
  if (gravity) world.gravity = gravity
  const plane = /** @type {const} */ ({ type: 'plane', normal: [0, 0, 1], offset: 0 })
  world.createBody({ type: 'static', shape: plane, friction })
  const box = /** @type {const} */ ({ type: 'box', halfExtents: [1.6, 0.7, 0.25] })
  const chassis = world.createBody({ shape: box, mass: 800, position: [0, 0, 0.6] })
  const places = [1.3, -1.3].flatMap((x) => [0.8, -0.8].map((y) => [x, y, 0.35]))
  const wheels = places.map((position) => {
    const shape = /** @type {const} */ ({ type: 'cylinder', radius: 0.35, halfHeight: 0.1 })
    const bodyB = world.createBody({ shape, mass: 25, friction, position })
    return world.createJoint({
      ...{ type: 'wheel', bodyA: chassis, bodyB, axis: [0, 0, 1], axle: [0, 1, 0] },
      ...{ spring: { hertz: 5, damping: 0.7 }, limits: [-0.3, 0.3], ...(motor && { motor }) },
    })
  })
  for (let i = 0; i < 200; i++) world.step(0.005)
  for (const body of world.bodies.slice(1)) body.linearVelocity = [speed, 0, 0]
  for (const { bodyB } of wheels) {
    if (bodyB !== null) bodyB.angularVelocity = [0, speed / 0.35, 0]
  }
  return { world, chassis, wheels }
}

test('bad values of joints are refused by name', async () => {
  const world = await makeWorld('exact')
  const a = add(world, { mass: 1 })
  const b = add(world, { mass: 1, position: [1, 0, 0] })
  const hinge = world.createJoint({ type: 'hinge', bodyB: a, anchor: [0, 0, 0], axis: [0, 0, 1] })
  const slider = world.createJoint({ type: 'slider', bodyB: b, axis: [0, 0, 1] })
  const other = await makeWorld('exact')
  const foreign = add(other, { mass: 1 })
  const away = other.createJoint({
    type: 'hinge',
    bodyB: foreign,
    anchor: [0, 0, 0],
    axis: [0, 0, 1],
  })
  const count = world.joints.length
  const both = { bodyA: a, bodyB: b }
  const ground = { groundAnchorA: [0, 0, 5], groundAnchorB: [1, 0, 5] }
  /** @type {[object, RegExp][]} */
  const cases = [
    [{ type: 'rope', ...both, length: 0 }, /length.*above 0/],
    [{ type: 'rope', ...both, length: NaN }, /length/],
    [{ type: 'rope', ...both, motor: {} }, /motor/],
    [{ type: 'rope', ...both, anchor: [0, 0, 0] }, /anchorA and anchorB/],
    [{ type: 'spring', ...both }, /spring/],
    [{ type: 'spring', ...both, hertz: 1, stiffness: 2 }, /hertz and stiffness/],
    [{ type: 'spring', ...both, hertz: 1, length: -1 }, /length/],
    [{ type: 'universal', ...both, anchor: [0, 0, 0], axisA: [0, 0, 1] }, /axisB/],
    [
      { type: 'universal', ...both, anchor: [0, 0, 0], axisA: [0, 0, 0], axisB: [1, 0, 0] },
      /axisA/,
    ],
    [
      { type: 'universal', ...both, anchor: [0, 0, 0], axisA: [0, 0, 1], axisB: [0, 0, -2] },
      /axisB must not be parallel to axisA, got \[0, 0, -2\]/,
    ],
    [
      { type: 'wheel', ...both, axis: [0, 1, 0], axle: [0, -3, 0] },
      /axle must be not parallel to axis, got \[0, -3, 0\]/,
    ],
    [
      { type: 'wheel', ...both, axisA: [0, 1, 0], axisB: [0, 2, 0] },
      /axisB must not be parallel to axisA, got \[0, 2, 0\]/,
    ],
    [
      { type: 'ball', ...both, anchor: [0, 0, 0], axis: [1, 0, 0], limits: { cone: 45 } },
      /limits\.cone must be at most pi radians, got 45/,
    ],
    [{ type: 'sixDof', ...both, linear: ['locked', 'open', 'free'] }, /linear\[1\]/],
    [{ type: 'sixDof', ...both, linear: ['locked'] }, /linear/],
    [{ type: 'sixDof', ...both, angular: { w: 'free' } }, /angular/],
    [{ type: 'sixDof', ...both, angular: { x: [2, 1] } }, /angular\.x/],
    [{ type: 'gear', jointA: hinge }, /jointB/],
    [{ type: 'gear', jointA: hinge, jointB: hinge }, /jointB/],
    [{ type: 'gear', jointA: hinge, jointB: away }, /jointB/],
    [{ type: 'gear', jointA: hinge, jointB: slider, ratio: 0 }, /ratio/],
    [{ type: 'gear', jointA: hinge, jointB: slider, bodyA: a }, /jointA and jointB, or bodyA/],
    [{ type: 'gear', bodyA: a, bodyB: a, axis: [0, 0, 1] }, /bodyB/],
    [{ type: 'gear', bodyA: a, bodyB: null, axis: [0, 0, 1] }, /bodyB/],
    [{ type: 'rackAndPinion', jointA: hinge, jointB: hinge }, /jointB/],
    [{ type: 'pulley', ...both, ...ground, ratio: -1 }, /ratio/],
    [{ type: 'pulley', ...both, groundAnchorA: [0, 0, 5] }, /groundAnchorB/],
    [{ type: 'wheel', ...both, axis: [0, 0, 1] }, /axle/],
    [{ type: 'wheel', ...both, axis: [0, 0, 1], axle: [0, 1, 0], steering: 4 }, /steering/],
  ]
  for (const [definition, message] of cases) {
    assert.throws(
      () => world.createJoint(/** @type {any} */ (definition)),
      (/** @type {Error} */ error) => error.name === 'MoreauError' && message.test(error.message),
      JSON.stringify(Object.keys(definition)) + message,
    )
  }
  assert.equal(world.joints.length, count)
  assert.throws(() => (hinge.ratio = 2), /ratio|none/)
  assert.throws(() => (hinge.length = 2), /length/)
  assert.throws(() => hinge.linear, /linear/)
  slider.destroy()
  assert.throws(() => world.createJoint({ type: 'gear', jointA: hinge, jointB: slider }), {
    code: 'stale-handle',
  })
  world.step(0.01)
  world.free()
  other.free()
})

test('a gear that breaks with its joint has an event of its own', async () => {
  const world = await makeWorld('soft-step', G)
  const a = add(world, { mass: 5 })
  const b = add(world, { mass: 1, position: [1, 0, 0] })
  const hinge = { type: /** @type {const} */ ('hinge'), axis: [0, 0, 1] }
  const jointA = world.createJoint({ ...hinge, bodyB: a, anchor: [0, 0, 0], breakForce: 10 })
  const jointB = world.createJoint({ ...hinge, bodyB: b, anchor: [1, 0, 0] })
  const gear = world.createJoint({ type: 'gear', jointA, jointB })
  world.step(0.016)
  assert.deepEqual(new Set(world.jointEvents.map((event) => event.joint)), new Set([jointA, gear]))
  assert.ok(!jointA.isAlive && !gear.isAlive && jointB.isAlive)
  world.step(0.016)
  world.free()
})

test('drives say what each coordinate has, in place of what the type names', async () => {
  const world = await makeWorld('exact')
  const ball = add(world, { mass: 1, inertia: [1, 1, 1] })
  const joint = {
    type: /** @type {const} */ ('ball'),
    bodyB: ball,
    anchor: [0, 0, 0],
    axis: [0, 0, 1],
  }
  const drives = [{ limits: { upper: 0.5 } }, { motor: { targetVelocity: 2, maxForce: 10 } }]
  const made = world.createJoint({ ...joint, drives })
  assert.deepEqual(made.drive(1).motor, drives[1].motor)
  world.step(0.016)
  near(ball.angularVelocity[2], 0.16, 1e-9, 'the motor turns it about its axis')
  const refused = [
    [
      { drives: [{}] },
      'createJoint: drives must be an array of 2, one for each coordinate, got [{}]',
    ],
    [{ drives, limits: { cone: 1 } }, 'createJoint: drives and limits exclude each other'],
    [
      { drives: [{}, { friction: -1 }] },
      'createJoint: drives[1].friction must be a finite number, 0 or more, got -1',
    ],
  ]
  for (const [options, message] of refused) {
    const bad = /** @type {any} */ ({ ...joint, ...Object(options) })
    assert.throws(() => world.createJoint(bad), { message })
  }
  world.free()
})

test('a joint that is made again by its reference has the same coordinates, at any pose', async () => {
  const world = await makeWorld('exact')
  const wheel = add(world, { mass: 1, inertia: [1, 1, 1], angularVelocity: [0, 0, 40] })
  const hinge = {
    type: /** @type {const} */ ('hinge'),
    bodyB: wheel,
    anchor: [0, 0, 0],
    axis: [0, 0, 1],
  }
  const first = world.createJoint(hinge)
  for (let i = 0; i < 100; i++) world.step(0.016)
  const again = world.createJoint({ ...hinge, reference: first.reference })
  assert.ok(first.coordinate > 20 * Math.PI)
  assert.equal(again.coordinate, first.coordinate)
  assert.deepEqual(again.reference, first.reference)
  near(world.createJoint(hinge).coordinate, 0, 0, 'without it the pose of now is 0')
  const { coordinates, ...others } = first.reference
  assert.throws(() => world.createJoint({ ...hinge, reference: others }), {
    message:
      'createJoint: reference.coordinates must be an array of 1, one for each coordinate, got undefined',
  })
  assert.equal(coordinates?.length, 1)
  world.free()
})
