import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import {
  InstancedRigidBodies,
  Physics,
  RigidBody,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useRapier,
} from 'moreau/react'
import { Activity, createElement as h, createRef, use, useEffect, useLayoutEffect } from 'react'
import * as THREE from 'three'
import { box, context, floor, listenToWarnings, Probe, near, Stage } from './react-fixture.mjs'

/** @import { RapierRigidBody } from 'moreau/react' */

/** @returns {import('react').RefObject<RapierRigidBody>} */
const bodyRef = () => /** @type {any} */ (createRef())

const warnings = listenToWarnings()

describe('Physics of moreau/react', () => {
  for (const strict of [false, true]) {
    test(`a box falls on the floor, and its object with it${strict ? ', in StrictMode' : ''}`, async () => {
      const ref = bodyRef()
      const scene = h(
        Physics,
        null,
        h(Probe),
        h(RigidBody, { ref, position: [0, 3, 0] }, box),
        floor,
      )
      const stage = await Stage.mount(scene, { strict })
      assert.equal(context.world.raw.bodies.length, 2)
      near(ref.current.translation(), [0, 3, 0])
      await stage.frames(120)
      near(ref.current.translation(), [0, 0.5, 0], 0.01)
      const object = /** @type {any} */ (stage.scene.getObjectByProperty('type', 'Mesh'))
      near(object.parent.position, [0, 0.5, 0], 0.01)
      await stage.unmount()
    })
  }

  test('unmounting frees the world, also the first one of StrictMode', async () => {
    /** @type {any[]} */
    const worlds = []
    const Keep = () => {
      const { world } = useRapier()
      useEffect(() => void worlds.push(world.raw), [world])
      return null
    }
    const stage = await Stage.mount(h(Physics, null, h(Keep), h(RigidBody, null, box)), {
      strict: true,
    })
    assert.equal(worlds.length, 2)
    assert.notEqual(worlds[0], worlds[1])
    assert.throws(() => worlds[0].bodies, { code: 'stale-handle' })
    assert.equal(worlds[1].bodies.length, 1)
    await stage.unmount()
    assert.throws(() => worlds[1].bodies, { code: 'stale-handle' })
  })

  test('bodies and colliders that are unmounted leave the world', async () => {
    const tree = (/** @type {boolean} */ isThere) =>
      h(Physics, null, h(Probe), isThere && h(RigidBody, null, box), isThere && floor)
    const stage = await Stage.mount(tree(true))
    assert.equal(context.world.raw.bodies.length, 2)
    assert.equal(context.world.colliders.len(), 2)
    await stage.render(tree(false))
    assert.equal(context.world.raw.bodies.length, 0)
    assert.equal(context.world.bodies.len(), 0)
    assert.equal(context.world.colliders.len(), 0)
    await stage.unmount()
  })

  test('calls on the ref of a body that is gone do nothing, and say so once', async () => {
    const ref = bodyRef()
    const tree = (/** @type {boolean} */ isThere) =>
      h(Physics, null, isThere && h(RigidBody, { ref, position: [1, 2, 3] }, box))
    const stage = await Stage.mount(tree(true))
    const body = ref.current
    await stage.render(tree(false))
    assert.equal(ref.current, null)
    assert.equal(body.isValid(), false)
    warnings.length = 0
    body.applyImpulse({ x: 1, y: 0, z: 0 }, true)
    body.setTranslation({ x: 1, y: 0, z: 0 }, true)
    body.addForce({ x: 1, y: 0, z: 0 }, true)
    near(body.translation(), [1, 2, 3])
    near(body.linvel(), [0, 0, 0])
    assert.equal(body.isSleeping(), false)
    assert.equal(warnings.filter((text) => text.includes('not mounted')).length, 1)
    await stage.frames(2)
    await stage.unmount()
    body.setLinvel({ x: 1, y: 0, z: 0 }, true)
    near(body.translation(), [1, 2, 3])
  })

  test('a tree that is hidden while something suspends goes on where it was', async () => {
    const ref = bodyRef()
    /** @type {any} */
    let resolve
    const promise = new Promise((done) => (resolve = done))
    const Late = () => {
      use(promise)
      return null
    }
    let hidings = 0
    const Hidden = () => {
      useLayoutEffect(() => () => void hidings++, [])
      return null
    }
    const tree = (/** @type {boolean} */ isLate) =>
      h(
        Physics,
        null,
        h(Probe),
        h(Hidden),
        h(RigidBody, { ref, position: [0, 3, 0] }, box),
        isLate && h(Late),
      )
    const stage = await Stage.mount(tree(false))
    await stage.frames(30)
    const { y } = ref.current.translation()
    assert.ok(y < 2)
    const { raw } = context.world
    await stage.render(tree(true))
    assert.equal(hidings, 1)
    resolve()
    await stage.render(tree(true))
    assert.equal(context.world.raw, raw, 'the same world')
    assert.equal(ref.current.isValid(), true)
    near([ref.current.translation().y], [y], 1e-9)
    await stage.frames(10)
    assert.ok(ref.current.translation().y < y)
    await stage.unmount()
  })

  test('a tree of Activity that is hidden is taken out, and comes back', async () => {
    const tree = (/** @type {'visible' | 'hidden'} */ mode) =>
      h(Physics, null, h(Probe), h(Activity, { mode, children: h(RigidBody, null, box) }))
    const stage = await Stage.mount(tree('visible'))
    assert.equal(context.world.raw.bodies.length, 1)
    await stage.render(tree('hidden'))
    assert.equal(context.world.raw.bodies.length, 0)
    await stage.render(tree('visible'))
    assert.equal(context.world.raw.bodies.length, 1)
    await stage.frames(5)
    await stage.unmount()
  })

  test('what is mounted again under another key begins again', async () => {
    const ref = bodyRef()
    const tree = (/** @type {number} */ key) =>
      h(Physics, { key }, h(Probe), h(RigidBody, { ref, position: [0, 3, 0] }, box))
    const stage = await Stage.mount(tree(1), { strict: true })
    await stage.frames(30)
    const { raw } = context.world
    const old = ref.current
    await stage.render(tree(2), { strict: true })
    assert.throws(() => raw.bodies, { code: 'stale-handle' })
    assert.notEqual(ref.current, old)
    near(ref.current.translation(), [0, 3, 0])
    await stage.unmount()
  })

  test('impulses of the first effect act, for colliders of meshes are there by then', async () => {
    const Pushed = () => {
      const ref = bodyRef()
      useEffect(() => ref.current.applyImpulse({ x: 2, y: 0, z: 0 }, true), [])
      return h(RigidBody, { ref }, box)
    }
    const stage = await Stage.mount(h(Physics, null, h(Probe), h(Pushed)))
    near(context.world.raw.bodies[0].linearVelocity, [2, 0, 0])
    await stage.unmount()
  })
})

describe('steps of moreau/react', () => {
  /** @param {object} props @param {number} frames @param {number} seconds */
  async function heightAfter(props, frames, seconds) {
    const ref = bodyRef()
    const steps = { before: 0, after: 0 }
    const Counter = () => {
      useBeforePhysicsStep(() => void steps.before++)
      useAfterPhysicsStep(() => void steps.after++)
      return null
    }
    const stage = await Stage.mount(h(Physics, props, h(Counter), h(RigidBody, { ref }, box)))
    await stage.frames(frames, seconds)
    const object = /** @type {any} */ (stage.scene.getObjectByProperty('type', 'Mesh')).parent
    const result = { y: ref.current.translation().y, shown: object.position.y, ...steps }
    await stage.unmount()
    return result
  }

  test('have one length, whatever the frames are', async () => {
    const { before: count, after: other } = await heightAfter({}, 20, 1 / 30)
    assert.deepEqual([count, other], [40, 40])
    assert.equal((await heightAfter({ timeStep: 1 / 120 }, 10, 1 / 60)).before, 20)
  })

  test("are as long as the frames with timeStep 'vary'", async () => {
    const { before: count, y } = await heightAfter({ timeStep: 'vary' }, 11, 0.02)
    assert.equal(count, 11)
    assert.ok(Math.abs(y + (9.81 * 0.22 * 0.22) / 2) < 0.01, `${y}`)
  })

  test('are shown between the last two, unless interpolate is false', async () => {
    // Two steps and a half.
    const between = await heightAfter({ timeStep: 0.02 }, 2, 0.05)
    assert.ok(between.shown > between.y, `${between.shown}, ${between.y}`)
    const last = await heightAfter({ timeStep: 0.02, interpolate: false }, 2, 0.05)
    near([last.shown], [last.y], 1e-6)
  })

  test('are not made while paused, but by hand', async () => {
    const ref = bodyRef()
    const scene = h(Physics, { paused: true }, h(Probe), h(RigidBody, { ref }, box))
    const stage = await Stage.mount(scene)
    await stage.frames(10)
    near(ref.current.translation(), [0, 0, 0])
    assert.equal(context.isPaused, true)
    context.step(1 / 60)
    assert.ok(ref.current.translation().y < 0)
    assert.equal(context.world.raw.stepCount, 1)
    await stage.unmount()
  })

  test('settings of Physics are those of the world, and follow it', async () => {
    const tree = (/** @type {object} */ props) => h(Physics, props, h(Probe))
    const stage = await Stage.mount(tree({ gravity: [0, -1, 0], numSolverIterations: 8 }))
    const { raw } = context.world
    near(raw.gravity, [0, -1, 0])
    assert.equal(raw.substeps, 8)
    await stage.render(tree({ gravity: [0, 0, 2], contactNaturalFrequency: 60 }))
    near(context.world.gravity, [0, 0, 2])
    assert.deepEqual([raw.substeps, raw.contactHertz], [4, 60])
    assert.ok(raw instanceof World)
    await stage.unmount()
  })
})

describe('InstancedRigidBodies', () => {
  const at = (/** @type {number} */ i) => ({ key: `k${i}`, position: [2 * i, 0, 0] })
  const many = (/** @type {number[]} */ keys) => keys.map(at)
  const ref = /** @type {any} */ (createRef())
  const mesh = /** @type {any} */ (createRef())
  const tree = (/** @type {any[]} */ instances) =>
    h(
      Physics,
      { gravity: [0, 0, 0] },
      h(Probe),
      h(
        InstancedRigidBodies,
        /** @type {any} */ ({
          ref,
          instances,
          colliders: 'ball',
          position: [0, 1, 0],
        }),
        h(
          'instancedMesh',
          /** @type {any} */ ({ ref: mesh, args: [undefined, undefined, 3] }),
          h('sphereGeometry', /** @type {any} */ ({ args: [0.5] })),
        ),
      ),
    )
  const positionOf = (/** @type {number} */ i) => {
    const matrix = new THREE.Matrix4()
    mesh.current.getMatrixAt(i, matrix)
    mesh.current.updateWorldMatrix(true, false)
    return new THREE.Vector3().setFromMatrixPosition(matrix.premultiply(mesh.current.matrixWorld))
  }

  test('has a body for each instance, and draws it there', async () => {
    const stage = await Stage.mount(tree(many([0, 1, 2])), { strict: true })
    assert.equal(ref.current.length, 3)
    assert.equal(context.world.raw.bodies.length, 3)
    ref.current[1].setLinvel({ x: 0, y: 60, z: 0 }, true)
    await stage.frames(3)
    near(positionOf(0), [0, 1, 0], 1e-5)
    // Drawn between the second step and the third.
    near(positionOf(1), [2, 3, 0], 1e-4)
    near([ref.current[0].mass()], [Math.PI / 6], 1e-6)
    await stage.unmount()
  })

  test('their count may change, also beyond what the mesh has room for', async () => {
    const stage = await Stage.mount(tree(many([0, 1])))
    assert.equal(mesh.current.count, 2)
    const [first] = ref.current
    await stage.render(tree(many([0, 5, 6, 7, 8])))
    assert.equal(ref.current.length, 5)
    assert.equal(ref.current[0], first, 'the same body')
    assert.equal(mesh.current.count, 5)
    await stage.frames(2)
    near(positionOf(4), [16, 1, 0], 1e-5)
    await stage.render(tree(many([8])))
    await stage.frames(2)
    assert.deepEqual([ref.current.length, mesh.current.count], [1, 1])
    assert.equal(context.world.raw.bodies.length, 1)
    near(positionOf(0), [16, 1, 0], 1e-5)
    await stage.unmount()
  })
})
