/**
 * The same part, made in another way, moves in the same way.
 */
import { rotateBack } from '../../../scenarios/vector.mjs'

/** @import { Quaternion, Vector } from '../../../scenarios/vector.mjs' */
/** @import { Scene } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/** @param {string} name @param {Relation['image']} image @returns {Relation} */
const part = (name, image) => ({ group: 'parts', name, image })

/** A copy of a list in which some things are others. @template T @param {T[]} list @param {(one: T) => T | undefined} change @returns {T[] | undefined} undefined: none was changed */
function changed(list, change) {
  const found = list.map(change)
  if (found.every((one) => one === undefined)) return undefined
  return found.map((one, i) => one ?? list[i])
}

// --- shapes ---------------------------------------------------------------------------------------

/** A shape as others that fill the same space. @typedef {(shape: any) => any[] | undefined} Replace */

/** @param {any} body @param {Replace} replace */
function withShapes({ shape, shapes = [shape], ...rest }, replace) {
  const found = changed(
    shapes.map((/** @type {any} */ one) => [one]),
    ([one]) => replace(one),
  )
  return found && { ...rest, shapes: found.flat() }
}

/** @param {Replace} replace @returns {Relation['image']} */
const reshaped = (replace) => (scene) => {
  const bodies = changed(scene.bodies, (body) => withShapes(body, replace))
  return bodies && { scene: { ...scene, bodies } }
}

const SIGNS = [-1, 1]

/** @param {Vector} half m @returns {Vector[]} */
const corners = ([x, y, z]) =>
  SIGNS.flatMap((a) =>
    SIGNS.flatMap((b) => SIGNS.map((c) => /** @type {Vector} */ ([a * x, b * y, c * z]))),
  )

/**
 * m: a hull needs a volume, so its points and segments are that thick. On what it rolls over, its faces lower it by 1e-11 m at the most, by the
 * square of this over the radius.
 */
const THICKNESS = 1e-6

/** @type {Replace} */
const boxAsHull = ({ type, halfExtents, ...rest }) =>
  type === 'box' ? [{ type: 'hull', points: corners(halfExtents), ...rest }] : undefined

/** @type {Replace} */
const ballAsHull = ({ type, ...rest }) =>
  type === 'sphere'
    ? [{ type: 'hull', points: corners([THICKNESS, THICKNESS, THICKNESS]), ...rest }]
    : undefined

/** @type {Replace} */
const capsuleAsHull = ({ type, halfHeight, ...rest }) =>
  type === 'capsule' && rest.radius !== undefined
    ? [{ type: 'hull', points: corners([THICKNESS, halfHeight, THICKNESS]), ...rest }]
    : undefined

/** @type {Replace} */
const capsuleAsTapered = ({ type, radius, ...rest }) =>
  type === 'capsule' && radius !== undefined
    ? [{ type, radiusTop: radius, radiusBottom: radius, ...rest }]
    : undefined

// --- halves ---------------------------------------------------------------------------------------

/** A box that can be cut in two: one with edges, and without what brakes or carries the whole. @param {any} body */
const isWhole = ({ type = 'dynamic', shape, linearDamping, angularDamping }) =>
  type === 'dynamic' &&
  shape?.type === 'box' &&
  [shape.radius, linearDamping, angularDamping].every((x) => x === undefined)

/** @param {any} shape a box @param {number} side -1 or 1, along x */
const halfOf = ({ halfExtents: [x, y, z], ...rest }, side) => ({
  ...{ ...rest, halfExtents: [x / 2, y, z], position: [(side * x) / 2, 0, 0] },
})

/**
 * The scene with frictionless boxes. Where a box slides and spins, friction depends on how its load is spread over its points of contact, which
 * the laws leave open: halves have other points.
 * @param {Scene} scene @returns {Scene | undefined} undefined: without a box that can be cut
 */
function smooth(scene) {
  const bodies = changed(scene.bodies, (body) =>
    isWhole(body) ? { ...body, friction: 0 } : undefined,
  )
  return bodies && { ...scene, bodies }
}

/** @param {Scene} scene @returns {ReturnType<Relation['image']>} */
function asTwoShapes(scene) {
  const of = smooth(scene)
  const bodies = of?.bodies.map((body) => {
    const { shape, ...rest } = body
    return isWhole(body) ? { ...rest, shapes: SIGNS.map((side) => halfOf(shape, side)) } : body
  })
  return of && bodies && { of, scene: { ...of, bodies } }
}

// --- joints ---------------------------------------------------------------------------------------

/** @param {(joint: any, scene: Scene) => any} change @returns {Relation['image']} */
const rejointed = (change) => (scene) => {
  const joints = changed(scene.joints, (joint) => change(joint, scene))
  return joints && { scene: { ...scene, joints } }
}

/** rad: by how much an axis may be beside one of the body's */
const PARALLEL = 1e-9

/** The axis of a body along a direction of the world. @param {Quaternion} orientation @param {Vector} direction @returns {{ index: number, sign: number } | undefined} */
function ownAxis(orientation, direction) {
  const own = rotateBack(orientation, direction)
  const index = own.findIndex((x) => Math.abs(Math.abs(x) - 1) < PARALLEL)
  return index < 0 ? undefined : { index, sign: Math.sign(own[index]) }
}

/** What drives a coordinate, as it drives the coordinate times -1. @param {any} drive */
const reversed = ({ limits, motor, ...rest }) => ({
  ...rest,
  ...(limits && { limits: [-limits[1], -limits[0]] }),
  ...(motor && { motor: { ...motor, targetVelocity: -motor.targetVelocity } }),
})

/** Of six degrees of freedom in the axes of body B, which may hang of the world. @param {any} joint @param {Scene} scene */
function hingeAsSixDof({ type, axis, bodyA, bodyB, anchor, ...drive }, { bodies, joints }) {
  if (joints.some(({ jointA }) => jointA !== undefined)) return undefined
  const { orientation } = bodies.find(({ name }) => name === bodyB) ?? {}
  const own = type === 'hinge' && axis && orientation && ownAxis(orientation, axis)
  if (!own || drive.motor?.targetPosition !== undefined) return undefined
  // A is B's B: the angle has the other sign.
  const { limits, ...rest } = own.sign < 0 ? drive : reversed(drive)
  const free = { ...rest, ...(limits && { lower: limits[0], upper: limits[1] }) }
  const angular = [0, 1, 2].map((i) => (i === own.index ? free : 'locked'))
  return { type: 'sixDof', bodyA: bodyB, bodyB: bodyA, anchor, angular }
}

/** rad: what no scene turns by */
const MANY_TURNS = 1000

/** @param {any} joint */
function widelyLimited(joint) {
  if (joint.limits) return undefined
  const limits = [-MANY_TURNS, MANY_TURNS]
  if (joint.type === 'hinge') return { ...joint, limits }
  // Two axes are never further apart than by half a turn.
  if (joint.type === 'ball')
    return { ...joint, axis: [0, 1, 0], limits: { cone: Math.PI, twist: limits } }
  return undefined
}

/** @param {any} joint */
const idlyDriven = (joint) =>
  joint.type === 'hinge' && !joint.motor
    ? { ...joint, motor: { targetVelocity: 3, maxForce: 0 } }
    : undefined

/** Whether forces move it. @param {any} body */
const isMoved = ({ type = 'dynamic' }) => type === 'dynamic'

/** A joint from the world to each body that forces move. @param {(body: any) => any} jointOf @returns {Relation['image']} */
const tied = (jointOf) => (scene) => ({
  scene: {
    ...scene,
    joints: [
      ...scene.joints,
      ...scene.bodies
        .filter(isMoved)
        .map((body) => ({ bodyA: null, bodyB: body.name, ...jointOf(body) })),
    ],
  },
})

/** m: from what a body hangs on to its origin; m/s along x and z: its first speed, with which its rope stays taut, as it would up to 4 m/s. */
const [LONG, SWING] = [1.2, 1]

/**
 * m: of a swing in a step of 1/60 s, when it is fastest. What acts along a rope or a spring acts in the direction of the start of the step, so the
 * motion is right to the order one. Soft-step has ropes among the joints whose direction follows in each substep.
 */
export const WAY_OF_STEP = (Math.SQRT2 * SWING) / 60

/** The first body of a scene alone, as it hangs on a rope in the air, 3 m above the floor. @param {Scene} scene @returns {Scene} */
export function hungOf(scene) {
  const { name, shape, shapes } = scene.bodies[0]
  const body = { name, ...(shapes ? { shapes } : { shape }), position: [0, 3, 0] }
  return {
    ...scene,
    bodies: [{ ...body, orientation: [0, 0, 0, 1], linearVelocity: [SWING, 0, SWING] }],
    joints: [{ type: 'rope', bodyA: null, bodyB: name, anchorA: [0, 3 + LONG, 0] }],
    ...{ potentials: [], character: undefined },
  }
}

/** @type {Relation[]} */
export const parts = [
  part('a box as a hull', reshaped(boxAsHull)),
  part('a ball as a rounded point', reshaped(ballAsHull)),
  part('a capsule as a rounded segment', reshaped(capsuleAsHull)),
  part('a capsule as a tapered one', reshaped(capsuleAsTapered)),
  part('a box as two shapes', asTwoShapes),
  part('a hinge as sixDof', rejointed(hingeAsSixDof)),
  {
    ...{ group: 'parts', name: 'a taut rope as a rod' },
    tolerance: { auto: 5e-3, exact: WAY_OF_STEP, 'block-pgs': WAY_OF_STEP },
    image(scene) {
      const of = hungOf(scene)
      const joints = of.joints.map((joint) => ({ ...joint, type: 'distance' }))
      return { of, scene: { ...of, joints } }
    },
  },
  part('limits that never act', rejointed(widelyLimited)),
  part('a motor without force', rejointed(idlyDriven)),
  part(
    'slack ropes',
    tied(({ position }) => ({ type: 'rope', anchorA: position, length: 1000 })),
  ),
  part(
    'motors to a pose without force',
    tied(() => ({ type: 'motor', maxForce: 0, maxTorque: 0 })),
  ),
]
