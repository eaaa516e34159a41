/**
 * Machines: joints that need more than two bodies, or bodies of their own.
 */
import fc from 'fast-check'
import { ON_SIDE } from './movers.mjs'
import { between } from './numbers.mjs'

/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Group } from './groups.mjs' */

/** @param {number} radius m @param {Vector} position @param {any} [rest] */
const wheelAt = (radius, position, rest) => ({
  ...{ shape: { type: 'cylinder', radius, halfHeight: 0.1 }, orientation: ON_SIDE },
  ...{ position, friction: 0.8, ...rest },
})

/** A chassis on two wheels in the middle, or on four. @type {fc.Arbitrary<Group>} */
const car = fc
  .record({
    radius: between(0.2, 0.4),
    axles: fc.constantFrom([0.6, -0.6], [0]),
    hertz: between(2, 6),
    damping: between(0.3, 1),
    travel: between(0.05, 0.2),
    fast: between(-12, 12),
    force: between(5, 200),
    steering: between(-0.4, 0.4),
  })
  .map(({ radius, axles, hertz, damping, travel, fast, force, steering }) => {
    const height = radius + 0.25
    const chassis = {
      shape: { type: 'box', halfExtents: [0.9, 0.12, 0.35] },
      ...{ position: [0, height, 0], friction: 0.4 },
    }
    const places = axles.flatMap((x) => [0.55, -0.55].map((z) => ({ x, z })))
    const wheels = places.map(({ x, z }) => wheelAt(radius, [x, radius, z]))
    const joints = places.map(({ x, z }, i) => ({
      ...{ type: 'wheel', bodyA: 0, bodyB: i + 1, anchor: [x, radius, z] },
      ...{ axis: [0, 1, 0], axle: [0, 0, 1], spring: { hertz, damping } },
      ...{ limits: [-travel, travel], motor: { targetVelocity: fast, maxForce: force } },
      ...(x > 0 ? { steering } : {}),
    }))
    return { bodies: [chassis, ...wheels], joints }
  })

/** Two wheels on hinges, and a rack for the second if there is one. @type {fc.Arbitrary<Group>} */
const gears = fc
  .record({
    height: between(0.45, 2),
    ratio: between(0.4, 2),
    isReversed: fc.boolean(),
    spin: between(-6, 6),
    hasMotor: fc.boolean(),
    hasRack: fc.boolean(),
  })
  .map(({ height, ratio, isReversed, spin, hasMotor, hasRack }) => {
    const xs = [-0.5, 0.5]
    const bodies = xs.map((x) => wheelAt(0.4, [x, height, 0]))
    const joints = xs.map((x, i) => ({
      ...{ type: 'hinge', bodyA: null, bodyB: i, anchor: [x, height, 0], axis: [0, 0, 1] },
      ...(i === 0 && hasMotor ? { motor: { targetVelocity: spin, maxForce: 50 } } : {}),
      ...(i === 0 && !hasMotor ? { friction: Math.abs(spin) } : {}),
    }))
    const gear = { type: 'gear', jointA: 0, jointB: 1, ratio: isReversed ? -ratio : ratio }
    if (!hasRack) return { bodies, joints: [...joints, gear] }
    const rack = {
      shape: { type: 'box', halfExtents: [0.8, 0.05, 0.1] },
      ...{ position: [0.5, height, 0.5], linearVelocity: [0.2 * spin, 0, 0] },
    }
    const anchor = [0.5, height, 0.5]
    const guide = { type: 'slider', bodyA: null, bodyB: 2, anchor, axis: [1, 0, 0] }
    const teeth = { type: 'rackAndPinion', jointA: 1, jointB: 2, ratio: 0.4 }
    return { bodies: [...bodies, rack], joints: [...joints, guide, gear, teeth] }
  })

/** Two weights on a rope over the world. @type {fc.Arbitrary<Group>} */
const pulley = fc
  .tuple(between(0.15, 0.4), between(0.15, 0.4), between(0.5, 2), between(0.4, 1.6))
  .map(([a, b, ratio, height]) => {
    const weight = (/** @type {number} */ half, /** @type {number} */ x) => ({
      shape: { type: 'box', halfExtents: [half, half, half] },
      position: [x, height, 0],
    })
    const joint = {
      ...{ type: 'pulley', bodyA: 0, bodyB: 1, ratio },
      ...{ groundAnchorA: [-0.6, 3, 0], groundAnchorB: [0.6, 3, 0] },
    }
    return { bodies: [weight(a, -0.6), weight(b, 0.6)], joints: [joint] }
  })

/** A bead on a curve. @type {fc.Arbitrary<Group>} */
const path = fc
  .record({
    points: fc.tuple(between(0.6, 1.6), between(0.6, 1.6), between(-0.8, 0.8)),
    closed: fc.boolean(),
    align: fc.constantFrom('none', 'tangent', 'frame'),
    drive: fc.oneof(
      fc.constant({}),
      between(1, 200).map((friction) => ({ friction })),
      fc
        .tuple(between(-2, 2), between(10, 2000))
        .map(([targetVelocity, maxForce]) => ({ motor: { targetVelocity, maxForce } })),
    ),
  })
  .map(({ points: [left, right, z], closed, align, drive }) => {
    const points = [
      [-1, 1.5, 0],
      [-0.4, left, z],
      [0.5, right, 0.3],
      [1.1, 1.6, -0.6],
    ]
    const bead = {
      shape: { type: 'box', halfExtents: [0.25, 0.15, 0.15] },
      position: points[1],
    }
    const joint = { type: 'path', bodyA: null, bodyB: 0, anchorB: [0, 0, 0], points, closed, align }
    return { bodies: [bead], joints: [{ ...joint, ...drive }] }
  })

/** @type {fc.Arbitrary<Group>} */
export const anyMachine = fc.oneof(car, gears, pulley, path)
