/**
 * What lies alone does not sink: its depth over its size is small, and the same, for any size and any gravity. A contact of
 * soft-step is a spring of the frequency of the substeps, which bears a body only at a depth of some part of g h^2.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { alongX } from './shapes-support.mjs'

before(() => init())

/** Sizes, m, and gravity, m/s². */
const PLACES = [
  [1, 9.81],
  [0.01, 981],
  [0.003, 9.81],
  [0.1, 98.1],
  [3, 9.81],
  [0.02, 250],
]

/** @type {Record<string, (size: number) => import('moreau').ShapeDefinition>} that lie half their size above what is below them */
const SHAPES = {
  'a cube': (size) => ({ type: 'box', halfExtents: [size / 2, size / 2, size / 2] }),
  'a ball': (size) => ({ type: 'sphere', radius: size / 2 }),
}

/**
 * @param {import('moreau').WorldOptions} options
 * @param {number} size
 * @param {number} gravity
 * @param {(world: World) => unknown} [addFloor]
 */
function floored(
  options,
  size,
  gravity,
  addFloor = (world) =>
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } }),
) {
  const world = new World({
    gravity: [0, 0, -gravity],
    allowSleep: false,
    warnings: false,
    ...options,
  })
  addFloor(world)
  return world
}

/**
 * The depth over the size, at its worst from a second on.
 *
 * @param {World} world
 * @param {import('moreau').Body} body
 * @param {number} size
 */
function deepest(world, body, size) {
  let most = -Infinity
  for (let i = 1; i <= 180; i++) {
    world.step(1 / 60)
    if (i > 120) most = Math.max(most, Math.abs(body.position[2] - size / 2) / size)
  }
  return most
}

for (const solver of /** @type {const} */ (['auto', 'soft-step'])) {
  describe(`what lies alone does not sink (${solver})`, () => {
    for (const [name, shape] of Object.entries(SHAPES))
      for (const [size, gravity] of PLACES)
        test(`${name} of ${size} m at ${gravity} m/s2`, () => {
          const world = floored({ solver }, size, gravity)
          const body = world.createBody({
            ...{ shape: shape(size), friction: 0.5, position: [0, 0, size / 2] },
          })
          const depth = deepest(world, body, size)
          assert.ok(depth < 2e-4, `${depth} of its size`)
          world.free()
        })

    test('a cube that falls by its size comes to rest as high', () => {
      for (const [size, gravity] of PLACES) {
        const world = floored({ solver }, size, gravity)
        const shape = SHAPES['a cube'](size)
        const body = world.createBody({ shape, friction: 0.5, position: [0, 0, 1.5 * size] })
        const depth = deepest(world, body, size)
        assert.ok(depth < 2e-4, `${size} m at ${gravity} m/s2: ${depth} of its size`)
        world.free()
      }
    })

    test('nor with other substeps, steps and stiffness of contacts', () => {
      for (const options of [
        { substeps: 1 },
        { substeps: 2 },
        { substeps: 12 },
        { contactHertz: 8 },
      ]) {
        const world = floored({ solver, ...options }, 0.05, 9.81)
        const shape = SHAPES['a cube'](0.05)
        const body = world.createBody({ shape, friction: 0.5, position: [0, 0, 0.025] })
        const depth = deepest(world, body, 0.05)
        assert.ok(depth < 2e-4, `${JSON.stringify(options)}: ${depth} of its size`)
        world.free()
      }
    })

    test('a rod that contacts have stopped is not thrown up where its way is cut', () => {
      for (const type of /** @type {const} */ (['capsule', 'cylinder'])) {
        const world = floored({ solver }, 0.01, 981)
        const shape = { type, radius: 0.005, halfHeight: 0.01, orientation: alongX }
        const body = world.createBody({
          ...{ shape: /** @type {any} */ (shape), friction: 0.5, position: [0, 0, 0.005] },
        })
        for (let i = 0; i < 120; i++) {
          world.step(1 / 60)
          assert.ok(body.position[2] < 0.0051, `${type} in step ${i}: ${body.position[2]} m`)
        }
        world.free()
      }
    })

    test('what stops to press does not rise', () => {
      const world = floored({ solver }, 1, 9.81)
      const body = world.createBody({ shape: SHAPES['a cube'](1), position: [0, 0, 0.5] })
      for (let i = 0; i < 60; i++) world.step(1 / 60)
      world.gravity = [0, 0, 0]
      const start = body.position[2]
      for (let i = 0; i < 60; i++) world.step(1 / 60)
      assert.ok(Math.abs(body.position[2] - start) < 1e-5, `${body.position[2] - start} m`)
      world.free()
    })
  })
}
