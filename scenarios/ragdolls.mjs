import { addFloor } from './parts.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'
import { add, length, rotate } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./vector.mjs').Quaternion} Quaternion */
/** @typedef {ReturnType<World['createJoint']>} Joint */

const COUNT = 12

/** @param {number} radius @param {number} halfHeight */
const limb = (radius, halfHeight) => /** @type {const} */ ({ type: 'capsule', radius, halfHeight })

/** Shapes of the parts; an upright figure of 1.7 m, arms hanging. @satisfies {Record<string, any>} */
const SHAPES = {
  torso: /** @type {const} */ ({ type: 'box', halfExtents: [0.18, 0.28, 0.11] }),
  head: /** @type {const} */ ({ type: 'sphere', radius: 0.11 }),
  upperArm: limb(0.05, 0.09),
  lowerArm: limb(0.04, 0.09),
  thigh: limb(0.075, 0.13),
  shin: limb(0.055, 0.14),
}

/**
 * The parts in the order in which they are made: what hangs on what, where, and how it may turn. Places are relative to
 * the middle of the torso; anchors to the part.
 *
 * @type {{ shape: keyof typeof SHAPES, place: Vector, on: number, anchor: Vector, limits?: [number, number] }[]}
 */
const PARTS = [
  { shape: 'torso', place: [0, 0, 0], on: -1, anchor: [0, 0, 0] },
  { shape: 'head', place: [0, 0.42, 0], on: 0, anchor: [0, -0.12, 0] },
  { shape: 'upperArm', place: [0.25, 0.11, 0], on: 0, anchor: [0, 0.14, 0] },
  { shape: 'upperArm', place: [-0.25, 0.11, 0], on: 0, anchor: [0, 0.14, 0] },
  { shape: 'lowerArm', place: [0.25, -0.16, 0], on: 2, anchor: [0, 0.13, 0], limits: [-2.4, 0] },
  { shape: 'lowerArm', place: [-0.25, -0.16, 0], on: 3, anchor: [0, 0.13, 0], limits: [-2.4, 0] },
  { shape: 'thigh', place: [0.1, -0.5, 0], on: 0, anchor: [0, 0.21, 0] },
  { shape: 'thigh', place: [-0.1, -0.5, 0], on: 0, anchor: [0, 0.21, 0] },
  { shape: 'shin', place: [0.1, -0.9, 0], on: 6, anchor: [0, 0.2, 0], limits: [0, 2.4] },
  { shape: 'shin', place: [-0.1, -0.9, 0], on: 7, anchor: [0, 0.2, 0], limits: [0, 2.4] },
]

/**
 * @param {World} world
 * @param {Vector} place of the middle of the torso
 * @param {Quaternion} orientation
 * @returns {{ bodies: Body[], joints: Joint[], knees: { joint: Joint, limits: [number, number] }[] }}
 */
function addRagdoll(world, place, orientation) {
  /** @type {Body[]} */
  const bodies = []
  /** @type {Joint[]} */
  const joints = []
  /** @type {{ joint: Joint, limits: [number, number] }[]} */
  const knees = []
  for (const part of PARTS) {
    const body = world.createBody({
      shape: SHAPES[part.shape],
      position: add(place, rotate(orientation, part.place)),
      orientation,
      friction: 0.6,
      // Of the joints and the flesh.
      angularDamping: 1,
    })
    bodies.push(body)
    if (part.on < 0) continue
    const from = PARTS[part.on].place
    const placed = {
      ...{ bodyA: bodies[part.on], bodyB: body, anchorB: part.anchor },
      anchorA: add(part.place, add(part.anchor, [-from[0], -from[1], -from[2]])),
    }
    const { limits } = part
    const joint = limits
      ? world.createJoint({ type: 'hinge', ...placed, axisA: [1, 0, 0], axisB: [1, 0, 0], limits })
      : world.createJoint({ type: 'ball', ...placed })
    joints.push(joint)
    if (limits) knees.push({ joint, limits })
  }
  return { bodies, joints, knees }
}

export default defineScene({
  name: 'ragdolls',
  title: 'Ragdolls',
  description: `${COUNT} figures of ten parts, held together by ball joints and by hinges with limits, fall on each other and come to rest. They stay in one piece, and no knee bends the wrong way.`,
  solvers: ['soft-step', 'block-pgs'],
  duration: 17,
  camera: { position: [4, 3.5, 6], target: [0, 0.6, 0] },
  setup(world) {
    const random = new Random(5)
    const floor = addFloor(world, { halfWidth: 20, friction: 0.6 })
    const ragdolls = Array.from({ length: COUNT }, (_, i) =>
      addRagdoll(
        world,
        [1.2 * ((i % 4) - 1.5), 1.8 + 1.1 * Math.floor(i / 4), 0.4 * ((i % 3) - 1)],
        random.orientation(),
      ),
    )
    return { floor, ragdolls }
  },
  checks: [
    {
      name: 'stay-in-one-piece',
      description:
        'Largest gap of a joint, also where they hit the floor with 8 m/s, which are 13 cm per step',
      unit: 'm',
      tolerance: 0.1,
      softTolerance: 0.15,
      error: ({ things }) =>
        Math.max(
          ...things.ragdolls.flatMap(({ joints }) =>
            joints.map((joint) => length(joint.violation().slice(0, 3))),
          ),
        ),
    },
    {
      name: 'closed-at-rest',
      description: 'Largest gap of a joint once they lie',
      unit: 'm',
      tolerance: 0.001,
      from: 9,
      error: ({ things }) =>
        Math.max(
          ...things.ragdolls.flatMap(({ joints }) =>
            joints.map((joint) => length(joint.violation().slice(0, 3))),
          ),
        ),
    },
    {
      name: 'knees-bend-one-way',
      description: 'Angle by which an elbow or a knee is beyond its limits',
      unit: 'rad',
      // When they land; the limits are springs of 80 Hz.
      tolerance: 0.25,
      softTolerance: 0.4,
      error: ({ things }) =>
        Math.max(
          ...things.ragdolls.flatMap(({ knees }) =>
            knees.map(({ joint, limits: [lower, upper] }) => {
              const angle = joint.coordinate ?? NaN
              return Math.max(lower - angle, angle - upper, 0)
            }),
          ),
        ),
    },
    {
      name: 'stays-above-the-floor',
      description: 'No part has its centre below the floor',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) =>
        Math.max(
          ...things.ragdolls.flatMap(({ bodies }) => bodies.map(({ position }) => -position[1])),
        ),
    },
    {
      name: 'comes-to-rest',
      description: 'At the end nothing moves but what swings out',
      unit: 'm/s',
      tolerance: 0.1,
      from: 17,
      error: ({ things }) =>
        Math.max(...things.ragdolls.flatMap(({ bodies }) => bodies.map(({ speed }) => speed))),
    },
  ],
})
