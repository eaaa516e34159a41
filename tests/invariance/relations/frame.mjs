/**
 * Nobody feels where the world is, how it is turned, whether it is seen in a mirror, and how fast all of it moves on.
 */
import { Random } from '../../../scenarios/random.mjs'
import { add, rotate, scale, subtract } from '../../../scenarios/vector.mjs'
import { eachBody, GRAVITY, multiply } from '../scene.mjs'

/** @import { Quaternion, Vector } from '../../../scenarios/vector.mjs' */
/** @import { Scene, Slab } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/**
 * Where everything is and how it is turned in another frame.
 * @typedef {object} Frame
 * @property {(point: Vector) => Vector} point
 * @property {(vector: Vector) => Vector} vector that has a direction: velocities, gravity
 * @property {(axis: Vector) => Vector} axial vector about which something turns
 * @property {(orientation: Quaternion) => Quaternion} orientation
 * @property {(axis: Vector) => Vector} inBody an axial vector in the frame of a body
 * @property {(shape: any) => any} shape in the frame of a body
 */

/** @template T @param {T} x */
const same = (x) => x

/** @type {Frame} */
const SAME = Object.freeze({
  ...{ point: same, vector: same, axial: same, orientation: same },
  ...{ inBody: same, shape: same },
})

/** @param {Frame} frame @param {Slab} slab @returns {Slab} */
const slabIn = ({ point, orientation }, slab) => ({
  ...slab,
  origin: point(slab.origin),
  orientation: orientation(slab.orientation),
})

/** @param {Frame} frame @param {any} body */
const bodyIn = (frame, { shape, shapes, ...body }) => ({
  ...body,
  position: frame.point(body.position),
  orientation: frame.orientation(body.orientation),
  linearVelocity: frame.vector(body.linearVelocity),
  angularVelocity: frame.axial(body.angularVelocity),
  ...(shape && { shape: frame.shape(shape) }),
  ...(shapes && { shapes: shapes.map(frame.shape) }),
})

/** Axes of hinges, universal and ball joints: about these bodies turn. @param {Frame} frame @param {any} joint */
const jointIn = ({ point, axial, inBody }, { axis, axisA, axisB, ...joint }) => ({
  ...joint,
  anchor: point(joint.anchor),
  ...(axis && { axis: axial(axis) }),
  ...(axisA && { axisA: (joint.bodyA === null ? axial : inBody)(axisA) }),
  ...(axisB && { axisB: (joint.bodyB === null ? axial : inBody)(axisB) }),
})

/** @param {Frame} frame @param {Scene} scene @returns {Scene} */
const sceneIn = (frame, scene) => ({
  ...scene,
  settings: { ...scene.settings, gravity: frame.vector(GRAVITY) },
  slabs: scene.slabs.map((slab) => slabIn(frame, slab)),
  bodies: scene.bodies.map((body) => bodyIn(frame, body)),
  joints: scene.joints.map((joint) => jointIn(frame, joint)),
})

/**
 * @param {string} name
 * @param {(random: Random) => [there: Frame, back: Frame]} choose
 * @returns {Relation}
 */
const seen = (name, choose) => ({
  ...{ group: 'frame', name },
  image(scene) {
    const [there, back] = choose(new Random(scene.seed))
    return {
      scene: sceneIn(there, scene),
      back: eachBody(({ position, orientation }) => ({
        position: back.point(position),
        orientation: back.orientation(orientation),
      })),
    }
  },
})

/** @param {Quaternion} by @returns {Frame} */
const turnedBy = (by) => {
  const turn = (/** @type {Vector} */ v) => rotate(by, v)
  return {
    ...{ ...SAME, point: turn, vector: turn, axial: turn },
    orientation: (q) => multiply(by, q),
  }
}

/** @param {Quaternion} q @returns {Quaternion} */
const inverse = ([x, y, z, w]) => [-x, -y, -z, w]

/**
 * Rounding decides which of equals is taken, such as the corners on which a box rests, so a turned world may differ by as much as any.
 * @param {string} name @param {(random: Random) => Quaternion} by @returns {Relation}
 */
const turned = (name, by) =>
  seen(name, (random) => {
    const turn = by(random)
    return [turnedBy(turn), turnedBy(inverse(turn))]
  })

/** About the vertical. @param {Random} random @returns {Quaternion} */
function upright(random) {
  const [, y, , w] = random.orientation()
  const length = Math.hypot(y, w)
  return [0, y / length, 0, w / length]
}

/**
 * Nothing more is allowed far away: poses are doubles, which are 1.5e-11 m apart at 100 km. What is in single precision, 8 mm apart there, are boxes
 * around bodies; they are rounded outwards, so that they find more pairs, and none less.
 * @param {string} name @param {Vector} by m @returns {Relation}
 */
const shifted = (name, by) =>
  seen(name, () => [
    { ...SAME, point: (v) => add(v, by) },
    { ...SAME, point: (v) => subtract(v, by) },
  ])

/** @param {Vector} v @returns {Vector} */
const reflected = ([x, y, z]) => [-x, y, z]
/** What a thing turns about keeps its part along the mirror's normal, and its others change sign. @param {Vector} v @returns {Vector} */
const reflectedAxis = ([x, y, z]) => [x, -y, -z]
/** @param {Quaternion} q @returns {Quaternion} */
const reflectedTurn = ([x, y, z, w]) => [x, -y, -z, w]

/** All but hulls are their own mirror images, since y is the axis of the round ones. @param {any} shape */
const reflectedShape = ({ position, points, ...shape }) => ({
  ...shape,
  ...(position && { position: reflected(position) }),
  ...(points && { points: points.map(reflected) }),
})

/** @type {Frame} */
const MIRROR = Object.freeze({
  ...{ point: reflected, vector: reflected, axial: reflectedAxis, orientation: reflectedTurn },
  ...{ inBody: reflectedAxis, shape: reflectedShape },
})

// --- moving ---------------------------------------------------------------------------------------

/** m/s: at the most, along each axis. Bodies of the scenes are as fast. */
const FASTEST = 3
/** What takes the place of the world as a body of joints, since the world does not move. */
const MOVING_WORLD = 'moving world'

/** @param {Random} random @returns {Vector} */
const anyVelocity = (random) => [
  random.between(-FASTEST, FASTEST),
  random.between(-FASTEST, FASTEST),
  random.between(-FASTEST, FASTEST),
]

/** @param {Scene} scene @param {Vector} velocity @returns {Scene} */
const movingScene = (scene, velocity) => ({
  ...scene,
  slabs: scene.slabs.map((slab) => ({ ...slab, linearVelocity: velocity })),
  bodies: scene.bodies.map((body) => ({
    ...body,
    linearVelocity: add(body.linearVelocity, velocity),
  })),
  joints: scene.joints.map((joint) => ({
    ...joint,
    bodyA: joint.bodyA ?? MOVING_WORLD,
    bodyB: joint.bodyB ?? MOVING_WORLD,
  })),
})

/** @type {Relation} */
const moving = {
  ...{ group: 'frame', name: 'moving on' },
  image(scene) {
    const velocity = anyVelocity(new Random(scene.seed))
    return {
      scene: movingScene(scene, velocity),
      more: [{ name: MOVING_WORLD, type: 'kinematic', linearVelocity: velocity }],
      back: eachBody(({ position, orientation }, step) => ({
        position: subtract(position, scale(velocity, (step + 1) * scene.timeStep)),
        orientation,
      })),
    }
  },
}

/** @type {Relation[]} */
export const frame = [
  turned('turned', (random) => random.orientation()),
  turned('turned about the vertical', upright),
  shifted('shifted by 1 km', [800, 0, 600]),
  shifted('shifted by 100 km', [80_000, 0, 60_000]),
  seen('in a mirror', () => [MIRROR, MIRROR]),
  moving,
]
