/**
 * The adapter for js-physics-benchmarks, used as the scenes of that site use it.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { install, unpack } from '../package/packed.mjs'

/** @typedef {import('moreau').Body} Body */
/** @typedef {import('../../examples/js-physics-benchmarks/moreau-impl.js').PhysicsShape} PhysicsShape */
/** @typedef {import('../../examples/js-physics-benchmarks/moreau-impl.js').RigidBodyOptions} RigidBodyOptions */
/** @typedef {[number, number, number]} Vec3 */
/** @typedef {[number, number, number, number]} Quat */

const unpacked = unpack()
after(() => rmSync(unpacked, { recursive: true, force: true }))
const folder = join(unpacked, 'package/examples/js-physics-benchmarks')
install(folder)
/** @type {typeof import('../../examples/js-physics-benchmarks/moreau-impl.js')} */
const impl = await import(pathToFileURL(join(folder, 'moreau-impl.js')).href)

const [STATIC, DYNAMIC, KINEMATIC] = /** @type {const} */ ([0, 1, 2])
const dt = 1 / 60

/** @type {PhysicsShape} */
const cube = { type: 0, halfExtents: [0.5, 0.5, 0.5] }
/** @type {Quat} */
const unturned = [0, 0, 0, 1]

/** A tetrahedron whose face towards -z is at z = -1. @type {PhysicsShape} */
const mesh = {
  type: 3,
  positions: new Float32Array([-2, -2, -1, 2, -2, -1, 0, 2, -1, 0, 0, 1]),
  indices: new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
}

/** @type {ReturnType<typeof impl.createWorld>} */
let state

before(() => impl.init())
beforeEach(() => (state = impl.createWorld()))
afterEach(() => {
  impl.disposeContactListener(state)
  impl.disposeWorld(state)
})

/**
 * @param {PhysicsShape} shape
 * @param {RigidBodyOptions} options
 */
const add = (shape, options) => impl.createRigidBody(state, options, impl.createShape(state, shape))

/** @param {number} [y] */
const addFloor = (y = -0.5) =>
  add({ type: 0, halfExtents: [50, 0.5, 50] }, { motionType: STATIC, position: [0, y, 0] })

/** @param {Body} body */
function positionOf(body) {
  /** @type {Vec3} */
  const out = [NaN, NaN, NaN]
  impl.getBodyPosition(out, state, body)
  return out
}

/** @param {number} steps */
function run(steps) {
  for (let step = 0; step < steps; step++) impl.stepSimulation(state, dt)
}

test('it has every function of the interface and nothing else', () => {
  const names = ['init', 'createWorld', 'disposeWorld', 'setGravity', 'stepSimulation']
  names.push('createShape', 'destroyShape', 'createRigidBody', 'removeRigidBody')
  names.push('getBodyPosition', 'getBodyQuaternion', 'setBodyPosition', 'setBodyQuaternion')
  names.push('setBodyLinearVelocity', 'getBodyLinearVelocity', 'setBodyTranslationRotation')
  names.push('onContactAdded', 'disposeContactListener', 'raycastClosest')
  assert.deepEqual(Object.keys(impl).sort(), names.sort())
})

describe('bodies', () => {
  test('of every shape fall to the floor and rest there', () => {
    addFloor()
    const hull = [0, 0.8, 0, -0.4, 0, -0.4, 0.4, 0, -0.4, 0.4, 0, 0.4, -0.4, 0, 0.4]
    /** @type {[PhysicsShape, number][]} with the height at which each rests */
    const shapes = [
      [cube, 0.5],
      [{ type: 1, radius: 0.5 }, 0.5],
      [{ type: 2, points: hull }, 0],
    ]
    const bodies = shapes.map(([shape], i) =>
      add(shape, { motionType: DYNAMIC, position: [3 * i, 1.5, 0], mass: 2 }),
    )
    run(180)
    for (const [i, body] of bodies.entries()) {
      const [x, y, z] = positionOf(body)
      assert.ok(Math.abs(y - shapes[i][1]) < 0.005, `shape ${i} rests at ${y}`)
      assert.ok(Math.hypot(x - 3 * i, z) < 0.02, `shape ${i} at ${x}, ${z}`)
      assert.equal(body.mass, 2)
    }
  })

  test('are a tower that stands, of 100 kg each', () => {
    addFloor()
    const tower = Array.from({ length: 10 }, (_, i) =>
      add(cube, { motionType: DYNAMIC, position: [0, 0.5 + i, 0], mass: 100 }),
    )
    run(300)
    assert.ok(Math.abs(positionOf(tower[9])[1] - 9.5) < 0.02)
  })

  test('are put to places, turned, given velocities and removed', () => {
    impl.setGravity(state, 0, 0, 0)
    const body = add(cube, { motionType: DYNAMIC, position: [0, 0, 0], friction: 0.1 })
    const half = Math.SQRT1_2
    impl.setBodyPosition(state, body, [1, 2, 3])
    impl.setBodyQuaternion(state, body, [half, 0, 0, half])
    impl.setBodyLinearVelocity(state, body, [6, 0, 0])
    run(10)
    assert.ok(Math.abs(positionOf(body)[0] - 2) < 1e-9)
    /** @type {Quat} */
    const turn = [0, 0, 0, 0]
    impl.getBodyQuaternion(turn, state, body)
    for (const [i, each] of [half, 0, 0, half].entries()) {
      assert.ok(Math.abs(turn[i] - each) < 1e-12, `quaternion ${turn}`)
    }
    /** @type {Vec3} */
    const velocity = [0, 0, 0]
    impl.getBodyLinearVelocity(velocity, state, body)
    assert.deepEqual(velocity, [6, 0, 0])
    impl.setBodyTranslationRotation(state, body, [7, 8, 9], unturned)
    assert.deepEqual(positionOf(body), [7, 8, 9])
    impl.removeRigidBody(state, body)
    assert.equal(state.world.bodies.length, 0)
  })

  test('kinematic ones stay, whatever falls on them', () => {
    const platform = add(cube, { motionType: KINEMATIC, position: [0, 0, 0] })
    add(cube, { motionType: DYNAMIC, position: [0, 1.1, 0] })
    run(60)
    assert.deepEqual(positionOf(platform), [0, 0, 0])
  })

  test('keep their shape when it is destroyed', () => {
    addFloor()
    const shape = impl.createShape(state, cube)
    const options = { motionType: DYNAMIC, position: /** @type {Vec3} */ ([0, 1, 0]) }
    const body = impl.createRigidBody(state, options, shape)
    impl.destroyShape(state, shape)
    run(120)
    assert.ok(Math.abs(positionOf(body)[1] - 0.5) < 0.005)
  })
})

describe('contacts', () => {
  test('come once per touch, with the handles that bodies were created with', () => {
    /** @type {Map<Body, string>} */
    const names = new Map()
    /** @type {string[]} */
    const touches = []
    impl.onContactAdded(state, (a, b) => {
      touches.push([names.get(a), names.get(b)].sort().join())
    })
    names.set(addFloor(), 'floor')
    const falling = add(cube, { motionType: DYNAMIC, position: [0, 2, 0] })
    names.set(falling, 'cube')
    run(20)
    assert.deepEqual(touches, [])
    run(100)
    assert.deepEqual(touches, ['cube,floor'])
    // As the scene of contact listeners does: back to where it came from.
    impl.setBodyTranslationRotation(state, falling, [0, 2, 0], unturned)
    impl.setBodyLinearVelocity(state, falling, [0, 0, 0])
    run(120)
    assert.deepEqual(touches, ['cube,floor', 'cube,floor'])
    impl.disposeContactListener(state)
    impl.setBodyPosition(state, falling, [0, 2, 0])
    run(120)
    assert.equal(touches.length, 2)
  })

  test('of a grid that lands in one step all come, more than there was room for', () => {
    const side = 40
    /** @type {Set<Body>} */
    const landed = new Set()
    const floor = addFloor()
    impl.onContactAdded(state, (a, b) => landed.add(a === floor ? b : a))
    const small = impl.createShape(state, { type: 0, halfExtents: [0.25, 0.25, 0.25] })
    for (let i = 0; i < side * side; i++) {
      const position = /** @type {Vec3} */ ([(i % side) - 20, 0.5, Math.floor(i / side) - 20])
      impl.createRigidBody(state, { motionType: DYNAMIC, position, mass: 1 }, small)
    }
    run(60)
    assert.equal(landed.size, side * side)
  })
})

describe('rays', () => {
  const out = { hit: false, fraction: NaN }

  test('meet a static mesh where it was put last, by part of their length', () => {
    const body = add(mesh, { motionType: STATIC, position: [0, 0, 0] })
    impl.raycastClosest(out, state, [0, 0, -5], [0, 0, 1], 8)
    assert.ok(out.hit && Math.abs(out.fraction - 4 / 8) < 1e-12, `fraction ${out.fraction}`)
    impl.setBodyTranslationRotation(state, body, [0, 0, 1], unturned)
    run(1)
    impl.raycastClosest(out, state, [0, 0, -5], [0, 0, 1], 8)
    assert.ok(out.hit && Math.abs(out.fraction - 5 / 8) < 1e-12, `fraction ${out.fraction}`)
    // Turned about y by half a turn its tip is in front.
    impl.setBodyTranslationRotation(state, body, [0, 0, 0], [0, 1, 0, 0])
    run(1)
    impl.raycastClosest(out, state, [0, 0, -5], [0, 0, 1], 8)
    assert.ok(out.hit && Math.abs(out.fraction - 4 / 8) < 1e-9, `fraction ${out.fraction}`)
  })

  test('that end before it, or pass it, meet nothing', () => {
    add(mesh, { motionType: STATIC, position: [0, 0, 0] })
    for (const [x, reach] of [
      [0, 3.9],
      [9, 100],
    ]) {
      impl.raycastClosest(out, state, [x, 0, -5], [0, 0, 1], reach)
      assert.deepEqual(out, { hit: false, fraction: 0 })
    }
  })
})
