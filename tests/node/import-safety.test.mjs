// What importers do with files that are wrong, strange or hostile: errors name line and place, the world is as it was, and nothing is
// dropped or shadowed in silence.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MoreauError, World } from 'moreau'
import { importGLTF, importMJCF, importURDF } from 'moreau/import'
import { near, warningsOf, worldZUp } from './import-support.mjs'

const inertial = (mass = '1', moments = '0.01 0.02 0.025') => {
  const [xx, yy, zz] = moments.split(' ')
  return `<inertial><mass value="${mass}"/><inertia ixx="${xx}" iyy="${yy}" izz="${zz}" ixy="0" ixz="0" iyz="0"/></inertial>`
}
const link = (/** @type {string} */ name, inner = inertial()) =>
  `<link name="${name}">${inner}</link>`
const joint = (
  /** @type {string} */ name,
  /** @type {string} */ type,
  /** @type {string} */ parent,
  /** @type {string} */ child,
  rest = '',
) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>`
const robot = (/** @type {string} */ inner) => `<robot name="r">${inner}</robot>`
const model = (/** @type {string} */ bodies, rest = '') =>
  `<mujoco>${rest}<worldbody>${bodies}</worldbody></mujoco>`
const hinged = (/** @type {string} */ name, /** @type {string} */ attributes = '', inner = '') =>
  `<body name="${name}"><joint ${attributes}/><geom size=".1" pos=".3 0 0"/>${inner}</body>`

/** A world with something in it that goes on. */
async function livelyWorld() {
  const world = await World.create({ gravity: [0, 0, -9.81], warnings: false })
  const hull = { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] }
  const box = { type: 'box', halfExtents: [1, 1, 1] }
  const bodies = [hull, box].map((shape, i) =>
    world.createBody({ shape: /** @type {any} */ (shape), position: [0, 0, 4 * i] }),
  )
  world.createJoint({ type: 'ball', bodyA: bodies[0], bodyB: bodies[1], anchor: [0, 0, 2] })
  world.createConstraint({
    ...{ type: 'custom', bodies: [bodies[1]], dimension: 1, compliance: 1 },
    evaluate() {},
    jacobian(a, b, time, out) {
      out.set([0, 0, 1, 0, 0, 0])
    },
  })
  world.createBody({ mass: 1, inertia: [1, 1, 1] }).destroy()
  world.step(0.01)
  return { world, bodies }
}

/**
 * Refused with this message, and nothing has changed: not a bit, not an id, not an object.
 * @param {(options: any) => Promise<unknown>} read
 * @param {RegExp} message
 * @param {string} [code]
 */
async function assertRefused(read, message, code = 'invalid-argument') {
  const { world, bodies } = await livelyWorld()
  const before = world.hash()
  await assert.rejects(read({ world }), (error) => {
    assert.ok(error instanceof MoreauError, String(error))
    assert.match(error.message, message)
    assert.equal(error.code, code)
    return true
  })
  assert.equal(world.hash(), before)
  assert.deepEqual(
    world.bodies.map(({ id }) => id),
    bodies.map(({ id }) => id),
  )
  assert.ok(world.bodies.every((body, i) => body === bodies[i]))
  world.step(0.01)
  world.free()
}

describe('a refused file leaves the world as it was', () => {
  test('R14: a chain of 8000 links whose last one is bad', async () => {
    const count = 8000
    const links = Array.from({ length: count }, (_, i) =>
      link(`l${i}`, inertial('1', i === count - 1 ? '1 1 -1' : '1 1 1')),
    )
    const joints = Array.from({ length: count - 1 }, (_, i) =>
      joint(`j${i}`, 'continuous', `l${i}`, `l${i + 1}`, '<origin xyz="0 0 1"/>'),
    )
    const text = robot([...links, ...joints].join('\n'))
    await assertRefused(
      (options) => importURDF(text, options),
      /link\[l7999\] \(line 8000\).*l7999/,
    )
  })

  test('and the same chain without the bad one is imported, whatever the stack holds', async () => {
    const count = 8000
    const links = Array.from({ length: count }, (_, i) => link(`l${i}`, inertial('1', '1 1 1')))
    const joints = Array.from({ length: count - 1 }, (_, i) =>
      joint(`j${i}`, 'continuous', `l${i}`, `l${i + 1}`, '<origin xyz="0 0 1"/>'),
    )
    const world = await worldZUp('soft-step')
    const chain = await importURDF(robot([...links, ...joints].join('\n')), {
      world,
      fixedBase: true,
    })
    assert.equal(world.bodies.length, count)
    near(chain.frame(`l${count - 1}`).position, [0, 0, count - 1], 1e-6)
    world.free()
  })

  test('where a body, a joint or a coupling is refused after others were made', async () => {
    const good = link('a') + link('b') + joint('j', 'continuous', 'a', 'b')
    const cases = /** @type {[string, RegExp][]} */ ([
      [
        `${good}${link('c', `${inertial()}<collision><geometry><sphere radius="-1"/></geometry></collision>`)}${joint('k', 'fixed', 'b', 'c')}`,
        /importURDF: robot\/link\[c\] \(line 1\): createBody: .*radius/,
      ],
      [
        `${good}${link('c')}${joint('k', 'revolute', 'b', 'c', '<limit lower="1" upper="-1"/>')}`,
        /importURDF: robot\/joint\[k\] \(line 1\): createJoint: .*limits/,
      ],
    ])
    for (const [inner, message] of cases) {
      await assertRefused((options) => importURDF(robot(inner), options), message)
    }
    const mjcf = model(
      hinged('a', 'name="j"') + hinged('b', 'name="k" range="20 10" limited="true"'),
    )
    await assertRefused(
      (options) => importMJCF(mjcf, options),
      /joint\[k\] \(line 1\): limited="true"/,
    )
    const nodes = [{}, { mass: -1 }].map((motion) => ({
      extensions: { KHR_physics_rigid_bodies: { motion } },
    }))
    const gltf = { asset: { version: '2.0' }, nodes }
    await assertRefused((options) => importGLTF(gltf, options), /importGLTF: nodes\/1: .*mass/)
    const settings = { gravity: [1, 2, 3], step: 5 }
    const bad = { ...gltf, nodes: nodes.slice(0, 1), extras: { moreau: { settings } } }
    await assertRefused((options) => importGLTF(bad, { ...options, settings: true }), /settings/)
  })

  test('where the memory is not enough', async () => {
    const { world, bodies } = await livelyWorld()
    const before = world.hash()
    // What an engine without room for more says, at each body in turn.
    const create = world.createBody.bind(world)
    for (let most = 0; most < 3; most++) {
      let made = 0
      const full = new Proxy(world, {
        get(target, name) {
          const value = Reflect.get(target, name, target)
          if (name !== 'createBody') return typeof value === 'function' ? value.bind(target) : value
          return (/** @type {any} */ definition) => {
            if (made++ === most) throw new MoreauError('out-of-memory', 'createBody: no memory')
            return create(definition)
          }
        },
      })
      const text = robot(
        link('a') +
          link('b') +
          link('c') +
          joint('j', 'fixed', 'a', 'b') +
          joint('k', 'fixed', 'b', 'c'),
      )
      await assert.rejects(importURDF(text, { world: full }), { code: 'out-of-memory' })
      assert.equal(world.hash(), before)
      assert.equal(world.bodies.length, bodies.length)
    }
  })

  test('where the loader throws or rejects', async () => {
    const mesh = '<collision><geometry><mesh filename="a.stl"/></geometry></collision>'
    const urdf = robot(`\n${link('a', inertial() + mesh)}`)
    const cause = new RangeError('no such file')
    const throws = () => {
      throw cause
    }
    const rejects = () => Promise.reject(cause)
    const mjcf = model('<include file="b.xml"/>')
    const buffers = [{ uri: 'b.bin', byteLength: 36 }]
    const collider = { geometry: { mesh: 0 } }
    const gltf = {
      ...{ asset: { version: '2.0' }, buffers, bufferViews: [{ buffer: 0, byteLength: 36 }] },
      accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 3 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ extensions: { KHR_physics_rigid_bodies: { collider } } }],
    }
    for (const loader of [throws, rejects]) {
      for (const read of [
        (/** @type {any} */ options) => importURDF(urdf, options),
        (/** @type {any} */ options) => importMJCF(mjcf, options),
        (/** @type {any} */ options) => importGLTF(gltf, options),
      ]) {
        const failing = (/** @type {any} */ options) => read({ ...options, loader })
        await assertRefused(failing, /loader: '[ab]\.\w+': no such file/, 'callback-failed')
      }
    }
    await assert.rejects(importURDF(urdf, { world: await worldZUp(), loader: rejects }), { cause })
  })

  test('elements that are within each other too deep are refused by name', async () => {
    const depth = 20_000
    const deep = '<body>'.repeat(depth) + '</body>'.repeat(depth)
    for (const read of [importMJCF, importURDF]) {
      await assertRefused((options) => read(model(deep), options), /line 1\).*more than 1000 deep/)
    }
    // Of those that are not, none depends on how much of the stack is left.
    const chain = Array.from(
      { length: 900 },
      (_, i) => `<body name="b${i}" pos="0 0 1"><joint/><geom size=".1"/>`,
    )
    const world = await worldZUp('soft-step')
    const read = () => importMJCF(model(chain.join('') + '</body>'.repeat(900)), { world })
    /** @returns {Promise<import('moreau/import').Model>} */
    function deepStack(/** @type {number} */ left) {
      return left === 0 ? read() : deepStack(left - 1)
    }
    const { bodies } = await deepStack(5000)
    assert.equal(bodies.b899.position[2], 900)
  })

  test('an include that includes itself ends', async () => {
    const world = await worldZUp()
    const inner = '<mujocoinclude><include file="a.xml"/></mujocoinclude>'
    const twice = '<mujocoinclude><include file="a.xml"/><include file="a.xml"/></mujocoinclude>'
    for (const text of [inner, twice]) {
      const text0 = model('<include file="a.xml"/>')
      await assert.rejects(importMJCF(text0, { world, loader: () => text }), /a\.xml, line 1.*deep/)
    }
  })
})

describe('XML', () => {
  const refused = /** @type {[string, RegExp][]} */ ([
    ['', /it has no element/],
    ['<robot>\n\n<link name="a">\n</robot>', /line 4\): <\/robot> where <link> is open/],
    ['<robot>\n<link', /line 2\): the tag <link> has no end/],
    ['<robot><link name=a/></robot>', /name= must be followed by "/],
    ['<robot><link name="a" name="b"/></robot>', /attribute name twice/],
    ['<robot><link name="a&b;"/></robot>', /'&b;' in name/],
    ['<robot><link name="&#xD800;"/></robot>', /is no character/],
    ['<robot/><robot/>', /after the root element/],
    ['<robot/>more', /text outside of elements/],
    ['<robot>\n\0</robot>', /line 2\): U\+0000 .*UTF-8/],
    ['<robot>\n\ud800</robot>', /line 2\): U\+D800/],
    ['<robot><!-- </robot>', /a comment has no end/],
    [
      '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><robot name="&b;"/>',
      /DOCTYPE with declarations/,
    ],
  ])
  test('what is none is refused with its line', async () => {
    for (const [text, message] of refused) {
      await assertRefused((options) => importURDF(text, options), message)
    }
    await assertRefused(
      (options) => importURDF(/** @type {any} */ (new Uint8Array(3)), options),
      /must be a string/,
    )
    const loader = () => '<mujocoinclude>\n<body'
    const included = model('<include file="b.xml"/>')
    await assertRefused(
      (options) => importMJCF(included, { ...options, loader }),
      /importMJCF: text is no XML \(b\.xml, line 2\)/,
    )
  })

  test('R11: a declaration after a comment or a blank line, a byte order mark, CDATA, entities', async () => {
    const text = `\ufeff\n<!-- by hand -->\n<?xml version="1.0"?>\n<!DOCTYPE robot>\n<robot name='a&amp;&#x62;"'><link name="base"><![CDATA[<x>]]></link></robot>\n`
    const read = await importURDF(text, { world: await worldZUp(), fixedBase: true })
    assert.equal(read.name, 'a&b"')
    assert.deepEqual(warningsOf(read, /link\[base\]/, /the text '<x>'/), [
      { path: 'robot/link[base]', message: "the text '<x>' is not taken over", line: 5 },
    ])
  })

  test('large attributes and many elements take no longer than they are long', async () => {
    const text = robot(
      `<link name="base"/><!-- ${'-'.repeat(1e6)} --><gazebo a="${'x'.repeat(1e6)}"/>`,
    )
    const wide = robot(`<link name="base"/>${'<gazebo/>'.repeat(1e5)}`)
    for (const one of [text, wide]) {
      const { warnings } = await importURDF(one, { world: await worldZUp(), fixedBase: true })
      assert.ok(warnings.length > 0)
      assert.ok(warnings.every(({ message }) => message.length < 200))
    }
  })
})

describe('URDF', () => {
  test('R3: roots without mass and masses in a point are refused with what to do, and the whole inertia', async () => {
    const cases = /** @type {[string, RegExp][]} */ ([
      [
        link('dummy', '') + link('b') + joint('j', 'continuous', 'dummy', 'b'),
        /link\[dummy\] \(line 1\): 'dummy' has no mass, and nothing holds it: .*fixedBase: true/,
      ],
      [link('dummy', '') + link('b') + joint('j', 'fixed', 'dummy', 'b'), /'dummy' has no mass/],
      [
        link('a') + link('imu', inertial('0.1', '0 0 0')) + joint('j', 'fixed', 'a', 'imu'),
        /'imu' of 0\.1 kg has a mass in one point, .*or add its mass to 'a'/,
      ],
      [
        link('a') +
          link(
            'b',
            '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="2" ixz="0" iyz="0.5"/></inertial>',
          ) +
          joint('j', 'fixed', 'a', 'b'),
        /inertia \[\[1, 2, 0\], \[2, 1, 0\.5\], \[0, 0\.5, 1\]\] kg m², which is not positive definite/,
      ],
      [link('a', inertial('-1')), /mass of 'a' must be above 0, got -1 kg/],
    ])
    for (const [inner, message] of cases) {
      await assertRefused((options) => importURDF(robot(inner), options), message)
    }
  })

  test('R8: what mimics a joint that cannot move stays, what cannot move mimics nothing', async () => {
    const inner =
      link('base') +
      ['a', 'b', 'c', 'd'].map((name) => link(name)).join('') +
      link('idle', '') +
      joint('glue', 'fixed', 'base', 'a', '<mimic joint="first"/>') +
      joint(
        'first',
        'continuous',
        'base',
        'b',
        '<origin xyz="1 0 0"/><mimic joint="gone" offset="0.3"/>',
      ) +
      joint(
        'second',
        'continuous',
        'base',
        'c',
        '<origin xyz="2 0 0"/><mimic joint="glue" offset="0.2"/>',
      ) +
      joint(
        'third',
        'continuous',
        'base',
        'd',
        '<origin xyz="3 0 0"/><mimic joint="dropped" offset="-0.1"/>',
      ) +
      joint('dropped', 'continuous', 'base', 'idle', '<mimic joint="second"/>')
    const world = await worldZUp()
    const read = await importURDF(robot(inner), { world, fixedBase: true })
    const { second, third } = read.joints
    near([second.coordinate, third.coordinate], [0.2, -0.1], 1e-12)
    read.bodies.c.applyAngularImpulse([0.1, 0, 0])
    for (let step = 0; step < 20; step++) world.step(0.01)
    near([second.coordinate, third.coordinate], [0.2, -0.1], 1e-6)
    for (const [path, message] of /** @type {[RegExp, RegExp][]} */ ([
      [/joint\[glue\]\/mimic/, /'glue' cannot move here/],
      [/joint\[first\]\/mimic/, /no joint 'gone'/],
      [/joint\[second\]\/mimic/, /'glue' cannot move here: 'second' stays at 0\.2/],
      [/joint\[third\]\/mimic/, /'dropped' cannot move here: 'third' stays at -0\.1/],
      [/joint\[dropped\]\/mimic/, /'dropped' cannot move here, nor follow/],
    ])) {
      assert.equal(warningsOf(read, path, message).length, 1, `${path} ${message}`)
    }
  })

  test('joints that mimic one another in turn begin where they belong, circles are left out', async () => {
    const names = ['c', 'b', 'a', 'x', 'y']
    /** @type {Record<string, [string, number]>} */
    const follows = { c: ['b', 2], b: ['a', 3], x: ['y', 1], y: ['x', 1] }
    const inner = names.map((name, i) => {
      const [leader, ratio] = follows[name] ?? []
      const mimic =
        leader === undefined ? '' : `<mimic joint="${leader}" multiplier="${ratio}" offset="0.1"/>`
      return (
        link(`l${name}`) +
        joint(name, 'continuous', 'base', `l${name}`, `<origin xyz="${i} 0 0"/>${mimic}`)
      )
    })
    const world = await World.create({ gravity: [0, 0, 0], solver: 'exact' })
    const read = await importURDF(robot(link('base') + inner.join('')), { world, fixedBase: true })
    near(
      ['a', 'b', 'c'].map((name) => read.joints[name].coordinate),
      [0, 0.1, 0.3],
      1e-12,
    )
    read.bodies.la.applyAngularImpulse([0.5, 0, 0])
    for (let step = 0; step < 20; step++) world.step(0.01)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => read.joints[name].coordinate)
    assert.ok(Math.abs(a) > 0.01)
    near([b, c], [0.1 + 3 * a, 0.1 + 2 * b], 1e-8)
    assert.equal(warningsOf(read, /joint\[[xy]\]\/mimic/, /follows itself/).length, 2)
  })

  test('two links or joints of one name are refused, names of objects are names', async () => {
    const twins = link('a') + link('b') + joint('j', 'fixed', 'a', 'b')
    await assertRefused(
      (options) => importURDF(robot(`${link('a')}\n${link('a')}`), options),
      /link\[a\]#2 \(line 2\): a link named 'a' is there already, in line 1/,
    )
    await assertRefused(
      (options) =>
        importURDF(robot(`${twins}${link('c')}${joint('j', 'fixed', 'a', 'c')}`), options),
      /a joint named 'j' is there already/,
    )
    const strange =
      link('constructor') +
      link('__proto__') +
      joint('toString', 'continuous', 'constructor', '__proto__')
    const read = await importURDF(robot(strange), { world: await worldZUp(), fixedBase: true })
    assert.deepEqual(Object.keys(read.links), ['constructor', '__proto__'])
    read.setConfiguration({ toString: 0.5 })
    near(read.frame('__proto__').orientation, [Math.sin(0.25), 0, 0, Math.cos(0.25)], 1e-12)
    assert.throws(() => read.frame('valueOf'), MoreauError)
    // What gets its name here is another one than those of the file.
    const planar =
      link('base') +
      link('p') +
      link('q') +
      joint('ice', 'planar', 'base', 'p') +
      joint('ice/x', 'continuous', 'base', 'q')
    const both = await importURDF(robot(planar), { world: await worldZUp(), fixedBase: true })
    assert.equal(Object.keys(both.joints).length, 4)
    assert.equal(warningsOf(both, /joint/, /it is called 'ice\/x#2' here/).length, 1)
  })

  test('what is not used is told of', async () => {
    const inner = `<link name="base" weight="3">${inertial().replace('<mass ', '<mass unit="kg" ')}${inertial()}
      <collision><geometry><box size="1 1 1" radius="2"/></geometry></collision><collision/></link>${link('b')}${link('c')}
      ${joint('j', 'continuous', 'base', 'b', '<origin xyz="0 0 1 4" yaw="1"/><limit lower="-1" upper="1"/><axis xyz="0 0 0"/><axis xyz="1 0 0"/>')}
      ${joint('k', 'fixed', 'base', 'c', '<dynamics damping="3"/>')}text`
    const read = await importURDF(robot(inner), { world: await worldZUp() })
    for (const [path, message] of /** @type {[RegExp, RegExp][]} */ ([
      [/link\[base\]\/@weight/, /not taken over/],
      [/mass\[0\]\/@unit/, /not taken over/],
      [/inertial\[1\]/, /second <inertial>/],
      [/box\[0\]\/@radius/, /not taken over/],
      [/collision\[1\]/, /no <geometry>/],
      [/origin\[0\]\/@yaw/, /not taken over/],
      [/origin\[0\]\/@xyz/, /more than 3 numbers/],
      [/joint\[j\]\/limit/, /continuous joint has no limits/],
      [/axis\[0\]\/@xyz/, /no direction/],
      [/axis\[1\]/, /second <axis>/],
      [/joint\[k\]\/dynamics/, /fixed joint has no <dynamics>/],
      [/^robot$/, /the text 'text'/],
    ])) {
      assert.equal(warningsOf(read, path, message).length, 1, `${path} ${message}`)
    }
    assert.ok(read.warnings.every(({ line }) => Number.isInteger(line)))
  })
})

describe('MJCF', () => {
  const box = '<geom type="box" size=".1 .1 .1"/>'

  test('R5: a range that is empty is none, as in MuJoCo 3; one that must hold is refused', async () => {
    const bodies =
      hinged('a', 'name="a" range="0 0"') +
      hinged('b', 'name="b" range="-30 30"') +
      hinged('c', 'name="c" range="5 5"')
    const read = await importMJCF(model(bodies), { world: await worldZUp() })
    assert.equal(read.joints.a.limits, null)
    near(
      Object.values(/** @type {any} */ (read.joints.b.limits)),
      [-Math.PI / 6, Math.PI / 6],
      1e-12,
    )
    assert.equal(read.joints.c.limits, null)
    assert.equal(warningsOf(read, /joint\[a\]/).length, 0)
    assert.equal(warningsOf(read, /joint\[c\]\/@range/, /empty/).length, 1)
    const strict = model(hinged('a', 'range="-1 1"'), '<compiler autolimits="false"/>')
    const without = await importMJCF(strict, { world: await worldZUp() })
    assert.equal(warningsOf(without, /@range/, /autolimits="false"/).length, 1)
    const must = model(hinged('a', 'name="a" range="0 0" limited="true"'))
    await assertRefused((options) => importMJCF(must, options), /first number is below its second/)
    const motor = '<actuator><motor name="m" joint="a" ctrlrange="0 0"/></actuator>'
    const driven = `<mujoco><worldbody>${hinged('a', 'name="a"')}</worldbody>${motor}</mujoco>`
    const { actuators, jointData } = await importMJCF(driven, { world: await worldZUp() })
    assert.equal(actuators.m.range, null)
    assert.equal(jointData.a.maxForce, undefined)
  })

  test('R6: a mesh of points alone weighs what its hull does, with its joint', async () => {
    const asset =
      '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1 .1 .1 .1"/><mesh name="n" file="n.stl"/></asset>'
    const geom = (/** @type {string} */ mesh, rest = '') =>
      `<geom type="mesh" mesh="${mesh}" ${rest}/>`
    const body = (/** @type {string} */ name, /** @type {string} */ inner) =>
      `<body name="${name}"><joint name="${name}"/>${inner}</body>`
    const text = model(
      body('a', geom('m')) +
        body('b', geom('m', 'mass="2"')) +
        body('c', geom('n', 'mass="2" contype="0" conaffinity="0"')),
      asset,
    )
    const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    const loader = () => ({ vertices: points })
    const read = await importMJCF(text, { world: await worldZUp(), loader })
    // What MuJoCo 3.14 has.
    near([read.links.a.mass, read.links.b.mass, read.links.c.mass], [1000 / 6, 2, 2], 1e-9)
    near(read.links.a.centerOfMass, [0.25, 0.25, 0.25], 1e-12)
    const [xx, xy] = read.links.a.inertia
    near([xx + 2 * xy, xx - xy], [16.666666666666654, 10.416666666666659], 1e-9)
    assert.deepEqual(Object.keys(read.joints), ['a', 'b', 'c'])
    // One that does not collide is not said to.
    assert.equal(warningsOf(read, /geom/, /convex hull/).length, 2)
  })

  test('R9: sites, bodies, joints and equalities have names of their own', async () => {
    const bodies =
      hinged('hand', 'name="j"', '<site name="hand" pos="0 0 2"/>') + hinged('other', 'name="k"')
    const text = `<mujoco><worldbody>${bodies}</worldbody><equality><joint name="j" joint1="j" joint2="k" polycoef="0 2"/></equality></mujoco>`
    const read = await importMJCF(text, { world: await worldZUp() })
    near(read.frame('hand').position, [0, 0, 0], 0)
    near(read.frame(read.sites.hand).position, [0, 0, 2], 1e-15)
    assert.equal(warningsOf(read, /site\[hand\]/, /sites has this/).length, 1)
    assert.equal(read.joints.j.type, 'hinge')
    assert.equal(read.equalities.j.type, 'gear')
    assert.equal(warningsOf(read, /equality\[0\]\/joint\[j\]/, /equalities has this/).length, 1)
    for (const twins of [
      model(hinged('a') + hinged('a')),
      model(hinged('a', 'name="j"') + hinged('b', 'name="j"')),
      model('<site name="s"/><site name="s"/>'),
      model('<geom name="g" size="1"/><geom name="g" size="1"/>'),
      `<mujoco><worldbody>${hinged('a', 'name="j"')}</worldbody><actuator><motor name="m" joint="j"/><velocity name="m" joint="j"/></actuator></mujoco>`,
      '<mujoco><default><default class="a"/><default class="a"/></default><worldbody/></mujoco>',
    ]) {
      await assertRefused(
        (options) => importMJCF(twins, options),
        /line 1\): a .* is there already/,
      )
    }
    // Two files that are included have things without names in the same places.
    const inner = `<mujocoinclude><body>${box}<freejoint/></body></mujocoinclude>`
    const twice = await importMJCF(model('<include file="a"/><include file="a"/>'), {
      world: await worldZUp(),
      loader: () => inner,
    })
    assert.equal(Object.keys(twice.links).length, 3)
  })

  test('R9: the filter of the user is of what moves: the floor of the file holds it', async () => {
    const floor = '<geom type="plane" size="5 5 .1"/>'
    const arm = `<body name="b" pos="0 0 .5">${box}<joint axis="1 0 0"/><geom size=".1" pos="0 .3 0"/></body>`
    const legs = '<geom type="box" size=".2 .2 .1" contype="2" conaffinity="1"/>'
    for (const [filter, geoms] of /** @type {const} */ ([
      [{ group: -1 }, box],
      [{ group: -1 }, legs],
      [{ category: 2, mask: 1 }, box],
      [{ category: 2, mask: 1 }, legs],
    ])) {
      const text =
        model(`${floor}<body name="a" pos="0 0 .6"><freejoint/>${geoms}${arm.replace('.5', '.05')}</body>
        <body name="c" pos="0 0 .9"><freejoint/>${geoms}</body>`)
      const world = await worldZUp('soft-step')
      const { bodies, warnings } = await importMJCF(text, { world, body: { filter } })
      for (let step = 0; step < 300; step++) world.step(1 / 120)
      const heights = [bodies.a, bodies.c].map(({ position }) => position[2])
      const label = `${JSON.stringify(filter)} ${heights}`
      // Both lie on the floor, in one another: nothing of the robot touches itself.
      for (const height of heights) assert.ok(height > 0.05 && height < 0.2, label)
      const hasWarning = warnings.some(({ message }) => /body\.filter/.test(message))
      assert.equal(hasWarning, 'mask' in filter && geoms === legs, label)
    }
    // Without a filter the file's own numbers hold.
    const apart = model(
      `${floor}<body name="a" pos="0 0 1"><freejoint/><geom size=".1" contype="0" conaffinity="1"/></body>`,
    )
    const world = await worldZUp('soft-step')
    const { bodies } = await importMJCF(apart, { world })
    for (let step = 0; step < 200; step++) world.step(1 / 120)
    near([bodies.a.position[2]], [0.1], 0.01)
  })

  test('a frame places joints too, as in MuJoCo', async () => {
    const text = model(
      `<body name="b"><frame pos="1 2 3" euler="90 0 0"><joint name="j" axis="0 0 1" pos="0 0 .5"/></frame><geom size=".1"/></body>`,
    )
    const { joints } = await importMJCF(text, { world: await worldZUp() })
    near(/** @type {any} */ (joints.j).anchorB, [1, 1.5, 3], 1e-12)
    near(/** @type {any} */ (joints.j).axisB, [0, -1, 0], 1e-12)
  })

  test('an equality of one joint holds it, names of objects are names', async () => {
    const text = `<mujoco><worldbody>${hinged('constructor', 'name="toString" type="hinge"')}</worldbody>
      <equality><joint joint1="toString" polycoef=".25 0 0 0 0"/></equality></mujoco>`
    const world = await worldZUp()
    const { joints } = await importMJCF(text, { world })
    near([/** @type {any} */ (joints.toString).coordinate], [0.25], 1e-12)
    const strange = model(
      '<body><joint type="constructor"/><geom size=".1" pos="1 0 0"/></body><constructor/>',
    )
    const read = await importMJCF(strange, { world })
    assert.equal(warningsOf(read, /joint\[0\]\/@type/, /none of hinge, slide, ball/).length, 1)
    assert.equal(warningsOf(read, /constructor\[0\]/, /not taken over/).length, 1)
  })

  test('what is not used is told of', async () => {
    const text = `<mujoco><compiler angle="gon" inertiafromgeom="maybe"/><option timestep="0.002"/>
      <worldbody><joint name="w"/><mesh name="lost"/>
      <body name="a"><joint type="free" damping="2"/><geom size=".1" fromto="0 0 0 1 0 0" friction="1 2 3 4"/><motor/></body>
      <body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><inertial mass="2"/><joint damping="-1" name="j"/></body>
      <body name="c"><joint type="ball" range="0 30"/><geom type="box" mesh="nothing" size=".1 .1 .1" quat="1 0 0 0" euler="1 2 3"/></body></worldbody>
      <actuator><motor name="x" joint="nobody"/><position joint="j" ctrlrange="-1 1" forcerange="-1 2"/></actuator></mujoco>`
    const read = await importMJCF(text, { world: await worldZUp() })
    for (const [path, message] of /** @type {[RegExp, RegExp][]} */ ([
      [/compiler\[0\]\/@angle/, /'gon' is none of degree, radian/],
      [/@inertiafromgeom/, /none of/],
      [/option\[0\]\/@timestep/, /not taken over/],
      [/worldbody\[0\]\/joint\[w\]/, /not taken over/],
      [/mesh\[lost\]/, /not taken over/],
      [/body\[a\]\/joint\[0\]\/@damping/, /free joint has no damping/],
      [/geom\[0\]\/@fromto/, /no ends/],
      [/geom\[0\]\/@friction/, /more than 3/],
      [/body\[a\]\/motor/, /not taken over/],
      [/inertial\[1\]/, /not taken over/],
      [/joint\[j\]\/@damping/, /below 0/],
      [/body\[c\]\/joint\[0\]\/@range/, /ball joint has no range/],
      [/geom\[0\]\/@type/, /not fitted/],
      [/geom\[0\]\/@mesh/, /no mesh 'nothing'/],
      [/motor\[x\]/, /no joint 'nobody'/],
      [/position\[0\]\/@ctrlrange/, /not bounded/],
      [/position\[0\]\/@forcerange/, /either way/],
    ])) {
      assert.ok(warningsOf(read, path, message).length > 0, `${path} ${message}`)
    }
    for (const [bodies, message] of /** @type {[string, RegExp][]} */ ([
      ['<body><freejoint/><joint/><geom size="1"/></body>', /a body with a free joint/],
      [
        '<body><freejoint/><geom type="box" size="1"/></body>',
        /a box must have 3 numbers of size, got 1/,
      ],
      ['<body><freejoint/><geom size="0"/></body>', /size of a sphere must be above 0/],
      ['<body><freejoint/></body>', /has no mass, and nothing holds it/],
      ['<body mocap="true"><joint/><geom size="1"/></body>', /mocap body must be on the world/],
    ])) {
      await assertRefused((options) => importMJCF(model(bodies), options), message)
    }
    const euler = '<mujoco><compiler eulerseq="abc"/><worldbody/></mujoco>'
    await assertRefused((options) => importMJCF(euler, options), /eulerseq must be three of/)
  })
})

describe('glTF', () => {
  const bytes = new Uint8Array(
    new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2]).buffer,
  )
  const base64 = Buffer.concat([bytes, Buffer.from([3, 0, 0, 0])]).toString('base64')
  const triangle = (/** @type {any} */ changes = {}) => ({
    asset: { version: '2.0' },
    buffers: [{ byteLength: 64, uri: `data:application/octet-stream;base64,${base64}` }],
    bufferViews: [
      { buffer: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 12 },
      { buffer: 0, byteOffset: 60, byteLength: 4 },
    ],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 4 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [
      {
        extensions: {
          KHR_physics_rigid_bodies: {
            motion: {},
            collider: { geometry: { mesh: 0, convexHull: true } },
          },
        },
      },
    ],
    ...changes,
  })
  /** @param {any} changes */
  const accessor = (changes) =>
    triangle({ accessors: [{ ...triangle().accessors[0], ...changes }] })

  test('sparse accessors have what they say', async () => {
    const sparse = {
      count: 1,
      indices: { bufferView: 2, componentType: 5121 },
      values: { bufferView: 1 },
    }
    const { nodes, warnings } = await importGLTF(accessor({ sparse }), {
      world: await World.create(),
    })
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ['the last 1 corners of a primitive are no triangle'],
    )
    near([nodes[0]?.shapes[0].volume ?? 0], [2 / 6], 1e-12)
    const bare = { sparse: { ...sparse, count: 2 } }
    const { warnings: told } = await importGLTF(accessor(bare), { world: await World.create() })
    assert.match(told[0].message, /index of its sparse accessor is beyond|reaches beyond/)
  })

  test('bounds, strides, types, indices and base64 that are wrong are told of, and left out', async () => {
    const indexed = (/** @type {number} */ componentType) =>
      triangle({
        accessors: [
          ...triangle().accessors,
          { bufferView: 2, componentType, type: 'SCALAR', count: 1 },
        ],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      })
    for (const [file, message] of /** @type {[any, RegExp][]} */ ([
      [accessor({ count: 5 }), /reaches beyond its buffer/],
      [accessor({ count: 2 ** 31 - 1 }), /reaches beyond its buffer/],
      [accessor({ type: 'VEC2' }), /no VEC3 is accessor 0/],
      [accessor({ componentType: 7 }), /no type 7/],
      [accessor({ bufferView: undefined }), /has no numbers/],
      [accessor({ bufferView: 9 }), /no buffer view 9/],
      [
        triangle({ bufferViews: [{ buffer: 0, byteLength: 48, byteStride: 0 }] }),
        /reaches beyond its buffer/,
      ],
      [triangle({ bufferViews: [{ buffer: 0, byteLength: 1e6 }] }), /view 0 reaches beyond/],
      [triangle({ buffers: [{ byteLength: 4, uri: 'data:;base64,!!!!' }] }), /no base64/],
      [indexed(5121), /last 1 corners of a primitive are no triangle/],
      [triangle({ meshes: [] }), /no mesh 0/],
      [
        triangle({
          meshes: [
            {
              primitives: [
                { attributes: { POSITION: 0 }, extensions: { KHR_draco_mesh_compression: {} } },
              ],
            },
          ],
        }),
        /KHR_draco_mesh_compression is not read/,
      ],
    ])) {
      const world = await World.create()
      const { warnings } = await importGLTF(file, { world })
      assert.ok(
        warnings.some((one) => message.test(one.message)),
        `${message}: ${JSON.stringify(warnings)}`,
      )
      world.step(0.01)
    }
  })

  test('a file that is no such file is refused with its place', async () => {
    const physics = (/** @type {any} */ one) =>
      triangle({ nodes: [{ name: 'n', extensions: { KHR_physics_rigid_bodies: one } }] })
    for (const [file, message] of /** @type {[any, RegExp][]} */ ([
      [triangle({ nodes: {} }), /^importGLTF: nodes must be an array/],
      [triangle({ nodes: [null] }), /nodes\/0 must be an object/],
      [triangle({ nodes: [{ children: [-1] }] }), /nodes\/0\/children\/0 must be a whole number/],
      [
        triangle({ nodes: [{ name: 'n', translation: [0, NaN, 0] }] }),
        /nodes\/0 \(n\)\/translation/,
      ],
      [triangle({ nodes: [{ rotation: [0, 0, 0, 0] }] }), /a quaternion that is not 0/],
      [physics({ motion: { mass: '1' } }), /nodes\/0 \(n\).*motion\/mass must be a finite number/],
      [physics({ motion: 5 }), /motion must be an object/],
      [
        physics({ collider: { geometry: { shape: 1.5 } } }),
        /geometry\/shape must be a whole number/,
      ],
      [triangle({ accessors: [{ componentType: 'constructor' }] }), /componentType/],
      [triangle({ extras: { moreau: { joints: [5] } } }), /joints\/0 must be an object/],
      [
        triangle({ extras: { moreau: { joints: [{ type: 'ball', bodyA: 'constructor' }] } } }),
        /bodyA/,
      ],
      [new Uint8Array([0xff, 0xfe, 0x7b]), /no text of UTF-8/],
      [
        Uint8Array.from([0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0, 30, 0, 0, 0, 90, 0, 0, 0, 0, 0, 0, 0]),
        /ends within a chunk/,
      ],
      [{ asset: null }, /no asset\.version/],
    ])) {
      await assertRefused((options) => importGLTF(file, options), message)
    }
    const text = `\ufeff${JSON.stringify(triangle())}`
    assert.equal((await importGLTF(text, { world: await World.create() })).nodes.length, 1)
  })

  test('nodes in a circle, twice, or 100,000 deep end', async () => {
    const world = await World.create()
    const circle = triangle({ nodes: [{ children: [1] }, { children: [0] }] })
    const { warnings } = await importGLTF(circle, { world })
    assert.deepEqual(warnings, [
      { path: 'nodes', message: 'all are children of others: none is taken' },
    ])
    const own = triangle({ scene: 0, scenes: [{ nodes: [0] }], nodes: circle.nodes })
    const twice = await importGLTF(own, { world })
    assert.deepEqual(twice.warnings, [{ path: 'nodes/0', message: 'it is in the tree twice' }])
    const count = 100_000
    const deep = Array.from({ length: count }, (_, i) => ({
      ...(i + 1 < count && { children: [i + 1] }),
      translation: [0, 0, 1],
      ...(i + 1 === count && triangle().nodes[0]),
    }))
    const { nodes } = await importGLTF(triangle({ nodes: deep }), { world })
    near(nodes[count - 1]?.position ?? [], [0, 0, count], 1e-6)
  })

  test('nodes and joints of one name, and of names of objects, have a place each', async () => {
    const motion = { extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1 } } } }
    const names = ['a', 'a', 'a#1', '__proto__', 'constructor']
    const nodes = names.map((name) => ({ name, ...motion }))
    const { bodies } = await importGLTF(triangle({ nodes }), { world: await World.create() })
    assert.equal(Object.keys(bodies).length, names.length)
    assert.equal(new Set(Object.values(bodies)).size, names.length)
  })

  test('what physics has and is not read is told of', async () => {
    const nodes = [
      { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], translation: [1, 2, 3] },
      { extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1, drag: 3 }, collider: {} } } },
    ]
    const scenes = [{ nodes: [0, 1] }, { nodes: [] }]
    const { warnings } = await importGLTF(triangle({ nodes, scenes }), {
      world: await World.create(),
    })
    for (const path of [/nodes\/0\/matrix/, /motion\/drag/, /nodes\/1\/collider/, /scenes\/1/]) {
      assert.ok(
        warnings.some((one) => path.test(one.path)),
        `${path}: ${JSON.stringify(warnings)}`,
      )
    }
  })
})
