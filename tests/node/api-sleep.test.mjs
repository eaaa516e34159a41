import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World, SLEEP_EVENT_LAYOUT } from 'moreau'
import { g, near } from './support.mjs'

/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {import('moreau').SleepEvents} SleepEvents */

const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

before(() => init())

/**
 * Two cubes on top of each other and one apart, on a floor.
 * @param {WorldOptions} [options]
 */
function scene(options) {
  const world = new World(options)
  const floor = world.createBody({ type: 'static', shape: { type: 'plane' } })
  const lower = world.createBody({ shape: cube, position: [0, 0.5, 0] })
  const upper = world.createBody({ shape: cube, position: [0, 1.5, 0] })
  const apart = world.createBody({ shape: cube, position: [5, 0.5, 0] })
  return { world, floor, lower, upper, apart, all: [lower, upper, apart] }
}

/**
 * @param {World} world
 * @param {number} steps
 */
function run(world, steps) {
  for (let i = 0; i < steps; i++) world.step(1 / 60)
}

describe('sleep', () => {
  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
    test(`${solver}: bodies that lie still fall asleep and stay where they are`, () => {
      const { world, floor, all } = scene({ solver })
      assert.equal(world.awakeCount, 3)
      run(world, 240)
      assert.equal(world.awakeCount, 0)
      for (const body of [floor, ...all]) assert.equal(body.isAwake, false)
      const places = all.map((body) => body.position)
      run(world, 60)
      assert.deepEqual(
        all.map((body) => body.position),
        places,
      )
      for (const body of all) assert.equal(body.speed, 0)
      assert.equal(world.moved.length, 0)
    })
  }

  test('not with allowSleep false, of the world or of a body', () => {
    const { world } = scene({ allowSleep: false })
    run(world, 240)
    assert.equal(world.awakeCount, 3)
    world.allowSleep = true
    run(world, 240)
    assert.equal(world.awakeCount, 0)

    const other = scene()
    other.lower.allowSleep = false
    assert.equal(other.lower.allowSleep, false)
    run(other.world, 240)
    assert.deepEqual(
      other.all.map((body) => body.isAwake),
      [true, true, false],
      'what it touches stays awake too',
    )
  })

  test('takes as long as timeToSleep says', () => {
    const { world, apart } = scene({ timeToSleep: 2 })
    run(world, 110)
    assert.equal(apart.isAwake, true)
    run(world, 120)
    assert.equal(apart.isAwake, false)
  })

  test('what moves faster than the threshold stays awake', () => {
    for (const [sleepThreshold, isAwake] of /** @type {const} */ ([
      [0.02, true],
      // It goes straight on: slow is only what has a tenth of it.
      [0.2, true],
      [2, false],
    ])) {
      const world = new World({ gravity: [0, 0, 0], sleepThreshold })
      const body = world.createBody({ shape: cube, linearVelocity: [0.1, 0, 0] })
      world.createJoint({ type: 'slider', bodyB: body, anchor: [0, 0, 0], axis: [1, 0, 0] })
      run(world, 120)
      assert.equal(body.isAwake, isAwake)
    }
  })

  test('what slides or rolls slowly stays awake, what stops soon does not', () => {
    const angle = (3 * Math.PI) / 180
    const downhill = /** @type {const} */ ([g * Math.sin(angle), 0, -g * Math.cos(angle)])
    const level = /** @type {const} */ ([0, 0, -g])
    const speed = 0.02
    const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
    const rolling = { linearVelocity: [speed, 0, 0], angularVelocity: [0, 2 * speed, 0] }
    const acceleration = (/** @type {number} */ friction) =>
      g * (Math.sin(angle) - friction * Math.cos(angle))
    const cases = [
      { gravity: level, friction: 0, body: { linearVelocity: [speed, 0, 0] }, way: 5 * speed },
      { gravity: level, friction: 0.6, body: { shape: ball, ...rolling }, way: 5 * speed },
      { gravity: downhill, friction: 0.05, body: {}, way: 12.5 * acceleration(0.05) },
      { gravity: downhill, friction: 0.06, body: {}, way: undefined },
      {
        ...{ gravity: level, friction: 0.6, way: undefined },
        body: { shape: ball, ...rolling, angularDamping: 3 },
      },
    ]
    for (const { gravity, friction, body, way } of cases) {
      const world = new World({ gravity })
      const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 0, 1] })
      world.createBody({ type: 'static', shape: floor, friction })
      const definition = /** @type {any} */ ({ shape: cube, position: [0, 0, 0.5], ...body })
      const moving = world.createBody({ friction, ...definition })
      run(world, 300)
      assert.equal(moving.isAwake, way !== undefined)
      if (way !== undefined) near(moving.position[0], way, 0.05 * way, 'way')
    }
  })

  test('what flies or orbits stays awake, however slow it is', () => {
    for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
      const world = new World({ gravity: [0, 0, 0], solver })
      const speed = solver === 'soft-step' ? 0.04 : 4e-5
      const body = world.createBody({ shape: cube, linearVelocity: [speed, 0, 0] })
      const moon = world.createBody({
        shape: { type: 'sphere', radius: 0.1 },
        mass: 1,
        position: [0, 50, 0],
        linearVelocity: [0, 0, speed],
      })
      world.createPotential({
        type: 'pointGravity',
        bodies: [moon],
        center: [0, 49, 0],
        mu: speed ** 2,
      })
      run(world, 600)
      assert.ok(Math.abs(body.position[0] / (10 * speed) - 1) < 1e-9, `${body.position[0]} m`)
      const angle = Math.atan2(moon.position[2], moon.position[1] - 49)
      assert.ok(Math.abs(angle / (10 * speed) - 1) < 1e-3, `${angle} rad`)
    }
  })

  /** @type {[string, (objects: ReturnType<typeof scene>) => void][]} */
  const wakers = [
    ['wake()', ({ lower }) => lower.wake()],
    ['a force', ({ lower }) => lower.applyForce([1, 0, 0])],
    ['a torque', ({ lower }) => lower.applyTorque([1, 0, 0])],
    ['an impulse', ({ upper }) => upper.applyImpulse([1, 0, 0])],
    ['an angular impulse', ({ upper }) => upper.applyAngularImpulse([1, 0, 0])],
    ['a velocity', ({ lower }) => (lower.linearVelocity = [1, 0, 0])],
    ['a new place', ({ upper }) => (upper.position = [0, 3, 0])],
    ['another mass', ({ upper }) => (upper.mass = 3)],
    ['another filter', ({ upper }) => (upper.filter = { mask: 0 })],
    ['allowSleep', ({ upper }) => (upper.allowSleep = false)],
    ['a joint', ({ world, upper }) => world.createJoint({ type: 'fixed', bodyA: upper })],
    ['the loss of what it rests on', ({ lower }) => lower.destroy()],
    ['the loss of the floor', ({ floor }) => floor.destroy()],
  ]
  for (const [name, act] of wakers) {
    test(`${name} wakes the island`, () => {
      const objects = scene()
      const { world, upper, apart } = objects
      run(world, 240)
      assert.equal(upper.isAwake, false)
      act(objects)
      world.step(1 / 60)
      assert.equal(upper.isAwake, true)
      assert.equal(apart.isAwake, name === 'the loss of the floor', 'and nobody else')
    })
  }

  test('a body that falls on sleeping ones wakes them', () => {
    const { world, upper, apart } = scene()
    run(world, 240)
    world.createBody({ shape: cube, position: [0, 4, 0] })
    run(world, 30)
    assert.equal(upper.isAwake, false)
    run(world, 20)
    assert.equal(upper.isAwake, true)
    assert.equal(apart.isAwake, false)
    run(world, 300)
    assert.equal(world.awakeCount, 0)
  })

  test('sleep() puts the island to sleep at once', () => {
    const { world, floor, lower, upper, apart } = scene()
    run(world, 5)
    upper.sleep()
    assert.equal(upper.isAwake, false)
    assert.equal(lower.isAwake, false)
    assert.equal(apart.isAwake, true)
    assert.deepEqual(upper.linearVelocity, [0, 0, 0])
    floor.sleep()
    floor.wake()
    assert.equal(floor.isAwake, false)
  })

  test('an island that slept stays within the slop of where it was', () => {
    const { world, all } = scene()
    run(world, 240)
    const places = all.map((body) => body.position)
    for (const body of all) body.wake()
    run(world, 240)
    for (const [i, body] of all.entries()) {
      for (const [k, value] of body.position.entries()) {
        assert.ok(Math.abs(value - places[i][k]) < 0.005, `${body.position}`)
      }
    }
  })
})

describe('sleep events', () => {
  test('tell who fell asleep and who woke, once', () => {
    const { world, lower, upper, apart } = scene()
    assert.deepEqual(world.sleepEvents, { asleep: [], awake: [] })
    /** @type {SleepEvents[]} */
    const told = []
    const end = world.on('sleep', (events) => told.push(events))
    run(world, 240)
    const asleep = told.flatMap((events) => events.asleep)
    assert.deepEqual(new Set(asleep), new Set([lower, upper, apart]))
    assert.equal(asleep.length, 3)
    assert.ok(told.every((events) => events.awake.length === 0))
    assert.deepEqual(world.sleepEvents, { asleep: [], awake: [] })

    told.length = 0
    upper.wake()
    world.step(1 / 60)
    assert.equal(told.length, 1)
    assert.deepEqual(told[0], { asleep: [], awake: [lower, upper] })
    assert.deepEqual(world.sleepEvents, told[0])
    end()
    run(world, 240)
    assert.equal(told.length, 1)
  })

  test('leave out who was destroyed', () => {
    const { world, lower, upper, apart } = scene()
    run(world, 240)
    upper.wake()
    apart.wake()
    world.step(1 / 60)
    upper.destroy()
    assert.deepEqual(world.sleepEvents.awake, [lower, apart])
    assert.equal(world.readSleepEvents(new Float64Array(6)), 2)
  })

  test('come in turn for each body, whatever it was in between', () => {
    const { world, apart } = scene()
    /** @type {string[]} */
    const told = []
    apart.on('sleep', ({ type }) => told.push(type))
    world.step(1 / 60)
    apart.isEnabled = false
    world.step(1 / 60)
    apart.isEnabled = true
    world.step(1 / 60)
    assert.deepEqual(told, [], 'it neither slept nor woke')
    apart.sleep()
    world.step(1 / 60)
    assert.deepEqual(told, ['asleep'])
    apart.isEnabled = false
    world.step(1 / 60)
    assert.deepEqual(told, ['asleep'], 'what is disabled does not wake')
    apart.isEnabled = true
    world.step(1 / 60)
    assert.equal(apart.isAwake, true)
    assert.deepEqual(told, ['asleep', 'awake'])
    for (const type of /** @type {const} */ (['kinematic', 'static'])) {
      told.length = 0
      apart.type = type
      world.step(1 / 60)
      apart.type = 'dynamic'
      world.step(1 / 60)
      assert.deepEqual(told, [], `it was ${type}, and did not sleep`)
      apart.sleep()
      world.step(1 / 60)
      apart.type = type
      world.step(1 / 60)
      apart.type = 'dynamic'
      world.step(1 / 60)
      assert.deepEqual(told, ['asleep', 'awake'], `it slept, was ${type}, and is awake`)
    }
  })

  test('are read without objects', () => {
    const { world, all } = scene()
    /** @type {[number, number][]} */
    const read = []
    const { stride, isAwake, bodyId } = SLEEP_EVENT_LAYOUT
    const out = new Float64Array(8)
    const take = () => {
      const { asleep, awake } = world.sleepEvents
      const count = world.readSleepEvents(out)
      assert.equal(count, asleep.length + awake.length)
      for (let at = 0; at < count * stride; at += stride) {
        read.push([out[at + bodyId], out[at + isAwake]])
      }
    }
    for (let step = 0; step < 240; step++) {
      world.step(1 / 60)
      take()
    }
    const sorted = (/** @type {number} */ flag) => all.map(({ id }) => [id, flag]).sort()
    assert.deepEqual(read.sort(), sorted(0))
    read.length = 0
    for (const body of all) body.wake()
    world.step(1 / 60)
    take()
    assert.deepEqual(read.sort(), sorted(1))
    // What has no room is counted.
    out.fill(-1)
    assert.equal(world.readSleepEvents(out.subarray(0, 3)), all.length)
    assert.deepEqual([...out.subarray(2)], [-1, -1, -1, -1, -1, -1])
    assert.throws(() => world.readSleepEvents(/** @type {any} */ ([])), {
      code: 'invalid-argument',
      message: /readSleepEvents: out/,
    })
  })

  test('a listener may free the world', () => {
    const { world } = scene()
    world.on('sleep', () => world.free())
    assert.throws(() => run(world, 240), { code: 'stale-handle' })
  })
})

describe('settings of sleep and soft-step', () => {
  test('bad ones are refused by name', () => {
    /** @type {[Record<string, unknown>, string][]} */
    const cases = [
      [{ allowSleep: 1 }, 'World: allowSleep must be true or false, got 1'],
      [{ certify: 'yes' }, "World: certify must be true or false, got 'yes'"],
      [{ substeps: 0 }, 'World: substeps must be a whole number from 1 to 64, got 0'],
      [{ substeps: 65 }, 'World: substeps must be a whole number from 1 to 64, got 65'],
      [{ contactHertz: 0 }, 'World: contactHertz must be a finite number above 0, got 0'],
      [{ contactDamping: -1 }, 'World: contactDamping must be a finite number, 0 or more, got -1'],
      [{ jointHertz: NaN }, 'World: jointHertz must be a finite number above 0, got NaN'],
      [{ jointDamping: -1 }, 'World: jointDamping must be a finite number, 0 or more, got -1'],
      [
        { sleepThreshold: -1 },
        "World: sleepThreshold must be a finite number, 0 or more, or 'auto'",
      ],
      [{ timeToSleep: -1 }, 'World: timeToSleep must be a finite number, 0 or more, got -1'],
      [{ profile: 2 }, 'World: profile must be true or false, got 2'],
    ]
    for (const [options, message] of cases) {
      assert.throws(
        () => new World(options),
        (/** @type {any} */ error) => {
          assert.equal(error.code, 'invalid-argument')
          assert.ok(error.message.startsWith(message), error.message)
          return true
        },
      )
    }
  })

  test('of a body too', () => {
    const { upper } = scene()
    for (const name of ['bullet', 'allowSleep']) {
      assert.throws(() => Reflect.set(upper, name, 1), {
        code: 'invalid-argument',
        message: `${name} must be true or false, got 1`,
      })
    }
    upper.bullet = true
    assert.equal(upper.bullet, true)
  })
})

/** Joints that hang a load from a hook, and how far it falls where the hook goes 1 m along x. @type {[any, number][]} */
const HANGERS = [
  [{ type: 'spring', stiffness: 1000, dampingCoefficient: 50 }, 0],
  [{ type: 'motor' }, 0],
  [{ type: 'universal', anchor: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 0, 1] }, 0],
  [{ type: 'pulley', groundAnchorA: [3, 0, 0], groundAnchorB: [0, 3, 0] }, 1],
]

describe('what is joined to a body that the user moves', () => {
  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
    for (const [joint, fall] of HANGERS) {
      test(`${solver}: a load on a '${joint.type}' wakes with its hook`, () => {
        const world = new World({ solver })
        const hook = world.createBody({ type: 'kinematic' })
        const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.2 })
        const load = world.createBody({ shape: ball, mass: 1, position: [0, -1, 0] })
        Object.assign(load, { linearDamping: 2, angularDamping: 2 })
        world.createJoint({ ...joint, bodyA: hook, bodyB: load })
        run(world, 240)
        assert.equal(load.isAwake, false)
        const [x, y] = load.position
        hook.moveTo({ position: [1, 0, 0] }, 1)
        run(world, 300)
        near(load.position[0], fall > 0 ? x : x + 1, 0.05)
        near(load.position[1], y - fall, 0.05)
      })
    }
  }

  test('limbs of a ragdoll hang from a kinematic root', () => {
    const world = new World()
    const bone = { length: 0.4, radius: 0.05 }
    const { bones, joints } = world.createRagdoll({
      bones: [
        { ...bone, name: 'hip', type: 'kinematic' },
        { ...bone, name: 'thigh', parent: 'hip', orientation: [0, 0, 1, 0], position: [0, 0, 0] },
        { ...bone, name: 'shin', parent: 'thigh' },
      ],
      position: [0, 3, 0],
      defaults: { filter: { group: -1 } },
    })
    run(world, 600)
    assert.equal(bones.shin.isAwake, false)
    bones.hip.moveTo({ position: [1, 3, 0] }, 1)
    run(world, 240)
    for (const { error } of Object.values(joints)) near(error, 0, 0.005)
  })

  test('falls when its hook is disabled, and the joint reads that it holds nothing', () => {
    const world = new World()
    const hook = world.createBody({ type: 'static' })
    const load = world.createBody({ shape: cube, mass: 1, position: [0, -1, 0] })
    const joint = world.createJoint({ type: 'ball', bodyA: hook, bodyB: load, anchor: [0, 0, 0] })
    run(world, 120)
    assert.equal(load.isAwake, false)
    assert.equal(joint.isActive, true)
    near(joint.reaction().force[1], g, 0.1)
    hook.isEnabled = false
    for (const steps of [0, 60]) {
      run(world, steps)
      assert.equal(joint.isActive, false)
      assert.deepEqual(
        [joint.reaction().force, joint.reaction().torque],
        [
          [0, 0, 0],
          [0, 0, 0],
        ],
      )
      for (const number of [...joint.impulse(), ...joint.force()]) assert.equal(number, 0)
    }
    near(load.position[1], -1 - g / 2, 0.1)
  })
})

describe('profile', () => {
  test('is zeros until profiling is on', () => {
    const { world } = scene()
    assert.equal(world.profiling, false)
    run(world, 3)
    assert.ok(Object.values(world.profile()).every((seconds) => seconds === 0))
    world.profiling = true
    run(world, 3)
    const profile = world.profile()
    assert.deepEqual(Object.keys(profile), [
      'step',
      'forces',
      'broadPhase',
      'narrowPhase',
      'islands',
      'prepare',
      'solve',
      'integrate',
      'continuous',
      'sleep',
      'commit',
      'certificate',
    ])
    assert.ok(profile.step > 0 && profile.step < 10)
    for (const seconds of Object.values(profile)) {
      assert.ok(seconds >= 0 && seconds <= profile.step)
    }
    const out = {}
    assert.equal(world.readProfile(out), out)
    assert.deepEqual(out, profile)
    world.profiling = false
    run(world, 3)
    assert.deepEqual(world.profile(), profile)
  })

  test('may be on from the start, and changes no bit', () => {
    const timed = scene({ profile: true })
    const untimed = scene()
    assert.equal(timed.world.profiling, true)
    run(timed.world, 30)
    run(untimed.world, 30)
    assert.ok(timed.world.profile().step > 0)
    assert.equal(timed.world.hash(), untimed.world.hash())
  })
})
