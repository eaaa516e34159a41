import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { ConvexHull, createShape, init, World } from 'moreau'
import { refused } from './support.mjs'

const dt = 1 / 60
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

before(() => init())

/**
 * @param {() => unknown} call
 * @param {RegExp} message
 */
function refuses(call, message) {
  refused(call, 'invalid-argument', message)
}

/** One object of each class. */
function objects() {
  const world = new World()
  const body = world.createBody({ shape: cube, position: [0, 1, 0] })
  const ground = world.createBody({ type: 'static', shape: { type: 'plane' } })
  const joint = world.createJoint({ type: 'ball', bodyA: null, bodyB: body, anchor: [0, 2, 0] })
  const constraint = world.createConstraint({ type: 'unitQuaternion', bodies: [body] })
  const potential = world.createPotential({ type: 'drag', linear: 1 })
  const character = world.createCharacter({ shape: cube })
  const vehicle = world.createVehicle({ chassis: body, wheels: [{ position: [0, 0, 0] }] })
  const ragdoll = world.createRagdoll({ bones: [{ name: 'hip', shape: cube }] })
  const shape = createShape(cube)
  const hull = ConvexHull.fromPoints([
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ])
  const all = {
    world,
    body,
    joint,
    constraint,
    potential,
    character,
    vehicle,
    ragdoll,
    shape,
    hull,
  }
  return { ...all, ground }
}

/** @param {unknown} object @returns {any} with which misspelt code compiles, as it does in JavaScript */
const loose = (object) => object

describe('misspelt properties', () => {
  test('cannot be set, and the nearest one is named', () => {
    const { world, body, joint } = objects()
    refuses(
      () => (loose(body).postion = [0, 1, 0]),
      /Body has no property 'postion'; did you mean 'position'\?/,
    )
    refuses(
      () => (loose(world).gravty = [0, 0, 0]),
      /World has no property 'gravty'; did you mean 'gravity'\?/,
    )
    refuses(
      () => (loose(joint).limts = [0, 1]),
      /Joint has no property 'limts'; did you mean 'limits'\?/,
    )
    refuses(() => (loose(body).health = 3), /Body has no property 'health'; .*userData/)
    assert.deepEqual(body.position, [0, 1, 0])
  })

  test('cannot be read where a letter or two are wrong, and the right one is named', () => {
    const { world, body, joint } = objects()
    /** @type {[object, string, string][]} */
    const mistakes = [
      [body, 'positon', 'position'],
      [body, 'postion', 'position'],
      [body, 'Position', 'position'],
      [body, 'linearVelocty', 'linearVelocity'],
      [body, 'lineerVelocty', 'linearVelocity'],
      [body, 'userdata', 'userData'],
      [world, 'gravty', 'gravity'],
      [world, 'stepp', 'step'],
      [joint, 'limts', 'limits'],
    ]
    for (const [object, name, right] of mistakes) {
      for (let i = 0; i < 2; i++) {
        refuses(
          () => loose(object)[name],
          new RegExp(`no property '${name}'; did you mean '${right}'`),
        )
      }
    }
  })

  test('that libraries ask for are undefined', () => {
    const names = [
      ...[
        'then',
        'catch',
        'nodeType',
        'tagName',
        'asymmetricMatch',
        '$$typeof',
        '@@__IMMUTABLE_ITERABLE__@@',
      ],
      ...['inspect', '__v_isRef', '_isMockFunction', 'isMesh', 'isVector3', 'ref', 'key', 'props'],
      ...[
        'children',
        'parent',
        'sampler',
        'hasAttribute',
        'calledOnce',
        'x',
        'y',
        'z',
        '0',
        'default',
        'prototype',
      ],
    ]
    for (const object of Object.values(objects())) {
      for (const name of names)
        if (!(name in object)) assert.equal(loose(object)[name], undefined, name)
    }
    class Level extends World {}
    assert.equal(loose(new Level()).gravty, undefined, 'a class of the user may get it yet')
  })

  test('of every class: nothing can be added to an object', () => {
    for (const [name, object] of Object.entries(objects())) {
      assert.equal(Object.isExtensible(object), false, name)
      refuses(() => (loose(object).zzz = 1), /has no property 'zzz'/)
      assert.equal(loose(object).zzz, undefined, `reading is no mistake: ${name}`)
    }
  })

  test('a class that the user derives may have properties of its own', () => {
    class Level extends World {
      score = 1
      constructor() {
        super()
        this.lives = 3
      }
    }
    const level = new Level()
    loose(level).extra = 2
    assert.deepEqual([level.score, level.lives, loose(level).extra], [1, 3, 2])
  })

  test('objects are still what promises and tools take them for', async () => {
    const { body } = objects()
    assert.equal(await Promise.resolve(body), body, 'no then()')
    assert.equal(typeof body.toString, 'function')
    assert.ok(body instanceof Object)
    assert.equal('postion' in body, false)
  })
})

describe('names of other engines', () => {
  const cases = /** @type {const} */ ([
    ['rotation', 'orientation'],
    ['quaternion', 'orientation'],
    ['translation', 'position'],
    ['linvel', 'linearVelocity'],
    ['setLinvel', 'linearVelocity'],
    ['addForce', 'applyForce'],
    ['applyTorqueImpulse', 'applyAngularImpulse'],
    ['isSleeping', 'isAwake'],
    ['wakeUp', 'wake'],
  ])
  for (const [theirs, ours] of cases) {
    test(`${theirs} of a body is ${ours}`, () => {
      const { body } = objects()
      const says = new RegExp(`Body has no property '${theirs}'; did you mean '${ours}'`)
      refuses(() => loose(body)[theirs], says)
      refuses(() => (loose(body)[theirs] = 1), says)
    })
  }

  test('of what a world is asked for', () => {
    const { world } = objects()
    refuses(() => loose(world).createRigidBody({}), /did you mean 'createBody'/)
    refuses(() => loose(world).castRay(), /did you mean 'rayCast'/)
    refuses(() => loose(world).takeSnapshot(), /did you mean 'snapshot'/)
  })

  test('of types and options', () => {
    const { world } = objects()
    const make = (/** @type {object} */ definition) => () => world.createBody(loose(definition))
    refuses(make({ shape: { type: 'ball', radius: 1 } }), /got 'ball'; did you mean 'sphere'/)
    refuses(make({ shape: { type: 'cuboid' } }), /got 'cuboid'; did you mean 'box'/)
    refuses(make({ shape: { type: 'trimesh' } }), /got 'trimesh'; did you mean 'mesh'/)
    refuses(make({ type: 'fixed', shape: cube }), /got 'fixed'; did you mean 'static'/)
    refuses(
      make({ shape: cube, quaternion: [0, 0, 0, 1] }),
      /'quaternion'; did you mean 'orientation'/,
    )
    refuses(make({ shape: cube, linvel: [0, 0, 0] }), /'linvel'; did you mean 'linearVelocity'/)
    const whole = /'size'; did you mean 'halfExtents', half of the size\?/
    refuses(make({ shape: { type: 'box', size: [1, 1, 1] } }), whole)
    for (const [theirs, ours] of [
      ['revolute', 'hinge'],
      ['spherical', 'ball'],
      ['prismatic', 'slider'],
    ]) {
      const says = new RegExp(`got '${theirs}'; did you mean '${ours}'`)
      refuses(() => world.createJoint(loose({ type: theirs })), says)
    }
    refuses(() => world.on(loose('collision'), () => {}), /got 'collision'; did you mean 'contact'/)
  })
})

describe('what getters give', () => {
  test('is frozen: writing to a copy would change nothing', () => {
    const { world, body, joint } = objects()
    const all = [
      ...[body.position, body.orientation, body.linearVelocity, body.angularVelocity],
      ...[body.worldCenterOfMass, body.centerOfMass, body.inertia, body.surfaceVelocity],
      ...[body.linearAcceleration, body.angularMomentum, body.filter, body.lockRotation],
      ...[world.gravity, world.bodies, joint.anchorA],
    ]
    for (const value of all) assert.ok(Object.isFrozen(value), inspect(value))
    assert.throws(() => (loose(body.position)[0] = 5), TypeError)
    joint.limits = { cone: 1 }
    assert.throws(() => (loose(joint.limits).cone = 2), TypeError)
  })

  test('is a plain array, of which docs/api.md tells what the host says where it is written to', () => {
    const { world, body } = objects()
    assert.deepStrictEqual(body.position, [0, 1, 0])
    assert.equal(JSON.stringify(world.gravity), '[0,-9.81,0]')
    assert.equal(Object.getPrototypeOf(body.linearVelocity), Array.prototype)
    const docs = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
    for (const write of [
      () => (loose(body.linearVelocity)[1] = 3),
      () => (loose(world.gravity).y = -5),
    ]) {
      assert.throws(write, (error) => {
        assert.ok(error instanceof TypeError && docs.includes(`TypeError: ${error.message}`))
        return true
      })
    }
  })

  test('can be given back', () => {
    const { body } = objects()
    body.position = body.position.map((x) => x + 1)
    assert.deepEqual(body.position, [1, 2, 1])
  })
})

describe('what is printed', () => {
  test('in Node says what it is', () => {
    const { world, body, joint, shape, vehicle, ragdoll } = objects()
    assert.match(inspect(body), /^Body \{[^]*id: 1[^]*type: 'dynamic'[^]*position: \[ 0, 1, 0 \]/)
    assert.match(inspect(world), /^World \{[^]*bodies: 3[^]*solver: 'auto'/)
    assert.match(inspect(joint), /^Joint \{ id: 1, type: 'ball', bodies: \[ 1 \] \}$/)
    assert.match(inspect(shape), /^Shape \{ type: 'box', halfExtents: \[ 0.5, 0.5, 0.5 \] \}$/)
    assert.match(inspect(vehicle), /^Vehicle \{ chassis: 1, wheels: 1/)
    assert.match(inspect(ragdoll), /^Ragdoll \{ bones: \[ 'hip' \] \}$/)
    assert.match(inspect({ deep: { deeper: { body } } }), /\[Body\]/)
    assert.match(`${body}`, /^Body \{"id":1,"type":"dynamic"/)
  })

  test('of what is gone, too', () => {
    const { world, body, joint } = objects()
    body.destroy()
    assert.equal(inspect(body), 'Body { id: 1, isAlive: false }')
    assert.match(inspect(joint), /isAlive: false/)
    world.free()
    assert.equal(inspect(world), 'World { isFreed: true }')
  })

  test('JSON of a body has what logs want', () => {
    const { world } = objects()
    const body = world.createBody({ shape: cube, position: [1, 2, 3], userData: { name: 'box' } })
    const json = JSON.parse(JSON.stringify(body))
    assert.deepEqual(json.position, [1, 2, 3])
    assert.deepEqual(json.shapes, ['box'])
    assert.deepEqual(json.userData, { name: 'box' })
  })
})

describe('points of a body', () => {
  const half = Math.SQRT1_2
  /** Turned by a quarter about z, at (1, 2, 3). */
  const turned = () => {
    const world = new World({ gravity: [0, 0, 0] })
    const pose = { position: [1, 2, 3], orientation: [0, 0, half, half] }
    return world.createBody({ shape: cube, ...pose })
  }
  /**
   * @param {ArrayLike<number>} actual
   * @param {readonly number[]} expected
   */
  const near = (actual, expected) =>
    expected.forEach((x, i) => assert.ok(Math.abs(actual[i] - x) < 1e-15, `${actual[i]}, not ${x}`))

  test('go to the world and back', () => {
    const body = turned()
    near(body.worldPoint([1, 0, 0]), [1, 3, 3])
    near(body.localPoint([1, 3, 3]), [1, 0, 0])
    near(body.worldVector([1, 0, 0]), [0, 1, 0])
    near(body.localVector({ x: 0, y: 1, z: 0 }), [1, 0, 0])
    near(body.localPoint(body.worldPoint([0.1, -0.2, 0.3])), [0.1, -0.2, 0.3])
  })

  test('move with v + omega x r about the centre of mass', () => {
    const body = turned()
    body.centerOfMass = [0, 0, 0]
    body.linearVelocity = [1, 0, 0]
    body.angularVelocity = [0, 0, 2]
    near(body.velocityAtPoint([1, 3, 3]), [-1, 0, 0])
    near(body.velocityAtPoint([1, 2, 3]), [1, 0, 0])
  })

  test('are written to what is given', () => {
    const body = turned()
    const out = { x: 0, y: 0, z: 0 }
    assert.equal(body.worldPoint([1, 0, 0], out), out)
    near([out.x, out.y, out.z], [1, 3, 3])
    refuses(() => body.worldPoint(loose('here')), /worldPoint: point must be three finite numbers/)
    refuses(() => body.localVector([1, 0, 0], loose(3)), /localVector: out must be/)
    body.destroy()
    assert.throws(() => body.worldPoint([0, 0, 0]), { code: 'stale-handle' })
  })

  test('a body is a pose', () => {
    const { world, body, ground } = objects()
    const hits = world.overlap(cube, body).map((hit) => hit.body)
    assert.ok(hits.includes(body))
    const other = world.createBody({ shape: cube })
    other.teleport(body)
    assert.deepEqual(other.position, body.position)
    assert.ok(ground.isAlive)
  })
})

describe('joint frames', () => {
  test('can be read, in the frames of the bodies', () => {
    const world = new World()
    const body = world.createBody({ shape: cube, position: [0, 1, 0] })
    const common = { bodyA: null, bodyB: body, anchor: [0, 2, 0] }
    const hinge = world.createJoint({ type: 'hinge', ...common, axis: [0, 0, 3] })
    assert.deepEqual(hinge.anchorA, [0, 2, 0])
    assert.deepEqual(hinge.anchorB, [0, 1, 0])
    for (const axis of [hinge.axisA, hinge.axisB]) {
      assert.ok(Math.abs((axis?.[2] ?? 0) - 1) < 1e-15, String(axis))
    }
    const weld = world.createJoint({ type: 'fixed', ...common })
    assert.equal(weld.axisA, null)
    assert.deepEqual(weld.anchorB, [0, 1, 0])
  })
})

describe('listeners', () => {
  test('once is called once, off ends both', () => {
    const world = new World()
    const body = world.createBody({ shape: cube, position: [0, 0.55, 0] })
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const heard = { once: 0, on: 0, off: 0, body: 0 }
    const count = (/** @type {keyof typeof heard} */ name) => () => void heard[name]++
    const off = count('off')
    world.once('contact', count('once'))
    world.on('contact', count('on'))
    world.on('contact', off)
    body.once('contact', count('body'))
    world.once('contact', off)
    assert.equal(world.off('contact', off), true)
    assert.equal(world.off('contact', off), false)
    for (let i = 0; i < 60; i++) world.step(dt)
    body.position = [0, 3, 0]
    for (let i = 0; i < 120; i++) world.step(dt)
    assert.deepEqual([heard.once, heard.body, heard.off], [1, 1, 0])
    assert.ok(heard.on >= 3, `begin, end, begin: ${heard.on}`)
    refuses(
      () => world.off(loose('contct'), off),
      /off: name must be one of .* did you mean 'contact'/,
    )
    refuses(() => world.once('contact', loose(3)), /once: listener must be a function/)
  })
})

describe('interpolate', () => {
  test('gives the poses between the last two steps', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.createBody({ shape: cube, linearVelocity: [6, 0, 0] })
    body.angularVelocity = [0, 0, 1]
    const out = new Float32Array(world.transforms.length)
    world.advance(1.5 * dt, { interpolate: true })
    assert.equal(world.interpolate(out), out)
    assert.ok(Math.abs(out[8 * body.index] - 0.05) < 1e-6, 'half of the first step')
    const [z, w] = [out[8 * body.index + 6], out[8 * body.index + 7]]
    assert.ok(Math.abs(z * z + w * w - 1) < 1e-6, 'unit')
    assert.ok(Math.abs(2 * Math.atan2(z, w) - dt / 2) < 1e-6)
    refuses(
      () => world.interpolate(new Float32Array(1)),
      /interpolate: out must be a Float32Array of/,
    )
  })
})

describe('advice', () => {
  /** @param {(world: World) => void} act @param {object} [options] */
  function toldBy(act, options) {
    /** @type {import('moreau').Advice[]} */
    const told = []
    const world = new World({ warnings: (advice) => void told.push(advice), ...options })
    act(world)
    world.free()
    return told.map(({ code }) => code)
  }
  const slider = /** @type {const} */ ({ type: 'slider', anchor: [0, 0, 0], axis: [1, 0, 0] })
  /** @param {number} [speed] */
  const fall = (speed = 0) => ({
    shape: cube,
    linearVelocity: /** @type {const} */ ([0, speed, 0]),
  })

  test('of a step in milliseconds, once', () => {
    assert.deepEqual(
      toldBy((world) => (world.step(16.7), world.step(16.7))),
      ['long-step'],
    )
  })

  test('of limits in degrees', () => {
    const join = (/** @type {World} */ world, /** @type {number} */ most) => {
      const bodyB = world.createBody({ shape: cube })
      const joint = { type: 'hinge', bodyA: null, bodyB, anchor: [0, 0, 0], axis: [0, 0, 1] }
      return world.createJoint(loose({ ...joint, limits: [0, most] }))
    }
    assert.deepEqual(
      toldBy((world) => join(world, 90)),
      ['degrees'],
    )
    assert.deepEqual(
      toldBy((world) => join(world, Math.PI)),
      [],
    )
    assert.deepEqual(
      toldBy((world) => (join(world, 1).limits = [-45, 45])),
      ['degrees'],
    )
  })

  test('of sizes and speeds in other units', () => {
    const tiny = /** @type {const} */ ({ type: 'sphere', radius: 1e-4 })
    assert.deepEqual(
      toldBy((world) => world.createBody({ shape: tiny })),
      ['far-size'],
    )
    assert.deepEqual(
      toldBy((world) => world.createBody(fall(2000))),
      ['far-speed'],
    )
    assert.deepEqual(
      toldBy((world) => world.createBody(fall())),
      [],
    )
  })

  test('of an inertia that no rigid body has', () => {
    const make = (/** @type {readonly number[]} */ inertia) =>
      toldBy((world) => world.createBody({ mass: 1, inertia: loose(inertia) }))
    for (const sizes of [
      [1, 1, 3],
      [2.1, 1, 1],
    ]) {
      assert.deepEqual(make(sizes), ['inertia'])
    }
    // The first one, turned.
    assert.deepEqual(make([2, 0, 1, 0, 1, 0, 1, 0, 2]), ['inertia'])
    assert.deepEqual(
      toldBy((world) => (world.createBody(fall()).inertia = [3, 1, 1])),
      ['inertia'],
    )
    // A ball, a thin disc, a thin rod, and a plate with three digits.
    for (const sizes of [
      [1, 1, 1],
      [0.5, 0.5, 1],
      [1, 1e-9, 1],
      [0.0833, 0.0833, 0.167],
    ]) {
      assert.deepEqual(make(sizes), [])
    }
  })

  test('of a body that fell out of the scene', () => {
    const act = (/** @type {World} */ world) => {
      world.createBody({ shape: cube, position: [0, -20000, 0] })
      for (let i = 0; i < 130; i++) world.step(dt)
    }
    assert.deepEqual(toldBy(act), ['fell-out'])
    assert.deepEqual(toldBy(act, { gravity: [0, 0, 0] }), [], 'there is no below')
  })

  test('of bodies in a joint that pass through each other', () => {
    const act = (/** @type {number} */ x, collideConnected = false) =>
      toldBy(
        (world) => {
          const bodyA = world.createBody({ shape: cube })
          const bodyB = world.createBody({ shape: cube, position: [x, 0, 0] })
          world.createJoint({ ...slider, bodyA, bodyB, collideConnected })
          bodyB.linearVelocity = [-1, 0, 0]
          for (let i = 0; i < 130; i++) world.step(dt)
        },
        { gravity: [0, 0, 0] },
      )
    assert.deepEqual(act(2), ['pass-through'])
    assert.deepEqual(act(0.9), [], 'they overlapped from the start')
    assert.deepEqual(act(2, true), [])
    assert.deepEqual(act(20), [], 'they are still apart')
  })

  test('of a bulk array that was kept while the memory moved', () => {
    const codes = toldBy((world) => {
      const kept = world.transforms
      const others = []
      while (kept.buffer.byteLength > 0 && others.length < 3000) others.push(new World())
      // It is told at the second look.
      for (let i = 0; i < 260; i++) world.step(dt)
      for (const other of others) other.free()
    })
    assert.deepEqual(codes, ['stale-view'])
  })

  test('of forces and impulses on what does not feel them', () => {
    for (const type of /** @type {const} */ (['static', 'kinematic', 'dynamic'])) {
      for (const push of /** @type {const} */ (['applyForce', 'applyTorque', 'applyImpulse'])) {
        const act = (/** @type {World} */ world) =>
          world.createBody({ type, shape: cube })[push]([1, 0, 0])
        assert.deepEqual(toldBy(act), type === 'dynamic' ? [] : ['no-effect'], `${type} ${push}`)
      }
    }
    const floor = (/** @type {World} */ world) =>
      world.createBody({ type: 'static', shape: cube }).applyAngularImpulse([0, 1, 0])
    assert.deepEqual(toldBy(floor), ['no-effect'])
  })

  test('of joints that hold nothing', () => {
    const types = /** @type {const} */ (['static', 'kinematic', 'dynamic'])
    for (const a of [null, ...types]) {
      for (const b of types) {
        const join = (/** @type {World} */ world) => {
          const bodyA = a && world.createBody({ type: a, shape: cube })
          const bodyB = world.createBody({ type: b, shape: cube, position: [3, 0, 0] })
          world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [1, 0, 0] })
        }
        // A kinematic body may be let go later, as of a doll that an animation moves.
        const isHeld = (a === null || a === 'static') && b === 'static'
        assert.deepEqual(toldBy(join), isHeld ? ['no-effect'] : [], `${a} and ${b}`)
      }
    }
    const gear = (/** @type {World} */ world) => {
      const hinge = { type: /** @type {const} */ ('hinge'), anchor: [0, 0, 0], axis: [0, 0, 1] }
      const [jointA, jointB] = [0, 3].map((x) => {
        const bodyB = world.createBody({ shape: cube, position: [x, 0, 0] })
        return world.createJoint(loose({ ...hinge, bodyA: null, bodyB }))
      })
      world.createJoint({ type: 'gear', jointA, jointB, ratio: 1 })
    }
    assert.deepEqual(toldBy(gear), [])
  })

  test('of a wheel that is steered in degrees', () => {
    const steer = (/** @type {number} */ steering) =>
      toldBy((world) => {
        const chassis = world.createBody({ shape: cube })
        const car = world.createVehicle({ chassis, wheels: [{ position: [0, 0, 0] }] })
        car.wheels[0].steering = steering
        car.update(dt)
      })
    assert.deepEqual(steer(30), ['degrees'])
    assert.deepEqual(steer(0.5), [])
  })

  test('of milliseconds given to advance', () => {
    /** @type {string[]} */
    const told = []
    const world = new World({ warnings: ({ message }) => void told.push(message) })
    world.advance(16.7)
    assert.match(told[0], /^advance\(16\.7\) dropped time: .*Are they milliseconds\?/)
  })

  test('of a slow frame accuses nobody', () => {
    for (const frames of [[0.9], [3.5], [0.016, 30], [0.016, 16.7], [0.1, 0.4]]) {
      /** @type {string[]} */
      const told = []
      const world = new World({ warnings: ({ message }) => void told.push(message) })
      for (const seconds of frames) world.advance(seconds)
      assert.equal(told.length, 1, `${frames}`)
      assert.doesNotMatch(told[0], /milliseconds/)
    }
  })

  test('of scenes in centimetres says what to do', () => {
    const ball = (/** @type {number} */ radius) => ({
      type: /** @type {const} */ ('sphere'),
      radius,
    })
    const made = (/** @type {any} */ shape, /** @type {number} */ gravity, type = 'dynamic') => {
      /** @type {string[]} */
      const told = []
      const warnings = (/** @type {import('moreau').Advice} */ { code, message }) =>
        void told.push(`${code}: ${message}`)
      const world = new World({ gravity: [0, 0, -gravity], warnings })
      world.createBody(loose({ type, shape }))
      world.createBody(loose({ type, shape }))
      return told
    }
    const box = (/** @type {number} */ half) => ({ type: 'box', halfExtents: [half, half, half] })
    const advice = /^centimetres: createBody: .*metres.*times 0\.01/
    for (const gravity of [9.81, 981]) {
      for (const shape of [box(25), box(50), box(100), ball(25), ball(50), ball(100)]) {
        const told = made(shape, gravity)
        assert.equal(told.length, 1, `${JSON.stringify(shape)} ${gravity}: ${told}`)
        assert.match(told[0], advice)
      }
      assert.deepEqual(made(box(100), gravity, 'static'), [], 'the ground may be large')
      assert.deepEqual(made(box(0.5), gravity), [])
      assert.deepEqual(made(box(2), gravity), [])
    }
    assert.deepEqual(made(box(100), 0), [], 'in space')
    assert.deepEqual(made(box(12), 9.81), [], 'a house')
    assert.match(made(box(2000), 9.81)[0], /^far-size: .*times 0\.001/)
  })

  test('of bodies that are far away says what to do', () => {
    const place = (/** @type {number} */ x) => ({ shape: cube, position: [x, 0, 0] })
    for (const x of [1.1e7, 1e20, -1e12]) {
      /** @type {string[]} */
      const told = []
      const world = new World({ warnings: ({ message }) => void told.push(message) })
      world.createBody(loose(place(x)))
      assert.equal(told.length, 1)
      assert.match(told[0], /m from the origin.*put the origin/)
      assert.ok(told[0].length < 200, told[0])
    }
    assert.deepEqual(
      toldBy((world) => world.createBody(loose(place(9e6)))),
      [],
    )
    const moved = (/** @type {World} */ world) => {
      const body = world.createBody(loose(place(0)))
      body.position = [0, 3e8, 0]
      for (let i = 0; i < 130; i++) world.step(dt)
    }
    assert.deepEqual(toldBy(moved), ['far-place'])
  })

  test('of time that advance dropped', () => {
    assert.deepEqual(
      toldBy((world) => world.advance(1, { maxSteps: 2 })),
      ['late'],
    )
  })

  test('goes to the console, once for all worlds, or nowhere', (context) => {
    const warn = context.mock.method(console, 'warn', () => {})
    new World({ warnings: false }).step(1)
    assert.equal(warn.mock.callCount(), 0)
    new World().step(1)
    new World({ warnings: true }).step(1)
    assert.equal(warn.mock.callCount(), 1)
    assert.match(String(warn.mock.calls[0].arguments[0]), /^moreau: step: dt is 1 s\./)
    refuses(
      () => new World({ warnings: loose(3) }),
      /World: warnings must be true, false or a function, got 3/,
    )
  })
})

describe('mistakes of newcomers', () => {
  /** @type {[name: string, call: (world: World) => unknown, message: RegExp][]} */
  const mistakes = [
    [
      'removeBody',
      (world) => loose(world).removeBody(),
      /World has no .*'removeBody'; .*destroy\(\)/,
    ],
    ['removeJoint', (world) => loose(world).removeJoint(), /'removeJoint'; .*its own destroy\(\)/],
    ['timeStep', () => new World(loose({ timeStep: dt })), /option 'timeStep'; .*step\(dt\)/],
    [
      'fixedTimeStep',
      (world) => world.advance(dt, loose({ fixedTimeStep: dt })),
      /option 'fixedTimeStep'; did you mean 'fixedDt'\?/,
    ],
    ['isStatic', (world) => world.createBody(loose({ isStatic: true })), /type: 'static' says so/],
    ['name', (world) => world.createBody(loose({ name: 'crate' })), /option 'name'; .*userData/],
    [
      'a distance as options',
      (world) => world.rayCast([0, 0, 0], [0, 1, 0], loose(9)),
      /options must be an object such as \{ maxDistance: 100 \}, got 9/,
    ],
    [
      'a scene as text',
      (world) => World.fromJSON(loose(JSON.stringify(world))),
      /scene must be an object, as JSON.parse\(text\) gives it, got '\{/,
    ],
    [
      'a body that is joined to itself',
      (world) => {
        const body = world.createBody({ shape: cube })
        world.createJoint({ type: 'ball', bodyA: body, bodyB: body, anchor: [0, 0, 0] })
      },
      /bodyB must be another body than bodyA, got Body \{"id":1,"type":"dynamic"/,
    ],
    [
      'a motor with a speed',
      (world) => {
        const bodyB = world.createBody({ shape: cube })
        const motor = { speed: 1 }
        world.createJoint(loose({ type: 'slider', bodyB, axis: [1, 0, 0], motor }))
      },
      /motor has an unknown option 'speed'; did you mean 'targetVelocity'\?/,
    ],
    [
      'the centre of an explosion',
      (world) => world.explode(loose({ center: [0, 0, 0], radius: 1, impulse: 1 })),
      /'center'; did you mean 'position'\?/,
    ],
    [
      'an array that is too short',
      (world) => {
        world.createBody({ shape: cube })
        world.interpolate(new Float32Array(3))
      },
      /out must be a Float32Array of 8 or more, got 3 numbers/,
    ],
    ['collisionStart', (world) => world.on(loose('collisionStart'), () => {}), /mean 'contact'\?/],
    [
      'a slope in degrees',
      (world) => world.createCharacter({ shape: cube, slopeLimit: 45 }),
      /slopeLimit must be an angle from 0 to pi\/2, in radians, got 45/,
    ],
  ]
  for (const [name, call, message] of mistakes) {
    test(`${name}: the message says how it is done, and the world goes on`, () => {
      const world = new World()
      refuses(() => call(world), message)
      world.step(dt)
      world.free()
    })
  }

  test('two copies of the module, by import and by require: the message says so', async () => {
    const other = createRequire(import.meta.url)('moreau')
    await other.init()
    const [world, theirs] = [new World(), new other.World()]
    const exclude = theirs.createBody({ shape: cube })
    refuses(
      () => world.rayCast([0, 0, 0], [0, 1, 0], { exclude }),
      /exclude must be a body of this world, got a Body of another copy of the module/,
    )
    world.restore(theirs.snapshot())
    assert.equal(world.bodies.length, 1, 'bytes go from one to the other')
  })
})
