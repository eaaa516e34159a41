import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as colliders from 'moreau/react'
import { CoefficientCombineRule, interactionGroups, RigidBody } from 'moreau/react'
import { useFilterContactPair, useRapier } from 'moreau/react'
import {
  box,
  context,
  floor,
  h,
  listenToWarnings,
  physics,
  ref,
  weightless,
  near,
  Stage,
} from './react-fixture.mjs'

const { BallCollider, CuboidCollider, MeshCollider, TrimeshCollider } = colliders

const warnings = listenToWarnings()

describe('colliders of moreau/react', () => {
  /** @type {[string, any[], object][]} */
  const kinds = [
    ['BallCollider', [0.5], { type: 'sphere', radius: 1 }],
    ['CuboidCollider', [1, 2, 3], { type: 'box', halfExtents: [2, 4, 6] }],
    ['RoundCuboidCollider', [1, 2, 3, 0.1], { type: 'box', halfExtents: [2, 4, 6], radius: 0.2 }],
    ['CapsuleCollider', [1, 0.5], { type: 'capsule', halfHeight: 2, radius: 1 }],
    ['CylinderCollider', [1, 0.5], { type: 'cylinder', halfHeight: 2, radius: 1 }],
    ['RoundCylinderCollider', [1, 0.5, 0.1], { type: 'cylinder', radius: 1, rounding: 0.2 }],
    ['ConeCollider', [1, 0.5], { type: 'cone', halfHeight: 2, radius: 1 }],
    ['RoundConeCollider', [1, 0.5, 0.1], { type: 'cone', halfHeight: 2, rounding: 0.2 }],
  ]
  for (const [name, args, expected] of kinds) {
    test(`${name} has the sizes of its args, in a group of twice the size`, async () => {
      const collider = ref()
      const node = h(/** @type {any} */ (colliders)[name], { ref: collider, args })
      const scene = h('group', { scale: 2 }, h(RigidBody, { colliders: false }, node))
      const stage = await Stage.mount(physics(weightless, scene))
      const { raw } = collider.current
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(raw[key], value, key)
      near([context.world.raw.bodies[0].mass], [raw.volume], 1e-9)
      await stage.unmount()
    })
  }

  test('of a mesh are placed and sized as it is', async () => {
    const body = ref()
    const mesh = h('mesh', { position: [1, 0, 0], scale: [1, 2, 3] }, h('boxGeometry'))
    for (const [kind, type, volume] of /** @type {const} */ ([
      ['cuboid', 'box', 6],
      ['hull', 'hull', 6],
      ['ball', 'sphere', (4 / 3) * Math.PI * Math.sqrt(0.75) ** 3],
    ])) {
      const scene = h(RigidBody, { ref: body, colliders: kind, position: [0, 5, 0] }, mesh)
      const stage = await Stage.mount(physics(weightless, scene))
      const [shape] = body.current.raw.shapes
      assert.equal(shape.type, type)
      near(body.current.worldCom(), [1, 5, 0], 1e-6)
      near([body.current.mass()], [volume], 1e-5)
      await stage.unmount()
    }
  })

  test('have mass by density, mass or mass properties, and none if they say 0', async () => {
    const body = ref()
    const inertia = { x: 1, y: 2, z: 3 }
    const massProperties = {
      ...{ mass: 4, centerOfMass: { x: 1, y: 0, z: 0 }, principalAngularInertia: inertia },
      angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
    }
    const masses = async (/** @type {any[]} */ ...props) => {
      const nodes = props.map((one, key) =>
        h(CuboidCollider, { key, args: [0.5, 0.5, 0.5], ...one }),
      )
      const stage = await Stage.mount(
        physics(weightless, h(RigidBody, { ref: body, colliders: false }, nodes)),
      )
      const { raw } = body.current
      const result = { mass: raw.mass, com: raw.centerOfMass, inertia: raw.inertia, type: raw.type }
      await stage.unmount()
      return result
    }
    near([(await masses({ density: 3 })).mass], [3])
    near([(await masses({ mass: 7 })).mass], [7])
    near([(await masses({ mass: 7, contactSkin: 0.2 })).mass], [7])
    near([(await masses({ contactSkin: 0.2 })).mass], [1])
    assert.equal((await masses({ density: 0 })).type, 'kinematic')
    const one = await masses({ massProperties })
    near([one.mass, ...one.com], [4, 1, 0, 0])
    near([one.inertia[0], one.inertia[4], one.inertia[8]], [1, 2, 3])
    // Two cubes of 1 kg at -1 and 1, one of which says 3 kg: by the theorem of Huygens and Steiner.
    const two = await masses(
      { position: [-1, 0, 0] },
      {
        position: [1, 0, 0],
        massProperties: { ...massProperties, mass: 3, centerOfMass: [0, 0, 0] },
      },
    )
    near([two.mass, ...two.com], [4, 0.5, 0, 0])
    near([two.inertia[4]], [1 / 6 + 1 * 1.5 ** 2 + 2 + 3 * 0.5 ** 2])
    await assert.rejects(masses({ density: 1, mass: 2 }), (/** @type {any} */ error) =>
      [error, ...(error.errors ?? [])].some(({ message }) =>
        /only one of density, mass/.test(message),
      ),
    )
  })

  test('a trimesh is one where nothing moves it, and its hull where forces do', async () => {
    const body = ref()
    const torus = h('mesh', null, h('torusGeometry'))
    const tree = (/** @type {string} */ type) =>
      physics(weightless, h(RigidBody, { ref: body, type, colliders: 'trimesh' }, torus))
    warnings.length = 0
    const stage = await Stage.mount(tree('fixed'))
    const types = () => [body.current.raw.type, body.current.raw.shapes[0].type]
    assert.deepEqual(types(), ['static', 'mesh'])
    await stage.render(tree('dynamic'))
    assert.deepEqual(types(), ['dynamic', 'hull'])
    await stage.render(tree('kinematicPosition'))
    assert.deepEqual(types(), ['kinematic', 'mesh'])
    await stage.render(tree('dynamic'))
    assert.equal(warnings.filter((text) => text.includes('dynamic trimesh')).length, 1)
    await stage.unmount()
  })

  test('within MeshCollider have its type, others that of the body', async () => {
    const body = ref()
    const scene = h(
      RigidBody,
      { ref: body, colliders: 'cuboid' },
      h(MeshCollider, { type: 'ball' }, h('mesh', { position: [3, 0, 0] }, h('sphereGeometry'))),
      box,
    )
    const stage = await Stage.mount(physics(weightless, scene), { strict: true })
    const shapes = body.current.raw.shapes.map((/** @type {any} */ shape) => shape.type)
    assert.deepEqual(shapes.sort(), ['box', 'sphere'])
    await stage.unmount()
  })

  test('take over what their body says, and what changes', async () => {
    const [body, collider] = [ref(), ref()]
    const tree = (/** @type {any} */ ofBody, /** @type {any} */ own) =>
      physics(
        weightless,
        h(
          RigidBody,
          { ref: body, colliders: false, ...ofBody },
          h(BallCollider, { ref: collider, args: [1], ...own }),
        ),
      )
    const stage = await Stage.mount(tree({ friction: 0.2, restitution: 0.3 }, {}))
    const kept = body.current
    assert.equal(collider.current.raw.friction, 0.2)
    await stage.render(tree({ friction: 0.2, restitution: 0.4 }, { friction: 0.7, sensor: true }))
    const { raw } = collider.current
    assert.deepEqual([raw.friction, raw.restitution, raw.sensor], [0.7, 0.4, true])
    collider.current.setFriction(0.9)
    collider.current.setFrictionCombineRule(CoefficientCombineRule.Max)
    assert.equal(collider.current.raw.friction, 0.9)
    assert.equal(body.current.raw.shapes[0], collider.current.raw)
    assert.equal(body.current, kept)
    await stage.unmount()
  })

  test('meet by groups, and by those of the solver', async () => {
    assert.equal(interactionGroups([0, 1], [2]), 0x00030004)
    assert.equal(interactionGroups(3), 0x0008ffff)
    assert.equal(interactionGroups([15]) > 0, true)
    const ends = [ref(), ref(), ref()]
    const groups = (/** @type {number[]} */ a, /** @type {number[]} */ b) => interactionGroups(a, b)
    const ball = (/** @type {any} */ props, /** @type {number} */ i) =>
      h(
        RigidBody,
        { key: i, ref: ends[i], colliders: false, position: [3 * i - 3, 0.5, 0], ...props },
        h(BallCollider, { args: [0.5] }),
      )
    const ground = h(CuboidCollider, {
      args: [9, 0.5, 9],
      position: [0, -0.5, 0],
      collisionGroups: groups([0], [0, 1]),
    })
    const stage = await Stage.mount(
      physics(
        {},
        ground,
        ball({ collisionGroups: groups([1], [0]) }, 0),
        ball({ collisionGroups: groups([2], [0]) }, 1),
        ball({ solverGroups: groups([2], [2]) }, 2),
      ),
    )
    // The ground is in all groups of the solver.
    context.world.colliders
      .getAll()
      .find((/** @type {any} */ one) => one.parent() === null)
      .setSolverGroups(groups([5], [5]))
    await stage.frames(30)
    const heights = ends.map(({ current }) => current.translation().y)
    near([heights[1], heights[2]], [heights[1], heights[1]], 1e-9)
    assert.ok(heights[1] < -0.5, `${heights}`)
    context.world.colliders
      .getAll()
      .find((/** @type {any} */ one) => one.parent() === null)
      .setSolverGroups(0xffffffff)
    await stage.unmount()
  })

  test('with a restitution of 2 bounce back to where they came from, as their mean with 0 is 1', async () => {
    const body = ref()
    const scene = h(
      RigidBody,
      { ref: body, colliders: false, position: [0, 2.5, 0], restitution: 2, linearDamping: 0 },
      h(BallCollider, { args: [0.5] }),
    )
    const stage = await Stage.mount(physics({ timeStep: 1 / 240 }, scene, floor))
    let highest = 0
    for (let i = 0; i < 110; i++) {
      await stage.frames()
      if (body.current.linvel().y > 0) highest = Math.max(highest, body.current.translation().y)
    }
    near([highest], [2.5], 0.1)
    await stage.unmount()
  })

  test('are not pushed where useFilterContactPair says so', async () => {
    const [body, collider] = [ref(), ref()]
    let flags = 0
    /** @type {Set<number>} */
    const asked = new Set()
    const Filter = () => {
      const { rapier } = useRapier()
      useFilterContactPair((_c1, _c2, b1, b2) => {
        asked.add(b1).add(b2)
        return flags
      })
      assert.equal(rapier.SolverFlags.COMPUTE_IMPULSE, 1)
      return null
    }
    const scene = h(
      RigidBody,
      { ref: body, colliders: false, position: [0, 0.5, 0] },
      h(BallCollider, { ref: collider, args: [0.5] }),
    )
    const stage = await Stage.mount(physics({}, h(Filter), scene, floor))
    await stage.frames(10)
    assert.equal(asked.size, 0, 'nobody is asked without the hook')
    near(body.current.translation(), [0, 0.5, 0], 0.01)
    collider.current.setActiveHooks(1)
    flags = 1
    await stage.frames(10)
    near(body.current.translation(), [0, 0.5, 0], 0.01)
    assert.ok(asked.has(body.current.handle))
    flags = 0
    body.current.wakeUp()
    await stage.frames(30)
    assert.ok(body.current.translation().y < 0)
    await stage.unmount()
  })

  test('refuse what is none', async () => {
    const stage = await Stage.mount(physics({}))
    const bad = h(RigidBody, { colliders: 'box' }, box)
    await assert.rejects(stage.render(physics({}, bad)), /colliders must be cuboid, ball/)
    const stage2 = await Stage.mount(physics({}))
    const worse = h(TrimeshCollider, { args: 5 })
    await assert.rejects(
      stage2.render(physics({}, worse)),
      /trimesh collider: args must be an array/,
    )
  })
})

describe('bodies of moreau/react', () => {
  /** @param {any} props @param {any} [world] */
  async function mount(props, world = weightless) {
    const body = ref()
    const tree = (/** @type {any} */ more) =>
      physics(
        world,
        h(
          RigidBody,
          { ref: body, colliders: false, ...more },
          h(BallCollider, { args: [1], mass: 2 }),
        ),
      )
    const stage = await Stage.mount(tree(props))
    return { body: body.current, stage, set: (/** @type {any} */ more) => stage.render(tree(more)) }
  }

  test('take forces until they are taken back, at a point too', async () => {
    const { body, stage } = await mount({})
    body.addForce({ x: 2, y: 0, z: 0 }, true)
    await stage.frames(60)
    near(body.linvel(), [1, 0, 0], 1e-6)
    near(body.userForce(), [2, 0, 0])
    body.resetForces(true)
    body.setLinvel({ x: 0, y: 0, z: 0 }, true)
    const { x, y, z } = body.worldCom()
    body.addForceAtPoint({ x: 0, y: 1, z: 0 }, { x: x + 2, y, z }, true)
    near(body.userTorque(), [0, 0, 2])
    await stage.frames(60)
    near(body.linvel(), [0, 0.5, 0], 1e-6)
    // A solid ball of 2 kg and 1 m: 0.8 kg m².
    near(body.angvel(), [0, 0, 2 / 0.8], 1e-3)
    await stage.unmount()
  })

  test('take impulses, velocities and places at once', async () => {
    const { body, stage } = await mount({ position: [1, 2, 3] })
    body.applyImpulse({ x: 4, y: 0, z: 0 }, true)
    near(body.linvel(), [2, 0, 0])
    body.applyTorqueImpulse({ x: 0, y: 0.8, z: 0 }, true)
    near(body.angvel(), [0, 1, 0], 1e-9)
    body.setTranslation({ x: 5, y: 0, z: 0 }, true)
    body.setRotation({ x: 0, y: 2, z: 0, w: 0 }, true)
    near(body.translation(), [5, 0, 0])
    assert.deepEqual(body.rotation(), { x: 0, y: 1, z: 0, w: 0 })
    await stage.unmount()
  })

  test('that sleep are woken by those alone who say so', async () => {
    const { body, stage } = await mount({}, {})
    body.raw.gravityScale = 0
    await stage.frames(90)
    assert.equal(body.isSleeping(), true)
    body.setLinvel({ x: 1, y: 0, z: 0 }, false)
    body.addForce({ x: 1, y: 0, z: 0 }, false)
    await stage.frames(2)
    assert.equal(body.isSleeping(), true)
    body.applyImpulse({ x: 1, y: 0, z: 0 }, true)
    assert.equal(body.isSleeping(), false)
    await stage.unmount()
  })

  test('move to where they are told in a step, and carry', async () => {
    const [lift, load] = [ref(), ref()]
    const stage = await Stage.mount(
      physics(
        {},
        h(
          RigidBody,
          { ref: lift, type: 'kinematicPosition', colliders: false },
          h(CuboidCollider, { args: [2, 0.5, 2] }),
        ),
        h(RigidBody, { ref: load, position: [0, 1, 0] }, box),
      ),
    )
    for (let i = 1; i <= 60; i++) {
      lift.current.setNextKinematicTranslation({ x: i / 60, y: 0, z: 0 })
      near(lift.current.nextTranslation(), [i / 60, 0, 0])
      await stage.frames()
    }
    near(lift.current.translation(), [1, 0, 0], 1e-9)
    assert.ok(load.current.translation().x > 0.9)
    await stage.frames()
    near(lift.current.linvel(), [0, 0, 0])
    await stage.unmount()
  })

  test('follow their props: a place, a velocity, locks, masses, a type', async () => {
    const { body, stage, set } = await mount({ position: [0, 1, 0], linearVelocity: [3, 0, 0] })
    near(body.linvel(), [3, 0, 0])
    await stage.frames(60)
    const { x } = body.translation()
    assert.ok(x > 2.9)
    // Another prop leaves place and velocity as they are.
    body.setLinvel({ x: 1, y: 0, z: 0 }, true)
    await set({ position: [0, 1, 0], linearVelocity: [3, 0, 0], gravityScale: 0.5, mass: 9 })
    near(body.linvel(), [1, 0, 0])
    near(body.translation(), [x, 1, 0], 1e-6)
    assert.deepEqual([body.gravityScale(), body.mass()], [0.5, 9])
    await set({
      position: [0, 4, 0],
      lockRotations: true,
      enabledTranslations: [true, false, true],
    })
    near(body.translation(), [0, 4, 0])
    assert.deepEqual(body.raw.lockRotation, [true, true, true])
    assert.deepEqual(body.raw.lockTranslation, [false, true, false])
    assert.deepEqual([body.gravityScale(), body.mass()], [1, 2])
    await set({ type: 'fixed', position: [0, 4, 0] })
    assert.deepEqual([body.isFixed(), body.raw.type, body.bodyType()], [true, 'static', 1])
    await set({ type: 'dynamic', position: [0, 4, 0], canSleep: false, ccd: true })
    assert.deepEqual(
      [body.raw.type, body.raw.allowSleep, body.isCcdEnabled()],
      ['dynamic', false, true],
    )
    await stage.unmount()
  })

  test('without a collider stay where they are', async () => {
    const body = ref()
    const stage = await Stage.mount(physics({}, h(RigidBody, { ref: body, position: [0, 1, 0] })))
    await stage.frames(30)
    near(body.current.translation(), [0, 1, 0])
    await stage.unmount()
  })

  test('say once what has no equal', async () => {
    warnings.length = 0
    const props = { dominanceGroup: 1, softCcdPrediction: 1, additionalSolverIterations: 4 }
    const { stage, set } = await mount(props)
    await set({ ...props, dominanceGroup: 2 })
    await stage.render(physics({ numInternalPgsIterations: 3, minIslandSize: 64 }))
    for (const name of [...Object.keys(props), 'numInternalPgsIterations', 'minIslandSize']) {
      assert.equal(warnings.filter((text) => text.includes(`(${name};`)).length, 1, name)
    }
    await stage.unmount()
  })
})
