import { GRAVITY, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'

const FRICTION = 0.5
/** m/s²: of the two trucks. Friction gives at most 4.905. */
const [GENTLE, HARD] = [4.7, 6]
/** s: the cargo lies still before, and the trucks gain speed until the end */
const [START, END] = [0.5, 2.5]

export default defineScene({
  name: 'truck',
  title: 'Cargo on two trucks',
  description:
    'Two trucks gain speed, one with 4.7 and one with 6 m/s². Friction of 0.5 gives up to 4.905: the cube on the one stays where it is, the one on the other slides back.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { allowSleep: false },
  duration: END,
  camera: { position: [4, 5, 14], target: [6, 0, 0] },
  setup(world) {
    const trucks = [GENTLE, HARD].map((acceleration, i) => {
      const z = i === 0 ? -2 : 2
      const bed = world.createBody({
        type: 'kinematic',
        shape: { type: 'box', halfExtents: [4, 0.25, 1.5] },
        position: [0, -0.25, z],
        friction: FRICTION,
      })
      const cube = world.createBody({
        shape: unitCube(),
        position: [0, 0.5, z],
        friction: FRICTION,
      })
      return { acceleration, bed, cube }
    })
    return { trucks, stays: trucks[0], slides: trucks[1] }
  },
  beforeStep({ time }, { trucks }, dt) {
    const since = Math.max(0, time + dt - START)
    for (const { acceleration, bed } of trucks) {
      const [, y, z] = bed.position
      bed.moveTo({ position: [(acceleration * since * since) / 2, y, z] }, dt)
    }
  },
  checks: [
    {
      name: 'stays',
      description: 'Friction is enough: the cube stays where it is on its truck',
      unit: 'm',
      // The truck has its speed from the start of a step on, and friction takes a part of the step to give it to the cube.
      tolerance: 2e-4,
      error: ({ things }) => Math.abs(slip(things.stays)),
    },
    {
      name: 'slides',
      description: 'Friction gives 4.905 m/s²: the cube falls behind by (6 - 4.905) t² / 2',
      unit: 'm',
      tolerance: 0.02,
      from: END,
      error: ({ things }) =>
        Math.abs(slip(things.slides) - ((HARD - FRICTION * GRAVITY) * (END - START) ** 2) / 2),
    },
  ],
})

/** How far a cube has come from its place on the truck, m. @param {{ bed: import('./scene.mjs').Body, cube: import('./scene.mjs').Body }} truck */
const slip = ({ bed, cube }) => bed.position[0] - cube.position[0]
