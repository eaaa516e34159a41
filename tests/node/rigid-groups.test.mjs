/**
 * Bodies that fixed joints make one do not collide, and joints outrank overlaps.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { addFloor } from '../../scenarios/parts.mjs'

before(() => init())

/** @typedef {import('moreau').Body} Body */

const SOLVERS = /** @type {const} */ (['auto', 'block-pgs', 'exact'])

/**
 * Base, bracket and camera, which are fixed one to the other. The camera is within the base.
 * @param {World} world
 * @param {object} [joint] options of both joints
 */
function robot(world, joint = {}) {
  addFloor(world)
  const box = (/** @type {number[]} */ halfExtents, /** @type {number} */ y, mass = 1) =>
    world.createBody({
      shape: { type: 'box', halfExtents: /** @type {any} */ (halfExtents) },
      position: [0, y, 0],
      mass,
    })
  const base = box([0.3, 0.1, 0.3], 0.1, 2)
  const bracket = box([0.05, 0.2, 0.05], 0.25, 0.2)
  const camera = box([0.1, 0.1, 0.1], 0.2, 0.1)
  const fix = (/** @type {Body} */ bodyA, /** @type {Body} */ bodyB, /** @type {number} */ y) =>
    world.createJoint({ ...{ type: 'fixed', bodyA, bodyB, anchor: [0, y, 0] }, ...joint })
  return { base, bracket, camera, joints: [fix(base, bracket, 0.2), fix(bracket, camera, 0.3)] }
}

/** @param {Body} a @param {Body} b */
const touch = (a, b) => a.contacts().some(({ other }) => other === b)

/** @param {World} world @param {number} steps */
function run(world, steps) {
  for (let i = 0; i < steps; i++) world.step(1 / 60)
}

describe('bodies of one rigid group', () => {
  for (const solver of SOLVERS)
    test(`rest where they were made, with ${solver}`, () => {
      const world = new World({ solver })
      const { base, camera } = robot(world)
      run(world, 120)
      assert.ok(!touch(base, camera))
      assert.ok(Math.abs(camera.position[1] - base.position[1] - 0.1) < 1e-4, `${camera.position}`)
    })

  test('collide again when a joint of the group ends', () => {
    const world = new World({ solver: 'exact' })
    const { base, camera, joints } = robot(world)
    run(world, 2)
    joints[0].destroy()
    run(world, 1)
    assert.ok(touch(base, camera))
  })

  test('stop to collide when a joint makes them one', () => {
    const world = new World({ solver: 'exact' })
    const { base, bracket, camera, joints } = robot(world)
    joints[0].destroy()
    run(world, 1)
    assert.ok(touch(base, camera))
    world.createJoint({ type: 'fixed', bodyA: base, bodyB: bracket, anchor: [0, 0.2, 0] })
    run(world, 1)
    assert.ok(!touch(base, camera))
  })

  test('collide where a joint may break, or lets its bodies collide', () => {
    for (const joint of [{ breakForce: 1e6 }, { collideConnected: true }]) {
      const world = new World({ solver: 'auto' })
      const { base, camera } = robot(world, joint)
      run(world, 1)
      assert.ok(touch(base, camera), JSON.stringify(joint))
    }
  })

  test('are those of a restored world, too, and end there with their joint', () => {
    const world = new World({ solver: 'exact' })
    robot(world)
    run(world, 3)
    const copy = new World()
    copy.restore(world.snapshot())
    run(world, 5)
    run(copy, 5)
    assert.equal(copy.hash(), world.hash())
    const [base, , camera] = copy.bodies.filter((body) => body.type === 'dynamic')
    copy.joints[0].destroy()
    run(copy, 1)
    assert.ok(touch(base, camera))
  })

  test('are what is fixed to the world', () => {
    const world = new World({ solver: 'exact' })
    const [a, b] = [0, 0.1].map((x) =>
      world.createBody({ shape: { type: 'sphere', radius: 0.2 }, position: [x, 0, 0] }),
    )
    for (const bodyB of [a, b])
      world.createJoint({ type: 'fixed', bodyA: null, bodyB, anchor: [0, 0, 0] })
    run(world, 60)
    assert.ok(!touch(a, b))
    assert.ok(Math.abs(b.position[0] - 0.1) < 1e-9 && Math.abs(b.position[1]) < 1e-9)
  })
})

describe('a joint outranks an overlap, in exact', () => {
  for (const overlap of [0.003, 0.02, 0.1, 0.15])
    test(`a cart on a slider between rails that it overlaps by ${overlap} m`, () => {
      const world = new World({ solver: 'exact' })
      const cart = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [0.3, 0.2, 0.3] }, mass: 2 },
        ...{ position: [0, 1, 0], linearVelocity: [1, 0, 0] },
      })
      for (const side of [-1, 1])
        world.createBody({
          ...{ type: 'static', shape: { type: 'box', halfExtents: [9, 0.05, 0.05] } },
          position: [0, 1, side * (0.35 - overlap)],
        })
      const slider = world.createJoint({
        ...{ type: 'slider', bodyA: null, bodyB: cart },
        ...{ anchor: [0, 1, 0], axis: [1, 0, 0] },
      })
      for (let i = 0; i < 240; i++) {
        world.step(1 / 60)
        assert.ok(slider.error < 1e-9, `${slider.error} m open at ${i}`)
        assert.equal(world.stats.status, 'converged')
        assert.ok(Math.abs(cart.linearVelocity[0]) < 1 + 1e-9)
      }
    })
})
