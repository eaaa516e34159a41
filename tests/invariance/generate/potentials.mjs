/**
 * Fields and springs: all types of potentials that a file can hold. They act on the bodies of the scene, so that bystanders feel none.
 */
import fc from 'fast-check'
import { between, vectorUpTo } from './numbers.mjs'

/** m/s² */
const gravity = vectorUpTo(1.5).map((field) => ({ type: 'gravity', gravity: field }))

/** m³/s², within 1 m of which it grows no more */
const pointGravity = fc
  .tuple(between(0.5, 8), vectorUpTo(2))
  .map(([mu, center]) => ({ type: 'pointGravity', mu, center, softening: 1 }))

/** Of a mass below the floor, where no body comes near. */
const tidal = fc
  .tuple(between(1, 200), between(3, 6))
  .map(([mu, depth]) => ({ type: 'tidal', mu, center: [0, -depth, 0] }))

/** A m² and T: torques of some N m */
const magnetic = fc
  .tuple(vectorUpTo(20), vectorUpTo(1))
  .map(([moment, field]) => ({ type: 'magnetic', moment, field }))

/** N s/m, N s²/m², N m s and m/s of a wind */
const drag = fc
  .tuple(between(0, 40), between(0, 10), between(0, 5), vectorUpTo(3))
  .map(([linear, quadratic, angular, velocity]) => ({
    ...{ type: 'drag', linear, quadratic, angular, velocity },
  }))

/** kg/m³, and m of the surface above the origin */
const buoyancy = fc.tuple(between(200, 1500), between(0.1, 1)).map(([density, offset]) => ({
  type: 'buoyancy',
  density,
  surface: { normal: [0, 1, 0], offset },
}))

/** m³/(kg s²): bodies of some 100 kg attract each other by some m/s² within 1 m. */
const mutualGravity = between(0.1, 1).map((part) => ({
  ...{ type: 'mutualGravity', gravitationalConstant: 0.01 * part, softening: 0.5 },
}))

/** N/m and N s/m, from a point to the first body that moves */
const spring = fc
  .tuple(between(10, 500), between(0, 50), between(0, 2), between(1, 3))
  .map(([stiffness, damping, restLength, height]) => ({
    ...{ type: 'spring', stiffness, damping, restLength, anchorB: [0, height, 0] },
  }))

const anyPotential = fc.oneof(
  ...[gravity, pointGravity, tidal, magnetic, drag, buoyancy, mutualGravity, spring],
)

/** None mostly, or one or two, in the frame of the floor. @type {fc.Arbitrary<any[]>} */
export const somePotentials = fc.oneof(
  { arbitrary: fc.constant(/** @type {any[]} */ ([])), weight: 4 },
  { arbitrary: fc.array(anyPotential, { minLength: 1, maxLength: 2 }), weight: 1 },
)
