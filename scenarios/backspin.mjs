import { energyNeverRises } from './common-checks.mjs'
import { addFloor, GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { distance, length } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./scene.mjs').Body} Body */

const RADIUS = 0.5
const FRICTION = 0.2
/** m/s, rad/s: forward, with backspin and a spin about its way that carries it sideways. */
const VELOCITY = /** @type {Vector} */ ([2, 0, 0])
const SPIN = /** @type {Vector} */ ([-6, 0, 14])
const SLIP = slip(VELOCITY, SPIN)
/** A solid ball loses 7/2 mu g of slip a second (Coriolis 1835). */
const ROLLS_AT = length(SLIP) / (3.5 * FRICTION * GRAVITY)
/** Its angular momentum about the contact point stays, so that 2/7 of the slip comes off the velocity. */
const ROLLING_VELOCITY = /** @type {Vector} */ (
  VELOCITY.map((speed, axis) => speed - (2 / 7) * SLIP[axis])
)

/**
 * Velocity of the lowest point.
 *
 * @param {ArrayLike<number>} velocity m/s
 * @param {ArrayLike<number>} spin rad/s
 * @returns {Vector}
 */
function slip(velocity, spin) {
  return [velocity[0] + RADIUS * spin[2], 0, velocity[2] - RADIUS * spin[0]]
}

const slipOf = (/** @type {Body} */ ball) => slip(ball.linearVelocity, ball.angularVelocity)

export default defineScene({
  name: 'backspin',
  title: 'Ball with backspin',
  description:
    'A solid ball slides off at 2 m/s with backspin and sidespin, friction 0.2. It slips on a parabola, comes back, and rolls off straight when its slip is used up.',
  options: { solver: 'exact' },
  duration: 4,
  camera: { position: [0, 4, 7], target: [0, 0.4, 1] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 20, friction: FRICTION })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: [0, RADIUS, 0],
      linearVelocity: VELOCITY,
      angularVelocity: SPIN,
      mass: 1,
      friction: FRICTION,
    })
    return { floor, ball }
  },
  checks: [
    energyNeverRises(),
    {
      name: 'slips-on-a-parabola',
      description:
        'While it slips its acceleration is mu g against the slip, whose direction stays',
      unit: 'm/s',
      tolerance: 1e-6,
      to: ROLLS_AT - 1 / 60,
      error({ things, time }) {
        const loss = (FRICTION * GRAVITY * time) / length(SLIP)
        const expected = VELOCITY.map((speed, axis) => speed - loss * SLIP[axis])
        return distance(things.ball.linearVelocity, expected)
      },
    },
    {
      name: 'slip-keeps-its-direction',
      description: 'While it slips the slip shrinks by 7/2 mu g per second',
      unit: 'm/s',
      tolerance: 1e-6,
      to: ROLLS_AT - 1 / 60,
      error({ things, time }) {
        const left = 1 - (3.5 * FRICTION * GRAVITY * time) / length(SLIP)
        return distance(
          slipOf(things.ball),
          SLIP.map((speed) => left * speed),
        )
      },
    },
    {
      name: 'rolls-without-slip',
      description: 'Then its lowest point rests',
      unit: 'm/s',
      tolerance: 1e-6,
      from: ROLLS_AT + 1 / 60,
      error: ({ things }) => length(slipOf(things.ball)),
    },
    {
      name: 'rolls-off-as-coriolis-says',
      description: 'Its velocity is then that of the start less 2/7 of the slip, and stays',
      unit: 'm/s',
      tolerance: 1e-6,
      from: ROLLS_AT + 1 / 60,
      error: ({ things }) => distance(things.ball.linearVelocity, ROLLING_VELOCITY),
    },
    {
      name: 'stays-on-the-floor',
      description: 'Height of its centre',
      unit: 'm',
      tolerance: 1e-6,
      error: ({ things }) => Math.abs(things.ball.position[1] - RADIUS),
    },
  ],
})
