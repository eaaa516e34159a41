/**
 * Nobody feels where the world is, how it is turned, whether it is seen in a mirror, and how fast all of it moves on.
 */
import { Random } from '../../../scenarios/random.mjs'
import { add, dot, rotate, scale, subtract } from '../../../scenarios/vector.mjs'
import { withChanged } from '../properties.mjs'
import { eachBody, GRAVITY, multiply } from '../scene.mjs'

/** @import { Quaternion, Vector } from '../../../scenarios/vector.mjs' */
/** @import { Scene, Slab } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/**
 * Where everything is and how it is turned in another frame.
 * @typedef {object} Frame
 * @property {(point: Vector) => Vector} point
 * @property {(vector: Vector) => Vector} vector that has a direction: velocities, gravity, the axes along which something slides
 * @property {(axis: Vector) => Vector} axial vector about which something turns
 * @property {(orientation: Quaternion) => Quaternion} orientation
 * @property {(steering: number) => number} steering an angle about a vector that has a direction
 */

/** Where things of the world are in another frame, and those of a body in the frame of that body. @typedef {{ world: Frame, body: Frame }} Frames */

/** @template T @param {T} x */
const same = (x) => x

/** @type {Frame} */
const SAME = Object.freeze({
  ...{ point: same, vector: same, axial: same },
  ...{ orientation: same, steering: same },
})

/** @param {Frame} frame @param {Slab} slab @returns {Slab} */
const slabIn = ({ point, orientation }, slab) => ({
  ...slab,
  origin: point(slab.origin),
  orientation: orientation(slab.orientation),
})

/** All but hulls are their own mirror images, since y is the axis of the round ones. @param {Frame} frame @param {any} shape @returns {any} */
const shapeIn = ({ vector }, shape) =>
  withChanged(shape, {
    position: vector,
    points: (points) => points.map(vector),
    shapes: (shapes) => shapes.map((/** @type {any} */ one) => shapeIn({ ...SAME, vector }, one)),
  })

/** @param {Frames} frames @param {any} body */
const bodyIn = ({ world, body: own }, body) =>
  withChanged(body, {
    ...{ position: world.point, orientation: world.orientation },
    ...{ linearVelocity: world.vector, angularVelocity: world.axial },
    surfaceVelocity: own.vector,
    shape: (shape) => shapeIn(own, shape),
    shapes: (shapes) => shapes.map((/** @type {any} */ shape) => shapeIn(own, shape)),
  })

/** Joints along whose axis something slides; about those of the others it turns. */
const SLIDES = ['slider', 'wheel']

/** What is given in the world's frame, or in that of body A where it is a body. @param {Frames} frames @param {any} joint */
function jointIn({ world, body }, joint) {
  const ofA = joint.bodyA === null ? world : body
  return withChanged(joint, {
    ...{ anchor: world.point, groundAnchorA: world.point, groundAnchorB: world.point },
    axis: SLIDES.includes(joint.type) ? world.vector : world.axial,
    ...{ axle: world.axial, axisA: ofA.axial, axisB: body.axial, steering: world.steering },
    ...{ anchorA: ofA.point, anchorB: body.point },
    points: (points) => points.map(ofA.point),
    targetPosition: ofA.point,
    targetOrientation: ofA.orientation,
  })
}

/** @param {Frames} frames @param {any} potential */
const potentialIn = ({ world, body }, potential) =>
  withChanged(potential, {
    ...{ center: world.point, anchorB: world.point },
    ...{ gravity: world.vector, velocity: world.vector },
    // What turns a dipole is the product of both, so both are as axes are.
    ...{ field: world.axial, moment: body.axial },
    surface: ({ normal, offset }) => {
      const turned = world.vector(normal)
      return { normal: turned, offset: dot(turned, world.point(scale(normal, offset))) }
    },
  })

/** @param {Frames} frames @param {Scene['character']} character upright, as its mirror image is */
const characterIn = ({ world }, character) =>
  character && {
    ...character,
    position: world.point(character.position),
    velocity: world.vector(character.velocity),
  }

/** @param {Frames} frames @param {Scene} scene @returns {Scene} */
const sceneIn = (frames, { character, ...scene }) => ({
  ...scene,
  settings: { ...scene.settings, gravity: frames.world.vector(GRAVITY) },
  slabs: scene.slabs.map((slab) => slabIn(frames.world, slab)),
  bodies: scene.bodies.map((body) => bodyIn(frames, body)),
  joints: scene.joints.map((joint) => jointIn(frames, joint)),
  potentials: scene.potentials.map((potential) => potentialIn(frames, potential)),
  ...(character && { character: characterIn(frames, character) }),
})

/** @typedef {{ there: Frame, back: Frame, body?: Frame }} Chosen `body`: of things in the frame of a body, which stay by default */

/** @param {string} name @param {(random: Random) => Chosen} choose @returns {Relation} */
const seen = (name, choose) => ({
  ...{ group: 'frame', name },
  image(scene) {
    const { there, back, body = SAME } = choose(new Random(scene.seed))
    return {
      scene: sceneIn({ world: there, body }, scene),
      back: eachBody(({ position, orientation }) => ({
        position: back.point(position),
        orientation: back.orientation(orientation),
      })),
    }
  },
})

/** @param {Relation} relation @returns {Relation} */
const withoutCharacters = ({ image, ...relation }) => ({
  ...relation,
  image: (scene) => (scene.character ? undefined : image(scene)),
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
 * Rounding decides which of equals is taken, such as the corners on which a box rests, so a turned world may differ by as much as any. A character
 * has a way up of its own, and chooses by it how it is turned about that.
 * @param {string} name @param {(random: Random) => Quaternion} by @returns {Relation}
 */
const turned = (name, by) =>
  withoutCharacters(
    seen(name, (random) => {
      const turn = by(random)
      return { there: turnedBy(turn), back: turnedBy(inverse(turn)) }
    }),
  )

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
  seen(name, () => ({
    there: { ...SAME, point: (v) => add(v, by) },
    back: { ...SAME, point: (v) => subtract(v, by) },
  }))

/** @param {Vector} v @returns {Vector} */
const reflected = ([x, y, z]) => [-x, y, z]
/** What a thing turns about keeps its part along the mirror's normal, and its others change sign. @param {Vector} v @returns {Vector} */
const reflectedAxis = ([x, y, z]) => [x, -y, -z]
/** @param {Quaternion} q @returns {Quaternion} */
const reflectedTurn = ([x, y, z, w]) => [x, -y, -z, w]

/** @type {Frame} */
const MIRROR = Object.freeze({
  ...{ point: reflected, vector: reflected, axial: reflectedAxis, orientation: reflectedTurn },
  steering: (angle) => -angle,
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

/** Potentials that no place in the world has, and that feel its motion as a wind at the most. */
const EVERYWHERE = ['gravity', 'magnetic', 'mutualGravity', 'drag']

/** Whether nothing in it keeps to the world, as its air does. @param {Scene} scene */
const canMove = ({ bodies, joints, potentials, character }) =>
  !character &&
  bodies.every(({ linearDamping }) => !linearDamping) &&
  joints.every(({ type }) => type !== 'pulley') &&
  potentials.every(({ type }) => EVERYWHERE.includes(type))

/** @param {Scene} scene @param {Vector} velocity @returns {Scene} */
const movingScene = (scene, velocity) => ({
  ...scene,
  slabs: scene.slabs.map((slab) => ({ ...slab, linearVelocity: velocity })),
  bodies: scene.bodies.map((body) => ({
    ...body,
    linearVelocity: add(body.linearVelocity, velocity),
  })),
  joints: scene.joints.map((joint) =>
    joint.bodyA === null ? { ...joint, bodyA: MOVING_WORLD } : joint,
  ),
  potentials: scene.potentials.map((potential) =>
    withChanged(potential, { velocity: (wind) => add(wind, velocity) }),
  ),
})

/** @type {Relation} */
const moving = {
  ...{ group: 'frame', name: 'moving on' },
  image(scene) {
    if (!canMove(scene)) return undefined
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
  seen('in a mirror', () => ({ there: MIRROR, back: MIRROR, body: MIRROR })),
  moving,
]
