/**
 * Angles of joints count turns at any speed, and motors arrive over any number of them.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

before(() => init())

const SOLVERS = /** @type {const} */ (['soft-step', 'exact', 'block-pgs'])

/** A disc on a hinge. @param {typeof SOLVERS[number]} solver @param {any} [options] of the joint @param {number} [speed] rad/s */
function discOn(solver, options = {}, speed = 0) {
  const world = new World({ solver, gravity: [0, 0, 0], warnings: false })
  const disc = world.createBody({
    ...{ shape: { type: 'cylinder', radius: 0.15, halfHeight: 0.02 }, mass: 1 },
    ...{ position: [0, 0, 0], angularVelocity: [0, speed, 0] },
  })
  const joint = world.createJoint({
    ...{ type: 'hinge', bodyA: null, bodyB: disc, anchor: [0, 0, 0], axis: [0, 1, 0] },
    ...options,
  })
  return { world, joint: /** @type {any} */ (joint) }
}

describe('a motor arrives from any distance', () => {
  for (const solver of SOLVERS)
    test(`over up to 32 turns, with ${solver}`, () => {
      for (const targetPosition of [Math.PI, 1, -4, 7, 60, -200])
        for (const maxForce of [10, 1000, 1e9, Infinity]) {
          const { world, joint } = discOn(solver, { motor: { targetPosition, maxForce } })
          for (let i = 0; i < 1200; i++) world.step(1 / 60)
          const words = `to ${targetPosition} with ${maxForce}: at ${joint.angle}, ${joint.speed}`
          assert.ok(Math.abs(joint.angle - targetPosition) < 1e-3, words)
          assert.ok(Math.abs(joint.speed) < 1e-3, words)
          world.free()
        }
    })
})

describe('the angle of a free hinge counts its turns', () => {
  for (const solver of SOLVERS)
    for (const [speed, hertz] of [
      [200, 60],
      [-340, 60],
      [300, 30],
      [90, 25],
    ])
      test(`at ${speed} rad/s and ${hertz} Hz, with ${solver}`, () => {
        const { world, joint } = discOn(solver, {}, speed)
        for (let i = 0; i < hertz; i++) world.step(1 / hertz)
        // The flow of a joint in the row solvers turns a body by 2 % less where it turns by more than 3 rad in a step.
        const most = solver === 'soft-step' ? 1e-3 : 0.025 * Math.abs(speed)
        assert.ok(Math.abs(joint.angle - speed) < most, `${joint.angle}, right is ${speed}`)
        const [, y, , w] = joint.bodyB.orientation
        const twist = 2 * Math.atan2(y, w) - joint.angle
        assert.ok(Math.abs(Math.sin(twist / 2)) < 1e-6, `${joint.angle} is not where the disc is`)
        world.free()
      })
})
