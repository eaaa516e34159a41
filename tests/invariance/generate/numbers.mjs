/**
 * Numbers, directions and orientations of which scenes are made.
 */
import fc from 'fast-check'
import { angleOf, rotate, turn } from '../../../scenarios/vector.mjs'

/** @import { Quaternion, Vector } from '../../../scenarios/vector.mjs' */

/** m/s: what most bodies are slower than, and what none is faster than at the start */
const [FAST, FASTEST] = [5, 12]

/** A number of two decimals, which scripts can show. @param {number} from @param {number} to */
export const between = (from, to) =>
  fc.integer({ min: Math.ceil(100 * from), max: Math.floor(100 * to) }).map((n) => n / 100)

/** m/s, along the floor */
export const speed = fc.oneof(
  { arbitrary: between(0.1, FAST), weight: 5 },
  { arbitrary: between(FAST, FASTEST), weight: 1 },
)

/** rad, about the upright axis of the floor */
export const heading = between(-3.14, 3.14)

/** @param {Vector} axis @param {number} angle rad @returns {Quaternion} */
export const turned = (axis, angle) => turn(axis, angleOf(angle))

/** @param {number} fast m/s @param {number} angle rad @returns {Vector} */
export const level = (fast, angle) => rotate(turned([0, 1, 0], angle), [fast, 0, 0])

/** @type {fc.Arbitrary<Quaternion>} */
export const anyOrientation = fc
  .tuple(between(-1, 1), between(-1, 1), between(-1, 1), between(0.1, 1))
  .map((q) => {
    const length = Math.hypot(...q)
    return /** @type {Quaternion} */ (q.map((x) => x / length))
  })

/** A vector whose parts are at most so long. @param {number} most @returns {fc.Arbitrary<Vector>} */
export const vectorUpTo = (most) =>
  fc.tuple(between(-most, most), between(-most, most), between(-most, most))

export const friction = fc.oneof(fc.constant(0), between(0.05, 1))
export const restitution = fc.oneof(
  { arbitrary: fc.constant(0), weight: 2 },
  { arbitrary: between(0.1, 1), weight: 1 },
)
