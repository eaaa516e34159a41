/**
 * Where nothing hits anything, the errors of soft-step fall with the length of steps, and never grow as steps become shorter.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { init, World } from 'moreau'

/** @typedef {import('moreau').WorldOptions} WorldOptions */

before(() => init())

/** Steps per second. */
const RATES = [60, 120, 240, 480, 960, 1920]
/** Of what is compared with theory. */
const G = 9.81

/** Runs a scene, and calls `look` eight times a second. @param {number} rate @param {number} seconds @param {(world: World) => () => number[]} setup @param {WorldOptions} [options] */
function run(rate, seconds, setup, options) {
  const world = new World({ solver: 'soft-step', ...options, allowSleep: false, warnings: false })
  const look = setup(world)
  /** @type {number[][]} */
  const seen = []
  for (let i = 1; i <= seconds * rate; i++) {
    world.step(1 / rate)
    if ((i * 8) % rate < 8) seen.push(look())
  }
  world.free()
  return seen
}

/** The greatest distance of two runs. @param {number[][]} a @param {number[][]} b */
const apart = (a, b) =>
  Math.max(...a.map((at, i) => Math.hypot(...at.map((value, k) => value - b[i][k]))))

/**
 * Errors at each rate fall as first order says, by at least `least` from one to the next, until they are below `floor`.
 * @param {number[]} errors @param {number} least @param {number} floor
 */
function assertFalling(errors, least, floor) {
  for (let i = 1; i < errors.length; i++)
    assert.ok(
      errors[i] < Math.max(errors[i - 1] / least, floor),
      `at ${RATES.slice(0, errors.length)} Hz: ${errors.map((error) => error.toExponential(2))}`,
    )
}

/** What hangs from the world by one joint or by several of them, level with it. @param {'hinge' | 'ball'} type @param {number} count @returns {(world: World) => () => number[]} */
const links = (type, count) => (world) => {
  /** @type {import('moreau').Body | null} */
  let last = null
  for (let i = 0; i < count; i++) {
    const bodyB = world.createBody({
      shape: { type: 'box', halfExtents: [0.25, 0.05, 0.05] },
      ...{ mass: 1, position: [0.5 * (i + 0.5), 0, 0], filter: { mask: 0 } },
    })
    world.createJoint({ type, bodyA: last, bodyB, anchor: [0.5 * i, 0, 0], axis: [0, 0, 1] })
    last = bodyB
  }
  return () => [.../** @type {import('moreau').Body} */ (last).position]
}

/** A top on a ball joint. @param {number} spin rad/s @returns {(world: World) => () => number[]} */
const top = (spin) => (world) => {
  const axis = [0, Math.cos(0.5), Math.sin(0.5)]
  const body = world.createBody({
    shape: { type: 'cylinder', radius: 0.2, halfHeight: 0.05 },
    ...{ mass: 2, position: [0, 0.3 * axis[1], 0.3 * axis[2]], filter: { mask: 0 } },
    orientation: [Math.sin(0.25), 0, 0, Math.cos(0.25)],
    angularVelocity: [0, spin * axis[1], spin * axis[2]],
  })
  world.createJoint({ type: 'ball', bodyA: null, bodyB: body, anchor: [0, 0, 0] })
  return () => [...body.position]
}

/** @param {(world: World) => () => number[]} setup @param {number} seconds */
function errorsOf(setup, seconds) {
  const truth = run(7680, seconds, setup, { solver: 'exact', integrator: 'implicit-midpoint' })
  return RATES.map((rate) => apart(run(rate, seconds, setup), truth))
}

describe('the shorter the steps, the smaller the errors', () => {
  for (const type of /** @type {const} */ (['hinge', 'ball']))
    for (const count of [1, 2])
      it(`${count} on a ${type}, from 90 degrees`, () => {
        assertFalling(errorsOf(links(type, count), count === 1 ? 3 : 1), 1.5, 5e-4)
      })

  for (const spin of [20, 60])
    it(`of a top that spins at ${spin} rad/s`, () => {
      assertFalling(errorsOf(top(spin), 1), 1, 1e-3)
    })

  it('of a box that slides to a stop, and of what is thrown', () => {
    const slide = RATES.map((rate) => {
      const seen = run(rate, 1.5, (world) => {
        world.createBody({ type: 'static', shape: { type: 'plane' }, friction: 0.3 })
        const box = world.createBody({
          shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          ...{ position: [0, 0.5, 0], mass: 1, friction: 0.3, linearVelocity: [3, 0, 0] },
        })
        return () => [box.position[0]]
      })
      return Math.abs(seen[seen.length - 1][0] - 9 / (2 * 0.3 * G))
    })
    assertFalling(slide, 1.3, 1e-4)
    const thrown = RATES.map((rate) => {
      const seen = run(rate, 1, (world) => {
        const ball = world.createBody({
          shape: { type: 'sphere', radius: 0.1 },
          linearVelocity: [2, 5, 0],
        })
        return () => [...ball.position]
      })
      return Math.hypot(seen[7][0] - 2, seen[7][1] - (5 - G / 2))
    })
    assertFalling(thrown, 1.9, 1e-5)
  })

  // Beyond these rates what friction takes in a substep is as small as the round-off of a float.
  it('of a ball that slides until it rolls', () => {
    const [friction, speed] = [0.2, 3]
    const rolls = (2 * speed) / (7 * friction * G)
    const truth = speed * rolls - (friction * G * rolls ** 2) / 2 + (5 / 7) * speed * (1.5 - rolls)
    const errors = RATES.slice(0, 5).map((rate) => {
      const seen = run(rate, 1.5, (world) => {
        world.createBody({ type: 'static', shape: { type: 'plane' }, friction })
        const ball = world.createBody({
          shape: { type: 'sphere', radius: 0.5 },
          ...{ position: [0, 0.5, 0], mass: 1, friction, linearVelocity: [speed, 0, 0] },
        })
        return () => [ball.position[0]]
      })
      return Math.abs(seen[seen.length - 1][0] - truth)
    })
    assertFalling(errors, 1.7, 1e-4)
  })
})
