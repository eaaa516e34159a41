// Calls where JavaScript's own stack is about to end: each is made or refused as a whole.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'

/** Frames of the recursion in which calls are tried: more than the room that any of them takes. */
const TRIED_FRAMES = 1500

/**
 * Makes a call in each of the deepest frames that the stack has room for, the deepest first.
 * @param {() => void} call
 * @returns {{ made: number, refused: number }} refused: by a RangeError, as JavaScript does itself
 */
function callNearTheEnd(call) {
  const count = { made: 0, refused: 0 }
  let tried = 0
  const attempt = () => {
    tried++
    try {
      call()
      count.made++
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      count.refused++
    }
  }
  const descend = () => {
    try {
      descend()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      if (tried < TRIED_FRAMES) attempt()
      throw error
    }
  }
  assert.throws(descend, RangeError)
  assert.ok(count.made > 0 && count.refused > 0, JSON.stringify(count))
  return count
}

/** @param {Partial<import('moreau').WorldOptions>} [options] */
function scene(options) {
  const world = new World({ allowSleep: false, ...options })
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const shape = { type: /** @type {const} */ ('box'), halfExtents: [0.5, 0.5, 0.5] }
  for (let i = 0; i < 4; i++) world.createBody({ shape, position: [0.1 * i, 0.5 + i, 0] })
  return world
}

before(() => init())

for (const solver of /** @type {const} */ (['soft-step', 'exact'])) {
  test(`steps near the end of the stack are made or refused (${solver})`, () => {
    const world = scene({ solver })
    let made = 0
    for (let round = 0; round < 3; round++) made += callNearTheEnd(() => world.step(1 / 60)).made
    const twin = scene({ solver })
    for (let i = 0; i < made; i++) twin.step(1 / 60)
    assert.equal(world.hash(), twin.hash())
    world.free()
    twin.free()
  })
}

test('functions of the user near the end of the stack leave no lock', () => {
  const world = scene()
  const [, body] = world.bodies
  const constraint = world.createConstraint({
    type: 'custom',
    bodies: [body],
    dimension: 1,
    evaluate: (bodyA, bodyB, time, out) => void (out[0] = bodyA.position[0]),
  })
  for (let round = 0; round < 5; round++) callNearTheEnd(() => constraint.violation())
  world.step(1 / 60)
  world.free()
})

test('bodies, joints and settings near the end of the stack are whole or not there', () => {
  const world = scene()
  const shape = createShape({ type: 'sphere', radius: 0.2 })
  const [, bodyA, bodyB] = world.bodies
  const made = callNearTheEnd(() => world.createBody({ shape, position: [0, 9, 0] })).made
  assert.equal(world.bodies.length, 5 + made)
  const joined = callNearTheEnd(() =>
    world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [0, 1, 0] }),
  ).made
  assert.equal(world.joints.length, joined)
  callNearTheEnd(() => (world.iterations = 17))
  // There may be fewer bodies than calls: to make one takes more of the stack than to destroy one.
  callNearTheEnd(() => world.bodies.at(-1)?.destroy())
  world.step(1 / 60)
  assert.equal(world.stats.bodies, world.bodies.length)
  world.free()
  shape.free()
})

describe('reading and setting near the end of the stack', () => {
  const calls = /** @type {Record<string, (world: World) => unknown>} */ ({
    position: (world) => (world.bodies[1].position = [0, 3, 0]),
    mass: (world) => world.bodies[1].mass,
    impulse: (world) => world.bodies[2].applyImpulse([0, 0, 0], [1, 2, 3]),
    gravity: (world) => world.gravity,
    ray: (world) => world.rayCast([0, 9, 0], [0, -1, 0]),
    energy: (world) => world.energy(),
    residual: (world) => world.residual(),
    islands: (world) => world.islands(),
    hash: (world) => world.hash(),
  })
  for (const [name, call] of Object.entries(calls)) {
    // 560 refused calls emptied the module's own stack once.
    test(name, () => {
      const world = scene()
      world.step(1 / 60)
      for (let round = 0; round < 3; round++) callNearTheEnd(() => call(world))
      call(world)
      world.step(1 / 60)
      world.free()
    })
  }
})

test('a clock of the user that throws passes nothing through the engine', (t) => {
  const world = scene({ profile: true })
  t.mock.method(performance, 'now', () => {
    throw new Error('no clock')
  })
  world.step(1 / 60)
  assert.equal(world.profile().step, 0)
  world.free()
})

test('a step that traps is refused as a whole, and the next ones are as if it had not been', async () => {
  // What only a fault of the engine would do is done to it: a function that it calls in the middle of a step ends it.
  let isFailing = false
  const { Instance } = WebAssembly
  WebAssembly.Instance = class extends Instance {
    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
    constructor(module, imports = {}) {
      for (const part of /** @type {any[]} */ (Object.values(imports))) {
        for (const [name, imported] of Object.entries(part)) {
          if (typeof imported !== 'function') continue
          part[name] = (/** @type {any[]} */ ...values) => {
            if (isFailing) throw new WebAssembly.RuntimeError('a fault')
            return imported(...values)
          }
        }
      }
      super(module, imports)
    }
  }
  const moreau = await import(`${import.meta.resolve('moreau')}?stack=1`)
  moreau.initSync()
  WebAssembly.Instance = Instance

  const make = () => {
    const world = new moreau.World({ allowSleep: false })
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const body = world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [0, 1.1, 0] })
    const force = (/** @type {any} */ one, /** @type {number} */ time, /** @type {any} */ out) =>
      void (out[0] = 1)
    world.createPotential({ type: 'custom', force })
    return { world, body }
  }
  const { world, body } = make()
  const twin = make().world
  for (let i = 0; i < 40; i++) {
    isFailing = i % 8 === 7
    if (isFailing) assert.throws(() => world.step(1 / 60), { code: 'wasm-failed' })
    isFailing = false
    assert.equal(world.hash(), twin.hash())
    world.step(1 / 60)
    twin.step(1 / 60)
    assert.equal(world.hash(), twin.hash())
  }
  body.destroy()
  world.free()
})
