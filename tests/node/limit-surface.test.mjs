/**
 * Friction of a contact of several points: each has Coulomb friction against its own slip. What they can give together is the limit
 * surface of the contact (Goyal, Ruina and Papadopoulos 1991).
 */
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { polygon, slidingDistance } from '../../bench/physics/sliding.mjs'
import { cube, g, near } from './support.mjs'

const STEP = 1 / 120
const FRICTION = 0.5

/** @typedef {[number, number, number]} Vector */
/** @typedef {import('moreau').BodyDefinition} BodyDefinition */

/**
 * What lies on a floor under gravity along `down`.
 * @param {Vector} down
 * @param {Omit<BodyDefinition, 'type'>} [definition] by default a cube
 */
async function onFloor(down, definition = { shape: cube, position: [0, 0, 0.5] }) {
  const gravity = /** @type {Vector} */ (down.map((x) => g * x))
  const world = await World.create({ gravity, allowSleep: false })
  const floor = /** @type {const} */ ({ type: 'box', halfExtents: [50, 50, 0.5] })
  world.createBody({ type: 'static', shape: floor, position: [0, 0, -0.5], friction: FRICTION })
  const body = world.createBody({ mass: 3, friction: FRICTION, ...definition })
  for (let i = 0; i < 60; i++) world.step(STEP)
  return { world, body }
}

describe('the limit surface of a contact', () => {
  test('a cube stays on a slope of 26 degrees and slides down one of 35', async () => {
    const slope = (/** @type {number} */ degrees) => {
      const angle = (degrees * Math.PI) / 180
      return /** @type {Vector} */ ([Math.sin(angle), 0, -Math.cos(angle)])
    }
    const stays = await onFloor(slope(26))
    const [before] = stays.body.position
    for (let i = 0; i < 240; i++) stays.world.step(STEP)
    near(stays.body.position[0], before, 1e-5, 'place')

    const [x, , z] = slope(35)
    const slides = await onFloor([x, 0, z])
    const [speed] = slides.body.linearVelocity
    for (let i = 0; i < 120; i++) slides.world.step(STEP)
    const gain = slides.body.linearVelocity[0] - speed
    near(gain, g * (x + FRICTION * z), 0.01 * g, 'speed gained in a second')
    stays.world.free()
    slides.world.free()
  })

  test('a cube that spins is braked by its corners', async () => {
    const { world, body } = await onFloor([0, 0, -1])
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

  test('what slides and spins goes as far as the equations of motion say', async () => {
    const height = 0.01
    const disc = polygon(32, 0.5)
    const rim = disc.flatMap(([x, y]) => [-height, height].map((z) => [x, y, z]))
    const square = { type: 'box', halfExtents: [0.5, 0.5, height] }
    const cases = [
      { shape: { type: 'hull', points: rim }, points: disc, gyrationSquared: 1 / 8, speed: 3 },
      { shape: square, points: polygon(4, Math.SQRT1_2), gyrationSquared: 1 / 6, speed: 2 },
    ]
    for (const { shape, ...slide } of cases) {
      const definition = /** @type {any} */ ({ shape, position: [0, 0, height] })
      const { world, body } = await onFloor([0, 0, -1], definition)
      body.linearVelocity = [slide.speed, 0, 0]
      body.angularVelocity = [0, 0, 6]
      for (let i = 0; i < 150; i++) world.step(STEP)
      const way = slidingDistance({ ...slide, spin: 6, friction: FRICTION })
      near(Math.hypot(...body.position.slice(0, 2)), way, 0.015 * way, 'way')
      near(Math.hypot(...body.linearVelocity, ...body.angularVelocity), 0, 1e-6, 'at last')
      world.free()
    }
  })

  test('where one corner carries all of the load, nothing brakes a turn about it', async () => {
    const { world, body } = await onFloor([0, 0, -1], {
      ...{ shape: cube, inertia: [0.5, 0.5, 0.5], centerOfMass: [0.5, 0.5, 0] },
      ...{ position: [0, 0, 0.5], angularVelocity: [0, 0, 10] },
    })
    // As far as other corners touch while it turns.
    near(body.angularVelocity[2], 10, 0.2, 'angular velocity')
    world.free()
  })
})
