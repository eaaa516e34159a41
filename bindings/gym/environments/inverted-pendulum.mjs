/** @import { EnvironmentSpecification } from '../specification.mjs' */

/** N for an action of 1: the gear of the model */
const GEAR = 100
/** kg/m³, of MuJoCo */
const DENSITY = 1000
/** N s/m and N m s/rad: of slider and hinge */
const DAMPING = { dampingCoefficient: 1 }
/** m: from the hinge to the upper end of the pole, which leans by a millimetre */
const TIP = [0.001, 0, 0.6]
/** rad: an episode ends where the pole leans more */
const MOST_LEAN = 0.2
/** m, rad, and the same per second: a start is off the upright rest by no more */
const NOISE = 0.01

/**
 * The cart on its rail and the pole on the cart; z is up.
 * @param {typeof import('../../index.mjs').World} World
 */
function build(World) {
  const world = new World({ gravity: [0, 0, -9.81], solver: 'exact', allowSleep: false })
  const filter = { mask: 0 }
  const cart = world.createBody({
    shape: { type: 'capsule', radius: 0.1, halfHeight: 0.1, orientation: [0, 0, 1, 1] },
    ...{ density: DENSITY, filter },
  })
  const [x, , z] = TIP
  const length = Math.sqrt(x * x + z * z)
  const pole = world.createBody({
    shape: {
      ...{ type: 'capsule', radius: 0.049, halfHeight: length / 2 },
      // From the hinge to the tip; the quaternion turns y, the axis of a capsule, there.
      ...{ position: [x / 2, 0, z / 2], orientation: [z, 0, -x, length] },
    },
    ...{ density: DENSITY, filter },
  })
  const slider = world.createJoint({
    ...{ type: 'slider', bodyB: cart, axis: [1, 0, 0], limits: [-1, 1], spring: DAMPING },
  })
  const hinge = world.createJoint({
    ...{ type: 'hinge', bodyA: cart, bodyB: pole, anchor: [0, 0, 0], axis: [0, 1, 0] },
    ...{ limits: [-Math.PI / 2, Math.PI / 2], spring: DAMPING },
  })
  const observations = /** @type {const} */ ([
    { type: 'coordinate', joint: slider },
    { type: 'coordinate', joint: hinge },
    { type: 'rate', joint: slider },
    { type: 'rate', joint: hinge },
  ])
  const actions = /** @type {const} */ ([{ type: 'effort', joint: slider }])
  return { world, actions, observations, starts: observations }
}

/**
 * A pole to be balanced on a cart: Gymnasium's InvertedPendulum-v5. Action: the force on the cart, in 100 N. Observation: where the cart is (m), how
 * the pole leans (rad), and the rates of both. Reward 1 for each action after which the pole stands.
 *
 * @type {EnvironmentSpecification}
 */
export const invertedPendulum = {
  build,
  // The model has two steps of 0.02 s of the fourth order for an action; these are of the first.
  timeStep: 0.01,
  frameSkip: 4,
  maxEpisodeSteps: 1000,
  action: { size: 1, low: -3, high: 3 },
  observation: { size: 4 },
  begin(start, random) {
    for (let i = 0; i < start.length; i++) start[i] += random.uniform(-NOISE, NOISE)
  },
  act(action, row) {
    row[0] = GEAR * action[0]
  },
  judge(transition) {
    const { state } = transition
    transition.isTerminated = !(Math.abs(state[1]) <= MOST_LEAN && state.every(Number.isFinite))
    transition.reward = transition.isTerminated ? 0 : 1
  },
}
