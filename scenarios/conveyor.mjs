import { addFloor, GRAVITY, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'

const SPEED = 2
const FRICTION = 0.5
/** s: until friction has brought a cube at rest to the speed of the belt. */
const TAKEN_UP = SPEED / (FRICTION * GRAVITY)
const LENGTH = 6

export default defineScene({
  name: 'conveyor',
  title: 'Conveyors round a corner',
  description:
    'A belt at 2 m/s takes up a cube that is put on it, with friction, and hands it over to one across. A ball rolls back on the belt at 2/7 of its speed.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  timeStep: 0.016,
  duration: 4,
  camera: { position: [-6, 6, 10], target: [2, 0, 1] },
  setup(world) {
    addFloor(world)
    const belt = { type: /** @type {const} */ ('static'), friction: FRICTION }
    world.createBody({
      ...belt,
      shape: { type: 'box', halfExtents: [LENGTH, 0.25, 1] },
      position: [0, 0.25, 0],
      surfaceVelocity: [SPEED, 0, 0],
    })
    // The same belt, turned by a quarter about the vertical: its surface runs along z.
    world.createBody({
      ...belt,
      shape: { type: 'box', halfExtents: [LENGTH, 0.25, 1.5] },
      position: [LENGTH + 1.5, 0.25, LENGTH - 1],
      orientation: [0, -Math.SQRT1_2, 0, Math.SQRT1_2],
      surfaceVelocity: [SPEED, 0, 0],
    })
    const cube = world.createBody({ shape: unitCube(), position: [0, 1, 0], friction: FRICTION })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: 0.3 },
      position: [-5, 0.8, 0.4],
      friction: FRICTION,
    })
    return { cube, ball }
  },
  checks: [
    {
      name: 'taken-up',
      description: 'The cube has the speed of the belt',
      unit: 'm/s',
      tolerance: 1e-4,
      softTolerance: 0.02,
      from: TAKEN_UP + 0.05,
      to: 2.5,
      error: ({ things }) => Math.abs(things.cube.linearVelocity[0] - SPEED),
    },
    {
      name: 'rolls-back',
      description: 'The ball moves at 2/7 of the speed of the belt, and rolls on it',
      unit: 'm/s',
      tolerance: 1e-4,
      softTolerance: 0.02,
      from: 1,
      to: 4,
      error({ things }) {
        const [v] = things.ball.linearVelocity
        const slip = v + 0.3 * things.ball.angularVelocity[2] - SPEED
        return Math.max(Math.abs(v - (2 / 7) * SPEED), Math.abs(slip))
      },
    },
    {
      name: 'round-the-corner',
      description: 'The second belt carries the cube along z',
      unit: 'm/s',
      tolerance: 0.05,
      from: 3.95,
      error: ({ things }) => Math.max(0, 0.8 - things.cube.linearVelocity[2]),
    },
  ],
})
