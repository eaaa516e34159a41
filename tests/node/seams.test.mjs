/**
 * Rays and wheels over floors of parts: they meet one surface. What slides and rolls over them is judged in tests/invariance/seams.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { FLOORS, floorOf, wholeFloorOf } from '../invariance/seams/floors.mjs'

/** @import { Floor } from '../invariance/seams/floors.mjs' */

before(() => init())

/** @param {any[]} bodies */
function worldOf(bodies) {
  const world = new World({ warnings: false })
  for (const body of bodies) world.createBody(body)
  return world
}

const FLUSH = { friction: 0.5, gap: 0, uneven: 0 }

/** Sides of floors and of tiles that are no round numbers, and places where they are rounded. @type {readonly Floor[]} */
const PLACES = [
  { ...FLUSH, half: [3, 3], place: 0, size: 0.75 },
  { ...FLUSH, half: [2.1, 2.1], place: 47.3, size: 0.31 },
  { ...FLUSH, half: [5.5, 5.5], place: -1234.567, size: 1.3 },
]

/** A point of a seam between two rows of tiles, or of one where four of them meet. @param {Floor} floor @param {Random} random */
function seamPoint({ half: [half], place, size }, random) {
  const count = Math.max(2, Math.round((2 * half) / size))
  const mark = () => (1 + Math.floor(random.next() * (count - 1))) * ((2 * half) / count) - half
  const z = random.next() < 0.2 ? mark() : random.between(-0.9 * half, 0.9 * half)
  return [place + mark(), 0, -place + z]
}

describe('a ray at a seam meets the floor, with its normal', () => {
  for (const kind of FLOORS)
    test(`of ${kind}`, () => {
      const random = new Random(3)
      for (const floor of PLACES) {
        const world = worldOf(floorOf(kind, floor))
        for (let i = 0; i < 300; i++) {
          const at = seamPoint(floor, random)
          const steep = -random.between(0.15, 1)
          const way =
            i % 4 === 0 ? [0, steep, 0] : [random.between(-1, 1), steep, random.between(-1, 1)]
          const origin = at.map((x, k) => x - 1.7 * way[k])
          const hit = world.rayCast(origin, way)
          assert.ok(hit, `passes between tiles at ${at}`)
          assert.ok(hit.normal[1] > 0.9999, `${hit.normal} at ${at}`)
          assert.ok(Math.hypot(...at.map((x, k) => hit.position[k] - x)) < 1e-3)
          for (const { normal, distance } of world.rayCastAll(origin, way))
            if (distance < hit.distance + 1e-7) assert.ok(normal[1] > 0.9999, `${normal} at ${at}`)
        }
        world.free()
      }
    })
})

test('the side of a step and the end of a floor are met', () => {
  const tile = { type: 'box', halfExtents: [0.7, 0.7, 0.7] }
  for (const step of [1e-3, 0.05]) {
    const world = worldOf([
      { type: 'static', shape: tile, position: [-0.7, -0.7, 0] },
      { type: 'static', shape: tile, position: [0.7, step - 0.7, 0] },
    ])
    const side = world.rayCast([-1, step / 2 + 0.1, 0], [1, -0.1, 0])
    assert.ok(side && side.normal[0] < -0.9999, `${side?.normal}`)
    const end = world.rayCast([3, step / 2 + 0.1, 0], [-16, -1, 0])
    assert.ok(end && end.normal[0] > 0.9999, `${end?.normal}`)
    world.free()
  }
})

/** How a car that drives for two seconds moves. @param {any[]} floor @param {number} place */
function drive(floor, place) {
  const world = worldOf(floor)
  const chassis = world.createBody({
    ...{ shape: { type: 'box', halfExtents: [1.1, 0.2, 0.6] }, mass: 700 },
    ...{ position: [place - 2.5, 0.6, -place], linearVelocity: [2.5, 0, 0] },
  })
  const wheels = [0.75, -0.75].flatMap((x) =>
    [-0.5, 0.5].map((z) => ({ position: [x, -0.1, z], radius: 0.25, stiffness: 20000 })),
  )
  const car = world.createVehicle({ chassis, wheels: /** @type {any} */ (wheels) })
  const lengths = []
  for (let i = 0; i < 128; i++) {
    car.update(1 / 64)
    world.step(1 / 64)
    lengths.push(car.wheels.map((wheel) => wheel.suspensionLength))
    assert.ok(car.wheels.every((wheel) => wheel.isInContact))
  }
  world.free()
  return lengths
}

describe('the wheels of a car move over a floor of parts as over one box', () => {
  for (const kind of FLOORS)
    test(`of ${kind}`, () => {
      // In each second step each wheel stands on a seam, which it does not see; and cracks of a millimetre are none.
      for (const [place, size, gap] of [
        [0, 0.3125, 0],
        [12.3, 0.47, 0],
        [0, 0.3125, 1e-3],
      ]) {
        const floor = { half: /** @type {[number, number]} */ ([5, 2.5]), place, friction: 1, size }
        const right = drive(wholeFloorOf({ ...floor, gap: 0, uneven: 0 }), place)
        const seen = drive(floorOf(kind, { ...floor, gap, uneven: 0 }), place)
        const off = Math.max(...seen.flat().map((length, i) => Math.abs(length - right.flat()[i])))
        assert.ok(off < 1e-6, `${off} m at ${place} m, cracks of ${gap} m`)
      }
    })
})
