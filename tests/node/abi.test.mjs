/**
 * The module checks its own input: what JavaScript names by mistake is refused or cut short, and the world is as it was.
 *
 * The calls here go past the checks of bindings/, straight to the exports.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, test } from 'node:test'
import { Engine } from '../../bindings/core/engine.mjs'
import * as BODY_DEF from '../../bindings/generated/places/body-def.mjs'
import * as SETTINGS from '../../bindings/generated/places/settings.mjs'
import {
  putConstraintDef,
  putConstraintGiven,
  putCustomConstraint,
  putPlacedShape,
  putPosePair,
  putPotentialDef,
  putPotentialTargets,
  putProblemAnswer,
  putProblemDef,
  putProblemSettings,
  putTriplets,
} from '../../bindings/generated/records.mjs'

const wasm = new WebAssembly.Module(
  readFileSync(new URL('../../dist/moreau.wasm', import.meta.url)),
)

/** Numbers of the block: enough for all that is put here. */
const BLOCK = 400
const NOWHERE = 0xfffffff0
const MOST = 0xffffffff
/** Settings that are one of a few words. */
const WORDS = /** @type {const} */ ([
  'solver',
  'stabilization',
  'integrator',
  'frictionLaw',
  'impactLaw',
  'effort',
])
const POSE = { position: /** @type {const} */ ([0, 0, 0]), orientation: [0, 0, 0, 1] }

/** @type {Engine} */
let engine
/** @type {Engine['exports']} */
let exports
/** @type {number} */
let world
/** @type {number} */
let body

beforeEach(() => {
  const callback = () => 0
  engine = new Engine(new WebAssembly.Instance(wasm, { moreau: { callback } }), wasm)
  exports = engine.exports
  engine.begin(BLOCK)
  exports.world_default_settings(1)
  world = exports.world_create() >>> 0
  body = createBody([exports.shape_create_sphere(1)])
  assert.notEqual(body, 0)
})

/** The code of the last function that gives a pointer or an id. */
const lastCode = () => engine.code(exports.last_result())

/** @param {number} result */
const codeOf = (result) => engine.code(result)

/** A world that is in order steps, and its body falls. */
function assertInOrder() {
  const at = exports.world_transforms64(world) / 8 + 1
  const before = engine.f64[at]
  assert.equal(exports.world_step(world, 1 / 60), 0)
  assert.ok(engine.f64[at] < before, 'the body falls')
}

/**
 * @param {number[]} shapes pointers
 * @param {Record<number, number>} [changes] of the definition, by place
 * @returns {number} id
 */
function createBody(shapes, changes = {}) {
  const numbers = new Float64Array(BODY_DEF.NUMBERS)
  numbers[BODY_DEF.type] = 2
  numbers[BODY_DEF.orientation + 3] = 1
  numbers[BODY_DEF.density] = 1000
  numbers[BODY_DEF.gravityScale] = 1
  numbers[BODY_DEF.filter] = numbers[BODY_DEF.filter + 1] = MOST
  numbers[BODY_DEF.isEnabled] = 1
  numbers[BODY_DEF.shapeCount] = shapes.length
  Object.assign(numbers, changes)
  engine.begin(BLOCK)
  engine.putAll(numbers)
  const filter = { category: 1, mask: MOST, group: 0 }
  const material = {
    density: -1,
    friction: -1,
    restitution: -1,
    sensor: false,
    hasFilter: false,
    filter,
    frictionCombine: null,
    restitutionCombine: null,
  }
  for (const shape of shapes) putPlacedShape(engine, { shape, pose: POSE, ...material })
  return exports.body_create(world) >>> 0
}

/**
 * @param {{ dimension: number, nameLength: number, type?: any }} given
 * @param {readonly number[]} [name] bytes
 * @returns {number} id
 */
function createCustom({ dimension, nameLength, type = 'custom' }, name = []) {
  const zero = /** @type {const} */ ([0, 0, 0])
  const axis = /** @type {const} */ ([1, 0, 0])
  engine.begin(BLOCK)
  putConstraintDef(engine, {
    ...{ type, bodyA: body, bodyB: 0, collideConnected: true },
    ...{ bodyC: 0, bodyD: 0, ratio: 1, steering: 0, groundAnchorA: zero, groundAnchorB: zero },
    ...{ anchorA: zero, anchorB: zero, axisA: axis, axisB: axis },
    ...{ hasLength: false, length: 0, breakForce: Infinity, breakTorque: Infinity },
    ...{ hasStabilization: true, alpha: 10, beta: 10, compliance: 0 },
  })
  const given = { hasWorldAnchor: false, hasWorldAxis: false, hasPath: false, hasFunctions: true }
  putConstraintGiven(engine, {
    ...given,
    ...{ driveCount: 0, hasPoseMotor: false, hasReference: false, jointA: 0, jointB: 0 },
  })
  const functions = { hasJacobian: false, hasTimeDerivative: false, hasIsActive: false }
  putCustomConstraint(engine, { handle: 0, dimension, nameLength, ...functions })
  for (let row = 0; row < Math.min(dimension, 32); row++) engine.putAll([0, -Infinity, Infinity, 0])
  engine.putAll(name)
  return exports.constraint_create(world) >>> 0
}

/**
 * @param {{ bodyCount: number, type?: any }} given
 * @returns {number} id
 */
function createPotential({ bodyCount, type = 'gravity' }) {
  const zero = /** @type {const} */ ([0, 0, 0])
  /** @type {any} */
  const region = {
    ...{ type: 'everywhere', center: zero, radius: 0 },
    ...{ halfExtents: zero, orientation: [0, 0, 0, 1] },
  }
  engine.begin(BLOCK)
  putPotentialDef(engine, {
    ...{ type, gravity: zero, center: zero, mu: 0, softening: 0 },
    ...{ moment: zero, field: zero, sourceMoment: zero },
    ...{ linearDrag: 0, quadraticDrag: 0, angularDrag: 0 },
    ...{ anchorA: zero, anchorB: zero, stiffness: 0, restLength: 0, damping: 0 },
    ...{ velocity: zero, fluidDensity: 0, surfaceNormal: zero, surfaceOffset: 0 },
    ...{ gravitationalConstant: 0, region },
  })
  putPotentialTargets(engine, { handle: 0, hasEnergy: false, bodyCount })
  engine.put(body)
  return exports.potential_create(world) >>> 0
}

describe('lengths and counts', () => {
  for (const nameLength of [32, 1000, 1e9, MOST, -1, NaN, Infinity]) {
    test(`a name of ${nameLength} bytes is cut`, () => {
      const name = Array.from({ length: 300 }, () => 65)
      assert.notEqual(createCustom({ dimension: 1, nameLength }, name), 0)
      assertInOrder()
    })
  }

  for (const dimension of [0, 33, 1e9, MOST, -1, NaN]) {
    test(`a constraint of ${dimension} rows is refused`, () => {
      assert.equal(createCustom({ dimension, nameLength: 0 }), 0)
      assert.equal(lastCode(), 'invalid-argument')
      assertInOrder()
    })
  }

  for (const count of [1000, 1e9, MOST]) {
    test(`${count} shapes, or bodies of a potential, that the block does not hold are refused`, () => {
      assert.equal(createBody([], { [BODY_DEF.shapeCount]: count }), 0)
      assert.equal(lastCode(), 'invalid-argument')
      assert.equal(createPotential({ bodyCount: count }), 0)
      assert.equal(lastCode(), 'invalid-argument')
      assertInOrder()
    })
  }

  test('a facet or a face that a hull does not have writes nothing', () => {
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    const points = exports.allocate(8 * corners.length) >>> 0
    engine.f64.set(corners, points / 8)
    const hull = exports.hull_create(points, 4) >>> 0
    for (const read of [exports.hull_facet, exports.hull_face]) {
      for (const index of [4, 1e9, MOST]) {
        engine.begin(BLOCK)
        engine.putAll([7, 7, 7])
        read(hull, index)
        assert.deepEqual(
          [0, 1, 2].map((place) => engine.at(place)),
          [7, 7, 7],
        )
      }
    }
  })

  test('more islands than the memory could hold are not written', () => {
    assert.equal(exports.world_islands(world, MOST), 0)
    assertInOrder()
  })
})

describe('enums', () => {
  for (const number of [99, MOST]) {
    test(`${number} is no type and no solver`, () => {
      assert.equal(createBody([exports.shape_create_sphere(1)], { [BODY_DEF.type]: number }), 0)
      assert.equal(lastCode(), 'invalid-argument')
      const solver = { [BODY_DEF.hasSolver]: 1, [BODY_DEF.solver]: number }
      assert.equal(createBody([exports.shape_create_sphere(1)], solver), 0)
      assert.equal(lastCode(), 'invalid-argument')
      assert.equal(codeOf(exports.body_set_type(world, body, number)), 'invalid-argument')
      assert.equal(codeOf(exports.body_set_solver(world, body, 99)), 'invalid-argument')
      assertInOrder()
    })
  }

  test('a type of constraint or potential that there is not is refused', () => {
    assert.notEqual(createPotential({ bodyCount: 1 }), 0)
    const at = engine.place(0)
    for (const number of [7, 99, MOST]) {
      engine.f64[at] = number
      assert.equal(exports.potential_create(world), 0)
      assert.equal(lastCode(), 'invalid-argument')
    }
    assert.notEqual(createCustom({ dimension: 1, nameLength: 0 }), 0)
    for (const number of [50, 99, MOST]) {
      engine.f64[at] = number
      assert.equal(exports.constraint_create(world), 0)
      assert.equal(lastCode(), 'invalid-argument')
    }
    assertInOrder()
  })

  for (const name of WORDS) {
    test(`settings with ${name} 99 are refused`, () => {
      exports.world_get_settings(world)
      engine.f64[engine.place(SETTINGS[name])] = 99
      assert.equal(codeOf(exports.world_set_settings(world)), 'invalid-argument')
      assertInOrder()
    })
  }
})

describe('addresses', () => {
  test('points that are not in the memory make no hull', () => {
    const beyond = engine.buffer.byteLength - 24
    const places = [0, NOWHERE, 8, 8, beyond]
    const counts = [4, 4, 1e9, MOST, 2]
    for (let i = 0; i < places.length; i++) {
      assert.equal(exports.hull_create(places[i], counts[i]), 0)
      assert.equal(lastCode(), 'invalid-argument')
    }
    assertInOrder()
  })

  test('no hull makes no shape, and no shape collides', () => {
    assert.equal(exports.shape_create_hull(0, 0), 0)
    assert.equal(lastCode(), 'invalid-argument')
    engine.begin(BLOCK)
    putPosePair(engine, { a: POSE, b: POSE })
    assert.equal(exports.collide(0, 0), 0)
    exports.distance(0, 0)
    assert.equal(engine.at(0), 0)
    assert.equal(createBody([0]), 0)
    assert.equal(lastCode(), 'invalid-argument')
    assertInOrder()
  })

  test('matrices that are not in the memory are refused', () => {
    const room = exports.allocate(8 * 9) >>> 0
    const good = { delassus: room, freeVelocity: room, force: 0, friction: room, warmStart: 0 }
    const solve = (/** @type {object} */ changes, contactCount = 1) => {
      engine.begin(BLOCK)
      const problem = { contactCount, impulses: room, velocities: 0, ...good, ...changes }
      const settings = { solver: /** @type {const} */ ('exact'), tolerance: 1e-8 }
      const more = { frictionLaw: /** @type {const} */ ('coulomb'), maxIterations: 9 }
      putProblemDef(engine, problem)
      putProblemSettings(engine, { ...settings, ...more, effort: 'step' })
      putProblemAnswer(engine, problem)
      return codeOf(exports.problem_solve())
    }
    for (const name of ['freeVelocity', 'friction', 'impulses']) {
      assert.equal(solve({ [name]: 0 }), 'invalid-argument', name)
      assert.equal(solve({ [name]: NOWHERE }), 'invalid-argument', name)
    }
    assert.equal(solve({ delassus: NOWHERE }), 'invalid-argument')
    for (const count of [1e5, 1e9, MOST]) assert.equal(solve({}, count), 'invalid-argument')
    assertInOrder()
  })

  test('entries of matrices that are not in the memory are refused', () => {
    const room = exports.allocate(8 * 9) >>> 0
    const solve = (/** @type {object} */ matrix, /** @type {object} */ vectors) => {
      const good = { rows: 3, columns: 3, count: 1, row: room, column: room, value: room }
      const all = { freeVelocity: room, force: room, friction: room, impulses: room, velocities: 0 }
      const problem = { contactCount: 1, delassus: 0, warmStart: 0, ...all, ...vectors }
      engine.begin(BLOCK)
      putProblemDef(engine, problem)
      putProblemSettings(engine, {
        ...{ solver: 'exact', tolerance: 1e-8, frictionLaw: 'coulomb' },
        ...{ maxIterations: 9, effort: 'step' },
      })
      putProblemAnswer(engine, problem)
      for (let i = 0; i < 2; i++) putTriplets(engine, { ...good, ...matrix })
      return codeOf(exports.problem_solve())
    }
    for (const matrix of [{ row: 0 }, { column: NOWHERE }, { value: 0 }, { count: MOST }]) {
      assert.equal(solve(matrix, {}), 'invalid-argument')
    }
    for (const name of ['force', 'freeVelocity', 'friction', 'impulses']) {
      assert.equal(solve({}, { [name]: 0 }), 'invalid-argument', name)
    }
    assert.equal(solve({ rows: MOST, columns: MOST }, {}), 'invalid-argument')
    assertInOrder()
  })

  test('a block of more doubles than there are addresses is refused', () => {
    assert.equal(exports.io_reserve(MOST), 0)
    assertInOrder()
  })
})

describe('ids', () => {
  test('that name nothing are refused', () => {
    for (const id of [0, 1e6, MOST, body ^ 0x100000]) {
      assert.equal(codeOf(exports.body_set_mass(world, id, 1)), 'stale-handle')
      assert.equal(codeOf(exports.body_get_state(world, id)), 'stale-handle')
      assert.equal(codeOf(exports.body_destroy(world, id)), 'stale-handle')
      assert.equal(codeOf(exports.constraint_destroy(world, id)), 'stale-handle')
      assert.equal(codeOf(exports.constraint_get_state(world, id)), 'stale-handle')
      assert.equal(codeOf(exports.constraint_violation(world, id, 0)), 'stale-handle')
      assert.equal(codeOf(exports.potential_destroy(world, id)), 'stale-handle')
      assert.equal(codeOf(exports.potential_get_wrench(world, id, body)), 'stale-handle')
    }
    assertInOrder()
  })
})
