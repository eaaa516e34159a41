import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Body, CONTACT_POINT_LAYOUT, init, World } from 'moreau'

const dt = 1 / 60
const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
const ground = /** @type {const} */ ({ type: 'static', shape: { type: 'plane' } })

before(() => init())

/**
 * @param {World} world
 * @param {number} steps
 */
function run(world, steps) {
  for (let i = 0; i < steps; i++) world.step(dt)
}

/** @param {string} code */
const withCode = (code) => (/** @type {unknown} */ error) => {
  assert.equal(/** @type {{ code?: string }} */ (error).code, code, String(error))
  return true
}

/**
 * A ball and a cube on the ground, at rest.
 * @param {import('moreau').SolverName} [solver]
 */
function settledWorld(solver = 'block-pgs') {
  const world = new World({ solver, allowSleep: false })
  const floor = world.createBody(ground)
  const round = world.createBody({ shape: ball, position: [0, 0.5, 0], mass: 2 })
  const box = world.createBody({ shape: cube, position: [3, 0.5, 0], mass: 4 })
  run(world, 60)
  return { world, floor, round, box }
}

describe('settings', () => {
  test('defaults are those of the documentation', () => {
    const world = new World()
    assert.deepEqual(world.gravity, [0, -9.81, 0])
    assert.equal(world.solver, 'auto')
    assert.equal(world.substeps, 4)
    assert.equal(world.iterations, 20)
    assert.equal(world.tolerance, 1e-8)
    assert.equal(world.frictionLaw, 'coulomb')
    assert.equal(world.impactLaw, 'newton')
    assert.equal(world.integrator, 'semi-implicit-euler')
    assert.equal(world.allowSleep, true)
    assert.equal(world.sleepThreshold, 'auto')
    assert.equal(world.timeToSleep, 0.5)
    assert.equal(world.contactHertz, 30)
    assert.equal(world.contactDamping, 10)
    assert.equal(world.jointHertz, 120)
    assert.equal(world.jointDamping, 1)
    assert.equal(world.certify, false)
    assert.equal(world.profiling, false)
    assert.equal(world.restitutionThreshold, 'auto')
    assert.equal(world.linearSlop, 'auto')
    assert.equal(world.stabilization, 'split')
    assert.equal(world.errorReduction, 0.2)
    assert.equal(world.maxCorrectionSpeed, 3)
  })

  test('every option is taken by the constructor and by its setter', () => {
    const values = {
      gravity: [1, 2, 3],
      solver: /** @type {const} */ ('block-pgs'),
      substeps: 3,
      contactHertz: 20,
      contactDamping: 5,
      jointHertz: 40,
      jointDamping: 2,
      sleepThreshold: 0.1,
      timeToSleep: 1,
      certify: true,
      iterations: 7,
      tolerance: 1e-5,
      frictionLaw: /** @type {const} */ ('coulomb'),
      impactLaw: /** @type {const} */ ('generalized-reflections'),
      integrator: /** @type {const} */ ('semi-implicit-euler'),
      allowSleep: /** @type {const} */ (false),
      restitutionThreshold: 0.25,
      linearSlop: 0.002,
      stabilization: /** @type {const} */ ('baumgarte'),
      errorReduction: 0.5,
      maxCorrectionSpeed: 1.5,
    }
    const made = new World(values)
    const changed = new World()
    Object.assign(changed, values)
    for (const [name, value] of Object.entries(values)) {
      assert.deepEqual(Reflect.get(made, name), value, name)
      assert.deepEqual(Reflect.get(changed, name), value, name)
    }
  })

  test('undefined options are as if they were not there', () => {
    const world = new World({ gravity: undefined, iterations: undefined, contactHertz: undefined })
    assert.deepEqual(world.gravity, [0, -9.81, 0])
    assert.equal(world.iterations, 20)
  })

  test('gravity may be a vector object, and a change counts from the next step on', () => {
    const world = new World({ gravity: { x: 0, y: 0, z: -10 } })
    const body = world.createBody({ shape: ball })
    world.step(0.1)
    assert.deepEqual(body.linearVelocity, [0, 0, -1])
    world.gravity = [10, 0, 0]
    world.step(0.1)
    assert.deepEqual(body.linearVelocity, [1, 0, -1])
  })

  test('linearSlop and sleepThreshold go back to auto', () => {
    const world = new World({ linearSlop: 0, sleepThreshold: 0 })
    assert.deepEqual([world.linearSlop, world.sleepThreshold], [0, 0])
    world.linearSlop = 'auto'
    world.sleepThreshold = 'auto'
    assert.deepEqual([world.linearSlop, world.sleepThreshold], ['auto', 'auto'])
  })

  test('restitutionThreshold goes back to auto', () => {
    const world = new World({ restitutionThreshold: 0 })
    assert.equal(world.restitutionThreshold, 0)
    world.restitutionThreshold = 'auto'
    assert.equal(world.restitutionThreshold, 'auto')
  })
})

describe('time', () => {
  test('World.create loads the engine', async () => {
    assert.ok((await World.create()) instanceof World)
    assert.equal((await World.create({ iterations: 3 })).iterations, 3)
  })

  test('a step moves time and count; a step of 0 s does nothing', () => {
    const world = new World()
    world.createBody({ shape: ball })
    assert.equal(world.time, 0)
    assert.equal(world.stepCount, 0)
    world.step(0.25)
    world.step(0.5)
    assert.equal(world.time, 0.75)
    assert.equal(world.stepCount, 2)
    const hash = world.hash()
    world.step(0)
    assert.equal(world.hash(), hash)
  })

  test('advance makes whole steps and keeps the rest', () => {
    const world = new World()
    assert.equal(world.interpolation, 0)
    assert.equal(world.advance(0.1), 6)
    assert.ok(world.interpolation < 1e-6)
    assert.equal(world.advance(0.025, { fixedDt: 0.01 }), 2)
    assert.ok(Math.abs(world.interpolation - 0.5) < 1e-9)
    assert.equal(world.advance(0.0049, { fixedDt: 0.01 }), 0)
    assert.ok(world.interpolation > 0.98 && world.interpolation < 1)
    assert.equal(world.advance(0.0001, { fixedDt: 0.01 }), 1)
    assert.equal(world.stepCount, 9)
  })

  test('advance drops time beyond maxSteps', () => {
    const world = new World()
    assert.equal(world.advance(100), 8)
    assert.equal(world.advance(1, { maxSteps: 3 }), 3)
    assert.equal(world.advance(0), 0)
    assert.ok(world.interpolation >= 0 && world.interpolation <= 1)
  })

  test('advance gives the time back of steps that failed', () => {
    class Wild extends World {
      /** @param {number} seconds */
      step(seconds) {
        super.step(seconds)
        if (this.stepCount === 2) wild.linearVelocity = [1.7e308, 0, 0]
      }
    }
    const world = new Wild()
    const wild = world.createBody({ shape: ball })
    const options = { fixedDt: 10 }
    assert.throws(() => world.advance(45, options), withCode('not-finite'))
    assert.equal(world.stepCount, 2)
    assert.equal(world.interpolation, 0, 'nothing is due')
    wild.linearVelocity = [0, 0, 0]
    assert.equal(world.advance(0, options), 0)
    assert.equal(world.advance(25, options), 2)
    assert.equal(world.interpolation, 0.5)
  })

  test('advance at 144 frames a second makes 60 steps in a second', () => {
    const world = new World()
    let steps = 0
    for (let frame = 0; frame < 144; frame++) steps += world.advance(1 / 144)
    assert.equal(steps, 60)
  })

  test('advance calls beforeStep, where forces belong, and afterStep once per step', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.createBody({ shape: ball, mass: 2 })
    /** @type {string[]} */
    const calls = []
    const options = {
      fixedDt: 0.01,
      /** @param {number} step */
      beforeStep(step) {
        calls.push(`before ${step} ${world.stepCount}`)
        body.applyForce([2, 0, 0])
      },
      /** @param {number} step */
      afterStep: (step) => calls.push(`after ${step} ${world.stepCount}`),
    }
    assert.equal(world.advance(0.02, options), 2)
    assert.deepEqual(calls, ['before 0.01 0', 'after 0.01 1', 'before 0.01 1', 'after 0.01 2'])
    assert.ok(Math.abs(body.linearVelocity[0] - 0.02) < 1e-9)
  })

  test('what beforeStep throws is thrown, and the time of the steps not made is given back', () => {
    const world = new World()
    const options = {
      fixedDt: 1,
      beforeStep() {
        if (world.stepCount === 1) throw new Error('mine')
      },
    }
    assert.throws(() => world.advance(3.5, options), /mine/)
    assert.equal(world.stepCount, 1)
    assert.equal(world.advance(0, { fixedDt: 1 }), 0)
    assert.equal(world.advance(2.5, { fixedDt: 1 }), 2)
    assert.equal(world.interpolation, 0.5)
  })

  test('a refused advance changes nothing: neither time nor interpolation nor what is drawn', () => {
    const world = new World()
    world.createBody({ shape: ball })
    const good = { fixedDt: 0.1, interpolate: true }
    world.advance(0.2, good)
    world.advance(0.34, good)
    const seen = () => ({
      interpolation: world.interpolation,
      isLate: world.isLate,
      previous: world.previousTransforms.slice(),
      drawn: world.interpolate(new Float32Array(world.transforms.length)),
    })
    const start = seen()
    const refuse = () => {
      throw new Error('mine')
    }
    class Refusing extends World {
      step() {
        refuse()
      }
    }
    const refusing = new Refusing()
    for (let i = 0; i < 3; i++) {
      assert.throws(() => world.advance(0.1, { ...good, beforeStep: refuse }), /mine/)
      assert.throws(() => world.advance(9, { ...good, maxSteps: 2, beforeStep: refuse }), /mine/)
      assert.throws(() => world.advance(0.1, { ...good, beforeStep: () => world.advance(1) }))
      const wild = world.createBody({ shape: ball, linearVelocity: [1.7e308, 0, 0] })
      assert.throws(() => world.advance(10, { ...good, fixedDt: 10 }), withCode('not-finite'))
      wild.destroy()
      assert.throws(() => refusing.advance(0.1, good), /mine/)
    }
    assert.equal(refusing.interpolation, 0)
    const first = world.stepCount
    const { previous, drawn } = seen()
    assert.deepEqual(previous.subarray(0, 8), start.previous.subarray(0, 8))
    assert.deepEqual(drawn.subarray(0, 8), start.drawn.subarray(0, 8))
    assert.deepEqual([world.interpolation, world.isLate], [start.interpolation, start.isLate])
    assert.equal(world.advance(0.1, good), 1)
    assert.equal(world.stepCount, first + 1)
  })

  test('advance takes the time of a step that was made and whose listener threw', () => {
    const world = new World({ gravity: [0, 0, 0] })
    for (let i = 0; i < 2; i++) world.createBody({ shape: ball, position: [0.5 * i, 0, 0] })
    world.once('contact', () => {
      throw new Error('mine')
    })
    const options = { fixedDt: 0.1 }
    world.advance(0.05, options)
    assert.throws(() => world.advance(0.1, options), /mine/)
    assert.equal(world.stepCount, 1)
    assert.ok(world.interpolation < 1e-9, 'the step has used what was left, and what came')
    assert.equal(world.advance(0.04, options), 0)
  })

  test('advance does not call itself', () => {
    const world = new World()
    const options = { beforeStep: () => void world.advance(1) }
    assert.throws(() => world.advance(1, options), withCode('world-locked'))
    assert.equal(world.advance(0), 0)
  })

  test('advance ends when the time budget is over, and says that it is late', () => {
    const world = new World()
    let clock = 0
    const options = { timeBudget: 0.011, beforeStep: () => void (clock += 8), now: () => clock }
    assert.equal(world.advance(0.1, options), 2, 'steps of 8 ms until 11 ms are over')
    assert.equal(world.isLate, true)
    assert.equal(world.advance(0.034, options), 2)
    assert.equal(world.isLate, false)
    assert.equal(world.advance(100), 8)
    assert.equal(world.isLate, true)
  })

  test('previousTransforms are those before the last step', () => {
    const world = new World()
    const first = world.createBody({ shape: ball, position: [1, 2, 3] })
    assert.deepEqual(world.previousTransforms, world.transforms, 'before any step those of now')
    const options = { fixedDt: 0.1, interpolate: true }
    world.advance(0.2, options)
    const second = world.transforms.slice()
    world.advance(0.15, options)
    assert.deepEqual(world.previousTransforms, second)
    assert.notDeepEqual(world.previousTransforms, world.transforms)
    assert.ok(Math.abs(world.interpolation - 0.5) < 1e-9)
    // One in the slot of another, and one in a slot of its own: newer than the last step.
    first.destroy()
    world.createBody({ shape: ball, position: [7, 8, 9] })
    world.createBody({ shape: ball, position: [4, 5, 6] })
    assert.deepEqual(world.previousTransforms, world.transforms)
    world.advance(0.1, options)
    world.resetInterpolation()
    assert.deepEqual(world.previousTransforms, world.transforms)
    assert.equal(world.interpolation, 0)
  })

  test('a motion that overflows is refused and the world is as it was', () => {
    const world = new World()
    const wild = world.createBody({ shape: ball, linearVelocity: [1.7e308, 0, 0] })
    const hash = world.hash()
    assert.throws(() => world.step(100), withCode('not-finite'))
    assert.equal(world.hash(), hash)
    wild.destroy()
    world.createBody({ shape: ball })
    world.step(dt)
    assert.equal(world.stepCount, 1)
  })

  test('a step too short to divide by is refused by name, and the world goes on', () => {
    const { world } = settledWorld()
    const hash = world.hash()
    assert.throws(() => world.step(1e-320), {
      name: 'MoreauError',
      code: 'invalid-argument',
      message: /^step: dt must be /,
    })
    assert.equal(world.hash(), hash)
    world.step(dt)
    assert.ok(world.bodies.every(({ position }) => position.every(Number.isFinite)))
  })

  test('a refused step leaves residual() and stats as they were', () => {
    const { world, round } = settledWorld()
    const residual = world.residual()
    const { stats } = world
    assert.ok(stats.contactPoints > 0 && residual.contacts > 0)
    const velocity = round.linearVelocity
    round.linearVelocity = [1.7e308, 0, 0]
    assert.throws(() => world.step(100), withCode('not-finite'))
    assert.throws(() => world.step(1e-320), withCode('invalid-argument'))
    round.linearVelocity = velocity
    assert.deepEqual(world.residual(), residual)
    assert.deepEqual(world.stats, stats)
    assert.equal(world.contactPoints().length, stats.contactPoints)
  })
})

describe('bodies', () => {
  test('come in the order of creation', () => {
    const world = new World()
    const bodies = Array.from({ length: 5 }, (_, i) => {
      return world.createBody({ shape: ball, position: [2 * i, 0, 0], userData: i })
    })
    assert.deepEqual(world.bodies, bodies)
    bodies[1].destroy()
    const late = world.createBody({ shape: ball, userData: 'late' })
    assert.equal(late.index, bodies[1].index, 'the slot is used again')
    assert.deepEqual(
      world.bodies.map((body) => body.userData),
      [0, 2, 3, 4, 'late'],
    )
    assert.ok(world.bodies.every((body) => body instanceof Body && body.world === world))
  })

  test('the array is the same as long as nobody comes or goes, and is not changed then', () => {
    const { world } = settledWorld()
    const { bodies } = world
    world.step(dt)
    assert.equal(world.bodies, bodies)
    for (const body of world.bodies) body.destroy()
    assert.equal(bodies.length, 3)
    assert.equal(world.bodies.length, 0)
    assert.throws(() => /** @type {Body[]} */ (bodies).pop(), TypeError)
  })

  test('bodyById finds the living only', () => {
    const { world, round } = settledWorld()
    assert.equal(world.bodyById(round.id), round)
    assert.equal(world.bodyById(world.bodyIds[round.index]), round)
    round.destroy()
    assert.equal(world.bodyById(round.id), undefined)
    assert.equal(world.bodyById(0), undefined)
    assert.equal(world.bodyById(0xffffffff), undefined)
    assert.equal(world.bodyById(Number.MAX_SAFE_INTEGER), undefined)
    // What names a body is a number: a body itself, of this world or another, is none.
    assert.throws(() => world.bodyById(/** @type {never} */ (round)), withCode('invalid-argument'))
    assert.throws(() => world.bodyById(1.5), withCode('invalid-argument'))
  })

  test('an id never comes back, through all generations of a slot', () => {
    const world = new World()
    const ids = new Set()
    let body = world.createBody({ shape: ball })
    const slot = body.index
    for (let i = 0; i < 65536; i++) {
      if (body.index !== slot) assert.fail(`generation ${i}`)
      ids.add(body.id)
      const old = body
      old.destroy()
      body = world.createBody({ shape: ball })
      if (old.isAlive) assert.fail(`id ${old.id} came back`)
    }
    assert.equal(ids.size, 65536)
    assert.notEqual(body.index, slot, 'the slot is retired')
    assert.ok(!ids.has(body.id))
    assert.equal(world.bodyIds[slot], 0)
    assert.equal(world.bodies.length, 1)
  })
})

describe('bulk arrays', () => {
  test('hold what the bodies say, at 8 times their index', () => {
    const { world, round, box } = settledWorld()
    box.orientation = [0, Math.SQRT1_2, 0, Math.SQRT1_2]
    box.angularVelocity = [1, 2, 3]
    for (const body of [round, box]) {
      const at = 8 * body.index
      const [x, y, z] = body.position
      const [qx, qy, qz, qw] = body.orientation
      const pose = [x, y, z, 0, qx, qy, qz, qw]
      assert.deepEqual([...world.transforms64.subarray(at, at + 8)], pose)
      assert.deepEqual([...world.transforms.subarray(at, at + 8)], pose.map(Math.fround))
      const motion = [...body.linearVelocity, 0, ...body.angularVelocity, 0]
      assert.deepEqual([...world.velocities.subarray(at, at + 8)], motion)
      assert.equal(world.bodyIds[body.index], body.id)
    }
    assert.ok(world.transforms instanceof Float32Array)
    assert.ok(world.transforms64 instanceof Float64Array)
    assert.ok(world.velocities instanceof Float64Array)
    assert.ok(world.bodyIds instanceof Float64Array)
    assert.equal(world.transforms.length, 24)
  })

  test('are empty in an empty world, and zero in a free slot', () => {
    const world = new World()
    for (const name of /** @type {const} */ (['transforms', 'transforms64', 'velocities'])) {
      assert.equal(world[name].length, 0)
    }
    assert.equal(world.bodyIds.length, 0)
    assert.equal(world.moved.length, 0)
    const body = world.createBody({ shape: ball, position: [1, 2, 3], linearVelocity: [4, 5, 6] })
    body.destroy()
    assert.deepEqual([...world.transforms64], Array(8).fill(0))
    assert.deepEqual([...world.velocities], Array(8).fill(0))
    assert.deepEqual([...world.bodyIds], [0])
  })

  test('are the same objects from step to step', () => {
    const { world } = settledWorld()
    const names = /** @type {const} */ (['transforms', 'transforms64', 'velocities', 'bodyIds'])
    const old = names.map((name) => world[name])
    run(world, 10)
    assert.deepEqual(
      names.map((name, i) => world[name] === old[i]),
      [true, true, true, true],
    )
  })

  test('stay right when the memory grows', () => {
    const { world, box } = settledWorld()
    const position = box.position
    const old = world.transforms
    const { wasmBytes } = world.memory()
    const other = new World()
    while (world.memory().wasmBytes === wasmBytes) other.createBody({ shape: ball })
    assert.equal(old.length, 0, 'the old view is detached')
    assert.deepEqual(box.position, position)
    assert.deepEqual([...world.transforms.subarray(16, 19)], position.map(Math.fround))
    assert.equal(world.transforms, world.transforms)
    world.step(dt)
    assert.equal(world.contactPoints().length, 5)
    other.free()
  })

  test('moved lists the slots whose pose changed, ascending', () => {
    const world = new World()
    world.createBody(ground)
    world.createBody({ shape: ball, position: [0, 9, 0] })
    world.createBody({ shape: ball, gravityScale: 0, position: [9, 9, 9] })
    world.createBody({ shape: ball, position: [0, 19, 0] })
    world.step(dt)
    assert.deepEqual([...world.moved], [1, 3])
    const { moved } = world
    world.step(dt)
    assert.equal(world.moved, moved)
  })

  test('awakeCount counts all but static bodies', () => {
    const { world } = settledWorld()
    world.createBody({ type: 'kinematic', shape: ball, position: [9, 9, 9] })
    assert.equal(world.awakeCount, 3)
    assert.equal(new World().awakeCount, 0)
  })
})

describe('diagnostics', () => {
  test('energy and momentum of a thrown ball', () => {
    const world = new World({ gravity: [0, -10, 0] })
    world.createBody({ shape: ball, mass: 2, position: [0, 3, 0], linearVelocity: [4, 0, 0] })
    assert.deepEqual(world.energy(), { kinetic: 16, potential: 60, total: 76 })
    assert.deepEqual(world.momentum(), { linear: [8, 0, 0], angular: [0, 0, -24] })
  })

  test('energy of one body: translation, rotation, gravity', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const body = world.createBody({
      ...{ shape: ball, mass: 2, inertia: [0.5, 1, 2], position: [0, 3, 0], gravityScale: 0.5 },
      ...{ linearVelocity: [4, 0, 0], angularVelocity: [0, 0, 3] },
    })
    const energy = { translational: 16, rotational: 9, kinetic: 25, potential: 30, total: 55 }
    assert.deepEqual(body.energy(), energy)
    const out = { ...energy, total: 0, mine: 'kept' }
    assert.equal(body.readEnergy(out), out)
    assert.deepEqual(out, { ...energy, mine: 'kept' })
    for (const type of /** @type {const} */ (['static', 'kinematic'])) {
      const other = world.createBody({ type, shape: ball, position: [9, 9, 9] })
      assert.deepEqual(Object.values(other.energy()), [0, 0, 0, 0, 0])
    }
    assert.throws(() => body.readEnergy(/** @type {any} */ (null)), {
      ...{ code: 'invalid-argument', message: /readEnergy: out must be an object/ },
    })
    body.destroy()
    assert.throws(() => body.energy(), { code: 'stale-handle' })
  })

  test('energies of bodies, springs and potentials add up to that of the world', () => {
    for (const solver of /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])) {
      const world = new World({ solver })
      const [a, b] = [0, 2].map((x) =>
        world.createBody({ shape: ball, position: [x, 1, 0], angularVelocity: [1, x, 0] }),
      )
      const spring = world.createJoint({ type: 'spring', bodyA: a, bodyB: b, length: 1, hertz: 1 })
      const hinge = world.createJoint({
        ...{ type: 'hinge', bodyA: a, bodyB: b, anchor: [1, 1, 0], axis: [0, 0, 1] },
        spring: { stiffness: 5, dampingCoefficient: 0, rest: 0.5 },
      })
      const plain = world.createJoint({ type: 'ball', bodyA: a, anchor: [0, 2, 0] })
      assert.ok(Math.abs(hinge.energy - (5 * 0.5 ** 2) / 2) < 1e-12, `${hinge.energy}`)
      for (let i = 0; i < 20; i++) {
        const bodies = [a, b].reduce((sum, body) => sum + body.energy().total, 0)
        const sum = bodies + spring.energy + hinge.energy
        assert.ok(Math.abs(sum - world.energy().total) < 1e-12 * Math.abs(sum), solver)
        assert.ok(spring.energy > 0)
        assert.equal(plain.energy, 0)
        world.step(dt)
      }
      spring.destroy()
      assert.throws(() => spring.energy, { code: 'stale-handle' })
      world.free()
    }
  })

  test('residual of a world at rest is nothing', () => {
    const { world } = settledWorld()
    const residual = world.residual()
    const names = ['worst', 'rms', 'cone', 'dual', 'complementarity', 'bilateral', 'contacts']
    assert.deepEqual(Object.keys(residual), names)
    assert.equal(residual.contacts, 5)
    assert.ok(residual.worst < 1e-6 && residual.rms <= residual.worst)
    assert.equal(new World().residual().contacts, 0)
  })

  test('and of soft-step small, of sleeping bodies none', () => {
    const { world } = settledWorld('soft-step')
    const residual = world.residual()
    assert.equal(residual.contacts, 5)
    assert.ok(residual.worst > 0 && residual.worst < 5e-3, `${residual.worst}`)
    assert.equal(world.stats.contactPoints, 5)
    const forces = world.contactPoints().map(({ normalForce }) => normalForce)
    const weight = forces.reduce((sum, force) => sum + force, 0)
    assert.ok(Math.abs(weight - 6 * 9.81) < 0.01 * 6 * 9.81, `${weight}`)
    world.allowSleep = true
    run(world, 60)
    assert.equal(world.awakeCount, 0)
    assert.deepEqual(
      world.contactPoints().map(({ normalForce }) => normalForce > 0),
      Array.from({ length: 5 }, () => true),
      'they still carry it',
    )
  })

  test('stats count', () => {
    const { world } = settledWorld()
    const { stats } = world
    assert.equal(stats.bodies, 3)
    assert.equal(stats.awake, 2)
    assert.equal(stats.contacts, 2)
    assert.equal(stats.contactPoints, 5)
    assert.ok(stats.pairs >= 2)
    assert.equal(stats.status, 'converged')
    assert.ok(stats.iterations >= 1 && stats.iterations <= 20)
    assert.ok(stats.maxPenetration >= 0 && stats.maxPenetration < 2e-3)
    assert.ok(stats.stepBytes > 0)
    assert.equal(new World().stats.status, 'none')
  })

  test('there is nothing to solve where nothing touches', () => {
    const world = new World()
    world.createBody({ shape: ball })
    world.step(dt)
    assert.equal(world.stats.status, 'none')
    assert.equal(world.stats.iterations, 0)
  })

  test('read twins write to what they are given and return it', () => {
    const { world } = settledWorld()
    const energy = { kinetic: 0, potential: 0, total: 0, mine: 'kept' }
    assert.equal(world.readEnergy(energy), energy)
    assert.deepEqual(energy, { ...world.energy(), mine: 'kept' })
    const residual = /** @type {import('moreau').Residual} */ ({})
    assert.equal(world.readResidual(residual), residual)
    assert.deepEqual(residual, world.residual())
    const stats = /** @type {import('moreau').Stats} */ ({})
    assert.equal(world.readStats(stats), stats)
    assert.deepEqual(stats, world.stats)
    const { events } = stats
    assert.equal(world.readStats(stats).events, events, 'it keeps the object for the events')
    assert.throws(() => world.readStats(/** @type {any} */ ({ events: 1 })), {
      ...{ code: 'invalid-argument', message: 'readStats: out.events must be an object, got 1' },
    })
    assert.throws(() => world.readStats(/** @type {any} */ (null)), {
      code: 'invalid-argument',
      message: 'readStats: out must be an object, got null',
    })
  })

  test('contact points carry the weight', () => {
    const { world, floor, round, box } = settledWorld()
    const points = world.contactPoints()
    assert.equal(points.length, 5)
    const weightOn = new Map([
      [round, 0],
      [box, 0],
    ])
    for (const point of points) {
      assert.equal(point.bodyA, floor)
      assert.ok(Math.abs(point.normal[1] - 1) < 1e-9)
      assert.ok(Math.abs(point.position[1]) < 2e-3)
      assert.ok(Math.abs(point.separation) < 2e-3)
      assert.equal(point.normalForce, point.normalImpulse * (1 / dt))
      point.tangentForce.forEach((force, i) => {
        assert.ok(Math.abs(force - point.tangentImpulse[i] / dt) <= 1e-9 * Math.abs(force))
      })
      weightOn.set(point.bodyB, (weightOn.get(point.bodyB) ?? NaN) + point.normalForce)
    }
    assert.ok(Math.abs((weightOn.get(round) ?? NaN) - 2 * 9.81) < 1e-4)
    assert.ok(Math.abs((weightOn.get(box) ?? NaN) - 4 * 9.81) < 1e-4)
    assert.deepEqual(new World().contactPoints(), [])
  })

  test('readContactPoints gives the same numbers, as many as fit', () => {
    const { world } = settledWorld()
    const out = new Float64Array(13 * 5)
    const layout = CONTACT_POINT_LAYOUT
    assert.equal(layout.stride, 13)
    assert.equal(world.readContactPoints(out), 5)
    world.contactPoints().forEach((point, i) => {
      const numbers = [
        ...[point.bodyA.id, point.bodyB.id, ...point.position, ...point.normal],
        ...[point.separation, point.normalImpulse, ...point.tangentImpulse],
      ]
      assert.deepEqual([...out.subarray(13 * i, 13 * (i + 1))], numbers)
      const at = (/** @type {keyof typeof layout} */ name) => out[i * layout.stride + layout[name]]
      assert.equal(at('idA'), point.bodyA.id)
      assert.equal(at('idB'), point.bodyB.id)
      assert.equal(at('position'), point.position[0])
      assert.equal(at('normal'), point.normal[0])
      assert.equal(at('separation'), point.separation)
      assert.equal(at('normalImpulse'), point.normalImpulse)
      assert.equal(at('tangentImpulse'), point.tangentImpulse[0])
    })
    const short = new Float64Array(30).fill(7)
    assert.equal(world.readContactPoints(short), 5)
    assert.deepEqual(short.subarray(0, 26), out.subarray(0, 26))
    assert.deepEqual([...short.subarray(26)], [7, 7, 7, 7])
    assert.equal(world.readContactPoints(new Float64Array(0)), 5)
  })

  test('contacts of a destroyed body are gone', () => {
    const { world, round } = settledWorld()
    round.destroy()
    assert.equal(world.contactPoints().length, 4)
  })

  test('equal worlds have equal hashes', () => {
    const { world: a } = settledWorld()
    const { world: b, box } = settledWorld()
    assert.match(a.hash(), /^[0-9a-f]{16}$/)
    assert.equal(a.hash(), b.hash())
    run(a, 10)
    run(b, 10)
    assert.equal(a.hash(), b.hash())
    box.applyImpulse([1e-12, 0, 0])
    assert.notEqual(a.hash(), b.hash())
  })

  test('worlds do not know each other', () => {
    const { world: alone } = settledWorld()
    run(alone, 30)
    const { world: a } = settledWorld()
    const b = new World({ gravity: [0, 0, 0] })
    const drifting = b.createBody({ shape: ball, linearVelocity: [1, 0, 0] })
    for (let i = 0; i < 30; i++) {
      a.step(dt)
      b.step(2 * dt)
    }
    assert.equal(a.hash(), alone.hash())
    assert.ok(Math.abs(drifting.position[0] - 1) < 1e-12)
  })
})

describe('memory', () => {
  test('a step and the bulk arrays of a settled scene allocate nothing in the engine', () => {
    const { world } = settledWorld()
    const out = new Float64Array(13 * 8)
    // Steps take turns with two memories, and each learns what reading needs.
    for (let i = 0; i < 2; i++) {
      world.step(dt)
      world.readContactPoints(out)
    }
    const { allocations, bytes } = world.memory()
    for (let i = 0; i < 100; i++) {
      world.step(dt)
      world.readContactPoints(out)
      assert.ok(world.transforms.length + world.velocities.length + world.moved.length > 0)
    }
    assert.equal(world.memory().allocations, allocations)
    assert.equal(world.memory().bytes, bytes)
  })

  test('free gives all of a world back', () => {
    const keeper = new World()
    const { bytes } = keeper.memory()
    const world = new World()
    for (let i = 0; i < 50; i++) world.createBody({ shape: ball, position: [0, i, 0] })
    run(world, 5)
    assert.ok(keeper.memory().bytes > bytes)
    world.free()
    // Fewer if worlds of other tests were collected in the meantime.
    assert.ok(keeper.memory().bytes <= bytes)
  })

  test('free may be called twice; everything else says that the world was freed', () => {
    const { world, round } = settledWorld()
    world.free()
    world.free()
    const uses = [
      () => world.step(dt),
      () => world.advance(dt),
      () => world.createBody({ shape: ball }),
      () => world.bodies,
      () => world.bodyById(round.id),
      () => world.time,
      () => world.stepCount,
      () => world.transforms,
      () => world.transforms64,
      () => world.velocities,
      () => world.bodyIds,
      () => world.moved,
      () => world.awakeCount,
      () => world.energy(),
      () => world.momentum(),
      () => world.residual(),
      () => world.stats,
      () => world.readEnergy(world.energy()),
      () => world.contactPoints(),
      () => world.readContactPoints(new Float64Array(13)),
      () => world.hash(),
      () => world.memory(),
      () => world.gravity,
      () => world.iterations,
      () => world.substeps,
      () => {
        world.gravity = [0, 0, 0]
      },
      () => round.position,
      () => round.destroy(),
    ]
    for (const use of uses) assert.throws(use, withCode('stale-handle'), String(use))
    assert.equal(round.isAlive, false)
  })

  test('Symbol.dispose frees, where there is such a symbol', () => {
    const world = new World()
    assert.ok(!('undefined' in world))
    if (Symbol.dispose === undefined) return
    world[Symbol.dispose]()
    assert.throws(() => world.step(dt), withCode('stale-handle'))
  })

  test('hundreds of worlds', () => {
    for (let i = 0; i < 300; i++) {
      const { world } = settledWorld()
      world.free()
    }
  })
})
