// glTF with KHR_implicit_shapes and KHR_physics_rigid_bodies into a world, and a world into glTF: moreau/import. A136.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { exportGLTF, importGLTF } from 'moreau/import'
import { openWorld, scenes } from 'moreau/scenarios'
import { fileOf, near, warningsOf } from './import-support.mjs'

/** @import { Body, Joint } from 'moreau' */

const HALF = Math.SQRT1_2
/** Larger scenes take long and have nothing that smaller ones do not have. */
const MOST_BODIES = 60

/** @param {any} physics of the node @param {object} [rest] */
const node = (physics, rest = {}) => ({
  ...rest,
  extensions: { KHR_physics_rigid_bodies: physics },
})

/**
 * A file of nodes, all of which are roots, unless they are children of others.
 * @param {any[]} nodes
 * @param {{ shapes?: any[], physics?: any, rest?: object }} [parts]
 */
const file = (nodes, { shapes = [], physics = {}, rest = {} } = {}) => ({
  asset: { version: '2.0' },
  nodes,
  extensions: { KHR_implicit_shapes: { shapes }, KHR_physics_rigid_bodies: physics },
  ...rest,
})
const BALL = { type: 'sphere', sphere: { radius: 0.5 } }
const moving = (rest = {}) =>
  node({ motion: { mass: 1 }, collider: { geometry: { shape: 0 } } }, rest)

describe('A136: toys-A.gltf', () => {
  test('has the bodies, masses, velocities and the joint of the file', async () => {
    const world = await World.create()
    const { bodies, joints, ...scene } = await importGLTF(fileOf('toys-A.gltf'), { world })
    assert.deepEqual(Object.keys(bodies), ['floor', 'door', 'toy'])
    assert.equal(world.bodies.length, 3)
    const { floor, door, toy } = bodies
    assert.equal(floor.type, 'static')
    assert.deepEqual(floor.shapes[0].halfExtents, [5, 0.5, 5])
    near(floor.position, [0, -0.5, 0], 0)
    assert.equal(door.mass, 2)
    assert.deepEqual(door.shapes[0].halfExtents, [1, 0.25, 0.125])
    const diagonal = [0.05208333, 0, 0, 0, 0.67708333, 0, 0, 0, 0.70833333]
    near(door.inertia, diagonal, 1e-8)
    assert.equal(door.gravityScale, 0.5)
    near(door.linearVelocity, [0.70710678, 0, 0.70710678], 1e-8)
    near([toy.mass], [423.0678107], 1e-7)
    near(toy.centerOfMass, [0.05148515, 0.46633663, 0.04752475], 1e-8)
    const [xx, xy, xz, , yy, yz, , , zz] = toy.inertia
    near([xx, yy, zz, xy], [57.643725, 26.088449, 65.855413, 10.157609], 1e-6)
    assert.ok(xz !== 0 && yz !== 0)
    assert.deepEqual(
      toy.shapes.map(({ type }) => type),
      ['sphere', 'capsule', 'cone'],
    )
    const joint = joints.pin
    assert.deepEqual([joint.type, joint.bodyA, joint.bodyB], ['hinge', door, null])
    assert.deepEqual(joint.limits, { lower: -0.5, upper: 0.5 })
    near([joint.error, ...joint.coordinates], [0, 0], 1e-12)
    const [written] = /** @type {any} */ (world.toJSON()).joints
    near(written.axisB, [0.70710678, 0, -0.70710678], 1e-8)
    near(written.anchorB, [0.64644661, 2, 0.35355339], 1e-8)
    assert.equal(warningsOf(scene, /physicsMaterials\/0/, /staticFriction/).length, 1)
    assert.equal(warningsOf(scene, /physicsMaterials\/1/, /staticFriction/).length, 1)
    assert.equal(scene.warnings.length, 2)
    assert.deepEqual(scene.nodes, [floor, door, toy, toy, toy, door, toy, null])
  })

  test('friction and restitution of floor and door are combined as the extension says', async () => {
    const world = await World.create()
    const { bodies } = await importGLTF(fileOf('toys-A.gltf'), { world })
    bodies.door.position = [0, 0.24, 0]
    bodies.door.orientation = [0, 0, 0, 1]
    /** @type {number[][]} */
    const seen = []
    world.contactModifier = (/** @type {any} */ { friction, restitution }) => {
      seen.push([friction, restitution])
    }
    world.step(0.001)
    assert.ok(seen.length > 0)
    near(seen[0], [0.4, 0.3], 1e-12)
  })
})

describe('glTF', () => {
  test('shapes have their sizes, times the scale of their nodes', async () => {
    const shapes = [
      { type: 'box', box: { size: [1, 2, 3] } },
      BALL,
      { type: 'capsule', capsule: { height: 2, radiusTop: 0.5, radiusBottom: 0.5 } },
      { type: 'capsule', capsule: { height: 2, radiusTop: 0.25, radiusBottom: 0.5 } },
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.5, radiusBottom: 0.25 } },
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.5, radiusBottom: 0 } },
      { type: 'plane', plane: {} },
      { type: 'plane', plane: { sizeX: 4, sizeZ: 2 } },
      { type: 'blob' },
    ]
    const nodes = shapes.map((_, shape) =>
      node({ collider: { geometry: { shape } } }, { name: `${shape}`, scale: [1, -2, 1] }),
    )
    const scene = await importGLTF(file(nodes, { shapes }), { world: await World.create() })
    const seen = Object.values(scene.bodies).map(({ shapes: [shape] }) => {
      const { type, halfExtents, radius, radiusTop, radiusBottom, halfHeight } = shape ?? {
        type: null,
      }
      return JSON.parse(
        JSON.stringify({ type, halfExtents, radius, radiusTop, radiusBottom, halfHeight }),
      )
    })
    assert.deepEqual(seen.slice(0, 7), [
      { type: 'box', halfExtents: [0.5, 2, 1.5] },
      { type: 'sphere', radius: 1 },
      { type: 'capsule', radius: 0.5, halfHeight: 2 },
      { type: 'capsule', radiusTop: 0.25, radiusBottom: 0.5, halfHeight: 2 },
      { type: 'cylinder', radiusTop: 0.5, radiusBottom: 0.25, halfHeight: 2 },
      { type: 'cone', radius: 0.5, halfHeight: 2 },
      { type: 'plane' },
    ])
    assert.equal(seen[7].type, 'mesh')
    near([scene.bodies['7'].shapes[0].surfaceArea], [8], 1e-12)
    assert.equal(warningsOf(scene, /nodes\/1 /, /unevenly/).length, 1)
    assert.equal(warningsOf(scene, /nodes\/8 /, /blob/).length, 1)
    // Upside down: the tip of a cone whose top is wide points down, mirrored it points up.
    near(scene.bodies['5'].shapes[0].orientation, [0, 0, 0, 1], 1e-15)
  })

  test('a mesh is named as geometry.node or geometry.mesh, in a buffer, by a loader or in a .glb', async () => {
    const points = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]
    const triangles = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    const bytes = new Uint8Array(48 + 24)
    new Float32Array(bytes.buffer, 0, 12).set(points.flat())
    new Uint16Array(bytes.buffer, 48, 12).set(triangles)
    const rest = (/** @type {object} */ buffer) => ({
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
        { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
      ],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 24 },
      ],
      buffers: [{ byteLength: 72, ...buffer }],
    })
    const scale = [2, 1, 1]
    const nodes = [
      node(
        { motion: {}, collider: { geometry: { mesh: 0, convexHull: true } } },
        { name: 'mesh', scale },
      ),
      node(
        { motion: {}, collider: { geometry: { node: 1, convexHull: true } } },
        { name: 'node', scale, mesh: 0 },
      ),
      node({ collider: { geometry: { mesh: 0 } } }, { name: 'static', scale }),
      node({ motion: {}, collider: { geometry: { mesh: 0 } } }, { name: 'moves' }),
      // A node outside of the scene, with a child that has the mesh.
      node(
        { motion: {}, collider: { geometry: { node: 5, convexHull: true } } },
        { name: 'apart' },
      ),
      { children: [6] },
      { mesh: 0, scale: [1, 3, 1] },
    ]
    const uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`
    const scenesOf = { scene: 0, scenes: [{ nodes: [0, 1, 2, 3, 4] }] }
    const json = file(nodes, { rest: { ...rest({ uri }), ...scenesOf } })
    const glbText = JSON.stringify(file(nodes, { rest: { ...rest({}), ...scenesOf } }))
    const loaded = file(nodes, { rest: { ...rest({ uri: 'a.bin' }), ...scenesOf } })
    const loader = (/** @type {string} */ name) => (name === 'a.bin' ? bytes : null)
    const files = /** @type {const} */ ([
      [json, undefined],
      [glb(glbText, bytes), undefined],
      [loaded, loader],
    ])
    for (const [input, from] of files) {
      const scene = await importGLTF(input, {
        world: await World.create(),
        ...(from && { loader: from }),
      })
      const { bodies } = scene
      near([bodies.mesh.mass, bodies.node.mass], [1000 / 3, 1000 / 3], 1e-9)
      near([bodies.apart.mass], [500], 1e-9)
      assert.equal(bodies.static.shapes[0].type, 'mesh')
      near([bodies.static.shapes[0].volume], [1 / 3], 1e-12)
      assert.equal(bodies.moves.shapes[0].type, 'hull')
      assert.equal(warningsOf(scene, /moves/, /convex hull/).length, 1)
      assert.equal(scene.warnings.length, 1)
    }
    const without = await importGLTF(loaded, {
      world: await World.create(),
      loader: () => null,
    }).catch((e) => e)
    assert.match(String(without.message ?? without.warnings?.[0].message), /a\.bin|nodes\/0/)
  })

  test('motion: infinite mass and inertia, kinematic, turned principal axes, bare nodes', async () => {
    const nodes = [
      node(
        { motion: { mass: 0, inertiaDiagonal: [0, 0, 0] }, collider: { geometry: { shape: 0 } } },
        { name: 'stuck' },
      ),
      node(
        {
          motion: { isKinematic: true, angularVelocity: [0, 1, 0] },
          collider: { geometry: { shape: 0 } },
        },
        { name: 'belt' },
      ),
      node(
        {
          motion: {
            mass: 2,
            inertiaDiagonal: [1, 2, 2.5],
            inertiaOrientation: [0, 0, HALF, HALF],
            centerOfMass: [1, 0, 0],
          },
        },
        { name: 'turned', scale: [2, 2, 2] },
      ),
      node({ motion: {} }, { name: 'bare' }),
    ]
    const { bodies, ...scene } = await importGLTF(file(nodes, { shapes: [BALL] }), {
      world: await World.create(),
    })
    assert.deepEqual(
      [bodies.stuck.lockTranslation, bodies.stuck.lockRotation],
      [
        [true, true, true],
        [true, true, true],
      ],
    )
    assert.equal(bodies.belt.type, 'kinematic')
    near(bodies.belt.angularVelocity, [0, 1, 0], 0)
    near(bodies.turned.inertia, [2, 0, 0, 0, 1, 0, 0, 0, 2.5], 1e-12)
    near(bodies.turned.centerOfMass, [2, 0, 0], 0)
    assert.equal(bodies.bare.mass, 1)
    assert.equal(warningsOf(scene, /bare/, /1 kg/).length, 1)
  })

  test('what a file requires and nobody reads is told; a mass below zero is refused', async () => {
    const rest = { extensionsRequired: ['KHR_physics_rigid_bodies', 'KHR_draco_mesh_compression'] }
    const { warnings } = await importGLTF(file([moving()], { shapes: [BALL], rest }), {
      world: await World.create(),
    })
    assert.deepEqual(warnings, [
      {
        path: 'extensionsRequired/1',
        message: 'KHR_draco_mesh_compression is not read, and without it the file may be wrong',
      },
    ])
    const world = await World.create()
    const light = node({ motion: { mass: -1 }, collider: { geometry: { shape: 0 } } })
    await assert.rejects(
      importGLTF(file([light], { shapes: [BALL] }), { world }),
      /nodes\/0: createBody: mass must be a finite number above 0, got -1/,
    )
    assert.equal(world.bodies.length, 0)
  })

  test('filters of the extension decide what collides, triggers are sensors', async () => {
    const names = ['plain', 'ghost', 'debris', 'loner', 'trigger']
    const filters = [
      undefined,
      { collisionSystems: ['ghost'], collideWithSystems: ['ghost'] },
      { collisionSystems: ['debris'], notCollideWithSystems: ['debris'] },
      { collisionSystems: ['loner'], collideWithSystems: [] },
    ]
    const collisionFilters = filters.slice(1)
    const nodes = [0, 1, 2, 3, 0, 1, 2, 3].map((filter, i) =>
      node(
        {
          motion: { mass: 1 },
          collider: { geometry: { shape: 0 }, ...(filter > 0 && { collisionFilter: filter - 1 }) },
        },
        { name: `${names[filter]}${i < 4 ? 1 : 2}` },
      ),
    )
    nodes.push(node({ trigger: { geometry: { shape: 0 } } }, { name: 'trigger' }))
    const world = await World.create({ gravity: [0, 0, 0] })
    const { bodies } = await importGLTF(
      file(nodes, { shapes: [BALL], physics: { collisionFilters } }),
      { world },
    )
    world.step(1e-4)
    const nameOf = (/** @type {unknown} */ body) =>
      Object.keys(bodies).find((name) => bodies[name] === body)
    const pairs = world.bodies.flatMap((body) =>
      body.contacts().map(({ other }) => [nameOf(body), nameOf(other)].sort().join(' ')),
    )
    // What has no filter has no systems: those that list what they collide with do not list it.
    const debris = ['debris1 plain1', 'debris1 plain2', 'debris2 plain1', 'debris2 plain2']
    const expected = ['ghost1 ghost2', 'plain1 plain2', ...debris]
    assert.deepEqual([...new Set(pairs)].sort(), expected.sort())
    // The trigger has no filter: plain and debris enter it.
    assert.equal(world.sensorEvents.enter.length, 4)
  })

  test('limits become joints: by their axes fixed, ball, hinge, slider, distance, six degrees of freedom', async () => {
    const point = { linearAxes: [0, 1, 2], min: 0, max: 0 }
    const still = { angularAxes: [0, 1, 2], min: 0, max: 0 }
    const physicsJoints = [
      { limits: [point, still] },
      { limits: [point] },
      {
        limits: [
          point,
          { angularAxes: [0, 2], min: 0, max: 0 },
          { angularAxes: [1], min: -1, max: 2 },
        ],
      },
      {
        limits: [
          { linearAxes: [0, 1], min: 0, max: 0 },
          { linearAxes: [2], min: 0, max: 1.5 },
          still,
        ],
      },
      {
        limits: [
          point,
          { angularAxes: [0, 1], min: 0, max: 0.5 },
          { angularAxes: [2], min: -0.1, max: 0.2 },
        ],
      },
      { limits: [{ linearAxes: [0, 1, 2], min: 1, max: 2 }] },
      { limits: [{ linearAxes: [0, 1], min: -1, max: 1 }] },
      {
        limits: [
          { linearAxes: [0], min: -0.25, max: 0.25 },
          { linearAxes: [1, 2], min: 0, max: 0 },
          { angularAxes: [2], min: 0, max: 0 },
        ],
      },
      {
        limits: [point, { angularAxes: [0, 1], min: 0, max: 0 }],
        drives: [
          { type: 'angular', mode: 'acceleration', axis: 2, velocityTarget: -1.5, damping: 4 },
        ],
      },
      {
        limits: [{ linearAxes: [0, 2], min: 0, max: 0 }, still],
        drives: [
          {
            type: 'linear',
            mode: 'force',
            axis: 1,
            positionTarget: 1.25,
            stiffness: 10,
            damping: 0.5,
            maxForce: 30,
          },
        ],
      },
      // Axes are never that far apart.
      { limits: [point, { angularAxes: [0, 1], min: 0, max: 4 }] },
    ]
    const nodes = physicsJoints.flatMap((_, i) => [
      moving({ name: `body${i}`, children: [3 * i + 1], translation: [10 * i, 0, 0] }),
      node({ joint: { connectedNode: 3 * i + 2, joint: i } }, { name: `${i}` }),
      { name: `world${i}`, translation: [10 * i, 0, 0] },
    ])
    const world = await World.create({ gravity: [0, 0, 0], solver: 'exact' })
    const { joints, ...scene } = await importGLTF(
      file(nodes, { shapes: [BALL], physics: { physicsJoints } }),
      { world },
    )
    const types = Array.from({ length: physicsJoints.length }, (_, i) => joints[`${i}`].type)
    assert.deepEqual(types, [
      'fixed',
      'ball',
      'hinge',
      'slider',
      'ball',
      'distance',
      'sixDof',
      'sixDof',
      'hinge',
      'slider',
      'ball',
    ])
    assert.deepEqual(joints['10'].limits, null)
    assert.deepEqual(joints['2'].limits, { lower: -1, upper: 2 })
    assert.deepEqual(joints['3'].limits, { lower: 0, upper: 1.5 })
    assert.deepEqual(joints['4'].limits, { cone: 0.5, twist: { lower: -0.1, upper: 0.2 } })
    assert.deepEqual(joints['5'].limits, { lower: 1, upper: 2 })
    assert.equal(warningsOf(scene, /limits\/0/, /over 2 linear axes/).length, 1)
    assert.deepEqual(joints['7'].linear, [{ lower: -0.25, upper: 0.25 }, 'locked', 'locked'])
    assert.deepEqual(joints['7'].angular, ['free', 'free', 'locked'])
    // A gain of an acceleration drive is for a moment of inertia of 1: that of the ball is 0.1.
    near([/** @type {any} */ (joints['8'].motor).dampingCoefficient], [0.4], 1e-12)
    const motor = {
      targetPosition: 1.25,
      targetVelocity: 0,
      stiffness: 10,
      dampingCoefficient: 0.5,
      maxForce: 30,
    }
    assert.deepEqual(joints['9'].motor, motor)
    const turning = /** @type {Body} */ (joints['8'].bodyA)
    for (let step = 0; step < 500; step++) world.step(0.01)
    // The joint's node is A, the world is B: it turns by -1.5 rad/s in the node's frame.
    near(turning.angularVelocity, [0, 0, 1.5], 1e-6)
  })

  test('a joint is at 0 where its frames coincide, wherever its bodies are', async () => {
    const physicsJoints = [
      {
        limits: [
          { linearAxes: [0, 1, 2], min: 0, max: 0 },
          { angularAxes: [0, 1], min: 0, max: 0 },
        ],
      },
    ]
    const turn = [0, 0, Math.sin(0.15), Math.cos(0.15)]
    const nodes = [
      moving({ name: 'a', children: [1] }),
      node({ joint: { connectedNode: 2, joint: 0 } }, { name: 'j' }),
      { rotation: turn },
    ]
    const world = await World.create({ gravity: [0, 0, 0] })
    const { joints } = await importGLTF(
      file(nodes, { shapes: [BALL], physics: { physicsJoints } }),
      { world },
    )
    near(joints.j.coordinates, [0.3], 1e-12)
  })

  test('what cannot be read is refused with its place, and the world is as it was', async () => {
    const world = await World.create()
    const cases = /** @type {const} */ ([
      ['{', /no JSON/],
      [{}, /no glTF/],
      [{ asset: { version: '1.0' } }, /glTF 1\.0/],
      [7, /file must be/],
      [
        file([moving(), moving({ name: 'bad', scale: [1, NaN, 1] })], { shapes: [BALL] }),
        /nodes\/1 \(bad\)/,
      ],
    ])
    for (const [input, message] of cases) {
      await assert.rejects(importGLTF(/** @type {any} */ (input), { world }), message)
      assert.equal(world.bodies.length, 0)
    }
    assert.throws(() => exportGLTF(/** @type {any} */ ({})), /must be a World/)
  })
})

describe('a world as glTF', () => {
  test('what the extensions have words for comes back without extras', async () => {
    const world = await mixedWorld()
    const { gltf, warnings } = exportGLTF(world)
    assert.deepEqual(warnings, [])
    const read = await World.create({ gravity: [0, -9.81, 0], solver: 'exact' })
    const { joints } = await importGLTF(JSON.stringify(gltf), { world: read })
    assert.equal(Object.keys(joints).length, 5)
    assert.equal(/** @type {any} */ (gltf.extras).moreau.joints, undefined)
    assertSame(world, read)
    for (let step = 0; step < 60; step++) {
      world.step(0.01)
      read.step(0.01)
    }
    for (const [i, body] of world.bodies.entries()) {
      near(read.bodies[i].position, body.position, 1e-6, `position of ${i}`)
    }
  })

  test('the rest comes back by extras: every scene of ours', async () => {
    let count = 0
    for (const scene of scenes) {
      // Its sixDofs have one freedom each, and come back as the slider and the hinge that they are.
      if (scene.name === 'locks-and-drives') continue
      const world = await openWorld(World, scene)
      scene.setup(world)
      if (world.bodies.length > MOST_BODIES) continue
      for (let step = 0; step < 3; step++) world.step(scene.timeStep ?? 1 / 60)
      const { gltf } = exportGLTF(world)
      const text = JSON.stringify(gltf)
      const read = await World.create()
      await importGLTF(text, { world: read, settings: true })
      assertSame(world, read, scene.name)
      count++
      world.free()
      read.free()
    }
    assert.ok(count > 10, `${count} scenes`)
  })

  test('others see shapes, materials, filters and meshes by the schema of glTF', async () => {
    const world = await World.create()
    world.createBody({
      shape: { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      mass: 1,
    })
    const heights = [0, 0, 0, 0, 1, 0]
    world.createBody({
      type: 'static',
      shape: { type: 'heightfield', heights, rows: 2, columns: 3 },
    })
    world.createBody({
      shape: { type: 'box', halfExtents: [1, 1, 1], radius: 0.25 },
      filter: { category: 4, mask: 5 },
      userData: 'rounded',
    })
    const { gltf } = exportGLTF(world)
    const stripped = JSON.parse(
      JSON.stringify(gltf, (key, value) => (key === 'extras' ? undefined : value)),
    )
    const read = await World.create()
    const { bodies } = await importGLTF(stripped, { world: read })
    assert.deepEqual(Object.keys(bodies), ['node0', 'node1', 'rounded'])
    assert.equal(bodies.node0.shapes[0].type, 'hull')
    near([bodies.node1.shapes[0].surfaceArea], [world.bodies[1].shapes[0].surfaceArea], 1e-6)
    assert.equal(bodies.node1.shapes[0].type, 'mesh')
    assert.deepEqual(bodies.rounded.shapes[0].halfExtents, [1.25, 1.25, 1.25])
    const [view] = /** @type {any} */ (gltf).bufferViews
    assert.equal(view.target, 34962)
    const [points] = /** @type {any} */ (gltf).accessors
    assert.deepEqual(
      [points.min, points.max],
      [
        [0, 0, 0],
        [1, 1, 1],
      ],
    )
  })

  test('what it cannot hold is a warning', async () => {
    const world = await World.create()
    const [a, b] = [0, 3].map((x) =>
      world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [x, 0, 0] }),
    )
    world.createPotential({ type: 'drag', linear: 1 })
    world.createConstraint({ type: 'distance', bodies: [a, b] })
    world.createJoint({ type: 'rope', bodyA: a, bodyB: b })
    a.applyForce([1, 0, 0])
    const result = exportGLTF(world)
    assert.equal(warningsOf(result, /potentials\[0\]/).length, 1)
    assert.equal(warningsOf(result, /constraints\[0\]/).length, 1)
    assert.equal(warningsOf(result, /joints\[0\]/, /rope/).length, 1)
    assert.equal(warningsOf(result, /bodies\[0\]\.force/).length, 1)
  })
})

/**
 * A .glb of a text and bytes.
 * @param {string} text
 * @param {Uint8Array} bytes
 */
function glb(text, bytes) {
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4))
  const head = (/** @type {number[]} */ ...numbers) => Buffer.from(new Uint32Array(numbers).buffer)
  const length = 12 + 8 + json.length + 8 + bytes.length
  const parts = [
    head(0x46546c67, 2, length),
    head(json.length, 0x4e4f534a),
    json,
    head(bytes.length, 0x004e4942),
    bytes,
  ]
  return new Uint8Array(Buffer.concat(parts))
}

/** A world of what both extensions have words for. */
async function mixedWorld() {
  const world = await World.create({ gravity: [0, -9.81, 0], solver: 'exact' })
  const surface = /** @type {const} */ ({
    frictionCombine: 'average',
    restitutionCombine: 'maximum',
  })
  world.createBody({ type: 'static', shape: { type: 'plane' }, friction: 0.7, ...surface })
  const turned = [0.1, 0.2, 0.3, Math.sqrt(0.86)]
  const shapes = /** @type {const} */ ([
    { type: 'sphere', radius: 0.3, position: [0, 0.4, 0] },
    { type: 'capsule', radius: 0.2, halfHeight: 0.4, orientation: [0, 0, HALF, HALF] },
    { type: 'cone', radius: 0.3, halfHeight: 0.2, position: [0.1, 0, 0.5], restitution: 0.25 },
  ])
  const a = world.createBody({
    shapes: [...shapes],
    position: [0, 2, 0],
    orientation: turned,
    linearVelocity: [1, 0, 0.5],
    angularVelocity: [0, 2, 0],
    ...surface,
  })
  const b = world.createBody({
    shape: { type: 'box', halfExtents: [0.2, 0.3, 0.4] },
    position: [1.5, 2, 0],
    mass: 3,
    filter: { category: 2, mask: 7 },
    gravityScale: 0.5,
    ...surface,
  })
  const c = world.createBody({
    shape: { type: 'cylinder', radiusTop: 0.2, radiusBottom: 0.3, halfHeight: 0.4 },
    position: [3, 2, 0],
    ...surface,
  })
  const d = world.createBody({
    shape: { type: 'sphere', radius: 0.2 },
    position: [4, 2, 0],
    ...surface,
  })
  world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [1, 0.1, 1] },
    position: [0, 0.5, 5],
    linearVelocity: [0, 0.5, 0],
  })
  world.createJoint({
    type: 'hinge',
    bodyA: a,
    bodyB: b,
    anchor: [0.75, 2, 0],
    axis: [1, 2, 0],
    limits: [-1, 0.5],
    motor: { targetPosition: 0.25, stiffness: 20, dampingCoefficient: 2, maxForce: 9 },
  })
  world.createJoint({
    type: 'ball',
    bodyA: b,
    bodyB: c,
    anchor: [2.25, 2, 0],
    axis: [1, 0, 0],
    limits: { cone: 0.7, twist: [-0.5, 0.5] },
  })
  world.createJoint({ type: 'slider', bodyB: c, axis: [0, 1, 0], limits: [-3, 3] })
  world.createJoint({ type: 'distance', bodyA: c, bodyB: d, length: 1 })
  world.createJoint({
    type: 'sixDof',
    bodyA: a,
    bodyB: d,
    anchor: [4, 2, 0],
    linear: ['free', 'free', [-3, 3]],
    angular: ['free', 'free', 'free'],
  })
  return world
}

/**
 * Both worlds hold the same things in the same state.
 * @param {World} world
 * @param {World} read
 * @param {string} [name]
 */
function assertSame(world, read, name = '') {
  assert.equal(read.bodies.length, world.bodies.length, `${name}: bodies`)
  assert.equal(read.joints.length, world.joints.length, `${name}: joints`)
  for (const [i, body] of world.bodies.entries())
    assertSameBody(body, read.bodies[i], `${name}: body ${i}`)
  const jointOf = pairJoints(world, read)
  for (const joint of world.joints)
    assertSameJoint(joint, /** @type {Joint} */ (jointOf.get(joint)), name)
}

/**
 * @param {Body} body
 * @param {Body} other
 * @param {string} name
 */
function assertSameBody(body, other, name) {
  assert.equal(other.type, body.type, name)
  const size = Math.max(1, ...body.inertia.map(Math.abs))
  for (const key of /** @type {const} */ ([
    'position',
    'orientation',
    'centerOfMass',
    'linearVelocity',
    'angularVelocity',
  ])) {
    near(other[key], body[key], 1e-9, `${name}: ${key}`)
  }
  near(other.inertia, body.inertia, 1e-12 * size, `${name}: inertia`)
  for (const key of /** @type {const} */ ([
    'mass',
    'gravityScale',
    'linearDamping',
    'angularDamping',
    'filter',
    'bullet',
    'solver',
    'lockRotation',
    'lockTranslation',
    'rollingFriction',
    'surfaceVelocity',
    'isAwake',
  ])) {
    assert.deepEqual(other[key], body[key], `${name}: ${key}`)
  }
  const measuresOf = (/** @type {Body} */ one) =>
    leaves(one.shapes).map((shape) => measures(shape, one))
  assert.deepEqual(measuresOf(other), measuresOf(body), `${name}: shapes`)
}

/**
 * @param {readonly any[]} shapes
 * @returns {any[]} without compounds
 */
const leaves = (shapes) =>
  shapes.flatMap((shape) => (shape.type === 'compound' ? leaves(shape.shapes) : [shape]))

/**
 * @param {any} shape
 * @param {any} body whose material it has where it has none
 */
function measures(shape, body) {
  const { type, halfExtents, radius, halfHeight, radiusTop, sensor, surfaceArea } = shape
  const { friction, restitution, frictionCombine, restitutionCombine } = body
  return {
    ...{ type, halfExtents, radius, halfHeight, radiusTop, surfaceArea },
    sensor: sensor || body.sensor,
    friction: shape.friction ?? friction,
    restitution: shape.restitution ?? restitution,
    frictionCombine: shape.frictionCombine ?? frictionCombine,
    restitutionCombine: shape.restitutionCombine ?? restitutionCombine,
  }
}

/**
 * Joints of both worlds by what they hold: those of extras come after the others.
 * @param {World} world
 * @param {World} read
 */
function pairJoints(world, read) {
  const keyOf = (/** @type {World} */ owner, /** @type {Joint} */ joint) =>
    `${joint.type} ${joint.bodies.map((body) => owner.bodies.indexOf(body))}`
  const left = [...read.joints]
  return new Map(
    world.joints.map((joint) => {
      const found = left.findIndex((other) => keyOf(read, other) === keyOf(world, joint))
      assert.ok(found >= 0, `no joint ${keyOf(world, joint)}`)
      return [joint, left.splice(found, 1)[0]]
    }),
  )
}

/**
 * @param {Joint} joint
 * @param {Joint} other
 * @param {string} name
 */
function assertSameJoint(joint, other, name) {
  near(other.coordinates, joint.coordinates, 1e-9, `${name}: ${joint.type} coordinates`)
  for (const key of /** @type {const} */ ([
    'limits',
    'motor',
    'spring',
    'friction',
    'collideConnected',
    'breakForce',
    'breakTorque',
    'ratio',
    'steering',
  ])) {
    assert.deepEqual(other[key], joint[key], `${name}: ${joint.type} ${key}`)
  }
  near(other.violation(), joint.violation(), 1e-9, `${name}: ${joint.type} violation`)
}
