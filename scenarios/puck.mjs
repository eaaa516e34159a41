import { energyNeverRises } from './common-checks.mjs'
import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { ANGLES, length } from './vector.mjs'

const FRICTION = 0.5
const SPEED = 2
const SPIN = 6
const HALF_HEIGHT = 0.01

/**
 * A flat square that slides and spins. Friction opposes the motion of each corner, so that a puck that spins slides farther and one
 * that slides spins longer: the way and the angle are of four equal corner loads in the limit of small steps.
 *
 * @param {keyof typeof ANGLES} degrees of its way to its edges
 * @param {number} way m
 * @param {number} angle rad
 * @returns {import('./scene.mjs').Scene}
 */
function puck(degrees, way, angle) {
  const { cosine, sine } = ANGLES[degrees]
  return defineScene({
    name: `spinning-puck-${degrees}`,
    title: `Spinning puck at ${degrees}°`,
    description: `A flat square of 1 m and 1 kg slides off at 2 m/s, ${degrees}° from its edges, spinning at 6 rad/s, friction 0.5. It slides ${way} m and turns ${angle} rad; without the coupling of sliding and spinning it would be 0.408 m.`,
    options: { solver: 'exact' },
    timeStep: 1 / 240,
    duration: 2,
    camera: { position: [1.5, 2.5, 2.5], target: [0.3, 0, -0.1] },
    setup(world) {
      const floor = addFloor(world, { halfWidth: 10, friction: FRICTION })
      const square = world.createBody({
        shape: { type: 'box', halfExtents: [0.5, HALF_HEIGHT, 0.5] },
        position: [0, HALF_HEIGHT, 0],
        linearVelocity: [SPEED * cosine, 0, -SPEED * sine],
        angularVelocity: [0, SPIN, 0],
        mass: 1,
        friction: FRICTION,
      })
      return { floor, square }
    },
    checks: [
      energyNeverRises(),
      {
        name: 'slides-so-far',
        description: `At the end it is ${way} m from its start; how the corners share the load is open, hence 5 %`,
        unit: '(part of the way)',
        tolerance: 0.05,
        from: 2,
        error: ({ things }) =>
          Math.abs(Math.hypot(things.square.position[0], things.square.position[2]) / way - 1),
      },
      {
        name: 'turns-so-far',
        description: `At the end it has turned ${angle} rad`,
        unit: '(part of the angle)',
        tolerance: 0.05,
        from: 2,
        error({ things }) {
          const [, y, , w] = things.square.orientation
          return Math.abs((2 * Math.atan2(Math.abs(y), Math.abs(w))) / angle - 1)
        },
      },
      {
        name: 'slides-and-spins-together',
        description:
          'It stops sliding and spinning at the same moment: while it spins it slides, and the other way round',
        unit: 's',
        tolerance: 0.02,
        error({ things, time, previous }) {
          const moving = [length(things.square.linearVelocity), things.square.angularSpeed]
          previous.stops ??= [undefined, undefined]
          for (const [kind, speed] of moving.entries()) {
            if (speed < 0.01) previous.stops[kind] ??= time
          }
          const [slid, spun] = previous.stops
          if (slid === undefined && spun === undefined) return 0
          return Math.abs((slid ?? time) - (spun ?? time))
        },
      },
      {
        name: 'stays-flat',
        description: 'Height of its centre',
        unit: 'm',
        tolerance: 1e-6,
        error: ({ things }) => Math.abs(things.square.position[1] - HALF_HEIGHT),
      },
    ],
  })
}

export const puck0 = puck(0, 0.7042, 1.169)
export const puck30 = puck(30, 0.6857, 1.162)
