import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'
import { tetrahedron } from './shapes-support.mjs'
import { near, nearVector, turn } from './support.mjs'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */

before(() => init())

/**
 * @param {ShapeDefinition} definition
 * @param {{ volume: number, area: number, centroid?: number[], inertia: number[] }} expected inertia per mass, its diagonal
 * @param {number} tolerance relative to 1
 */
function measures(definition, { volume, area, centroid = [0, 0, 0], inertia }, tolerance) {
  const shape = createShape(definition)
  near(shape.volume, volume, tolerance * Math.max(1, volume), 'volume')
  near(shape.surfaceArea, area, tolerance * Math.max(1, area), 'surface area')
  nearVector(shape.centroid, centroid, tolerance, 'centroid')
  const tensor = shape.inertia(2)
  nearVector(
    [tensor[0], tensor[4], tensor[8]],
    inertia.map((x) => 2 * x),
    2 * tolerance,
    'inertia',
  )
  const products = [1, 2, 3, 5, 6, 7].map((i) => tensor[i])
  nearVector(products, [0, 0, 0, 0, 0, 0], 2 * tolerance, 'products of inertia')
  shape.free()
}

describe('measures of shapes', () => {
  test('A66 cylinder and cone', () => {
    measures(
      { type: 'cylinder', radius: 0.5, halfHeight: 1 },
      { volume: 1.5707963268, area: 7.853981634, inertia: [0.3958333333, 0.125, 0.3958333333] },
      1e-9,
    )
    measures(
      { type: 'cone', radius: 0.6, halfHeight: 0.8 },
      {
        volume: 0.6031857895,
        area: 4.3519868831,
        centroid: [0, -0.4, 0],
        inertia: [0.15, 0.108, 0.15],
      },
      1e-9,
    )
  })

  test('A66 the mass of bodies', async () => {
    const world = await World.create()
    const cylinder = world.createBody({ shape: { type: 'cylinder', radius: 0.5, halfHeight: 1 } })
    near(cylinder.mass, 1570.796327, 1e-6, 'cylinder')
    const cone = world.createBody({ shape: { type: 'cone', radius: 0.6, halfHeight: 0.8 } })
    near(cone.mass, 603.185789, 1e-6, 'cone')
    nearVector(cone.worldCenterOfMass, [0, -0.4, 0], 1e-12, 'centre of mass of the cone')
    near(cone.inertia[4] / cone.mass, 0.108, 1e-12, 'inertia of the cone about its axis')
    near(cone.inertia[0] / cone.mass, 0.15, 1e-12, 'inertia of the cone across')
    world.free()
  })

  test('A67 capsule', () => {
    measures(
      { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
      {
        volume: 0.3958406744,
        area: 3.0159289474,
        inertia: [0.189452381, 0.0424285714, 0.189452381],
      },
      1e-9,
    )
  })

  test('A68 rounded box, cylinder and cone', () => {
    measures(
      { type: 'box', halfExtents: [0.5, 0.3, 0.2], radius: 0.1 },
      {
        volume: 0.5550206433,
        area: 3.8623007676,
        inertia: [0.079713662, 0.1445455529, 0.1669546953],
      },
      1e-8,
    )
    const cylinder = createShape({ type: 'cylinder', radius: 0.4, halfHeight: 0.5, rounding: 0.1 })
    near(cylinder.volume, 0.9295963361, 1e-8, 'volume of the cylinder')
    const ofCylinder = cylinder.inertia(1)
    nearVector(
      [ofCylinder[4], ofCylinder[0]],
      [0.12355606, 0.17881884],
      1e-8,
      'inertia of the cylinder',
    )
    const cone = createShape({ type: 'cone', radius: 0.5, halfHeight: 0.6, rounding: 0.05 })
    near(cone.volume, 0.4731981554, 1e-8, 'volume of the cone')
    near(cone.centroid[1], -0.30216139, 1e-8, 'centroid of the cone')
    const ofCone = cone.inertia(1)
    nearVector([ofCone[4], ofCone[0]], [0.09728762, 0.11946945], 1e-8, 'inertia of the cone')
  })

  test('A69 rounded tetrahedron', () => {
    const inertia = [0.72828654, 0.72828654, 0.72828654]
    measures(
      { type: 'hull', points: tetrahedron(), radius: 0.25 },
      { volume: 7.209484417, area: 22.7479349302, inertia },
      1e-7,
    )
  })

  test('sphere, box, hull and plane', () => {
    measures(
      { type: 'sphere', radius: 2 },
      { volume: (32 / 3) * Math.PI, area: 16 * Math.PI, inertia: [1.6, 1.6, 1.6] },
      1e-12,
    )
    measures(
      { type: 'box', halfExtents: [1, 2, 3] },
      { volume: 48, area: 88, inertia: [13 / 3, 10 / 3, 5 / 3] },
      1e-12,
    )
    measures(
      { type: 'hull', points: tetrahedron() },
      { volume: 8 / 3, area: 8 * Math.sqrt(3), inertia: [0.4, 0.4, 0.4] },
      1e-12,
    )
    measures({ type: 'plane' }, { volume: 0, area: 0, inertia: [0, 0, 0] }, 0)
  })

  test('tapered shapes between their limits', () => {
    // A cone is a cylinder whose top has shrunk; and so are both with a rounding.
    for (const rounding of [0, 0.05]) {
      const cone = createShape({ type: 'cone', radius: 0.5, halfHeight: 0.6, rounding })
      const cylinder = /** @type {const} */ ({ type: 'cylinder', radiusTop: 0, radiusBottom: 0.5 })
      const tapered = createShape({ ...cylinder, halfHeight: 0.6, rounding })
      near(tapered.volume, cone.volume, 1e-15, 'volume')
      nearVector(tapered.inertia(1), cone.inertia(1), 1e-15, 'inertia')
    }
    // Truncated cone: V = pi H (a^2 + a b + b^2) / 3, side pi (a + b) slant.
    const truncated = createShape({
      type: 'cylinder',
      radiusTop: 0.2,
      radiusBottom: 0.5,
      halfHeight: 0.6,
    })
    near(
      truncated.volume,
      Math.PI * 0.4 * (0.04 + 0.1 + 0.25),
      1e-14,
      'volume of the truncated cone',
    )
    const side = Math.PI * 0.7 * Math.hypot(1.2, 0.3)
    near(truncated.surfaceArea, side + Math.PI * 0.29, 1e-14, 'surface of the truncated cone')
    // A tapered capsule that hardly tapers is a capsule.
    const capsule = createShape({ type: 'capsule', radius: 0.3, halfHeight: 0.5 })
    const tapered = createShape({
      type: 'capsule',
      radiusTop: 0.3,
      radiusBottom: 0.3000001,
      halfHeight: 0.5,
    })
    near(tapered.volume, capsule.volume, 1e-6, 'volume of the tapered capsule')
    nearVector(tapered.inertia(1), capsule.inertia(1), 1e-6, 'inertia of the tapered capsule')
    // One whose lower ball has shrunk to a point: a cone that touches a ball, and the rest of the ball.
    const drop = createShape({ type: 'capsule', radiusTop: 0.3, radiusBottom: 0, halfHeight: 0.25 })
    const sine = 0.3 / 0.5
    const tip = 0.5 - 0.3 * sine // height of the cone from the point to the circle where it touches
    const rim = 0.3 * Math.sqrt(1 - sine ** 2)
    const capHeight = 0.3 * (1 + sine) // of the ball above the circle
    const cap = (Math.PI * capHeight ** 2 * (0.9 - capHeight)) / 3
    near(drop.volume, (Math.PI * rim ** 2 * tip) / 3 + cap, 1e-14, 'volume of the drop')
  })

  test('A70 a body of three shapes', async () => {
    const world = await World.create()
    /** @type {ShapeDefinition[]} */
    const shapes = [
      { type: 'box', halfExtents: [1, 0.2, 0.5], density: 1000 },
      {
        ...{ type: 'box', halfExtents: [0.2, 0.8, 0.5], density: 500 },
        ...{ position: [-0.8, 1, 0], orientation: turn([0, 0, 1], Math.PI / 6) },
      },
      { type: 'sphere', radius: 0.3, density: 2000, position: [1, 0.5, 0.2] },
    ]
    const center = [-0.02214043, 0.3217196924, 0.0336050463]
    const [xx, yy, zz] = [409.1499314, 826.2719734, 1025.5571693]
    const [xy, xz, yz] = [161.0265161, -46.2405437, -8.0652111]
    const inertia = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
    for (const [options, scale] of /** @type {const} */ ([
      [{}, 1],
      [{ mass: 10 }, 0.0074283461],
    ])) {
      const body = world.createBody({ shapes, ...options })
      near(body.mass, 1346.19467106 * scale, 1e-7 * 1346 * scale, 'mass')
      nearVector(body.worldCenterOfMass, center, 1e-8, 'centre of mass')
      nearVector(
        body.inertia,
        inertia.map((x) => x * scale),
        1e-7 * 1025 * scale,
        'inertia',
      )
    }
    world.free()
  })

  test('what is no measure is refused by name', () => {
    /** @type {[Record<string, unknown>, RegExp][]} */
    const refused = [
      [{ type: 'cylinder', halfHeight: 1 }, /radius must be a finite number above 0/],
      [{ type: 'cylinder', radius: 1, halfHeight: 0 }, /halfHeight/],
      [{ type: 'cylinder', radius: 1, halfHeight: 1, rounding: -1 }, /rounding/],
      [{ type: 'cylinder', radius: 1, radiusTop: 1, halfHeight: 1 }, /radiusTop and radiusBottom/],
      [{ type: 'cylinder', radiusTop: 1, halfHeight: 1 }, /radiusBottom/],
      [{ type: 'cylinder', radiusTop: 0, radiusBottom: 0, halfHeight: 1 }, /radiusTop/],
      [{ type: 'cone', radius: Number.NaN, halfHeight: 1 }, /radius/],
      [{ type: 'cone', radius: 1, halfHeight: 1, radiusTop: 1 }, /radiusTop/],
      [{ type: 'cone', radius: 1e-160, halfHeight: 1 }, /radius/],
      [{ type: 'capsule', radiusTop: 1, radiusBottom: 0.1, halfHeight: 0.2 }, /inside the other/],
      [{ type: 'box', halfExtents: [1, 1, 1], radius: -0.1 }, /radius/],
      [{ type: 'hull', points: tetrahedron(), radius: Infinity }, /radius/],
    ]
    for (const [definition, message] of refused) {
      const make = () => createShape(/** @type {any} */ (definition))
      assert.throws(make, { code: 'invalid-argument', message }, JSON.stringify(definition))
    }
  })
})
