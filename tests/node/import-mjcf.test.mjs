// MJCF into a world: moreau/import. A135.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { importMJCF } from 'moreau/import'
import { fileOf, near, warningsOf, worldZUp } from './import-support.mjs'

/** @param {string} inner */
const model = (inner) => `<mujoco>${inner}</mujoco>`

describe('A135: probe-A.xml', () => {
  test('has the masses, centres, inertia, limits and friction of the file', async () => {
    const world = await worldZUp()
    const probe = await importMJCF(fileOf('probe-A.xml'), { world })
    const { slide, arm, world: ground } = probe.bodies
    assert.deepEqual(probe.warnings, [])
    near([slide.mass, arm.mass], [13.42477796, 3.13935094], 1e-8)
    near(slide.centerOfMass, [0, 0.070204349, 0.140408698], 1e-9)
    near(arm.centerOfMass, [0, 0, -0.454829746], 1e-9)
    const inertia = [0.48570919, 0, 0, 0, 0.1407746, -0.05616348, 0, -0.05616348, 0.38338223]
    near(slide.inertia, inertia, 5e-9)
    near(probe.frame('end').position, [-0.6, 0, 0.8], 1e-9)
    assert.deepEqual(probe.joints.rail.limits, { lower: -1, upper: 1 })
    assert.deepEqual(probe.joints.bend.spring, { dampingCoefficient: 0.2, rest: 0 })
    assert.equal(ground.type, 'static')
    assert.deepEqual(
      ground.shapes.map(({ type }) => type),
      ['plane'],
    )
    for (const body of [slide, arm, ground]) {
      assert.equal(body.shapes[0].friction, 0.7)
      assert.equal(body.frictionCombine, 'maximum')
      near([body.spinningFriction, body.rollingFriction], [0.01, 0.002], 0)
    }
    const [box] = slide.shapes
    assert.deepEqual(box.halfExtents, [0.1, 0.2, 0.05])
  })

  test('is brought to a configuration', async () => {
    const probe = await importMJCF(fileOf('probe-A.xml'), { world: await worldZUp() })
    probe.setConfiguration({ rail: -0.15, bend: (40 * Math.PI) / 180 })
    near(probe.frame('end').position, [-0.524533332, -0.341045354, 1.267502799], 1e-9)
    near(probe.bodies.arm.position, [0.011697778, -0.11606969, 0.87783352], 1e-8)
    near(probe.joints.rail.coordinates, [-0.15], 1e-12)
    near(probe.joints.bend.coordinates, [(40 * Math.PI) / 180], 1e-12)
  })
})

describe('MJCF', () => {
  test('says where things are in five ways', async () => {
    const turns = [
      'quat="0.7071067811865476 0 0 0.7071067811865476"',
      'axisangle="0 0 2 90"',
      'euler="0 0 90"',
      'xyaxes="0 3 0 -2 1 0"',
    ]
    const sites = turns.map((turn, i) => `<site name="s${i}" ${turn}/>`).join('')
    const text = model(
      `<worldbody>${sites}<site name="z" zaxis="1 0 0"/><site name="o" euler="90 0 90"/></worldbody>`,
    )
    const { frames } = await importMJCF(text, { world: await worldZUp() })
    const half = Math.SQRT1_2
    for (let i = 0; i < turns.length; i++) {
      near(frames[`s${i}`].orientation, [0, 0, half, half], 1e-12, turns[i])
    }
    near(frames.z.orientation, [0, half, 0, half], 1e-12)
    near(frames.o.orientation, [0.5, -0.5, 0.5, 0.5], 1e-12, 'euler: about turned axes')
    const fixed = text.replace('<worldbody>', '<compiler eulerseq="XYZ"/><worldbody>')
    const other = await importMJCF(fixed, { world: await worldZUp() })
    near(other.frames.o.orientation, [0.5, 0.5, 0.5, 0.5], 1e-12, 'euler: about fixed axes')
  })

  test('default classes hold by nesting, childclass and class', async () => {
    const text = model(`
      <default><geom density="100"/>
        <default class="heavy"><geom density="2000"/><joint damping="3"/>
          <default class="huge"><geom size="0.2"/></default></default></default>
      <worldbody>
        <body name="a"><freejoint/><geom size="0.1"/></body>
        <body name="b" childclass="heavy"><joint name="j"/><geom size="0.1"/>
          <body name="c"><joint name="k" damping="1"/><geom class="huge"/></body></body>
      </worldbody>`)
    const { links, joints } = await importMJCF(text, { world: await worldZUp() })
    const ball = (4 / 3) * Math.PI
    near([links.a.mass], [100 * ball * 0.001], 1e-12)
    near([links.b.mass], [2000 * ball * 0.001], 1e-12)
    near([links.c.mass], [2000 * ball * 0.008], 1e-12)
    assert.equal(joints.j.spring?.dampingCoefficient, 3)
    assert.equal(joints.k.spring?.dampingCoefficient, 1)
  })

  test('ref, springref and range are counted from the file, coordinates of the engine from ref', async () => {
    const text = model(`<compiler angle="radian"/><worldbody><body name="a">
      <joint name="j" type="hinge" axis="0 1 0" ref="0.5" range="0 1" springref="0.25" stiffness="2"/>
      <geom size="0.1" pos="1 0 0"/></body></worldbody>`)
    const robot = await importMJCF(text, { world: await worldZUp() })
    const { j } = robot.joints
    const { lower, upper } = /** @type {any} */ (j.limits)
    near([lower, upper], [-0.5, 0.5], 1e-15)
    near([j.spring?.rest ?? 0], [-0.25], 1e-15)
    near(robot.bodies.a.worldCenterOfMass, [1, 0, 0], 1e-15)
    robot.setConfiguration({ j: 0.75 })
    near(j.coordinates, [0.25], 1e-12)
    near(robot.bodies.a.worldCenterOfMass, [Math.cos(0.25), 0, -Math.sin(0.25)], 1e-12)
  })

  test('contype, conaffinity, excluded pairs and parents decide what collides', async () => {
    const geom = (/** @type {string} */ rest) => `<geom size="0.5" ${rest}/>`
    const body = (/** @type {string} */ name, /** @type {string} */ inner) =>
      `<body name="${name}"><freejoint/>${inner}</body>`
    const text = model(`<worldbody>
      ${body('plain', geom(''))}
      ${body('wants', geom('contype="0" conaffinity="1"'))}
      ${body('gives', geom('contype="2" conaffinity="0"'))}
      ${body('takes', geom('contype="0" conaffinity="2"'))}
      ${body('ghost', geom('contype="0" conaffinity="0"'))}
      ${body('p', `${geom('')}<body name="q"><joint/><joint axis="1 0 0"/>${geom('')}</body>`)}
      </worldbody><contact><exclude body1="plain" body2="p"/></contact>`)
    const world = await World.create({ gravity: [0, 0, 0] })
    const { bodies } = await importMJCF(text, { world })
    world.step(1e-4)
    const pairs = world.bodies.flatMap((one) =>
      one.contacts().map(({ other }) => [nameOf(one), nameOf(other)].sort().join(' ')),
    )
    assert.deepEqual([...new Set(pairs)].sort(), [
      'gives takes',
      'p wants',
      'plain q',
      'plain wants',
      'q wants',
    ])
    assert.equal(bodies.ghost.shapes.length, 0)

    /** @param {unknown} one */
    function nameOf(one) {
      return Object.keys(bodies).find((name) => bodies[name] === one)
    }
  })

  test('a loop that connect closes stays closed to 1e-8, and couples move together', async () => {
    // A slider and crank: a crank of 0.3 m, a rod of 1 m, and a piston on the x axis that the end of the rod is connected to.
    const text = model(`<worldbody>
      <body name="crank"><joint name="turn" axis="0 0 1"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/>
        <body name="rod" pos=".3 0 0"><joint name="swing" axis="0 0 1"/><geom type="capsule" size=".02" fromto="0 0 0 1 0 0"/></body></body>
      <body name="piston" pos="1.3 0 0"><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".05 .05 .05"/></body>
      <body name="wheel" pos="0 3 0"><joint name="wheel" axis="0 0 1"/><geom type="cylinder" size=".2 .02"/></body>
      </worldbody>
      <equality><connect name="pin" body1="rod" body2="piston" anchor="1 0 0"/>
        <joint name="gear" joint1="wheel" joint2="turn" polycoef="0 -2"/></equality>`)
    const world = await World.create({ gravity: [0, 0, -9.81], solver: 'exact', allowSleep: false })
    const { joints, bodies } = await importMJCF(text, { world, body: { filter: { mask: 0 } } })
    bodies.crank.angularVelocity = [0, 0, 5]
    bodies.wheel.angularVelocity = [0, 0, -10]
    let worst = 0
    for (let step = 0; step < 1000; step++) {
      world.step(0.002)
      worst = Math.max(worst, joints.pin.error, joints.turn.error, joints.slide.error)
    }
    assert.ok(worst < 1e-8, `${worst} m`)
    assert.ok(Math.abs(joints.turn.angle) > 3, `${joints.turn.angle} rad`)
    const [angle, x] = [joints.turn.angle, bodies.piston.position[0]]
    near([x], [0.3 * Math.cos(angle) + Math.sqrt(1 - (0.3 * Math.sin(angle)) ** 2)], 1e-7)
    near([joints.wheel.angle], [-2 * angle], 1e-7)
  })

  test('motors are for programs, servos are motors of their joints', async () => {
    const text = model(`<compiler autolimits="true"/><worldbody>
      <body name="a"><joint name="j" axis="0 0 1"/><geom size=".1" mass="2" pos=".5 0 0"/></body>
      <body name="b" pos="0 2 0"><joint name="k" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body></worldbody>
      <actuator><motor name="m" joint="j" gear="3" ctrlrange="-2 2"/><position name="p" joint="k" kp="50" kv="4" forcerange="-7 7"/></actuator>`)
    const world = await World.create({ gravity: [0, 0, -9.81], solver: 'exact', allowSleep: false })
    const robot = await importMJCF(text, { world })
    assert.deepEqual(robot.actuators, { m: { joint: 'j', gear: 3, range: [-2, 2] } })
    assert.equal(robot.jointData.j.maxForce, 6)
    const motor = robot.joints.k.motor
    assert.deepEqual(motor, {
      targetPosition: 0,
      targetVelocity: 0,
      maxForce: 7,
      stiffness: 50,
      dampingCoefficient: 4,
    })
    const inertia = 2 * 0.25 + (2 / 5) * 2 * 0.01
    robot.applyForce('j', 3 * 0.5)
    world.step(0.001)
    near([robot.joints.j.speed], [(0.001 * 1.5) / inertia], 1e-12)
  })

  test('armature by option: inertia of the joint itself, of hinges and sliders', async () => {
    const text = model(`<worldbody>
      <body name="a"><joint name="j" axis="0 1 0" armature=".3"/><inertial pos=".5 0 0" mass="2" diaginertia=".1 .1 .1"/></body>
      <body name="b" pos="0 3 0"><joint name="k" type="slide" axis="0 0 2" armature="3"/><inertial pos=".5 0 0" mass="2" diaginertia=".1 .1 .1"/></body>
      </worldbody>`)
    // One iterates, as far as it does.
    for (const [solver, tolerance] of /** @type {const} */ ([
      ['exact', 1e-8],
      ['block-pgs', 0.01],
    ])) {
      const world = await World.create({ gravity: [0, 0, -9.81], solver, allowSleep: false })
      const { joints, warnings } = await importMJCF(text, { world, armature: true })
      assert.deepEqual(warnings, [])
      world.step(0.001)
      near([joints.j.speed / 0.001], [(2 * 9.81 * 0.5) / (0.1 + 2 * 0.25 + 0.3)], tolerance, solver)
      near([joints.k.speed / 0.001], [(-2 * 9.81) / (2 + 3)], tolerance, solver)
    }
  })

  test('what is not taken over is a warning with its place', async () => {
    const text = model(`<option gravity="0 0 -1" density="1.2"/>
      <asset><mesh name="m" file="m.obj"/></asset>
      <worldbody><body name="a"><joint name="j" armature=".1"/><geom type="ellipsoid" size=".1 .2 .3"/><geom type="mesh" mesh="m"/>
        <geom size=".1" solref=".1 1"/><composite/></body></worldbody>
      <tendon><fixed/></tendon><sensor/><keyframe/>
      <equality><weld body1="a" body2="nobody"/><tendon/></equality>
      <contact><pair geom1="x" geom2="y"/></contact>
      <actuator><muscle tendon="t"/></actuator>`)
    const robot = await importMJCF(text, { world: await worldZUp() })
    const wanted = /** @type {const} */ ([
      [/option\[0\]\/@gravity/, /gravity is 0 0 -1/],
      [/option\[0\]\/@density/, /not taken over/],
      [/geom\[0\]$/, /hull/],
      [/geom\[1\]|mesh\[m\]/, /no loader/],
      [/geom\[2\]\/@solref/, /not taken over/],
      [/joint\[j\]\/@armature/, /option armature/],
      [/composite\[0\]/, /not taken over/],
      [/^mujoco\/tendon\[0\]$/, /not taken over/],
      [/sensor\[0\]/, /not taken over/],
      [/keyframe\[0\]/, /not taken over/],
      [/weld\[0\]/, /not there/],
      [/equality\[0\]\/tendon\[0\]/, /not taken over/],
      [/pair\[0\]/, /not taken over/],
      [/muscle\[0\]/, /not taken over/],
    ])
    for (const [path, message] of wanted) {
      assert.ok(warningsOf(robot, path, message).length > 0, `${path} ${message}`)
    }
    near([robot.bodies.a.shapes[0].volume / ((4 / 3) * Math.PI * 0.006)], [1], 0.05)
  })

  test('includes come through the loader, global coordinates are refused', async () => {
    const world = await worldZUp()
    const inner =
      '<mujocoinclude><body name="b"><freejoint/><geom size="0.1"/></body></mujocoinclude>'
    const text = model('<worldbody><include file="b.xml"/></worldbody>')
    const robot = await importMJCF(text, { world, loader: () => inner })
    assert.deepEqual(Object.keys(robot.bodies), ['world', 'b'])
    const without = await importMJCF(text, { world })
    assert.equal(warningsOf(without, /include/, /no loader/).length, 1)
    const global = model('<compiler coordinate="global"/><worldbody/>')
    await assert.rejects(importMJCF(global, { world }), /compiler.*@coordinate/)
    await assert.rejects(importMJCF('<robot/>', { world }), /no MJCF/)
  })

  test('bodies keep what they carry at rest: a chain of three hinges in every solver', async () => {
    for (const solver of /** @type {const} */ (['auto', 'soft-step', 'block-pgs', 'exact'])) {
      const text =
        model(`<worldbody><body name="leg"><joint axis="1 0 0" damping="1"/><joint axis="0 0 1" damping="1"/>
        <joint axis="0 1 0" damping="1"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.4"/></body></worldbody>`)
      const world = await World.create({ gravity: [0, 0, -9.81], solver, allowSleep: false })
      const { bodies, links } = await importMJCF(text, { world })
      const sum = Object.values(bodies).reduce((all, { mass }) => all + mass, 0)
      near([sum / links.leg.mass], [1], 1e-12)
      bodies.leg.applyImpulse([0.5, 0.5, 0], [0, 0, -0.4])
      for (let step = 0; step < 500; step++) world.step(0.01)
      // The centre of the link: its body has lent a part of its mass.
      const { orientation, position } = bodies.leg
      near(position, [0, 0, 0], 0.005, solver)
      near(orientation, [0, 0, 0, 1], 0.02, solver)
    }
  })
})
