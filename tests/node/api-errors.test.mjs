import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Body, createShape, init, MoreauError, Shape, World } from 'moreau'

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

before(() => init())

/**
 * What is passed, how the message ends or what it holds, and the code if it is not that of a bad
 * argument.
 * @typedef {[options: any, message: string, code?: string]} Case
 */

/**
 * @param {() => unknown} call
 * @param {string} message
 * @param {string} code
 */
function refused(call, message, code) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof MoreauError, String(error))
    assert.equal(error.code, code, error.message)
    assert.ok(error.message.includes(message), `"${error.message}" lacks "${message}"`)
    assert.doesNotMatch(error.message, /\b(\w+): \1 /, 'a name is said once')
    return true
  })
}

test('MoreauError has a name, a code and a cause', () => {
  const cause = new Error('behind')
  const error = new MoreauError('capacity', 'full', { cause })
  assert.ok(error instanceof Error)
  assert.equal(error.name, 'MoreauError')
  assert.equal(error.code, 'capacity')
  assert.equal(error.message, 'full')
  assert.equal(error.cause, cause)
})

/** @type {Case[]} */
const worldCases = [
  [null, 'World: options must be an object, got null'],
  [[], 'World: options must be an object, got []'],
  [{ gravty: [0, 0, 0] }, "World: unknown option 'gravty'; did you mean 'gravity'?"],
  [{ iteration: 5 }, "did you mean 'iterations'?"],
  [{ Tolerance: 5 }, "did you mean 'tolerance'?"],
  [{ colour: 5 }, "World: unknown option 'colour'; known are lengthUnit, gravity, solver"],
  [{ gravity: [0, NaN, 0] }, 'World: gravity must be three finite numbers'],
  [{ gravity: [0, NaN, 0] }, 'got [0, NaN, 0]'],
  [{ gravity: [0, -10] }, 'got [0, -10]'],
  [{ gravity: 10 }, 'got 10'],
  [{ gravity: { x: 0, y: '1', z: 0 } }, "got { x: 0, y: '1', z: 0 }"],
  [{ gravity: null }, 'got null'],
  [{ iterations: 0 }, 'World: iterations must be a whole number from 1 to 100000, got 0'],
  [{ iterations: 2.5 }, 'got 2.5'],
  [{ iterations: 1e6 }, 'got 1000000'],
  [{ iterations: '20' }, "got '20'"],
  [{ tolerance: -1 }, 'World: tolerance must be a finite number, 0 or more, got -1'],
  [{ tolerance: Infinity }, 'got Infinity'],
  [
    { restitutionThreshold: -1 },
    "World: restitutionThreshold must be a finite number, 0 or more, or 'auto', got -1",
  ],
  [{ restitutionThreshold: 'none' }, "got 'none'"],
  [{ linearSlop: NaN }, "World: linearSlop must be a finite number, 0 or more, or 'auto', got NaN"],
  [{ errorReduction: 1.5 }, 'World: errorReduction must be a number from 0 to 1, got 1.5'],
  [
    { maxCorrectionSpeed: -2 },
    'World: maxCorrectionSpeed must be a finite number, 0 or more, got -2',
  ],
  [
    { stabilization: 'splitt' },
    "World: stabilization must be one of 'split', 'baumgarte', 'none', got 'splitt'; did you mean 'split'?",
  ],
  [{ stabilization: 3 }, 'got 3'],
  [
    { solver: 'block-psg' },
    "World: solver must be one of 'block-pgs', 'exact', 'bilateral', 'active-set', 'cone', 'soft-step', 'auto', got 'block-psg'; did you mean 'block-pgs'?",
  ],
  [
    { solver: 'magic' },
    "World: solver must be one of 'block-pgs', 'exact', 'bilateral', 'active-set', 'cone', 'soft-step', 'auto', got 'magic'",
  ],
  [{ substeps: 0 }, 'World: substeps must be a whole number from 1 to'],
  [
    { frictionLaw: 'viscous' },
    "World: frictionLaw must be one of 'coulomb', 'convex', got 'viscous'",
  ],
  [
    { impactLaw: 'poisson' },
    "World: impactLaw must be one of 'newton', 'generalized-reflections', got 'poisson'",
  ],
  [{ effort: 'much' }, "World: effort must be one of 'frame', 'step', 'offline', got 'much'"],
  [{ maxIterations: 0 }, 'World: maxIterations must be a whole number from 1 to 100000, got 0'],
  [{ exactMemoryLimit: 0.5 }, 'World: exactMemoryLimit must be a whole number from 1 to'],
  [{ integrator: 'verlet' }, 'World: integrator must be'],
  [{ allowSleep: 1 }, 'World: allowSleep must be true or false, got 1'],
  [{ contactHertz: 'x' }, "World: contactHertz must be a finite number above 0, got 'x'"],
  [{ contactDamping: -1 }, 'World: contactDamping must be a finite number, 0 or more, got -1'],
]

describe('options of a world', () => {
  for (const [options, message, code = 'invalid-argument'] of worldCases) {
    test(message, async () => {
      refused(() => new World(options), message, code)
      await assert.rejects(World.create(options), { code })
    })
  }

  test('are checked by the setters in the same way, and stay as they were', () => {
    const world = new World()
    const hash = world.hash()
    for (const [options, message, code = 'invalid-argument'] of worldCases) {
      if (options === null || Array.isArray(options)) continue
      const [[name, value]] = Object.entries(options)
      if (!(name in world)) continue
      const old = Reflect.get(world, name)
      refused(() => Reflect.set(world, name, value), message, code)
      assert.deepEqual(Reflect.get(world, name), old)
    }
    assert.equal(world.hash(), hash)
    world.step(1 / 60)
  })
})

describe('calls on a world', () => {
  const cases = /** @type {[(world: any) => unknown, string][]} */ ([
    [
      (world) => world.step(),
      'step: dt must be a finite number of seconds, 0 or more, got undefined',
    ],
    [(world) => world.step(-1), 'got -1'],
    [(world) => world.step(NaN), 'got NaN'],
    [(world) => world.step(Infinity), 'got Infinity'],
    [(world) => world.step('0.1'), "got '0.1'"],
    [
      (world) => world.advance(),
      'advance: seconds must be a finite number, 0 or more, got undefined',
    ],
    [(world) => world.advance(-1), 'got -1'],
    [
      (world) => world.advance(1, { fixedDt: 0 }),
      'advance: fixedDt must be a finite number above 0, got 0',
    ],
    [
      (world) => world.advance(1, { maxSteps: 0 }),
      'advance: maxSteps must be a whole number from 1 to',
    ],
    [
      (world) => world.advance(1, { maxStep: 3 }),
      "advance: unknown option 'maxStep'; did you mean 'maxSteps'?",
    ],
    [
      (world) => world.advance(1, { beforeStep: 3 }),
      'advance: beforeStep must be a function, got 3',
    ],
    [
      (world) => world.advance(1, { timeBudget: 0 }),
      'advance: timeBudget must be a finite number above 0, got 0',
    ],
    [
      (world) => world.advance(1, { interpolate: 'yes' }),
      'advance: interpolate must be true or false',
    ],
    [(world) => world.advance(1, 1 / 60), 'advance: options must be an object, got 0.01666'],
    [
      (world) => world.bodyById('x'),
      "bodyById: id must be a whole number from 0 to 9007199254740991, got 'x'",
    ],
    [(world) => world.readContactPoints([]), 'readContactPoints: out must be a Float64Array'],
  ])
  for (const [call, message] of cases) {
    test(message, () => {
      const world = new World()
      world.createBody({ shape: ball })
      const hash = world.hash()
      refused(() => call(world), message, 'invalid-argument')
      assert.equal(world.hash(), hash)
      world.step(1 / 60)
    })
  }
})

/** @type {Case[]} */
const bodyCases = [
  [undefined, 'createBody: definition must be an object, got undefined'],
  [5, 'createBody: definition must be an object, got 5'],
  [{ shpae: ball }, "createBody: unknown option 'shpae'; did you mean 'shape'?"],
  [{ shape: ball, velocity: [0, 0, 0] }, "createBody: unknown option 'velocity'"],
  [
    { shape: ball, type: 'dynamical' },
    "createBody: type must be one of 'static', 'kinematic', 'dynamic', got 'dynamical'; did you mean 'dynamic'?",
  ],
  [{ shape: ball, type: 2 }, 'createBody: type must be one of'],
  [
    { shape: ball, position: [0, 0] },
    'createBody: position must be three finite numbers or an object with x, y, z, got [0, 0]',
  ],
  [{ shape: ball, position: [0, Infinity, 0] }, 'got [0, Infinity, 0]'],
  [{ shape: ball, position: new Float32Array(4) }, 'got Float32Array [0, 0, 0, 0]'],
  [{ shape: ball, position: 'origin' }, "got 'origin'"],
  [{ shape: ball, orientation: [0, 0, 0] }, 'createBody: orientation must be four finite numbers'],
  [{ shape: ball, orientation: [0, 0, 0, 0] }, 'not all 0'],
  [{ shape: ball, orientation: { x: 0, y: 0, z: 0 } }, 'got { x: 0, y: 0, z: 0 }'],
  [{ shape: ball, linearVelocity: [NaN, 0, 0] }, 'createBody: linearVelocity must be'],
  [{ shape: ball, angularVelocity: [NaN, 0, 0] }, 'createBody: angularVelocity must be'],
  [{ shape: ball, mass: 0 }, 'createBody: mass must be a finite number above 0, got 0'],
  [{ shape: ball, mass: -1 }, 'got -1'],
  [{ shape: ball, mass: Infinity }, 'got Infinity'],
  [{ shape: ball, mass: '5' }, "got '5'"],
  [{ shape: ball, mass: 5n }, 'got 5n'],
  [{ shape: ball, density: 0 }, 'createBody: density must be a finite number above 0, got 0'],
  [
    { shape: ball, mass: 1, density: 2 },
    'createBody: mass and density exclude each other, got 1 and 2',
  ],
  [
    { shape: ball, inertia: [1, 2] },
    'createBody: inertia must be [Ixx, Iyy, Izz] or 9 finite numbers by rows, got [1, 2]',
  ],
  [{ shape: ball, inertia: 3 }, 'got 3'],
  [{ shape: ball, inertia: [1, NaN, 1] }, 'got [1, NaN, 1]'],
  [{ shape: ball, inertia: [1, -1, 1] }, 'createBody: inertia must be positive definite'],
  [
    { shape: ball, inertia: [1, 0.5, 0, 0, 1, 0, 0, 0, 1] },
    'createBody: inertia must be finite and symmetric',
  ],
  [{ shape: ball, centerOfMass: [0, 0] }, 'createBody: centerOfMass must be'],
  [
    { shape: ball, friction: -0.1 },
    'createBody: friction must be a finite number, 0 or more, got -0.1',
  ],
  [
    { shape: ball, restitution: 1.1 },
    'createBody: restitution must be a number from 0 to 1, got 1.1',
  ],
  [{ shape: ball, linearDamping: -1 }, 'createBody: linearDamping must be'],
  [{ shape: ball, angularDamping: NaN }, 'createBody: angularDamping must be'],
  [
    { shape: ball, gravityScale: null },
    'createBody: gravityScale must be a finite number, got null',
  ],
  [{}, 'createBody: a dynamic body without a shape needs a mass'],
  [{ shape: ball, shapes: [ball] }, 'createBody: shape and shapes exclude each other'],
  [{ shapes: ball }, 'createBody: shapes must be an array'],
  [{ shapes: [ball, null] }, 'createBody: shapes[1] must be an object, got null'],
  [{ shape: 'sphere' }, "createBody: shape must be an object, got 'sphere'"],
  [
    { shape: {} },
    "createBody: shape.type must be one of 'sphere', 'box', 'capsule', 'cylinder', 'cone', 'hull', 'plane', 'mesh', 'heightfield', 'compound', got undefined",
  ],
  [{ shape: { type: 'shpere' } }, "did you mean 'sphere'?"],
  [
    { shape: { type: 'sphere' } },
    'createBody: shape.radius must be a finite number above 0, got undefined',
  ],
  [{ shape: { type: 'sphere', radius: 0 } }, 'got 0'],
  [{ shape: { type: 'capsule', radius: 0, halfHeight: 1 } }, 'shape.radius must be'],
  [{ shape: { type: 'capsule', radius: 1, halfHeight: -1 } }, 'shape.halfHeight must be'],
  [{ shape: { type: 'capsule', radius: 1 } }, 'shape.halfHeight must be'],
  [
    { shape: { type: 'sphere', raduis: 1, radius: 1 } },
    "createBody: shape of type 'sphere' has an unknown option 'raduis'; did you mean 'radius'?",
  ],
  [
    { shape: { type: 'box', size: [1, 1, 1] } },
    "createBody: shape of type 'box' has an unknown option 'size'; did you mean 'halfExtents', half of the size?",
  ],
  [{ shape: { type: 'box' } }, 'createBody: shape.halfExtents must be three finite numbers'],
  [
    { shapes: [ball, { type: 'box', halfExtents: [1, 0, 1] }] },
    'createBody: shapes[1].halfExtents must be three finite numbers above 0, got [1, 0, 1]',
  ],
  [
    { shape: { type: 'box', halfExtents: [1, 1, 1], radius: -1 } },
    'createBody: shape.radius must be',
  ],
  [{ shape: { type: 'hull' } }, 'createBody: shape: a hull takes points or hull, got neither'],
  [{ shape: { type: 'hull', points: [], hull: {} } }, 'got both'],
  [{ shape: { type: 'hull', hull: {} } }, 'createBody: shape.hull must be a ConvexHull, got {}'],
  [{ shape: { type: 'hull', points: 7 } }, 'createBody: shape.points must be'],
  [
    { type: 'static', shape: { type: 'plane', normal: [0, 0, 0] } },
    'createBody: shape.normal must be not all 0, got [0, 0, 0]',
  ],
  [
    { type: 'static', shape: { type: 'plane', offset: NaN } },
    'createBody: shape.offset must be a finite number, got NaN',
  ],
  [
    { shape: { type: 'plane' } },
    'createBody: a plane has no mass: only a static body can have one',
  ],
  [{ shape: { ...ball, position: [1] } }, 'createBody: shape.position must be'],
  [{ shape: { ...ball, orientation: [0, 0, 0, 0] } }, 'createBody: shape.orientation must be'],
  [
    { shape: { ...ball, friction: -1 } },
    'createBody: shape.friction must be a finite number, 0 or more, got -1',
  ],
  [{ shape: { ...ball, restitution: 2 } }, 'createBody: shape.restitution must be'],
  [{ shape: { ...ball, density: 0 } }, 'createBody: shape.density must be'],
  [{ type: 'static', shape: ball, linearVelocity: [1, 0, 0] }, 'static body must be 0'],
  [{ shape: ball, sensor: 'yes' }, "createBody: sensor must be true or false, got 'yes'"],
  [
    { shape: ball, lockRotation: [false, false] },
    'createBody: lockRotation must be true or false, or three of them',
  ],
  [{ shape: ball, filter: 1 }, 'createBody: filter must be an object, got 1'],
  [{ shape: ball, filter: { categry: 1 } }, "did you mean 'category'?"],
  [
    { shape: ball, filter: { mask: 'all' } },
    "createBody: filter.mask must be a whole number from -2147483648 to 4294967295, got 'all'",
  ],
  [
    { shape: ball, filter: { category: 2 ** 32 } },
    'createBody: filter.category must be a whole number from -2147483648 to 4294967295',
  ],
  [
    { shape: ball, filter: { group: 2 ** 31 } },
    'createBody: filter.group must be a whole number from -2147483648 to 2147483647, got 2147483648',
  ],
  [{ shape: ball, bullet: 1 }, 'createBody: bullet must be true or false, got 1'],
  [{ shape: ball, allowSleep: null }, 'createBody: allowSleep must be true or false, got null'],
  [
    { shape: ball, lockTranslation: 1 },
    'createBody: lockTranslation must be true or false, or three of them, got 1',
  ],
  [{ shape: ball, frictionCombine: 'average ' }, 'createBody: frictionCombine must be one of'],
  [
    { shape: { ...ball, restitutionCombine: 'mean' } },
    'createBody: shape.restitutionCombine must be one of',
  ],
  [{ shape: ball, rollingFriction: -1 }, 'createBody: rollingFriction must be'],
  [{ shape: ball, spinningFriction: NaN }, 'createBody: spinningFriction must be'],
  [{ shape: ball, surfaceVelocity: 2 }, 'createBody: surfaceVelocity must be'],
  [{ shape: { type: 'mesh' } }, 'createBody: shape.vertices must be'],
  [{ shape: { type: 'heightfield' } }, 'createBody: shape.rows must be'],
  [{ shape: { type: 'compound' } }, 'createBody: shape.shapes must be an array of one or more'],
  [
    { shape: { type: 'box', halfExtents: [1, 1, 1], radius: -0.1 } },
    'createBody: shape.radius must be a finite number, 0 or more, got -0.1',
  ],
  [
    { shape: { type: 'cylinder', radius: 1, radiusTop: 1, halfHeight: 1 } },
    'createBody: shape: it takes radius, or radiusTop and radiusBottom, got all',
  ],
]

describe('definition of a body', () => {
  for (const [definition, message, code = 'invalid-argument'] of bodyCases) {
    test(message, () => {
      const world = new World()
      world.createBody({ shape: ball })
      const hash = world.hash()
      refused(() => world.createBody(definition), message, code)
      assert.equal(world.hash(), hash)
      assert.equal(world.bodies.length, 1)
      world.createBody({ shape: ball })
      world.step(1 / 60)
    })
  }

  test('createShape names its argument', () => {
    const bad = /** @type {any} */ ({ type: 'sphere', radius: NaN })
    refused(() => createShape(bad), 'createShape: definition.radius must be', 'invalid-argument')
  })
})

describe('calls on a body', () => {
  /**
   * @param {string} name
   * @param {unknown} value
   * @param {string} message
   * @param {string} [code]
   * @returns {[(body: any) => unknown, string, string?]}
   */
  const set = (name, value, message, code) => [(body) => (body[name] = value), message, code]
  const cases = /** @type {[(body: any) => unknown, string, string?][]} */ ([
    set(
      'position',
      [0, NaN, 0],
      'position must be three finite numbers or an object with x, y, z, got [0, NaN, 0]',
    ),
    set('position', undefined, 'got undefined'),
    set('orientation', [0, 0, 0, 0], 'orientation must be four finite numbers'),
    set('orientation', [1e-200, 0, 0, 0], 'orientation must be'),
    set('linearVelocity', [1, 2], 'linearVelocity must be'),
    set('angularVelocity', {}, 'angularVelocity must be'),
    set('type', 'fixed', "type must be one of 'static', 'kinematic', 'dynamic', got 'fixed'"),
    set('mass', 0, 'mass must be a finite number above 0, got 0'),
    set('inertia', [1, 1], 'inertia must be'),
    set('inertia', [0, 1, 1], 'inertia must be positive definite'),
    set('centerOfMass', [NaN, 0, 0], 'centerOfMass must be'),
    set('friction', -1, 'friction must be a finite number, 0 or more, got -1'),
    set('restitution', 2, 'restitution must be a number from 0 to 1, got 2'),
    set('linearDamping', -1, 'linearDamping must be'),
    set('angularDamping', Infinity, 'angularDamping must be'),
    set('gravityScale', '1', "gravityScale must be a finite number, got '1'"),
    set('sensor', 1, 'sensor must be true or false, got 1'),
    set('bullet', 1, 'bullet must be true or false, got 1'),
    set('allowSleep', 0, 'allowSleep must be true or false, got 0'),
    set(
      'lockTranslation',
      null,
      'lockTranslation must be true or false, or three of them, got null',
    ),
    set('lockRotation', [true, 1, true], 'lockRotation must be true or false, or three of them'),
    set('frictionCombine', 'mean', 'frictionCombine must be one of'),
    set('restitutionCombine', 3, 'restitutionCombine must be one of'),
    set('rollingFriction', -1, 'rollingFriction must be a finite number, 0 or more, got -1'),
    set('spinningFriction', '1', 'spinningFriction must be'),
    set('surfaceVelocity', [1, 2], 'surfaceVelocity must be'),
    [(body) => body.teleport(), 'teleport: pose must be an object'],
    [(body) => body.teleport({ position: [0, NaN, 0] }), 'teleport: pose.position must be'],
    [(body) => body.moveTo({ position: [0, 0, 0] }, -1), 'moveTo: dt must be'],
    [(body) => body.moveTo({ position: [0, 0, 0] }), 'body must be kinematic'],
    set('filter', { mask: 0.5 }, 'filter.mask must be a whole number from'),
    set('filter', { masks: 1 }, "filter: unknown option 'masks'; did you mean 'mask'?"),
    [(body) => body.applyForce(), 'applyForce: force must be'],
    [(body) => body.applyForce([NaN, 0, 0]), 'applyForce: force must be'],
    [(body) => body.applyForce([1, 0, 0], [NaN, 0, 0]), 'applyForce: point must be'],
    [(body) => body.applyForce([1, 0, 0], null), 'applyForce: point must be'],
    [(body) => body.applyTorque(5), 'applyTorque: torque must be'],
    [(body) => body.applyImpulse([1, 0]), 'applyImpulse: impulse must be'],
    [(body) => body.applyImpulse([1, 0, 0], [1]), 'applyImpulse: point must be'],
    [(body) => body.applyAngularImpulse('x'), 'applyAngularImpulse: impulse must be'],
    [(body) => body.isAtRest(-1), 'isAtRest: linear must be a finite number, 0 or more, got -1'],
    [(body) => body.isAtRest(1, NaN), 'isAtRest: angular must be'],
  ])
  for (const [call, message, code = 'invalid-argument'] of cases) {
    test(message, () => {
      const world = new World()
      const body = world.createBody({ shape: ball, position: [1, 2, 3] })
      const hash = world.hash()
      refused(() => call(body), message, code)
      assert.equal(world.hash(), hash)
      assert.deepEqual(body.position, [1, 2, 3])
      world.step(1 / 60)
    })
  }

  test('a plane stays static, and so does what has no mass', () => {
    const world = new World()
    const plane = world.createBody({ type: 'static', shape: { type: 'plane' } })
    const empty = world.createBody({ type: 'static' })
    const hash = world.hash()
    const moving = () => (plane.type = 'dynamic')
    refused(
      moving,
      'type: a plane has no mass: only a static body can have one',
      'invalid-argument',
    )
    const falling = () => (empty.type = 'dynamic')
    refused(falling, 'type: a dynamic body without a shape needs a mass', 'invalid-argument')
    refused(() => (empty.linearVelocity = [1, 0, 0]), 'static body', 'invalid-argument')
    assert.equal(world.hash(), hash)
  })

  test('what is only read cannot be set', () => {
    const body = new World().createBody({ shape: ball })
    const names = ['speed', 'kineticEnergy', 'worldCenterOfMass', 'isAwake', 'isAlive', 'id']
    for (const name of names) {
      assert.throws(() => Object.assign(body, { [name]: 1 }), TypeError, name)
    }
  })

  test('bodies and shapes are not made by new', () => {
    for (const Type of /** @type {any[]} */ ([Body, Shape])) {
      refused(() => new Type(), 'are made by', 'invalid-argument')
    }
  })
})

test('long values are cut in messages', () => {
  const options = /** @type {any} */ ({ gravity: Array.from({ length: 1000 }, (_, i) => i) })
  assert.throws(
    () => new World(options),
    (error) => {
      assert.ok(error instanceof MoreauError)
      assert.ok(error.message.length < 200 && error.message.endsWith('...]'), error.message)
      return true
    },
  )
})
