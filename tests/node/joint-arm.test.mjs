// An arm of six hinges with motors whose tip tracks a circle.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'

/** @import { Joint, Vector } from 'moreau' */

const DT = 0.005
/** m: where the hinges are with all angles 0, and their axes. */
const HINGES = /** @type {const} */ ([
  { anchor: [0, 0, 0.1], axis: [0, 0, 1] },
  { anchor: [0, 0, 0.3], axis: [0, 1, 0] },
  { anchor: [0.5, 0, 0.3], axis: [0, 1, 0] },
  { anchor: [0.7, 0, 0.3], axis: [1, 0, 0] },
  { anchor: [0.95, 0, 0.3], axis: [0, 1, 0] },
  { anchor: [1.05, 0, 0.3], axis: [1, 0, 0] },
])
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
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const along = (p[0] * x + p[1] * y + p[2] * z) * (1 - cosine)
  const across = [y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]]
  return [x, y, z].map((e, i) => anchor[i] + cosine * p[i] + sine * across[i] + along * e)
}

/** @param {readonly number[]} angles */
const tipAt = (angles) =>
  HINGES.reduceRight((point, hinge, i) => turned(point, hinge, angles[i]), TIP)

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
 * @param {number[][]} m symmetric
 * @param {number[]} b
 */
function solve3([a, b, c], right) {
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
const circle = (time) => [0.7, 0.25 * Math.sin(2 * time), 0.5 + 0.25 * Math.cos(2 * time)]

describe('an arm of six hinges with motors', () => {
  test('tracks a circle, and its hinges stay closed to 1e-8', async () => {
    const world = await World.create({ gravity: [0, 0, -9.81], solver: 'exact' })
    /** @type {Joint[]} */
    const hinges = []
    const bodies = HINGES.map(({ anchor, axis }, i) => {
      const end = HINGES[i + 1]?.anchor ?? TIP
      const position = /** @type {Vector} */ (end.map((value, k) => (value + anchor[k]) / 2))
      const body = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [0.08, 0.04, 0.04] }, position, mass: MASSES[i] },
        filter: { mask: 0 },
      })
      return { body, anchor, axis }
    })
    bodies.forEach(({ body, anchor, axis }, i) => {
      const bodyA = bodies[i - 1]?.body ?? null
      const motor = { targetPosition: 0, maxForce: 500 }
      hinges.push(world.createJoint({ type: 'hinge', bodyA, bodyB: body, anchor, axis, motor }))
    })
    const last = bodies[5].body
    const local = TIP.map((value, i) => value - last.position[i])
    const start = anglesFor(circle(0), [0.1, -0.6, 1.2, 0.1, 0.2, 0.1])
    let targets = HINGES.map(() => 0)
    let [worstJoint, worstAngle, worstTip] = [0, 0, 0]
    for (let step = 1; step <= 900; step++) {
      const time = step * DT
      const before = targets
      if (time <= 1) {
        const part = (1 - Math.cos(Math.PI * time)) / 2
        targets = start.map((angle) => part * angle)
      } else {
        targets = anglesFor(circle(time - 1), targets)
      }
      hinges.forEach((hinge, i) => {
        const targetVelocity = (targets[i] - before[i]) / DT
        hinge.motor = { targetPosition: targets[i], targetVelocity, maxForce: 500 }
      })
      world.step(DT)
      for (const [i, hinge] of hinges.entries()) {
        const rows = hinge.violation().slice(0, 5)
        worstJoint = Math.max(worstJoint, ...rows.map(Math.abs))
        worstAngle = Math.max(worstAngle, Math.abs(hinge.angle - targets[i]))
        assert.ok(Math.abs(hinge.driveForces().motor) < 499, `motor ${i} is strong enough`)
      }
      if (time > 1) {
        const [x, y, z, w] = last.orientation
        const q = [x, y, z]
        const across = [
          q[1] * local[2] - q[2] * local[1] + w * local[0],
          q[2] * local[0] - q[0] * local[2] + w * local[1],
          q[0] * local[1] - q[1] * local[0] + w * local[2],
        ]
        const tip = [
          last.position[0] + local[0] + 2 * (q[1] * across[2] - q[2] * across[1]),
          last.position[1] + local[1] + 2 * (q[2] * across[0] - q[0] * across[2]),
          last.position[2] + local[2] + 2 * (q[0] * across[1] - q[1] * across[0]),
        ]
        const goal = circle(time - 1)
        worstTip = Math.max(worstTip, Math.hypot(...tip.map((value, i) => value - goal[i])))
      }
    }
    assert.ok(worstJoint < 1e-8, `joints open by ${worstJoint}`)
    assert.ok(worstAngle < 1e-3, `angles off by ${worstAngle} rad`)
    assert.ok(worstTip < 1e-3, `tip off by ${worstTip} m`)
    world.free()
  })
})
