/**
 * Other bodies, joints and potentials that the bodies of a scene do not meet.
 */

/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Image, Relation } from './index.mjs' */

/** m: where nothing of a scene comes to */
const AWAY = 400
/** s: nothing falls asleep within a scene */
const NEVER = 1000

/** @param {string} name @param {Relation['image']} image */
const beside = (name, image) => ({ name, image })

/** Others, whose names no body of the scene has. @param {any[]} others @param {(i: number) => string} [nameOf] */
const named = (others, nameOf = (i) => `other ${i}`) =>
  others.map((body, i) => ({ name: nameOf(i), ...body }))

/** @param {any[]} others @returns {Relation['image']} */
const withBodies = (others) => (scene) => ({ scene, more: named(others) })

const ball = { type: 'sphere', radius: 0.3 }
const cube = { type: 'box', halfExtents: [0.3, 0.3, 0.3] }
/** @param {number} [x] m @returns {any} a floor far away, whose surface is at 0 */
const slabAt = (x = AWAY) => ({
  ...{ type: 'static', shape: { type: 'box', halfExtents: [2, 0.5, 2] } },
  position: [x, -0.5, 0],
})
const stack = [0, 1, 2].map((i) => ({ shape: cube, position: [AWAY, 0.3 + 0.6 * i, 0] }))
/** Three that spin about each other and fall. */
const strung = [0, 1, 2].map((i) => ({
  ...{ shape: cube, position: [AWAY + 0.8 * i, 5, 0] },
  ...{ linearVelocity: [0, 0, 6 * i], angularVelocity: [0, -9, 3] },
}))

/** A joint of two of the others. @param {number} i @param {any} joint */
const linked = (i, joint) => ({ bodyA: `other ${i}`, bodyB: `other ${i + 1}`, ...joint })

/** Bodies of the middle of a scene that are switched off, and joints to them. @type {Relation['image']} */
const disabled = (scene) => {
  const { name, position } = scene.bodies[0]
  const other = { isEnabled: false, shape: { type: 'box', halfExtents: [1, 1, 1] }, position }
  return {
    scene,
    more: named([other, { ...other, type: 'static' }]),
    moreJoints: [{ type: 'ball', bodyA: name, bodyB: 'other 0', anchor: position }],
  }
}

/** Bodies that sleep, in a world in which nothing falls asleep by itself. @type {Relation['image']} */
const asleep = (scene) => ({
  scene: { ...scene, settings: { ...scene.settings, allowSleep: true, timeToSleep: NEVER } },
  more: named([slabAt(), ...stack.map((body) => ({ ...body, asleep: true }))]),
})

/** Fields of others alone. @type {Relation['image']} */
const fields = (scene) => ({
  scene: {
    ...scene,
    potentials: [
      { type: 'gravity', gravity: [3, 0, 0], bodies: ['other 0'] },
      ...scene.potentials,
      { type: 'drag', linear: 30, bodies: ['other 1'] },
    ],
  },
  more: named([0, 1].map((i) => ({ shape: ball, position: [AWAY + 3 * i, 4, 0] }))),
})

/** @type {Omit<Relation, 'group'>[]} */
export const others = [
  beside(
    'bodies far away',
    withBodies(
      [0, 1, 2].map((i) => ({
        ...{ shape: ball, position: [AWAY + i, 3, 0] },
        linearVelocity: [i, 0, 0],
      })),
    ),
  ),
  beside('a stack far away', withBodies([slabAt(), ...stack])),
  beside(
    'a sliding heap far away',
    withBodies([
      slabAt(),
      ...stack.map((body, i) => ({
        ...{ ...body, restitution: 0.5, linearVelocity: [1, 0, 0.3 * i] },
        angularVelocity: [0, 2, 0],
      })),
    ]),
  ),
  beside(
    'balls that roll far away',
    withBodies([
      slabAt(),
      ...[-1, 0, 1].map((i) => ({
        ...{ shape: ball, position: [AWAY + i, 0.3, 0], linearVelocity: [0, 0, i] },
        ...{ rollingFriction: 0.02, frictionCombine: 'maximum' },
      })),
    ]),
  ),
  beside(
    'a carrier far away',
    withBodies([
      {
        ...{ type: 'kinematic', shape: { type: 'box', halfExtents: [2, 0.5, 2] } },
        ...{ position: [AWAY, -0.5, 0], linearVelocity: [0.5, 0, 0] },
      },
      ...stack,
    ]),
  ),
  beside(
    'a fast body far away',
    withBodies([
      { shape: ball, position: [AWAY, 50, 0], linearVelocity: [0, 0, 90], bullet: true },
    ]),
  ),
  beside('joints far away', (scene) => ({
    scene,
    more: named(strung),
    moreJoints: [linked(0, { type: 'ball' }), linked(1, { type: 'hinge', axis: [0, 0, 1] })].map(
      (joint, i) => ({ ...joint, anchor: [AWAY + 0.4 + 0.8 * i, 5, 0] }),
    ),
  })),
  beside('a motor far away', (scene) => ({
    scene,
    more: named(strung.slice(0, 2)),
    moreJoints: [
      { type: 'hinge', bodyA: null, bodyB: 'other 0' },
      linked(0, { type: 'slider' }),
    ].map((joint) => ({
      ...{ ...joint, anchor: [AWAY, 5, 0], axis: [1, 0, 0] },
      motor: { targetVelocity: 2, maxForce: 500 },
    })),
  })),
  beside('bodies that sleep far away', asleep),
  beside('bodies that are disabled', disabled),
  beside('fields of others', fields),
  beside(
    'a sensor around all',
    withBodies([
      {
        ...{ type: 'static', position: [0, 0, 0] },
        shape: { type: 'box', halfExtents: [30, 30, 30], sensor: true },
      },
    ]),
  ),
  beside(
    'what touches nothing',
    withBodies([
      { shape: cube, position: [0, 0.5, 0], linearVelocity: [1, 0, 0], filter: { mask: 0 } },
    ]),
  ),
]
