/**
 * Queries of a world: rows A91 to A95, how casts begin, predicates, lists and batches.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'

/** @import { BodyDefinition, ShapeDefinition, Vector } from 'moreau' */

const X = /** @type {const} */ ([1, 0, 0])
const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.2 })
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

before(() => init())

/** @param {...BodyDefinition} definitions */
function worldOf(...definitions) {
  const world = new World({ gravity: [0, 0, 0] })
  const bodies = definitions.map((definition) =>
    world.createBody({ type: 'static', ...definition }),
  )
  return { world, bodies }
}

/**
 * @param {readonly number[] | undefined} actual
 * @param {readonly number[]} expected
 * @param {number} tolerance
 */
function near(actual, expected, tolerance) {
  const good = expected.every((x, i) => Math.abs((actual?.[i] ?? NaN) - x) <= tolerance)
  assert.ok(good, `${actual} is not ${expected} within ${tolerance}`)
}

/**
 * The quaternion of a turn in degrees.
 * @param {'x' | 'y' | 'z'} axis
 * @param {number} degrees
 * @returns {[number, number, number, number]}
 */
function turn(axis, degrees) {
  const half = (degrees * Math.PI) / 360
  const s = Math.sin(half)
  return [axis === 'x' ? s : 0, axis === 'y' ? s : 0, axis === 'z' ? s : 0, Math.cos(half)]
}

describe('A91: rays at a sphere', () => {
  test('graze, begin inside, end before', () => {
    const { world: w } = worldOf({ shape: { type: 'sphere', radius: 1 } })
    near([w.rayCast([-3, 0.999999, 0], X)?.distance ?? NaN], [2.99858579], 1e-7)
    assert.equal(w.rayCast([-3, 1.000001, 0], X), null)
    const inside = w.rayCast([0.2, 0.1, 0], X)
    assert.equal(inside?.distance, 0)
    near(inside?.normal, [-1, 0, 0], 0)
    const inwards = w.rayCast([-1, 0, 0], X)
    assert.equal(inwards?.distance, 0)
    near(inwards?.normal, [-1, 0, 0], 1e-15)
    assert.equal(w.rayCast([1, 0, 0], X), null)
    assert.equal(w.rayCast([3, 0, 0], X), null)
    for (const [maxDistance, hits] of [
      [1.999999, false],
      [2, true],
      [2.000001, true],
    ]) {
      const hit = w.rayCast([-3, 0, 0], X, { maxDistance: Number(maxDistance) })
      assert.equal(hit !== null, hits)
    }
    assert.throws(() => w.rayCast([0, 0, 0], [0, 0, 0]), { code: 'invalid-argument' })
    assert.throws(() => w.rayCast([0, 0, 0], [NaN, 0, 0]), { code: 'invalid-argument' })
  })
})

describe('A92: rays through a row of boxes', () => {
  test('all hits, filters, distances, predicates', () => {
    const { world, bodies } = worldOf(
      { shape: cube, position: [3, 0, 0] },
      { shape: cube, position: [-2, 0, 0] },
      { shapes: [cube, { ...cube, position: [1.2, 0, 0] }] },
      { shape: cube, position: [-4, 0, 0], filter: { mask: 0 } },
    )
    const from = /** @type {const} */ ([-5, 0, 0])
    const distances = world.rayCastAll(from, X).map(({ distance }) => distance)
    near(distances, [2.5, 4.5, 5.7, 7.5], 1e-12)
    assert.equal(distances.length, 4)
    assert.equal(world.rayCastAll(from, X, { exclude: bodies[1] }).length, 3)
    assert.equal(world.rayCastAll(from, X, { maxDistance: 4 }).length, 1)
    const first = world.rayCast(from, X, { predicate: (body) => body !== bodies[1] })
    near([first?.distance ?? NaN], [4.5], 1e-12)
    const second = world.rayCastAll(from, X, { predicate: (_, __, index) => index === 1 })
    near([second[0].distance], [5.7], 1e-12)
    assert.equal(second.length, 1)
  })
})

describe('A93 and A94: casts of shapes', () => {
  test('a ball meets face, edge and corner', () => {
    const { world, bodies } = worldOf({ shape: { type: 'box', halfExtents: [0.5, 0.4, 0.3] } })
    const hit = world.shapeCast(ball, { position: [-3, 0.1, 0] }, X)
    assert.equal(hit?.body, bodies[0])
    assert.deepEqual([hit.shape, hit.shapeIndex, hit.penetrationDepth], [bodies[0].shape, 0, 0])
    near([hit.distance, ...hit.normal, ...hit.position], [2.3, -1, 0, 0, -0.5, 0.1, 0], 1e-12)
    const edge = world.shapeCast(ball, { position: [-3, 0.52, 0.1] }, X)
    near([edge?.distance ?? NaN, ...(edge?.normal ?? [])], [2.34, -0.8, 0.6, 0], 1e-9)
    const corner = world.shapeCast(ball, { position: [-3, 0.496, 0.372] }, X)
    near([corner?.distance ?? NaN, ...(corner?.normal ?? [])], [2.34, -0.8, 0.48, 0.36], 1e-9)
    const slanted = world.shapeCast(ball, { position: [-3, -1.4, -0.75] }, [2, 1, 0.5])
    near([slanted?.distance ?? NaN], [2.6349810246], 1e-9)
    near(slanted?.position, [-0.5, -0.25, -0.175], 1e-9)
    assert.equal(world.shapeCast(ball, { position: [-3, 0.601, 0] }, X), null)
  })

  test('boxes and capsules', () => {
    const first = worldOf({ shape: cube, position: [0, 0.3, 0], orientation: turn('z', 45) }).world
    const hit = first.shapeCast(cube, { position: [-3, 0, 0] }, X)
    near([hit?.distance ?? NaN, ...(hit?.normal ?? [])], [1.7928932188, -1, 0, 0], 1e-9)
    const second = worldOf({ shape: cube, position: [0.1, -0.1, 0], orientation: turn('x', 45) })
    const turned = { position: [0, 0, -2], orientation: turn('y', 45) }
    const edges = second.world.shapeCast(cube, turned, [0, 0, 1])
    near([edges?.distance ?? NaN, ...(edges?.normal ?? [])], [0.5857864376, 0, 0, -1], 1e-9)
    const third = worldOf({ shape: { type: 'capsule', radius: 0.3, halfHeight: 1 } }).world
    const lying = { position: [-0.3, 0, -3], orientation: turn('z', -90) }
    const long = { type: /** @type {const} */ ('capsule'), radius: 0.2, halfHeight: 1 }
    near([third.shapeCast(long, lying, [1, 0, 2])?.distance ?? NaN], [2.7950849719], 1e-9)
    const ends = { position: [-0.9, 1.2, -3], orientation: turn('z', -90) }
    const short = { ...long, halfHeight: 0.5 }
    near([third.shapeCast(short, ends, [0, 0, 1])?.distance ?? NaN], [2.7763932023], 1e-9)
  })

  test("a shape's own placement counts", () => {
    const { world } = worldOf({ shape: cube })
    const placed = createShape({ ...cube, position: [0, 2, 0], orientation: turn('z', 45) })
    const hit = world.shapeCast(placed, { position: [-5, 0, 0], orientation: turn('z', -90) }, X)
    // It is at (-3, 0, 0), on its edge.
    near([hit?.distance ?? NaN], [2.5 - Math.SQRT1_2], 1e-9)
  })
})

describe('round shapes', () => {
  const upright = turn('x', 90)

  test('A91: rays at a cylinder and at the tip of a cone', () => {
    const { world } = worldOf({ shape: { type: 'cylinder', radius: 0.5, halfHeight: 0.8 } })
    const hit = world.rayCast([0, 3, 0], [0, -1, 0])
    near([hit?.distance ?? NaN, ...(hit?.normal ?? [])], [2.2, 0, 1, 0], 1e-9)
    const rim = world.rayCast([0.5, 3, 0], [0, -1, 0])
    if (rim !== null) near([rim.distance], [2.2], 1e-6)
    const cone = worldOf({ shape: { type: 'cone', radius: 0.6, halfHeight: 0.8 } }).world
    const tip = cone.rayCast([0, 3, 0], [0, -1, 0])
    near([tip?.distance ?? NaN, Math.hypot(...(tip?.normal ?? []))], [2.2, 1], 1e-7)
    assert.ok((tip?.normal[1] ?? 0) > 0)
  })

  test('A94: a cylinder meets a cone on its tip and on its slant', () => {
    const cone = { shape: { type: /** @type {const} */ ('cone'), radius: 0.5, halfHeight: 0.6 } }
    const { world } = worldOf({ ...cone, orientation: upright })
    const cylinder = { type: /** @type {const} */ ('cylinder'), radius: 0.3, halfHeight: 0.4 }
    const cast = (/** @type {number} */ x) =>
      world.shapeCast(cylinder, { position: [x, 0, 3], orientation: upright }, [0, 0, -1])
    const tip = cast(0.1)
    near([tip?.distance ?? NaN, ...(tip?.normal ?? [])], [2, 0, 0, 1], 1e-6)
    near([cast(0.35)?.distance ?? NaN], [2.12], 1e-6)
  })

  test('A95: points around a cone', () => {
    const { world } = worldOf({ shape: { type: 'cone', radius: 0.6, halfHeight: 0.8 } })
    const outside = world.closestPoint([0.9, 0.3, -0.2])
    near([outside?.distance ?? NaN], [0.6876911271], 1e-8)
    near(outside?.position, [0.27142801, 0.05853552, -0.06031734], 1e-7)
    assert.equal(world.contains([0.9, 0.3, -0.2]), false)
    near([world.closestPoint([0.1, -0.3, 0.05])?.distance ?? NaN], [-0.2815510012], 1e-8)
    assert.equal(world.contains([0.1, -0.3, 0.05]), true)
  })
})

describe('how casts begin and end', () => {
  test('overlapped: distance 0 and the shortest way out', () => {
    const { world } = worldOf({ shape: { type: 'box', halfExtents: [1, 1, 1] } })
    const inside = { position: /** @type {Vector} */ ([0.2, 1.4, -0.1]) }
    for (const y of [-1, 1]) {
      const hit = world.shapeCast(cube, inside, [0, y, 0])
      assert.equal(hit?.distance, 0)
      near([hit.penetrationDepth, ...hit.normal, hit.position[1]], [0.1, 0, 1, 0, 1], 1e-12)
      const deeper = world.shapeCast(cube, inside, [0, y, 0], { stopAtPenetration: false })
      assert.equal(deeper === null, y > 0)
    }
  })

  test('touching: met if they approach, whatever the round-off', () => {
    const { world } = worldOf({ shape: { type: 'plane' } }, { shape: cube, position: [0, 0.5, 0] })
    for (const y of [1.5, 1.5 + 1e-15, 1.5 - 1e-15]) {
      assert.equal(world.shapeCast(cube, { position: [0.3, y, 0] }, [0, -1, 0])?.distance, 0)
      assert.equal(world.shapeCast(cube, { position: [0.3, y, 0] }, [1, 0, 0.3]), null)
      assert.equal(world.shapeCast(cube, { position: [0.3, y, 0] }, [0, 1, 0]), null)
    }
    assert.equal(world.shapeCast(cube, { position: [5, 0.5, 0] }, [0, 0, 1]), null)
    assert.equal(world.shapeCast(cube, { position: [5, 0.5, 0] }, [0, -1, 1])?.distance, 0)
  })

  test('lengths of 0 and of 1e6 m', () => {
    const { world } = worldOf(
      { shape: cube, position: [1e6, 0, 0] },
      { shape: { type: 'plane', normal: [0, 1, 0], offset: -1e6 } },
    )
    const far = world.shapeCast(ball, { position: [0, 0, 0] }, X)
    near([far?.distance ?? NaN], [1e6 - 0.7], 1e-8)
    near([world.shapeCast(ball, {}, [0, -1, 0])?.distance ?? NaN], [1e6 - 0.2], 1e-8)
    assert.equal(world.shapeCast(ball, {}, X, { maxDistance: 0 }), null)
    assert.equal(world.shapeCast(ball, {}, X, { maxDistance: 999999 }), null)
    const touching = { position: /** @type {Vector} */ ([1e6 - 0.7, 0, 0]) }
    assert.equal(world.shapeCast(ball, touching, X, { maxDistance: 0 })?.distance, 0)
  })

  test('bodies are met where they are: moved, asleep, gone', () => {
    const { world } = worldOf()
    const body = world.createBody({ shape: cube, position: [5, 0, 0] })
    const cast = () => world.shapeCast(ball, {}, X)?.distance
    assert.equal(cast(), 4.3)
    body.position = [8, 0, 0]
    near([cast() ?? NaN], [7.3], 1e-12)
    body.sleep()
    near([cast() ?? NaN], [7.3], 1e-12)
    assert.equal(world.overlap(cube, { position: [8.9, 0, 0] }).length, 1)
    body.destroy()
    assert.equal(cast(), undefined)
    assert.equal(world.overlap(cube, { position: [8.9, 0, 0] }).length, 0)
    assert.equal(world.closestPoint([0, 0, 0]), null)
  })
})

describe('A95: overlaps and closest points', () => {
  test('a grid of balls', () => {
    const grid = Array.from({ length: 25 }, (_, i) => ({
      shape: ball,
      position: /** @type {Vector} */ ([(i % 5) - 2, Math.floor(i / 5) - 2, 0]),
    }))
    const { world } = worldOf(...grid)
    const at = { position: /** @type {Vector} */ ([0.3, -0.2, 0.1]) }
    assert.equal(world.overlap({ type: 'sphere', radius: 1.5 }, at).length, 8)
    const box = { type: /** @type {const} */ ('box'), halfExtents: [1.1, 0.6, 0.3] }
    const found = world.overlap(box, { ...at, orientation: turn('z', 30) })
    assert.equal(found.length, 4)
    const order = found.map(({ body }) => body.index)
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    )
    assert.equal(found[0].shape, found[0].body.shape)
    const skipped = found[0].body
    const others = world.overlap(box, { ...at, orientation: turn('z', 30) }, { exclude: skipped })
    assert.equal(others.length, 3)
    /** @type {Partial<import('moreau').Overlap>[]} */
    const out = []
    assert.equal(world.readOverlap(out, { type: 'sphere', radius: 1.5 }, at), 8)
    const [kept] = out
    assert.equal(world.readOverlap(out, box, { ...at, orientation: turn('z', 30) }), 4)
    assert.equal(out.length, 8)
    assert.equal(out[0], kept)
    assert.equal(kept.body, skipped)
  })

  test('points around a box', () => {
    const { world, bodies } = worldOf({ shape: { type: 'box', halfExtents: [0.5, 0.4, 0.3] } })
    /** @type {[Vector, Vector, number][]} */
    const rows = [
      [[1.5, 0.2, 0.1], [0.5, 0.2, 0.1], 1],
      [[0.2, 0.1, 0.05], [0.2, 0.1, 0.3], -0.25],
      [[0.9, 1, 0.3], [0.5, 0.4, 0.3], 0.7211102551],
    ]
    const out = { position: new Float64Array(3), normal: { x: 0, y: 0, z: 0 } }
    for (const [point, position, distance] of rows) {
      const hit = world.closestPoint(point)
      near([hit?.distance ?? NaN, ...(hit?.position ?? [])], [distance, ...position], 1e-9)
      assert.equal(world.contains(point), distance < 0)
      assert.equal(world.readClosestPoint(out, point)?.body, bodies[0])
      near([...out.position], position, 1e-9)
      assert.equal(world.closestPoint(point, { exclude: bodies[0] }), null)
      assert.equal(world.contains(point, { predicate: () => false }), false)
    }
    assert.equal(world.closestPoint([1.5, 0.2, 0.1], { maxDistance: 0.99 }), null)
  })
})

describe('predicates', () => {
  test('read the world and query it, and do not change it', () => {
    const { world, bodies } = worldOf(
      { shape: cube, position: [2, 0, 0] },
      { shape: cube, position: [4, 0, 0] },
      { shape: cube, position: [6, 0, 0] },
    )
    let asked = 0
    const hits = world.rayCastAll([0, 0, 0], X, {
      predicate(body, shape) {
        asked++
        assert.equal(shape, body.shape)
        assert.equal(body.position[1], 0)
        const inner = world.rayCastAll([0, 0, 0], X, { predicate: (other) => other !== bodies[0] })
        assert.deepEqual(
          inner.map((hit) => hit.body),
          [bodies[1], bodies[2]],
        )
        assert.throws(() => world.step(0.01), { code: 'world-locked' })
        assert.throws(() => body.destroy(), { code: 'world-locked' })
        return body !== bodies[1]
      },
    })
    assert.equal(asked, 3)
    assert.deepEqual(
      hits.map((hit) => hit.body),
      [bodies[0], bodies[2]],
    )
    world.step(0.01)
  })

  test('what they throw is thrown, and they are not asked again', () => {
    const { world } = worldOf(
      { shape: cube, position: [2, 0, 0] },
      { shape: cube, position: [4, 0, 0] },
    )
    const reason = new Error('no')
    let asked = 0
    const predicate = () => {
      asked++
      throw reason
    }
    assert.throws(
      () => world.rayCastAll([0, 0, 0], X, { predicate }),
      (error) => error === reason,
    )
    assert.equal(asked, 1)
    assert.throws(
      () => world.overlap(cube, { position: [2, 0, 0] }, { predicate }),
      (error) => error === reason,
    )
    assert.equal(world.rayCastAll([0, 0, 0], X).length, 2)
    // @ts-expect-error not a function
    assert.throws(() => world.rayCast([0, 0, 0], X, { predicate: 1 }), {
      code: 'invalid-argument',
      message: 'rayCast: predicate must be a function, got 1',
    })
  })

  test('queries are legal within functions of potentials', () => {
    const { world } = worldOf({ shape: cube, position: [3, 0, 0] })
    world.createBody({ shape: ball, gravityScale: 0 })
    /** @type {unknown[]} */
    const seen = []
    world.createPotential({
      type: 'custom',
      force(body) {
        const there = { position: body.position }
        seen.push(
          world.shapeCast(ball, there, X, { predicate: (other) => other !== body.body })?.distance,
        )
      },
    })
    world.step(0.01)
    assert.ok(seen.length > 0)
    for (const distance of seen) near([Number(distance)], [2.3], 1e-9)
  })
})

describe('lists of the user', () => {
  test('are filled again without new objects', () => {
    const { world } = worldOf(
      { shape: cube, position: [2, 0, 0] },
      { shape: cube, position: [4, 0, 0] },
    )
    /** @type {import('moreau').QueryHitOut[]} */
    const out = []
    assert.equal(world.readRayCastAll(out, [0, 0, 0], X), 2)
    const [first] = out
    const position = first.position
    assert.equal(world.readShapeCastAll(out, ball, {}, X), 2)
    assert.equal(out[0], first)
    assert.equal(out[0].position, position)
    near(/** @type {number[]} */ (position), [1.5, 0, 0], 1e-12)
    // @ts-expect-error no list
    assert.throws(() => world.readRayCastAll({}, [0, 0, 0], X), { code: 'invalid-argument' })
  })
})

describe('sensors', () => {
  const gate = /** @type {const} */ ({ ...cube, sensor: true })
  const includeSensors = true

  test('every query meets them when it asks for them, and passes through them otherwise', () => {
    const { world, bodies } = worldOf({ shape: gate }, { shape: cube, position: [3, 0, 0] })
    const [sensor, solid] = bodies
    const from = /** @type {const} */ ([-3, 0, 0])
    const pose = { position: from }
    const both = { includeSensors }
    assert.equal(world.rayCast(from, X)?.body, solid)
    assert.equal(world.rayCast(from, X, { includeSensors: false })?.body, solid)
    assert.equal(world.rayCast(from, X, both)?.body, sensor)
    assert.deepEqual(
      world.rayCastAll(from, X, both).map(({ body }) => body),
      [sensor, solid],
    )
    assert.equal(world.rayCastAll(from, X).length, 1)
    assert.equal(world.shapeCast(ball, pose, X)?.body, solid)
    assert.equal(world.shapeCast(ball, pose, X, both)?.body, sensor)
    assert.equal(world.shapeCastAll(ball, pose, X, both).length, 2)
    assert.deepEqual(world.overlap(ball, {}), [])
    assert.equal(world.overlap(ball, {}, both)[0].body, sensor)
    assert.equal(world.closestPoint([0.6, 0, 0])?.body, solid)
    near([world.closestPoint([0.6, 0, 0], both)?.distance ?? NaN], [0.1], 1e-12)
    assert.equal(world.contains([0, 0, 0]), false)
    assert.equal(world.contains([0, 0, 0], both), true)
    const out = { distances: new Float64Array(1), bodyIds: new Float64Array(1) }
    const [origins, directions] = [Float64Array.from(from), Float64Array.from(X)]
    world.rayCastBatch(origins, directions, out, both)
    assert.deepEqual([...out.distances, ...out.bodyIds], [2.5, sensor.id])
    world.shapeCastBatch(ball, origins, directions, out, both)
    near([...out.distances], [2.3], 1e-12)
    world.rayCastBatch(origins, directions, out)
    assert.equal(out.bodyIds[0], solid.id)
  })

  test('filter, excluded body and predicate hold for them, too', () => {
    const { world, bodies } = worldOf({ shape: gate, filter: { category: 2 } })
    const from = /** @type {const} */ ([-3, 0, 0])
    const hits = (/** @type {object} */ more) =>
      world.rayCastAll(from, X, { includeSensors, ...more }).length
    assert.equal(hits({}), 1)
    assert.equal(hits({ filter: { mask: 1 } }), 0)
    assert.equal(hits({ exclude: bodies[0] }), 0)
    assert.equal(hits({ predicate: () => false }), 0)
  })

  test('are met where they are, whatever moved them', () => {
    for (const solver of /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])) {
      for (const type of /** @type {const} */ (['dynamic', 'kinematic'])) {
        const world = new World({ solver, gravity: [0, 0, 0] })
        const body = world.createBody({ type, shape: gate, linearVelocity: [20, 0, 0] })
        for (let i = 0; i < 20; i++) {
          world.step(1 / 60)
          assert.equal(world.contains(body.position, { includeSensors }), true, `${solver} ${type}`)
        }
        world.free()
      }
    }
  })

  test('a shape that becomes one, or ceases to be', () => {
    const { world, bodies } = worldOf({ shape: cube })
    bodies[0].replaceShape(0, gate)
    assert.equal(world.contains([0, 0, 0]), false)
    assert.equal(world.contains([0, 0, 0], { includeSensors }), true)
    bodies[0].replaceShape(0, cube)
    assert.equal(world.contains([0, 0, 0]), true)
  })

  test('do not stop characters: they have no such option', () => {
    const { world } = worldOf({ shape: gate })
    const asked = /** @type {any} */ ({ shape: ball, includeSensors })
    assert.throws(() => world.createCharacter(asked), /unknown option 'includeSensors'/)
    const bad = /** @type {any} */ ({ includeSensors: 1 })
    assert.throws(() => world.rayCast([0, 0, 0], X, bad), {
      ...{ code: 'invalid-argument', message: /rayCast: includeSensors must be true or false/ },
    })
  })
})

describe('bodies that a step moved far', () => {
  for (const solver of /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])) {
    test(`${solver}: queries see them where they are`, () => {
      const world = new World({ solver, gravity: [0, 0, 0] })
      const definition = { shape: ball, linearVelocity: /** @type {const} */ ([100, 0, 0]) }
      const body = world.createBody(definition)
      const carrier = world.createBody({ ...definition, type: 'kinematic', position: [0, 2, 0] })
      for (let i = 0; i < 20; i++) {
        world.step(1 / 60)
        for (const one of [body, carrier]) {
          const [x, y] = one.position
          assert.equal(world.rayCast([x, y, -5], [0, 0, 1])?.body, one)
          assert.equal(world.contains(one.position), true)
        }
      }
      world.free()
    })
  }
})

describe('batches', () => {
  test('give what single casts give', () => {
    const shapes = /** @type {ShapeDefinition[]} */ ([
      ball,
      cube,
      { type: 'capsule', radius: 0.3, halfHeight: 0.4 },
    ])
    const many = Array.from({ length: 300 }, (_, i) => ({
      shape: shapes[i % 3],
      position: /** @type {Vector} */ ([(i * 7) % 23, (i * 5) % 19, (i * 3) % 17]),
      orientation: turn('x', i * 11),
    }))
    const { world } = worldOf(...many)
    const count = 1000
    const origins = new Float64Array(3 * count)
    const directions = new Float32Array(3 * count)
    const orientations = new Float64Array(4 * count)
    for (let i = 0; i < count; i++) {
      origins.set([((i * 31) % 29) - 3, ((i * 17) % 23) - 2, ((i * 13) % 19) - 1.5], 3 * i)
      directions.set([((i * 5) % 7) - 3, ((i * 3) % 5) - 2, ((i * 2) % 3) - 1.25], 3 * i)
      orientations.set(turn('y', i * 17), 4 * i)
    }
    const out = {
      distances: new Float64Array(count),
      positions: new Float64Array(3 * count),
      normals: new Float64Array(3 * count),
      penetrationDepths: new Float64Array(count),
      bodyIds: new Float64Array(count),
      shapeIndices: new Uint32Array(count + 1),
    }
    /** @param {boolean} isRay */
    const compare = (isRay) => {
      let hits = 0
      for (let i = 0; i < count; i++) {
        const from = [...origins.subarray(3 * i, 3 * i + 3)]
        const along = directions.subarray(3 * i, 3 * i + 3)
        const pose = { position: from, orientation: orientations.subarray(4 * i, 4 * i + 4) }
        const hit = isRay ? world.rayCast(from, along) : world.shapeCast(cube, pose, along)
        assert.equal(out.distances[i], hit?.distance ?? Infinity)
        assert.equal(out.bodyIds[i], hit?.body.id ?? 0)
        if (hit === null) continue
        hits++
        assert.deepEqual([...out.positions.subarray(3 * i, 3 * i + 3)], hit.position)
        assert.deepEqual([...out.normals.subarray(3 * i, 3 * i + 3)], hit.normal)
        const depth = 'penetrationDepth' in hit ? hit.penetrationDepth : 0
        assert.equal(out.penetrationDepths[i], depth)
      }
      return hits
    }
    const rays = world.rayCastBatch(origins, directions, out)
    assert.equal(rays, compare(true))
    assert.ok(rays > 200 && rays < 1000, `${rays}`)
    const casts = world.shapeCastBatch(cube, origins, directions, out, { orientations })
    assert.equal(casts, compare(false))
    assert.ok(casts > rays, `${casts}`)
    assert.equal(world.rayCastBatch(new Float64Array(0), new Float64Array(0), {}), 0)
  })

  test('refuse what is wrong, and write nothing', () => {
    const { world } = worldOf({ shape: cube })
    const origins = new Float64Array([-3, 0, 0, -3, 0.1, 0])
    const directions = new Float64Array([1, 0, 0, 1, 0, 0])
    const distances = new Float64Array(2).fill(7)
    /** @type {[() => void, RegExp][]} */
    const calls = [
      [() => world.rayCastBatch(new Float64Array(5), directions, { distances }), /origins must be/],
      [
        () => world.rayCastBatch(origins, new Float64Array(3), { distances }),
        /directions must be a Float64Array or Float32Array of 6 numbers/,
      ],
      [
        () => world.rayCastBatch(origins, new Float64Array(6), { distances }),
        /directions\[0..2\] must be not all zero/,
      ],
      [
        () => world.rayCastBatch(origins, new Float64Array([1, 0, 0, 1, NaN, 0]), { distances }),
        /directions\[4\] must be a finite number, got NaN/,
      ],
      [
        () => world.rayCastBatch(origins, directions, { distances: new Float64Array(1) }),
        /out.distances must be a Float64Array or Float32Array of 2 or more/,
      ],
      [
        () =>
          world.rayCastBatch(
            origins,
            directions,
            /** @type {any} */ ({ bodyIds: new Float32Array(2) }),
          ),
        /out.bodyIds must be a Float64Array of 2 or more/,
      ],
      [
        () => world.rayCastBatch(origins, directions, /** @type {any} */ ({ distance: distances })),
        /unknown option 'distance'; did you mean 'distances'/,
      ],
      // @ts-expect-error plain arrays are not typed
      [() => world.rayCastBatch([0, 0, 0], [1, 0, 0], { distances }), /origins must be/],
      [
        () =>
          world.rayCastBatch(
            origins,
            directions,
            { distances },
            /** @type {any} */ ({ predicate: () => true }),
          ),
        /unknown option 'predicate'/,
      ],
      [
        () =>
          world.shapeCastBatch(
            cube,
            origins,
            directions,
            { distances },
            { orientations: new Float64Array(4) },
          ),
        /orientations must be a Float64Array or Float32Array of 8 numbers/,
      ],
      [() => world.shapeCastBatch({ type: 'plane' }, origins, directions, { distances }), /plane/],
    ]
    for (const [call, message] of calls) {
      assert.throws(call, { code: 'invalid-argument', message })
      assert.deepEqual([...distances], [7, 7])
    }
    assert.equal(world.rayCastBatch(origins, directions, { distances }), 2)
    near([...distances], [2.5, 2.5], 1e-12)
  })
})

describe('what is refused', () => {
  test('shapes, poses, options, stale handles', () => {
    const { world, bodies } = worldOf({ shape: cube }, { shape: ball, position: [9, 0, 0] })
    bodies[1].destroy()
    const freed = createShape(ball)
    freed.free()
    /** @type {[() => unknown, string, RegExp][]} */
    const calls = [
      [
        () => world.shapeCast({ type: 'plane' }, {}, X),
        'invalid-argument',
        /shape must be there, and not a plane/,
      ],
      [() => world.overlap({ type: 'plane' }, {}), 'invalid-argument', /not a plane/],
      [
        () => world.shapeCast({ type: 'sphere', radius: -1 }, {}, X),
        'invalid-argument',
        /shapeCast: shape.radius/,
      ],
      [
        () => world.shapeCast(ball, { position: [0, NaN, 0] }, X),
        'invalid-argument',
        /shapeCast: pose.position/,
      ],
      [
        () => world.shapeCast(ball, /** @type {any} */ ({ rotation: [0, 0, 0, 1] }), X),
        'invalid-argument',
        /unknown option 'rotation'/,
      ],
      [
        () => world.shapeCast(ball, { orientation: [0, 0, 0, 0] }, X),
        'invalid-argument',
        /pose.orientation/,
      ],
      [
        () => world.shapeCast(ball, {}, [0, 0, 0]),
        'invalid-argument',
        /direction must be finite and not zero/,
      ],
      [() => world.shapeCast(ball, {}, X, { maxDistance: -1 }), 'invalid-argument', /maxDistance/],
      [
        () => world.overlap(ball, {}, /** @type {any} */ ({ maxDistance: 1 })),
        'invalid-argument',
        /unknown option 'maxDistance'/,
      ],
      [
        () => world.rayCast([0, 0, 0], X, /** @type {any} */ ({ stopAtPenetration: true })),
        'invalid-argument',
        /unknown option/,
      ],
      [() => world.shapeCast(freed, {}, X), 'stale-handle', /shape was freed/],
      [() => world.shapeCast(ball, {}, X, { exclude: bodies[1] }), 'stale-handle', /exclude/],
      [() => world.closestPoint([0, 0, NaN]), 'invalid-argument', /closestPoint: point/],
      [() => world.contains([0, Infinity, 0]), 'invalid-argument', /contains: point/],
    ]
    for (const [call, code, message] of calls) assert.throws(call, { code, message })
    near([world.shapeCast(ball, { position: [-3, 0, 0] }, X)?.distance ?? NaN], [2.3], 1e-12)
    world.free()
    assert.throws(() => world.overlap(ball, {}), { code: 'stale-handle' })
  })
})
