import { defineScene } from './scene.mjs'
import { add, cosineOf, distance, rotate, sineOf, subtract } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */

// Up is z, as for robots.

/** m: where the hinges are with all angles 0, and their axes. */
const HINGES = /** @type {const} */ ([
  { anchor: [0, 0, 0.1], axis: [0, 0, 1] },
  { anchor: [0, 0, 0.3], axis: [0, 1, 0] },
  { anchor: [0.5, 0, 0.3], axis: [0, 1, 0] },
  { anchor: [0.7, 0, 0.3], axis: [1, 0, 0] },
  { anchor: [0.95, 0, 0.3], axis: [0, 1, 0] },
  { anchor: [1.05, 0, 0.3], axis: [1, 0, 0] },
])
/** @type {Vector} */
const TIP = [1.15, 0, 0.3]
const MASSES = [6, 4, 2, 2, 1, 0.5]

/**
 * Turns a point about an axis of the world through an anchor.
 * @param {readonly number[]} point
 * @param {{ anchor: readonly number[], axis: readonly number[] }} hinge
 * @param {number} angle
 */
function turned(point, { anchor, axis: [x, y, z] }, angle) {
  const p = point.map((value, i) => value - anchor[i])
  const [sine, cosine] = [sineOf(angle), cosineOf(angle)]
  const along = (p[0] * x + p[1] * y + p[2] * z) * (1 - cosine)
  const across = [y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]]
  return [x, y, z].map((e, i) => anchor[i] + cosine * p[i] + sine * across[i] + along * e)
}

/** @param {readonly number[]} angles */
const tipAt = (angles) =>
  HINGES.reduceRight(
    (point, hinge, i) => turned(point, hinge, angles[i]),
    /** @type {readonly number[]} */ (TIP),
  )

/**
 * Angles near to others that bring the tip to a point: Gauss-Newton, shortest step.
 * @param {readonly number[]} target
 * @param {readonly number[]} from
 */
function anglesFor(target, from) {
  let angles = [...from]
  for (let round = 0; round < 20; round++) {
    const tip = tipAt(angles)
    const columns = angles.map((_, i) => {
      const ahead = tipAt(angles.map((angle, k) => (k === i ? angle + 1e-6 : angle)))
      return ahead.map((value, axis) => (value - tip[axis]) / 1e-6)
    })
    const error = target.map((value, axis) => value - tip[axis])
    const square = [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => columns.reduce((sum, c) => sum + c[i] * c[j], i === j ? 1e-9 : 0)),
    )
    const push = solve3(square, error)
    angles = angles.map((angle, i) => angle + columns[i].reduce((s, c, k) => s + c * push[k], 0))
  }
  return angles
}

/**
 * Cramer's rule.
 * @param {number[][]} rows of a symmetric matrix
 * @param {number[]} right
 */
function solve3(rows, right) {
  const [a, b, c] = rows
  const cross = (/** @type {number[]} */ u, /** @type {number[]} */ v) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ]
  const dot = (/** @type {number[]} */ u, /** @type {number[]} */ v) =>
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
  const whole = dot(a, cross(b, c))
  return [dot(right, cross(b, c)), dot(a, cross(right, c)), dot(a, cross(b, right))].map(
    (part) => part / whole,
  )
}

/** @param {number} time s */
const circle = (time) =>
  /** @type {Vector} */ ([0.7, 0.25 * sineOf(2 * time), 0.5 + 0.25 * cosineOf(2 * time)])

/** s in which it goes to the circle */
const APPROACH = 1

export default defineScene({
  name: 'arm',
  title: 'An arm of six motors',
  description:
    'Six hinges with motors that follow the angles of inverse kinematics: the tip goes round a circle of 0.25 m, and no hinge opens.',
  options: { gravity: [0, 0, -9.81] },
  solvers: ['exact'],
  timeStep: 1 / 200,
  duration: 4.5,
  camera: { position: [2.2, -1.6, 1.4], target: [0.5, 0, 0.4] },
  setup(world) {
    /** @type {(Body | null)[]} */
    const bodies = [null]
    const joints = HINGES.map(({ anchor, axis }, i) => {
      const end = HINGES[i + 1]?.anchor ?? TIP
      const position = /** @type {Vector} */ (end.map((value, k) => (value + anchor[k]) / 2))
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.08, 0.04, 0.04] })
      const bodyB = world.createBody({ shape, position, mass: MASSES[i], filter: { mask: 0 } })
      bodies.push(bodyB)
      return world.createJoint({
        ...{ type: 'hinge', bodyA: bodies[i], bodyB, anchor, axis },
        motor: { targetPosition: 0, maxForce: 500 },
      })
    })
    const hand = /** @type {Body} */ (bodies[6])
    return {
      ...{ joints, hand, tip: subtract(TIP, hand.position) },
      start: anglesFor(circle(0), [0.1, -0.6, 1.2, 0.1, 0.2, 0.1]),
      ...{ steps: 0, angles: HINGES.map(() => 0) },
    }
  },
  beforeStep(world, things, dt) {
    const time = ++things.steps * dt
    const before = things.angles
    const part = (1 - cosineOf((Math.PI * time) / APPROACH)) / 2
    things.angles =
      time <= APPROACH
        ? things.start.map((angle) => part * angle)
        : anglesFor(circle(time - APPROACH), before)
    things.joints.forEach((joint, i) => {
      const targetPosition = things.angles[i]
      const targetVelocity = (targetPosition - before[i]) / dt
      joint.motor = { targetPosition, targetVelocity, maxForce: 500 }
    })
  },
  checks: [
    {
      name: 'hinges-stay-closed',
      description: 'Errors of the anchors and axes of all hinges',
      unit: 'm, rad',
      tolerance: 1e-8,
      error: ({ things }) =>
        Math.max(...things.joints.flatMap((joint) => joint.violation().slice(0, 5).map(Math.abs))),
    },
    {
      name: 'motors-follow',
      description: 'Each hinge has the angle that its motor was given',
      unit: 'rad',
      tolerance: 1e-3,
      error: ({ things }) =>
        Math.max(...things.joints.map(({ angle }, i) => Math.abs(angle - things.angles[i]))),
    },
    {
      name: 'tip-on-the-circle',
      description: 'The tip is where the circle is',
      unit: 'm',
      tolerance: 1e-3,
      from: APPROACH + 0.01,
      error({ things: { hand, tip }, time }) {
        const at = add(hand.position, rotate(hand.orientation, tip))
        return distance(at, circle(time - APPROACH))
      },
    },
    {
      name: 'motors-are-strong-enough',
      description: 'No motor is at its limit of 500 N m',
      unit: 'N m',
      tolerance: 499,
      error: ({ things }) =>
        Math.max(...things.joints.map((joint) => Math.abs(joint.driveForces().motor))),
    },
  ],
})
