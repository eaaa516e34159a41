/**
 * Joints of all types between two links of a chain that lie along x and have the axes of the floor.
 */
import fc from 'fast-check'
import { add, scale, subtract } from '../../../scenarios/vector.mjs'
import { between } from './numbers.mjs'

/** @import { Vector } from '../../../scenarios/vector.mjs' */

/**
 * What a joint links: A is null for the world, and then `from` is where B hangs.
 * @typedef {{ bodyA: number | null, bodyB: number, from: Vector, to: Vector }} Link `from`, `to`: where the bodies are, m
 */

/** @typedef {(link: Link) => any} JointOf */

/** @type {Record<'x' | 'y' | 'z', Vector>} */
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }
const anyAxis = fc.constantFrom(AXES.x, AXES.y, AXES.z)

/** Where a link is held: half-way. @param {Link} link */
const middleOf = ({ from, to }) => scale(add(from, to), 0.5)

/** @param {any} rest @returns {JointOf} */
const anchored =
  (rest) =>
  ({ bodyA, bodyB, ...link }) => ({
    ...rest,
    bodyA,
    bodyB,
    anchor: middleOf({ bodyA, bodyB, ...link }),
  })

/** What joints with two points have: of a body the centre of mass, of the world where it hangs. @param {any} rest @returns {JointOf} */
const pointed =
  (rest) =>
  ({ bodyA, bodyB, from }) => ({
    ...{ ...rest, bodyA, bodyB },
    ...(bodyA === null ? { anchorA: from } : {}),
  })

// --- drives ---------------------------------------------------------------------------------------

/** 1/s and the ratio to critical damping */
const softness = fc
  .tuple(between(0.5, 8), between(0, 1.5))
  .map(([hertz, damping]) => ({ hertz, damping }))
/** N, or N m: some are less than the weight of a body, some more */
const force = fc.oneof(between(1, 100), between(100, 3000))

const velocityMotor = fc
  .tuple(between(-4, 4), force)
  .map(([targetVelocity, maxForce]) => ({ targetVelocity, maxForce }))
/** @param {number} reach rad or m @param {number} [middle] */
const positionMotor = (reach, middle = 0) =>
  fc
    .tuple(between(middle - reach, middle + reach), force, fc.oneof(fc.constant({}), softness))
    .map(([targetPosition, maxForce, gains]) => ({ targetPosition, maxForce, ...gains }))

/** Any of the drives of a coordinate. @param {number} reach rad or m, either way @param {number} [middle] where it begins */
const drives = (reach, middle = 0) =>
  fc.record(
    {
      limits: fc
        .tuple(between(0, reach), between(0, reach))
        .map(([below, above]) => [middle - below, middle + above]),
      motor: fc.oneof(velocityMotor, positionMotor(reach, middle)),
      spring: softness,
      friction: force,
    },
    { requiredKeys: [] },
  )

// --- types ----------------------------------------------------------------------------------------

const fixed = fc.constant(anchored({ type: 'fixed' }))

const ball = fc
  .option(
    fc
      .tuple(anyAxis, between(0.1, 1.5), between(0, 1))
      .map(([axis, cone, twist]) => ({ axis, limits: { cone, twist: [-twist, twist] } })),
  )
  .map((limited) => anchored({ type: 'ball', ...limited }))

const hinge = fc
  .tuple(anyAxis, drives(1.5))
  .map(([axis, driven]) => anchored({ type: 'hinge', axis, ...driven }))

const slider = fc
  .tuple(anyAxis, drives(0.4))
  .map(([axis, driven]) => anchored({ type: 'slider', axis, ...driven }))

/** m: from one link to the next */
export const LINK = 0.8

const distance = fc
  .oneof(fc.constant({}), drives(0.3, LINK))
  .map((driven) => pointed({ type: 'distance', ...driven }))

const rope = fc
  .oneof(
    fc.constant({}),
    between(LINK, 1.5).map((length) => ({ length })),
  )
  .map((given) => pointed({ type: 'rope', ...given }))

const spring = fc
  .tuple(softness, between(0.5, 1))
  .map(([soft, length]) => pointed({ type: 'spring', length, ...soft }))

const universal = fc.constant(anchored({ type: 'universal', axisA: [0, 0, 1], axisB: [0, 1, 0] }))

/** One of six axes. @param {number} reach m or rad */
const freedom = (reach) =>
  fc.oneof(
    { arbitrary: fc.constant('locked'), weight: 4 },
    { arbitrary: fc.constant('free'), weight: 1 },
    { arbitrary: between(0.05, reach).map((most) => [-most, most]), weight: 1 },
    {
      arbitrary: fc
        .tuple(between(0.05, reach), softness)
        .map(([most, soft]) => ({ lower: -most, upper: most, spring: soft })),
      weight: 1,
    },
  )
/** Its axes are those of body A, which the world has none of that turn with the floor. */
const sixDof = fc
  .tuple(
    fc.tuple(freedom(0.3), freedom(0.3), freedom(0.3)),
    fc.tuple(freedom(1), freedom(1), freedom(1)),
  )
  .map(
    ([linear, angular]) =>
      (/** @type {Link} */ link) =>
        anchored(link.bodyA === null ? { type: 'ball' } : { type: 'sixDof', linear, angular })(
          link,
        ),
  )

/** Holds or brakes B as far as its force allows. */
const motor = fc
  .tuple(fc.boolean(), force, force)
  .map(([holds, maxForce, maxTorque]) => (/** @type {Link} */ { bodyA, bodyB, from, to }) => ({
    ...{ type: 'motor', bodyA, bodyB, maxForce, maxTorque },
    ...(holds
      ? {
          targetPosition: bodyA === null ? to : subtract(to, from),
          targetOrientation: [0, 0, 0, 1],
        }
      : {}),
  }))

export const anyJoint = fc.oneof(
  ...[fixed, ball, hinge, slider, distance, rope, spring, universal, sixDof, motor],
)
