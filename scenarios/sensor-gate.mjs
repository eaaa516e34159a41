import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'

const BALLS = 6
const RADIUS = 0.25
const SPEED = 3

export default defineScene({
  name: 'sensor-gate',
  title: 'Sensor gate',
  description: `${BALLS} balls fly through a gate that is a sensor: it tells of each that comes in and of each that goes out, and stops none.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { gravity: [0, 0, 0] },
  duration: 3,
  camera: { position: [3, 4, 7], target: [0, 0.5, 0] },
  setup(world) {
    addFloor(world, { halfWidth: 8 })
    const gate = world.createBody({
      type: 'static',
      position: [0, 1, 0],
      shape: { type: 'box', halfExtents: [0.5, 1, 1] },
      sensor: true,
    })
    const balls = Array.from({ length: BALLS }, (_, i) =>
      world.createBody({
        shape: { type: 'sphere', radius: RADIUS },
        position: [-1.52 - 0.7 * i, 1, 0],
        linearVelocity: [SPEED, 0, 0],
        mass: 1,
      }),
    )
    const inside = new Set()
    const counts = { entered: 0, left: 0 }
    gate.on('sensor', ({ type, body }) => {
      counts[type === 'enter' ? 'entered' : 'left']++
      if (type === 'enter') inside.add(body)
      else inside.delete(body)
    })
    return { balls, inside, counts }
  },
  checks: [
    {
      name: 'knows-who-is-inside',
      description: 'Balls that overlap the gate, and those that it told of as being inside',
      unit: 'balls',
      tolerance: 0,
      error: ({ things: { balls, inside } }) =>
        balls.filter((ball) => inside.has(ball) !== Math.abs(ball.position[0]) < 0.5 + RADIUS)
          .length,
    },
    {
      name: 'all-went-through',
      description: 'Each came in once and went out once',
      unit: 'balls',
      tolerance: 0,
      from: 2.9,
      error: ({ things: { counts } }) =>
        Math.abs(counts.entered - BALLS) + Math.abs(counts.left - BALLS),
    },
    {
      name: 'stops-none',
      description: 'Their speed stays',
      unit: 'm/s',
      tolerance: 1e-6,
      error: ({ things }) =>
        Math.max(...things.balls.map((ball) => Math.abs(ball.linearVelocity[0] - SPEED))),
    },
  ],
})
