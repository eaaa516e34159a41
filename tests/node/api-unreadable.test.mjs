// What users give may refer to itself, be of any depth, or have functions that throw: the error says where.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ConvexHull, createShape, init, MoreauError, World } from 'moreau'

/** @type {any} */
let world
before(async () => {
  await init()
  world = new World()
})

/** @param {Record<string, any>} target @param {string[]} path */
const inside = (target, ...path) => path.reduce((object, key) => object[key], target)

/** Something that refers to what it is in. @param {string} name */
function cyclic(name) {
  /** @type {any} */
  const value = { type: 'box', halfExtents: [1, 1, 1] }
  value[name] = value
  return value
}

/** Lists within each other. @param {number} depth */
function deep(depth) {
  /** @type {any} */
  let value = { type: 'sphere', radius: 1 }
  for (let i = 0; i < depth; i++) value = { type: 'compound', shapes: [value] }
  return value
}

const trap = () => {
  throw new TypeError('of the trap')
}

/** A getter that throws. @param {string} name @param {object} others */
const throwing = (name, others = {}) =>
  Object.defineProperty({ ...others }, name, { get: trap, enumerable: true })

/** Objects whose every trap throws. @type {[string, () => any][]} */
const PROXIES = [
  ['ownKeys', () => new Proxy({}, { ownKeys: trap })],
  ['get', () => new Proxy({ type: 'box' }, { get: trap })],
  ['getOwnPropertyDescriptor', () => new Proxy({ a: 1 }, { getOwnPropertyDescriptor: trap })],
  ['getPrototypeOf', () => new Proxy({ type: 'box', halfExtents: 3 }, { getPrototypeOf: trap })],
]

/** @param {() => unknown} call @param {RegExp} message */
function refused(call, message) {
  let thrown
  try {
    call()
  } catch (error) {
    thrown = error
  }
  assert.ok(thrown instanceof MoreauError, `${String(thrown)} of ${call}`)
  assert.equal(thrown.code, 'invalid-argument')
  assert.match(thrown.message, message)
  assert.ok(thrown.message.length < 700, `${thrown.message.length} characters`)
}

describe('World.fromJSON', () => {
  const scene = (/** @type {object} */ parts) => ({ version: 1, ...parts })
  const body = (/** @type {any} */ shape) => scene({ bodies: [{ shape }] })

  /** @type {[string, () => any, RegExp][]} */
  const cases = [
    [
      'a shape that refers to itself',
      () => body(cyclic('self')),
      /scene\.bodies\[0\]\.shape\.self.*refer/,
    ],
    [
      'shapes within themselves',
      () => body({ type: 'compound', shapes: [cyclic('shapes')] }),
      /bodies\[0\]\.shape/,
    ],
    [
      'a scene in itself',
      () => {
        const whole = body({ type: 'sphere', radius: 1 })
        inside(whole, 'bodies', '0').shape.userData = whole
        return whole
      },
      /scene\.bodies\[0\]\.shape\.userData.*refer.*it is World\.fromJSON: scene/,
    ],
    ['settings that refer to themselves', () => scene({ settings: cyclic('gravity') }), /settings/],
    ['a joint that refers to itself', () => scene({ joints: [cyclic('bodyA')] }), /joints\[0\]/],
    ['a depth of 100,000', () => body(deep(1e5)), /bodies\[0\]\.shape.*deep/],
    ['a big integer', () => body({ type: 'sphere', radius: 1n }), /bodies\[0\]\.shape|scene/],
    [
      'a getter of the scene',
      () => throwing('bodies', scene({})),
      /scene\.bodies cannot be read.*of the trap/,
    ],
    [
      'a getter of a body',
      () => scene({ bodies: [throwing('position')] }),
      /bodies\[0\]\.position/,
    ],
    ['a getter of a shape', () => body(throwing('radius', { type: 'sphere' })), /shape\.radius/],
    [
      'a getter of an asset',
      () => ({ ...body({ type: 'hull', asset: 'a' }), assets: throwing('a') }),
      /assets/,
    ],
    ['a list that throws', () => scene({ bodies: new Proxy([], { get: trap }) }), /scene\.bodies/],
    [
      'a text that throws',
      () => body({ type: 'sphere', radius: 1, toJSON: trap }),
      /toJSON|shape|scene/,
    ],
  ]
  for (const [name, make, message] of cases) {
    test(`refuses ${name}`, () => refused(() => World.fromJSON(make()), message))
  }

  for (const [name, make] of PROXIES) {
    test(`refuses a Proxy whose ${name} throws, anywhere`, () => {
      refused(() => World.fromJSON(make()), /World\.fromJSON|version/)
      refused(() => World.fromJSON(body(make())), /bodies\[0\]|scene/)
      refused(() => World.fromJSON(scene({ bodies: [make()] })), /bodies\[0\]/)
      refused(() => World.fromJSON(scene({ settings: make() })), /settings/)
      refused(() => World.fromJSON(scene({}), make()), /options/)
    })
  }

  test('leaves no world behind', () => {
    const { wasmBytes } = world.memory()
    for (let i = 0; i < 2000; i++) {
      assert.throws(() => World.fromJSON(body(cyclic('self'))), MoreauError)
    }
    assert.equal(world.memory().wasmBytes, wasmBytes)
  })
})

describe('definitions and options', () => {
  const sphere = { type: 'sphere', radius: 1 }
  /** What reads an object, and the name of one of its members. @type {[string, string, (value: any) => unknown][]} */
  const readers = [
    ['createBody', 'position', (value) => world.createBody(value)],
    ['createBody', 'type', (value) => world.createBody({ shape: value })],
    ['createBody', 'type', (value) => world.createBody({ shapes: [sphere, value] })],
    ['createShape', 'type', (value) => createShape(value)],
    ['createShape', 'shapes', (value) => createShape({ type: 'compound', shapes: [value] })],
    ['createJoint', 'type', (value) => world.createJoint(value)],
    ['createConstraint', 'type', (value) => world.createConstraint(value)],
    ['createPotential', 'type', (value) => world.createPotential(value)],
    ['createCharacter', 'shape', (value) => world.createCharacter(value)],
    ['createVehicle', 'chassis', (value) => world.createVehicle(value)],
    ['createRagdoll', 'bones', (value) => world.createRagdoll(value)],
    ['explode', 'position', (value) => world.explode(value)],
    ['World', 'gravity', (value) => new World(value)],
    ['advance', 'fixedDt', (value) => world.advance(1, value)],
    ['history', 'seconds', (value) => world.history(value)],
    ['ConvexHull.fromPoints', '0', (value) => ConvexHull.fromPoints([[0, 0, 0], value])],
  ]
  for (const [where, name, read] of readers) {
    test(`${where} says where ${name} cannot be read, or refers to itself`, () => {
      const hash = world.hash()
      refused(() => read(throwing(name)), new RegExp(`^${where}.*(cannot be read|must|unknown)`))
      refused(() => read(cyclic(name)), new RegExp(`^${where}`))
      for (const [, make] of PROXIES) refused(() => read(make()), new RegExp(`^${where}`))
      assert.equal(world.hash(), hash)
    })
  }

  test('World.replay says which option cannot be read', () => {
    const recording = new World().record()
    const bytes = recording.stop()
    refused(
      () => World.replay(bytes, throwing('constraints')),
      /^World\.replay: options\.constraints/,
    )
  })

  test('shapes of any depth are refused', () => {
    refused(() => createShape(deep(1e5)), /^createShape/)
    refused(() => world.createBody({ shape: deep(1e5) }), /^createBody/)
    refused(() => createShape(cyclic('shapes')), /^createShape/)
  })

  test('what a getter throws is in the cause', () => {
    assert.throws(
      () => world.createBody(throwing('position', { shape: sphere })),
      (/** @type {any} */ { message, cause }) => {
        assert.equal(
          message,
          'createBody: definition.position cannot be read: TypeError: of the trap',
        )
        assert.equal(cause.message, 'of the trap')
        return true
      },
    )
  })
})
