/**
 * Batches of worlds: each comes to the bits of a world by itself, on any number of threads; worlds are small, and all their memory
 * comes back.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World, WorldBatch } from 'moreau'

/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {import('moreau').BatchOptions} BatchOptions */
/** @typedef {typeof import('moreau/threads')} Threads */

const DT = 1 / 60

before(() => init())

const bytes = () => {
  const world = new World()
  const { bytes: held } = world.memory()
  world.free()
  return held
}

// --- A140: sliding cubes --------------------------------------------------------------------------

const SLIDES = 64
const SLIDE_DT = 0.016

/** @param {'exact' | 'block-pgs'} solver */
function slidingCube(solver) {
  const world = new World({
    ...{ solver, gravity: [0, 0, -9.81], linearSlop: 0, stabilization: 'none', iterations: 200 },
  })
  world.createBody({
    ...{ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] }, friction: 0.5 },
  })
  const body = world.createBody({
    ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0, 0.5], mass: 1 },
    friction: 0.5,
  })
  return { world, body }
}
const speedOf = (/** @type {number} */ k) => 0.5 + 0.1 * k

/** x after the steps in which friction lets it slide. */
function slideOf(/** @type {number} */ k) {
  let [x, v] = [0, speedOf(k)]
  for (v -= 0.5 * 9.81 * SLIDE_DT; v > 0; v -= 0.5 * 9.81 * SLIDE_DT) x += SLIDE_DT * v
  return x
}

/** @param {'exact' | 'block-pgs'} solver */
function slideSingly(solver) {
  /** @type {string[]} */
  const hashes = []
  for (let k = 0; k < SLIDES; k++) {
    const { world, body } = slidingCube(solver)
    body.linearVelocity = [speedOf(k), 0, 0]
    for (let i = 0; i < 300; i++) world.step(SLIDE_DT)
    hashes.push(world.hash())
    world.free()
  }
  return hashes
}

/**
 * A batch of them, with the speeds in the given order.
 * @param {'exact' | 'block-pgs'} solver
 * @param {(k: number) => number} order
 */
function slideTogether(solver, order) {
  const { world, body } = slidingCube(solver)
  const batch = new WorldBatch(world, {
    count: SLIDES,
    observations: [{ type: 'position', body }],
    starts: [{ type: 'linearVelocity', body }],
  })
  const { starts } = batch
  for (let k = 0; k < SLIDES; k++) starts[3 * k] = speedOf(order(k))
  assert.equal(batch.reset(), 0)
  for (let i = 0; i < 300; i++) {
    assert.equal(batch.step(SLIDE_DT), 0)
    if (i === 150) world.free() // among them in the memory
  }
  return batch
}

describe('A140: 64 sliding cubes', () => {
  for (const solver of /** @type {const} */ (['exact', 'block-pgs'])) {
    test(`${solver}: they stop where Coulomb says, with the bits of single worlds, in any order`, () => {
      const hashes = slideSingly(solver)
      for (const order of [(/** @type {number} */ k) => k, (/** @type {number} */ k) => 63 - k]) {
        const batch = slideTogether(solver, order)
        for (let k = 0; k < SLIDES; k++) {
          assert.equal(batch.hash(k), hashes[order(k)])
          assert.ok(Math.abs(batch.observations[3 * k] - slideOf(order(k))) < 1e-6, `world ${k}`)
        }
        batch.free()
      }
    })
  }

  test('the distances of the case', () => {
    for (const [k, x] of [
      [0, 0.0216307],
      [15, 0.391904],
      [63, 4.6593011],
    ]) {
      assert.ok(Math.abs(slideOf(k) - x) < 1e-6)
    }
  })

  test('1000 empty worlds are small, and give all back', () => {
    const held = bytes()
    const worlds = Array.from({ length: 1000 }, () => new World())
    const each = (worlds[0].memory().bytes - held) / worlds.length
    assert.ok(each < 4096, `${each} bytes`)
    for (const world of worlds) world.step(DT)
    const stepped = (worlds[0].memory().bytes - held) / worlds.length
    assert.ok(stepped < 3.5 * 1024, `${stepped} bytes`)
    for (const world of worlds) world.free()
    assert.equal(bytes(), held)
  })

  /** Bytes of a world of 9 boxes whose columns are so far apart, made and after 10 steps. @param {number} apart m */
  function bytesOfNine(apart) {
    // One definition is one shape, which the worlds share.
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
    const held = bytes()
    // So many that what they lend each other does not count.
    const worlds = Array.from({ length: 500 }, () => {
      const world = new World()
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      for (let i = 0; i < 9; i++) {
        world.createBody({ shape, position: [apart * (i % 3), 0.5 + Math.floor(i / 3), 0] })
      }
      return world
    })
    const each = () => (worlds[0].memory().bytes - held) / worlds.length
    const made = each()
    for (let i = 0; i < 10; i++) for (const world of worlds) world.step(DT)
    const stepped = each()
    for (const world of worlds) world.free()
    assert.equal(bytes(), held)
    return { made, stepped }
  }

  test('a world of 9 boxes is small, also after its first steps', () => {
    const columns = bytesOfNine(1.2)
    assert.ok(columns.made < 20 * 1024, `${columns.made} bytes`)
    assert.ok(columns.stepped < 27 * 1024, `${columns.stepped} bytes`)
    // With contacts between the columns, 12 more.
    const { stepped } = bytesOfNine(1)
    assert.ok(stepped < 34 * 1024, `${stepped} bytes`)
  })
})

// --- a robot --------------------------------------------------------------------------------------

/** A cart on a rail with a pole, and a box that falls on the floor. */
function cartPole(moreau = { World }) {
  const world = new moreau.World({ allowSleep: false })
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const filter = { mask: 0 }
  const cart = world.createBody({
    ...{
      shape: { type: 'box', halfExtents: [0.2, 0.1, 0.1] },
      position: [0, 1, 0],
      mass: 1,
      filter,
    },
  })
  const pole = world.createBody({
    ...{ shape: { type: 'capsule', radius: 0.02, halfHeight: 0.5 }, position: [0, 1.5, 0] },
    ...{ mass: 0.1, filter },
  })
  const box = world.createBody({
    ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [3, 0.6, 0], mass: 1 },
  })
  const rail = world.createJoint({
    ...{ type: 'slider', bodyA: null, bodyB: cart, anchor: [0, 1, 0], axis: [1, 0, 0] },
    motor: { targetVelocity: 0, maxForce: 0 },
  })
  const hinge = world.createJoint({
    ...{ type: 'hinge', bodyA: cart, bodyB: pole, anchor: [0, 1, 0], axis: [0, 0, 1] },
  })
  return { world, cart, pole, box, rail, hinge }
}

/**
 * @param {ReturnType<typeof cartPole>} robot
 * @param {number} count
 * @returns {BatchOptions}
 */
const learning = ({ cart, pole, box, rail, hinge }, count) => ({
  count,
  actions: [
    { type: 'effort', joint: rail },
    { type: 'force', body: box, frame: 'body' },
    { type: 'torque', body: pole },
  ],
  observations: [
    { type: 'coordinate', joint: rail },
    { type: 'rate', joint: rail, coordinate: 0 },
    { type: 'coordinate', joint: hinge.id },
    { type: 'orientation', body: pole },
    { type: 'linearVelocity', body: cart.id, frame: 'body' },
    { type: 'contact', body: box },
    { type: 'contactForce', body: box },
    { type: 'time' },
    { type: 'residual' },
  ],
  starts: [
    { type: 'coordinate', joint: rail },
    { type: 'coordinate', joint: hinge },
    { type: 'rate', joint: hinge },
  ],
})

/**
 * The same with ids instead of bodies and joints.
 * @param {BatchOptions} options
 * @returns {BatchOptions}
 */
function byId({ count, ...lists }) {
  const entries = Object.entries(lists).map(([name, list]) => {
    const named = /** @type {any[]} */ (list).map((entry) => {
      const { body, joint, ...rest } = entry
      return {
        ...rest,
        ...(body === undefined ? {} : { body: body.id ?? body }),
        ...(joint === undefined ? {} : { joint: joint.id ?? joint }),
      }
    })
    return [name, named]
  })
  return { count, ...Object.fromEntries(entries) }
}

describe('what acts and what is seen', () => {
  test('rows follow the lists', () => {
    const robot = cartPole()
    const batch = new WorldBatch(robot.world, learning(robot, 3))
    assert.deepEqual([batch.actionSize, batch.observationSize, batch.startSize], [7, 16, 3])
    assert.deepEqual(batch.actionOffsets, [0, 1, 4])
    assert.deepEqual(batch.observationOffsets, [0, 1, 2, 3, 7, 10, 11, 14, 15])
    assert.equal(batch.actions.length, 21)
    assert.equal(batch.observations.length, 48)
    assert.equal(batch.transforms.length, 3 * 8 * batch.slotCount)
    assert.deepEqual(batch.transforms.subarray(0, 8 * batch.slotCount), robot.world.transforms)
    batch.free()
  })

  test('an effort is a force on the cart, and several steps keep it', () => {
    const robot = cartPole()
    const batch = new WorldBatch(robot.world, learning(robot, 2))
    batch.actions[7] = 2
    assert.equal(batch.step(DT, 10), 0)
    for (let i = 0; i < 10; i++) {
      robot.cart.applyForce([2, 0, 0])
      robot.world.step(DT)
    }
    assert.equal(batch.hash(1), robot.world.hash())
    assert.notEqual(batch.hash(0), batch.hash(1))
    const seen = batch.observations.subarray(16)
    assert.equal(seen[0], robot.rail.coordinate)
    assert.equal(seen[2], robot.hinge.coordinate)
    assert.deepEqual([...seen.subarray(3, 7)], robot.pole.orientation)
    assert.equal(seen[14], robot.world.time)
    assert.equal(seen[15], robot.world.residual().worst)
    batch.step(DT, 60)
    assert.equal(batch.observations[10], 1)
    assert.ok(Math.abs(batch.observations[12] - 9.81) < 0.01)
    batch.free()
  })

  test('motors aim at targets', () => {
    const { world, rail } = cartPole()
    rail.motor = { targetVelocity: 0, maxForce: 100 }
    const batch = new WorldBatch(world, {
      ...{ count: 2, actions: [{ type: 'targetVelocity', joint: rail }] },
      observations: [{ type: 'rate', joint: rail }],
    })
    batch.actions.set([0.5, -0.25])
    batch.step(DT, 30)
    assert.ok(Math.abs(batch.observations[0] - 0.5) < 1e-3)
    assert.ok(Math.abs(batch.observations[1] + 0.25) < 1e-3)
    batch.free()
  })

  test('a reset of some begins again with their starts, and leaves the others', () => {
    const robot = cartPole()
    const template = robot.world.snapshot()
    // What belongs to another world has its id here.
    const batch = new WorldBatch(template, byId(learning(robot, 4)))
    const start = batch.hash(0)
    assert.equal(start, robot.world.hash())
    batch.starts.set([0.5, 4, -1], 3)
    batch.step(DT, 5)
    const after = batch.hash(2)
    assert.equal(batch.reset([true, true, false, 0]), 0)
    assert.equal(batch.hash(0), start)
    assert.equal(batch.hash(2), after)
    const seen = batch.observations.subarray(16, 32)
    assert.ok(Math.abs(seen[0] - 0.5) < 1e-12)
    assert.ok(Math.abs(seen[2] - 4) < 1e-12)
    assert.equal(seen[14], 0)
    batch.free()
  })

  test('worlds share a mesh', () => {
    const rows = 60
    const heights = Array.from({ length: rows * rows }, (_, i) => (i * 7) % 5)
    const shape = createShape({
      ...{ type: 'heightfield', heights, rows, columns: rows, scale: [1, 0.1, 1] },
    })
    const world = new World()
    world.createBody({ type: 'static', shape })
    const held = world.memory().bytes
    const batch = new WorldBatch(world, { count: 100 })
    const each = (world.memory().bytes - held) / 100
    assert.ok(each < 16 * 1024, `${each} bytes`)
    batch.free()
    world.free()
    shape.free()
  })
})

// --- copies ---------------------------------------------------------------------------------------

describe('a copy of one of the worlds', () => {
  test('is what that one is, and goes on as it does', () => {
    const robot = cartPole()
    const batch = new WorldBatch(robot.world, learning(robot, 3))
    batch.actions[7] = 2
    batch.step(DT, 40)
    const hash = batch.hash(1)
    const copy = batch.world(1)
    assert.equal(copy.hash(), hash)
    assert.notEqual(copy.hash(), batch.hash(0))
    const { slotCount, transforms } = batch
    assert.deepEqual(copy.transforms, transforms.subarray(8 * slotCount, 16 * slotCount))
    assert.equal(copy.bodyById(robot.cart.id)?.position[0], batch.observations[16])
    assert.deepEqual(
      copy.joints.map(({ id, type, bodyB }) => [id, type, bodyB?.id]),
      robot.world.joints.map(({ id, type, bodyB }) => [id, type, bodyB?.id]),
    )
    batch.actions.fill(0)
    batch.step(DT, 30)
    for (let i = 0; i < 30; i++) copy.step(DT)
    assert.equal(copy.hash(), batch.hash(1))
    copy.bodies[1].applyImpulse([9, 0, 0])
    copy.step(DT)
    assert.notEqual(copy.hash(), batch.hash(1), 'they are apart')
    batch.free()
    copy.step(DT)
    copy.free()
  })

  test('outlives the template, has its hull, and is a template itself', () => {
    const world = new World()
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const points = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2])
    const rock = world.createBody({ shape: { type: 'hull', points }, position: [0, 2, 0] })
    const batch = new WorldBatch(world, { count: 2 })
    world.createBody({ shape: { type: 'sphere', radius: 1 } }) // not of the batch
    world.free()
    batch.step(DT, 50)
    const copy = batch.world(0)
    const next = new WorldBatch(copy, { count: 1 })
    assert.equal(copy.bodies.length, 2)
    assert.equal(copy.bodyById(rock.id)?.shapes[0].type, 'hull')
    batch.free()
    copy.free()
    const last = next.world(0)
    next.step(DT, 5)
    for (let i = 0; i < 5; i++) last.step(DT)
    assert.equal(last.hash(), next.hash(0))
    next.free()
    last.free()
  })

  test('has no joint that broke, nor the gear on it', () => {
    const world = new World()
    const shape = /** @type {const} */ ({ type: 'sphere', radius: 0.2 })
    const [a, b] = [0, 1].map((x) => world.createBody({ shape, position: [x, 0, 0] }))
    const axis = /** @type {const} */ ([0, 1, 0])
    const weak = world.createJoint({
      ...{ type: 'hinge', bodyB: a, anchor: [0, 0, 0], axis, breakForce: 1000 },
    })
    const strong = world.createJoint({ type: 'hinge', bodyB: b, anchor: [1, 0, 0], axis })
    world.createJoint({ type: 'gear', jointA: weak, jointB: strong, ratio: 1 })
    const actions = [/** @type {const} */ ({ type: 'force', body: a })]
    const batch = new WorldBatch(world, { count: 2, actions })
    batch.actions[0] = 1e4
    batch.step(DT)
    const [broken, whole] = [batch.world(0), batch.world(1)]
    assert.deepEqual(
      broken.joints.map(({ id }) => id),
      [strong.id],
    )
    assert.equal(whole.joints.length, 3)
    broken.joints[0].motor = { targetVelocity: 1, maxForce: 1 }
    for (const copy of [broken, whole]) {
      const again = new World()
      again.restore(copy.snapshot())
      assert.equal(again.hash(), copy.hash())
      assert.equal(again.joints.length, copy.joints.length)
      again.free()
      copy.free()
    }
    batch.free()
  })
})

// --- failures and refusals ------------------------------------------------------------------------

describe('what is refused', () => {
  test('a world that fails says so and does not stop the others', () => {
    const robot = cartPole()
    const batch = new WorldBatch(robot.world, learning(robot, 3))
    batch.actions[0] = NaN
    batch.actions[14] = 1e300
    assert.equal(batch.step(DT), 2)
    assert.deepEqual([...batch.results].map(Boolean), [true, false, true])
    const [first, last] = batch.failures
    assert.deepEqual(
      [first.world, first.code, first.message],
      [0, 'invalid-argument', 'world 0: actions[0] must be finite, got NaN'],
    )
    assert.deepEqual([last.world, last.code], [2, 'not-finite'])
    assert.equal(batch.hash(0), robot.world.hash())
    batch.actions.fill(0)
    assert.equal(batch.step(DT), 0)
    assert.equal(batch.failures.length, 0)
    batch.starts[0] = Infinity
    assert.equal(batch.reset(), 1)
    assert.equal(batch.failures[0].message, 'world 0: starts[0] must be finite, got Infinity')
    batch.free()
  })

  test('a template of no kind is refused by name', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const template of [undefined, { count: 4 }, 'scene', proxy]) {
      const message = /WorldBatch: template must be a World, or the bytes of a snapshot, got/
      const make = () => new WorldBatch(/** @type {any} */ (template), { count: 1 })
      assert.throws(make, { code: 'invalid-argument', message })
    }
  })

  test('bad definitions are refused by name', () => {
    const { world, cart, rail, hinge } = cartPole()
    const other = cartPole()
    /** @type {[any, RegExp][]} */
    const bad = [
      [undefined, /WorldBatch: options must be an object/],
      [{ count: 0 }, /WorldBatch: count must be a whole number from 1 to 1048576, got 0/],
      [{ count: 1, action: [] }, /WorldBatch: unknown option 'action'; did you mean 'actions'\?/],
      [{ count: 1, actions: 3 }, /WorldBatch: actions must be an array, got 3/],
      [{ count: 1, actions: [{ type: 'time' }] }, /actions\[0\]\.type must be one of/],
      [
        { count: 1, actions: [{ type: 'effort', joint: cart }] },
        /actions\[0\]\.joint must be a joint/,
      ],
      [{ count: 1, actions: [{ type: 'force', body: rail }] }, /actions\[0\]\.body must be a body/],
      [{ count: 1, starts: [{ type: 'position', body: 77 }] }, /starts\[0\]\.body must be a body/],
      [
        { count: 1, observations: [{ type: 'position', body: other.cart }] },
        /observations\[0\]\.body: body \d+ is of another world/,
      ],
      [
        { count: 1, observations: [{ type: 'rate', joint: hinge, coordinate: 1 }] },
        /observations\[0\]\.coordinate must be the number of a coordinate that the joint has, got 1/,
      ],
      [
        { count: 1, actions: [{ type: 'force', body: cart, frame: 'moon' }] },
        /actions\[0\]\.frame must be one of 'world', 'body', got 'moon'/,
      ],
    ]
    for (const [options, message] of bad) {
      assert.throws(() => new WorldBatch(world, options), { name: 'MoreauError', message })
    }
    world.contactFilter = () => true
    assert.throws(() => new WorldBatch(world, { count: 1 }), { code: 'not-supported' })
    assert.throws(() => new WorldBatch(new Uint8Array(9), { count: 1 }), { code: 'bad-snapshot' })
  })

  test('bad calls are refused, and a batch that was freed is stale', () => {
    const { world } = cartPole()
    const batch = new WorldBatch(world, { count: 2 })
    assert.throws(() => batch.step(-1), { code: 'invalid-argument', message: /^step: dt must be/ })
    assert.throws(() => batch.step(DT, 0.5), { message: /^step: steps must be a whole number/ })
    assert.throws(() => batch.reset([true]), { message: /^reset: mask must be an array of 2/ })
    assert.throws(() => batch.hash(2), {
      message: /^hash: world must be a whole number from 0 to 1/,
    })
    assert.throws(() => batch.world(-1), {
      message: /^world: index must be a whole number from 0 to 1, got -1/,
    })
    batch.free()
    batch.free()
    assert.throws(() => batch.world(0), { code: 'stale-handle' })
    assert.throws(() => batch.step(DT), { code: 'stale-handle' })
    assert.throws(() => batch.actions, { code: 'stale-handle' })
  })
})

// --- memory ---------------------------------------------------------------------------------------

describe('memory', () => {
  test('100,000 worlds that come and go leave it flat', () => {
    const shape = createShape({ type: 'sphere', radius: 0.5 })
    const held = bytes()
    let wasm = 0
    for (let i = 0; i < 100_000; i++) {
      const world = new World()
      if (i % 10 === 0) {
        world.createBody({ shape })
        world.step(DT)
      }
      if (i === 1000) wasm = world.memory().wasmBytes
      if (i === 99_999) assert.equal(world.memory().wasmBytes, wasm)
      world.free()
    }
    assert.equal(bytes(), held)
    shape.free()
  })

  test('steps of a batch take none', () => {
    const robot = cartPole()
    const batch = new WorldBatch(robot.world, learning(robot, 16))
    batch.actions.fill(0.1)
    for (let i = 0; i < 120; i++) batch.step(DT)
    const { allocations } = robot.world.memory()
    for (let i = 0; i < 30; i++) batch.step(DT)
    assert.equal(robot.world.memory().allocations, allocations)
    batch.free()
  })
})

// --- threads --------------------------------------------------------------------------------------

test('moreau/threads spreads the worlds and comes to the same bits', async () => {
  const run = (/** @type {{ World: typeof World, WorldBatch: typeof WorldBatch }} */ moreau) => {
    const robot = cartPole(moreau)
    const batch = new moreau.WorldBatch(robot.world, learning(robot, 24))
    for (let i = 0; i < 60; i++) {
      for (let k = 0; k < batch.count; k++) batch.actions[7 * k] = 0.3 * k - (i % 11)
      assert.equal(batch.step(DT), 0)
    }
    const hashes = Array.from({ length: batch.count }, (_, k) => batch.hash(k))
    batch.free()
    return hashes
  }
  const threads = /** @type {Threads} */ (
    await import(`${import.meta.resolve('moreau/threads')}?batch`)
  )
  await threads.init({ threads: 3 })
  assert.deepEqual(run(threads), run({ World, WorldBatch }))
})
