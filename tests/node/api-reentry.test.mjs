// Arguments whose getters change the world, or free it, while they are being read.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createShape, init, World } from 'moreau'

const box = { type: /** @type {const} */ ('box'), halfExtents: [0.5, 0.5, 0.5] }

/** @type {World} */
let world

beforeEach(async () => {
  await init()
  world = new World()
})

/**
 * A vector that does something when its x is read.
 * @param {() => void} effect
 */
const vectorThat = (effect) => ({
  get x() {
    effect()
    return 1
  },
  y: 0,
  z: 0,
})

const stale = { name: 'MoreauError', code: 'stale-handle' }

test('a definition that frees its world makes no body, in no world', () => {
  /** @type {World | undefined} */
  let other
  const definition = {
    get shape() {
      world.free()
      other = new World()
      return box
    },
  }
  assert.throws(() => world.createBody(definition), stale)
  assert.equal(other?.stats.bodies, 0)
  other?.step(1 / 60)
  other?.free()
})

test('a definition that frees its shape makes no body', () => {
  const shape = createShape(box)
  const definition = {
    shape,
    get friction() {
      shape.free()
      return 0.5
    },
  }
  assert.throws(() => world.createBody(definition), stale)
  assert.equal(world.bodies.length, 0)
})

test('a vector that frees the world is not set', () => {
  assert.throws(() => (world.gravity = vectorThat(() => world.free())), stale)
})

for (const name of /** @type {const} */ (['position', 'linearVelocity', 'centerOfMass'])) {
  test(`a ${name} that frees the world, or destroys the body, is not set`, () => {
    const body = world.createBody({ shape: box })
    assert.throws(() => (body[name] = vectorThat(() => body.destroy())), stale)
    const next = world.createBody({ shape: box })
    assert.throws(() => (next[name] = vectorThat(() => world.free())), stale)
  })
}

test('a force that destroys its body is refused', () => {
  const body = world.createBody({ shape: box })
  assert.throws(() => body.applyForce(vectorThat(() => body.destroy())), stale)
  assert.throws(() => body.applyImpulse(vectorThat(() => world.free())), stale)
})
