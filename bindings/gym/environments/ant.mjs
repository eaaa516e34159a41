/** @import { Body, ShapeDefinition } from '../../index.mjs' */
/** @import { EnvironmentSpecification } from '../specification.mjs' */

/** m: where the legs point to, in the order in which actions and observations have them */
const SIDES = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
]
/** m: along x and along y, from the middle to a hip and from there to the knee, and from there to the foot */
const THIGH = 0.2
const SHIN = 0.4
const RADIUS = 0.08
/** kg/m³: about 20 kg in all */
const DENSITY = 100
/** rad: of a hip about the vertical, and of a knee below the plane of the torso */
const HIP_LIMITS = /** @type {const} */ ([-Math.PI / 6, Math.PI / 6])
const KNEE_LIMITS = /** @type {const} */ ([Math.PI / 6, (7 * Math.PI) / 18])
/** N m s/rad */
const DAMPING = { dampingCoefficient: 1 }
/** N m for an action of 1 */
const GEAR = 40
const LEGS = SIDES.length
const PARTS = 1 + 2 * LEGS

/** m: of the torso at a start; rad of the knees. The feet touch the ground. */
const START = { height: 0.55, knee: 1 }
const NOISE = 0.1
/** m: heights of the torso at which an ant is well */
const [LOWEST, HIGHEST] = [0.2, 1]
const CONTROL_COST = 0.5
const CONTACT_COST = 5e-4

/** Where a state has what. */
const HEIGHT = 2
/** Of position, orientation, eight angles, two velocities and eight rates */
const CONTACTS = 3 + 4 + 2 * LEGS + 3 + 3 + 2 * LEGS

/** Of 45 degrees halved. */
const HALF_COSINE = Math.sqrt((1 + Math.SQRT1_2) / 2)
const HALF_SINE = Math.sqrt((1 - Math.SQRT1_2) / 2)

/**
 * A capsule from the origin of a body along its leg.
 * @param {readonly number[]} side
 * @param {number} reach along x and y
 * @returns {ShapeDefinition}
 */
function limb([x, y], reach) {
  return {
    ...{ type: 'capsule', radius: RADIUS, halfHeight: reach / Math.SQRT2 },
    position: [(x * reach) / 2, (y * reach) / 2, 0],
    // y, the axis of a capsule, turned to the leg about z: by 45 degrees to one side or the other, as both ends are alike.
    orientation: [0, 0, -x * y * HALF_SINE, HALF_COSINE],
  }
}

/** @param {import('../../index.mjs').World} world */
function addTorso(world) {
  return world.createBody({
    shapes: [{ type: 'sphere', radius: 0.25 }, ...SIDES.map((side) => limb(side, THIGH))],
    ...{ position: [0, 0, START.height], density: DENSITY, filter: { group: -1 } },
  })
}

/**
 * Thigh and shin of a leg, stretched out, with hip and knee.
 * @param {import('../../index.mjs').World} world
 * @param {Body} torso
 * @param {readonly number[]} side
 */
function addLeg(world, torso, side) {
  const [x, y] = side
  const at = (/** @type {number} */ reach) => [x * reach, y * reach, START.height]
  const common = { density: DENSITY, friction: 1, filter: { group: -1 } }
  const thigh = world.createBody({ shape: limb(side, THIGH), position: at(THIGH), ...common })
  const shin = world.createBody({ shape: limb(side, SHIN), position: at(2 * THIGH), ...common })
  const hip = world.createJoint({
    ...{ type: 'hinge', bodyA: torso, bodyB: thigh, anchor: thigh.position, axis: [0, 0, 1] },
    ...{ limits: HIP_LIMITS, spring: DAMPING },
  })
  const knee = world.createJoint({
    // Across the leg, such that a positive angle brings the foot down.
    ...{ type: 'hinge', bodyA: thigh, bodyB: shin, anchor: shin.position, axis: [-y, x, 0] },
    ...{ limits: KNEE_LIMITS, spring: DAMPING },
  })
  return { bodies: [thigh, shin], joints: [hip, knee] }
}

/**
 * z is up.
 * @param {typeof import('../../index.mjs').World} World
 */
function build(World) {
  const world = new World({ gravity: [0, 0, -9.81], allowSleep: false })
  world.createBody({
    ...{ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] }, friction: 1 },
  })
  const torso = addTorso(world)
  const legs = SIDES.map((side) => addLeg(world, torso, side))
  const joints = legs.flatMap((leg) => leg.joints)
  const bodies = [torso, ...legs.flatMap((leg) => leg.bodies)]
  const coordinates = joints.map((joint) => ({ type: /** @type {const} */ ('coordinate'), joint }))
  const rates = joints.map((joint) => ({ type: /** @type {const} */ ('rate'), joint }))
  const pose = /** @type {const} */ ([
    { type: 'position', body: torso },
    { type: 'orientation', body: torso },
  ])
  const motion = /** @type {const} */ ([
    { type: 'linearVelocity', body: torso },
    { type: 'angularVelocity', body: torso, frame: 'body' },
  ])
  const contacts = bodies.map((body) => ({ type: /** @type {const} */ ('contactForce'), body }))
  return {
    world,
    actions: joints.map((joint) => ({ type: /** @type {const} */ ('effort'), joint })),
    observations: [...pose, ...coordinates, ...motion, ...rates, ...contacts],
    starts: [...coordinates, ...rates],
  }
}

/** @param {number} force N */
const clipped = (force) => Math.min(Math.max(force, -1), 1)

/** @param {Float64Array} numbers @param {number} [from] */
function squares(numbers, from = 0) {
  let sum = 0
  for (let i = from; i < numbers.length; i++) sum += clipped(numbers[i]) ** 2
  return sum
}

/**
 * An ant with four legs of two hinges each, which is to go along x: Gymnasium's Ant-v5 in its form, its costs and its ends. Masses and torques are our
 * own, as MuJoCo's ant lives by an armature of 1 kg m² in each hinge.
 *
 * Actions: torques of hip and knee of each leg, in 40 N m. Observation: height (m) and orientation (x y z w) of the torso, angles of the hinges, its
 * linear velocity (world) and angular velocity (torso), rates of the hinges, and the contact forces on torso, thighs and shins, each number moved into
 * -1 to 1 N. Reward: 1 for being well, plus the speed along x, less what action and contacts cost.
 *
 * @type {EnvironmentSpecification}
 */
export const ant = {
  build,
  timeStep: 0.01,
  frameSkip: 5,
  maxEpisodeSteps: 1000,
  action: { size: 2 * LEGS, low: -1, high: 1 },
  observation: { size: CONTACTS - HEIGHT + 3 * PARTS },
  infos: ['xPosition', 'yPosition', 'xVelocity', 'controlCost', 'contactCost'],
  begin(start, random) {
    for (let i = 0; i < LEGS; i++) start[2 * i + 1] = START.knee
    for (let i = 0; i < start.length; i++) start[i] += random.uniform(-NOISE, NOISE)
  },
  act(action, row) {
    for (let i = 0; i < row.length; i++) row[i] = GEAR * action[i]
  },
  observe(state, observation) {
    observation.set(state.subarray(HEIGHT))
    for (let i = CONTACTS - HEIGHT; i < observation.length; i++) {
      observation[i] = clipped(observation[i])
    }
  },
  judge(transition) {
    const { action, before, state, seconds, infos } = transition
    infos.xPosition = state[0]
    infos.yPosition = state[1]
    infos.xVelocity = (state[0] - before[0]) / seconds
    infos.controlCost = CONTROL_COST * squares(action)
    infos.contactCost = CONTACT_COST * squares(state, CONTACTS)
    const height = state[HEIGHT]
    const isWell = height >= LOWEST && height <= HIGHEST && state.every(Number.isFinite)
    transition.isTerminated = !isWell
    transition.reward = (isWell ? 1 : 0) + infos.xVelocity - infos.controlCost - infos.contactCost
  },
}
