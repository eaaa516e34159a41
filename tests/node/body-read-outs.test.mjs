/** Support points, and how bodies answer impulses. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'
import { nearVector as near } from './support.mjs'

before(() => init())

const direction = [1, -2, 3]
const length = Math.hypot(...direction)

describe('support', () => {
  test('of a sphere, a box, a rounded box and a cylinder', () => {
    near(
      createShape({ type: 'sphere', radius: 2 }).support(direction),
      direction.map((x) => (2 * x) / length),
      1e-14,
    )
    const box = { type: /** @type {const} */ ('box'), halfExtents: [1, 2, 3] }
    assert.deepEqual(createShape(box).support(direction), [1, -2, 3])
    const ball = 0.5 / length
    const rounded = createShape({ ...box, radius: 0.5 })
    near(rounded.support(direction), [1 + ball, -2 - 2 * ball, 3 + 3 * ball], 1e-14)
    const round = createShape({ type: 'cylinder', radius: 1, halfHeight: 2 })
    near(round.support([3, 1, 4]), [0.6, 2, 0.8], 1e-14)
  })

  test('lengths of 1e-300 and 1e300 are directions as well', () => {
    const shape = createShape({ type: 'sphere', radius: 1 })
    for (const scale of [1e-300, 1e300]) {
      near(shape.support([0.6 * scale, 0, 0.8 * scale]), [0.6, 0, 0.8], 1e-14)
    }
  })

  test('no point of the hull is further', () => {
    const points = Array.from({ length: 60 }, (_, i) => [
      Math.sin(7 * i),
      Math.cos(5 * i),
      Math.sin(3 * i + 1),
    ])
    const hull = createShape({ type: 'hull', points })
    for (let i = 0; i < 50; i++) {
      const d = [Math.sin(i), Math.cos(2 * i), Math.sin(3 * i)]
      const along = (/** @type {ArrayLike<number>} */ p) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2]
      assert.equal(along(hull.support(d)), Math.max(...points.map(along)))
    }
  })

  test('of a body it is in the world, over all of its shapes', () => {
    const world = new World()
    const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2] // x to y
    const ball = { type: /** @type {const} */ ('sphere'), radius: 0.5 }
    const body = world.createBody({
      shapes: [
        { ...ball, position: [2, 0, 0] },
        { ...ball, position: [-3, 0, 0] },
      ],
      position: [10, 0, 0],
      orientation: turned,
      mass: 1,
    })
    near(body.support([0, 5, 0]), [10, 2.5, 0], 1e-12)
    near(body.support([0, -1, 0]), [10, -3.5, 0], 1e-12)
    world.free()
  })

  test('what has no support point, and directions that are none, are refused by name', () => {
    const world = new World()
    const plane = { type: /** @type {const} */ ('plane'), normal: [0, 1, 0] }
    const body = world.createBody({ type: 'static', shape: plane })
    assert.throws(() => body.support([0, 1, 0]), { code: 'not-supported' })
    assert.throws(() => createShape(plane).support([0, 1, 0]), {
      code: 'not-supported',
      message: /plane/,
    })
    const ball = createShape({ type: 'sphere', radius: 1 })
    for (const wrong of [[0, 0, 0], [1, NaN, 0], 'up']) {
      assert.throws(() => ball.support(/** @type {any} */ (wrong)), {
        code: 'invalid-argument',
        message: /direction/,
      })
      assert.throws(() => body.support(/** @type {any} */ (wrong)), {
        code: 'invalid-argument',
        message: /direction/,
      })
    }
    world.step(1 / 60)
    world.free()
  })
})

describe('inverseMass and inverseInertia', () => {
  test('are what impulses change velocities by, whatever the orientation', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 1, 2] }, mass: 4 },
      orientation: [0.1, 0.5, -0.3, 0.8],
    })
    const rows = body.inverseInertia
    const [impulse, arm] = [
      [2, 0, -4],
      [0.5, -1, 2],
    ]
    body.applyImpulse(impulse, arm)
    near(
      body.linearVelocity,
      impulse.map((p) => p * body.inverseMass),
      1e-14,
    )
    const twist = [
      arm[1] * impulse[2] - arm[2] * impulse[1],
      arm[2] * impulse[0] - arm[0] * impulse[2],
      arm[0] * impulse[1] - arm[1] * impulse[0],
    ]
    const spin = [0, 3, 6].map((i) => twist.reduce((sum, t, k) => sum + rows[i + k] * t, 0))
    near(body.angularVelocity, spin, 1e-12)
    assert.equal(body.inverseMass, 0.25)
    world.free()
  })

  test('locked rotations are taken out, and what does not move has zeros', () => {
    const world = new World()
    const shape = { type: /** @type {const} */ ('sphere'), radius: 1 }
    const locked = world.createBody({ shape, mass: 1, lockRotation: [true, false, true] })
    near(locked.inverseInertia, [0, 0, 0, 0, 2.5, 0, 0, 0, 0], 1e-14)
    for (const type of /** @type {const} */ (['static', 'kinematic'])) {
      const still = world.createBody({ type, shape })
      assert.equal(still.inverseMass, 0)
      assert.deepEqual(still.inverseInertia, Array(9).fill(0))
    }
    world.free()
  })
})
