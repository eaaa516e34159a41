import { addFloor, GRAVITY, normalImpulse } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { angleOf, cross, distance, radians, rotateBack, subtract, turn } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */

/**
 * Where the hand is, which points down: m from the axis of the arm, m of its fingers above the floor, rad about that axis, and rad of
 * the hand about its own.
 *
 * @typedef {{ radius: number, height: number, yaw: number, roll: number }} Place
 */

/** A place to be reached in some seconds, with the fingers open or closed. @typedef {Place & { seconds: number, grip: boolean }} Waypoint */

/** m: height of the shoulder, lengths of upper arm and forearm, from the wrist down to the middle of the fingers */
const SHOULDER = 0.4
const UPPER_ARM = 0.5
const FOREARM = 0.45
const HAND = 0.18
/** kg */
const MASSES = { turret: 8, upperArm: 5, forearm: 3, wrist: 1, hand: 0.8, finger: 0.1 }
/** N m: the most that a motor of the arm may give */
const TORQUE = 120
/** N: with which each of two motors closes its finger, and m/s at most */
const GRIP = 20
const FINGER_SPEED = 0.15
/** m: from the middle of the hand to the middle of a finger that is open, and half of its thickness */
const OPEN = 0.06
const FINGER = 0.008
/** m and kg of the cubes, and Coulomb's coefficient of all */
const CUBE = 0.07
const CUBE_MASS = 1
const FRICTION = 0.8
/** m: arm of the torque with which the soft pads of the fingers keep a cube from turning between them */
const PAD = 0.04

/** rad: where the cubes are at the start, each turned to the arm; they are stacked at 0. */
const SOURCES = [-1.2, 1.2, -0.7]
/** m: of cubes and stack from the axis of the arm */
const RADIUS = 0.6
/** m: the hand goes across this high, with what it holds above the stack */
const HIGH = (SOURCES.length + 1.5) * CUBE
/** s: for a way up or down, for one across, for the fingers */
const [VERTICAL, ACROSS, FINGERS] = [0.7, 1, 0.4]
/** rad: each cube is put on the stack turned by so much against the one below. */
const TWIST = Math.PI / 4

/** What the hand does with a cube, from above it to above the stack. @param {number} yaw @param {number} level @returns {Waypoint[]} */
function transfer(yaw, level) {
  const from = { radius: RADIUS, yaw, roll: 0 }
  const to = { radius: RADIUS, yaw: 0, roll: level * TWIST }
  const [low, high] = [0.5 * CUBE, (level + 0.5) * CUBE]
  return [
    { ...from, height: HIGH, seconds: ACROSS, grip: false },
    { ...from, height: low, seconds: VERTICAL, grip: false },
    { ...from, height: low, seconds: FINGERS, grip: true },
    { ...from, height: HIGH, seconds: VERTICAL, grip: true },
    { ...to, height: HIGH, seconds: ACROSS, grip: true },
    { ...to, height: high, seconds: VERTICAL, grip: true },
    { ...to, height: high, seconds: FINGERS, grip: false },
    { ...to, height: HIGH, seconds: VERTICAL, grip: false },
  ]
}

/** @type {Waypoint} */
const HOME = { radius: RADIUS, height: HIGH, yaw: 0, roll: 0, seconds: 0, grip: false }
const WAY = [HOME, ...SOURCES.flatMap(transfer)]
/** s: when it is done, and the scene with a second of rest */
const DONE = WAY.reduce((sum, { seconds }) => sum + seconds, 0)

/**
 * The leg of the way at a time, and the part of it that is done.
 *
 * @param {number} time s
 */
function legAt(time) {
  let [index, left] = [1, time]
  while (index < WAY.length - 1 && left > WAY[index].seconds) left -= WAY[index++].seconds
  return {
    index,
    from: WAY[index - 1],
    to: WAY[index],
    part: Math.min(left / WAY[index].seconds, 1),
  }
}

/**
 * Where the hand is to be: from place to place by the polynomial of minimum jerk (Flash and Hogan 1985), which starts and ends without
 * velocity and acceleration.
 *
 * @param {number} time s
 * @returns {Place}
 */
function placeAt(time) {
  const { from, to, part } = legAt(time)
  // Products, as powers differ between browsers in their last bit.
  const done = part * part * part * (10 - part * (15 - 6 * part))
  const between = (/** @type {keyof Place} */ name) => from[name] + done * (to[name] - from[name])
  return {
    ...{ radius: between('radius'), height: between('height') },
    ...{ yaw: between('yaw'), roll: between('roll') },
  }
}

/**
 * The angles of the five hinges, by the law of cosines: yaw, the upper arm from the vertical, the bends at elbow and wrist that have
 * the hand point down, and the roll of the hand.
 *
 * @param {Place} place
 */
function anglesFor({ radius, height, yaw, roll }) {
  const up = height + HAND - SHOULDER
  const square = radius * radius + up * up
  const reach = Math.sqrt(square)
  const sides = UPPER_ARM * UPPER_ARM + FOREARM * FOREARM
  const cosine = (square - sides) / (2 * UPPER_ARM * FOREARM)
  const bend = { cosine, sine: Math.sqrt(1 - cosine * cosine) }
  const inner = {
    cosine: (UPPER_ARM + FOREARM * bend.cosine) / reach,
    sine: (FOREARM * bend.sine) / reach,
  }
  const elbow = radians(bend)
  const shoulder = radians({ cosine: up / reach, sine: radius / reach }) - radians(inner)
  return [yaw, shoulder, elbow, Math.PI - shoulder - elbow, roll]
}

const HOME_ANGLES = anglesFor(HOME)
/** What no part of the arm touches: another one. */
const filter = { group: -1 }

/**
 * A limb from one point to another, leaning from the vertical.
 *
 * @param {World} world
 * @param {{ from: Vector, lean: number, length: number, mass: number }} limb
 */
function addLimb(world, { from, lean, length, mass }) {
  const { cosine, sine } = angleOf(lean)
  const along = (/** @type {number} */ part) =>
    /** @type {Vector} */ ([from[0] + part * length * sine, from[1] + part * length * cosine, 0])
  const body = world.createBody({
    shape: { type: 'capsule', radius: 0.045, halfHeight: length / 2 - 0.02 },
    ...{ position: along(0.5), orientation: turn([0, 0, -1], { cosine, sine }), mass, filter },
  })
  return { body, end: along(1) }
}

/** The links of the arm, as they are at home, and the anchors of its hinges. @param {World} world */
function addLinks(world) {
  const [, shoulder, elbow] = HOME_ANGLES
  const turret = world.createBody({
    shapes: [
      { type: 'cylinder', radius: 0.09, halfHeight: 0.14, position: [0, -0.05, 0] },
      { type: 'sphere', radius: 0.08, position: [0, 0.15, 0] },
    ],
    ...{ position: [0, 0.25, 0], mass: MASSES.turret, filter },
  })
  const from = /** @type {Vector} */ ([0, SHOULDER, 0])
  const upper = addLimb(world, { from, lean: shoulder, length: UPPER_ARM, mass: MASSES.upperArm })
  const lower = addLimb(world, {
    ...{ from: upper.end, lean: shoulder + elbow, length: FOREARM, mass: MASSES.forearm },
  })
  const [x, y] = lower.end
  const wrist = world.createBody({
    shape: { type: 'sphere', radius: 0.05 },
    ...{ position: [x, y, 0], mass: MASSES.wrist, filter },
  })
  const hand = world.createBody({
    shape: { type: 'box', halfExtents: [0.025, 0.02, OPEN + 0.02] },
    ...{ position: [x, y - 0.09, 0], mass: MASSES.hand, filter },
  })
  const anchors = /** @type {Vector[]} */ ([[0, 0, 0], from, upper.end, lower.end, lower.end])
  return { links: [turret, upper.body, lower.body, wrist, hand], anchors }
}

/**
 * Two fingers on the hand that close alike: a gear couples them.
 *
 * @param {World} world
 * @param {Body} hand
 */
function addFingers(world, hand) {
  const [x, y] = hand.position
  const fingers = [-1, 1].map((side) =>
    world.createBody({
      shape: { type: 'box', halfExtents: [0.02, 0.04, FINGER] },
      position: [x, y + 0.09 - HAND + 0.015, side * OPEN],
      ...{ mass: MASSES.finger, friction: FRICTION, spinningFriction: PAD, filter },
    }),
  )
  const slides = fingers.map((bodyB, i) =>
    world.createJoint({
      ...{ type: 'slider', bodyA: hand, bodyB, anchor: bodyB.position },
      ...{ axis: [0, 0, i === 0 ? 1 : -1], limits: [0, OPEN - FINGER] },
      motor: { targetVelocity: -FINGER_SPEED, maxForce: GRIP },
    }),
  )
  world.createJoint({ type: 'gear', jointA: slides[0], jointB: slides[1], ratio: -1 })
  return { fingers, slides }
}

/** The cubes on the floor, each turned to the arm. @param {World} world */
function addCubes(world) {
  /** @type {{ type: 'box', halfExtents: [number, number, number] }} */
  const shape = { type: 'box', halfExtents: [CUBE / 2, CUBE / 2, CUBE / 2] }
  return SOURCES.map((yaw) => {
    const { cosine, sine } = angleOf(yaw)
    const position = /** @type {Vector} */ ([RADIUS * cosine, CUBE / 2, -RADIUS * sine])
    const orientation = turn([0, 1, 0], { cosine, sine })
    return world.createBody({
      ...{ shape, position, orientation, mass: CUBE_MASS },
      ...{ friction: FRICTION, spinningFriction: PAD },
    })
  })
}

/** Legs of one transfer: those in which the cube hangs in the hand, off the ground at both ends. */
const LEGS = transfer(0, 0).length
const CARRIED = 5

/** The number of the cube that is carried across at a time, or -1. @param {number} time s */
function carriedAt(time) {
  const leg = legAt(time).index - 1
  return leg % LEGS === CARRIED - 1 ? Math.floor(leg / LEGS) : -1
}

/** What a hinge must give to carry what hangs beyond it, N m. @param {Vector} anchor @param {readonly Body[]} bodies */
function momentAbout(anchor, bodies) {
  return bodies.reduce((sum, body) => {
    const arm = subtract(body.worldCenterOfMass, anchor)
    return sum + cross(arm, [0, -body.mass * GRAVITY, 0])[2]
  }, 0)
}

/** s */
const [TIME_STEP, DURATION] = [1 / 200, DONE + 0.5]

export default defineScene({
  name: 'robot-arm',
  title: 'A robot arm stacks cubes',
  description:
    'Five motors move a hand by inverse kinematics, two fingers hold a cube by Coulomb friction alone, with the force that their motors give. Three cubes stand on each other within a millimetre.',
  // Where fingers grip, contacts contradict each other by 1e-10 m, so that a step may take five times what is usual.
  // The tolerance is a fifth of what is checked below: bounds move the impulses of a light finger a little after they were solved.
  options: {
    solver: 'exact',
    allowSleep: false,
    maxIterations: 1000,
    workBudget: 1e9,
    tolerance: 2e-9,
  },
  timeStep: TIME_STEP,
  duration: DURATION,
  camera: { position: [1.75, 1.1, 1.35], target: [0.3, 0.5, 0] },
  setup(world) {
    addFloor(world, { halfWidth: 2, friction: FRICTION })
    const { links, anchors } = addLinks(world)
    const across = /** @type {Vector} */ ([0, 0, -1])
    const axes = /** @type {Vector[]} */ ([[0, 1, 0], across, across, across, [0, 1, 0]])
    const hinges = links.map((bodyB, i) =>
      world.createJoint({
        ...{ type: 'hinge', bodyA: i === 0 ? null : links[i - 1], bodyB, anchor: anchors[i] },
        ...{ axis: axes[i], motor: { targetPosition: 0, maxForce: TORQUE } },
      }),
    )
    const hand = links[4]
    const { fingers, slides } = addFingers(world, hand)
    const cubes = addCubes(world)
    const beyond = [...links.slice(1), ...fingers]
    return {
      ...{ hinges, slides, hand, fingers, cubes, beyond },
      ...{ steps: 0, angles: HOME_ANGLES, grip: false },
    }
  },
  beforeStep(world, things, dt) {
    const time = ++things.steps * dt
    const before = things.angles
    things.angles = anglesFor(placeAt(time))
    things.hinges.forEach((hinge, i) => {
      const targetPosition = things.angles[i] - HOME_ANGLES[i]
      const targetVelocity = (things.angles[i] - before[i]) / dt
      hinge.motor = { targetPosition, targetVelocity, maxForce: TORQUE }
    })
    const { grip } = legAt(time).to
    if (grip === things.grip) return
    things.grip = grip
    const targetVelocity = grip ? FINGER_SPEED : -FINGER_SPEED
    for (const slide of things.slides) slide.motor = { targetVelocity, maxForce: GRIP }
  },
  checks: [
    {
      name: 'joints-stay-closed',
      description: 'Errors of the anchors and axes of hinges and sliders',
      unit: 'm, rad',
      tolerance: 1e-8,
      error: ({ things: { hinges, slides } }) =>
        Math.max(
          ...[...hinges, ...slides].flatMap((joint) => joint.violation().slice(0, 5).map(Math.abs)),
        ),
    },
    {
      name: 'motors-follow',
      description: 'Each hinge has the angle of inverse kinematics',
      unit: 'rad',
      // What a step leaves between where the hinges are and where they go, at 2 rad/s
      tolerance: 2e-4,
      error: ({ things: { hinges, angles } }) =>
        Math.max(...hinges.map(({ angle }, i) => Math.abs(angle + HOME_ANGLES[i] - angles[i]))),
    },
    {
      name: 'cube-does-not-slip',
      description:
        'A cube that is carried across stays where it is between the fingers: velocities match, and what a step of 5 ms adds to it on a curve is of first order (0.08 mm with 1 ms)',
      unit: 'm',
      tolerance: 5e-4,
      error({ things: { hand, cubes }, time, previous }) {
        const index = carriedAt(time)
        if (index < 0) return 0
        const offset = subtract(cubes[index].position, hand.position)
        const inHand = rotateBack(hand.orientation, offset)
        previous[index] ??= inHand
        return distance(inHand, previous[index])
      },
    },
    {
      name: 'fingers-press',
      description:
        'The normal forces on a cube that is carried sum up to those of both motors, less what the turning hand pulls the fingers outwards with',
      unit: 'N',
      // The speed of the hand is that of the end of the step.
      tolerance: 0.03,
      error({ things: { hand, fingers, slides, cubes }, time, timeStep }) {
        const index = carriedAt(time)
        if (index < 0) return 0
        const impulse = fingers.reduce((sum, f) => sum + normalImpulse(cubes[index], f), 0)
        const pull = MASSES.finger * hand.angularVelocity[1] ** 2 * (OPEN - slides[0].translation)
        return Math.abs(impulse / timeStep - 2 * (GRIP - pull))
      },
    },
    {
      name: 'laws-hold-while-carried',
      description:
        'The certificate of each step in which a cube hangs in the hand, although two fingers that press with friction 0.8 hold it by forces of which many will do',
      unit: 'm/s',
      tolerance: 1e-8,
      error: ({ world, time }) => (carriedAt(time) < 0 ? 0 : world.residual().worst),
    },
    {
      name: 'few-steps-miss',
      description:
        'Part of all steps whose certificate is above 1e-8: two of 3460, in which a cube, which is held, touches what it is put on, where arm, fingers, cube and floor are one loop',
      unit: '',
      tolerance: 7e-4,
      from: 1,
      error({ world, previous }) {
        previous.missed = (previous.missed ?? 0) + Number(world.residual().worst > 1e-8)
        return previous.missed / (DURATION / TIME_STEP)
      },
    },
    {
      name: 'shoulder-carries-the-arm',
      description: 'At rest the motor of the shoulder gives the moment of all weights beyond it',
      unit: 'N m',
      tolerance: 1e-5,
      from: DONE + 0.25,
      error: ({ things: { hinges, beyond } }) =>
        Math.abs(hinges[1].driveForces().motor - momentAbout([0, SHOULDER, 0], beyond)),
    },
    {
      name: 'stack-stands-where-it-should',
      description: 'Each cube is on the stack, above the one before it',
      unit: 'm',
      tolerance: 1e-3,
      from: DONE,
      error: ({ things: { cubes } }) =>
        Math.max(
          ...cubes.map(({ position }, i) => distance(position, [RADIUS, (i + 0.5) * CUBE, 0])),
        ),
    },
  ],
})
