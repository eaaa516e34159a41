/** Laws that every answer of the exact solvers obeys, on random islands of seeded generators. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { init, solveContactProblem } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { rotate } from '../../scenarios/vector.mjs'
import { addSlab, cube, dt, exactWorld, g, near, nearVector, stepMany } from './support.mjs'

/** @typedef {import('./support.mjs').Vector} Vector */
/** @typedef {import('./support.mjs').WorldOptions} WorldOptions */
/** @typedef {Parameters<import('moreau').World['createBody']>[0]} BodyDefinition */

await init()

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const still = /** @type {WorldOptions} */ ({ gravity: [0, 0, 0], stabilization: 'none' })

/**
 * Bodies that overlap a little and fly in all directions: everybody touches somebody.
 *
 * @param {number} seed
 * @param {{ count?: number, friction?: number, restitution?: number, boxes?: boolean,
 *   decades?: number }} [setting]
 * @returns {BodyDefinition[]}
 */
function cloud(
  seed,
  { count = 10, friction = 0.3, restitution = 0, boxes = false, decades = 1 } = {},
) {
  const random = new Random(seed)
  const vector = (/** @type {number} */ size) =>
    /** @type {Vector} */ ([0, 0, 0].map(() => random.between(-size, size)))
  return Array.from({ length: count }, (_, i) => ({
    shape: boxes && i % 2 === 0 ? cube : { type: 'sphere', radius: 0.5 },
    mass: 10 ** random.between(0, decades),
    friction,
    restitution,
    position: vector(1.1),
    orientation: random.orientation(),
    linearVelocity: vector(2),
    angularVelocity: vector(2),
  }))
}

/**
 * One step of a cloud.
 *
 * @param {BodyDefinition[]} bodies
 * @param {WorldOptions} [options]
 */
async function stepOnce(bodies, options = {}) {
  const world = await exactWorld({ ...still, tolerance: 1e-11, ...options })
  const made = bodies.map((definition) => world.createBody(definition))
  const before = { energy: world.energy().kinetic, momentum: world.momentum() }
  world.step(dt)
  const result = {
    velocities: made.map((body) => [...body.linearVelocity, ...body.angularVelocity]),
    positions: made.map((body) => body.position),
    contacts: world.contactPoints().length,
    residual: world.residual().worst,
    solvers: world.islands().map(({ solver }) => solver),
    before,
    after: { energy: world.energy().kinetic, momentum: world.momentum() },
  }
  world.free()
  assert.ok(result.contacts >= bodies.length / 2, `${result.contacts} contacts`)
  return result
}

/**
 * @param {number[][]} actual
 * @param {number[][]} expected
 * @param {number} tolerance
 * @param {string} what
 */
function nearAll(actual, expected, tolerance, what) {
  for (const [i, list] of expected.entries()) nearVector(actual[i], list, tolerance, `${what} ${i}`)
}

describe('one step of a random cloud', () => {
  for (const friction of [0, 0.3]) {
    test(`the velocities do not depend on the order of bodies and contacts, mu ${friction}`, async () => {
      for (const seed of SEEDS) {
        const bodies = cloud(seed, { friction, boxes: friction === 0 })
        const expected = await stepOnce(bodies)
        const shuffle = new Random(seed + 100)
        for (let turn = 0; turn < 3; turn++) {
          const order = bodies.map((_, i) => ({ i, key: shuffle.next() }))
          order.sort((a, b) => a.key - b.key)
          const actual = await stepOnce(order.map(({ i }) => bodies[i]))
          const back = order.map(({ i }) => expected.velocities[i])
          nearAll(actual.velocities, back, 1e-8, `velocity, seed ${seed}, body`)
        }
      }
    })
  }

  test('is solved within the tolerance, by the solver that its friction asks for', async () => {
    for (const seed of SEEDS) {
      for (const friction of [0, 0.5]) {
        const { residual, solvers } = await stepOnce(cloud(seed, { friction, boxes: true }), {
          tolerance: 1e-8,
        })
        assert.ok(residual <= 1e-8, `certificate ${residual}, seed ${seed}, mu ${friction}`)
        for (const solver of solvers) assert.equal(solver, friction > 0 ? 'cone' : 'active-set')
      }
    }
  })

  test('momentum is conserved to round-off', async () => {
    for (const seed of SEEDS) {
      const { before, after } = await stepOnce(cloud(seed, { boxes: true, friction: 0.5 }))
      nearVector(after.momentum.linear, before.momentum.linear, 1e-11, `linear, seed ${seed}`)
      // Poses move on by the new velocities; of r x p only round-off and the turning of boxes remain.
      const balls = await stepOnce(cloud(seed, { friction: 0.5 }))
      nearVector(
        balls.after.momentum.angular,
        balls.before.momentum.angular,
        1e-10,
        `angular, seed ${seed}`,
      )
    }
  })

  test('energy does not rise at e = 0', async () => {
    for (const seed of SEEDS) {
      for (const friction of [0, 0.3, 1]) {
        const bodies = cloud(seed, { boxes: true, friction, decades: 3 })
        const { before, after } = await stepOnce(bodies)
        assert.ok(
          after.energy <= before.energy * (1 + 1e-12),
          `seed ${seed}, mu ${friction}: ${before.energy} J became ${after.energy} J`,
        )
      }
    }
  })

  test('E14: nor at e > 0, where Newton and Coulomb together could make some', async () => {
    for (const seed of SEEDS) {
      for (const restitution of [0.5, 1]) {
        const bodies = cloud(seed, { boxes: true, friction: 0.8, restitution })
        const { before, after } = await stepOnce(bodies, { restitutionThreshold: 0 })
        assert.ok(
          after.energy <= before.energy * (1 + 2e-5),
          `seed ${seed}, e ${restitution}: ${before.energy} J became ${after.energy} J`,
        )
      }
    }
  })

  test('turning the whole scene turns the answer', async () => {
    for (const seed of SEEDS) {
      const bodies = cloud(seed)
      const expected = await stepOnce(bodies)
      const turn = new Random(seed + 50).orientation()
      const turned = bodies.map((body) => ({
        ...body,
        position: rotate(turn, /** @type {Vector} */ (body.position)),
        linearVelocity: rotate(turn, /** @type {Vector} */ (body.linearVelocity)),
        angularVelocity: rotate(turn, /** @type {Vector} */ (body.angularVelocity)),
      }))
      const actual = await stepOnce(turned)
      const wanted = expected.velocities.map(([a, b, c, d, e, f]) => [
        ...rotate(turn, [a, b, c]),
        ...rotate(turn, [d, e, f]),
      ])
      nearAll(actual.velocities, wanted, 1e-8, `velocity, seed ${seed}, body`)
    }
  })

  for (const { shift, tolerance } of [
    { shift: 16, tolerance: 1e-8 },
    // Positions there have a spacing of 2e-12 m, normals a tenth more of it per metre of arm.
    { shift: 1e4, tolerance: 1e-7 },
  ]) {
    test(`moving the whole scene by ${shift} m leaves the velocities within ${tolerance}`, async () => {
      for (const seed of SEEDS) {
        const bodies = cloud(seed)
        const expected = await stepOnce(bodies)
        const moved = bodies.map((body) => ({
          ...body,
          position: /** @type {Vector} */ (
            /** @type {Vector} */ (body.position).map((x, axis) => x + shift * [1, -1, 0.5][axis])
          ),
        }))
        const actual = await stepOnce(moved)
        assert.equal(actual.contacts, expected.contacts)
        nearAll(actual.velocities, expected.velocities, tolerance, `velocity, seed ${seed}, body`)
      }
    })
  }
})

describe('an eccentric impact of a rod with e = 1 and friction', () => {
  /**
   * A rod whose lowest corner touches the floor as it comes in, one step.
   *
   * @param {number} seed
   */
  async function impact(seed) {
    const random = new Random(seed)
    const half = [0.08, 0.6, 0.05]
    const orientation = random.orientation()
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
      rotate(
        orientation,
        /** @type {Vector} */ (half.map((x, axis) => ((i >> axis) & 1 ? x : -x))),
      ),
    )
    const lowest = Math.min(...corners.map((corner) => corner[2]))
    const world = await exactWorld({ ...still, tolerance: 1e-11, restitutionThreshold: 0 })
    const surface = { friction: 1, restitution: 1 }
    addSlab(world, surface)
    const rod = world.createBody({
      ...surface,
      shape: { type: 'box', halfExtents: /** @type {Vector} */ (half) },
      mass: 1,
      orientation,
      position: [0, 0, -lowest],
      linearVelocity: [random.between(-3, 3), random.between(-3, 3), random.between(-2, 0)],
      angularVelocity: [0, 0, 0].map(() => random.between(-3, 3)),
    })
    const centre = rod.worldCenterOfMass
    const [v, w] = [rod.linearVelocity, rod.angularVelocity]
    const before = rod.kineticEnergy
    world.step(dt)
    const reported = world.stats.curedEnergyGain
    const result = { gain: rod.kineticEnergy - before, uncured: 0, before, reported }
    const points = world.contactPoints()
    if (points.length === 1) {
      // What Newton's restitution with Coulomb's friction would do: the same problem with its full target.
      const [x, y] = points[0].position.map((p, axis) => p - centre[axis])
      const approach = v[2] + w[0] * y - w[1] * x
      const problem = world.recordProblem()
      if (approach < 0) {
        const free = [approach, problem.q[1], problem.q[2]]
        const { impulses, velocities } = solveContactProblem({
          ...problem,
          q: [2 * approach, free[1], free[2]],
        })
        velocities[0] -= approach
        result.uncured = impulses.reduce(
          (sum, r, i) => sum + 0.5 * r * (free[i] + velocities[i]),
          0,
        )
      }
    }
    world.free()
    return result
  }

  test('E14: would create energy in some cases, and never does', async () => {
    let cured = 0
    for (let seed = 1; seed <= 200; seed++) {
      const { gain, uncured, before, reported } = await impact(seed)
      assert.ok(gain <= 1e-5 * before, `${gain} J of ${before} J more, seed ${seed}`)
      if (uncured > 1e-3 * before) {
        assert.ok(reported > 1e-3 * before, 'the gain is told')
        cured++
      }
    }
    assert.ok(cured > 0, 'the cases are those that need a cure')
  })
})

describe('long runs', () => {
  test('in a heap at e = 0 contacts only take energy', async () => {
    for (const solver of /** @type {const} */ (['exact', 'active-set'])) {
      const friction = solver === 'exact' ? 0.5 : 0
      const world = await exactWorld({ stabilization: 'none' })
      addSlab(world, { friction })
      const random = new Random(3)
      for (let i = 0; i < 12; i++) {
        world.createBody({
          shape: i % 2 === 0 ? cube : { type: 'sphere', radius: 0.5 },
          mass: 1,
          friction,
          position: [random.between(-1, 1), random.between(-1, 1), 0.6 + 1.1 * i],
          orientation: random.orientation(),
        })
      }
      const moving = world.bodies.filter((body) => body.type === 'dynamic')
      // Kinetic energy with the velocities that gravity alone would give: v - g dt.
      const withGravity = () =>
        moving.reduce(
          (sum, { mass, linearVelocity }) =>
            sum + mass * g * dt * (0.5 * g * dt - linearVelocity[2]),
          world.energy().kinetic,
        )
      let limit = withGravity()
      stepMany(world, 200, (step) => {
        const { kinetic } = world.energy()
        assert.ok(
          kinetic <= limit + 1e-9 * Math.max(1, limit),
          `${kinetic - limit} J in step ${step}`,
        )
        limit = withGravity()
      })
      world.free()
    }
  })
})

/**
 * A problem of random bodies' rows: W = J J' with full rank, and q that closes most contacts.
 *
 * @param {number} seed
 * @param {number} contacts
 * @param {number} friction
 */
function randomProblem(seed, contacts, friction) {
  const random = new Random(seed)
  const size = 3 * contacts
  const rows = Array.from({ length: size }, () =>
    Array.from({ length: size + 4 }, () => random.between(-1, 1)),
  )
  const W = rows.map((p) =>
    rows.map((q) => p.reduce((sum, value, i) => sum + value * q[i], 0) / size),
  )
  // Stronger diagonal: contacts of different bodies know less of each other than of themselves.
  for (let i = 0; i < size; i++) W[i][i] += 0.5
  const q = Array.from({ length: size }, (_, i) => random.between(i % 3 === 0 ? -2 : -1, 1))
  return { W, q, mu: Array(contacts).fill(friction) }
}

describe('solvers agree on random matrices', () => {
  const tight = { tolerance: 1e-12, maxIterations: 1e5 }

  test('cone and active-set at mu = 0', () => {
    for (const seed of SEEDS) {
      const problem = randomProblem(seed, 6, 0)
      const cone = solveContactProblem(problem, { ...tight, solver: 'cone' })
      const active = solveContactProblem(problem, { ...tight, solver: 'active-set' })
      assert.equal(cone.status, 'converged')
      assert.equal(active.status, 'converged')
      nearVector(cone.velocities, active.velocities, 1e-10, `velocities, seed ${seed}`)
    }
  })

  for (const friction of [0, 0.1, 0.3, 0.5]) {
    test(`cone and converged block-pgs at mu = ${friction}`, () => {
      for (const seed of SEEDS) {
        const problem = randomProblem(seed, 6, friction)
        const cone = solveContactProblem(problem, { ...tight, solver: 'cone' })
        const sweeps = solveContactProblem(problem, { ...tight, solver: 'block-pgs' })
        assert.ok(cone.residual < 1e-10, `cone ${cone.residual}, seed ${seed}`)
        assert.ok(sweeps.residual < 1e-9, `block-pgs ${sweeps.residual}, seed ${seed}`)
        nearVector(cone.velocities, sweeps.velocities, 1e-7, `velocities, seed ${seed}`)
      }
    })
  }

  test('the order of contacts does not matter', () => {
    for (const seed of SEEDS) {
      const { W, q, mu } = randomProblem(seed, 6, 0.3)
      const straight = solveContactProblem({ W, q, mu }, tight)
      const order = [3, 0, 5, 1, 4, 2].flatMap((i) => [3 * i, 3 * i + 1, 3 * i + 2])
      const permuted = solveContactProblem(
        { W: order.map((i) => order.map((k) => W[i][k])), q: order.map((i) => q[i]), mu },
        tight,
      )
      const expected = order.map((i) => straight.velocities[i])
      nearVector(permuted.velocities, expected, 1e-10, `velocities, seed ${seed}`)
    }
  })
})

describe('the convex law', () => {
  test('lifts a sliding box by mu times its slip, which Coulomb does not', async () => {
    for (const friction of [0.2, 0.5]) {
      /** @type {number[][]} */
      /** @type {(readonly number[])[]} */
      const velocities = []
      for (const frictionLaw of /** @type {const} */ (['convex', 'coulomb'])) {
        const world = await exactWorld({ frictionLaw, tolerance: 1e-11 })
        addSlab(world, { friction })
        const body = world.createBody({
          shape: cube,
          mass: 1,
          friction,
          position: [0, 0, 0.5],
          linearVelocity: [3, 0, 0],
        })
        world.step(dt)
        velocities.push(body.linearVelocity)
        assert.ok(world.islands()[0].residual <= 1e-11, 'its own law holds')
        world.free()
      }
      const [convex, coulomb] = velocities
      near(convex[2], friction * convex[0], 1e-9, 'u_N = mu |u_T|')
      // Sum of the impulses: J (1 + mu^2) = g dt + mu v.
      const impulse = (g * dt + friction * 3) / (1 + friction ** 2)
      near(convex[0], 3 - friction * impulse, 1e-9, 'slip')
      near(coulomb[2], 0, 1e-9, 'Coulomb stays on the floor')
      near(coulomb[0], 3 - friction * g * dt, 1e-9, 'slip with Coulomb')
      if (friction === 0.5) near(convex[2], 1.1686, 1e-4, 'the number of E13')
    }
  })
})

describe('jointed cubes in free flight', () => {
  for (const type of /** @type {const} */ (['ball', 'hinge', 'slider', 'fixed', 'distance'])) {
    test(`a pair on a ${type} joint, closed every step, keeps both momenta to round-off`, async () => {
      const world = await exactWorld({ gravity: [0, 0, 0], tolerance: 1e-10 })
      const bodyA = world.createBody({ shape: cube, mass: 1, angularVelocity: [0.3, 0.2, 1] })
      const bodyB = world.createBody({
        shape: cube,
        mass: 2,
        position: [1.2, 0, 0],
        linearVelocity: [0, 0.5, 0.3],
        angularVelocity: [0, 0.4, 1],
      })
      const axis = /** @type {const} */ ([0, 0, 1])
      const anchors = {
        anchorA: /** @type {const} */ ([0.6, 0, 0]),
        anchorB: /** @type {const} */ ([type === 'distance' ? -0.4 : -0.6, 0, 0]),
      }
      const joint = world.createJoint({
        type,
        bodyA,
        bodyB,
        ...anchors,
        ...(type === 'hinge' || type === 'slider' ? { axisA: axis, axisB: axis } : {}),
      })
      const { linear, angular } = world.momentum()
      stepMany(
        world,
        300,
        (step) => {
          const now = world.momentum()
          nearVector(now.linear, linear, 1e-12, `linear momentum in step ${step}`)
          nearVector(now.angular, angular, 1e-10, `angular momentum in step ${step}`)
          for (const error of joint.violation()) near(error, 0, 1e-8, `joint in step ${step}`)
        },
        1 / 60,
      )
      world.free()
    })
  }
})
