// Comparisons by content, as assertion libraries make them, see that two objects are two.
import assert from 'node:assert/strict'
import loose from 'node:assert'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { ConvexHull, createShape, init, World } from 'moreau'

before(() => init())

const sphere = /** @type {const} */ ({ type: 'sphere', radius: 1 })
const CUBE = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2])

/** As jest and vitest compare: by what `Object.keys` names. @param {any} a @param {any} b @returns {boolean} */
function toEqual(a, b) {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => toEqual(a[key], b[key]))
}

/** A world with two of everything. */
function makeAll() {
  const world = new World({ warnings: false })
  const shapes = [createShape(sphere), createShape(sphere)]
  const bodies = [0, 1, 2, 3].map((i) =>
    world.createBody({ shape: shapes[0], position: [3 * i, 0, 0] }),
  )
  const [bodyA, bodyB] = bodies
  const joint = () => world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [0, 0, 0] })
  const gravity = () => world.createPotential({ type: 'gravity', gravity: [0, 1, 0] })
  const vehicles = [0, 1].map(() =>
    world.createVehicle({
      chassis: bodyA,
      wheels: [{ position: [0, 0, 0] }],
    }),
  )
  return {
    worlds: [world, new World({ warnings: false })],
    ...{ shapes, bodies, vehicles },
    joints: [joint(), joint()],
    potentials: [gravity(), gravity()],
    constraints: [0, 1].map(() =>
      world.createConstraint({ type: 'unitQuaternion', bodies: bodyA }),
    ),
    characters: [0, 1].map(() => world.createCharacter({ shape: sphere })),
    histories: [0, 1].map(() => world.history({ frames: 3 })),
    hulls: [0, 1].map(() => ConvexHull.fromPoints(/** @type {any} */ (CUBE))),
  }
}

describe('two of a kind are not equal, and one is equal to itself', () => {
  for (const kind of /** @type {(keyof ReturnType<typeof makeAll>)[]} */ ([
    ...['worlds', 'shapes', 'bodies', 'vehicles', 'joints', 'potentials'],
    ...['constraints', 'characters', 'histories', 'hulls'],
  ])) {
    test(kind, () => {
      const [a, b] = makeAll()[kind]
      assert.throws(() => loose.deepEqual(a, b), { code: 'ERR_ASSERTION' })
      assert.throws(() => assert.deepStrictEqual({ in: [a] }, { in: [b] }), {
        code: 'ERR_ASSERTION',
      })
      assert.equal(isDeepStrictEqual(a, b), false)
      assert.equal(toEqual(a, b), false)
      loose.deepEqual({ in: [a] }, { in: [a] })
      assert.deepStrictEqual([a, b], [a, b])
      assert.ok(toEqual([a], [a]))
    })
  }

  test('bodies of two worlds that have the same id', () => {
    const [a, b] = [new World(), new World()].map((world) => world.createBody({ shape: sphere }))
    assert.equal(a.id, b.id)
    assert.throws(() => loose.deepEqual(a, b), { code: 'ERR_ASSERTION' })
  })

  test('the same body after it was brought back', () => {
    const world = new World()
    const body = world.createBody({ shape: sphere })
    const bytes = world.snapshot()
    body.destroy()
    world.restore(bytes)
    assert.deepStrictEqual(world.bodies, [body])
  })
})
