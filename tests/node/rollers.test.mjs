/**
 * Round bodies whose weight is off their axis or centre: loaded balls, roly-polies, drums with a weight at their rim. Their
 * centre of mass goes up and down while they roll, and nothing but friction that does no work touches them, so their energy
 * stays; what a solver loses of it is its own, and it must not gain any.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { alongX, turned } from './shapes-support.mjs'
import { near } from './support.mjs'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */

before(() => init())

const RADIUS = 0.045
const GRAVITY = 9.81
/** m, from the axis to the middle of the weight. */
const WEIGHT_AT = 0.02
/** Of what is let go swinging, rad from its lowest place: small enough for the period of small swings. */
const SWING = 0.2

/** @type {Record<string, ShapeDefinition>} with a circle of RADIUS below their centre, which is at the height RADIUS */
const LYING = {
  'a ball': { type: 'sphere', radius: RADIUS },
  'a capsule': { type: 'capsule', radius: RADIUS, halfHeight: 0.14, orientation: alongX },
  'a cylinder': { type: 'cylinder', radius: RADIUS, halfHeight: 0.14, orientation: alongX },
  'a rounded cylinder': {
    ...{ type: 'cylinder', radius: 0.035, halfHeight: 0.14, orientation: alongX },
    ...{ rounding: 0.01 },
  },
}

/** @type {Record<string, (world: World) => unknown>} floors at y = 0 */
const FLOORS = {
  plane: (world) =>
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } }),
  mesh: (world) =>
    world.createBody({
      type: 'static',
      shape: {
        type: 'mesh',
        vertices: [-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9],
        indices: [0, 2, 1, 0, 3, 2],
      },
    }),
}

/**
 * @param {World} world
 * @param {ShapeDefinition} shape
 * @param {number} angle rad, of the weight from the lowest place, about the x axis
 */
function addRoller(world, shape, angle) {
  const weight = [0, -WEIGHT_AT * Math.cos(angle), WEIGHT_AT * Math.sin(angle)]
  return world.createBody({
    position: [0, RADIUS, 0],
    friction: 0.9,
    shapes: [shape, { type: 'sphere', radius: 0.015, density: 60000, position: weight }],
  })
}

/**
 * @param {string} solver
 * @param {(world: World) => unknown} addFloor
 */
function floored(solver, addFloor) {
  const world = new World({ solver: /** @type {any} */ (solver), allowSleep: false })
  addFloor(world)
  return world
}

/**
 * @param {World} world
 * @param {number} seconds
 * @returns {{ most: number, end: number }} the energy beside that of the start, J
 */
function run(world, seconds) {
  const start = world.energy().total
  let most = 0
  for (let i = 0; i < 60 * seconds; i++) {
    world.step(1 / 60)
    most = Math.max(most, world.energy().total - start)
  }
  return { most, end: world.energy().total - start }
}

/**
 * @param {World} world
 * @param {import('moreau').Body} body that turns to and fro about an axis
 * @param {number} seconds
 * @param {number} [axis]
 * @returns {{ swing: number, turns: number[] }} the greatest angle of the last four seconds, rad; when the spin changed its sign, s
 */
function watch(world, body, seconds, axis = 2) {
  const turns = []
  let swing = 0
  let last = body.angularVelocity[axis]
  for (let i = 1; i <= 60 * seconds; i++) {
    world.step(1 / 60)
    const now = body.angularVelocity[axis]
    if (last * now < 0) turns.push(i / 60 - now / (now - last) / 60)
    last = now
    const angle = 2 * Math.atan(body.orientation[axis] / body.orientation[3])
    if (i > 60 * (seconds - 4)) swing = Math.max(swing, Math.abs(angle))
  }
  return { swing, turns }
}

/** What lifting the centre of mass from its lowest place to its highest one takes, J. @param {import('moreau').Body} body */
function height(body) {
  const [x, y, z] = body.worldCenterOfMass
  return 2 * body.mass * GRAVITY * Math.hypot(x, y - RADIUS, z)
}

for (const solver of ['soft-step', 'block-pgs', 'exact']) {
  describe(`what rolls off its axis (${solver})`, () => {
    for (const [name, shape] of Object.entries(LYING)) {
      for (const [floor, addFloor] of Object.entries(FLOORS)) {
        test(`${name} on a ${floor} never has more energy than at its start`, () => {
          for (const [angle, spin] of [
            ...[
              [SWING, 0],
              [1, 0],
              [2.5, 0],
            ],
            ...[
              [1, 2],
              [2.5, 20],
            ],
          ]) {
            const world = floored(solver, addFloor)
            const body = addRoller(world, shape, angle)
            body.angularVelocity = [spin, 0, 0]
            const { most } = run(world, 10)
            assert.ok(most < 1e-4 * height(body), `from ${angle} at ${spin} rad/s: ${most} J`)
            world.free()
          }
        })
      }
    }
  })
}

describe('what rolls off its axis (soft-step)', () => {
  test('a drum keeps its energy at any step', () => {
    for (const hz of [60, 120, 240, 480]) {
      const world = floored('soft-step', FLOORS.plane)
      const body = addRoller(world, LYING['a cylinder'], SWING)
      const rise = 0.5 * height(body) * (1 - Math.cos(SWING))
      const weight = body.mass * GRAVITY
      const mean = (/** @type {number} */ seconds) => {
        let sum = 0
        for (let i = 0; i < hz * seconds; i++) {
          world.step(1 / hz)
          sum += world.energy().total - weight * (body.position[1] - RADIUS) // without what it sinks
        }
        return sum / (hz * seconds)
      }
      const start = mean(2)
      mean(6)
      const kept = (mean(2) - start) / rise
      assert.ok(Math.abs(kept) < 5e-3, `${hz} Hz: ${kept} of its energy in 8 s`)
      world.free()
    }
  })

  test('a drum swings as long as theory says, and goes on swinging', () => {
    const world = floored('soft-step', FLOORS.plane)
    const body = addRoller(world, LYING['a capsule'], SWING)
    const [x, y, z] = body.worldCenterOfMass
    const offset = Math.hypot(x, y - RADIUS, z)
    // about the line of contact, with the weight at its lowest place
    const moment = body.inertia[0] + body.mass * (RADIUS - offset) ** 2
    const period = 2 * Math.PI * Math.sqrt(moment / (body.mass * GRAVITY * offset))
    const { turns } = watch(world, body, 10, 0)
    near((turns[8] - turns[0]) / 4, period, 0.03 * period, 'period of small swings')
    world.free()
  })

  test('a drum that is let go with its weight on top keeps its energy for 20 s', () => {
    const world = floored('soft-step', FLOORS.plane)
    const body = addRoller(world, LYING['a capsule'], 3)
    const { end } = run(world, 20)
    assert.ok(end > -0.15 * height(body), `it lost ${-end} J of ${height(body)}`)
    world.free()
  })

  test('a plank that rocks on a log or a ball keeps its swing, and has the period of theory', () => {
    const [radius, thickness, tilt] = [0.5, 0.05, 0.15]
    /** @type {ShapeDefinition[]} */
    const supports = [
      { type: 'cylinder', radius, halfHeight: 0.5, orientation: turned([[1, 0, 0], 90]) },
      { type: 'sphere', radius },
    ]
    for (const shape of supports) {
      const world = new World({ solver: 'soft-step', allowSleep: false })
      world.createBody({ type: 'static', friction: 1, shape })
      // It has rolled off by `tilt`: it touches where the radius is as much off the vertical, by an arc from its middle.
      const [sine, cosine, arc] = [Math.sin(tilt), Math.cos(tilt), radius * tilt]
      const plank = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [1, thickness, 0.3] }, friction: 1 },
        position: [
          (radius + thickness) * sine - arc * cosine,
          (radius + thickness) * cosine + arc * sine,
          0,
        ],
        orientation: turned([[0, 0, 1], (-180 / Math.PI) * tilt]),
      })
      const moment = plank.inertia[8] / plank.mass + thickness ** 2
      const period = 2 * Math.PI * Math.sqrt(moment / (GRAVITY * (radius - thickness)))
      const { swing, turns } = watch(world, plank, 20)
      near(swing, tilt, 0.02 * tilt, 'swing of the last four seconds')
      near((turns[8] - turns[0]) / 4, period, 0.02 * period, 'period')
      world.free()
    }
  })

  test('roly-polies with rolling friction right themselves, and come to rest', () => {
    /** @type {ShapeDefinition[]} standing on a round end of RADIUS at the height -0.05 */
    const shapes = [
      { type: 'capsule', radius: RADIUS, halfHeight: 0.05, density: 200 },
      { type: 'capsule', radiusBottom: RADIUS, radiusTop: 0.02, halfHeight: 0.05, density: 200 },
    ]
    for (const shape of shapes) {
      const resists = { rollingFriction: 0.003, spinningFriction: 0.003 }
      const world = floored('soft-step', (room) =>
        room.createBody({ type: 'static', ...resists, shape: { type: 'plane' } }),
      )
      const weight = { type: 'sphere', radius: 0.015, density: 60000, position: [0, -0.075, 0] }
      const body = world.createBody({
        ...{ position: [0, RADIUS + 0.05, 0], friction: 0.9, angularVelocity: [4, 2, 1] },
        ...resists,
        shapes: [shape, /** @type {any} */ (weight)],
      })
      const { most } = run(world, 20)
      assert.ok(most < 1e-5, `${most} J more than at the start`)
      near(body.position[1], RADIUS + 0.05, 1e-3, 'height of its middle')
      assert.ok(body.speed < 0.05, `still moves at ${body.speed} m/s`)
      world.free()
    }
  })
})

/**
 * A coin that spins on its rim while its middle stands still (Euler's disc): it turns about the arm from its middle to the floor, and
 * what turns its spin round is its weight at that arm.
 *
 * @param {World} world
 * @param {{ radius: number, tilt: number }} coin m, rad
 */
function addCoin(world, { radius, tilt }) {
  const [halfHeight, sine, cosine] = [radius / 25, Math.sin(tilt), Math.cos(tilt)]
  const [x, y] = [halfHeight * sine - radius * cosine, -radius * sine - halfHeight * cosine]
  const length = Math.hypot(x, y)
  const [across, along] = [radius / length, halfHeight / length]
  const about = (3 * radius ** 2 + 4 * halfHeight ** 2) / 12 // m²: kg m² by kg
  const level = about * across * cosine - (radius ** 2 / 2) * along * sine
  const round = Math.sqrt((-x * GRAVITY * across) / (sine * level)) // rad/s, of the place of contact
  const spin = (round * sine) / across / length
  return world.createBody({
    shape: { type: 'cylinder', radius, halfHeight },
    position: [0, -y, 0],
    orientation: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)],
    angularVelocity: [spin * x, spin * y, 0],
  })
}

/** @param {import('moreau').Body} coin @returns {number} rad, of its axis against the vertical */
function tiltOf({ orientation: [x, , z] }) {
  return Math.acos(Math.min(1, Math.abs(1 - 2 * (x * x + z * z))))
}

describe('a coin that spins on its rim (soft-step)', () => {
  /**
   * @param {'plane' | 'mesh'} floor
   * @param {{ radius: number, tilt: number }} coin
   * @param {number} hz
   */
  function spin(floor, coin, hz) {
    const world = floored('soft-step', FLOORS[floor])
    const body = addCoin(world, coin)
    const start = world.energy().total
    let most = start
    while (world.time < 4) {
      world.step(1 / hz)
      most = Math.max(most, world.energy().total)
    }
    const error = Math.abs(tiltOf(body) - coin.tilt)
    world.free()
    return { error, gain: most / start - 1 }
  }

  for (const floor of /** @type {const} */ (['plane', 'mesh'])) {
    test(`goes on spinning on a ${floor}, without more energy, and better with shorter steps`, () => {
      for (const coin of [
        { radius: 0.5, tilt: 0.35 },
        { radius: 2, tilt: 0.6 },
      ]) {
        const errors = [240, 480, 960].map((hz) => {
          const { error, gain } = spin(floor, coin, hz)
          assert.ok(gain < 5e-3, `${hz} Hz: a gain of ${gain}`)
          return error
        })
        assert.ok(errors[0] < 0.02, `${errors} rad off after 4 s`)
        assert.ok(errors[1] < errors[0] && errors[2] < errors[1], `${errors} rad`)
      }
    })
  }
})
