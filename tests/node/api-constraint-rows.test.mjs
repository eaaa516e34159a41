// `constraint.rows()`: Jacobians, effective masses and forces of constraints.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Bounds, World } from 'moreau'
import { near, nearVector, throwsCode, turn } from './support.mjs'

/** @import { Body, Constraint, ConstraintRow, Joint, JointDefinition } from 'moreau' */
/** @import { SolverName, Vector } from 'moreau' */

const H = 1e-6 // s: central differences are then good to 1e-9

/** @param {ArrayLike<number>} vector its length is the angle */
function turnBy(vector) {
  const angle = Math.hypot(vector[0], vector[1], vector[2])
  return turn(
    Array.from(vector, (x) => x / angle),
    angle,
  )
}

/**
 * Two bodies that are long in different directions, tumble and are off each other's axes.
 *
 * @param {World} world
 * @param {number} at m, along x
 */
function addPair(world, at) {
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.2, 0.3, 0.5] })
  const a = world.createBody({
    ...{ shape, mass: 3, position: [at, 0.2, 0.1], orientation: turnBy([0.1, 0.2, 0.3]) },
    ...{ linearVelocity: [0.3, -0.2, 0.5], angularVelocity: [0.4, -0.5, 0.3] },
    filter: { mask: 0 },
  })
  const b = world.createBody({
    ...{ shape, mass: 0.7, position: [at + 0.4, 0.9, -0.3], orientation: turnBy([0.6, -0.2, 0.2]) },
    ...{ linearVelocity: [-0.1, 0.6, 0.2], angularVelocity: [-0.2, 0.3, 0.6] },
    filter: { mask: 0 },
  })
  return { a, b }
}

const anchor = /** @type {const} */ ([0.2, 0.5, 0])
const limits = /** @type {const} */ ([-0.001, 0.001])
const drives = {
  ...{ limits, friction: 0.4, motor: { targetVelocity: 1, maxForce: 2 } },
  spring: { hertz: 2, damping: 0.5, rest: 0.2 },
}
const points = [0, 0, 0, 1, 0.2, 0, 2, 1, 0.4, 3, 1, 1]

/** @type {[string, (a: Body, b: Body) => JointDefinition][]} */
const JOINTS = [
  ['ball', (bodyA, bodyB) => ({ type: 'ball', bodyA, bodyB, anchor })],
  ['fixed', (bodyA, bodyB) => ({ type: 'fixed', bodyA, bodyB, anchor })],
  ['hinge', (bodyA, bodyB) => ({ type: 'hinge', bodyA, bodyB, anchor, axis: [1, 1, 0] })],
  [
    'hinge with drives',
    (bodyA, bodyB) => ({ type: 'hinge', bodyA, bodyB, anchor, axis: [0, 1, 1], ...drives }),
  ],
  [
    'slider with drives',
    (bodyA, bodyB) => ({ type: 'slider', bodyA, bodyB, anchor, axis: [0, 1, 1], ...drives }),
  ],
  [
    'universal',
    (bodyA, bodyB) => ({
      type: 'universal',
      bodyA,
      bodyB,
      anchor,
      axisA: [1, 0, 0],
      axisB: [0, 0, 1],
    }),
  ],
  ['distance', (bodyA, bodyB) => ({ type: 'distance', bodyA, bodyB })],
  ['rope', (bodyA, bodyB) => ({ type: 'rope', bodyA, bodyB })],
  ['spring', (bodyA, bodyB) => ({ type: 'spring', bodyA, bodyB, hertz: 2, damping: 0.3 })],
  [
    'sixDof',
    (bodyA, bodyB) => ({
      type: 'sixDof',
      bodyA,
      bodyB,
      anchor,
      linear: ['locked', 'free', 'locked'],
    }),
  ],
  ['motor', (bodyA, bodyB) => ({ type: 'motor', bodyA, bodyB, maxForce: 3, maxTorque: 2 })],
  [
    'wheel',
    (bodyA, bodyB) => ({ type: 'wheel', bodyA, bodyB, anchor, axis: [0, 0, 1], axle: [0, 1, 0] }),
  ],
  ['path', (bodyA, bodyB) => ({ type: 'path', bodyA, bodyB, points, align: 'tangent' })],
  ['gear', (bodyA, bodyB) => ({ type: 'gear', bodyA, bodyB, ratio: 2, axis: [1, 0, 0] })],
]

/**
 * @param {ArrayLike<number>} u
 * @param {ArrayLike<number>} v
 */
const dot = (u, v) => Array.from(u).reduce((sum, x, i) => sum + x * v[i], 0)
/** @type {(u: readonly number[], v: readonly number[]) => Vector} */
const cross = (u, v) => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
]
/** @type {(u: readonly number[], v: readonly number[], s?: number) => Vector} */
const plus = (u, v, s = 1) => [u[0] + s * v[0], u[1] + s * v[1], u[2] + s * v[2]]

/** @param {readonly (Body | null)[]} bodies */
const velocitiesOf = (bodies) =>
  bodies.flatMap((body) =>
    body === null ? [0, 0, 0, 0, 0, 0] : [...body.linearVelocity, ...body.angularVelocity],
  )

/**
 * Force and torque about the centre of mass of a body.
 *
 * @param {ConstraintRow[]} rows
 * @param {Body} body
 * @returns {[Vector, Vector]}
 */
function wrenchOf(rows, body) {
  const side = rows[0].bodies.indexOf(body)
  const sum = (/** @type {number} */ k) =>
    rows.reduce((total, { jacobian, force }) => total + jacobian[6 * side + k] * force, 0)
  return [
    [sum(0), sum(1), sum(2)],
    [sum(3), sum(4), sum(5)],
  ]
}

/**
 * 1 / (J M^-1 J^T), from what bodies say.
 *
 * @param {ConstraintRow} row
 */
function massOf({ jacobian, bodies }) {
  let mobility = 0
  for (const [side, body] of bodies.entries()) {
    if (body === null) continue
    const linear = jacobian.slice(6 * side, 6 * side + 3)
    const angular = jacobian.slice(6 * side + 3, 6 * side + 6)
    const { inverseMass, inverseInertia } = body
    mobility += inverseMass * dot(linear, linear)
    for (let i = 0; i < 3; i++)
      mobility += angular[i] * dot(inverseInertia.slice(3 * i, 3 * i + 3), angular)
  }
  return 1 / mobility
}

/**
 * C at the poses that bodies have `time` later if they go on as they do.
 *
 * @param {Constraint} constraint
 * @param {number} time s
 */
function violationAfter(constraint, time) {
  const { bodies } = constraint
  const poses = bodies.map(
    (body) => body && [body.position, body.orientation, velocitiesOf([body])],
  )
  for (const body of bodies) {
    if (body === null) continue
    const [spin, velocity] = [body.angularVelocity, body.linearVelocity]
    body.position = plus(body.position, velocity, time)
    const [x, y, z, w] = turnBy(spin.map((rate) => time * rate))
    const [qx, qy, qz, qw] = body.orientation
    const vector = plus(plus(cross([x, y, z], [qx, qy, qz]), [qx, qy, qz], w), [x, y, z], qw)
    body.orientation = [...vector, w * qw - dot([x, y, z], [qx, qy, qz])]
  }
  const errors = constraint.violation()
  for (const [i, body] of bodies.entries()) {
    if (body === null) continue
    const [position, orientation, velocity] = /** @type {any} */ (poses[i])
    Object.assign(body, { position, orientation })
    Object.assign(body, {
      linearVelocity: velocity.slice(0, 3),
      angularVelocity: velocity.slice(3),
    })
  }
  return errors
}

for (const solver of /** @type {SolverName[]} */ (['exact', 'block-pgs', 'soft-step'])) {
  for (const [name, define] of JOINTS) {
    test(`rows of a joint: ${name}, ${solver}`, async () => {
      const world = await World.create({ solver, gravity: [0, -9.81, 0], allowSleep: false })
      const { a, b } = addPair(world, 0)
      const joint = world.createJoint(define(a, b))
      for (let i = 0; i < 10; i++) world.step(0.005)
      const rows = joint.rows()
      const [[forceA, torqueA], [forceB, torqueB]] = [a, b].map((body) => wrenchOf(rows, body))
      // Anchors that are apart leave a couple.
      const couple = joint.error * Math.hypot(...forceB)

      assert.equal(rows.length, joint.dimension)
      assert.deepEqual(
        rows.map(({ force }) => force),
        joint.force(),
      )
      nearVector(plus(forceA, forceB), [0, 0, 0], 1e-9, 'the forces on both bodies')
      // Wheels of a gear press against their axles, which are the world.
      if (joint.type !== 'gear') {
        const momentA = plus(torqueA, cross(a.position, forceA))
        const momentB = plus(torqueB, cross(b.position, forceB))
        nearVector(plus(momentA, momentB), [0, 0, 0], 1e-8 + couple, 'the moments on both bodies')
        const { force, torque } = joint.reaction()
        const anchorB = b.worldPoint(/** @type {Vector} */ (joint.anchorB))
        const arm = plus(anchorB, b.worldCenterOfMass, -1)
        nearVector(forceB, force, 1e-9, 'force of the reaction')
        nearVector(plus(torqueB, cross(arm, forceB), -1), torque, 1e-9, 'torque of the reaction')
      }
      const rates = rows.map(({ jacobian, bodies }) => dot(jacobian, velocitiesOf(bodies)))
      nearVector(rates, joint.velocityViolation(), 1e-12, 'J v')
      for (const row of rows) near(row.effectiveMass, massOf(row), 1e-9, 'effective mass')
      const [after, before] = [H, -H].map((time) => violationAfter(joint, time))
      // Friction and motors have no error.
      for (const [i, { role }] of rows.entries()) {
        if (role === 'friction' || role === 'motor') continue
        near((after[i] - before[i]) / (2 * H), rates[i], 1e-7, `dC/dt of row ${i}, ${role}`)
      }
      world.free()
    })
  }
}

describe('rows of constraints', () => {
  test('a gear has the bodies of both joints, and their parts of a body add up', async () => {
    const world = await World.create({ gravity: [0, 0, 0], solver: 'exact' })
    const { a, b } = addPair(world, 0)
    const { a: c } = addPair(world, 3)
    const jointA = world.createJoint({ type: 'hinge', bodyA: a, bodyB: b, anchor, axis: [1, 0, 0] })
    const jointB = world.createJoint({ type: 'hinge', bodyA: a, bodyB: c, anchor, axis: [1, 0, 0] })
    const gear = world.createJoint({ type: 'gear', jointA, jointB, ratio: 3 })
    for (let i = 0; i < 5; i++) world.step(0.005)
    const [row, ...others] = gear.rows()
    assert.equal(others.length, 0)
    assert.deepEqual(row.bodies, [a, b, a, c])
    nearVector([dot(row.jacobian, velocitiesOf(row.bodies))], gear.velocityViolation(), 1e-12)
    // On A acts the sum of both parts, and its mass counts once: 1 / (J M^-1 J^T) of the sum.
    const sum = row.jacobian.map((x, i) =>
      i < 6 ? x + row.jacobian[12 + i] : i < 18 && i > 11 ? 0 : x,
    )
    near(row.effectiveMass, massOf({ ...row, jacobian: sum }), 1e-12, 'effective mass')
    world.free()
  })

  test('each row says what it is there for, and what bounds it', async () => {
    const world = await World.create()
    const { a, b } = addPair(world, 0)
    const hinge = world.createJoint({
      ...{ type: 'hinge', bodyA: a, bodyB: b, anchor, axis: [0, 0, 1], limits: [-1, 2] },
      ...{ spring: { hertz: 1 }, motor: { targetVelocity: 1, maxForce: 5 }, friction: 3 },
    })
    const brief = (
      /** @type {ConstraintRow} */ { role, coordinate, kind, lower, upper, friction },
    ) => [...[role, coordinate, kind], ...[lower, upper, friction]]
    const held = ['hold', null, 'bilateral', -Infinity, Infinity, 0]
    const before = hinge.rows()
    assert.deepEqual(before.map(brief), [
      ...Array(5).fill(held),
      ['lower', 0, 'unilateral', 0, Infinity, 0],
      ['upper', 0, 'unilateral', 0, Infinity, 0],
      ['spring', 0, 'bilateral', -Infinity, Infinity, 0],
      ['motor', 0, 'box', -5, 5, 0],
      ['friction', 0, 'box', -3, 3, 0],
    ])
    assert.ok(
      before.every(({ force }) => force === 0),
      'no force before the first step',
    )
    assert.ok(before.every(({ jacobian }) => jacobian.length === 12))
    const motor = world.createJoint({
      type: 'motor',
      bodyA: a,
      bodyB: b,
      maxForce: 3,
      maxTorque: 2,
    })
    assert.deepEqual(motor.rows().map(brief), [
      ...Array(3).fill(['motor', null, 'box', -3, 3, 0]),
      ...Array(3).fill(['motor', null, 'box', -2, 2, 0]),
    ])
    world.free()
  })

  test('the world and static bodies move for nothing, and locked axes are heavier than all', async () => {
    const world = await World.create({ solver: 'exact' })
    const shape = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
    const ground = world.createBody({ type: 'static', shape, position: [0, 5, 0] })
    const body = world.createBody({ shape, mass: 2, lockTranslation: [true, false, false] })
    const other = world.createBody({ type: 'static', shape, position: [0, 9, 0] })
    const joint = world.createJoint({ type: 'ball', bodyA: ground, bodyB: body, anchor: [0, 0, 0] })
    const fixed = world.createJoint({
      type: 'ball',
      bodyA: ground,
      bodyB: other,
      anchor: [0, 7, 0],
    })
    const held = world.createJoint({ type: 'ball', bodyB: body, anchor: [0, 0, 0] })
    for (const { effectiveMass } of fixed.rows()) assert.equal(effectiveMass, Infinity)
    assert.deepEqual(
      joint.rows().map(({ effectiveMass }) => effectiveMass),
      [Infinity, 2, 2],
    )
    for (const { bodies } of held.rows()) assert.deepEqual(bodies, [null, body])
    assert.deepEqual(
      held.rows().map(({ effectiveMass }) => effectiveMass),
      [Infinity, 2, 2],
    )
    world.free()
  })

  test('custom constraints: a cone, a box in N s, and a Jacobian by differences', async () => {
    const world = await World.create({ gravity: [0, 0, 0], solver: 'exact' })
    const { a, b } = addPair(world, 0)
    const custom = world.createConstraint({
      ...{ type: 'custom', bodies: [a, b], dimension: 4 },
      bounds: [Bounds.cone(0.5), Bounds.box(-0.02, 0.01)],
      evaluate(one, two, time, out) {
        assert.ok(two !== null)
        for (let i = 0; i < 3; i++) out[i] = two.position[i] - one.position[i]
        out[3] = two.position[0] * one.position[1]
      },
    })
    world.step(0.01)
    const rows = custom.rows()
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['cone', 'cone', 'cone', 'box'],
    )
    assert.deepEqual(
      rows.map(({ friction }) => friction),
      [0.5, 0.5, 0.5, 0],
    )
    assert.deepEqual([rows[3].lower, rows[3].upper], [-0.02, 0.01])
    for (const row of rows) near(row.effectiveMass, massOf(row), 1e-9, 'effective mass')
    const rates = rows.map(({ jacobian }) => dot(jacobian, velocitiesOf([a, b])))
    nearVector(rates, custom.velocityViolation(), 1e-6, 'J v')
    world.free()
  })

  test('one that makes no rows has none that moves anything', async () => {
    const world = await World.create()
    const { a } = addPair(world, 0)
    const unit = world.createConstraint({ type: 'unitQuaternion', bodies: a })
    const [{ effectiveMass, force }] = unit.rows()
    assert.deepEqual([effectiveMass, force], [Infinity, 0])
    world.free()
  })

  test('errors: destroyed, and a function that throws', async () => {
    const world = await World.create()
    const { a, b } = addPair(world, 0)
    const ball = world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor })
    ball.destroy()
    throwsCode(() => ball.rows(), 'stale-handle', /^rows: /)
    const failure = new Error('no Jacobian')
    const custom = world.createConstraint({
      ...{ type: 'custom', bodies: [a, b], dimension: 1 },
      evaluate() {},
      jacobian() {
        throw failure
      },
    })
    assert.throws(() => custom.rows(), { code: 'constraint-failed', cause: failure })
    world.free()
  })
})
