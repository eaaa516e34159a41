import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

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
