import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MoreauError, Potential, World } from 'moreau'
import { near } from './support.mjs'

/** @typedef {import('moreau').MoreauErrorCode} MoreauErrorCode */

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.1 })
const weightless = { gravity: [0, 0, 0] }

/**
 * @param {() => unknown} call
 * @param {MoreauErrorCode} code
 * @param {RegExp} text
 * @returns {MoreauError}
 */
function refuses(call, code, text) {
  /** @type {unknown} */
  let caught
  assert.throws(call, (error) => {
    caught = error
    return error instanceof MoreauError && error.code === code && text.test(error.message)
  })
  return /** @type {MoreauError} */ (caught)
}

describe('potentials', () => {
  test('A60 gravity of 10 kg at 100 m: 9810 J, -98.1 N, no torque', async () => {
    const world = await World.create(weightless)
    const body = world.createBody({ shape: ball, mass: 10, position: [0, 0, 100] })
    const gravity = world.createPotential({ type: 'gravity', gravity: [0, 0, -9.81] })
    assert.ok(gravity instanceof Potential)
    near(gravity.energy(), 9810, 1e-9)
    near(gravity.force(body)[2], -98.1, 1e-12)
    assert.deepEqual(gravity.torque(body), [0, 0, 0])
    const h = 1e-3
    body.position = [0, 0, 100 + h]
    const above = world.energy().potential
    body.position = [0, 0, 100 - h]
    near(
      -(above - world.energy().potential) / (2 * h),
      -98.1,
      1e-6,
      'minus the slope of the energy',
    )
    world.free()
  })

  test('energies of all types add up, and those of destroyed ones do not count', async () => {
    const world = await World.create(weightless)
    const a = world.createBody({ shape: ball, mass: 2, position: [2, 0, 0] })
    const b = world.createBody({ shape: ball, mass: 1, position: [0, 5, 0] })
    const point = world.createPotential({ type: 'pointGravity', mu: 10, bodies: a })
    near(point.energy(), -10, 1e-12)
    near(point.force(a)[0], -5, 1e-12)
    assert.deepEqual(point.force(b), [0, 0, 0], 'it acts on the first body alone')
    const spring = world.createPotential({
      type: 'spring',
      bodyA: b,
      anchorB: [0, 1, 0],
      stiffness: 8,
      restLength: 3,
    })
    near(spring.energy(), 4, 1e-12)
    near(spring.force(b)[1], -8, 1e-12)
    const magnet = world.createPotential({
      type: 'magnetic',
      bodies: [b],
      moment: [1, 0, 0],
      field: [0, 2, 0],
    })
    near(magnet.torque(b)[2], 2, 1e-12)
    const tide = world.createPotential({ type: 'tidal', mu: 10, bodies: [a] })
    near(tide.energy(), 0, 1e-12, 'a ball feels no tide')
    const drag = world.createPotential({ type: 'drag', linear: 1 })
    assert.equal(drag.energy(), 0)
    near(world.energy().potential, -6, 1e-12)
    assert.deepEqual(world.potentials, [point, spring, magnet, tide, drag])
    spring.destroy()
    assert.equal(spring.isAlive, false)
    near(world.energy().potential, -10, 1e-12)
    assert.equal(world.potentials.length, 4)
    refuses(() => spring.energy(), 'stale-handle', /potential 'spring' \(id \d+\) was destroyed/)
    refuses(() => spring.destroy(), 'stale-handle', /destroyed/)
    world.free()
    refuses(() => drag.energy(), 'stale-handle', /freed/)
  })

  test('a spring pulls two bodies together and keeps their momentum', async () => {
    const world = await World.create(weightless)
    const bodyA = world.createBody({ shape: ball, mass: 1, position: [-1, 0, 0] })
    const bodyB = world.createBody({ shape: ball, mass: 3, position: [1, 0, 0] })
    world.createPotential({ type: 'spring', bodyA, bodyB, stiffness: 4, restLength: 1 })
    for (let i = 0; i < 30; i++) world.step(1 / 60)
    assert.ok(bodyA.position[0] > -0.9 && bodyB.position[0] < 0.97)
    near(world.momentum().linear[0], 0, 1e-14)
    bodyB.destroy()
    assert.equal(world.energy().potential, 0)
    world.step(1 / 60)
    world.free()
  })

  test('a custom potential: a trap for all bodies, also for later ones', async () => {
    const world = await World.create({ ...weightless, integrator: 'velocity-verlet' })
    const body = world.createBody({ shape: ball, mass: 2, position: [1, 0, 0] })
    /** @type {number[]} */
    const masses = []
    const trap = world.createPotential({
      type: 'custom',
      force({ worldCenterOfMass, mass }, time, out) {
        masses.push(mass)
        for (let i = 0; i < 3; i++) out[i] = -8 * worldCenterOfMass[i]
      },
      torque(seen, time, out) {
        out[2] = 0.001
      },
      energy: ({ worldCenterOfMass: [x, y, z] }) => 4 * (x * x + y * y + z * z),
      userData: 'mine',
    })
    assert.equal(trap.userData, 'mine')
    near(world.energy().potential, 4, 1e-12)
    for (let i = 0; i < 100; i++) world.step(0.01)
    near(body.position[0], Math.cos(2), 1e-4)
    near(body.angularVelocity[2], 0.001 / body.inertia[8], 1e-12)
    near(world.energy().total, 4, 1e-3)
    assert.ok(masses.length >= 100 && masses.every((mass) => mass === 2))
    const later = world.createBody({ shape: ball, mass: 1, position: [0, 3, 0] })
    world.step(0.01)
    assert.ok(later.linearVelocity[1] < 0)
    trap.destroy()
    world.free()
  })

  test('a throwing custom potential fails the step, names itself, and changes nothing', async () => {
    const world = await World.create(weightless)
    const body = world.createBody({ shape: ball, mass: 1, position: [1, 0, 0] })
    let mood = /** @type {'good' | 'throws' | 'NaN'} */ ('good')
    const cause = new RangeError('mine')
    const trap = world.createPotential({
      type: 'custom',
      force(seen, time, out) {
        if (mood === 'throws') throw cause
        out[0] = mood === 'NaN' ? NaN : 1
      },
      energy() {
        if (mood === 'throws') throw cause
        return mood === 'NaN' ? NaN : 0
      },
    })
    world.step(0.1)
    for (const bad of /** @type {const} */ (['throws', 'NaN'])) {
      mood = bad
      const before = world.hash()
      const error = refuses(
        () => world.step(0.1),
        'potential-failed',
        /potential 'custom' \(id \d+\)/,
      )
      assert.equal(error.cause, bad === 'throws' ? cause : undefined)
      assert.equal(world.hash(), before)
      assert.equal(refuses(() => trap.energy(), 'potential-failed', /custom/).cause, error.cause)
      assert.equal(refuses(() => world.energy(), 'potential-failed', /energy/).cause, error.cause)
      refuses(() => trap.force(body), 'potential-failed', /custom/)
      mood = 'good'
      world.step(0.1)
    }
    near(body.linearVelocity[0], 0.3, 1e-12)
    world.free()
  })

  test('inside of a callback the world can be read and not changed', async () => {
    const world = await World.create(weightless)
    const body = world.createBody({ shape: ball, mass: 1 })
    /** @type {unknown[]} */
    const codes = []
    const tries = [
      () => world.step(0.1),
      () => (body.position = [1, 2, 3]),
      () => body.destroy(),
      () => world.createBody({ shape: ball }),
      () => world.createPotential({ type: 'drag', linear: 1 }),
      () => trap.destroy(),
      () => world.free(),
    ]
    const trap = world.createPotential({
      type: 'custom',
      force() {
        assert.equal(world.bodies.length, 1)
        for (const attempt of tries) {
          try {
            attempt()
            codes.push('done')
          } catch (error) {
            codes.push(/** @type {MoreauError} */ (error).code)
          }
        }
      },
    })
    world.step(0.1)
    assert.deepEqual(codes, Array(tries.length).fill('world-locked'))
    assert.equal(world.stepCount, 1)
    world.free()
  })

  test('bad definitions are refused by name', async () => {
    const world = await World.create()
    const other = await World.create()
    const bodyA = world.createBody({ shape: ball, mass: 1 })
    const stranger = other.createBody({ shape: ball, mass: 1 })
    const gone = world.createBody({ shape: ball, mass: 1 })
    gone.destroy()
    const before = world.hash()
    /** @type {[unknown, RegExp, MoreauErrorCode?][]} */
    const cases = [
      [undefined, /definition must be an object/],
      [{ type: 'gravitation' }, /type must be one of/],
      [{ type: 'buoyancy' }, /a buoyancy potential needs density/],
      [{ type: 'buoyancy', density: -1 }, /density must be a finite number, 0 or more, got -1/],
      [
        { type: 'buoyancy', density: 1, surface: { normal: [0, 0, 0] } },
        /normal must be not all 0/,
      ],
      [{ type: 'buoyancy', density: 1, surface: { offset: NaN } }, /surface.offset must be/],
      [{ type: 'drag', velocity: [1, 2] }, /velocity must be/],
      [{ type: 'gravity', gravity: [0, 0, 1], region: { type: 'cone' } }, /region.type must be/],
      [{ type: 'tidal', mu: 1, region: { type: 'sphere' } }, /region.radius must be/],
      [{ type: 'mutualGravity', gravitationalConstant: -1 }, /gravitationalConstant must be/],
      [{ type: 'mutualGravity', region: { type: 'sphere', radius: 1 } }, /unknown option 'region'/],
      [{ type: 'gravity' }, /a gravity potential needs gravity/],
      [{ type: 'gravity', gravity: [0, NaN, 0] }, /gravity must be three finite numbers/],
      [{ type: 'pointGravity', mu: -1 }, /mu must be a finite number, 0 or more, got -1/],
      [
        { type: 'pointGravity', mu: 1, centre: [0, 0, 0] },
        /unknown option 'centre'; did you mean 'center'/,
      ],
      [{ type: 'tidal', mu: 1, softening: 2 }, /unknown option 'softening'/],
      [{ type: 'magnetic' }, /needs moment/],
      [{ type: 'drag', quadratic: Infinity }, /quadratic must be/],
      [{ type: 'drag', linear: 1, bodies: [] }, /bodies must be a body or an array of one or more/],
      [{ type: 'drag', linear: 1, bodies: [bodyA, bodyA] }, /each body once/],
      [
        { type: 'drag', linear: 1, bodies: [stranger] },
        /bodies\[0\]: body \d+ is of another world/,
      ],
      [{ type: 'drag', linear: 1, bodies: [gone] }, /destroyed/, 'stale-handle'],
      [{ type: 'spring', bodyA, stiffness: 1 }, /a spring to the world needs anchorB/],
      [{ type: 'spring', bodyA, bodyB: bodyA, stiffness: 1 }, /must be different bodies/],
      [{ type: 'spring', bodyA, anchorB: [0, 0, 0] }, /needs stiffness/],
      [{ type: 'spring', bodyA: 5, stiffness: 1 }, /bodyA must be a body of this world, got 5/],
      [{ type: 'custom' }, /needs force/],
      [{ type: 'custom', force: 3 }, /force must be a function, got 3/],
      [{ type: 'custom', force() {}, energy: 1 }, /energy must be a function, got 1/],
    ]
    for (const [definition, text, code = 'invalid-argument'] of cases) {
      refuses(() => world.createPotential(/** @type {never} */ (definition)), code, text)
    }
    assert.equal(world.hash(), before)
    assert.equal(world.potentials.length, 0)
    // @ts-expect-error made by the world alone
    assert.throws(() => new Potential(), /createPotential/)
    world.free()
    other.free()
  })

  test('a gravity gradient turns a dumb-bell to the source and back', async () => {
    // Librations about the axis to the source: w² = 3 mu / r³ (I3 - I1) / I2.
    const world = await World.create({ ...weightless, integrator: 'implicit-midpoint' })
    const angle = 0.01
    const body = world.createBody({
      mass: 1e9, // it stays where it is
      inertia: [0.1, 1, 1],
      position: [10, 0, 0],
      orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
    })
    world.createPotential({ type: 'tidal', mu: 1000 })
    const period = (2 * Math.PI) / Math.sqrt(3 * 0.9)
    for (let i = 0; i < 500; i++) world.step(period / 1000)
    near(2 * body.orientation[2], -angle, 2e-4 * angle, 'half a period later')
    world.free()
  })

  test('no garbage of the engine: custom potentials allocate nothing in it', async () => {
    const world = await World.create({ ...weightless, integrator: 'rk4' })
    world.createBody({ shape: ball, mass: 1, position: [1, 0, 0] })
    world.createPotential({
      type: 'custom',
      force(body, time, out) {
        out[0] = -body.worldCenterOfMass[0]
      },
    })
    for (let i = 0; i < 5; i++) world.step(0.01)
    const before = world.memory()
    for (let i = 0; i < 50; i++) world.step(0.01)
    assert.deepEqual(world.memory(), before)
    world.free()
  })
})
