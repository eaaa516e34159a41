/**
 * `frictionPerPoint`: each point of a contact that slips has friction against its own slip.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { cube, g, near } from './support.mjs'

const STEP = 1 / 120
const FRICTION = 0.5

/**
 * A cube that lies on a floor under gravity along `down`.
 * @param {boolean} frictionPerPoint
 * @param {[number, number, number]} down
 */
async function cubeOnFloor(frictionPerPoint, down) {
  const gravity = /** @type {[number, number, number]} */ (down.map((x) => g * x))
  const world = await World.create({ gravity, frictionPerPoint, allowSleep: false })
  const floor = { type: /** @type {const} */ ('box'), halfExtents: [50, 50, 0.5] }
  world.createBody({ type: 'static', shape: floor, position: [0, 0, -0.5], friction: FRICTION })
  const body = world.createBody({ shape: cube, mass: 3, position: [0, 0, 0.5], friction: FRICTION })
  for (let i = 0; i < 60; i++) world.step(STEP)
  return { world, body }
}

describe('friction per point', () => {
  test('may be asked for and changed', async () => {
    const world = await World.create({ frictionPerPoint: true })
    assert.equal(world.frictionPerPoint, true)
    world.frictionPerPoint = false
    assert.equal(world.frictionPerPoint, false)
    assert.throws(() => (world.frictionPerPoint = /** @type {any} */ (1)), {
      code: 'invalid-argument',
      message: 'World: frictionPerPoint must be true or false, got 1',
    })
    world.free()
    assert.equal((await World.create()).frictionPerPoint, false)
  })

  for (const perPoint of [false, true]) {
    test(`a cube stays on a slope of 26 degrees and slides down one of 35, ${perPoint}`, async () => {
      const slope = (/** @type {number} */ degrees) => {
        const angle = (degrees * Math.PI) / 180
        return /** @type {[number, number, number]} */ ([Math.sin(angle), 0, -Math.cos(angle)])
      }
      const stays = await cubeOnFloor(perPoint, slope(26))
      const [before] = stays.body.position
      for (let i = 0; i < 240; i++) stays.world.step(STEP)
      near(stays.body.position[0], before, 1e-3, 'place')

      const [x, , z] = slope(35)
      const slides = await cubeOnFloor(perPoint, [x, 0, z])
      const [speed] = slides.body.linearVelocity
      for (let i = 0; i < 120; i++) slides.world.step(STEP)
      const gain = slides.body.linearVelocity[0] - speed
      near(gain, g * (x + FRICTION * z), 0.01 * g, 'speed gained in a second')
      stays.world.free()
      slides.world.free()
    })
  }

  test('a cube that spins is braked by its corners', async () => {
    const { world, body } = await cubeOnFloor(true, [0, 0, -1])
    body.angularVelocity = [0, 0, 8]
    const steps = 24
    for (let i = 0; i < steps; i++) world.step(STEP)
    // A quarter of the weight on each corner; a cube of 1 m has I = m / 6.
    const deceleration = FRICTION * g * Math.SQRT1_2 * 6
    near(body.angularVelocity[2], 8 - deceleration * steps * STEP, 0.1, 'angular velocity')
    for (let i = 0; i < 60; i++) world.step(STEP)
    near(body.angularVelocity[2], 0, 1e-6, 'at last')
    world.free()
  })

  test('is another law than one ellipsoid for all points', async () => {
    const hashes = []
    for (const perPoint of [false, true]) {
      const { world, body } = await cubeOnFloor(perPoint, [0, 0, -1])
      body.angularVelocity = [0, 0, 5]
      body.linearVelocity = [1, 0, 0]
      for (let i = 0; i < 30; i++) world.step(STEP)
      hashes.push(body.angularVelocity[2])
      world.free()
    }
    assert.notEqual(hashes[0], hashes[1])
  })
})
