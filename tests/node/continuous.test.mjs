import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { alongX } from './shapes-support.mjs'

const dt = 1 / 60

before(() => init())

describe('a 0.1 m ball at 500 m/s', () => {
  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
    /**
     * Where it is after half a second.
     * @param {'static' | 'dynamic'} type of a wall of 0.02 m
     * @param {boolean} bullet
     */
    const throwAt = (type, bullet) => {
      const world = new World({ solver, gravity: [0, 0, 0] })
      world.createBody({ type, shape: { type: 'box', halfExtents: [0.01, 2, 2] }, density: 1e5 })
      const ball = world.createBody({
        shape: { type: 'sphere', radius: 0.05 },
        ...{ position: [-5.3, 0.2, 0.1], linearVelocity: [500, 0, 0], bullet },
      })
      for (let i = 0; i < 30; i++) world.step(dt)
      return ball.position[0]
    }

    test(`${solver}: does not pass a static wall of 0.02 m`, () => {
      assert.ok(throwAt('static', false) < 0)
    })

    // soft-step looks for contacts along the paths of all bodies, the others only of bullets.
    test(`${solver}: nor one that can move, if it is a bullet`, () => {
      assert.ok(throwAt('dynamic', true) < 0.5)
      assert.equal(throwAt('dynamic', false) > 100, solver !== 'soft-step')
    })
  }
})

describe('a velocity that is set between two steps', () => {
  // The box of the broad phase holds the path of the velocity that the body had.
  for (const give of [
    /** @param {import('moreau').Body} ball */ (ball) => (ball.linearVelocity = [0, 0, 90]),
    /** @param {import('moreau').Body} ball */ (ball) => ball.applyImpulse([-60, 0, 90]),
  ]) {
    test(`is looked along in the very next step: ${give}`, () => {
      const world = new World({ gravity: [0, 0, 0] })
      const wall = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [2, 2, 0.01] }, mass: 100, position: [1, 0, 0.8] },
      })
      const ball = world.createBody({
        shape: { type: 'sphere', radius: 0.05 },
        ...{ mass: 1, position: [-4, 0, 0], linearVelocity: [60, 0, 0] },
      })
      for (let i = 0; i < 5; i++) world.step(dt)
      give(ball)
      for (let i = 0; i < 5; i++) world.step(dt)
      assert.ok(ball.position[2] < wall.position[2])
      world.free()
    })
  }
})

describe('a small rod that rests under 100 g, where each step falls further than its size', () => {
  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
    for (const type of /** @type {const} */ (['capsule', 'cylinder'])) {
      test(`${solver}: a ${type} that contacts have stopped is not thrown up where its way is cut`, () => {
        const world = new World({ solver, gravity: [0, 0, -981], allowSleep: false })
        world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
        const body = world.createBody({
          shape: /** @type {import('moreau').ShapeDefinition} */ ({
            ...{ type, radius: 0.005, halfHeight: 0.01 },
          }),
          ...{ friction: 0.5, position: [0, 0, 0.005], orientation: alongX },
        })
        for (let i = 0; i < 120; i++) {
          world.step(dt)
          assert.ok(body.position[2] < 0.0051, `step ${i}: ${body.position[2]} m`)
        }
        world.free()
      })
    }
  }
})
