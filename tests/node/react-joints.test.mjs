import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  BallCollider,
  CuboidCollider,
  interactionGroups,
  MotorModel,
  RigidBody,
  useFixedJoint,
  usePrismaticJoint,
  useRapier,
  useRevoluteJoint,
  useRopeJoint,
  useSpringJoint,
} from 'moreau/react'
import { useRef } from 'react'
import { box, context, floor, h, physics, ref, weightless, near, Stage } from './react-fixture.mjs'

const DT = 1 / 60

describe('joints of moreau/react', () => {
  /**
   * Two boxes, the first of which is fixed, and a joint of them that comes before them in the tree.
   * @param {any} useJoint
   * @param {any} params
   * @param {any} [props] of the second
   * @param {any} [world]
   */
  async function mount(useJoint, params, props = {}, world = weightless) {
    const [a, b] = [ref(), ref()]
    /** @type {any} */
    let joint
    const Joint = (/** @type {any} */ { numbers }) => {
      joint = useJoint(a, b, numbers)
      return null
    }
    const tree = (/** @type {any} */ numbers, /** @type {any} */ key = 1, isThere = true) =>
      physics(
        world,
        h(Joint, { numbers }),
        h(RigidBody, { ref: a, type: 'fixed', colliders: false }),
        isThere && h(RigidBody, { key, ref: b, canSleep: false, ...props }, box),
      )
    const stage = await Stage.mount(tree(params), { strict: true })
    return { a, b, joint: () => joint.current, stage, tree }
  }

  test('exist as soon as both bodies do, again after one was mounted again, and not where they were taken away', async () => {
    const numbers = [[0, 0, 0], [0, 0, 0], 2]
    const { joint, stage, tree, b } = await mount(useRopeJoint, numbers, { position: [1, 0, 0] })
    const first = joint()
    assert.equal(first.isValid(), true)
    assert.equal(first.body2(), b.current)
    await stage.render(tree(numbers, 1, false))
    assert.equal(first.isValid(), false)
    first.setContactsEnabled(false)
    await stage.frames()
    await stage.render(tree(numbers, 2))
    await stage.frames()
    assert.equal(joint().isValid(), true)
    assert.notEqual(joint(), first)
    assert.equal(context.world.raw.joints.length, 1)
    await stage.render(tree([[0, 0, 0], [0, 0, 0], 3], 2))
    assert.equal(joint().raw.length, 3)
    context.world.removeImpulseJoint(joint(), true)
    await stage.frames(2)
    assert.equal(context.world.raw.joints.length, 0)
    await stage.unmount()
  })

  test('revolute: angle 0 is where both are turned alike, limits hold, bodies still collide', async () => {
    const axis = [0, 0, 1]
    const turned = { position: [0, 0, 0], rotation: [0, 0, 0.5] }
    const { joint, stage } = await mount(
      useRevoluteJoint,
      [[0, 0, 0], [0, 0, 0], axis, [-0.2, 1]],
      turned,
    )
    near([joint().raw.angle], [0.5], 1e-6)
    assert.deepEqual(
      [joint().limitsEnabled(), joint().limitsMin(), joint().limitsMax()],
      [true, -0.2, 1],
    )
    assert.equal(joint().contactsEnabled(), true)
    joint().configureMotorVelocity(5, 100)
    await stage.frames(60)
    near([joint().raw.angle], [1], 0.02)
    joint().setLimits(-0.2, 0.3)
    await stage.frames(60)
    near([joint().raw.angle], [0.3], 0.02)
    await stage.unmount()
  })

  test('a motor to a velocity is a damper of an acceleration, whatever the mass', async () => {
    for (const density of [1, 50]) {
      const { b, joint, stage } = await mount(
        useRevoluteJoint,
        [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 1],
        ],
        { density },
      )
      joint().configureMotorVelocity(20, 10)
      await stage.frames(6)
      // Implicit Euler in 4 substeps of each step: what is missing falls by 1 / (1 + 10 dt / 4) in each.
      near([b.current.angvel().z], [20 * (1 - (1 + (10 * DT) / 4) ** -24)], 0.2)
      await stage.unmount()
    }
  })

  test('a motor to a position swings with the stiffness of an acceleration, or of a force', async () => {
    for (const model of [MotorModel.AccelerationBased, MotorModel.ForceBased]) {
      const { joint, stage } = await mount(
        usePrismaticJoint,
        [
          [0, 0, 0],
          [0, 0, 0],
          [1, 0, 0],
        ],
        { density: 4 },
      )
      joint().configureMotorModel(model)
      joint().configureMotorPosition(1, 16, 0)
      let crossed = 0
      for (let i = 1; i < 400 && crossed === 0; i++) {
        await stage.frames()
        if (joint().raw.translation > 1) crossed = i * DT
      }
      const mass = model === MotorModel.ForceBased ? 4 : 1
      near([crossed], [(Math.PI / 2) * Math.sqrt(mass / 16)], 0.04)
      await stage.unmount()
    }
  })

  test('prismatic: the translation is that of the anchors, and both are turned alike', async () => {
    const numbers = [
      [-4, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
      [-2, 2],
    ]
    const { b, joint, stage } = await mount(usePrismaticJoint, numbers, { rotation: [0, 0.3, 0] })
    near([joint().raw.translation], [4], 1e-6)
    await stage.frames(240)
    near([joint().raw.translation], [2], 0.02)
    near([b.current.rotation().y], [0], 1e-3)
    await stage.unmount()
  })

  test('fixed: frames coincide', async () => {
    const half = Math.SQRT1_2
    const numbers = [
      [1, 0, 0],
      [0, 0, 0, 1],
      [-1, 0, 0],
      [0, 0, half, half],
    ]
    const { b, stage } = await mount(useFixedJoint, numbers, { position: [2, 0, 0] })
    await stage.frames(240)
    const { z, w } = b.current.rotation()
    near([Math.abs(z), Math.abs(w)], [half, half], 1e-3)
    // Its anchor at -1 along its x is at [1, 0, 0].
    near(b.current.translation(), [1, -1, 0], 0.01)
    await stage.unmount()
  })

  test('spring: stiffness and damping are of a force', async () => {
    const numbers = [[0, 0, 0], [0, 0, 0], 0, 100, 0]
    const { b, stage } = await mount(useSpringJoint, numbers, { position: [1, 0, 0], density: 4 })
    let crossed = 0
    for (let i = 1; i < 100 && crossed === 0; i++) {
      await stage.frames()
      if (b.current.linvel().x > 0) crossed = i * DT
    }
    // Half a period of 4 kg on 100 N/m: from 1 through 0, where the distance turns, and to rest.
    assert.ok(crossed > 0.5 && crossed < 0.75, `${crossed}`)
    await stage.unmount()
  })
})

describe('events of moreau/react', () => {
  test('tell bodies, then colliders, what met what and where, and all of them though one throws', async () => {
    /** @type {any[]} */
    const log = []
    const tell = (/** @type {string} */ who) => (/** @type {any} */ payload) => {
      log.push([who, payload])
      if (who === 'body') throw new Error('of a handler')
    }
    const ball = ref()
    const scene = h(
      RigidBody,
      {
        ref: ball,
        name: 'ball',
        colliders: false,
        position: [0, 0.6, 0],
        onCollisionEnter: tell('body'),
        onCollisionExit: tell('exit'),
      },
      h(BallCollider, { name: 'skin', args: [0.5], onCollisionEnter: tell('collider') }),
    )
    const ground = h(CuboidCollider, {
      args: [5, 0.5, 5],
      position: [0, -0.5, 0],
      name: 'ground',
      onCollisionEnter: tell('ground'),
    })
    const stage = await Stage.mount(physics({}, scene, ground))
    await assert.rejects(stage.frames(20), /of a handler/)
    const enters = log.filter(([who]) => who !== 'exit')
    assert.equal(enters[0][0], 'body')
    assert.deepEqual(
      new Set(enters.slice(1, 3).map(([who]) => who)),
      new Set(['ground', 'collider']),
    )
    const [, { target, other, manifold, rigidBody }] = enters.find(([who]) => who === 'collider')
    assert.equal(target.rigidBody, ball.current)
    assert.equal(target.rigidBodyObject.name, 'ball')
    assert.equal(target.colliderObject.name, 'skin')
    assert.equal(other.colliderObject.name, 'ground')
    assert.deepEqual([other.rigidBody, rigidBody], [undefined, undefined])
    near(manifold.solverContactPoint(0), [0, 0, 0], 0.02)
    near([Math.abs(manifold.normal().y)], [1], 1e-6)
    assert.equal(manifold.numContacts(), 1)
    ball.current.setTranslation({ x: 0, y: 3, z: 0 }, true)
    await stage.frames(2)
    assert.equal(log.at(-1)[0], 'exit')
    await stage.unmount()
  })

  test('tell of sensors, of forces, of sleep', async () => {
    /** @type {any[]} */
    const log = []
    const note = (/** @type {string} */ what) => (/** @type {any} */ payload) =>
      log.push([what, payload])
    const scene = [
      h(
        RigidBody,
        {
          key: 1,
          position: [0, 3, 0],
          colliders: 'cuboid',
          density: 2,
          onContactForce: note('force'),
          onSleep: note('sleep'),
          onWake: note('wake'),
        },
        box,
      ),
      h(CuboidCollider, {
        key: 2,
        args: [1, 0.2, 1],
        position: [0, 2, 0],
        sensor: true,
        onIntersectionEnter: note('in'),
        onIntersectionExit: note('out'),
      }),
    ]
    const stage = await Stage.mount(physics({}, scene, floor))
    await stage.frames(200)
    const of = (/** @type {string} */ what) =>
      log.filter(([name]) => name === what).map(([, payload]) => payload)
    assert.deepEqual([of('in').length, of('out').length, of('sleep').length], [1, 1, 1])
    const last = of('force').at(-1)
    near([last.totalForceMagnitude], [2 * 9.81], 0.05)
    near([Math.abs(last.totalForce.y)], [2 * 9.81], 0.05)
    near([last.maxForceMagnitude], [(2 * 9.81) / 4], 0.5)
    context.world.forEachRigidBody((/** @type {any} */ body) =>
      body.applyImpulse({ x: 0, y: 1, z: 0 }, true),
    )
    await stage.frames(2)
    assert.equal(of('wake').length, 1)
    await stage.unmount()
  })
})

describe('the world of moreau/react', () => {
  test('casts rays, and sees what their filters let it', async () => {
    const [near1, far] = [ref(), ref()]
    const stage = await Stage.mount(
      physics(
        weightless,
        h(
          RigidBody,
          { ref: near1, position: [0, 0, -2], collisionGroups: interactionGroups(1) },
          box,
        ),
        h(RigidBody, { ref: far, type: 'fixed', position: [0, 0, -6] }, box),
      ),
    )
    const { world, rapier } = context
    const ray = new rapier.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: -2 })
    const cast = (/** @type {any[]} */ ...more) => world.castRay(ray, 10, true, ...more)
    const hit = cast()
    assert.equal(hit.collider.parent(), near1.current)
    near([hit.timeOfImpact], [0.75])
    near(hit.normal, [0, 0, 1])
    near(ray.pointAt(hit.timeOfImpact), [0, 0, -1.5])
    assert.equal(cast(rapier.QueryFilterFlags.EXCLUDE_DYNAMIC).collider.parent(), far.current)
    assert.equal(cast(undefined, interactionGroups(0, 2)).collider.parent(), far.current)
    assert.equal(cast(undefined, undefined, hit.collider).collider.parent(), far.current)
    assert.equal(
      cast(undefined, undefined, undefined, near1.current).collider.parent(),
      far.current,
    )
    const isFar = (/** @type {any} */ one) => one.parent() === far.current
    assert.equal(
      cast(undefined, undefined, undefined, undefined, isFar).collider.parent(),
      far.current,
    )
    assert.equal(world.castRay(ray, 0.5, true), null)
    await stage.unmount()
  })

  test('goes back to a snapshot: bodies and handles stay, objects follow', async () => {
    const body = ref()
    const stage = await Stage.mount(
      physics({}, h(RigidBody, { ref: body, position: [0, 9, 0] }, box)),
    )
    await stage.frames(10)
    const { world, rapier, setWorld } = context
    const bytes = world.takeSnapshot()
    const { y } = body.current.translation()
    const { handle } = body.current
    await stage.frames(30)
    assert.ok(body.current.translation().y < y - 1)
    setWorld(rapier.World.restoreSnapshot(bytes))
    near([body.current.translation().y], [y])
    assert.equal(world.getRigidBody(handle), body.current)
    const object = /** @type {any} */ (stage.scene.getObjectByProperty('type', 'Mesh')).parent
    near([object.position.y], [y], 1e-5)
    assert.throws(() => setWorld(/** @type {any} */ ({})), /restoreSnapshot/)
    await stage.unmount()
  })

  test('useRapier outside of Physics says so', async () => {
    const Lost = () => {
      useRapier()
      return null
    }
    await assert.rejects(Stage.mount(h(Lost)), /within <Physics \/>/)
  })

  test('the latest function of a hook is called', async () => {
    const { useBeforePhysicsStep } = await import('moreau/react')
    /** @type {any[]} */
    const calls = []
    const Hook = (/** @type {any} */ { value }) => {
      const mounted = useRef(value)
      useBeforePhysicsStep((world) => calls.push([value, mounted.current, world === context.world]))
      return null
    }
    const stage = await Stage.mount(physics({}, h(Hook, { value: 1 })), { strict: true })
    await stage.frames()
    await stage.render(physics({}, h(Hook, { value: 2 })), { strict: true })
    await stage.frames()
    await stage.render(physics({}), { strict: true })
    await stage.frames()
    assert.deepEqual(calls, [
      [1, 1, true],
      [2, 1, true],
    ])
    await stage.unmount()
  })
})
