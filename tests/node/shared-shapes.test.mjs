// Equal shapes are one shape in the engine, whichever way they come, and nobody can tell but by the memory that they take. The
// engine counts its bytes exactly, so a busy machine does not matter.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ConvexHull, createShape, init, World } from 'moreau'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */

before(() => init())

/** A new definition with each call, as users write them. @type {Record<string, () => ShapeDefinition>} */
const LITERALS = {
  sphere: () => ({ type: 'sphere', radius: 0.5 }),
  box: () => ({ type: 'box', halfExtents: [0.5, 0.4, 0.3] }),
  roundedBox: () => ({ type: 'box', halfExtents: [0.5, 0.4, 0.3], radius: 0.1 }),
  capsule: () => ({ type: 'capsule', radius: 0.5, halfHeight: 1 }),
  taperedCapsule: () => ({ type: 'capsule', radiusTop: 0.5, radiusBottom: 0.25, halfHeight: 1 }),
  cylinder: () => ({ type: 'cylinder', radius: 0.5, halfHeight: 1 }),
  cone: () => ({ type: 'cone', radius: 0.5, halfHeight: 1, rounding: 0.05 }),
  hull: () => ({ type: 'hull', points: TETRAHEDRON.map((p) => [...p]) }),
  roundedHull: () => ({ type: 'hull', points: [...TETRAHEDRON, [0.1, 0.1, 0.1]], radius: 0.1 }),
  plane: () => ({ type: 'plane', normal: [0, 2, 0], offset: 1 }),
  mesh: () => ({ type: 'mesh', vertices: TETRAHEDRON.flat(), indices: [0, 2, 1, 0, 1, 3] }),
  heightfield: () => ({ type: 'heightfield', heights: [0, 1, 2, 3], rows: 2, columns: 2 }),
  compound: () => ({
    type: 'compound',
    shapes: [
      { type: 'sphere', radius: 0.3, position: [0, 1, 0] },
      { type: 'box', halfExtents: [0.5, 0.5, 0.5], friction: 0.2 },
    ],
  }),
}
/** @type {[number, number, number][]} */
const TETRAHEDRON = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Points of a ball, all of which are corners of their hull. @param {number} count */
const onBall = (count) =>
  Array.from({ length: count }, (_, i) => {
    const point = [Math.sin(i), Math.cos(3 * i), Math.sin(7 * i + 1)]
    return point.map((x) => x / Math.hypot(...point))
  })

const world = (options = {}) => new World({ gravity: [0, -10, 0], allowSleep: false, ...options })

/** @param {World} of */
const bytesOf = (of) => of.memory().bytes

/** What `make` adds to the bytes of the engine. @param {World} of @param {() => unknown} make */
function added(of, make) {
  const bytes = bytesOf(of)
  make()
  return bytesOf(of) - bytes
}

describe('equal shapes', () => {
  for (const [name, make] of Object.entries(LITERALS)) {
    test(`${name}: two handles, one shape`, () => {
      const probe = world()
      const first = createShape(make())
      /** @type {import('moreau').Shape | undefined} */
      let second
      assert.equal(
        added(probe, () => (second = createShape(make()))),
        0,
      )
      assert.ok(second)
      assert.notEqual(second, first)
      assert.equal(second.surfaceArea, first.surfaceArea)
      // Each handle is given back by itself, and the last one takes the shape with it.
      assert.equal(
        added(probe, () => first.free()),
        0,
      )
      assert.throws(() => first.surfaceArea, { code: 'stale-handle' })
      assert.ok(second.surfaceArea >= 0)
      const last = second
      assert.ok(added(probe, () => last.free()) < 0)
      probe.free()
    })
  }

  test('1000 literal boxes take what 1000 bodies with one shape take, and move as they do', () => {
    const fill = (/** @type {World} */ of, /** @type {() => ShapeDefinition} */ shapeOf) => {
      of.createBody({ type: 'static', shape: { type: 'plane' } })
      for (let i = 0; i < 1000; i++) {
        const position = /** @type {const} */ ([(i % 10) * 1.1, 0.4 + i / 100, ((i / 10) % 10) | 0])
        of.createBody({ shape: shapeOf(), position })
      }
    }
    const one = LITERALS.box()
    const [shared, literal] = [world(), world()]
    const bytes = added(shared, () => fill(shared, () => one))
    assert.equal(bytes - added(literal, () => fill(literal, LITERALS.box)) >= 0, true)
    for (const each of [shared, literal]) for (let step = 0; step < 5; step++) each.step(1 / 60)
    assert.equal(literal.hash(), shared.hash())
    shared.free()
    literal.free()
  })

  test('boxes of different sizes stay different', () => {
    const probe = world()
    const shapes = Array.from({ length: 100 }, (_, i) =>
      createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5 + i * Number.EPSILON] }),
    )
    assert.equal(new Set(shapes.map(({ volume }) => volume)).size, 100)
    const extra = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.25] })
    assert.equal(extra.volume, 0.5)
    for (const shape of [...shapes, extra]) shape.free()
    probe.free()
  })

  test('a hull of the same points is not built again, and keeps its own handle', () => {
    const probe = world()
    const calls = () => probe.memory().allocations
    const start = calls()
    const first = ConvexHull.fromPoints(onBall(60))
    const built = calls()
    const second = ConvexHull.fromPoints(onBall(60))
    assert.equal(first.vertices.length, 60)
    assert.ok(calls() - built < (built - start) / 4, `${calls() - built} of ${built - start}`)
    first.free()
    assert.throws(() => first.facets, { code: 'stale-handle' })
    assert.ok(second.facets.length > 100)
    second.free()
    probe.free()
  })
})

describe('equal shapes from elsewhere', () => {
  /** @returns {ShapeDefinition} */
  const ball = () => ({ type: 'hull', points: onBall(200) })
  /** @param {World} of */
  const fill = (of) => {
    of.createBody({ type: 'static', shape: LITERALS.mesh() })
    for (let i = 0; i < 20; i++) {
      const shape = [ball, LITERALS.box, LITERALS.compound][i % 3]()
      of.createBody({ shape, position: [0, 2 + 2 * i, 0] })
    }
  }

  /**
   * @template Prepared
   * @param {(from: World) => Prepared} prepare what the first world keeps does not count
   * @param {(prepared: Prepared) => World} copy
   */
  const bringsNoShapes = (prepare, copy) => {
    const alone = world()
    const whole = added(alone, () => fill(alone))
    const shape = createShape({ type: 'hull', points: onBall(201) })
    const ofShape = -added(alone, () => shape.free())
    assert.ok(ofShape > 50_000, `${ofShape}`)
    const prepared = prepare(alone)
    /** @type {World | undefined} */
    let second
    const more = added(alone, () => (second = copy(prepared)))
    assert.ok(more < whole - ofShape / 2, `${more} bytes, ${whole} with a hull of ${ofShape}`)
    for (let step = 0; step < 10; step++) for (const each of [alone, second]) each?.step(1 / 60)
    assert.equal(second?.hash(), alone.hash())
    second?.free()
    alone.free()
  }

  test('a scene of JSON', () =>
    bringsNoShapes(
      (from) => from.toJSON(),
      (scene) => World.fromJSON(scene),
    ))

  test('a snapshot that is restored elsewhere', () =>
    bringsNoShapes(
      (from) => from.snapshot(),
      (bytes) => {
        const to = world()
        to.restore(bytes)
        return to
      },
    ))
})
