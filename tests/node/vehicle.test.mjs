import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'

const DT = 1 / 60
const MASS = 1200
const G = 9.81
const degrees = Math.PI / 180

/**
 * @typedef {object} Options
 * @property {number} [slope] rad, that the ground rises along x
 * @property {Partial<import('moreau').WheelSettings>} [wheel]
 * @property {import('moreau').WorldOptions} [world]
 */

/** A car of 1200 kg on a plane, its wheels in the order: left and right in front, left and right behind. @param {Options} [options] */
async function carOnPlane({ slope = 0, wheel = {}, world: settings = {} } = {}) {
  const world = await World.create(settings)
  const normal = [-Math.sin(slope), Math.cos(slope), 0]
  world.createBody({ type: 'static', shape: { type: 'plane', normal } })
  const chassis = world.createBody({
    shape: { type: 'box', halfExtents: [2, 0.3, 0.9] },
    mass: MASS,
    position: normal.map((x) => 0.85 * x),
    orientation: [0, 0, Math.sin(slope / 2), Math.cos(slope / 2)],
  })
  const wheels = []
  for (const x of [1.4, -1.4]) {
    for (const z of [-0.8, 0.8]) wheels.push({ ...wheel, position: [x, -0.2, z] })
  }
  const car = world.createVehicle({ chassis, wheels })
  /** @param {number} seconds */
  const drive = (seconds) => {
    for (let i = Math.round(seconds / DT); i > 0; i--) {
      car.update(DT)
      world.step(DT)
    }
  }
  return { world, chassis, car, drive }
}

for (const solver of ['soft-step', 'block-pgs', 'exact']) {
  const world = { solver: /** @type {import('moreau').SolverName} */ (solver) }

  test(`a car rests on its springs (${solver})`, async () => {
    const { car, chassis, drive } = await carOnPlane({ world })
    drive(5)
    for (const wheel of car.wheels) {
      assert.ok(wheel.isInContact && !wheel.isSliding)
      assert.ok(Math.abs(wheel.suspensionForce - (MASS * G) / 4) < 1, `${wheel.suspensionForce} N`)
      const sag = wheel.restLength - wheel.suspensionLength
      assert.ok(Math.abs(sag - (MASS * G) / 4 / 30000) < 1e-4, `sag ${sag} m`)
    }
    assert.ok(chassis.speed < 1e-4)
    car.chassis.world.free()
  })

  test(`with its brakes on it stands on a slope of 20 degrees without creeping (${solver})`, async () => {
    const slope = 20 * degrees
    const { world: w, car, chassis, drive } = await carOnPlane({ world, slope })
    for (const wheel of car.wheels) wheel.brake = 4000
    drive(3)
    const [x, y, z] = chassis.position
    drive(20)
    const creep = Math.hypot(
      chassis.position[0] - x,
      chassis.position[1] - y,
      chassis.position[2] - z,
    )
    assert.ok(creep < 1e-4, `crept ${creep} m in 20 s`)
    w.free()
  })
}

test('without brakes it rolls down a slope as a block slides on ice', async () => {
  const slope = 10 * degrees
  const { world, car, drive } = await carOnPlane({ slope })
  drive(1)
  const before = car.speed
  drive(1)
  assert.ok(Math.abs(before - car.speed - G * Math.sin(slope)) < 0.01)
  world.free()
})

test('engine and brakes accelerate by force over mass, and by friction at the most', async () => {
  const { world, car, drive } = await carOnPlane({ wheel: { friction: 0.7, sideFriction: 0.7 } })
  drive(1)
  for (const wheel of car.wheels) wheel.engineForce = 600
  drive(2)
  assert.ok(Math.abs(car.speed - 4) < 0.02, `${car.speed} m/s`)
  assert.ok(Math.abs(car.wheels[0].spin - car.speed / 0.35) < 0.1)
  assert.ok(car.wheels.every((wheel) => !wheel.isSliding))
  const fast = car.speed
  for (const wheel of car.wheels) wheel.engineForce = 1e5
  drive(1)
  assert.ok(Math.abs(car.speed - fast - 0.7 * G) < 0.15, `${car.speed - fast} m/s in 1 s`)
  assert.ok(car.wheels.every((wheel) => wheel.isSliding || !wheel.isInContact))
  world.free()
})

test('locked wheels do not turn, and the car slides to a stop', async () => {
  const { world, car, chassis, drive } = await carOnPlane({ wheel: { friction: 0.5 } })
  drive(1)
  chassis.linearVelocity = [10, 0, 0]
  for (const wheel of car.wheels) wheel.brake = 1e5
  drive(0.5)
  assert.ok(car.wheels.every((wheel) => wheel.spin === 0 && wheel.isSliding))
  assert.ok(Math.abs(car.speed - (10 - 0.5 * 0.5 * G)) < 0.1, `${car.speed} m/s`)
  drive(3)
  assert.ok(chassis.speed < 1e-3, `${chassis.speed} m/s`)
  world.free()
})

test('with wheels steered as Ackermann has it, it goes in that circle', async () => {
  const { world, car, chassis, drive } = await carOnPlane()
  drive(1)
  chassis.linearVelocity = [3, 0, 0]
  // The middle of the rear axle goes round at 10 m; the left wheels are inside.
  car.wheels[0].steering = Math.atan(2.8 / (10 - 0.8))
  car.wheels[1].steering = Math.atan(2.8 / (10 + 0.8))
  drive(1)
  const before = chassis.speed
  drive(1)
  const radius = chassis.speed / chassis.angularVelocity[1]
  assert.ok(Math.abs(radius - Math.hypot(10, 1.4)) < 0.05, `${radius} m`)
  assert.ok(Math.abs(chassis.speed - before) < 0.01, 'it rolls freely')
  world.free()
})

test('wheels of an axle that are steered alike do not push against each other until they slide', async () => {
  const { world, car, chassis, drive } = await carOnPlane()
  drive(1)
  chassis.linearVelocity = [7, 0, 0]
  car.wheels[0].steering = car.wheels[1].steering = 0.1
  drive(2)
  assert.ok(car.wheels.every((wheel) => wheel.isInContact && !wheel.isSliding))
  const most = car.wheels[0].suspensionForce * DT
  const against = Math.min(...car.wheels.map((wheel) => wheel.sideImpulse))
  assert.ok(against > -0.25 * most, `${against} N s of at most ${most}`)
  world.free()
})

test('side friction beyond its bound lets the car drift', async () => {
  const { world, car, chassis, drive } = await carOnPlane({ wheel: { sideFriction: 0.2 } })
  drive(1)
  chassis.linearVelocity = [0, 0, 3]
  drive(0.5)
  const left = Math.abs(chassis.linearVelocity[2])
  assert.ok(Math.abs(left - (3 - 0.2 * G * 0.5)) < 0.1, `${left} m/s`)
  assert.ok(car.wheels.every((wheel) => wheel.isSliding))
  world.free()
})

test('what it stands on feels it, and momentum is kept', async () => {
  const world = await World.create({ gravity: [0, 0, 0], solver: 'block-pgs' })
  const slab = world.createBody({ shape: { type: 'box', halfExtents: [5, 0.5, 5] }, mass: 5000 })
  const chassis = world.createBody({
    shape: { type: 'box', halfExtents: [2, 0.3, 0.9] },
    mass: MASS,
    position: [0, 1.2, 0],
  })
  const wheels = [
    { position: [1, -0.2, 0.8] },
    { position: [1, -0.2, -0.8] },
    { position: [-1, -0.2, 0] },
  ]
  const car = world.createVehicle({ chassis, wheels })
  for (const wheel of car.wheels) wheel.engineForce = 500
  for (let i = 0; i < 30; i++) {
    car.update(DT)
    world.step(DT)
  }
  assert.ok(slab.linearVelocity[1] < -0.01 && chassis.linearVelocity[1] > 0.05)
  const { linear, angular } = world.momentum()
  for (const part of [...linear, ...angular]) assert.ok(Math.abs(part) < 1e-7, `${part}`)
  world.free()
})

test('a moving platform carries it', async () => {
  const world = await World.create()
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [20, 0.5, 20] })
  const platform = world.createBody({ type: 'kinematic', shape, position: [0, -0.5, 0] })
  platform.linearVelocity = [2, 0, 0]
  const chassis = world.createBody({
    shape: { type: 'box', halfExtents: [2, 0.3, 0.9] },
    mass: MASS,
    position: [0, 0.85, 0],
    linearVelocity: [2, 0, 0],
  })
  const wheels = [1.4, -1.4].flatMap((x) => [-0.8, 0.8].map((z) => ({ position: [x, -0.2, z] })))
  const car = world.createVehicle({ chassis, wheels })
  for (const wheel of car.wheels) wheel.brake = 3000
  for (let i = 0; i < 120; i++) {
    car.update(DT)
    world.step(DT)
  }
  assert.ok(Math.abs(chassis.linearVelocity[0] - 2) < 1e-4)
  assert.equal(car.wheels[0].ground, platform)
  world.free()
})

test('anti-roll bars reduce the roll in a bend', async () => {
  const rolls = []
  for (const antiRoll of [0, 30000]) {
    const { world, car, chassis, drive } = await carOnPlane({ wheel: { antiRoll } })
    for (const [i, other] of [1, 0, 3, 2].entries()) car.wheels[i].antiRollWheel = other
    drive(1)
    chassis.linearVelocity = [8, 0, 0]
    car.wheels[0].steering = car.wheels[1].steering = 0.2
    drive(1)
    const [x, y, z, w] = chassis.orientation
    rolls.push(Math.abs(2 * (y * z + x * w)))
    world.free()
  }
  assert.ok(rolls[1] < 0.6 * rolls[0], `${rolls}`)
})

test('the same twice, to the bit', async () => {
  const hashes = []
  for (let i = 0; i < 2; i++) {
    const { world, car, drive } = await carOnPlane({ slope: 0.1 })
    car.wheels[0].steering = 0.3
    car.wheels[2].engineForce = 2000
    drive(3)
    hashes.push(world.hash())
    world.free()
  }
  assert.equal(hashes[0], hashes[1])
})

test('what is wrong is refused by name, and nothing is pushed', async () => {
  const { world, car, chassis } = await carOnPlane()
  const definition = { chassis, wheels: [{ position: [0, 0, 0] }] }
  /** @param {object} change */
  const create = (change) => () => world.createVehicle({ ...definition, ...change })
  assert.throws(create({ wheels: [] }), /createVehicle: wheels.*one wheel or more/)
  assert.throws(create({ wheels: [{}] }), /wheels\[0\]\.position/)
  assert.throws(create({ wheels: [{ position: [0, 0, 0], radius: 0 }] }), /wheels\[0\]\.radius.*0/)
  assert.throws(create({ wheels: [{ position: [0, 0, 0], raduis: 1 }] }), /did you mean 'radius'/)
  assert.throws(create({ forward: [0, 1, 0] }), /forward.*not along up/)
  const wheel = { position: [0, 0, 0] }
  assert.throws(
    create({ wheels: [wheel, { ...wheel, antiRollWheel: 2 }] }),
    /createVehicle: wheels\[1\]\.antiRollWheel.*from 0 to 1, got 2/,
  )
  assert.throws(create({ wheels: [{ ...wheel, direction: [0, 0, 0] }] }), /wheels\[0\]\.direction/)
  assert.throws(create({ wheels: [{ ...wheel, axle: [0, 2, 0] }] }), /wheels\[0\]\.axle.*across/)
  assert.throws(create({ chassis: null }), /chassis/)
  const hash = world.hash()
  assert.throws(() => car.update(0), /update: dt/)
  car.wheels[1].brake = -1
  assert.throws(() => car.update(DT), /wheels\[1\]\.brake.*-1/)
  car.wheels[1].brake = 0
  car.wheels[2].axle = [0, 1, 0]
  assert.throws(() => car.update(DT), /wheels\[2\]\.axle.*across/)
  assert.equal(world.hash(), hash)
  assert.throws(() => {
    // @ts-expect-error a misspelt name
    car.wheels[0].engineForse = 5
  }, TypeError)
  car.wheels[2].axle = [0, 0, -1]
  chassis.destroy()
  assert.throws(() => car.update(DT), { code: 'stale-handle' })
  world.free()
})
