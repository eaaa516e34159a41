// Arguments that are no arguments, and objects whose getters and setters make calls of their own.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { beforeEach, describe, test } from 'node:test'
import * as moreau from 'moreau'

const { Body, Bounds, ConvexHull, createShape, init, MoreauError, Shape, World } = moreau

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

/** @type {any} whatever the types say */
let world
/** @type {any} */
let body

beforeEach(async () => {
  await init()
  world = new World()
  body = world.createBody({ shape: ball, position: [1, 2, 3] })
})

/** @param {object} target */
function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Made anew for each call, some of which write to them. */
const strange = /** @type {[string, () => unknown][]} */ ([
  ['a symbol', () => Symbol('strange')],
  ['symbols', () => [Symbol('strange'), Symbol('strange'), Symbol('strange')]],
  ['no prototype', () => Object.create(null)],
  ['no text', () => ({ toString: null, valueOf: null })],
  ['a constructor without a name', () => ({ constructor: Symbol('strange') })],
  ['a revoked object', () => revoked({})],
  ['a revoked array', () => revoked([])],
  ['revoked numbers', () => [revoked({}), 1, 2]],
  ['a proxy', () => new Proxy({}, {})],
  ['a long array', () => new Array(3e9)],
  ['big integers', () => [1n, 2n, 3n]],
  ['a long text', () => 'x'.repeat(1e6)],
])

const calls = /** @type {[string, (value: any) => unknown][]} */ ([
  ['World', (value) => new World(value)],
  ['gravity', (value) => (world.gravity = value)],
  ['solver', (value) => (world.solver = value)],
  ['profiling', (value) => (world.profiling = value)],
  ['step', (value) => world.step(value)],
  ['advance', (value) => world.advance(value)],
  ['createBody', (value) => world.createBody(value)],
  ['shape', (value) => world.createBody({ shape: value })],
  ['shapes', (value) => world.createBody({ shapes: value })],
  ['mass', (value) => world.createBody({ shape: ball, mass: value, density: value })],
  ['points', (value) => world.createBody({ shape: { type: 'hull', points: value } })],
  ['hull', (value) => createShape({ type: 'hull', hull: value })],
  ['fromPoints', (value) => ConvexHull.fromPoints(value)],
  ['position', (value) => (body.position = value)],
  ['orientation', (value) => (body.orientation = value)],
  ['inertia', (value) => (body.inertia = value)],
  ['filter', (value) => (body.filter = value)],
  ['lockRotation', (value) => (body.lockRotation = value)],
  ['applyImpulse', (value) => body.applyImpulse([1, 0, 0], value)],
  ['readPosition', (value) => body.readPosition(value)],
  ['readInertia', (value) => body.readInertia(value)],
  ['createJoint', (value) => world.createJoint(value)],
  ['bodyA', (value) => world.createJoint({ type: 'ball', bodyA: value, anchor: [0, 0, 0] })],
  ['anchor', (value) => world.createJoint({ type: 'ball', bodyA: body, anchor: value })],
  ['createConstraint', (value) => world.createConstraint(value)],
  ['bodies', (value) => world.createConstraint({ type: 'unitQuaternion', bodies: value })],
  [
    'bounds',
    (value) => {
      const evaluate = () => {}
      const constraint = { type: 'custom', bodies: body, dimension: 1, evaluate, bounds: value }
      return world.createConstraint(constraint)
    },
  ],
  ['createPotential', (value) => world.createPotential(value)],
  [
    'acting bodies',
    (value) => world.createPotential({ type: 'gravity', gravity: [0, 1, 0], bodies: value }),
  ],
  ['rayCast', (value) => world.rayCast(value, [0, 1, 0])],
  ['exclude', (value) => world.rayCast([0, 0, 0], [0, 1, 0], { exclude: value })],
  ['readContactPoints', (value) => world.readContactPoints(value)],
  ['on', (value) => world.on(value, () => {})],
  ['collide', (value) => moreau.collide(value, {}, ball, {})],
  ['pose', (value) => moreau.collide(ball, value, ball, { position: value })],
  ['problem', (value) => moreau.solveContactProblem(value)],
  ['W', (value) => moreau.solveContactProblem({ W: value, q: [0, 0, 0], mu: [1] })],
  ['mu', (value) => moreau.solveContactProblem({ W: [[1]], q: [0], mu: value })],
])

/** What takes anything, or any object: there it is enough that nothing else is thrown. */
const TAKING = ['readPosition', 'readInertia', 'pose', 'filter', 'World', 'lockRotation', 'bodies']

for (const [name, call] of calls) {
  test(`${name} refuses strange values by an error of its own`, () => {
    const hash = world.hash()
    for (const [kind, make] of strange) {
      try {
        call(make())
        assert.ok(TAKING.includes(name), `${name} took ${kind}`)
      } catch (error) {
        assert.ok(error instanceof MoreauError, `${kind}: ${String(error)}`)
        assert.ok(error.message.length < 700, `${kind}: ${error.message.length} characters`)
      }
    }
    assert.equal(world.hash(), hash)
    world.step(1 / 60)
  })
}

test('what only looks like a body, bounds, a shape or a list is none', () => {
  const forged = (/** @type {any} */ type) => Object.create(type.prototype)
  const evaluate = () => {}
  const custom = { type: 'custom', bodies: body, dimension: 1, evaluate }
  const attempts = [
    () => world.createJoint({ type: 'ball', bodyA: forged(Body), anchor: [0, 0, 0] }),
    () => world.createConstraint({ ...custom, bodies: [forged(Body)] }),
    () => world.createPotential({ type: 'gravity', gravity: [0, 1, 0], bodies: forged(Body) }),
    () => world.rayCast([0, 0, 0], [0, 1, 0], { exclude: forged(Body) }),
    () => world.createConstraint({ ...custom, bounds: forged(Bounds) }),
    () => createShape({ type: 'hull', hull: forged(ConvexHull) }),
    () => world.readContactPoints(forged(Float64Array)),
    () => world.readContactPoints(new Proxy(new Float64Array(13), {})),
  ]
  for (const call of attempts) {
    assert.throws(call, { name: 'MoreauError', code: 'invalid-argument' }, String(call))
  }
})

test('what is frozen, or takes no numbers, is no place to write to', () => {
  const frozen = Object.freeze({ position: [], x: 0, bodies: 0, worst: 0, kinetic: 0, step: 0 })
  const attempts = [
    () => body.readPosition(Object.freeze([])),
    () => body.readOrientation(frozen),
    () => body.readLinearVelocity(new BigInt64Array(3)),
    () => body.readInertia(Object.freeze([])),
    () => world.readStats(frozen),
    () => world.readEnergy(frozen),
    () => world.readResidual(frozen),
    () => world.readProfile(frozen),
    () => world.readRayCast(frozen, [1, 9, 3], [0, -1, 0]),
  ]
  for (const call of attempts) {
    assert.throws(call, { name: 'MoreauError', code: 'invalid-argument', message: /: out/ })
  }
})

test('hulls and shapes are not made by new', () => {
  for (const argument of [8, 4e9, 1]) {
    assert.throws(() => Reflect.construct(ConvexHull, [argument]), { code: 'invalid-argument' })
  }
  const definition = { type: 'sphere', radius: -1, position: [0, 0, 0], orientation: [0, 0, 0, 1] }
  assert.throws(() => Reflect.construct(Shape, [definition, 'new', 'caller']), {
    code: 'invalid-argument',
  })
})

test('a potential may act on 130000 bodies', () => {
  const shape = createShape(ball)
  const bodies = []
  for (let i = 0; i < 130000; i++) bodies.push(world.createBody({ shape, position: [2 * i, 0, 0] }))
  const potential = world.createPotential({ type: 'gravity', gravity: [0, 1, 0], bodies })
  assert.equal(potential.bodies.length, 130000)
  world.free()
  shape.free()
})

describe('getters and setters that make calls of their own', () => {
  const other = () => world.createBody({ shape: ball, position: [5, 5, 5], mass: 7 })

  test('userData of a joint', () => {
    const definition = {
      ...{ type: 'ball', bodyA: body, bodyB: null, anchor: [1, 2, 3] },
      get userData() {
        return world.createJoint({
          type: 'hinge',
          bodyA: other(),
          anchor: [5, 5, 5],
          axis: [1, 0, 0],
        })
      },
    }
    const joint = world.createJoint(definition)
    assert.deepEqual([joint.type, joint.dimension, joint.userData.dimension], ['ball', 3, 5])
    assert.deepEqual(joint.violation(), [0, 0, 0])
  })

  test('userData of a custom constraint', () => {
    const evaluate = (
      /** @type {any} */ a,
      /** @type {any} */ b,
      /** @type {any} */ t,
      /** @type {any} */ out,
    ) => out.fill(0.25)
    const definition = {
      ...{ type: 'custom', bodies: body, dimension: 2, evaluate },
      get userData() {
        return other().mass
      },
    }
    const constraint = world.createConstraint(definition)
    assert.deepEqual(constraint.violation(), [0.25, 0.25])
    assert.equal(constraint.userData, 7)
  })

  test('the point of an impulse', () => {
    const pushed = other()
    const point = {
      get x() {
        pushed.applyImpulse([7, 7, 7])
        return 1
      },
      ...{ y: 2, z: 3 },
    }
    body.mass = 1
    body.applyImpulse([1, 0, 0], point)
    assert.deepEqual(
      [body.linearVelocity, pushed.linearVelocity],
      [
        [1, 0, 0],
        [1, 1, 1],
      ],
    )
  })

  test('a setting', () => {
    world.gravity = {
      get x() {
        world.iterations = 17
        return 1
      },
      ...{ y: 0, z: 0 },
    }
    assert.deepEqual([world.gravity, world.iterations], [[1, 0, 0], 17])
  })

  test('a place for a vector', () => {
    const out = {
      set x(/** @type {any} */ value) {
        for (let i = 0; i < 20000; i++) other()
      },
      ...{ y: 0, z: 0 },
    }
    body.readPosition(out)
    assert.deepEqual([out.y, out.z], [2, 3])
    body.mass = 3
    const momentum = { y: 1, z: 1 }
    Object.defineProperty(momentum, 'x', {
      set() {
        void other().mass
      },
    })
    body.readWorldCenterOfMass(momentum)
    assert.deepEqual(momentum, { y: 2, z: 3 })
  })

  test('places for read-outs', () => {
    const stats = {
      set bodies(/** @type {any} */ value) {
        void world.gravity
      },
    }
    assert.equal(world.readStats(stats).awake, 1)
    const energy = {
      set kinetic(/** @type {any} */ value) {
        void world.gravity
      },
    }
    assert.equal(world.readEnergy(energy).total, world.energy().total)
    const hit = {
      set distance(/** @type {any} */ value) {},
      get position() {
        return (world.rayCast([0, 0, 0], [0, 1, 0]), [])
      },
    }
    assert.equal(world.readRayCast(hit, [1, 9, 3], [0, -1, 0]).body, body)
    assert.deepEqual(
      world.readRayCast(
        {
          get position() {
            world.rayCast([1, 2, 9], [0, 0, -1])
            return this.kept
          },
          kept: [],
        },
        [1, 9, 3],
        [0, -1, 0],
      ).kept,
      [1, 2.5, 3],
    )
  })

  test('numbers of a contact problem', () => {
    let asked = 0
    const q = [-1, 0.3, 0]
    Object.defineProperty(q, 1, { get: () => (asked++ === 0 ? 0.3 : NaN) })
    const W = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]
    const result = moreau.solveContactProblem({ W, q, mu: [0.5] })
    assert.ok(result.residual < 1e-8)
  })
})

test('profiling cannot be set by a function of the user', () => {
  world.createPotential({ type: 'custom', force: () => (world.profiling = true) })
  assert.throws(() => world.step(1 / 60), { code: 'potential-failed' })
  assert.equal(world.profiling, false)
})

describe('a load that hangs', () => {
  let copies = 0
  const fresh = () => import(`${import.meta.resolve('moreau')}?strange=${copies++}`)
  const never = new Promise(() => {})

  test('holds nobody up after initSync', async () => {
    const copy = await fresh()
    const hanging = copy.init({ wasm: never })
    copy.initSync()
    await hanging
    const made = await copy.World.create()
    made.step(1)
  })

  test('holds nobody up after a load from elsewhere', async () => {
    const copy = await fresh()
    const hanging = copy.init({ wasm: never })
    await copy.init({ wasm: await readFile(new URL(import.meta.resolve('moreau/moreau.wasm'))) })
    await hanging
    const made = await copy.World.create()
    made.step(1)
  })
})

test('the module checks what it is told of sizes', async () => {
  const bytes = await readFile(new URL(import.meta.resolve('moreau/moreau.wasm')))
  const imports = { moreau: { callback: () => 1 } }
  const { instance } = await WebAssembly.instantiate(bytes, imports)
  const engine = /** @type {any} */ (instance.exports)
  engine._initialize?.()
  assert.equal(engine.io_reserve(2 ** 29 + 1), 0, '4 GB and 8 bytes')
  const io = engine.io_reserve(1) / 8
  const numbers = () => new Float64Array(engine.memory.buffer)
  engine.world_default_settings(1)
  const made = engine.world_create()
  // A body of 2^32 - 1 shapes, then a custom constraint with a name as long.
  engine.body_default()
  numbers().fill(0, io, io + 44)
  numbers()[io + 43] = 2 ** 32 - 1
  assert.equal(engine.body_create(made), 0)
  numbers().fill(0, io, io + 144)
  numbers()[io + 28 + 4] = 1
  numbers()[io + 28 + 5 + 4] = 2 ** 32 - 1
  assert.equal(engine.constraint_create(made), 0)
  assert.equal(engine.world_step(made, 1 / 60), 0)
})

test('numbers whose memory went elsewhere are refused by name', () => {
  const gone = new Float64Array(3)
  structuredClone(gone.buffer, { transfer: [gone.buffer] })
  for (const [name, call] of /** @type {[RegExp, () => void][]} */ ([
    [/inertia/, () => (body.inertia = /** @type {any} */ (gone))],
    [/inertia/, () => world.createBody({ mass: 1, inertia: /** @type {any} */ (gone) })],
    [/shape/, () => world.createBody({ shapes: /** @type {any} */ (gone) })],
    [/position/, () => (body.position = /** @type {any} */ (gone))],
  ])) {
    assert.throws(call, { name: 'MoreauError', code: 'invalid-argument', message: name })
  }
})
