/**
 * A row of dominoes of which the first is pushed, and how many have fallen in the end:
 *
 *     moreau-services sweep domino.mjs --grid gap=0.02:0.2:64 --random friction=0.1:0.9 --runs 6400
 */

/** m and kg */
const COUNT = 12
const HEIGHT = 0.2
const HALF = { x: 0.015, y: HEIGHT / 2, z: 0.05 }
const MASS = 0.2
/** rad/s: the first turns about its front edge fast enough to get over it */
const PUSH = 3
/** A domino has fallen if its axis leans by more than 30 degrees: it cannot come back. */
const UPRIGHT = Math.sqrt(0.75)

/** How far up the axis of a domino looks: the middle of its matrix. @param {readonly number[]} orientation x y z w */
const uprightness = ([x, , z]) => 1 - 2 * (x * x + z * z)

/** @type {import('../source/sweeps/batch-simulation.mjs').SweepModule<import('moreau').Body[]>} */
export default {
  parameters: { gap: 0.1, friction: 0.3 },
  options: { linearSlop: 1e-3 },
  timeStep: 1 / 120,
  duration: 3,
  setup(world, { gap, friction }) {
    world.createBody({ type: 'static', shape: { type: 'plane' }, friction })
    return Array.from({ length: COUNT }, (_, i) =>
      world.createBody({
        shape: { type: 'box', halfExtents: [HALF.x, HALF.y, HALF.z] },
        ...{ position: [i * (gap + 2 * HALF.x), HALF.y, 0], mass: MASS, friction },
        ...(i > 0
          ? {}
          : {
              angularVelocity: [0, 0, -PUSH],
              linearVelocity: [PUSH * HALF.y, PUSH * HALF.x, 0],
            }),
      }),
    )
  },
  observations: (dominoes) => dominoes.map((body) => ({ type: 'orientation', body })),
  result(orientations) {
    const heights = Array.from({ length: COUNT }, (_, i) =>
      uprightness([...orientations.subarray(4 * i, 4 * i + 4)]),
    )
    return { fallen: heights.filter((height) => height < UPRIGHT).length }
  },
}
