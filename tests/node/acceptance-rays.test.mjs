import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { tetrahedron, turned } from './shapes-support.mjs'
import { near, nearVector } from './support.mjs'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */
/** @typedef {import('moreau').RayHit} RayHit */
/** @typedef {[number, number, number]} Vector */

before(() => init())

/**
 * The hit of a ray on one shape.
 *
 * @param {ShapeDefinition} shape
 * @param {import('./shapes-support.mjs').Pose | {}} pose
 * @param {Vector} origin
 * @param {Vector} direction
 * @param {{ maxDistance?: number }} [options]
 */
function cast(shape, pose, origin, direction, options = {}) {
  const world = new World()
  world.createBody({ type: 'static', shape, ...pose })
  const hit = world.rayCast(origin, direction, options)
  world.free()
  if (hit) near(Math.hypot(...hit.normal), 1, 1e-12, 'length of the normal')
  return hit
}

const sphere = /** @type {const} */ ({ type: 'sphere', radius: 1 })
const cylinder = /** @type {const} */ ({ type: 'cylinder', radius: 0.5, halfHeight: 0.8 })
const cone = /** @type {const} */ ({ type: 'cone', radius: 0.6, halfHeight: 0.8 })
const capsule = /** @type {const} */ ({ type: 'capsule', radius: 0.3, halfHeight: 0.5 })
const box = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.3, 0.2] })

/**
 * @param {RayHit | null} hit
 * @param {number} distance
 * @param {Vector} normal
 * @param {number} [tolerance]
 */
function meets(hit, distance, normal, tolerance = 1e-9) {
  assert.ok(hit, 'a hit')
  near(hit.distance, distance, tolerance, 'distance')
  nearVector(hit.normal, normal, Math.max(tolerance, 1e-7), 'normal')
}

describe('rays', () => {
  test('A88 at each shape', () => {
    const pose = { position: [0.3, -0.2, 0.4], orientation: turned([[1, 2, 2], 50]) }
    const hull = /** @type {const} */ ({ type: 'hull', points: tetrahedron() })
    const end = /** @type {Vector} */ ([-0.4313158, 0.8015487, 0.4141092])
    /** @type {[ShapeDefinition, Vector, Vector, number, Vector][]} */
    const cases = [
      [sphere, [3, 2, 1], [-2.5, -1.9, -0.7], 2.549907837, [0.7184989, 0.6940592, 0.0451797]],
      [box, [-2, 3, 2.5], [2.4, -3.1, -2.1], 4.1810267502, end],
      [cylinder, [1, -3, 2], [-0.7, 3, -1.5], 2.79430645, [0.1004192, -0.4134952, 0.9049518]],
      [cylinder, [0, 1, 4], [0.1, -0.5, -3.3], 3.286744679, end],
      [cone, [-3, -1, -2], [3.4, 0.9, 2.5], 3.8808793261, [-0.8860862, 0.1815821, -0.4264729]],
      [cone, [2, -2, -3], [-1.2, 1.2, 3.1], 3.5607481271, [0.4313158, -0.8015487, -0.4141092]],
      [capsule, [3, 3, -1], [-2.6, -3.1, 1.5], 4.1264725626, [0.8715731, 0.4887694, -0.0382731]],
      [capsule, [3, 3, -1], [-2.9, -2.7, 1.7], 4.0782494616, [0.575394, 0.8178704, 0.0031139]],
      [hull, [-4, 1, 1], [4.3, -1, -0.6], 3.1803282316, [-0.1956725, 0.8592199, -0.4727086]],
    ]
    for (const [shape, origin, direction, distance, normal] of cases) {
      meets(cast(shape, pose, origin, direction), distance, normal)
    }
  })

  test('A89 rounded shapes and planes', () => {
    const rounded = { ...box, radius: 0.1 }
    meets(cast(rounded, {}, [-3, 0.1, 0.05], [1, 0, 0]), 2.4, [-1, 0, 0])
    meets(cast(rounded, {}, [-3, 0.36, 0.05], [1, 0, 0]), 2.42, [-0.8, 0.6, 0])
    const corner = cast(rounded, {}, [-3, 0.34, 0.25], [1, 0, 0])
    meets(corner, 2.4231885425, [-0.76811457, 0.4, 0.5])
    const rod = /** @type {const} */ ({
      type: 'cylinder',
      radius: 0.4,
      halfHeight: 0.5,
      rounding: 0.1,
    })
    const rim = cast(rod, {}, [-3, 0.54, 0.1], [1, 0, 0])
    meets(rim, 2.5186257058, [-0.8973568, 0.4, 0.1864156])
    const plane = /** @type {const} */ ({ type: 'plane', normal: [2, 3, 6], offset: 0.3 })
    meets(cast(plane, {}, [1, 1, 4], [-1, 0.5, -2]), 4.9308514478, [2 / 7, 3 / 7, 6 / 7])
    const inside = cast(plane, {}, [-1, 1, -1], [-1, 0.5, -2])
    const length = Math.hypot(1, 0.5, 2)
    meets(inside, 0, [1 / length, -0.5 / length, 2 / length])
  })

  test('A91 rays that graze, start on the surface or meet a rim or tip', () => {
    /** @type {Vector} */ const x = [1, 0, 0]
    /** @type {Vector} */ const down = [0, -1, 0]
    near(cast(sphere, {}, [-3, 0.999999, 0], x)?.distance ?? 0, 2.99858579, 1e-7, 'a grazing ray')
    assert.equal(cast(sphere, {}, [-3, 1.000001, 0], x), null)
    meets(cast(sphere, {}, [0.2, 0.1, 0], x), 0, [-1, 0, 0])
    meets(cast(sphere, {}, [-1, 0, 0], x), 0, [-1, 0, 0])
    assert.equal(cast(sphere, {}, [1, 0, 0], x), null)
    assert.equal(cast(sphere, {}, [3, 0, 0], x), null)
    assert.equal(cast(sphere, {}, [-3, 0, 0], x, { maxDistance: 1.999999 }), null)
    for (const maxDistance of [2, 2.000001]) {
      meets(cast(sphere, {}, [-3, 0, 0], x, { maxDistance }), 2, [-1, 0, 0])
    }
    assert.throws(() => cast(sphere, {}, [-3, 0, 0], [0, 0, 0]), { code: 'invalid-argument' })
    assert.throws(() => cast(sphere, {}, [-3, 0, 0], [NaN, 0, 0]), { code: 'invalid-argument' })
    meets(cast(cylinder, {}, [0, 3, 0], down), 2.2, [0, 1, 0])
    const side = cast(cylinder, {}, [0.5, 3, 0], down)
    if (side) near(side.distance, 2.2, 1e-7, 'along the side')
    const tip = cast(cone, {}, [0, 3, 0], down)
    near(tip?.distance ?? 0, 2.2, 1e-7, 'tip')
    assert.ok((tip?.normal[1] ?? 0) > 0, 'the normal of the tip points up')
  })

  test('a tapered capsule is two balls and the cone that touches both', () => {
    const drop = /** @type {const} */ ({
      ...{ type: 'capsule', radiusTop: 0.5, radiusBottom: 0.2, halfHeight: 0.5 },
    })
    meets(cast(drop, {}, [0, 3, 0], [0, -1, 0]), 2, [0, 1, 0])
    meets(cast(drop, {}, [0, -3, 0], [0, 1, 0]), 2.3, [0, -1, 0])
    // The side rises by 0.3 over a distance of 1: its normal is (cos, -0.3).
    const cosine = Math.sqrt(1 - 0.09)
    const reach = (0.35 + 0.3 * 0) / cosine // at y = 0 the side is 0.35 from the middle, along its normal
    meets(cast(drop, {}, [-3, 0, 0], [1, 0, 0]), 3 - reach, [-cosine, -0.3, 0])
  })

  test('a ray from far away keeps its digits', () => {
    for (const shape of [cylinder, cone, capsule]) {
      const close = cast(shape, {}, [2, 0.3, 0.1], [-1, -0.1, 0])
      const distance = 1e7 * Math.hypot(1, 0.1)
      const far = cast(shape, {}, [2 + 1e7, 0.3 + 1e6, 0.1], [-1, -0.1, 0])
      assert.ok(close && far)
      near(far.distance - distance, close.distance, 1e-8, shape.type)
    }
  })
})
