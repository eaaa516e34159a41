/** What the scenes of cradles share: steel balls on strings, of which the first ones are lifted by 30 degrees. */
import { GRAVITY } from './parts.mjs'
import { ANGLES, length, subtract } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('moreau').World} World */

const COUNT = 5
/** m */
export const RADIUS = 0.1
export const STRING = 1
export const LIFT = ANGLES[30]
/** m, by which a lifted ball is above its lowest point */
export const HEIGHT = STRING * (1 - LIFT.cosine)
/** Quarter of a pendulum's period at 30 degrees (the series of the elliptic integral), s. */
export const QUARTER =
  (Math.PI / 2) * Math.sqrt(STRING / GRAVITY) * (1 + (2 - Math.sqrt(3)) / 16 + 0.00085)

/** Height of a ball above its lowest point, m. */
export const heightOf = (/** @type {Body} */ ball) => ball.position[1] + STRING

/**
 * @param {number} spacing m, from ball to ball
 * @param {number} index
 * @returns {[number, number, number]} where the string of a ball hangs
 */
const anchorOf = (spacing, index) => [index * spacing, 0, 0]

/**
 * @param {World} world
 * @param {{ spacing: number, lifted: number }} options m, from ball to ball; how many are lifted
 * @returns {Body[]} five balls, the lifted ones first
 */
export function hangBalls(world, { spacing, lifted }) {
  return Array.from({ length: COUNT }, (_, index) => {
    const [x] = anchorOf(spacing, index)
    const [sine, cosine] = index < lifted ? [LIFT.sine, LIFT.cosine] : [0, 1]
    const ball = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: [x - STRING * sine, -STRING * cosine, 0],
      mass: 1,
      friction: 0,
      restitution: 1,
    })
    world.createJoint({
      type: 'distance',
      bodyA: null,
      bodyB: ball,
      anchorA: anchorOf(spacing, index),
      anchorB: [0, 0, 0],
    })
    return ball
  })
}

/**
 * @param {readonly Body[]} balls
 * @param {number} spacing m, from ball to ball
 * @returns {number} m, by which a string is off its length at the worst
 */
export const stretchOf = (balls, spacing) =>
  Math.max(
    ...balls.map((ball, index) =>
      Math.abs(length(subtract(ball.position, anchorOf(spacing, index))) - STRING),
    ),
  )
