// Damping of bodies in soft-step: dv/dt = a - c v is one law with forces and impulses. What rests carries its weight, what falls comes
// to g / c, what swings decays by exp(-c t / 2), and what is stopped is not thrown back by the damping of the speed that it had.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { init, World } from 'moreau'
import { length } from '../../scenarios/vector.mjs'

/** @typedef {Partial<import('moreau').BodyDefinition>} BodyOptions */
/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */

const G = 9.81
const DT = 1 / 60

before(() => init())

/** @param {number} [substeps] */
const emptyWorld = (substeps = 4) =>
  World.create({ solver: 'soft-step', allowSleep: false, substeps })

/**
 * @param {World} world
 * @param {number} seconds
 */
function run(world, seconds) {
  for (let i = 0; i < Math.round(seconds / DT); i++) world.step(DT)
}

/** @param {World} world */
const floor = (world) =>
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [10, 0.5, 10] },
    position: [0, -0.5, 0],
  })

/**
 * @param {number} actual
 * @param {number} expected
 * @param {number} part of `expected`
 */
const near = (actual, expected, part) =>
  assert.ok(Math.abs(actual - expected) <= part * Math.abs(expected), `${actual}, not ${expected}`)

describe('what is damped and rests', () => {
  for (const coefficient of [0.1, 1, 10, 1000]) {
    it(`carries its weight on a floor, at ${coefficient} /s`, async () => {
      const world = await emptyWorld()
      floor(world)
      const box = world.createBody({
        shape: { type: 'box', halfExtents: [0.5, 0.3, 0.4] },
        mass: 3,
        position: [0, 0.3, 0],
        linearDamping: coefficient,
        angularDamping: coefficient,
      })
      run(world, 3)
      const points = box.contacts().flatMap((contact) => contact.points)
      const force = points.reduce((sum, { normalImpulse }) => sum + normalImpulse / DT, 0)
      near(force, 3 * G, 1e-5)
      assert.ok(world.residual().worst < 1e-6, `${world.residual().worst} m/s`)
      world.free()
    })

    for (const type of /** @type {const} */ (['ball', 'hinge', 'fixed'])) {
      it(`hangs with its weight on a ${type} joint, at ${coefficient} /s`, async () => {
        const world = await emptyWorld()
        const rod = world.createBody({
          shape: { type: 'box', halfExtents: [0.1, 0.5, 0.1] },
          mass: 3,
          position: [0, -0.5, 0],
          linearDamping: coefficient,
          angularDamping: coefficient,
        })
        const joint = world.createJoint({
          ...{ type, bodyA: null, bodyB: rod, anchor: [0, 0, 0] },
          ...(type === 'hinge' ? { axis: [0, 0, 1] } : {}),
        })
        run(world, 3)
        near(length(/** @type {Vector} */ (joint.force())), 3 * G, 1e-4)
        world.free()
      })
    }
  }
})

describe('what is damped and moves', () => {
  for (const coefficient of [0.5, 5, 50]) {
    it(`falls to g / c, free and on a slider alike, at ${coefficient} /s`, async () => {
      const world = await emptyWorld()
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.1, 0.1, 0.1] })
      const [free, guided] = [0, 5].map((x) =>
        world.createBody({ shape, position: [x, 0, 0], linearDamping: coefficient }),
      )
      const anchor = /** @type {Vector} */ ([5, 0, 0])
      world.createJoint({ type: 'slider', bodyA: null, bodyB: guided, anchor, axis: [0, 1, 0] })
      run(world, 0.5)
      const speed = (G / coefficient) * (1 - Math.exp(-coefficient / 2))
      near(-free.linearVelocity[1], speed, 1e-3)
      near(guided.linearVelocity[1], free.linearVelocity[1], 1e-5)
      near(guided.position[1], free.position[1], 1e-5)
      run(world, 30 / coefficient)
      near(-free.linearVelocity[1], G / coefficient, 1e-6)
      near(-guided.linearVelocity[1], G / coefficient, 1e-4) // its velocity is a float in substeps
      world.free()
    })
  }

  /**
   * @param {number} coefficient
   * @param {number} substeps
   * @returns {Promise<number>} the swing of a rod after 5 s, in parts of what the theory says
   */
  async function decay(coefficient, substeps) {
    const world = await emptyWorld(substeps)
    const [angle, half] = [0.05, 0.5]
    const rod = world.createBody({
      shape: { type: 'box', halfExtents: [0.05, half, 0.05] },
      mass: 1,
      position: [half * Math.sin(angle), -half * Math.cos(angle), 0],
      orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      linearDamping: coefficient,
      angularDamping: coefficient,
    })
    world.createJoint({
      type: 'hinge',
      bodyA: null,
      bodyB: rod,
      anchor: [0, 0, 0],
      axis: [0, 0, 1],
    })
    const moment = ((2 * half) ** 2 + 0.1 ** 2) / 12 + half ** 2
    const period = 2 * Math.PI * Math.sqrt(moment / (G * half))
    const steps = Math.round(5 / DT)
    let [sum, count] = [0, 0]
    for (let i = 1; i <= steps; i++) {
      world.step(DT)
      const turn = Math.atan2(rod.position[0], -rod.position[1])
      const swing = Math.hypot(turn, Math.sqrt(moment / (G * half)) * rod.angularVelocity[2])
      if (i * DT <= 5 - period) continue
      sum += Math.log(swing / angle) + (coefficient * i * DT) / 2
      count++
    }
    world.free()
    return Math.exp(sum / count)
  }

  it('swings that decay by exp(-c t / 2)', async () => {
    near(await decay(0.2, 4), 1, 1e-3)
    near(await decay(1, 4), 1, 1e-2)
  })

  it('what is stopped within a step is not thrown back', async () => {
    for (const coefficient of [1, 10]) {
      const world = await emptyWorld()
      floor(world)
      const box = world.createBody({
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
        position: [0, 1.51, 0],
        linearVelocity: [0, -60, 0],
        linearDamping: coefficient,
      })
      let highest = -Infinity
      for (let i = 0; i < 30; i++) {
        world.step(DT)
        highest = Math.max(highest, box.linearVelocity[1])
      }
      assert.ok(highest < 0.01, `${highest} m/s at ${coefficient} /s`)
      world.free()
    }
  })
})
