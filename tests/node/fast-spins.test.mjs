import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { collide, createShape, init, World } from 'moreau'
import { Random } from '../../scenarios/random.mjs'

const dt = 1 / 60
const CUBE = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.25, 0.25] })

before(() => init())

/**
 * Two cubes, one of which spins at 20 rad/s as it falls on the other at 5 m/s.
 *
 * @param {Random} random
 * @returns {number} m: the deepest that they overlap at the end of a step, by their shapes
 */
function deepestOverlap(random) {
  const world = new World({ gravity: [0, 0, 0] })
  const side = () => random.between(-0.3, 0.3)
  const axis = [side(), side(), side()]
  const size = Math.hypot(...axis)
  const bodies = [
    world.createBody({ shape: CUBE, orientation: random.orientation() }),
    world.createBody({
      shape: CUBE,
      position: [side(), 1, side()],
      orientation: random.orientation(),
      linearVelocity: [0, -5, 0],
      angularVelocity: /** @type {[number, number, number]} */ (axis.map((x) => (20 * x) / size)),
    }),
  ]
  const shape = createShape(CUBE)
  let deepest = 0
  for (let step = 0; step < 20; step++) {
    world.step(dt)
    const [a, b] = bodies.map(({ position, orientation }) => ({ position, orientation }))
    deepest = Math.max(deepest, collide(shape, a, shape, b)?.penetrationDepth ?? 0)
  }
  world.free()
  return deepest
}

test('cubes that spin fast do not fall into each other around the edge that touches first', () => {
  const random = new Random(1)
  const overlaps = Array.from({ length: 300 }, () => deepestOverlap(random)).sort((a, b) => a - b)
  const [half, most] = [overlaps[150], overlaps[285]]
  const figures = `half of them overlap by up to ${half} m, 95 % by up to ${most} m`
  // Without the points that will meet: 3.2 mm and 48 mm; with them 0.3 mm and 26 mm.
  assert.ok(half < 1e-3, figures)
  assert.ok(most < 0.035, figures)
})
