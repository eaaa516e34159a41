/** @import { Body, Joint, ShapeDefinition } from '../../index.mjs' */
/** @import { EnvironmentSpecification } from '../specification.mjs' */

/** @typedef {[number, number, number]} Vector */

/** kg/m³, of the arm; kg m² of the rotor of a motor, which MuJoCo has as armature: here it turns with the link */
const DENSITY = 300
const ROTOR = 0.04
/** m: of the table's top, of the shoulder */
const TABLE = -0.325
const SHOULDER = /** @type {Vector} */ ([0, -0.6, 0])
/** m and kg: what is to be pushed, and where to */
const OBJECT = { radius: 0.05, halfHeight: 0.05, mass: 0.1 }
const GOAL = /** @type {Vector} */ ([0.45, -0.05, -0.323])
/** m: the object begins no nearer to the goal, and rad/s of the joints */
const NEAREST = 0.17
const NOISE = 0.005
const JOINTS = 7
const NEAR_WEIGHT = 0.5
const CONTROL_WEIGHT = 0.1

/** Where a state has the hand and the object: behind angles and rates. */
const HAND = 2 * JOINTS
const PUCK = HAND + 3

/** @type {readonly Vector[]} */
const [X, Y, Z] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
/** Turns y, the axis of capsules and cylinders, to x and to z; both ends of them are alike. */
const TURNS = /** @type {const} */ ({ x: [0, 0, 1, 1], y: [0, 0, 0, 1], z: [1, 0, 0, 1] })

/**
 * A capsule along an axis of its link.
 * @param {'x' | 'y' | 'z'} axis
 * @param {number} radius
 * @param {number} length of its straight part
 * @param {Vector} position of its middle
 * @returns {ShapeDefinition}
 */
const along = (axis, radius, length, position) => ({
  ...{ type: 'capsule', radius, halfHeight: length / 2 },
  ...{ position, orientation: TURNS[axis] },
})

/**
 * The links from the shoulder on: where the joint is, from that of the link before, its axis, limits (rad) and damping (N m s/rad).
 *
 * @type {{ offset: Vector, axis: Vector, limits: [number, number], damping: number, shapes: ShapeDefinition[] }[]}
 */
const LINKS = [
  {
    ...{ offset: SHOULDER, axis: Z, limits: [-2.2854, 1.714602], damping: 1 },
    shapes: [along('z', 0.1, 0.6, [0, 0, -0.1])],
  },
  {
    ...{ offset: [0.1, 0, 0], axis: Y, limits: [-0.5236, 1.3963], damping: 1 },
    shapes: [along('y', 0.1, 0.2, [0, 0, 0])],
  },
  {
    ...{ offset: [0, 0, 0], axis: X, limits: [-1.5, 1.7], damping: 0.1 },
    shapes: [along('x', 0.02, 0.2, [0, 0, 0]), along('x', 0.06, 0.4, [0.2, 0, 0])],
  },
  {
    ...{ offset: [0.4, 0, 0], axis: Y, limits: [-2.3213, 0], damping: 0.1 },
    shapes: [along('y', 0.06, 0.04, [0, 0, 0])],
  },
  {
    ...{ offset: [0, 0, 0], axis: X, limits: [-1.5, 1.5], damping: 0.1 },
    shapes: [along('x', 0.02, 0.2, [0, 0, 0]), along('x', 0.05, 0.291, [0.1455, 0, 0])],
  },
  {
    ...{ offset: [0.321, 0, 0], axis: Y, limits: [-1.094, 0], damping: 0.1 },
    shapes: [along('y', 0.01, 0.04, [0, 0, 0])],
  },
  {
    ...{ offset: [0, 0, 0], axis: X, limits: [-1.5, 1.5], damping: 0.1 },
    shapes: [
      along('y', 0.02, 0.2, [0, 0, 0]),
      along('x', 0.02, 0.1, [0.05, -0.1, 0]),
      along('x', 0.02, 0.1, [0.05, 0.1, 0]),
    ],
  },
]

/**
 * The arm, stretched out; only its hand touches anything.
 * @param {import('../../index.mjs').World} world
 */
function addArm(world) {
  /** @type {Vector} */
  let position = [0, 0, 0]
  /** @type {Body | null} */
  let bodyA = null
  /** @type {Joint[]} */
  const joints = []
  for (const [i, { offset, axis, limits, damping, shapes }] of LINKS.entries()) {
    position = /** @type {Vector} */ (position.map((value, k) => value + offset[k]))
    const filter = i === LINKS.length - 1 ? {} : { mask: 0 }
    const bodyB = world.createBody({ shapes, position, density: DENSITY, gravityScale: 0, filter })
    bodyB.inertia = bodyB.inertia.map((value, at) => value + (at % 4 === 0 ? ROTOR : 0))
    joints.push(
      world.createJoint({
        ...{ type: 'hinge', bodyA, bodyB, anchor: position, axis, limits },
        spring: { dampingCoefficient: damping },
      }),
    )
    bodyA = bodyB
  }
  return { joints, hand: /** @type {Body} */ (bodyA) }
}

/** @param {import('../../index.mjs').World} world */
function addObject(world) {
  const { radius, halfHeight, mass } = OBJECT
  return world.createBody({
    shape: { type: 'cylinder', radius, halfHeight, orientation: TURNS.z },
    ...{ position: [GOAL[0], GOAL[1], TABLE + halfHeight], mass, friction: 0.5 },
  })
}

/**
 * z is up; the arm feels no weight, as the model's.
 * @param {typeof import('../../index.mjs').World} World
 */
function build(World) {
  const world = new World({ gravity: [0, 0, -9.81], allowSleep: false })
  const top = { type: /** @type {const} */ ('plane'), normal: [0, 0, 1], offset: TABLE }
  world.createBody({ type: 'static', shape: top, friction: 0.5 })
  const { joints, hand } = addArm(world)
  const object = addObject(world)
  const coordinates = joints.map((joint) => ({ type: /** @type {const} */ ('coordinate'), joint }))
  const rates = joints.map((joint) => ({ type: /** @type {const} */ ('rate'), joint }))
  const place = { type: /** @type {const} */ ('position'), body: object }
  return {
    world,
    actions: joints.map((joint) => ({ type: /** @type {const} */ ('effort'), joint })),
    observations: [...coordinates, ...rates, { ...place, body: hand }, place],
    starts: [...rates, place],
  }
}

/**
 * Where the object begins, from the goal.
 * @param {import('../random.mjs').Random} random
 * @returns {[number, number]} m
 */
function placeFor(random) {
  for (;;) {
    const [x, y] = [random.uniform(-0.2, 0.2), random.uniform(-0.3, 0)]
    if (x * x + y * y > NEAREST * NEAREST) return [x, y]
  }
}

/** @param {Float64Array} numbers @param {number} at @param {ArrayLike<number>} other @param {number} from */
function distance(numbers, at, other, from) {
  let sum = 0
  for (let i = 0; i < 3; i++) sum += (numbers[at + i] - other[from + i]) ** 2
  return Math.sqrt(sum)
}

/** @param {Float64Array} numbers */
const squares = (numbers) => numbers.reduce((sum, number) => sum + number * number, 0)

/**
 * An arm of seven hinges that is to push a cylinder to a goal: Gymnasium's Pusher-v5, with its arm, its starts and its rewards. The cylinder of 0.1 kg is a
 * body of its own that lies on the table by Coulomb friction, where the model has it on two sliders with damping.
 *
 * Actions: torques of the hinges, N m. Observation: their angles and rates, and where the hand, the cylinder and the goal are. Reward: less than 0, by the
 * distance from cylinder to goal, half of that from hand to cylinder, and a tenth of the squares of the action.
 *
 * @type {EnvironmentSpecification}
 */
export const pusher = {
  build,
  timeStep: 0.01,
  frameSkip: 5,
  maxEpisodeSteps: 100,
  action: { size: JOINTS, low: -2, high: 2 },
  observation: { size: PUCK + 6 },
  infos: ['goalReward', 'nearReward', 'controlReward'],
  begin(start, random) {
    for (let i = 0; i < JOINTS; i++) start[i] += random.uniform(-NOISE, NOISE)
    const [x, y] = placeFor(random)
    start[JOINTS] += x
    start[JOINTS + 1] += y
  },
  observe(state, observation) {
    observation.set(state)
    observation.set(GOAL, PUCK + 3)
  },
  judge(transition) {
    const { action, state, infos } = transition
    infos.goalReward = -distance(state, PUCK, GOAL, 0)
    infos.nearReward = -NEAR_WEIGHT * distance(state, HAND, state, PUCK)
    infos.controlReward = -CONTROL_WEIGHT * squares(action)
    transition.reward = infos.goalReward + infos.nearReward + infos.controlReward
  },
}
