/**
 * Characters, which are in no file: what walks through a scene.
 */
import fc from 'fast-check'
import { between, heading, level } from './numbers.mjs'

/** @import { WalkingCharacter } from '../character.mjs' */

/** m/s², along the world's y */
const GRAVITY = 9.81
/** m: above the floor at the start, beyond the gap that it keeps */
const ABOVE = 0.05

const size = between(0.2, 0.4)
const anyShape = fc.tuple(size, size, fc.nat({ max: 2 })).map(
  ([radius, halfHeight, kind]) =>
    [
      { shape: { type: 'capsule', radius, halfHeight }, height: halfHeight + radius },
      { shape: { type: 'cylinder', radius, halfHeight }, height: halfHeight },
      { shape: { type: 'box', halfExtents: [radius, halfHeight, radius] }, height: halfHeight },
    ][kind],
)

/** In the frame of the floor, but for what is up. @type {fc.Arbitrary<WalkingCharacter>} */
const anyCharacter = fc
  .record({
    body: anyShape,
    x: between(-3, 3),
    z: between(1, 3),
    fast: between(0.2, 3),
    angle: heading,
    pushForce: fc.oneof(fc.constant(0), between(50, 2000)),
  })
  .map(({ body: { shape, height }, x, z, fast, angle, pushForce }) => ({
    ...{ shape, position: [x, height + ABOVE, z], velocity: level(fast, angle) },
    ...{ up: [0, 1, 0], gravity: GRAVITY, pushForce },
  }))

/** In one of eight scenes. */
export const someCharacter = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 7 },
  { arbitrary: anyCharacter, weight: 1 },
)
