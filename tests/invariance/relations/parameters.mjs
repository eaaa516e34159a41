/**
 * What tends to a limit is there for all that is far enough: the larger of two large numbers changes nothing.
 */
import { bodiesOfSlabs } from '../surfaces.mjs'
import { hungOf, WAY_OF_STEP } from './parts.mjs'

/** @import { Scene } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/** @param {string} name @param {Omit<Relation, 'group' | 'name'>} rest @returns {Relation} */
const limit = (name, rest) => ({ group: 'parameters', name, ...rest })

/** A scene with a large number, and its image with a larger one. @param {(scene: Scene, number: number) => Scene | undefined} make @param {[large: number, larger: number]} numbers @returns {Relation['image']} */
const larger = (make, numbers) => (scene) => {
  const [of, image] = numbers.map((number) => make(scene, number))
  return of && image && { of, scene: image }
}

// --- mass -----------------------------------------------------------------------------------------

/** What is in the ground does not collide with itself, as its pieces overlap. */
const GROUND = { category: 1, mask: 0xffffffff, group: -1 }

/**
 * The ground as moving bodies, through which bullets alone do not pass. Bodies of 5000 kg, the heaviest of the exam, at rest for 2.5 s give one of 1e12 kg a speed of 1.2e-7 m/s.
 * @param {Record<string, unknown>} kind @returns {Relation['image']}
 */
const groundOf = (kind) => (scene) =>
  scene.character
    ? undefined
    : {
        scene: { ...scene, slabs: [], bodies: scene.bodies.map(asBullet) },
        more: bodiesOfSlabs(scene.slabs, scene.surface).map((body, i) => ({
          ...{ ...body, ...kind, name: `ground ${i}`, filter: GROUND },
        })),
      }

/** @param {any} body */
const asBullet = (body) => (body.type === 'kinematic' ? body : { ...body, bullet: true })

// --- forces of joints -----------------------------------------------------------------------------

/** Hinges with these motors alone. @param {(maxForce: number) => any} motorOf @returns {(scene: Scene, maxForce: number) => Scene | undefined} */
const driven = (motorOf) => (scene, maxForce) => {
  // Two motors on the joints of a gear would work against each other.
  if (scene.joints.some(({ jointA }) => jointA !== undefined)) return undefined
  if (!scene.joints.some(({ type }) => type === 'hinge')) return undefined
  const motor = motorOf(maxForce)
  const alone = { motor, limits: undefined, spring: undefined, friction: undefined }
  const joints = scene.joints.map((joint) =>
    joint.type === 'hinge' ? { ...joint, ...alone } : joint,
  )
  return { ...scene, joints }
}

/**
 * N m: chains of four bodies of 2000 kg within 3.2 m have 8e4 kg m², which 1e8 N m bring to 2 rad/s, or over 0.1 rad, in a step of 1/60 s.
 */
const STRONG = /** @type {[number, number]} */ ([1e8, 1e11])

/** rad/s; rad */
const [SPEED, ANGLE] = [2, 0.1]

/**
 * Hz: a spring of 300 Hz gives way by 3e-6 m under the weight of what it holds, g / (2 pi 300 Hz)^2, and by twice that where a swing begins.
 */
const STIFF = 300

/** The first body of a scene on a rod, which gives way as a spring or not. @param {Scene} scene @param {any} rod @returns {Scene} */
function onRod(scene, rod) {
  const hung = hungOf(scene)
  return { ...hung, joints: hung.joints.map((joint) => ({ ...joint, type: 'distance', ...rod })) }
}

/** @type {Relation[]} */
export const parameters = [
  limit('a ground of 1e12 kg', {
    image: groundOf({ type: 'dynamic', mass: 1e12, gravityScale: 0 }),
  }),
  limit('a ground that could move', { image: groundOf({ type: 'kinematic' }) }),
  limit('strong motors', {
    image: larger(
      driven((maxForce) => ({ targetVelocity: SPEED, maxForce })),
      STRONG,
    ),
  }),
  limit('strong servos', {
    image: larger(
      driven((maxForce) => ({ targetPosition: ANGLE, maxForce })),
      STRONG,
    ),
  }),
  limit('a stiff spring as a rod', {
    tolerance: { auto: WAY_OF_STEP, exact: WAY_OF_STEP, 'block-pgs': WAY_OF_STEP },
    image: (scene) => ({
      of: onRod(scene, {}),
      scene: onRod(scene, { spring: { hertz: STIFF, damping: 1 } }),
    }),
  }),
]
