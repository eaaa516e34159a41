// Joints of type 'path': what can be asked of them, what comes back, and what is refused. Physics: tests/unit/step/paths.c.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'

/** @import { SolverName, Vector } from 'moreau' */

const SOLVERS = /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])
/** A ring of 1 m about z, of 24 points. */
const RING = Array.from({ length: 24 }, (_, i) => {
  const angle = (2 * Math.PI * i) / 24
  return /** @type {Vector} */ ([Math.cos(angle), Math.sin(angle), 0])
})
/** A slope of 5 m. @type {Vector[]} */
const SLOPE = [
  [0, 0, 0],
  [2, -1.5, 0],
  [4, -3, 0],
]

/** @param {World} world @param {Vector} position */
const bead = (world, position) =>
  world.createBody({
    ...{ shape: { type: 'sphere', radius: 0.1 }, position, mass: 1, filter: { mask: 0 } },
  })

/** @param {{ solver?: SolverName, gravity?: Vector }} [options] */
const makeWorld = (options) => World.create({ gravity: [0, 0, 0], allowSleep: false, ...options })

/** @param {World} world @param {number} steps */
function run(world, steps) {
  for (let i = 0; i < steps; i++) world.step(1 / 60)
}

/** @param {number} got @param {number} expected @param {number} tolerance */
function near(got, expected, tolerance) {
  assert.ok(Math.abs(got - expected) <= tolerance, `${got} instead of ${expected}`)
}

for (const solver of SOLVERS) {
  test(`a bead goes around a ring twelve times at the speed that it has, ${solver}`, async () => {
    const world = await makeWorld({ solver })
    const body = bead(world, [1, 0, 0])
    const joint = world.createJoint({ type: 'path', bodyB: body, points: RING, closed: true })
    body.linearVelocity = [0, 4, 0]
    run(world, 1200)
    near(joint.translation, 80, 1)
    near(joint.speed, 4, 0.06)
    near(Math.hypot(...body.position), 1, 4e-3)
    near(Math.hypot(...joint.reaction().force), 16, 0.6) // m v² / r
    world.free()
  })

  test(`an open path ends, has motors, limits and friction, ${solver}`, async () => {
    const world = await makeWorld({ solver, gravity: [0, -9.81, 0] })
    const body = bead(world, [0, 0, 0])
    const joint = world.createJoint({ type: 'path', bodyB: body, points: SLOPE })
    assert.deepEqual(joint.limits, { lower: 0, upper: joint.path?.length })
    run(world, 150)
    near(joint.translation, 5, 6e-3)
    joint.motor = { targetPosition: 2, hertz: 2, damping: 1 }
    run(world, 300)
    near(joint.translation, 2 + (9.81 * 0.6) / (4 * Math.PI) ** 2, 0.01) // as far as the spring gives way
    joint.motor = { targetVelocity: -0.5, maxForce: 100 }
    run(world, 60)
    near(joint.speed, -0.5, 0.01)
    joint.motor = null
    joint.limits = [1, 3]
    run(world, 120)
    near(joint.translation, 3, 6e-3)
    joint.limits = null
    joint.friction = 10
    run(world, 60)
    near(joint.translation, 3, 0.01)
    world.free()
  })
}

test('a path is what it was given, in the frame of A, and tells its points', async () => {
  const world = await makeWorld()
  const carrier = world.createBody({
    ...{ type: 'kinematic', shape: { type: 'sphere', radius: 0.1 }, filter: { mask: 0 } },
    ...{ position: [10, 0, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
  })
  const body = bead(world, [10, 0, 0])
  const joint = world.createJoint({
    ...{ type: 'path', bodyA: carrier, bodyB: body, align: 'tangent' },
    points: new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0]),
  })
  assert.deepEqual(joint.path, {
    points: [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ],
    ...{ closed: false, align: 'tangent', length: joint.path?.length },
  })
  near(joint.path?.length ?? 0, 2, 1e-15)
  const { position, tangent } = joint.pathPoint(1.5)
  ;[10, 1.5, 0].forEach((x, i) => near(position[i], x, 1e-12))
  ;[0, 1, 0].forEach((x, i) => near(tangent[i], x, 1e-12))
  near(joint.pathPoint(-1).position[1], -1, 1e-12)
  assert.equal(joint.dimension, 6) // two offsets, two turns, two ends
  const hinge = world.createJoint({
    ...{ type: 'hinge', bodyA: carrier, bodyB: body, anchor: [0, 0, 0], axis: [0, 0, 1] },
  })
  assert.equal(hinge.path, null)
  assert.throws(() => hinge.pathPoint(0), /a joint of type 'hinge' has none/)
  assert.throws(() => joint.pathPoint(NaN), /pathPoint: length must be a finite number, got NaN/)
  world.free()
})

test('a body that is aligned turns with the path', async () => {
  const world = await makeWorld()
  const car = world.createBody({
    ...{ shape: { type: 'box', halfExtents: [0.2, 0.1, 0.1] }, filter: { mask: 0 } },
    position: [1, 0, 0],
    orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], // its x axis is along the ring
  })
  const joint = world.createJoint({
    ...{ type: 'path', bodyB: car, points: RING, closed: true, align: 'frame' },
    motor: { targetVelocity: 2 },
  })
  for (let i = 0; i < 100; i++) {
    run(world, 1)
    const forward = car.worldVector([1, 0, 0])
    const { tangent } = joint.pathPoint(joint.translation)
    near(
      forward.reduce((sum, x, k) => sum + x * tangent[k], 0),
      1,
      2e-3,
    )
    near(car.worldVector([0, 0, 1])[2], 1, 1e-3)
  }
  world.free()
})

/** @param {World} world */
function addRide(world) {
  const body = bead(world, [1, 0, 0])
  const joint = world.createJoint({
    ...{ type: 'path', bodyB: body, points: RING, closed: true, align: 'frame', friction: 0.5 },
  })
  body.linearVelocity = [0, 5, 0]
  run(world, 200)
  return joint
}

for (const solver of SOLVERS) {
  test(`it goes on from a snapshot and from JSON, ${solver}`, async () => {
    const world = await makeWorld({ solver })
    const joint = addRide(world)
    assert.ok(joint.translation > 2 * Math.PI, 'it has been around')
    const copy = await makeWorld()
    copy.restore(world.snapshot())
    const file = World.fromJSON(JSON.parse(JSON.stringify(world)))
    assert.equal(copy.joints[0].translation, joint.translation)
    assert.equal(file.joints[0].translation, joint.translation)
    assert.deepEqual(copy.joints[0].path, joint.path)
    assert.deepEqual(file.joints[0].path, joint.path)
    for (const one of [world, copy, file]) run(one, 100)
    assert.equal(copy.hash(), world.hash())
    // A file has no impulses to start from.
    file.transforms64.forEach((x, i) => near(x, world.transforms64[i], 1e-5))
    for (const one of [world, copy, file]) one.free()
  })
}

test('a recording makes it again', async () => {
  const world = await makeWorld()
  const recording = world.record()
  const joint = addRide(world)
  joint.friction = 0
  run(world, 50)
  const replayed = World.replay(recording.stop())
  assert.equal(replayed.divergence, undefined)
  assert.equal(replayed.world.hash(), world.hash())
  replayed.world.free()
  world.free()
})

test('debug lines show it', async () => {
  const world = await makeWorld()
  const lines = () => world.debugRender({ joints: true, shapes: false }).vertices.length
  const body = bead(world, [1, 0, 0])
  const before = lines()
  world.createJoint({ type: 'path', bodyB: body, points: RING, closed: true })
  assert.ok(lines() >= before + 6 * 25, 'a line for each quarter of a metre')
  world.free()
})

test('what is no path is refused by name', async () => {
  const world = await makeWorld()
  const body = bead(world, [0, 0, 0])
  const given = { type: 'path', bodyB: body, points: SLOPE }
  const cases = /** @type {const} */ ([
    [{ points: undefined }, /points must be an array of vectors.*got undefined/],
    [{ points: [[0, 0, 0]] }, /points must be 2 to 65536 points/],
    [{ points: SLOPE.slice(0, 2), closed: true }, /points must be 3 to 65536 points/],
    [{ points: [0, 0, 0, 1, 0] }, /points must be a multiple of 3 numbers, got 5/],
    [
      { points: [[0, 0, 0], [1, 0, 0], [1, 0, 0]] }, // prettier-ignore
      /points\[2\] must be another point than the one before, got \[1, 0, 0\]/,
    ],
    [
      { points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], closed: true }, // prettier-ignore
      /points\[0\] must be another point than the one before/,
    ],
    [{ points: [[0, 0, 0], [1, NaN, 0]] }, /points\[1\] must be finite, like the one before/], // prettier-ignore
    [{ points: [[0, 0, 0], [1e300, 0, 0]] }, /finite/], // prettier-ignore
    [{ closed: 'yes' }, /closed must be true or false, got 'yes'/],
    [{ align: 'tangents' }, /align must be one of.*did you mean 'tangent'/],
    [{ anchorA: [0, 0, 0] }, /unknown option 'anchorA'/],
    [{ bodyA: body, bodyB: null }, /anchorB is missing/],
    [{ limits: [3, 1] }, /limits must be \[lower, upper\]/],
  ])
  for (const [wrong, message] of cases) {
    assert.throws(() => world.createJoint(/** @type {any} */ ({ ...given, ...wrong })), message)
  }
  assert.equal(world.joints.length, 0)
  world.step(1 / 60)
  world.free()
})
