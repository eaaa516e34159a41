/**
 * Ids: numbers that name a body of a world for good, and bodies that are handed to the wrong world.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, MoreauError, World } from 'moreau'

before(() => init())

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

/** One of everything. Two such worlds differ by nothing. */
function makeRoom() {
  const world = new World()
  const a = world.createBody({ shape: ball })
  const b = world.createBody({ shape: ball, position: [2, 0, 0] })
  const joint = world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [1, 0, 0] })
  const spring = world.createPotential({ type: 'spring', bodyA: a, bodyB: b, stiffness: 1 })
  return { world, a, b, joint, spring }
}

/** @typedef {ReturnType<typeof makeRoom>} Room */
/** @typedef {import('moreau').Body} Body */

/**
 * Every call that takes a body: the name of the argument, and the call with a body that is not of the
 * room's world.
 * @type {readonly (readonly [string, (room: Room, body: Body) => unknown])[]}
 */
const CALLS = [
  [
    'createJoint: bodyA',
    ({ world, b }, bodyA) =>
      world.createJoint({ type: 'ball', bodyA, bodyB: b, anchor: [0, 0, 0] }),
  ],
  [
    'createJoint: bodyB',
    ({ world, a }, bodyB) =>
      world.createJoint({ type: 'ball', bodyA: a, bodyB, anchor: [0, 0, 0] }),
  ],
  [
    'createConstraint: bodies[0]',
    ({ world }, body) =>
      world.createConstraint({ type: 'custom', bodies: [body], dimension: 1, evaluate: () => {} }),
  ],
  [
    'createConstraint: bodies[1]',
    ({ world, a }, body) =>
      world.createConstraint({
        type: 'custom',
        bodies: [a, body],
        dimension: 1,
        evaluate: () => {},
      }),
  ],
  [
    'createPotential: bodies[0]',
    ({ world }, bodies) => world.createPotential({ type: 'drag', linear: 1, bodies }),
  ],
  [
    'createPotential: bodies[1]',
    ({ world, a }, body) => world.createPotential({ type: 'drag', linear: 1, bodies: [a, body] }),
  ],
  [
    'createPotential: bodyA',
    ({ world, b }, bodyA) =>
      world.createPotential({ type: 'spring', bodyA, bodyB: b, stiffness: 1 }),
  ],
  [
    'createPotential: bodyB',
    ({ world, a }, bodyB) =>
      world.createPotential({ type: 'spring', bodyA: a, bodyB, stiffness: 1 }),
  ],
  ['force: body', ({ spring }, body) => spring.force(body)],
  ['torque: body', ({ spring }, body) => spring.torque(body)],
  ['rayCast: exclude', ({ world }, exclude) => world.rayCast([0, 0, 0], [1, 0, 0], { exclude })],
  [
    'readRayCast: exclude',
    ({ world }, exclude) => world.readRayCast({}, [0, 0, 0], [1, 0, 0], { exclude }),
  ],
  [
    'rayCastAll: exclude',
    ({ world }, exclude) => world.rayCastAll([0, 0, 0], [1, 0, 0], { exclude }),
  ],
]

/**
 * @param {() => unknown} call
 * @param {string} code
 * @param {string} text
 */
function assertRefused(call, code, text) {
  assert.throws(call, (/** @type {unknown} */ error) => {
    assert.ok(error instanceof MoreauError, String(error))
    assert.equal(error.code, code)
    assert.ok(error.message.includes(text), error.message)
    return true
  })
}

describe('a body of another world', () => {
  for (const [name, call] of CALLS) {
    test(`is refused by ${name}`, () => {
      const here = makeRoom()
      const there = makeRoom()
      const hash = here.world.hash()
      assert.equal(there.a.id, here.a.id)
      assertRefused(() => call(here, there.a), 'invalid-argument', 'body 1 is of another world')
      assertRefused(() => call(here, there.a), 'invalid-argument', name)
      assert.equal(here.world.hash(), hash)
    })

    test(`whose world was freed is refused by ${name}`, () => {
      const here = makeRoom()
      const there = makeRoom()
      there.world.free()
      assertRefused(() => call(here, there.a), 'invalid-argument', 'body 1 is of another world')
    })

    test(`is told from one that was destroyed by ${name}`, () => {
      const here = makeRoom()
      const gone = here.world.createBody({ shape: ball })
      gone.destroy()
      assertRefused(() => call(here, gone), 'stale-handle', 'body 3 was destroyed')
    })
  }
})

describe('ids', () => {
  test('are whole numbers that count the lives of a slot in steps of 2^32', () => {
    const { world, a, b } = makeRoom()
    assert.deepEqual([a.id, b.id], [1, 2])
    assert.deepEqual([a.index, b.index], [0, 1])
    b.destroy()
    const again = world.createBody({ shape: ball })
    assert.equal(again.id, 2 ** 32 + 2)
    assert.equal(again.index, 1)
    assert.equal(world.bodyById(again.id), again)
    assert.equal(world.bodyById(2), undefined)
  })

  test('of a second life are those of contacts, events, rays and potentials too', () => {
    const world = new World({ gravity: [0, -9.81, 0] })
    for (const old of [1, 2].map(() => world.createBody({ shape: ball }))) old.destroy()
    const floor = world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [5, 0.5, 5] },
      position: [0, -0.5, 0],
    })
    const body = world.createBody({
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      position: [0, 0.5, 0],
    })
    assert.ok(floor.id > 2 ** 32 && body.id > 2 ** 32)
    /** @type {unknown[]} */
    const seen = []
    world.createPotential({ type: 'custom', bodies: body, force: (view) => void seen.push(view) })
    world.on('sleep', ({ asleep }) => seen.push(asleep[0]))
    world.step(1 / 60)
    assert.equal(world.contactPoints()[0].bodyB, body)
    assert.equal(body.contacts()[0].other, floor)
    const numbers = new Float64Array(13)
    world.readContactPoints(numbers)
    assert.deepEqual([...numbers.subarray(0, 2)], [floor.id, body.id])
    assert.equal(world.rayCast([0, 5, 0], [0, -1, 0])?.body, body)
    assert.equal(world.rayCast([0, 5, 0], [0, -1, 0], { exclude: body })?.body, floor)
    assert.ok(seen.length > 0)
    seen.length = 0
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    assert.ok(seen.includes(body))
  })

  test('and hashes do not depend on how many worlds there were', () => {
    const first = makeRoom()
    for (let i = 0; i < 5; i++) new World().free()
    const second = makeRoom()
    for (const { world } of [first, second]) for (let i = 0; i < 10; i++) world.step(1 / 60)
    assert.equal(first.world.hash(), second.world.hash())
    assert.deepEqual([...first.world.bodyIds], [...second.world.bodyIds])
  })

  test('stay right in bodyIds, whatever a user does to that', () => {
    const { world, a, b } = makeRoom()
    const { bodyIds } = world
    assert.deepEqual([...bodyIds], [1, 2])
    bodyIds.fill(77)
    assert.ok(a.isAlive)
    structuredClone(bodyIds, { transfer: [bodyIds.buffer] })
    assert.deepEqual([...world.bodyIds], [1, 2])
    b.destroy()
    assert.deepEqual([...world.bodyIds], [1, 0])
    assert.ok(a.isAlive)
  })
})
