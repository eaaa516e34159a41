import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'

const dt = 1 / 60
const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
const half = Math.SQRT1_2

before(() => init())

/** @param {Partial<import('moreau').BodyDefinition>} [definition] */
function floating(definition) {
  const world = new World({ gravity: [0, 0, 0] })
  return { world, body: world.createBody({ shape: cube, mass: 6, ...definition }) }
}

/**
 * @param {readonly number[]} actual
 * @param {readonly number[]} expected
 * @param {number} tolerance
 */
function nearAll(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length)
  actual.forEach((x, i) => {
    assert.ok(Math.abs(x - expected[i]) <= tolerance, `${actual}, expected ${expected}`)
  })
}

/** A stand-in for three.js' classes: accessors on a prototype. */
class Accessors {
  /** @type {number[]} */
  #numbers
  /** @param {number[]} numbers */
  constructor(...numbers) {
    this.#numbers = numbers
  }
  get x() {
    return this.#numbers[0]
  }
  set x(value) {
    this.#numbers[0] = value
  }
  get y() {
    return this.#numbers[1]
  }
  set y(value) {
    this.#numbers[1] = value
  }
  get z() {
    return this.#numbers[2]
  }
  set z(value) {
    this.#numbers[2] = value
  }
  get w() {
    return this.#numbers[3]
  }
  set w(value) {
    this.#numbers[3] = value
  }
}

describe('definition', () => {
  test('defaults', () => {
    const world = new World()
    const body = world.createBody({ shape: cube })
    assert.equal(body.type, 'dynamic')
    assert.deepEqual(body.position, [0, 0, 0])
    assert.deepEqual(body.orientation, [0, 0, 0, 1])
    assert.deepEqual(body.linearVelocity, [0, 0, 0])
    assert.deepEqual(body.angularVelocity, [0, 0, 0])
    assert.ok(Math.abs(body.mass - 1000) < 1e-9)
    nearAll(body.inertia, [1000 / 6, 0, 0, 0, 1000 / 6, 0, 0, 0, 1000 / 6], 1e-9)
    nearAll(body.centerOfMass, [0, 0, 0], 1e-15)
    assert.equal(body.friction, 0.5)
    assert.equal(body.restitution, 0)
    assert.equal(body.linearDamping, 0)
    assert.equal(body.angularDamping, 0)
    assert.equal(body.gravityScale, 1)
    assert.deepEqual(body.filter, { category: 1, mask: 0xffffffff, group: 0 })
    assert.equal(body.sensor, false)
    assert.equal(body.bullet, false)
    assert.equal(body.allowSleep, true)
    assert.deepEqual(body.lockTranslation, [false, false, false])
    assert.deepEqual(body.lockRotation, [false, false, false])
    assert.equal(body.userData, undefined)
    assert.equal(body.isAwake, true)
    assert.equal(body.isAlive, true)
    assert.equal(body.world, world)
    assert.equal(body.index, 0)
  })

  test('every name is read', () => {
    const definition = {
      type: /** @type {const} */ ('dynamic'),
      position: [1, 2, 3],
      orientation: [half, 0, 0, half],
      linearVelocity: [4, 5, 6],
      angularVelocity: [7, 8, 9],
      mass: 3,
      inertia: [2, 3, 4],
      centerOfMass: [0.1, 0.2, 0.3],
      friction: 0.7,
      restitution: 0.4,
      linearDamping: 0.01,
      angularDamping: 0.02,
      gravityScale: -2,
      filter: { category: 6, mask: 0xfffffffe, group: -3 },
      bullet: true,
      allowSleep: false,
      userData: { name: 'thing' },
    }
    const { body } = floating({
      ...definition,
      sensor: false,
      lockTranslation: false,
      lockRotation: [false, false, false],
    })
    for (const [name, value] of Object.entries(definition)) {
      if (name === 'inertia' || name === 'orientation') continue
      assert.deepEqual(Reflect.get(body, name), value, name)
    }
    nearAll(body.orientation, definition.orientation, 1e-15)
    assert.deepEqual(body.inertia, [2, 0, 0, 0, 3, 0, 0, 0, 4])
    assert.equal(body.userData, definition.userData)
  })

  test('vectors may be arrays, typed arrays or objects', () => {
    const vectors = [
      [1, 2, 3],
      new Float64Array([1, 2, 3]),
      new Float32Array([1, 2, 3]),
      { x: 1, y: 2, z: 3 },
      new Accessors(1, 2, 3),
    ]
    for (const position of vectors) {
      assert.deepEqual(floating({ position }).body.position, [1, 2, 3])
    }
    const turns = [
      [0, 0, 0, 2],
      new Float32Array([0, 0, 0, 1]),
      { x: 0, y: 0, z: 0, w: 5 },
      new Accessors(0, 0, 0, 1),
    ]
    for (const orientation of turns) {
      assert.deepEqual(floating({ orientation }).body.orientation, [0, 0, 0, 1])
    }
  })

  test('inertia by rows is given back by rows', () => {
    const inertia = [3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5]
    assert.deepEqual(floating({ inertia }).body.inertia, inertia)
    const { body } = floating()
    body.inertia = inertia
    assert.deepEqual(body.inertia, inertia)
  })

  test('mass comes from density, of the body or of each shape', () => {
    const { body: light } = floating({ mass: undefined, density: 2 })
    assert.ok(Math.abs(light.mass - 2) < 1e-12)
    const shapes = [
      { ...cube, density: 1, position: [-1, 0, 0] },
      { ...cube, density: 3, position: [1, 0, 0] },
    ]
    const { body: pair } = floating({ shape: undefined, mass: undefined, shapes })
    assert.ok(Math.abs(pair.mass - 4) < 1e-12)
    nearAll(pair.centerOfMass, [0.5, 0, 0], 1e-12)
    const { body: scaled } = floating({ shape: undefined, mass: 8, shapes })
    assert.ok(Math.abs(scaled.mass - 8) < 1e-12)
    nearAll(scaled.centerOfMass, [0.5, 0, 0], 1e-12)
  })

  test('a body may have no shape if it has a mass', () => {
    const { body } = floating({ shape: undefined, mass: 2, inertia: [1, 1, 1] })
    assert.equal(body.mass, 2)
    assert.equal(body.shape, undefined)
    assert.deepEqual(body.shapes, [])
  })

  test('many shapes', () => {
    const shapes = Array.from({ length: 100 }, (_, i) => ({ ...ball, position: [2 * i, 0, 0] }))
    const { body } = floating({ shape: undefined, mass: 100, shapes })
    assert.equal(body.shapes.length, 100)
    nearAll(body.centerOfMass, [99, 0, 0], 1e-9)
  })
})

describe('shapes', () => {
  test('a definition that is used again is built once', () => {
    const world = new World()
    const definition = { type: /** @type {const} */ ('box'), halfExtents: [1, 2, 3] }
    const first = world.createBody({ shape: definition })
    const second = world.createBody({ shape: definition })
    assert.equal(first.shape, second.shape)
    definition.halfExtents[0] = 5
    const third = world.createBody({ shape: definition })
    assert.notEqual(third.shape, first.shape, 'its values were changed')
    assert.deepEqual(third.shape?.halfExtents, [5, 2, 3])
  })

  test('a Shape may be shared by bodies and worlds, and freed while they use it', () => {
    const shape = createShape({ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] })
    const worlds = [new World(), new World()]
    const bodies = worlds.map((world) => world.createBody({ shape, mass: 1 }))
    assert.equal(bodies[0].shape, shape)
    shape.free()
    shape.free()
    for (const world of worlds) world.step(dt)
    assert.throws(() => worlds[0].createBody({ shape }), { code: 'stale-handle' })
    for (const world of worlds) world.free()
  })

  test('a Shape tells what it is', () => {
    const sphere = createShape({ type: 'sphere', radius: 2, friction: 0.1, position: [1, 0, 0] })
    assert.equal(sphere.type, 'sphere')
    assert.equal(sphere.radius, 2)
    assert.equal(sphere.friction, 0.1)
    assert.equal(sphere.restitution, undefined)
    assert.equal(sphere.density, undefined)
    assert.deepEqual(sphere.position, [1, 0, 0])
    assert.deepEqual(sphere.orientation, [0, 0, 0, 1])
    const plane = createShape({ type: 'plane', normal: [0, 0, 2], offset: 1 })
    assert.deepEqual(plane.normal, [0, 0, 2])
    assert.equal(plane.offset, 1)
    const hull = createShape({ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] })
    assert.equal(hull.hull?.vertices.length, 4)
    assert.equal(hull.radius, undefined)
    assert.equal(hull.halfExtents, undefined)
  })

  test('friction and restitution of a shape come before those of the body', () => {
    const world = new World()
    world.createBody({ type: 'static', shape: { type: 'plane', restitution: 1 }, restitution: 0 })
    const bouncing = { shape: { ...ball, restitution: 1 }, position: [0, 1, 0] }
    const body = world.createBody({ ...bouncing, linearVelocity: [0, -5, 0] })
    for (let i = 0; i < 20; i++) world.step(dt)
    assert.ok(body.linearVelocity[1] > 0)
  })
})

describe('state', () => {
  test('setters are seen by getters, by the bulk arrays and by the next step', () => {
    const { world, body } = floating()
    body.position = [1, 2, 3]
    body.orientation = { x: 0, y: 0, z: 3, w: 3 }
    body.linearVelocity = new Float32Array([60, 0, 0])
    body.angularVelocity = [0, 0, 2]
    assert.deepEqual(body.position, [1, 2, 3])
    nearAll(body.orientation, [0, 0, half, half], 1e-15)
    assert.deepEqual([...world.transforms64.subarray(0, 4)], [1, 2, 3, 0])
    assert.deepEqual([...world.velocities], [60, 0, 0, 0, 0, 0, 2, 0])
    assert.equal(body.speed, 60)
    assert.equal(body.angularSpeed, 2)
    world.step(dt)
    nearAll(body.position, [2, 2, 3], 1e-12)
    assert.equal(body.type, 'dynamic')
  })

  test('numbers can be set', () => {
    const { body } = floating()
    const values = {
      mass: 12,
      friction: 0.9,
      restitution: 1,
      linearDamping: 0.5,
      angularDamping: 0.25,
      gravityScale: 0,
      centerOfMass: [0, 0.1, 0],
      userData: 7,
    }
    Object.assign(body, values)
    for (const [name, value] of Object.entries(values)) {
      assert.deepEqual(Reflect.get(body, name), value, name)
    }
    assert.ok(Math.abs(body.inertia[0] - 2) < 1e-12, 'the inertia went with the mass')
  })

  test('the type can be changed', () => {
    const { world, body } = floating({ linearVelocity: [1, 0, 0] })
    body.type = 'static'
    assert.equal(body.type, 'static')
    assert.deepEqual(body.linearVelocity, [0, 0, 0])
    assert.equal(body.mass, 0)
    body.type = 'kinematic'
    body.linearVelocity = [0, 6, 0]
    body.applyForce([1000, 0, 0])
    world.step(0.5)
    assert.deepEqual(body.position, [0, 3, 0])
    body.type = 'dynamic'
    assert.equal(body.mass, 6)
  })

  test('values that this version always has can be set to themselves', () => {
    const { body } = floating()
    const values = {
      sensor: false,
      lockTranslation: [false, false, false],
      lockRotation: false,
    }
    Object.assign(body, values)
    body.wake()
    assert.equal(body.isAwake, true)
  })

  test('the centre of mass moves with the body', () => {
    const { body } = floating({ centerOfMass: [1, 0, 0], orientation: [0, 0, half, half] })
    body.position = [0, 0, 5]
    nearAll(body.worldCenterOfMass, [0, 1, 5], 1e-12)
  })

  test('energy and angular momentum of a spinning cube', () => {
    const { body } = floating({ angularVelocity: [0, 3, 0], linearVelocity: [2, 0, 0] })
    assert.ok(Math.abs(body.kineticEnergy - (0.5 * 6 * 4 + 0.5 * 1 * 9)) < 1e-12)
    nearAll(body.angularMomentum, [0, 3, 0], 1e-12)
  })

  test('accelerations of the last step', () => {
    const { world, body } = floating()
    body.applyForce([12, 0, 0])
    body.applyTorque([0, 0, 5])
    world.step(dt)
    nearAll(body.linearAcceleration, [2, 0, 0], 1e-9)
    nearAll(body.angularAcceleration, [0, 0, 5], 1e-9)
  })

  test('isAtRest compares both speeds', () => {
    const { body } = floating({ linearVelocity: [0.02, 0, 0] })
    assert.equal(body.isAtRest(), false)
    assert.equal(body.isAtRest(0.03), true)
    body.linearVelocity = [0, 0, 0]
    assert.equal(body.isAtRest(), true)
    body.angularVelocity = [0, 0.02, 0]
    assert.equal(body.isAtRest(), false)
    assert.equal(body.isAtRest(0, 0.1), true)
  })
})

describe('read twins', () => {
  const vectors = /** @type {const} */ ([
    ['position', 'readPosition'],
    ['linearVelocity', 'readLinearVelocity'],
    ['angularVelocity', 'readAngularVelocity'],
    ['worldCenterOfMass', 'readWorldCenterOfMass'],
    ['centerOfMass', 'readCenterOfMass'],
    ['linearAcceleration', 'readLinearAcceleration'],
    ['angularAcceleration', 'readAngularAcceleration'],
    ['angularMomentum', 'readAngularMomentum'],
  ])

  test('write what the getters give, to whatever is given, and return it', () => {
    const { world, body } = floating({
      position: [1, 2, 3],
      orientation: [0.5, 0.5, 0.5, 0.5],
      linearVelocity: [4, 5, 6],
      angularVelocity: [1, 2, 4],
      centerOfMass: [0.1, 0.2, 0.3],
    })
    body.applyForce([1, 2, 3], [3, 2, 1])
    world.step(dt)
    for (const [getter, reader] of vectors) {
      const [x, y, z] = body[getter]
      const array = [9, 9, 9]
      assert.equal(body[reader](array), array, reader)
      assert.deepEqual(array, [x, y, z])
      const typed = new Float64Array(3)
      assert.equal(body[reader](typed), typed)
      assert.deepEqual([...typed], [x, y, z])
      assert.deepEqual(body[reader]({ x: 0, y: 0, z: 0 }), { x, y, z })
      const object = body[reader](new Accessors())
      assert.deepEqual([object.x, object.y, object.z], [x, y, z])
    }
    const [x, y, z, w] = body.orientation
    assert.deepEqual(body.readOrientation([]), [x, y, z, w])
    assert.deepEqual([...body.readOrientation(new Float64Array(4))], [x, y, z, w])
    assert.deepEqual(body.readOrientation({ x: 0, y: 0, z: 0, w: 0 }), { x, y, z, w })
    assert.equal(body.readOrientation(new Accessors()).w, w)
    assert.deepEqual([...body.readInertia(new Float64Array(9))], body.inertia)
    assert.deepEqual(body.readInertia([]), body.inertia)
  })

  test('refuse what they cannot write to', () => {
    const { body } = floating()
    const bad = /** @type {any[]} */ ([undefined, null, 3, 'x', new Float64Array(2)])
    for (const out of bad) {
      for (const [, reader] of vectors) {
        const message = new RegExp(`^${reader}: out must be`)
        assert.throws(() => body[reader](out), { code: 'invalid-argument', message })
      }
      assert.throws(() => body.readOrientation(out), { code: 'invalid-argument' })
      assert.throws(() => body.readInertia(out), { code: 'invalid-argument' })
    }
  })
})

describe('forces and impulses', () => {
  test('a force lasts for one step', () => {
    const { world, body } = floating()
    body.applyForce([6, 0, 0])
    body.applyForce({ x: 6, y: 0, z: 0 })
    world.step(1)
    assert.deepEqual(body.linearVelocity, [2, 0, 0])
    world.step(1)
    assert.deepEqual(body.linearVelocity, [2, 0, 0])
  })

  test('a force at a point turns the body', () => {
    const { world, body } = floating()
    body.applyForce([0, 6, 0], [0.5, 0, 0])
    world.step(0.1)
    nearAll(body.linearVelocity, [0, 0.1, 0], 1e-12)
    nearAll(body.angularVelocity, [0, 0, 0.3], 1e-9)
  })

  test('clearForces drops what was added', () => {
    const { world, body } = floating()
    body.applyForce([6, 0, 0])
    body.applyTorque([1, 1, 1])
    body.clearForces()
    world.step(1)
    assert.deepEqual(body.linearVelocity, [0, 0, 0])
    assert.deepEqual(body.angularVelocity, [0, 0, 0])
  })

  test('impulses act at once', () => {
    const { body } = floating()
    body.applyImpulse([6, 0, 0])
    nearAll(body.linearVelocity, [1, 0, 0], 1e-15)
    body.applyAngularImpulse([0, 2, 0])
    nearAll(body.angularVelocity, [0, 2, 0], 1e-12)
    body.applyImpulse([0, 3, 0], [1, 0, 0])
    nearAll(body.linearVelocity, [1, 0.5, 0], 1e-15)
    nearAll(body.angularVelocity, [0, 2, 3], 1e-12)
  })
})

describe('contacts', () => {
  test('are seen from the body', () => {
    const world = new World()
    const floor = world.createBody({ type: 'static', shape: { type: 'plane' } })
    const lower = world.createBody({ shape: cube, position: [0, 0.5, 0], mass: 1 })
    const upper = world.createBody({ shape: cube, position: [0, 1.5, 0], mass: 1 })
    for (let i = 0; i < 60; i++) world.step(dt)
    assert.deepEqual(
      lower.contacts().map(({ other }) => other),
      [floor, upper],
    )
    const [onFloor, onUpper] = lower.contacts()
    assert.equal(onFloor.points.length, 4)
    const sum = (/** @type {typeof onFloor} */ contact) =>
      contact.points.reduce((total, point) => total + point.normalImpulse, 0) / dt
    assert.ok(Math.abs(sum(onFloor) - 2 * 9.81) < 1e-3)
    assert.ok(Math.abs(sum(onUpper) - 9.81) < 1e-3)
    nearAll(onFloor.points[0].normal, [0, -1, 0], 1e-3)
    nearAll(onUpper.points[0].normal, [0, 1, 0], 1e-3)
    const [seenFromFloor] = floor.contacts()
    assert.equal(seenFromFloor.other, lower)
    nearAll(seenFromFloor.points[0].normal, [0, 1, 0], 1e-3)
    assert.equal(upper.contacts().length, 1)
  })

  test('friction on the other body points where this one drags it', () => {
    const world = new World()
    const floor = world.createBody({ type: 'static', shape: { type: 'plane' } })
    const definition = { shape: cube, position: [0, 0.5, 0], mass: 1 }
    const body = world.createBody({ ...definition, linearVelocity: [3, 0, 0] })
    for (let i = 0; i < 5; i++) world.step(dt)
    const along = (/** @type {import('moreau').BodyContact} */ { points }) =>
      points.reduce((total, point) => total + point.tangentImpulse[0], 0)
    assert.ok(along(body.contacts()[0]) > 0, 'drags the floor along')
    assert.ok(along(floor.contacts()[0]) < 0, 'is braked by the floor')
  })

  test('a body in the air has none', () => {
    const { world, body } = floating()
    world.step(dt)
    assert.deepEqual(body.contacts(), [])
  })
})

describe('destroyed bodies', () => {
  test('throw stale-handle, name themselves, and leave the world usable', () => {
    const { world, body } = floating()
    body.destroy()
    const uses = [
      () => body.position,
      () => body.orientation,
      () => body.linearVelocity,
      () => body.angularVelocity,
      () => body.speed,
      () => body.angularSpeed,
      () => body.mass,
      () => body.inertia,
      () => body.type,
      () => body.friction,
      () => body.kineticEnergy,
      () => body.worldCenterOfMass,
      () => body.isAtRest(),
      () => body.isAwake,
      () => body.filter,
      () => body.contacts(),
      () => body.readPosition([]),
      () => body.readInertia([]),
      () => body.applyForce([1, 0, 0]),
      () => body.applyTorque([1, 0, 0]),
      () => body.applyImpulse([1, 0, 0]),
      () => body.applyAngularImpulse([1, 0, 0]),
      () => body.clearForces(),
      () => body.wake(),
      () => body.sleep(),
      () => body.destroy(),
      () => {
        body.position = [0, 0, 0]
      },
      () => {
        body.mass = 1
      },
      () => {
        body.type = 'static'
      },
      () => {
        body.sensor = false
      },
    ]
    const hash = world.hash()
    for (const use of uses) {
      assert.throws(use, { code: 'stale-handle', message: new RegExp(String(body.id)) })
    }
    assert.equal(world.hash(), hash)
    assert.equal(body.isAlive, false)
    assert.equal(body.index, 0)
    world.createBody({ shape: ball })
    world.step(dt)
  })

  test('are not mistaken for the next body in their slot', () => {
    const { world, body } = floating()
    body.destroy()
    const next = world.createBody({ shape: ball, position: [1, 2, 3] })
    assert.equal(next.index, body.index)
    assert.notEqual(next.id, body.id)
    assert.throws(() => body.position, { code: 'stale-handle' })
    assert.throws(() => body.applyImpulse([1, 0, 0]), { code: 'stale-handle' })
    assert.throws(() => body.destroy(), { code: 'stale-handle' })
    assert.deepEqual(next.position, [1, 2, 3])
    assert.equal(next.isAlive, true)
  })
})

test('density is that of the shapes, and sets the mass', async () => {
  const world = await World.create()
  const body = world.createBody({
    shape: { type: 'box', halfExtents: [0.5, 0.5, 1] },
    density: 500,
  })
  assert.equal(body.density, 500)
  assert.equal(body.mass, 1000)
  body.density = 10
  assert.equal(body.mass, 20)
  assert.ok(Math.abs(body.inertia[8] - 20 / 6) < 1e-12)
  const point = world.createBody({ mass: 1 })
  assert.equal(point.density, 0)
  assert.throws(() => (point.density = 3), { code: 'invalid-argument', message: /density/ })
  assert.throws(() => (body.density = 0), { code: 'invalid-argument', message: /density.*got 0/ })
  assert.equal(body.mass, 20)
  world.free()
})

test('id and index cannot be changed', async () => {
  const world = await World.create()
  const a = world.createBody({ mass: 1 })
  const b = world.createBody({ mass: 1 })
  assert.throws(() => Object.assign(a, { id: b.id }), TypeError)
  assert.throws(() => Object.assign(a, { index: b.index }), TypeError)
  a.destroy()
  assert.ok(b.isAlive)
  world.free()
})

describe('isEnabled', () => {
  /** A cube that lies on the floor, and what its world tells. */
  function lying() {
    const world = new World()
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const body = world.createBody({ shape: cube, position: [0, 0.5, 0] })
    /** @type {string[]} */
    const told = []
    world.on('contact', ({ type }) => told.push(type))
    world.on('sleep', () => told.push('sleep'))
    for (let i = 0; i < 10; i++) world.step(dt)
    return { world, body, told }
  }

  test('out of the world it touches nothing and stays; back in it, it goes on', () => {
    const { world, body, told } = lying()
    body.linearVelocity = [1, 0, 0]
    const place = body.position
    body.isEnabled = false
    for (let i = 0; i < 100; i++) world.step(dt)
    assert.deepEqual(body.position, place)
    assert.deepEqual(body.linearVelocity, [1, 0, 0])
    assert.equal(body.isAwake, false)
    assert.equal(world.stats.contacts, 0)
    assert.equal(world.rayCast([0, 5, 0], [0, -1, 0])?.body === body, false)
    assert.deepEqual(told, ['begin', 'end'])
    body.wake()
    assert.equal(body.isAwake, false)
    body.isEnabled = true
    for (let i = 0; i < 10; i++) world.step(dt)
    assert.deepEqual(told, ['begin', 'end', 'begin'])
    assert.ok(body.position[0] > place[0] && Math.abs(body.position[1] - 0.5) < 0.01)
  })

  test('is kept by definitions, scenes, snapshots and recordings', () => {
    const { world, body } = lying()
    assert.equal(world.createBody({ shape: cube, isEnabled: false }).isEnabled, false)
    const bytes = world.snapshot()
    const recording = world.record()
    body.isEnabled = false
    world.step(dt)
    assert.equal(World.replay(recording.stop()).world.hash(), world.hash())
    const copy = World.fromJSON(world.toJSON())
    assert.deepEqual(
      copy.bodies.map(({ isEnabled }) => isEnabled),
      [true, false, false],
    )
    world.restore(bytes)
    assert.equal(body.isEnabled, true)
  })

  test('holds for a body whose type is set, and its snapshot can be restored', () => {
    const { world, body } = lying()
    body.isEnabled = false
    for (const type of /** @type {const} */ (['dynamic', 'kinematic', 'static', 'dynamic'])) {
      body.type = type
      assert.equal(body.isAwake, false, type)
      const hash = world.hash()
      world.restore(world.snapshot())
      assert.equal(world.hash(), hash, type)
    }
    const place = body.position
    for (let i = 0; i < 10; i++) world.step(dt)
    assert.deepEqual(body.position, place)
  })

  test('says what it takes', () => {
    const { world, body } = lying()
    const loose = /** @type {any} */ (body)
    assert.throws(() => (loose.isEnabled = 1), /isEnabled must be true or false, got 1/)
    assert.throws(() => (loose.enabled = true), /did you mean 'isEnabled'\?/)
    const wrong = /** @type {any} */ ({ isEnabled: 'no' })
    assert.throws(() => world.createBody(wrong), /createBody: isEnabled must be true or false/)
  })
})

test('bounds', () => {
  const { world, body } = floating({ position: [1, 2, 3] })
  assert.deepEqual(body.bounds, { min: [0.5, 1.5, 2.5], max: [1.5, 2.5, 3.5] })
  const eighth = Math.sin(Math.PI / 8)
  body.orientation = [0, 0, eighth, Math.sqrt(1 - eighth * eighth)]
  nearAll(body.bounds.max, [1 + half, 2 + half, 3.5], 1e-12)
  const plane = world.createBody({ type: 'static', shape: { type: 'plane' } })
  assert.deepEqual(plane.bounds.max, [Infinity, 0, Infinity])
  const empty = world.createBody({ mass: 1, inertia: [1, 1, 1], position: [1, 1, 1] })
  assert.deepEqual(empty.bounds, { min: [1, 1, 1], max: [1, 1, 1] })
})
