import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const SPEED = 500
const RADIUS = 0.05
/** m, half. */
const THICKNESS = 0.01
const BALLS = 12
/** The ball moves 8.3 m per step, more than 400 times the thickness of the wall. */
const FIRST = 3

export default defineScene({
  name: 'bullet-wall',
  title: 'Bullets and walls',
  description: `${BALLS} balls of 0.1 m fly at ${SPEED} m/s, 8.3 m per step, against a wall of 2 cm that stands, and one more against a plate of 2 cm that can move. None is on the other side after it.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { gravity: [0, 0, 0] },
  duration: 1,
  camera: { position: [-2.6, 1.4, 3.4], target: [0, 0, 0] },
  setup(world) {
    const wall = world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [THICKNESS, 2, 4] },
    })
    const shape = /** @type {const} */ ({ type: 'sphere', radius: RADIUS })
    // From distances that are no multiples of the way of a step: each meets the wall elsewhere within one.
    const balls = Array.from({ length: BALLS }, (_, i) =>
      world.createBody({
        shape,
        position: [-FIRST - 0.7 * i, (i % 3) - 1, 0.5 * (i - (BALLS - 1) / 2)],
        linearVelocity: [SPEED, 0, 0],
        mass: 0.1,
      }),
    )
    const plate = world.createBody({
      shape: { type: 'box', halfExtents: [THICKNESS, 1, 1] },
      position: [0, 6, 0],
      mass: 1000,
    })
    const bullet = world.createBody({
      shape,
      position: [-FIRST - 0.35, 6.1, 0.2],
      linearVelocity: [SPEED, 0, 0],
      mass: 0.1,
      bullet: true,
    })
    return { wall, balls, plate, bullet }
  },
  checks: [
    {
      name: 'none-passes-the-wall',
      description: 'How far the centre of any ball is behind the front of the wall',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) =>
        Math.max(...things.balls.map(({ position }) => position[0] + THICKNESS)),
    },
    {
      name: 'all-arrive',
      description: 'At the end each has been at the wall: its speed towards it is gone',
      unit: 'm/s',
      tolerance: 1e-3,
      from: 1,
      error: ({ things }) => Math.max(...things.balls.map((ball) => ball.linearVelocity[0])),
    },
    {
      name: 'the-bullet-does-not-pass-the-plate',
      description: 'How far its centre is behind the front of a plate that it can move',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) => things.bullet.position[0] - (things.plate.position[0] - THICKNESS),
    },
    {
      name: 'and-pushes-it',
      description: 'What both have of momentum at the end is what the bullet came with',
      unit: 'kg m/s',
      tolerance: 1e-3,
      from: 1,
      error: ({ things: { bullet, plate } }) =>
        Math.abs(0.1 * bullet.linearVelocity[0] + 1000 * plate.linearVelocity[0] - 0.1 * SPEED),
    },
  ],
})
