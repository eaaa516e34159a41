import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, cross, dot, length, subtract } from '../../scenarios/vector.mjs'
import { ConeAudit } from './cone-audit.mjs'
import {
  acceptanceWorld,
  addSlab,
  cube,
  describeForSolvers,
  dt,
  g,
  near,
  nearVector,
  slideUntilStop,
  stepMany,
  totalNormalImpulse,
  turn,
} from './support.mjs'

/** @typedef {[number, number, number]} Vector */

/**
 * A cube that slides off on the flat.
 *
 * @param {import('./support.mjs').SolverName} solver
 * @param {object} setting
 * @param {number} setting.speed m/s
 * @param {number} [setting.degrees] between its way and its edges
 * @param {number} [setting.friction]
 * @param {number} [setting.mass]
 * @param {import('./support.mjs').WorldOptions} [setting.options] of the world
 */
async function slidingCube(solver, { speed, degrees = 0, friction = 0.5, mass = 1, options = {} }) {
  const world = await acceptanceWorld({ solver, ...options })
  addSlab(world, { friction })
  const angle = (degrees * Math.PI) / 180
  const forward = /** @type {Vector} */ ([Math.cos(angle), Math.sin(angle), 0])
  const sideways = /** @type {Vector} */ ([-Math.sin(angle), Math.cos(angle), 0])
  const body = world.createBody({
    shape: cube,
    mass,
    friction,
    position: [0, 0, 0.5],
    linearVelocity: [speed * forward[0], speed * forward[1], 0],
  })
  return { world, body, forward, sideways }
}

/**
 * Centre of pressure relative to a point, and the sum of the normal impulses.
 *
 * @param {import('moreau').World} world
 * @param {ArrayLike<number>} centre
 */
function pressure(world, centre) {
  const sum = totalNormalImpulse(world)
  const offset = [0, 1].map(
    (axis) =>
      world.contactPoints().reduce((total, p) => total + p.normalImpulse * p.position[axis], 0) /
        sum -
      centre[axis],
  )
  return { sum, offset }
}

describeForSolvers('one step of a sliding cube', (solver) => {
  test('A30 the exact cone and not its convex relaxation: no lift', async () => {
    const { world, body } = await slidingCube(solver, { speed: 3 })
    const centre = body.worldCenterOfMass
    world.step(dt)
    near(totalNormalImpulse(world), g * dt, 1e-6, 'sum of normal impulses')
    near(body.linearVelocity[0], 3 - 0.5 * g * dt, 1e-6, 'velocity')
    const points = world.contactPoints()
    assert.equal(points.length, 4)
    for (const { position, normal, normalImpulse, tangentImpulse } of points) {
      const arm = subtract(position, centre)
      const velocity = add(body.linearVelocity, cross(body.angularVelocity, arm))
      near(dot(velocity, normal), 0, 1e-6, 'normal velocity of a corner')
      near(length(tangentImpulse), 0.5 * normalImpulse, 1e-6, 'friction at its limit')
      const slip = length(velocity)
      near(dot(tangentImpulse, velocity), -length(tangentImpulse) * slip, 1e-6, 'against the slip')
    }
    world.free()
  })

  test('A40 a cube too slow for the friction of one step sticks', async () => {
    for (const [speed, friction] of [
      [0.05, 0.5],
      [0.07, 0.5],
      [0.15, 1.2],
    ]) {
      assert.ok(speed < friction * g * dt)
      const { world, body } = await slidingCube(solver, { speed, friction, degrees: 17 })
      const audit = new ConeAudit(world, friction)
      world.step(dt)
      audit.afterStep()
      nearVector(body.linearVelocity, [0, 0, 0], 1e-9, 'velocity')
      nearVector(body.position, [0, 0, 0.5], 1e-9, 'position')
      world.free()
    }
  })

  test('A41 a cube spinning about the vertical slows by 6 mu g r dt', async () => {
    for (const [spin, friction] of [
      [5, 0.5],
      [-3, 0.2],
    ]) {
      const world = await acceptanceWorld({ solver })
      addSlab(world, { friction })
      const body = world.createBody({
        shape: cube,
        mass: 1,
        friction,
        position: [0, 0, 0.5],
        angularVelocity: [0, 0, spin],
      })
      world.step(dt)
      const loss = friction * g * Math.SQRT1_2 * 6 * dt
      near(
        body.angularVelocity[2],
        Math.sign(spin) * (Math.abs(spin) - loss),
        1e-6,
        'spin after one step',
      )
      let last = Math.abs(body.angularVelocity[2])
      stepMany(world, 60, () => {
        const now = Math.abs(body.angularVelocity[2])
        assert.ok(now <= last + 1e-9, 'the spin only dies')
        last = now
        near(Math.hypot(body.position[0], body.position[1]), 0, 1e-6, 'no translation')
      })
      near(last, 0, 1e-6, 'spin at the end')
      world.free()
    }
  })

  test('a box that tips: angular velocity, impulse and speed after one step', async () => {
    /** @type {[number, number, number, number][]} half width, half height, friction, speed */
    const settings = [
      [0.5, 1, 0.6, 2],
      [0.5, 1, 0.8, 3],
      [0.2, 0.9, 0.4, 1],
    ]
    for (const [half, height, friction, speed] of settings) {
      const world = await acceptanceWorld({ solver })
      addSlab(world, { friction })
      const body = world.createBody({
        shape: { type: 'box', halfExtents: [half, half, height] },
        mass: 1,
        friction,
        position: [0, 0, height],
        linearVelocity: [speed, 0, 0],
      })
      world.step(dt)
      const lever = friction * height - half
      assert.ok(lever > 0, 'it tips')
      const inertia = (4 * (half * half + height * height)) / 12
      const acceleration = (g * lever) / (inertia - half * lever)
      const impulse = dt * (g + half * acceleration)
      const what = `box ${half} ${height} mu ${friction}`
      near(body.angularVelocity[1], acceleration * dt, 1e-6, `angular velocity of ${what}`)
      near(totalNormalImpulse(world), impulse, 1e-6, `impulse of ${what}`)
      near(body.linearVelocity[0], speed - friction * impulse, 1e-6, `speed of ${what}`)
      world.free()
    }
  })
})

describeForSolvers('sliding until it stops', (solver) => {
  // The rows of the page, then others of the same kind.
  for (const { row, speed, degrees = 0, friction = 0.5, mass = 1, distance, steps } of [
    { row: 'A35', speed: 2, distance: 0.391904, steps: 25 },
    { row: 'A37', speed: 0.85, degrees: 45, distance: 0.0669376, steps: 10 },
    { row: 'A37', speed: 1.5, degrees: 45, distance: 0.2174208, steps: 19 },
    { row: 'A37', speed: 3, degrees: 45, distance: 0.8935411, steps: 38 },
    { row: 'A37', speed: 6, degrees: 45, distance: 3.6218803, steps: 76 },
    { row: 'A37', speed: 2, degrees: 20 },
    { row: 'A37', speed: 4.4, degrees: 73, friction: 0.9, mass: 250 },
    { row: 'A37', speed: 1, degrees: -160, friction: 0.15, mass: 0.02 },
  ]) {
    test(`${row}, A31, A38 ${speed} m/s at ${degrees}°, mu ${friction}, ${mass} kg`, async () => {
      const expected = slideUntilStop(speed, friction)
      if (distance !== undefined) {
        near(expected.distance, distance, 1e-6, 'the formula and the page')
        assert.equal(expected.steps, steps)
      }
      const { world, body, forward, sideways } = await slidingCube(solver, {
        speed,
        degrees,
        friction,
        mass,
      })
      const audit = new ConeAudit(world, friction, mass)
      const start = world.energy().total
      let before = start
      stepMany(world, expected.steps + 20, (step) => {
        const sliding = step <= expected.steps
        audit.afterStep()
        const total = world.energy().total
        assert.ok(
          total - before < 1e-8 * mass,
          `energy rose by ${total - before} J in step ${step}`,
        )
        assert.ok(total <= start + 1e-8 * mass, 'energy above the start')
        before = total
        near(body.linearVelocity[2], 0, 1e-6, `vertical velocity in step ${step}`)
        near(body.angularSpeed, 0, 1e-6, `angular speed in step ${step}`)
        near(dot(body.position, sideways), 0, 1e-6, `drift in step ${step}`)
        const speedNow = sliding ? speed - step * friction * g * dt : 0
        near(dot(body.linearVelocity, forward), speedNow, 1e-6, `speed in step ${step}`)
      })
      near(dot(body.position, forward), expected.distance, 1e-4, 'distance')
      assert.ok(audit.sliding > 0 && audit.contacts >= 4 * expected.steps)
      world.free()
    })
  }

  test('A38 the centre of pressure is mu h ahead while it slides', async () => {
    for (const [degrees, friction, mass] of [
      [0, 0.5, 1],
      [45, 0.5, 1],
      [20, 0.5, 1],
      [110, 0.3, 40],
    ]) {
      const { world, body, forward } = await slidingCube(solver, {
        speed: 3,
        degrees,
        friction,
        mass,
      })
      let centre = body.worldCenterOfMass
      stepMany(world, 30, (step) => {
        const { sum, offset } = pressure(world, centre)
        const ahead = friction * 0.5
        near(sum, mass * g * dt, 1e-5 * mass, `normal impulse in step ${step}`)
        nearVector(
          offset,
          [ahead * forward[0], ahead * forward[1]],
          1e-5,
          `centre of pressure ${step}`,
        )
        centre = body.worldCenterOfMass
      })
      world.free()
    }
  })
})

describeForSolvers('must show: oblique sliding with the default 20 iterations', (solver) => {
  for (const degrees of [0, 20, 45]) {
    for (const speed of [0.85, 1.5, 3, 6]) {
      test(`A37 ${speed} m/s at ${degrees}°: no energy, no drift, right distance`, async () => {
        const { world, body, forward, sideways } = await slidingCube(solver, {
          speed,
          degrees,
          // All that a user gets who says nothing, but for the direction of gravity.
          options: {
            iterations: 20,
            tolerance: 1e-8,
            restitutionThreshold: 'auto',
            linearSlop: 0.001,
            stabilization: 'split',
          },
        })
        let before = world.energy().total
        stepMany(world, 100, (step) => {
          const total = world.energy().total
          assert.ok(total - before <= 1e-8, `energy rose by ${total - before} J in step ${step}`)
          before = total
          near(dot(body.position, sideways), 0, 1e-6, `drift in step ${step}`)
        })
        const { distance } = slideUntilStop(speed, 0.5)
        near(dot(body.position, forward), distance, 1e-4, 'distance')
        world.free()
      })
    }
  }
})

describeForSolvers('a cube on a slope', (solver) => {
  for (const tilted of ['gravity', 'slab']) {
    test(`A42 below the friction angle it stays, ${tilted} tilted`, async () => {
      for (const [degrees, friction] of [
        [30, 0.6],
        [20, 0.37],
        [44, 1],
      ]) {
        const { world, body, start } = await slope(solver, tilted, degrees, friction)
        stepMany(world, 5000, undefined, 0.001)
        assert.ok(
          length(subtract(body.position, start)) < 1e-4,
          `${degrees}°, mu ${friction} drifts by ${length(subtract(body.position, start))} m`,
        )
        world.free()
      }
    })

    test(`A42 above the friction angle it slides by g (sin - mu cos), ${tilted} tilted`, async () => {
      for (const [degrees, friction] of [
        [30, 0.5],
        [45, 0.8],
        [12, 0],
      ]) {
        const { world, body, start, downhill } = await slope(solver, tilted, degrees, friction)
        const angle = (degrees * Math.PI) / 180
        const acceleration = g * (Math.sin(angle) - friction * Math.cos(angle))
        stepMany(world, 1000, undefined, 0.001)
        const way = (acceleration * 0.001 ** 2 * 1000 * 1001) / 2
        near(
          dot(body.linearVelocity, downhill),
          acceleration,
          1e-3 * acceleration,
          'speed after 1 s',
        )
        near(dot(subtract(body.position, start), downhill), way, 1e-3 * way, 'way after 1 s')
        near(body.angularSpeed, 0, 1e-5, 'angular speed')
        if (degrees === 30) {
          near(dot(body.linearVelocity, downhill), 0.657145, 1e-3 * 0.657145, 'speed of the page')
          near(
            dot(subtract(body.position, start), downhill),
            0.328901,
            1e-3 * 0.328901,
            'way of the page',
          )
        }
        world.free()
      }
    })
  }
})

/**
 * A cube at rest on a slope whose downhill direction has +x.
 *
 * @param {import('./support.mjs').SolverName} solver
 * @param {string} tilted what is tilted, gravity or the slab
 * @param {number} degrees
 * @param {number} friction
 */
async function slope(solver, tilted, degrees, friction) {
  const angle = (degrees * Math.PI) / 180
  const common = { friction }
  if (tilted === 'gravity') {
    const world = await acceptanceWorld({
      solver,
      gravity: [g * Math.sin(angle), 0, -g * Math.cos(angle)],
    })
    addSlab(world, common)
    const start = /** @type {Vector} */ ([0, 0, 0.5])
    const body = world.createBody({ ...common, shape: cube, mass: 1, position: start })
    return { world, body, start, downhill: /** @type {Vector} */ ([1, 0, 0]) }
  }
  const world = await acceptanceWorld({ solver })
  const orientation = turn([0, 1, 0], angle)
  const up = /** @type {Vector} */ ([Math.sin(angle), 0, Math.cos(angle)])
  const start = /** @type {Vector} */ (up.map((x) => 0.5 * x))
  addSlab(world, { ...common, orientation, position: up.map((x) => -0.5 * x) })
  const body = world.createBody({ ...common, shape: cube, mass: 1, position: start, orientation })
  return {
    world,
    body,
    start,
    downhill: /** @type {Vector} */ ([Math.cos(angle), 0, -Math.sin(angle)]),
  }
}
