// URDF into a world: moreau/import. A134.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { importURDF } from 'moreau/import'
import { fileOf, near, warningsOf, worldZUp } from './import-support.mjs'

/** The inertial of a test's link: 1 kg, a diagonal tensor. */
const inertial = (mass = 1, inertia = '0.01 0.02 0.025', xyz = '0 0 0') => {
  const [xx, yy, zz] = inertia.split(' ')
  return `<inertial><origin xyz="${xyz}"/><mass value="${mass}"/><inertia ixx="${xx}" iyy="${yy}" izz="${zz}" ixy="0" ixz="0" iyz="0"/></inertial>`
}
const joint = (
  /** @type {string} */ name,
  /** @type {string} */ type,
  /** @type {string} */ parent,
  /** @type {string} */ child,
  rest = '',
) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>`

describe('A134: the arm of arm2-A.urdf', () => {
  test('has the masses, centres and inertia of the file, and the tool is a frame', async () => {
    const world = await worldZUp()
    const arm = await importURDF(fileOf('arm2-A.urdf'), { world, fixedBase: true })
    assert.equal(world.bodies.length, 3)
    assert.equal(world.joints.length, 2)
    assert.deepEqual(
      world.joints.map(({ type }) => type),
      ['hinge', 'hinge'],
    )
    assert.equal(arm.mass, 4.5)
    assert.equal(arm.bodies.base.type, 'static')
    assert.equal(arm.bodies.tool, arm.bodies.l2)
    assert.equal(arm.frames.tool.body, arm.bodies.l2)
    near([arm.bodies.l1.mass, arm.bodies.l2.mass], [2, 1.5], 1e-15)
    near(arm.frame('tool').position, [0.900985664, 0.025382566, 0.067346936], 1e-9)
    const [xy, zz] = [-0.004207355, 0.03]
    const inertia = [0.012298488, xy, 0, xy, 0.017701512, 0, 0, 0, zz]
    near(arm.bodies.l2.inertia, inertia, 1e-9, 'inertia of l2')
    near(arm.links.l2.inertia, inertia, 1e-9, 'inertia of the link l2')
    const [shape] = arm.bodies.l1.shapes
    assert.deepEqual([shape.type, shape.radius, shape.halfHeight], ['cylinder', 0.04, 0.25])
  })

  test('is brought to a configuration', async () => {
    const world = await worldZUp()
    const arm = await importURDF(fileOf('arm2-A.urdf'), { world, fixedBase: true })
    arm.setConfiguration({ shoulder: 0.7, elbow: -0.4 })
    const { position } = arm.frame('tool')
    near(position, [0.690164852, 0.553368073, 0.219636734], 1e-9, 'tool')
    const [x, y, z, w] = arm.frame('tool').orientation
    const axis = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)]
    near(axis, [0.538452038, 0.801832407, 0.25910267], 1e-9, 'x axis of the tool')
    const { l1, l2, base } = arm.bodies
    near(l1.worldCenterOfMass, [0.191210547, 0.161054422, 0.1], 1e-9, 'l1')
    near(l2.worldCenterOfMass, [0.528570091, 0.453265956, 0.139220942], 1e-9, 'l2')
    const parts = Object.values(arm.links).filter(({ mass }) => mass > 0)
    assert.equal(base.mass, 0)
    const center = [0, 1, 2].map(
      (i) => parts.reduce((sum, { body, mass }) => sum + mass * body.worldCenterOfMass[i], 0) / 4.5,
    )
    near(center, [0.261172496, 0.222668395, 0.090851425], 1e-9, 'centre of all')
    near(arm.joints.shoulder.coordinates, [0.7], 1e-12)
    near(arm.joints.elbow.coordinates, [-0.4], 1e-12)
  })

  test('motors of the effort hold it against gravity', async () => {
    const world = await worldZUp()
    const arm = await importURDF(fileOf('arm2-A.urdf'), { world, fixedBase: true })
    arm.setConfiguration({ shoulder: 0.7, elbow: -0.4 })
    arm.hold()
    world.step(0.001)
    // The motor and the friction of 0.05 N m hold together.
    const torques = ['elbow', 'shoulder'].map((name) => {
      const { motor, friction } = arm.joints[name].driveForces()
      return motor + friction
    })
    near(torques, [-2.76568065, 0], 1e-6, 'torques')
    const { elbow, shoulder } = arm.joints
    assert.equal(/** @type {any} */ (elbow.motor).maxForce, 20)
    assert.equal(/** @type {any} */ (shoulder.motor).maxForce, 30)
    assert.deepEqual(elbow.limits, { lower: -2.5, upper: 2.5 })
    assert.equal(elbow.friction, 0.05)
    assert.deepEqual(elbow.spring, { dampingCoefficient: 0.1, rest: 0 })
    assert.deepEqual(arm.jointData.elbow, { maxForce: 20, maxSpeed: 3 })
  })

  test('what is not taken over is a warning with its place', async () => {
    const arm = await importURDF(fileOf('arm2-A.urdf'), { world: await worldZUp() })
    assert.equal(warningsOf(arm, /^robot\/transmission\[t1\]$/).length, 1)
    assert.equal(warningsOf(arm, /joint\[elbow\]\/limit\[0\]\/@velocity$/).length, 1)
    assert.equal(arm.warnings.length, 3)
  })

  test('its velocities follow from rates of the joints, as differences of configurations say', async () => {
    const arm = await importURDF(fileOf('arm2-A.urdf'), {
      world: await worldZUp(),
      fixedBase: true,
    })
    const at = (/** @type {number} */ t) => {
      arm.setConfiguration(
        { shoulder: 0.7 + 2 * t, elbow: -0.4 - 3 * t },
        { shoulder: 2, elbow: -3 },
      )
      return arm.bodies.l2.worldCenterOfMass
    }
    const [before, after] = [at(-1e-5), at(1e-5)]
    at(0)
    near(
      arm.bodies.l2.linearVelocity,
      after.map((x, i) => (x - before[i]) / 2e-5),
      1e-8,
    )
    near(arm.joints.elbow.speeds, [-3], 1e-12, 'rate of the elbow')
    near(arm.joints.shoulder.speeds, [2], 1e-12, 'rate of the shoulder')
  })
})

describe('URDF', () => {
  test('a mimic joint is coupled to its leader, offset and all', async () => {
    const text = `<robot name="r"><link name="base"/>
      <link name="a">${inertial()}</link><link name="b">${inertial()}</link>
      ${joint('first', 'revolute', 'base', 'a', '<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1"/>')}
      ${joint('second', 'continuous', 'base', 'b', '<origin xyz="1 0 0"/><axis xyz="0 0 1"/><mimic joint="first" multiplier="-2" offset="0.25"/>')}
    </robot>`
    const world = await World.create({ gravity: [0, 0, 0], solver: 'exact' })
    const robot = await importURDF(text, { world, fixedBase: true })
    assert.deepEqual(robot.warnings, [])
    near(robot.joints.second.coordinates, [0.25], 1e-12)
    robot.bodies.a.applyAngularImpulse([0, 0, 0.05])
    for (let step = 0; step < 100; step++) world.step(0.01)
    const { first, second } = robot.joints
    assert.ok(first.coordinate > 0.3, `${first.coordinate}`)
    near([second.coordinate], [0.25 - 2 * first.coordinate], 1e-9)
  })

  test('a link without mass between two hinges moves its neighbours as if it were not there', async () => {
    // A wrist of two hinges on a massless cross, beside a universal joint.
    const limb = inertial(2, '0.02 0.03 0.04', '0.1 0.05 -0.3')
    const text = `<robot name="r"><link name="base"/><link name="cross"/><link name="limb">${limb}</link>
      ${joint('roll', 'continuous', 'base', 'cross', '<axis xyz="1 0 0"/>')}
      ${joint('pitch', 'continuous', 'cross', 'limb', '<axis xyz="0 1 0"/>')}</robot>`
    const worlds = [await worldZUp(), await worldZUp()]
    const robot = await importURDF(text, { world: worlds[0], fixedBase: true })
    const { limb: link, cross } = robot.bodies
    assert.ok(cross.mass > 0.01 && cross.mass < 1, `${cross.mass} kg`)
    near([cross.mass + link.mass], [2], 1e-14)
    assert.equal(warningsOf(robot, /cross/).length, 0)

    const { mass, inertia, centerOfMass } = robot.links.limb
    const body = worlds[1].createBody({ mass, inertia, centerOfMass })
    worlds[1].createJoint({
      ...{ type: 'universal', bodyB: body, anchor: [0, 0, 0] },
      ...{ axisA: [1, 0, 0], axisB: [0, 1, 0] },
    })
    for (const world of worlds) for (let step = 0; step < 200; step++) world.step(0.001)
    assert.ok(Math.abs(body.orientation[3]) < 0.999)
    // First order in dt: both are the same motion, integrated by other bodies.
    near(link.orientation, body.orientation, 2e-4)
  })

  test('fixed joints hold links with mass, meshes are hulls of what the loader gives, neighbours do not collide', async () => {
    const box = '<collision><geometry><box size="0.2 0.4 0.6"/></geometry></collision>'
    const mesh =
      '<collision><geometry><mesh filename="package://a/b.stl" scale="2 2 2"/></geometry></collision>'
    const text = `<robot name="r"><link name="base">${inertial()}${box}</link>
      <link name="box">${inertial()}${mesh}</link>
      ${joint('glue', 'fixed', 'base', 'box', '<origin xyz="0 0 0.1"/>')}</robot>`
    const asked = /** @type {string[]} */ ([])
    const world = await World.create({ gravity: [0, 0, 0] })
    const loader = (/** @type {string} */ uri) => {
      asked.push(uri)
      return { vertices: [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1], indices: [0, 2, 1] }
    }
    const robot = await importURDF(text, { world, loader, body: { friction: 0.9 } })
    assert.deepEqual(asked, ['package://a/b.stl'])
    assert.equal(robot.joints.glue.type, 'fixed')
    assert.deepEqual(robot.bodies.base.shapes[0].halfExtents, [0.1, 0.2, 0.3])
    assert.equal(robot.bodies.box.friction, 0.9)
    near([robot.bodies.box.shapes[0].volume], [0.2 ** 3 / 6], 1e-15)
    assert.equal(warningsOf(robot, /mesh/, /convex hull/).length, 1)
    world.step(0.01)
    assert.equal(world.stats.contacts, 0)

    const without = await importURDF(text, { world })
    assert.equal(warningsOf(without, /mesh/, /no loader/).length, 1)
    assert.equal(without.bodies.box.shapes.length, 0)
  })

  test('a joint to a link that is not there is left out, with a warning', async () => {
    const text = `<robot name="r"><link name="a">${inertial()}</link>${joint('j', 'fixed', 'a', 'zz')}</robot>`
    const robot = await importURDF(text, { world: await worldZUp() })
    assert.equal(warningsOf(robot, /joint\[j\]/, /its child 'zz' is no link/).length, 1)
  })

  test('floating and planar joints leave what they say', async () => {
    const text = `<robot name="r"><link name="world"/><link name="ship">${inertial()}</link><link name="puck">${inertial()}</link>
      ${joint('sea', 'floating', 'world', 'ship', '<origin xyz="0 0 5"/>')}
      ${joint('ice', 'planar', 'world', 'puck', '<origin xyz="0 0 1"/><axis xyz="0 0 1"/>')}</robot>`
    const world = await worldZUp()
    const robot = await importURDF(text, { world })
    assert.equal(robot.bodies.world.type, 'static')
    assert.deepEqual(robot.bodies.ship.position, [0, 0, 5])
    robot.setConfiguration({}, { 'ice/x': 1, 'ice/y': -0.5, ice: 0.25 })
    const { linearVelocity } = robot.bodies.puck
    for (let step = 0; step < 100; step++) world.step(0.01)
    near([robot.bodies.ship.position[2]], [5 - 0.5 * 9.81 * 1.01], 1e-9)
    near([Math.hypot(...linearVelocity)], [Math.hypot(1, 0.5)], 1e-12)
    near(robot.bodies.puck.position, [linearVelocity[0], linearVelocity[1], 1], 1e-7)
    near([robot.joints.ice.coordinate], [0.25], 1e-7)
  })

  test('what cannot be read is refused with its place, and the world is as it was', async () => {
    const world = await worldZUp()
    const link = (/** @type {string} */ name) => `<link name="${name}">${inertial()}</link>`
    const cases = /** @type {const} */ ([
      ['<robot><link', /no XML/],
      ['<sdf/>', /its root is <sdf>/],
      [`<robot>${link('a')}${link('b')}</robot>`, /one link must be without a parent/],
      [
        `<robot>${link('a')}${link('b')}${link('c')}${joint('j', 'fixed', 'b', 'c')}${joint('k', 'fixed', 'c', 'b')}</robot>`,
        /circle/,
      ],
      [
        `<robot><link name="a">${inertial()}</link><link name="b">${inertial(1, '1 -1 1')}</link>${joint('j', 'fixed', 'a', 'b')}</robot>`,
        /robot\/link\[b\].*inertia/,
      ],
    ])
    const hash = world.hash()
    for (const [text, message] of cases) {
      await assert.rejects(importURDF(text, { world }), (error) => {
        assert.match(/** @type {Error} */ (error).message, message)
        assert.equal(/** @type {any} */ (error).code, 'invalid-argument')
        return true
      })
      assert.equal(world.bodies.length, 0)
    }
    const strange = /** @type {any} */ ({ world, fixdBase: true })
    await assert.rejects(importURDF('<robot/>', strange), /did you mean 'fixedBase'/)
    await assert.rejects(importURDF('<robot/>', /** @type {any} */ ({})), /world must be a World/)
    // Ids go on, the rest is the same.
    assert.equal(world.joints.length, 0)
    assert.ok(typeof hash === 'string')
  })

  test('require() has it too', async () => {
    const require = createRequire(import.meta.url)
    const { World: CjsWorld } = require('moreau')
    const cjs = require('moreau/import')
    const world = await CjsWorld.create()
    const arm = await cjs.importURDF(fileOf('arm2-A.urdf'), { world, fixedBase: true })
    assert.equal(arm.mass, 4.5)
  })
})
