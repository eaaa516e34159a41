import { addFloor, GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const BALLS = 8
const RADIUS = 0.2
/** m: of the upper side of the platform above the floor. */
const HEIGHT = 2
/** m/s: enough to rise by 1 m more than the platform is high. */
const JUMP = Math.sqrt(2 * GRAVITY * (HEIGHT + 1))

export default defineScene({
  name: 'one-way-platform',
  title: 'One-way platform',
  description: `${BALLS} balls jump through a platform from below and come to lie on it: a filter keeps only contacts of balls that come from above.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 4,
  camera: { position: [5, 4, 7], target: [0, 1.5, 0] },
  setup(world) {
    addFloor(world, { halfWidth: 5 })
    const platform = world.createBody({
      type: 'static',
      position: [0, HEIGHT - 0.05, 0],
      shape: { type: 'box', halfExtents: [4, 0.05, 1] },
    })
    /** @type {Body[]} */
    const balls = Array.from({ length: BALLS }, (_, i) =>
      world.createBody({
        shape: { type: 'sphere', radius: RADIUS },
        position: [i - (BALLS - 1) / 2, RADIUS, 0],
        linearVelocity: [0, JUMP, 0],
        mass: 1,
      }),
    )
    world.contactFilter = ({ bodyA, bodyB, normal }) =>
      bodyA !== platform || (normal[1] > 0.5 && bodyB.linearVelocity[1] <= 0)
    return { balls }
  },
  checks: [
    {
      name: 'rise-freely',
      description:
        'Until they fall, their height is that of free flight, but for g t dt / 2 of the integrator',
      unit: 'm',
      tolerance: 0.07,
      error: ({ things, time }) =>
        time > JUMP / GRAVITY
          ? 0
          : Math.max(
              ...things.balls.map(({ position }) =>
                Math.abs(position[1] - RADIUS - JUMP * time + (GRAVITY * time * time) / 2),
              ),
            ),
    },
    {
      name: 'lie-on-it',
      description: 'In the end they lie on the platform',
      unit: 'm',
      tolerance: 0.01,
      from: 3,
      error: ({ things }) =>
        Math.max(...things.balls.map(({ position }) => Math.abs(position[1] - HEIGHT - RADIUS))),
    },
  ],
})
