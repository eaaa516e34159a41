/** A die of 16 mm that falls onto a table for a second, and where it lies then: a small world of sweeps. */
const HALF_EDGE = 0.008

/** @type {import('../source/sweeps/batch-simulation.mjs').SweepModule} */
export default {
  parameters: { friction: 0.3, speed: 0.5, spin: 10 },
  startParameters: ['speed', 'spin'],
  options: { restitutionThreshold: 0.05, linearSlop: 1e-4 },
  timeStep: 1 / 120,
  duration: 1,
  hash: true,
  setup(world, { friction }) {
    world.createBody({ type: 'static', shape: { type: 'plane' }, friction, restitution: 0.4 })
    return world.createBody({
      shape: { type: 'box', halfExtents: [HALF_EDGE, HALF_EDGE, HALF_EDGE] },
      ...{ position: [0, 0.1, 0], mass: 0.005, friction, restitution: 0.4 },
    })
  },
  starts: (die) => [
    { type: 'linearVelocity', body: die },
    { type: 'angularVelocity', body: die },
  ],
  start: ({ speed, spin }, random) => [
    ...[speed, 0, 0],
    ...[0, 0, 0].map(() => random.uniform(-spin, spin)),
  ],
  observations: (die) => [{ type: 'position', body: die }],
  result: ([x, y, z], _, hash) => ({ x, y, z, hash }),
}
