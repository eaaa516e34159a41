/**
 * In what order bodies, shapes and joints are given is not felt, but for what sweeps in their order leave unsolved.
 */
import { Random } from '../../../scenarios/random.mjs'
import { bodiesOfSlabs } from '../surfaces.mjs'

/** @import { World } from 'moreau' */
/** @import { Scene } from '../scene.mjs' */
/** @import { Image, Relation } from './index.mjs' */

/** @template T @param {readonly T[]} all @param {Random} random @returns {T[]} */
function shuffled(all, random) {
  const mixed = [...all]
  for (let left = mixed.length; left > 1; left--) {
    const i = Math.floor(left * random.next())
    ;[mixed[left - 1], mixed[i]] = [mixed[i], mixed[left - 1]]
  }
  return mixed
}

/** @param {string} name @param {(scene: Scene, random: Random) => Image | undefined} image @returns {Relation} */
const ordered = (name, image) => ({
  ...{ group: 'order', name },
  image: (scene) => image(scene, new Random(scene.seed)),
})

/** Joints whose bodies are alike, those whose coordinate is of B relative to A, so that it changes its sign, and all that can be swapped. */
const ALIKE = ['fixed', 'ball', 'universal', 'distance', 'rope', 'spring']
const SIGNED = ['hinge', 'slider']
const SWAPPED = [...ALIKE, ...SIGNED]

/** @param {number} [x] */
const minus = (x) => (x === undefined ? undefined : -x)

/** Seen from the other body. @param {any} motor */
const reversed = ({ targetVelocity, targetPosition, ...motor }) => ({
  ...motor,
  ...(targetVelocity === undefined ? { targetPosition: minus(targetPosition) } : {}),
  ...(targetVelocity === undefined ? {} : { targetVelocity: -targetVelocity }),
})

/** @param {any} joint */
const withOtherSign = ({ limits, motor, ...joint }) => ({
  ...joint,
  ...(limits && { limits: [-limits[1], -limits[0]] }),
  ...(motor && { motor: reversed(motor) }),
})

/** Limits of a ball joint are symmetric in the scenes. @param {any} joint */
function swapped({ bodyA, bodyB, axisA, axisB, anchorA, ...joint }) {
  const other = {
    ...{ ...joint, bodyA: bodyB, bodyB: bodyA },
    ...(axisA && { axisA: axisB, axisB: axisA }),
    ...(anchorA && { anchorB: anchorA }),
  }
  return SIGNED.includes(joint.type) ? withOtherSign(other) : other
}

/** @param {any[]} joints @param {Random} random @returns {any[]} in which gears find their joints at other places */
function shuffledJoints(joints, random) {
  const places = shuffled(
    joints.map((_, i) => i).filter((i) => joints[i].jointA === undefined),
    random,
  )
  const gears = joints.filter(({ jointA }) => jointA !== undefined)
  return [
    ...places.map((i) => joints[i]),
    ...shuffled(gears, random).map((gear) => ({
      ...{ ...gear, jointA: places.indexOf(gear.jointA), jointB: places.indexOf(gear.jointB) },
    })),
  ]
}

/** What is created takes the places of what was destroyed before. @param {World} world @param {Scene} scene */
function createAgain(world, { bodies, joints }) {
  const byName = new Map(world.bodies.map((body) => [body.userData, body]))
  for (const { name } of bodies) byName.get(name)?.destroy()
  const again = new Map(
    bodies.map(({ name, ...body }) => [name, world.createBody({ ...body, userData: name })]),
  )
  const bodyOf = (/** @type {string | null} */ name) =>
    name === null ? null : (again.get(name) ?? null)
  /** @type {any[]} */
  const made = []
  for (const { bodyA, bodyB, jointA, jointB, ...joint } of joints) {
    const linked =
      jointA === undefined
        ? { bodyA: bodyOf(bodyA), bodyB: bodyOf(bodyB) }
        : { jointA: made[jointA], jointB: made[jointB] }
    made.push(world.createJoint({ ...joint, ...linked }))
  }
}

/** @type {Relation[]} */
export const order = [
  ordered('bodies in another order', (scene, random) =>
    scene.bodies.length < 2
      ? undefined
      : { scene: { ...scene, bodies: shuffled(scene.bodies, random) } },
  ),
  ordered('the ground behind the bodies', (scene) => ({
    scene: { ...scene, slabs: [] },
    more: bodiesOfSlabs(scene.slabs, scene.surface),
  })),
  ordered('shapes in another order', (scene, random) =>
    scene.bodies.some(({ shapes }) => shapes)
      ? {
          scene: {
            ...scene,
            bodies: scene.bodies.map((body) => ({
              ...body,
              ...(body.shapes && { shapes: shuffled(body.shapes, random) }),
            })),
          },
        }
      : undefined,
  ),
  ordered('joints in another order', (scene, random) =>
    scene.joints.length < 2
      ? undefined
      : { scene: { ...scene, joints: shuffledJoints(scene.joints, random) } },
  ),
  ordered('A and B of joints swapped', (scene) =>
    scene.joints.some(({ type }) => SWAPPED.includes(type))
      ? {
          scene: {
            ...scene,
            joints: scene.joints.map((joint) =>
              SWAPPED.includes(joint.type) ? swapped(joint) : joint,
            ),
          },
        }
      : undefined,
  ),
  // Potentials of bodies end with these.
  ordered('bodies that were destroyed and created again', (scene) =>
    scene.potentials.length > 0
      ? undefined
      : { scene, setup: (world) => createAgain(world, scene) },
  ),
]
