// Acceptance cases of motors, springs, limits, friction and breaking of joints, with every solver.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptanceWorld, dt, g, near, nearVector, stepMany, throwsCode } from './support.mjs'

/** @import { Body, SolverName, World, WorldOptions } from 'moreau' */

/** @type {readonly SolverName[]} */
const SOLVERS = ['exact', 'block-pgs', 'soft-step']

/**
 * @param {SolverName} solver
 * @param {WorldOptions} [options]
 */
const make = (solver, options = {}) =>
  acceptanceWorld({ solver, stabilization: 'split', ...options })

/**
 * A tolerance of soft-step, or of the others.
 * @param {SolverName} solver
 * @param {number} exact
 * @param {number} soft
 */
const within = (solver, exact, soft) => (solver === 'soft-step' ? soft : exact)

const still = /** @type {const} */ ([0, 0, 0])
const sphere = /** @type {const} */ ({ type: 'sphere', radius: 0.1 })

/**
 * A body with the same moment of inertia about all axes.
 * @param {number} mass
 * @param {number} inertia
 */
const isotropic = (mass, inertia) => ({
  ...{ shape: sphere, mass, inertia: /** @type {const} */ ([inertia, inertia, inertia]) },
})

/** m, or rad of a quarter of a turn. */
const QUARTER = Math.PI / 2

/**
 * Motors with 8 N or N m that take a body of 2 kg and 2 kg m² so far. They return how far it is beyond the target.
 * @type {Record<string, (world: World, bodyB: Body) => () => number>}
 */
const DRIVES = {
  'motor of a hinge'(world, bodyB) {
    const motor = { targetPosition: QUARTER, maxForce: 8 }
    const hinge = world.createJoint({
      ...{ type: 'hinge', bodyB, anchor: still, axis: [0, 0, 1], motor },
    })
    return () => hinge.angle - QUARTER
  },
  'backward motor of a slider'(world, bodyB) {
    const motor = { targetPosition: -QUARTER, maxForce: 8 }
    world.createJoint({ type: 'slider', bodyB, axis: [1, 0, 0], motor })
    return () => -bodyB.position[0] - QUARTER
  },
  'motor of a distance'(world, bodyB) {
    const motor = { targetPosition: 1 + QUARTER, maxForce: 8 }
    const anchors = /** @type {const} */ ({ anchorA: [-1, 0, 0], anchorB: still })
    world.createJoint({ type: 'distance', bodyB, ...anchors, motor })
    return () => bodyB.position[0] - QUARTER
  },
  'motor to an orientation'(world, bodyB) {
    world.createJoint({
      ...{ type: 'motor', bodyB, anchorA: still, anchorB: still, targetPosition: still },
      ...{ targetOrientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], maxTorque: 8 },
    })
    return () => 2 * Math.atan2(bodyB.orientation[2], bodyB.orientation[3]) - QUARTER
  },
  'motor to a position'(world, bodyB) {
    const targetPosition = /** @type {const} */ ([0.36 * QUARTER, 0.48 * QUARTER, 0.8 * QUARTER])
    world.createJoint({
      ...{ type: 'motor', bodyB, anchorA: still, anchorB: still, targetPosition, maxForce: 8 },
    })
    return () => {
      const [x, y, z] = bodyB.position
      return 0.36 * x + 0.48 * y + 0.8 * z - QUARTER
    }
  },
}

/** A body of 2 kg with its centre of mass elsewhere. @param {number} x @param {number} [y] */
const offCentre = (x, y = 0) => ({
  ...{ ...isotropic(2, 0.2), position: /** @type {const} */ ([x, y, 0]) },
})

const aQuarter = { targetPosition: QUARTER, maxForce: 8 }
const ofHinge = /** @type {const} */ ({ type: 'hinge', anchor: still, axis: [0, 0, 1] })
const ofSlider = /** @type {const} */ ({ type: 'slider', anchor: still, axis: [1, 0, 0] })
const ofPose = /** @type {const} */ ({ type: 'motor', anchorA: still, targetPosition: still })

/** The angle of a body about z. @param {Body} body */
const turnOf = ({ orientation }) => 2 * Math.atan2(orientation[2], orientation[3])

/**
 * Motors with 2 to 8 N or N m whose bodies are harder to move along their way than about their own centre. They return how far the
 * joint is beyond the target.
 * @type {Record<string, (world: World) => () => number>}
 */
const OFF_CENTRE = {
  'motor of a door'(world) {
    const bodyB = world.createBody(offCentre(1))
    const hinge = world.createJoint({ ...ofHinge, bodyB, motor: aQuarter })
    return () => hinge.angle - QUARTER
  },
  'motor of a door that is body A'(world) {
    const bodyA = world.createBody(offCentre(1))
    const hinge = world.createJoint({ ...ofHinge, bodyA, motor: aQuarter })
    return () => hinge.angle - QUARTER
  },
  'motor of a body beside its slider'(world) {
    const bodyB = world.createBody(offCentre(0, 1))
    const slider = world.createJoint({ ...ofSlider, bodyB, motor: aQuarter })
    return () => slider.coordinates[0] - QUARTER
  },
  'motor of a sixDof'(world) {
    const bodyB = world.createBody(offCentre(1))
    const turns = { z: { motor: aQuarter } }
    const joint = world.createJoint({ type: 'sixDof', bodyB, anchor: still, angular: turns })
    return () => joint.coordinates[5] - QUARTER
  },
  'motor of the twist of a ball'(world) {
    const bodyB = world.createBody(offCentre(1))
    const ball = world.createJoint({ type: 'ball', bodyB, anchor: still, axis: [0, 0, 1] })
    ball.setDrive(1, { motor: aQuarter })
    return () => ball.coordinates[1] - QUARTER
  },
  'motor that unfolds two free bodies'(world) {
    const bodyA = world.createBody(offCentre(-0.6))
    const bodyB = world.createBody(offCentre(1))
    const hinge = world.createJoint({ ...ofHinge, bodyA, bodyB, motor: aQuarter })
    return () => hinge.angle - QUARTER
  },
  'motor between two free bodies beside a slider'(world) {
    const bodyA = world.createBody(offCentre(0, -1))
    const bodyB = world.createBody(offCentre(0, 1))
    const slider = world.createJoint({ ...ofSlider, bodyA, bodyB, motor: aQuarter })
    return () => slider.coordinates[0] - QUARTER
  },
  'motor to an orientation about the hardest axis'(world) {
    const bodyB = world.createBody({ ...offCentre(0), inertia: [0.2, 0.25, 0.4] })
    const targetOrientation = /** @type {const} */ ([0, 0, Math.SQRT1_2, Math.SQRT1_2])
    world.createJoint({ ...ofPose, bodyB, anchorB: still, targetOrientation, maxTorque: 2 })
    return () => turnOf(bodyB) - QUARTER
  },
  'motor to an orientation about no principal axis'(world) {
    const bodyB = world.createBody({ ...offCentre(0), inertia: [0.1, 0.3, 0.35] })
    const part = Math.SQRT1_2 / Math.sqrt(3)
    const targetOrientation = /** @type {const} */ ([part, part, part, Math.SQRT1_2])
    world.createJoint({ ...ofPose, bodyB, anchorB: still, targetOrientation, maxTorque: 2 })
    return () => {
      const [x, y, z, w] = bodyB.orientation
      return 2 * Math.atan2((x + y + z) / Math.sqrt(3), w) - QUARTER
    }
  },
  'motor to an orientation about an anchor'(world) {
    const bodyB = world.createBody(offCentre(1))
    const targetOrientation = /** @type {const} */ ([0, 0, Math.SQRT1_2, Math.SQRT1_2])
    world.createJoint({ ...ofPose, bodyB, anchorB: [-1, 0, 0], targetOrientation, maxTorque: 8 })
    return () => turnOf(bodyB) - QUARTER
  },
  'motor to a pose with an anchor off the centre'(world) {
    const bodyB = world.createBody(offCentre(0))
    const pose = {
      targetPosition: /** @type {const} */ ([QUARTER, 0.5, 0]),
      targetOrientation: /** @type {const} */ ([0, 0, Math.SQRT1_2, Math.SQRT1_2]),
    }
    world.createJoint({
      ...{ ...ofPose, ...pose, bodyB, anchorB: [0, 0.5, 0], maxForce: 8, maxTorque: 4 },
    })
    return () => {
      const turn = turnOf(bodyB)
      const [x] = bodyB.position
      return Math.max(x - 0.5 * Math.sin(turn), turn) - QUARTER
    }
  },
}

for (const solver of SOLVERS) {
  describe(`motors, ${solver}`, () => {
    test('A96 a hinge motor brings a wheel to its speed with no more than its torque', async () => {
      const world = await make(solver, { gravity: still })
      const wheel = world.createBody(isotropic(10, 0.2))
      const hinge = world.createJoint({
        ...{ type: 'hinge', bodyB: wheel, anchor: still, axis: [0, 0, 1] },
        motor: { targetVelocity: 10, maxForce: 2 },
      })
      const tolerance = within(solver, 1e-8, 1e-3)
      for (let n = 1; n <= 100; n++) {
        world.step(dt)
        near(wheel.angularVelocity[2], n < 63 ? 0.16 * n : 10, tolerance, `omega ${n}`)
        near(hinge.speed, wheel.angularVelocity[2], 1e-9, 'speed')
        const torque = n < 63 ? 2 : n === 63 ? 1 : 0
        near(hinge.driveForces().motor, torque, 20 * tolerance, `torque ${n}`)
        nearVector(hinge.torque(), [0, 0, torque], 20 * tolerance, `torque on B ${n}`)
      }
      near(hinge.angle, 11.07968, within(solver, 1e-8, 0.2), 'angle')
      world.free()
    })

    test('A96 two free discs turn against each other', async () => {
      const world = await make(solver, { gravity: still })
      const bodyA = world.createBody(isotropic(3, 0.3))
      const bodyB = world.createBody(isotropic(1, 0.1))
      world.createJoint({
        ...{ type: 'hinge', bodyA, bodyB, anchor: still, axis: [0, 0, 1] },
        motor: { targetVelocity: 8, maxForce: 0.5 },
      })
      stepMany(world, 74)
      assert.ok(bodyB.angularVelocity[2] - bodyA.angularVelocity[2] < 8 - 0.01)
      stepMany(world, 20, () => {
        const momentum = 0.3 * bodyA.angularVelocity[2] + 0.1 * bodyB.angularVelocity[2]
        near(momentum, 0, within(solver, 1e-10, 1e-4), 'angular momentum')
        near(bodyA.angularVelocity[2], -2, within(solver, 1e-8, 1e-3), 'omega A')
        near(bodyB.angularVelocity[2], 6, within(solver, 1e-8, 1e-3), 'omega B')
      })
      world.free()
    })

    test('A97 a slider motor holds, slips and lifts', async () => {
      for (const { target, maxForce, step, count } of [
        { target: 0, maxForce: 50, step: dt, count: 50 },
        { target: 0, maxForce: 30, step: 0.001, count: 1000 },
        { target: 0.5, maxForce: 50, step: dt, count: 50 },
      ]) {
        const world = await make(solver)
        const body = world.createBody(isotropic(4, 0.1))
        const slider = world.createJoint({
          ...{ type: 'slider', bodyB: body, axis: [0, 0, 1] },
          motor: { targetVelocity: target, maxForce },
        })
        const tolerance = within(solver, 1e-7, 2e-3)
        for (let n = 1; n <= count; n++) {
          world.step(step)
          if (target > 0) near(slider.speed, n < 12 ? 0.04304 * n : 0.5, tolerance, `v ${n}`)
        }
        const slips = maxForce < 4 * g
        near(slider.driveForces().motor, slips ? 30 : 39.24, 100 * tolerance, 'force')
        near(slider.speed, slips ? -2.31 : target, 10 * tolerance, 'speed')
        if (slips) near(slider.translation, -1.156155, 10 * tolerance, 'z')
        world.free()
      }
    })

    test('A98 a hinge motor to a position gives way like a spring, up to its torque', async () => {
      for (const { maxForce, angle, torque } of [
        { maxForce: 100, angle: 0.04899115, torque: 9.79823 },
        { maxForce: 5, angle: 1.03597887, torque: 5 },
      ]) {
        const world = await make(solver)
        const arm = world.createBody({
          ...{ shape: { type: 'box', halfExtents: [0.5, 0.05, 0.05] }, mass: 2 },
          ...{ position: [0.5, 0, 0], angularDamping: 5 },
        })
        const hinge = world.createJoint({
          ...{ type: 'hinge', bodyB: arm, anchor: still, axis: [0, 1, 0] },
          motor: { targetPosition: 0, stiffness: 200, damping: 1, maxForce },
        })
        stepMany(world, 2500)
        near(hinge.angle, angle, within(solver, 1e-6, 1e-3), 'angle')
        near(-hinge.driveForces().motor, torque, within(solver, 1e-4, 0.02 * torque), 'torque')
        world.free()
      }
    })

    for (const [name, drive] of Object.entries(DRIVES)) {
      test(`a ${name} without gains stops at its target in time`, async () => {
        for (const step of [1 / 60, 1 / 240]) {
          const world = await make(solver, { gravity: still })
          const beyond = drive(world, world.createBody(isotropic(2, 2)))
          const tolerance = within(solver, 1e-9, 1e-5)
          let steps = 0
          for (let n = 1; n <= 2 / step; n++) {
            world.step(step)
            assert.ok(beyond() < tolerance, `${beyond()} beyond the target in step ${n}`)
            if (beyond() < -tolerance) steps = n + 1
          }
          // Half of the way with 8 / 2 m/s² or rad/s², and half of it against them.
          assert.ok(steps <= (2 * Math.sqrt(QUARTER / 4)) / step + 1, `${steps} steps`)
          world.free()
        }
      })
    }
  })

  describe(`motors of bodies off their joints, ${solver}`, () => {
    for (const [name, drive] of Object.entries(OFF_CENTRE)) {
      test(`a ${name} without gains stops at its target`, async () => {
        for (const step of [1 / 60, 1 / 240]) {
          const world = await make(solver, { gravity: still })
          const beyond = drive(world)
          stepMany(
            world,
            3 / step,
            () => assert.ok(beyond() < 1e-3 * QUARTER, `${beyond()} beyond the target`),
            step,
          )
          near(beyond(), 0, 1e-4, 'at the end')
          world.free()
        }
      })
    }
  })

  describe(`springs, ${solver}`, () => {
    test('A99 a hinge spring has its frequency and damping', async () => {
      const world = await make(solver, { gravity: still })
      const body = world.createBody(isotropic(1, 0.05))
      const hinge = world.createJoint({
        ...{ type: 'hinge', bodyB: body, anchor: still, axis: [0, 0, 1] },
        spring: { hertz: 2, damping: 0.1, rest: -0.3 },
      })
      near(world.energy().potential, 0.5 * 7.89568352 * 0.09, 1e-8, 'energy')
      /** @type {number[]} */
      const crossings = []
      let last = 0.3
      stepMany(
        world,
        1500,
        () => {
          const angle = hinge.angle + 0.3
          if (world.stepCount === 503) near(angle, 0.1595406, 1e-2, 'angle')
          if (last < 0 && angle >= 0) crossings.push(world.time - (0.001 * angle) / (angle - last))
          last = angle
        },
        0.001,
      )
      near(crossings[1] - crossings[0], 0.5025189, 2e-3, 'period')
      world.free()
    })

    test('A99 without damping it gains nothing', async () => {
      const world = await make(solver, { gravity: still })
      const body = world.createBody(isotropic(1, 0.05))
      const hinge = world.createJoint({
        ...{ type: 'hinge', bodyB: body, anchor: still, axis: [0, 0, 1] },
        spring: { hertz: 2, rest: -0.3 },
      })
      let peak = 0
      stepMany(
        world,
        5250,
        () => {
          if (world.stepCount > 4750) peak = Math.max(peak, hinge.angle + 0.3)
        },
        0.001,
      )
      assert.ok(peak > 0.2 && peak < 0.3005, `amplitude after 10 periods: ${peak}`)
      world.free()
    })

    test('A100 a slider spring sinks by the weight', async () => {
      for (const { mass, spring, sag } of [
        { mass: 2.5, spring: { hertz: 1.5, damping: 1 }, sag: 0.1104400902 },
        { mass: 250, spring: { hertz: 1.5, damping: 1 }, sag: 0.1104400902 },
        { mass: 2.5, spring: { stiffness: 400, dampingCoefficient: 60 }, sag: 0.0613125 },
      ]) {
        const world = await make(solver)
        const body = world.createBody(isotropic(mass, 0.1))
        const slider = world.createJoint({
          ...{ type: 'slider', bodyB: body, axis: [0, 0, 1], spring },
        })
        stepMany(world, 1500)
        near(slider.translation, -sag, within(solver, 1e-6, 1e-5), 'deflection')
        const { force } = slider.reaction()
        nearVector(force, [0, 0, mass * g], mass * within(solver, 1e-5, 1e-2), 'force')
        const elastic = world.energy().potential - mass * g * body.position[2]
        near(elastic, 0.5 * mass * g * sag, mass * within(solver, 1e-5, 1e-3), 'energy')
        world.free()
      }
    })
  })

  describe(`limits of a ball, ${solver}`, () => {
    /** A rod that hangs by its top. */
    const hang = async () => {
      const world = await make(solver)
      const rod = world.createBody({
        ...{ shape: { type: 'box', halfExtents: [0.05, 0.05, 0.5] }, mass: 2 },
        position: [0, 0, -0.5],
      })
      const ball = world.createJoint({
        ...{ type: 'ball', bodyB: rod, anchor: still, axis: [0, 0, -1] },
        limits: { cone: Math.PI / 6, twist: [-0.5, 0.5] },
      })
      return { world, rod, ball }
    }

    test('A106 it swings to its cone and rests there', async () => {
      const { world, ball } = await hang()
      const tilt = (50 * Math.PI) / 180
      world.gravity = [g * Math.sin(tilt), 0, -g * Math.cos(tilt)]
      let [most, back] = [0, 0]
      stepMany(world, 400, () => {
        const [swing] = ball.coordinates
        if (most > Math.PI / 6 - 1e-3) back = Math.max(back, most - swing)
        most = Math.max(most, swing)
      })
      const tolerance = within(solver, 1e-6, Math.PI / 180)
      near(ball.coordinates[0], Math.PI / 6, tolerance, 'swing')
      assert.ok(most < Math.PI / 6 + tolerance, `swings to ${most}`)
      // The rows of soft-step meet the limit once per substep, beside those of the point.
      assert.ok(back < within(solver, 1e-3, Math.PI / 90), `bounces by ${back}`)
      near(ball.coordinates[1], 0, tolerance, 'twist')
      near(-ball.driveForces(0).limits, 3.3552176, within(solver, 1e-5, 0.07), 'cone torque')
      near(Math.hypot(...ball.reaction().force), 2 * g, within(solver, 1e-5, 0.4), 'force')
      world.free()
    })

    test('A106 its twist stops at the limit', async () => {
      const { world, rod, ball } = await hang()
      for (let n = 0; n < 300; n++) {
        rod.applyTorque([0, 0, -0.7])
        world.step(dt)
      }
      near(ball.coordinates[1], 0.5, within(solver, 1e-6, Math.PI / 180), 'twist')
      near(-ball.driveForces(1).limits, 0.7, within(solver, 1e-5, 0.02), 'twist torque')
      world.free()
    })

    test('A106 a swing within the cone does not twist', async () => {
      const { world, rod, ball } = await hang()
      let most = 0
      for (let n = 0; n < 100; n++) {
        rod.applyTorque([0.42, 0.56, 0])
        world.step(dt)
        most = Math.max(most, ball.coordinates[0])
        near(ball.coordinates[1], 0, within(solver, 1e-6, 1e-3), 'twist')
      }
      assert.ok(most > 0.05, `swings by ${most}`)
      world.free()
    })
  })

  describe(`one degree of freedom, ${solver}`, () => {
    test('A107 a slider takes of a force what is along it', async () => {
      const world = await make(solver, { gravity: still })
      const body = world.createBody(isotropic(4, 0.5))
      const slider = world.createJoint({
        ...{ type: 'slider', bodyB: body, axis: [0, 0, 1], limits: [-2, 2] },
      })
      const push = () => body.applyForce([5, 7, 10], [1, 0, body.position[2]])
      for (let n = 0; n < 1000; n++) {
        push()
        world.step(0.001)
      }
      const tolerance = within(solver, 1e-7, 1e-3)
      nearVector(body.linearVelocity, [0, 0, 2.5], tolerance, 'v')
      near(body.position[2], 1.25125, 10 * tolerance, 'z')
      near(slider.error, 0, tolerance, 'error')
      for (let n = 0; n < 500; n++) {
        push()
        world.step(0.001)
      }
      near(body.position[2], 2, within(solver, 1e-7, 1e-2), 'z at the limit')
      near(-slider.driveForces().limits, 10, within(solver, 1e-5, 0.2), 'limit force')
      nearVector(slider.reaction().force, [-5, -7, -10], within(solver, 1e-5, 0.2), 'force')
      world.free()
    })

    test('A107 a hinge takes of a torque what is about it', async () => {
      const world = await make(solver, { gravity: still })
      const body = world.createBody(isotropic(2, 0.3))
      world.createJoint({ type: 'hinge', bodyB: body, anchor: still, axis: [1, 0, 0] })
      for (let n = 0; n < 1000; n++) {
        body.applyTorque([0.6, 2, -1])
        world.step(0.001)
      }
      nearVector(body.angularVelocity, [2, 0, 0], within(solver, 1e-7, 1e-3), 'omega')
      world.free()
    })
  })

  describe(`breaking, ${solver}`, () => {
    for (const { arm, options, breaksIn, force, torque } of [
      { arm: 0, options: { breakForce: 100 }, breaksIn: 26, force: 101.05, torque: 0 },
      { arm: 0.4, options: { breakTorque: 25 }, breaksIn: 7, force: 63.05, torque: 25.22 },
    ]) {
      test(`A108 a joint breaks in step ${breaksIn}`, async () => {
        const world = await make(solver)
        const body = world.createBody(isotropic(5, 0.1))
        const joint = world.createJoint({
          ...{ type: 'fixed', bodyB: body, anchor: [arm, 0, 0], ...options },
        })
        /** @type {import('moreau').JointEvent[]} */
        const heard = []
        world.on('joint', (event) => heard.push(event))
        for (let n = 1; n <= breaksIn; n++) {
          assert.equal(joint.isAlive, true, `alive before step ${n}`)
          body.applyForce([0, 0, -2 * n])
          world.step(dt)
        }
        assert.equal(heard.length, 1)
        assert.deepEqual(world.jointEvents, heard)
        const [event] = heard
        assert.ok(event.joint === joint && event.bodyA === null && event.bodyB === body)
        near(event.force, force, within(solver, 1e-6, 0.02 * force), 'force')
        near(event.torque, torque, within(solver, 1e-6, 0.5), 'torque')
        assert.equal(joint.isAlive, false)
        assert.deepEqual(world.joints, [])
        throwsCode(() => joint.angle, 'stale-handle')
        throwsCode(() => (joint.breakForce = 1), 'stale-handle')
        near(body.linearVelocity[2], 0, within(solver, 1e-8, 1e-3), 'v')
        body.applyForce([0, 0, -2 * (breaksIn + 1)])
        world.step(dt)
        const fall = dt * (g + (2 * (breaksIn + 1)) / 5)
        near(body.linearVelocity[2], -fall, within(solver, 1e-8, 2e-3), 'v after')
        assert.deepEqual(world.jointEvents, [])
        world.free()
      })
    }
  })

  describe(`friction of joints, ${solver}`, () => {
    test('A109 a hinge stops', async () => {
      const world = await make(solver, { gravity: still })
      const wheel = world.createBody({ ...isotropic(10, 0.2), angularVelocity: [0, 0, 5] })
      const hinge = world.createJoint({
        ...{ type: 'hinge', bodyB: wheel, anchor: still, axis: [0, 0, 1], friction: 0.5 },
      })
      const tolerance = within(solver, 1e-7, 0.02)
      stepMany(world, 124)
      near(hinge.speed, 0.04, tolerance, 'before it stops')
      stepMany(world, 10)
      near(hinge.speed, 0, tolerance, 'speed')
      near(hinge.angle, 4.96, 3 * tolerance, 'angle')
      world.free()
    })

    test('A109 a slider on a slope slides or stays', async () => {
      for (const friction of [15, 25]) {
        const world = await make(solver)
        const body = world.createBody(isotropic(4, 0.1))
        const axis = [Math.cos(Math.PI / 6), 0, -0.5]
        const slider = world.createJoint({ type: 'slider', bodyB: body, axis, friction })
        stepMany(world, 1000, undefined, 0.001)
        near(slider.speed, friction === 15 ? 1.155 : 0, within(solver, 1e-7, 1e-3), 'speed')
        const along = -slider.driveForces().friction
        near(along, friction === 15 ? 15 : 19.62, within(solver, 1e-6, 0.05), 'force')
        world.free()
      }
    })
  })

  describe(`motor joint, ${solver}`, () => {
    test('A112 without a target it brakes along the velocity', async () => {
      const world = await make(solver, { gravity: still })
      const body = world.createBody({
        ...{ ...isotropic(2, 0.2), linearVelocity: [1.8, 2.4, 0], angularVelocity: [4, 0, 0] },
      })
      const brake = world.createJoint({ type: 'motor', bodyB: body, maxForce: 4, maxTorque: 0.5 })
      const tolerance = within(solver, 1e-7, 0.02)
      for (let n = 1; n <= 105; n++) {
        world.step(dt)
        near(body.speed, n < 94 ? 3 - 0.032 * n : 0, tolerance, `speed ${n}`)
        near(body.angularSpeed, n < 100 ? 4 - 0.04 * n : 0, tolerance, `spin ${n}`)
        const { force, torque } = brake.reaction()
        assert.ok(Math.hypot(...force) < 4 * (1 + 1e-6) && Math.hypot(...torque) < 0.5 * (1 + 1e-6))
      }
      near(Math.hypot(...body.position), 2.226048, within(solver, 1e-7, 0.04), 'way')
      world.free()
    })

    test('it brings a body to a pose', async () => {
      const world = await make(solver)
      const body = world.createBody(isotropic(2, 0.2))
      const joint = world.createJoint({
        ...{ type: 'motor', bodyB: body, targetPosition: [1, -2, 0.5], maxForce: 40 },
        ...{ targetOrientation: [0.6, 0, 0, 0.8], maxTorque: 1 },
      })
      stepMany(world, 600)
      nearVector(body.position, [1, -2, 0.5], within(solver, 1e-5, 2e-3), 'position')
      near(Math.abs(body.orientation[0]), 0.6, within(solver, 1e-5, 2e-3), 'orientation')
      joint.motor = { targetPosition: [0, 0, 0], hertz: 1, damping: 1 }
      assert.deepEqual(joint.motor, {
        ...{ targetPosition: [0, 0, 0], maxForce: Infinity, maxTorque: Infinity },
        ...{ hertz: 1, damping: 1 },
      })
      stepMany(world, 600)
      const sag = g / (2 * Math.PI) ** 2
      nearVector(body.position, [0, 0, -sag], within(solver, 1e-4, 2e-3), 'hung')
      world.free()
    })
  })
}

describe('what drives a joint can be changed and read back', () => {
  test('of a hinge', async () => {
    const world = await make('exact')
    const body = world.createBody({ ...isotropic(2, 0.2), allowSleep: true })
    const hinge = world.createJoint({ type: 'hinge', bodyB: body, anchor: still, axis: [0, 0, 1] })
    assert.deepEqual(
      [hinge.limits, hinge.motor, hinge.spring, hinge.friction],
      [null, null, null, 0],
    )
    hinge.motor = { targetVelocity: 2, maxForce: 3 }
    hinge.spring = { stiffness: 5, dampingCoefficient: 1, rest: 0.25 }
    hinge.limits = [-1, 0.5]
    hinge.friction = 0.1
    assert.deepEqual(hinge.motor, { targetVelocity: 2, maxForce: 3 })
    assert.deepEqual(hinge.spring, { stiffness: 5, dampingCoefficient: 1, rest: 0.25 })
    assert.deepEqual(hinge.limits, { lower: -1, upper: 0.5 })
    assert.equal(hinge.friction, 0.1)
    assert.equal(hinge.dimension, 10)
    stepMany(world, 100)
    near(hinge.angle, 0.5, 1e-6, 'angle')
    hinge.motor = hinge.spring = hinge.limits = null
    hinge.friction = 0
    assert.equal(hinge.dimension, 5)
    hinge.breakForce = 7
    hinge.breakTorque = 8
    hinge.collideConnected = true
    assert.deepEqual([hinge.breakForce, hinge.breakTorque, hinge.collideConnected], [7, 8, true])
    const hash = world.hash()
    for (const [name, bad, message] of /** @type {[keyof typeof hinge, any, RegExp][]} */ ([
      ['motor', { maxForce: -1 }, /maxForce/],
      ['spring', { hertz: NaN }, /hertz/],
      ['limits', [2, 1], /limits/],
      ['friction', -1, /friction/],
      ['breakForce', 'much', /breakForce/],
      ['collideConnected', 1, /collideConnected/],
    ])) {
      throwsCode(() => Object.assign(hinge, { [name]: bad }), 'invalid-argument', message)
    }
    assert.equal(world.hash(), hash)
    world.step(dt) // the weight of 2 kg is more than 7 N
    assert.equal(hinge.isAlive, false)
    world.free()
  })

  test('of a ball', async () => {
    const world = await make('soft-step')
    const body = world.createBody(isotropic(2, 0.2))
    const ball = world.createJoint({ type: 'ball', bodyB: body, anchor: still })
    assert.equal(ball.limits, null)
    ball.limits = { cone: 0.5, twist: [-0.25, 0.5] }
    assert.deepEqual(ball.limits, { cone: 0.5, twist: { lower: -0.25, upper: 0.5 } })
    ball.setDrive(1, { motor: { targetVelocity: 3, maxForce: 1 } })
    stepMany(world, 100)
    near(ball.coordinates[1], 0.5, 0.01, 'twist')
    throwsCode(() => ball.setDrive(2, {}), 'invalid-argument', /index/)
    world.free()
  })
})
