/**
 * Worlds as JSON: a world that is read from its file is the world that was written, and steps as it does.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Bounds, ConvexHull, createShape, init, World } from 'moreau'
import { scenes } from 'moreau/scenarios'
import { randomScene } from './random-scene.mjs'
import { fileOf, idleFunctions } from './scene-files.mjs'

/** @typedef {import('moreau').WorldOptions} WorldOptions */

const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
const floor = /** @type {const} */ ({ type: 'static', shape: { type: 'plane' } })

before(() => init())

/**
 * @param {World} world
 * @param {number} count
 * @param {number} [dt]
 */
function run(world, count, dt = 1 / 60) {
  for (let i = 0; i < count; i++) world.step(dt)
  return world.hash()
}

/** @param {(world: World) => void} fill @param {WorldOptions} [options] */
function filled(fill, options) {
  const world = new World(options)
  fill(world)
  return world
}

/** A world and the one of its file. @param {World} world @param {object} [options] */
const pair = (world, options) => [world, World.fromJSON(fileOf(world), options)]

describe('A139: a world that was saved before its first step', () => {
  for (const scene of scenes) {
    test(`${scene.name} has the same hash, and after 100 steps`, async () => {
      const world = await World.create(scene.options)
      scene.setup(world)
      const file = fileOf(world)
      // Functions for contacts know bodies of their own world.
      const hasFunctions = file.contactFunctions !== undefined
      const copy = World.fromJSON(file, idleFunctions(file))
      assert.equal(copy.hash(), world.hash())
      assert.deepEqual(fileOf(copy), file)
      if (!hasFunctions) {
        assert.equal(run(copy, 100, scene.timeStep), run(world, 100, scene.timeStep))
      }
      world.free()
      copy.free()
    })
  }

  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
    for (const seed of [11, 12, 13]) {
      test(`random scene ${seed} by ${solver}`, () => {
        const [world, copy] = pair(filled(randomScene(seed).setup, { solver }))
        assert.equal(copy.hash(), world.hash())
        assert.equal(run(copy, 100), run(world, 100))
      })
    }
  }
})

describe('a world that was saved on its way', () => {
  for (const scene of scenes) {
    test(`${scene.name}: the file of its file is the same, and two readings step alike`, async () => {
      const world = await World.create(scene.options)
      const things = scene.setup(world)
      for (let i = 0; i < 60; i++) {
        scene.beforeStep?.(world, things, scene.timeStep)
        world.step(scene.timeStep)
      }
      const file = fileOf(world)
      const [first, second] = [0, 1].map(() => World.fromJSON(file, idleFunctions(file)))
      assert.deepEqual(fileOf(first), file)
      assert.equal(first.hash(), second.hash())
      assert.deepEqual(first.transforms64, world.transforms64)
      assert.deepEqual(first.velocities, world.velocities)
      assert.equal(first.time, world.time)
      assert.equal(first.stepCount, world.stepCount)
      assert.equal(run(first, 20, scene.timeStep), run(second, 20, scene.timeStep))
      for (const one of [world, first, second]) one.free()
    })
  }

  // Without contacts nothing is carried from step to step but what the file has. Where bodies have a
  // centre of mass that is not their origin, it is found anew from the origin: one rounding.
  for (const name of [
    'double-pendulum',
    'heavy-chain',
    'spinning-top',
    'pulley',
    'newtons-cradle',
  ]) {
    test(`${name} goes on as if it had not been saved`, async () => {
      const scene = /** @type {typeof scenes[number]} */ (scenes.find((one) => one.name === name))
      const world = await World.create(scene.options)
      scene.setup(world)
      run(world, 90, scene.timeStep)
      const copy = World.fromJSON(fileOf(world))
      run(world, 30, scene.timeStep)
      run(copy, 30, scene.timeStep)
      const apart = world.transforms64.map((x, i) => Math.abs(x - copy.transforms64[i]))
      assert.ok(Math.max(...apart) <= 1e-12, `${Math.max(...apart)}`)
    })
  }

  test('a pile that sleeps stays asleep where it is, and wakes when it is hit', () => {
    const world = filled((empty) => {
      empty.createBody(floor)
      for (let i = 0; i < 4; i++) empty.createBody({ shape: cube, position: [0, 0.5 + i, 0] })
    })
    run(world, 300)
    assert.equal(world.awakeCount, 0)
    const copy = World.fromJSON(fileOf(world))
    const poses = copy.transforms64.slice()
    assert.equal(copy.awakeCount, 0)
    run(copy, 60)
    assert.deepEqual(copy.transforms64, poses)
    copy.bodies[4].applyImpulse([2000, 0, 0])
    run(copy, 3)
    assert.ok(copy.bodies[3].isAwake)
  })

  test('full turns of a hinge, a gear and a wheel are counted on', () => {
    const world = filled((empty) => {
      const a = empty.createBody({ shape: cube, position: [0, 0, 0] })
      const b = empty.createBody({ shape: cube, position: [3, 0, 0] })
      const hinge = /** @type {const} */ ({ type: 'hinge', axis: [0, 0, 1] })
      const motor = { targetVelocity: 9, maxForce: 1e6 }
      const jointA = empty.createJoint({ ...hinge, bodyB: a, anchor: a.position, motor })
      const jointB = empty.createJoint({ ...hinge, bodyB: b, anchor: b.position })
      empty.createJoint({ type: 'gear', jointA, jointB, ratio: 3 })
    })
    run(world, 180)
    assert.ok(world.joints[0].coordinate > 8 * Math.PI)
    const copy = World.fromJSON(fileOf(world))
    assert.equal(copy.joints[0].coordinate, world.joints[0].coordinate)
    assert.deepEqual(copy.joints[2].violation(), world.joints[2].violation())
    run(copy, 60)
    assert.ok(Math.abs(copy.joints[2].violation()[0]) < 1e-2)
  })

  test('a kinematic body goes on to its target, and stops there', () => {
    const world = filled((empty) => {
      const lift = empty.createBody({ type: 'kinematic', shape: cube })
      lift.moveTo({ position: [0, 1, 0], orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] }, 1)
    })
    run(world, 20)
    const [, copy] = pair(world)
    for (const one of [world, copy]) run(one, 40)
    assert.deepEqual(copy.transforms64, world.transforms64)
    assert.deepEqual(copy.bodies[0].position, [0, 1, 0])
    // In the step after it arrived it stops, and a file that is written between knows.
    const [, arrived] = pair(copy)
    run(arrived, 5)
    assert.deepEqual(arrived.bodies[0].position, [0, 1, 0])
  })
})

describe('what a file has', () => {
  test('everything that setters changed', () => {
    const world = filled((empty) => {
      empty.createBody(floor)
      const body = empty.createBody({ shapes: [cube, { type: 'sphere', radius: 1, density: 50 }] })
      const other = empty.createBody({ shape: cube, position: [4, 3, 0], mass: 3 })
      const joint = empty.createJoint({
        type: 'ball',
        bodyA: body,
        bodyB: other,
        anchor: [2, 1, 0],
      })
      Object.assign(body, { density: 700, friction: 0.1, gravityScale: -2, bullet: true })
      Object.assign(body, { lockRotation: [true, false, true], surfaceVelocity: [1, 0, 0] })
      Object.assign(other, { inertia: [1, 2, 2.5], centerOfMass: [0.1, 0, 0], solver: 'exact' })
      Object.assign(other, { filter: { group: -3 }, sensor: true, restitutionCombine: 'maximum' })
      other.applyForce([1, 2, 3])
      joint.limits = { cone: 0.5, twist: [-1, 0.25] }
      joint.breakForce = 1e5
      joint.collideConnected = true
      empty.gravity = [1, -3, 0]
      empty.restitutionThreshold = 0.125
    })
    const [, copy] = pair(world)
    assert.equal(copy.bodies[1].mass, world.bodies[1].mass)
    assert.deepEqual(copy.bodies[1].inertia, world.bodies[1].inertia)
    assert.deepEqual(copy.joints[0].limits, { cone: 0.5, twist: { lower: -1, upper: 0.25 } })
    for (const one of [world, copy]) run(one, 10)
    // Not the hash, which knows that the body was of another density once.
    assert.deepEqual(copy.transforms64, world.transforms64)
    assert.deepEqual(copy.velocities, world.velocities)
  })

  test('numbers that JSON does not have', () => {
    const world = filled((empty) => {
      empty.createBody({ shape: cube, position: [-0, 2, 0], linearVelocity: [0, -0, 5e-324] })
      empty.createBody({ shape: cube, position: [1 / 3, 0.1 + 0.2, 1.25e300] })
    })
    const { bodies } = /** @type {any} */ (fileOf(world))
    assert.equal(bodies[0].position[0], '-0')
    const copy = World.fromJSON(fileOf(world))
    assert.ok(Object.is(copy.bodies[0].position[0], -0))
    assert.ok(Object.is(copy.bodies[0].linearVelocity[2], 5e-324))
    assert.equal(copy.bodies[1].position[2], 1.25e300)
  })

  test('a hull of 500 bodies once, and they share one shape', () => {
    const points = Array.from({ length: 40 }, (_, i) => [
      Math.sin(i),
      Math.cos(i * i),
      Math.sin(3 * i),
    ])
    const hull = ConvexHull.fromPoints(points)
    const shape = createShape({ type: 'hull', hull })
    hull.free()
    const world = filled((empty) => {
      for (let i = 0; i < 500; i++) empty.createBody({ shape, position: [3 * i, 0, 0] })
      // The same points, given in another way.
      empty.createBody({ shape: { type: 'hull', points }, position: [0, 5, 0] })
    })
    const file = /** @type {any} */ (fileOf(world))
    assert.deepEqual(
      Object.values(file.assets).map(({ type }) => type),
      ['hull'],
    )
    assert.match(Object.keys(file.assets)[0], /^hull-[0-9a-f]{16}$/)
    const copy = World.fromJSON(file)
    assert.equal(new Set(copy.bodies.map((body) => body.shape)).size, 1)
    assert.equal(run(copy, 20), run(world, 20))
    shape.free()
  })

  test('assets by reference: a resolver gives them', () => {
    const mesh = { vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 2, 1] }
    const world = filled((empty) => {
      empty.createBody({ type: 'static', shape: { type: 'mesh', ...mesh } })
      const heights = [0, 1, 2, 3, 4, 5.5]
      const field = /** @type {const} */ ({ type: 'heightfield', heights, rows: 2, columns: 3 })
      empty.createBody({ type: 'static', shape: field })
    })
    const assets = /** @type {any} */ (world.toJSON().assets)
    const file = JSON.parse(JSON.stringify(world.toJSON({ assets: false })))
    assert.equal(file.assets, undefined)
    assert.throws(() => World.fromJSON(file), {
      code: 'invalid-argument',
      message:
        /^bodies\[0\]\.shapes\[0\]\.asset must be the name of an entry of assets, or options\.assets be given, got 'mesh-/,
    })
    /** @type {string[]} */
    const asked = []
    const copy = World.fromJSON(file, {
      assets(id) {
        asked.push(id)
        // As base64, or as the lists themselves.
        return id.startsWith('mesh')
          ? {
              type: 'mesh',
              vertices: new Float64Array(mesh.vertices),
              indices: new Uint32Array(mesh.indices),
            }
          : assets[id]
      },
    })
    assert.deepEqual(asked, Object.keys(assets))
    assert.equal(copy.hash(), world.hash())
  })

  test('custom constraints and potentials by name, whose functions the reader is given', () => {
    const bead = {
      /** @type {import('moreau').ConstraintFunction} */
      evaluate({ position: [x, y, z] }, _, time, out) {
        out[0] = (x * x + y * y - 1) / 2
        out[1] = z
      },
    }
    /** @type {import('moreau').PotentialForce} */
    const pull = (body, time, out) => void (out[0] = -3 * body.worldCenterOfMass[0])
    const world = filled((empty) => {
      const body = empty.createBody({ shape: cube, position: [1, 0, 0], mass: 1 })
      const bounds = [Bounds.box(-Infinity, 50), Bounds.bilateral()]
      empty.createConstraint({
        type: 'custom',
        typeName: 'bead',
        bodies: [body],
        dimension: 2,
        bounds,
        ...bead,
      })
      empty.createPotential({ type: 'custom', typeName: 'pull', force: pull })
    })
    const file = fileOf(world)
    const options = { constraints: { bead }, potentials: { pull: { force: pull } } }
    assert.throws(() => World.fromJSON(file, { constraints: { pearl: bead } }), {
      message:
        "constraints[0].typeName must be a name in options.constraints ('pearl'), which has its functions, got 'bead'",
    })
    assert.throws(() => World.fromJSON(file, { constraints: { bead } }), {
      message:
        "potentials[0].typeName must be a name in options.potentials (empty), which has its functions, got 'pull'",
    })
    const copy = World.fromJSON(file, options)
    assert.equal(run(copy, 50), run(world, 50))
  })

  test('functions for contacts by name: without them it is an error', () => {
    const world = filled((empty) => (empty.contactFilter = () => false))
    assert.throws(() => World.fromJSON(fileOf(world)), {
      message: 'contactFunctions: the scene needs options.contactFilter, a function; it is missing',
    })
    const contactFilter = () => true
    assert.equal(World.fromJSON(fileOf(world), { contactFilter }).contactFilter, contactFilter)
  })

  test('user data that is a word or a number, and by a function what else there is', () => {
    const mesh = { isMesh: true, name: 'crate', self: {} }
    mesh.self = mesh
    const world = filled((empty) => {
      empty.createBody({ shape: cube, userData: 'crate' })
      empty.createBody({ shape: cube, position: [2, 0, 0], userData: mesh })
    })
    const [crate, other] = World.fromJSON(fileOf(world)).bodies
    assert.equal(crate.userData, 'crate')
    assert.equal(other.userData, undefined)
    const file = world.toJSON({
      userData: (value) => (value === mesh ? { mesh: mesh.name } : value),
    })
    assert.deepEqual(World.fromJSON(file).bodies[1].userData, { mesh: 'crate' })
  })

  test('the order in which joints and others were made', () => {
    const world = filled((empty) => {
      const [a, b] = [0, 2].map((x) => empty.createBody({ shape: cube, position: [x, 0, 0] }))
      empty.createConstraint({ type: 'distance', bodies: [a, b] })
      empty.createJoint({ type: 'rope', bodyA: a, bodyB: b, length: 3 })
      empty.createConstraint({ type: 'unitQuaternion', bodies: a })
      empty.createJoint({ type: 'spring', bodyA: a, bodyB: b, hertz: 2, damping: 0.1 })
    })
    const file = /** @type {any} */ (fileOf(world))
    assert.deepEqual(
      file.constraints.map((/** @type {any} */ one) => one.after),
      [0, 1],
    )
    const [, copy] = pair(world)
    assert.equal(copy.hash(), world.hash())
    assert.equal(run(copy, 30), run(world, 30))
  })

  test('bodies that are left: destroyed ones leave no gap', () => {
    const world = filled((empty) => {
      const bodies = [0, 2, 4].map((x) => empty.createBody({ shape: cube, position: [x, 0, 0] }))
      empty.createPotential({ type: 'spring', bodyA: bodies[1], bodyB: bodies[2], stiffness: 9 })
      empty.createPotential({ type: 'gravity', gravity: [1, 0, 0], bodies })
      empty.createJoint({ type: 'ball', bodyA: bodies[0], bodyB: bodies[2], anchor: [2, 0, 0] })
      bodies[1].destroy()
      empty.createBody({ shape: cube, position: [8, 0, 0] })
    })
    const file = /** @type {any} */ (fileOf(world))
    assert.deepEqual(file.joints[0].bodyB, 1)
    assert.deepEqual(
      file.potentials.map((/** @type {any} */ one) => one.bodies),
      [[0, 1]],
    )
    const copy = World.fromJSON(file)
    assert.deepEqual(
      copy.bodies.map((body) => body.position[0]),
      [0, 4, 8],
    )
    assert.deepEqual(fileOf(copy), file)
  })

  test('the version, and who wrote it', () => {
    const file = new World().toJSON()
    assert.equal(file.version, 1)
    assert.match(String(file.generator), /^moreau \d+\.\d+\.\d+/)
  })
})
