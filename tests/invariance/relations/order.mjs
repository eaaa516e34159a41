/**
 * In what order bodies, shapes and joints are given is not felt, but for what sweeps in their order leave unsolved.
 */
import { Random } from '../../../scenarios/random.mjs'
import { bodiesOfSlabs } from '../surfaces.mjs'

/** @import { Body, World } from 'moreau' */
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

/** Seen from the other body. @param {any} motor */
const reversed = (motor) => ({ ...motor, targetVelocity: -motor.targetVelocity })

/** Coordinates are of B relative to A, so they change their sign. @param {any} joint */
const swapped = ({ bodyA, bodyB, axisA, axisB, limits, motor, ...joint }) => ({
  ...{ ...joint, bodyA: bodyB, bodyB: bodyA },
  ...(axisA && { axisA: axisB, axisB: axisA }),
  ...(limits && { limits: [-limits[1], -limits[0]] }),
  ...(motor && { motor: reversed(motor) }),
})

/** What is created takes the places of what was destroyed before. @param {World} world @param {Scene} scene */
function createAgain(world, { bodies, joints }) {
  const byName = new Map(world.bodies.map((body) => [body.userData, body]))
  for (const { name } of bodies) byName.get(name)?.destroy()
  /** @type {Map<string, Body>} */
  const again = new Map()
  for (const { name, ...body } of bodies)
    again.set(name, world.createBody({ ...body, userData: name }))
  const bodyOf = (/** @type {string | null} */ name) =>
    name === null ? null : (again.get(name) ?? null)
  for (const { bodyA, bodyB, ...joint } of joints)
    world.createJoint({ ...joint, bodyA: bodyOf(bodyA), bodyB: bodyOf(bodyB) })
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
      : { scene: { ...scene, joints: shuffled(scene.joints, random) } },
  ),
  ordered('A and B of joints swapped', (scene) =>
    scene.joints.length === 0
      ? undefined
      : { scene: { ...scene, joints: scene.joints.map(swapped) } },
  ),
  ordered('bodies that were destroyed and created again', (scene) => ({
    scene,
    setup: (world) => createAgain(world, scene),
  })),
]
