/**
 * Rays and wheels over floors of parts: they meet one surface. What slides and rolls over them is judged in tests/invariance/seams.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import concave from '../../scenarios/concave.mjs'
import { Random } from '../../scenarios/random.mjs'
import { rotate } from '../../scenarios/vector.mjs'
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

const SOLVERS = /** @type {const} */ (['soft-step', 'exact', 'block-pgs'])

/** Velocities of a box that slides over a floor, each step. @param {World} world @param {any} slider @param {(time: number) => void} [move] */
function slide(world, slider, move) {
  const body = world.createBody({ friction: 0, ...slider })
  return Array.from({ length: 100 }, (_, i) => {
    move?.((i + 1) / 60)
    world.step(1 / 60)
    return [...body.linearVelocity]
  })
}

/** @param {number[][]} a @param {number[][]} b */
const apart = (a, b) => Math.max(...a.map((v, i) => Math.hypot(...v.map((x, k) => x - b[i][k]))))

/** Where a floor is at a time: its displacement, and its turn in radians about an axis. @type {Record<string, (t: number) => { move: number[], angle: number, axis: number[] }>} */
const MOTIONS = {
  'goes and rises': (t) => ({ move: [0.7 * t, 0.4 * t, -0.3 * t], angle: 0, axis: [0, 1, 0] }),
  turns: (t) => ({ move: [0, 0, 0], angle: 0.5 * t, axis: [0, 1, 0] }),
  tips: (t) => ({ move: [0, 0, 0], angle: 0.05 * t, axis: [0, 0, 1] }),
}

/** Lets the bodies of a floor go where its motion leads. @param {World} world @param {any[]} bodies @param {keyof typeof MOTIONS} name */
function driveFloor(world, bodies, name) {
  const made = bodies.map((body) => world.createBody({ ...body, type: 'kinematic' }))
  return (/** @type {number} */ time) => {
    const { move, angle, axis } = MOTIONS[name](time)
    const orientation = /** @type {import('../../scenarios/vector.mjs').Quaternion} */ ([
      ...axis.map((x) => x * Math.sin(angle / 2)),
      Math.cos(angle / 2),
    ])
    for (const [i, body] of made.entries()) {
      const position = rotate(orientation, bodies[i].position).map((x, k) => x + move[k])
      body.moveTo({ position, orientation }, 1 / 60)
    }
  }
}

const TILE = 0.9

/** Floors of the same size. @type {Record<string, any[]>} */
const GROUNDS = {
  box: [{ shape: { type: 'box', halfExtents: [7 * TILE, 0.5, 7 * TILE] }, position: [0, -0.5, 0] }],
  plane: [{ shape: { type: 'plane' } }],
  'box tiles': Array.from({ length: 196 }, (_, i) => ({
    shape: { type: 'box', halfExtents: [TILE / 2, 0.5, TILE / 2] },
    position: [TILE * ((i % 14) - 6.5), -0.5, TILE * (Math.floor(i / 14) - 6.5)],
  })),
}

/** How a body that falls on its edge rocks. @param {string} solver @param {string} ground @param {any} shape @param {number} k */
function rock(solver, ground, shape, k) {
  const world = new World({ solver: /** @type {any} */ (solver), warnings: false })
  for (const body of GROUNDS[ground]) world.createBody({ type: 'static', ...body })
  const half = 0.05 + 0.025 * k
  const body = world.createBody({
    ...{ shape, position: [0.13 * k, 0.75, 0.07 * k], allowSleep: false },
    orientation: [
      Math.sin(half) * Math.cos(0.7 * k),
      0,
      Math.sin(half) * Math.sin(0.7 * k),
      Math.cos(half),
    ],
    ...{ linearVelocity: [0.4, 0, 0.2], angularVelocity: [0, 0.3, 0] },
  })
  const path = Array.from({ length: 60 }, () => {
    world.step(1 / 60)
    return [...body.position, ...body.orientation]
  })
  world.free()
  return path
}

/** m: of twelve ways to fall, the median and the largest difference to one box. @param {string} solver @param {string} ground @param {any} shape */
function differences(solver, ground, shape) {
  const all = Array.from({ length: 12 }, (_, k) =>
    apart(rock(solver, ground, shape, k), rock(solver, 'box', shape, k)),
  ).sort((a, b) => a - b)
  return { median: all[6], most: all[11] }
}

describe('what rocks over flush tiles moves as over one box', () => {
  const capsule = { type: 'capsule', radius: 0.2, halfHeight: 0.5 }
  const cylinder = { type: 'cylinder', radius: 0.4, halfHeight: 0.3 }
  for (const solver of ['exact', 'block-pgs']) {
    test(`capsules, with ${solver}`, () => {
      const { median, most } = differences(solver, 'box tiles', capsule)
      assert.ok(median < 1e-9 && most < 1e-4, `${median}, ${most} m`)
    })
    test(`cylinders, with ${solver}`, () => {
      const { median, most } = differences(solver, 'box tiles', cylinder)
      assert.ok(median < 5e-4 && most < 3e-3, `${median}, ${most} m`)
    })
  }
  for (const solver of SOLVERS)
    test(`and over a plane, with ${solver}`, () => {
      const { most } = differences(solver, 'plane', cylinder)
      assert.ok(most < 1e-9, `${most} m`)
    })
})

const SLOPE = Math.tan(0.12)
/** A ramp that begins where x is 0. @type {Record<string, any[]>} */
const RAMPS = {
  'a mesh': [
    {
      type: 'mesh',
      vertices: [-10, 0, 10].flatMap((x) => [-5, 5].flatMap((z) => [x, SLOPE * Math.max(0, x), z])),
      indices: [0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4],
    },
  ],
  'a wedge on a floor': [
    { type: 'box', halfExtents: [15, 0.5, 5], position: [5, -0.5, 0] },
    {
      type: 'hull',
      points: [-5, 5].flatMap((z) => [
        [0, 0, z],
        [10, 10 * SLOPE, z],
        [10, 0, z],
      ]),
    },
  ],
  'a block beside a floor': [
    { type: 'box', halfExtents: [5, 0.5, 5], position: [-5, -0.5, 0] },
    {
      type: 'hull',
      points: [-5, 5].flatMap((z) => [
        [0, -1, z],
        [0, 0, z],
        [10, 10 * SLOPE, z],
        [10, -1, z],
      ]),
    },
  ],
}

describe('what slides up a ramp that begins at a seam does so as on one mesh', () => {
  const half = { type: 'box', halfExtents: [0.3, 0.3, 0.3] }
  /** How far it comes. @param {string} ramp @param {any} shape @param {string} solver @param {number} k */
  const climb = (ramp, shape, solver, k) => {
    const world = new World({ solver: /** @type {any} */ (solver), warnings: false })
    for (const { position, ...part } of RAMPS[ramp])
      world.createBody({ type: 'static', shape: part, friction: 0, ...(position && { position }) })
    const position = [-2 - 0.037 * k, 0.3, 0.1]
    const body = world.createBody({ shape, position, linearVelocity: [4, 0, 0], friction: 0 })
    for (let i = 0; i < 55; i++) world.step(1 / 60)
    const [x] = body.position
    world.free()
    return x
  }
  for (const solver of SOLVERS)
    for (const ramp of ['a wedge on a floor', 'a block beside a floor'])
      for (const shape of [half, { type: 'sphere', radius: 0.3 }])
        test(`a ${shape.type} on ${ramp}, with ${solver}`, () => {
          for (let k = 0; k < 12; k++) {
            const off = climb(ramp, shape, solver, k) - climb('a mesh', shape, solver, k)
            assert.ok(Math.abs(off) < 0.06, `${off} m from ${k}`)
          }
        })
})

describe('kinematic tiles with one motion are one floor', () => {
  const floor = { half: /** @type {[number, number]} */ ([4, 4]), place: 0, friction: 0, size: 0.7 }
  const slider = {
    ...{ shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] }, position: [-1.5, 0.3, 0.2] },
    linearVelocity: [2.1, 0, 0.5],
  }
  for (const solver of SOLVERS)
    for (const name of Object.keys(MOTIONS))
      test(`that ${name}, with ${solver}`, () => {
        const play = (/** @type {any[]} */ bodies) => {
          const world = new World({ solver, warnings: false })
          const path = slide(world, slider, driveFloor(world, bodies, name))
          world.free()
          return path
        }
        const right = play(wholeFloorOf({ ...floor, gap: 0, uneven: 0 }))
        for (const kind of ['box tiles', 'mesh tiles', 'compound', 'tiles of all kinds']) {
          const off = apart(play(floorOf(kind, { ...floor, gap: 0, uneven: 0 })), right)
          assert.ok(off < 0.05, `${off} m/s on ${kind}`)
        }
      })
})

describe('parts of a raft that contacts move are one', () => {
  const places = [-2, -1, 0, 1, 2].map((i) => [0.8 * i, 0, 0])
  const part = { type: 'box', halfExtents: [0.4, 0.25, 1] }
  /** @type {Record<string, (world: World) => void>} */
  const rafts = {
    'shapes of a body': (world) => {
      const shapes = places.map((position) => ({ ...part, position }))
      world.createBody({ shapes: /** @type {any} */ (shapes), friction: 0, mass: 5e5 })
    },
    'bodies that are fixed to each other': (world) => {
      const bodies = places.map((position) =>
        world.createBody({ shape: /** @type {any} */ (part), position, friction: 0, mass: 1e5 }),
      )
      for (const [i, bodyB] of bodies.slice(1).entries())
        world.createJoint({ type: 'fixed', bodyA: bodies[i], bodyB })
    },
  }
  for (const solver of SOLVERS)
    for (const [name, build] of Object.entries(rafts))
      test(`${name}, with ${solver}`, () => {
        const play = (/** @type {(world: World) => void} */ make) => {
          const world = new World({ solver, warnings: false })
          world.createBody({ type: 'static', shape: { type: 'plane' }, position: [0, -0.25, 0] })
          make(world)
          const path = slide(world, {
            ...{ shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] }, mass: 1 },
            ...{ position: [-1.5, 0.45, 0.1], linearVelocity: [1.7, 0, 0.1] },
          })
          world.free()
          return path
        }
        const whole = { type: 'box', halfExtents: [2, 0.25, 1] }
        const right = play((world) => {
          world.createBody({ shape: /** @type {any} */ (whole), friction: 0, mass: 5e5 })
        })
        const off = apart(play(build), right)
        assert.ok(off < 0.03, `${off} m/s`)
      })
})

describe('bodies of many pieces do not sink into each other', () => {
  // A contact with the normal of the surface beyond a seam is with the surface, and not with the plane past its end.
  for (const solver of SOLVERS.filter((name) => name !== 'exact'))
    test(`rings, bowls and brackets, with ${solver}`, () => {
      const world = new World({ ...concave.options, solver, warnings: false })
      concave.setup(world)
      let deepest = 0
      for (let i = 0; i < 120; i++) {
        world.step(concave.timeStep)
        const depths = i > 60 ? world.contactPoints().map(({ separation }) => -separation) : []
        deepest = Math.max(deepest, ...depths)
      }
      world.free()
      assert.ok(deepest < 0.005, `${deepest} m`)
    })
})
