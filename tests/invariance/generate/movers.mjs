/**
 * What moves: bodies of all shapes, and how they lie on the floor.
 */
import fc from 'fast-check'
import { angleOf } from '../../../scenarios/vector.mjs'
import { between, turned } from './numbers.mjs'

/** @import { Quaternion } from '../../../scenarios/vector.mjs' */

/** Upright or on its side: from the axis of y to that of z. */
export const ON_SIDE = /** @type {Quaternion} */ ([Math.SQRT1_2, 0, 0, Math.SQRT1_2])
const UPRIGHT = /** @type {Quaternion} */ ([0, 0, 0, 1])

/**
 * Shapes of a body, how high its origin lies over what it rests on, and how it lies there.
 * @typedef {{ has: any, height: number, lies: Quaternion, rolls?: number }} Mover `rolls`: the radius with which it does, along x
 */

/** m: of a radius or of half an edge, and of what is round about a shape */
const [size, rounding] = [between(0.15, 0.5), between(0.02, 0.1)]

/** @param {any} shape @param {number} height @param {Quaternion} [lies] @param {number} [rolls] @returns {Mover} */
const mover = (shape, height, lies = UPRIGHT, rolls) => ({
  ...{ has: { shape }, height, lies },
  ...(rolls === undefined ? {} : { rolls }),
})

const ball = size.map((radius) => mover({ type: 'sphere', radius }, radius, UPRIGHT, radius))

export const box = fc
  .tuple(size, size, size)
  .map((halfExtents) => mover({ type: 'box', halfExtents }, halfExtents[1]))

const roundedBox = fc
  .tuple(size, size, size, rounding)
  .map(([x, y, z, radius]) => mover({ type: 'box', halfExtents: [x, y, z], radius }, y + radius))

const capsule = fc
  .tuple(size, size)
  .map(([radius, halfHeight]) =>
    mover({ type: 'capsule', radius, halfHeight }, radius, ON_SIDE, radius),
  )

/** On its side, where both of its balls touch the floor. */
const taperedCapsule = fc
  .tuple(between(0.25, 0.5), between(0.15, 0.4), between(0.15, 0.4))
  .map(([halfHeight, radiusTop, radiusBottom]) => {
    const rises = (radiusTop - radiusBottom) / (2 * halfHeight)
    return mover(
      { type: 'capsule', radiusTop, radiusBottom, halfHeight },
      (radiusTop + radiusBottom) / 2,
      turned([1, 0, 0], Math.acos(rises)),
    )
  })

/** @param {fc.Arbitrary<number>} edge m, of its rounding */
const cylinderWith = (edge) =>
  fc.tuple(size, size, edge, fc.boolean()).map(([radius, halfHeight, rounded, isOnSide]) => {
    const shape = { type: 'cylinder', radius, halfHeight, rounding: rounded }
    return isOnSide
      ? mover(shape, radius + rounded, ON_SIDE, radius + rounded)
      : mover(shape, halfHeight + rounded)
  })
const cylinder = cylinderWith(fc.constant(0))
const roundedCylinder = cylinderWith(rounding)

const taperedCylinder = fc
  .tuple(size, size, size, fc.oneof(fc.constant(0), rounding))
  .map(([radiusTop, radiusBottom, halfHeight, edge]) =>
    mover(
      { type: 'cylinder', radiusTop, radiusBottom, halfHeight, rounding: edge },
      halfHeight + edge,
    ),
  )

const cone = fc
  .tuple(size, size, fc.oneof(fc.constant(0), rounding))
  .map(([radius, halfHeight, edge]) =>
    mover({ type: 'cone', radius, halfHeight, rounding: edge }, halfHeight + edge),
  )

/** Corners of a prism with another depth than width, whose top is another than its bottom. */
const prism = fc
  .tuple(fc.integer({ min: 3, max: 7 }), size, size, between(0.3, 1.2))
  .map(([corners, halfWidth, halfHeight, top]) => ({
    halfHeight,
    points: [-1, 1].flatMap((side) =>
      Array.from({ length: corners }, (_, i) => {
        const { cosine, sine } = angleOf((2 * Math.PI * i) / corners)
        const reach = halfWidth * (side < 0 ? 1 : top)
        return [reach * cosine, side * halfHeight, 0.7 * reach * sine]
      }),
    ),
  }))
const hull = prism.map(({ points, halfHeight }) => mover({ type: 'hull', points }, halfHeight))
const roundedHull = fc
  .tuple(prism, rounding)
  .map(([{ points, halfHeight }, radius]) =>
    mover({ type: 'hull', points, radius }, halfHeight + radius),
  )

/** Two runners and what they carry: shapes of a body, or one shape of several. */
const sledge = fc.tuple(size, fc.boolean()).map(([r, isOne]) => {
  const runner = { type: 'box', halfExtents: [r, 0.4 * r, 0.3 * r] }
  const shapes = [
    { ...runner, position: [0, -0.6 * r, -0.5 * r] },
    { ...runner, position: [0, -0.6 * r, 0.5 * r] },
    { type: 'box', halfExtents: [0.5 * r, 0.5 * r, 0.8 * r], position: [0, 0.2 * r, 0] },
  ]
  const has = isOne ? { shape: { type: 'compound', shapes } } : { shapes }
  return /** @type {Mover} */ ({ has, height: r, lies: UPRIGHT })
})

/** Two balls on a bar, of which one is heavier. */
const dumbbell = fc.tuple(between(0.15, 0.3), between(200, 3000)).map(([radius, density]) => {
  const at = (/** @type {number} */ side) => ({
    ...{ type: 'sphere', radius, position: [0, side * 2 * radius, 0] },
    density: side < 0 ? density : 1000,
  })
  const bar = { type: 'capsule', radius: 0.3 * radius, halfHeight: 2 * radius }
  return mover({ type: 'compound', shapes: [at(-1), bar, at(1)] }, radius, ON_SIDE, radius)
})

export const anyMover = fc.oneof(
  ...[ball, box, roundedBox, capsule, taperedCapsule, cylinder, roundedCylinder],
  ...[taperedCylinder, cone, hull, roundedHull, sledge, dumbbell],
)

/** What others can stand on. */
export const flatMover = fc.oneof(
  ...[box, roundedBox, hull, roundedHull],
  cylinder.filter(({ lies }) => lies === UPRIGHT),
)
