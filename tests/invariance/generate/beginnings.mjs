/**
 * How a body begins: at rest, sliding, rolling, spinning, falling or thrown.
 */
import fc from 'fast-check'
import { anyOrientation, between, heading, level, speed } from './numbers.mjs'
import { ON_SIDE } from './movers.mjs'

/** @import { Quaternion, Vector } from '../../../scenarios/vector.mjs' */
/** @import { Mover } from './movers.mjs' */

/** @typedef {{ position: Vector, orientation: Quaternion, linearVelocity: Vector, angularVelocity: Vector }} Begun in the frame of the floor */

/** @typedef {(mover: Mover) => Partial<Begun>} Begin */

/** @param {Begin} begin */
const beginning = (begin) => begin

const rests = fc.constant(beginning(() => ({})))

const slides = fc
  .tuple(speed, heading, fc.oneof(fc.constant(0), between(-8, 8)))
  .map(([fast, angle, spin]) =>
    beginning(() => ({ linearVelocity: level(fast, angle), angularVelocity: [0, spin, 0] })),
  )

const rolls = fc.tuple(speed, heading).map(([fast, angle]) =>
  beginning(({ rolls: radius = Infinity, lies }) => {
    const velocity = level(fast, lies === ON_SIDE ? 0 : angle)
    return {
      linearVelocity: velocity,
      angularVelocity: [velocity[2] / radius, 0, -velocity[0] / radius],
    }
  }),
)

const spins = between(-8, 8).map((spin) => beginning(() => ({ angularVelocity: [0, spin, 0] })))

const falls = fc
  .tuple(between(0.1, 1.5), anyOrientation, between(-2, 2), between(-2, 2))
  .map(([height, orientation, x, z]) =>
    beginning(({ height: least }) => ({
      ...{ position: [0, 2 * least + height, 0], orientation },
      ...{ linearVelocity: [x, 0, z], angularVelocity: [z, x, -z] },
    })),
  )

const flies = fc
  .tuple(between(0.1, 1), speed, heading, between(-6, 0), between(-4, 4))
  .map(([height, fast, angle, down, spin]) =>
    beginning(({ height: least }) => {
      const [x, , z] = level(fast, angle)
      return {
        position: [0, least + height, 0],
        ...{ linearVelocity: [x, down, z], angularVelocity: [spin, 0.5 * spin, -spin] },
      }
    }),
  )

export const anyBeginning = fc.oneof(rests, slides, rolls, spins, falls, flies)
