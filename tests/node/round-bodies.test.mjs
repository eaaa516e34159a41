import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { alongX, floor, onItsHead, standing, turned, X, Y, Z } from './shapes-support.mjs'
import { near } from './support.mjs'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */
/** @typedef {import('moreau').SolverName} SolverName */
/** @typedef {[number, number, number]} Vector */
/** @typedef {[number, number, number, number]} Quaternion */

before(() => init())

/** @type {readonly SolverName[]} */
const SOLVERS = ['soft-step', 'block-pgs', 'exact']

/**
 * A world with the floor z = 0.
 *
 * @param {SolverName} solver
 * @param {import('moreau').WorldOptions} [options]
 */
function floored(solver, options = {}) {
  const world = new World({ gravity: [0, 0, -9.81], solver, ...options })
  world.createBody({ type: 'static', shape: floor })
  return world
}

/** @param {World} world @param {number} seconds */
function run(world, seconds) {
  for (let step = 0; step < Math.round(seconds * 60); step++) world.step(1 / 60)
}

/** The axis y of a body in the world. @param {{ orientation: ArrayLike<number> }} body */
function axisOf({ orientation: q }) {
  const [x, y, z, w] = Array.from(q)
  return [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
}

for (const solver of SOLVERS) {
  describe(`round bodies (${solver})`, () => {
    test('ten cylinders stand upon each other and sleep', () => {
      const world = floored(solver)
      const shape = /** @type {const} */ ({ type: 'cylinder', radius: 0.5, halfHeight: 0.25 })
      const bodies = Array.from({ length: 10 }, (_, i) =>
        world.createBody({ shape, position: [0, 0, 0.25 + 0.5 * i], orientation: standing }),
      )
      run(world, 8)
      assert.equal(world.stats.awake, 0, 'they sleep')
      const [x, y, z] = bodies[9].position
      assert.ok(Math.hypot(x, y) < 3e-3, `the top moved to ${x} ${y}`)
      near(z, 4.75, 0.02, 'height of the top')
      world.free()
    })

    test('each shape comes to rest on its side or base', () => {
      const slope = (Math.atan2(0.3, 0.8) * 180) / Math.PI
      /** @type {[ShapeDefinition, Quaternion, number][]} shape, how it lies, height of its origin */
      const cases = [
        [{ type: 'cylinder', radius: 0.3, halfHeight: 0.4 }, standing, 0.4],
        [{ type: 'cylinder', radius: 0.3, halfHeight: 0.4 }, alongX, 0.3],
        [{ type: 'cylinder', radius: 0.3, halfHeight: 0.4, rounding: 0.1 }, standing, 0.5],
        [{ type: 'cone', radius: 0.3, halfHeight: 0.4 }, standing, 0.4],
        [
          { type: 'cone', radius: 0.3, halfHeight: 0.4 },
          turned([Y, slope], [Z, -90]),
          0.1404493766,
        ],
        [{ type: 'box', halfExtents: [0.3, 0.2, 0.1], radius: 0.05 }, turned(), 0.15],
        // A coin, thin as paper, and a needle.
        [{ type: 'cylinder', radius: 0.5, halfHeight: 0.002 }, standing, 0.002],
        [{ type: 'cylinder', radius: 0.005, halfHeight: 0.5 }, alongX, 0.005],
        // Small and large.
        [{ type: 'cylinder', radius: 0.005, halfHeight: 0.004 }, standing, 0.004],
        [{ type: 'cone', radius: 30, halfHeight: 40 }, standing, 40],
      ]
      for (const [shape, orientation, height] of cases) {
        const world = floored(solver)
        const body = world.createBody({
          shape,
          position: [0, 0, height],
          orientation,
          friction: 0.6,
        })
        const axis = axisOf(body)
        run(world, 3)
        const what = JSON.stringify(shape)
        near(body.position[2], height, 1e-3 * Math.max(1, height), what)
        const cosine = axisOf(body).reduce((sum, x, i) => sum + x * axis[i], 0)
        assert.ok(cosine > 0.9999, `${what} turned over`)
        assert.ok(body.speed < 1e-3, `${what} moves at ${body.speed}`)
        world.free()
      }
    })

    test('a cone on its tip falls, a disc on its edge rolls', () => {
      const world = floored(solver)
      const cone = world.createBody({
        shape: { type: 'cone', radius: 0.3, halfHeight: 0.4 },
        ...{ position: [3, 0, 0.4], orientation: turned([X, 1], [X, -90]) },
      })
      const disc = world.createBody({
        shape: { type: 'cylinder', radius: 0.5, halfHeight: 0.02 },
        ...{ position: [0, 5, 0.5], linearVelocity: [3, 0, 0], angularVelocity: [0, 6, 0] },
      })
      run(world, 2)
      near(disc.position[0], 6, 0.01, 'way of the disc')
      near(disc.position[1], 5, 0.01, 'sideways')
      near(disc.position[2], 0.5, 2e-3, 'it does not fall over')
      run(world, 3)
      assert.ok(cone.position[2] < 0.2, `the cone is at ${cone.position[2]}`)
      assert.ok(onItsHead.length === 4)
      world.free()
    })

    test('a rocking disc settles without gaining energy', () => {
      const world = floored(solver)
      const disc = world.createBody({
        shape: { type: 'cylinder', radius: 0.5, halfHeight: 0.05 },
        ...{ position: [0, 0, 0.35], orientation: turned([Y, 30], [X, 90]) },
        ...{ angularVelocity: [0, 0, 3] },
      })
      const start = world.energy().total
      let most = start
      for (let step = 0; step < 600; step++) {
        world.step(1 / 60)
        most = Math.max(most, world.energy().total)
      }
      assert.ok(most <= start * 1.001, `energy ${start} rose to ${most}`)
      near(disc.position[2], 0.05, 2e-3, 'it lies')
      world.free()
    })

    test('fast round bodies do not pass a thin wall', () => {
      /** @type {ShapeDefinition[]} */
      const shapes = [
        { type: 'cylinder', radius: 0.05, halfHeight: 0.08 },
        { type: 'cone', radius: 0.06, halfHeight: 0.08 },
        { type: 'capsule', radiusTop: 0.03, radiusBottom: 0.06, halfHeight: 0.08 },
        { type: 'cylinder', radiusTop: 0.03, radiusBottom: 0.06, halfHeight: 0.08, rounding: 0.01 },
        { type: 'box', halfExtents: [0.05, 0.04, 0.06], radius: 0.02 },
      ]
      for (const shape of shapes) {
        const world = new World({ gravity: [0, 0, 0], solver })
        world.createBody({
          ...{ type: 'static', position: [3, 0, 0] },
          shape: { type: 'box', halfExtents: [0.01, 2, 2] },
        })
        const body = world.createBody({
          ...{ shape, linearVelocity: [300, 0, 0], angularVelocity: [3, 20, 7] },
          ...{ orientation: turned([[1, 2, 3], 40]) },
        })
        for (let step = 0; step < 60; step++) world.step(1 / 60)
        assert.ok(body.position[0] < 3, `${JSON.stringify(shape)} is at ${body.position[0]}`)
        world.free()
      }
    })
  })
}
