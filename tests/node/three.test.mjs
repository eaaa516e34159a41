import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import {
  bodyFromObject3D,
  MoreauHelper,
  MoreauPhysics,
  MouseGrabber,
  shapeFromGeometry,
  syncInstancedMesh,
} from 'moreau/three'
import * as THREE from 'three'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
import { HANGS_AFTER } from './until.mjs'

/** @typedef {import('moreau/three').MoreauPhysicsObject} Physics */

const dt = 1 / 60

before(() => init())

/**
 * @param {ArrayLike<number>} actual
 * @param {readonly number[]} expected
 * @param {number} [tolerance]
 */
function near(actual, expected, tolerance = 1e-6) {
  assert.equal(actual.length, expected.length)
  expected.forEach((x, i) => {
    const message = `${Array.from(actual)}, expected ${expected}`
    assert.ok(Math.abs(actual[i] - x) <= tolerance, message)
  })
}

describe('shapeFromGeometry', () => {
  const cases = /** @type {const} */ ([
    ['box', new THREE.BoxGeometry(1, 2, 3), { type: 'box', halfExtents: [0.5, 1, 1.5] }],
    ['sphere', new THREE.SphereGeometry(2), { type: 'sphere', radius: 2 }],
    ['icosahedron', new THREE.IcosahedronGeometry(0.5, 2), { type: 'sphere', radius: 0.5 }],
    [
      'cylinder',
      new THREE.CylinderGeometry(1, 1, 4),
      { type: 'cylinder', radius: 1, halfHeight: 2 },
    ],
    [
      'tapered cylinder',
      new THREE.CylinderGeometry(1, 2, 4),
      { type: 'cylinder', radiusTop: 1, radiusBottom: 2, halfHeight: 2 },
    ],
    ['cone', new THREE.ConeGeometry(1, 4), { type: 'cone', radius: 1, halfHeight: 2 }],
    ['capsule', new THREE.CapsuleGeometry(0.5, 2), { type: 'capsule', radius: 0.5, halfHeight: 1 }],
    [
      'rounded box',
      new RoundedBoxGeometry(1, 1, 2, 4, 0.25),
      { type: 'box', halfExtents: [0.25, 0.25, 0.75], radius: 0.25 },
    ],
  ])
  for (const [name, geometry, expected] of cases) {
    test(`of a ${name} is exact`, () => {
      assert.deepEqual(shapeFromGeometry(geometry), expected)
    })
  }

  test('is scaled, as far as what is round stays round', () => {
    const box = shapeFromGeometry(new THREE.BoxGeometry(1, 1, 1), { scale: [2, 4, -6] })
    assert.deepEqual(box, { type: 'box', halfExtents: [1, 2, 3] })
    const ball = shapeFromGeometry(new THREE.SphereGeometry(1), {
      scale: new THREE.Vector3(3, 3, 3),
    })
    assert.deepEqual(ball, { type: 'sphere', radius: 3 })
    const egg = shapeFromGeometry(new THREE.SphereGeometry(1), { scale: [1, 2, 1] })
    assert.equal(egg.type, 'hull')
    const world = new World()
    const body = world.createBody({ shape: egg })
    const sphere = (4 / 3) * Math.PI * 1000
    assert.ok(Math.abs(body.mass / (2 * sphere) - 1) < 0.03, 'an ellipsoid, nearly')
  })

  test('of other geometries takes the triangles: a hull if it moves, else a mesh', () => {
    const torus = new THREE.TorusGeometry(1, 0.3)
    assert.equal(shapeFromGeometry(torus).type, 'hull')
    const mesh = shapeFromGeometry(torus, { dynamic: false })
    assert.equal(mesh.type, 'mesh')
    const world = new World()
    world.createBody({ type: 'static', shape: mesh })
    const hit = world.rayCast([0, 0, 5], [0, 0, -1])
    assert.equal(hit, null, 'through the hole')
    assert.notEqual(world.rayCast([1, 0, 5], [0, 0, -1]), null)
  })

  test('of slices takes the triangles, too', () => {
    assert.equal(shapeFromGeometry(new THREE.SphereGeometry(1, 8, 8, 0, Math.PI)).type, 'hull')
    const half = new THREE.SphereGeometry(1, 8, 8, 0, 2 * Math.PI, 0, Math.PI / 2)
    assert.equal(shapeFromGeometry(half).type, 'hull')
    assert.equal(shapeFromGeometry(new THREE.CylinderGeometry(1, 1, 1, 8, 1, true)).type, 'hull')
  })

  test('without an index, and mirrored, has its fronts outside', () => {
    const box = new THREE.BoxGeometry(2, 2, 2).toNonIndexed()
    const plain = new THREE.BufferGeometry().setAttribute('position', box.attributes.position)
    const shape = shapeFromGeometry(plain, { scale: [-1, 1, 1], dynamic: false })
    const world = new World()
    world.createBody({ type: 'static', shape: { .../** @type {any} */ (shape), oneSided: true } })
    const hit = world.rayCast([0, 5, 0], [0, -1, 0])
    near([hit?.distance ?? NaN], [4])
  })

  test('refuses what is no geometry', () => {
    const empty = new THREE.BufferGeometry()
    assert.throws(() => shapeFromGeometry(empty), {
      code: 'invalid-argument',
      message: /positions/,
    })
  })
})

describe('bodyFromObject3D', () => {
  test('takes a whole object, with what is turned and scaled in it', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const group = new THREE.Group()
    group.position.set(0, 3, 0)
    group.rotation.y = Math.PI / 2
    const left = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1))
    left.position.x = -2
    const right = new THREE.Mesh(new THREE.SphereGeometry(0.25))
    right.position.x = 2
    right.scale.setScalar(2)
    group.add(left, right)
    const body = bodyFromObject3D(world, group, { density: 1000, userData: 'dumbbell' })
    near(body.position, [0, 3, 0])
    assert.equal(body.shapes.length, 2)
    assert.equal(body.userData, 'dumbbell')
    near([body.mass], [1000 * (1 + Math.PI / 6)], 1e-9)
    assert.notEqual(world.rayCast([0, 3, -9], [0, 0, 1]), null)
    near(world.rayCast([0, 9, 2], [0, -1, 0])?.position ?? [], [0, 3.5, 2], 1e-6)
  })
})

describe('MoreauPhysics, as the physics of three.js', () => {
  /** @type {Physics} */
  let physics
  const scene = new THREE.Scene()
  const floor = new THREE.Mesh(new THREE.BoxGeometry(10, 1, 10))
  const ball = new THREE.Mesh(new THREE.SphereGeometry(0.5))
  const boxes = new THREE.InstancedMesh(
    new THREE.BoxGeometry(1, 1, 1),
    new THREE.MeshBasicMaterial(),
    3,
  )

  before(async () => {
    physics = await MoreauPhysics({ autoStart: false })
    floor.position.y = -0.5
    floor.userData.physics = { mass: 0 }
    ball.position.set(3, 2, 0)
    ball.userData.physics = { mass: 2, restitution: 0.1 }
    for (let i = 0; i < 3; i++)
      boxes.setMatrixAt(i, new THREE.Matrix4().setPosition(-2, 1 + 2 * i, 0))
    boxes.userData.physics = { mass: 1 }
    scene.add(floor, ball, boxes)
    physics.addScene(scene)
  })
  after(() => physics.dispose())

  test('has its interface', () => {
    const names =
      'addScene addMesh removeMesh setMeshPosition setMeshVelocity applyImpulse addHeightfield'
    for (const name of names.split(' ')) {
      assert.equal(typeof (/** @type {any} */ (physics)[name]), 'function', name)
    }
    assert.ok(physics.world instanceof World)
  })

  test('makes bodies of what has userData.physics', () => {
    assert.equal(physics.world.bodies.length, 5)
    assert.equal(floor.userData.physics.body.type, 'static')
    assert.equal(ball.userData.physics.body.mass, 2)
    assert.equal(ball.userData.physics.collider.type, 'sphere')
    assert.equal(boxes.userData.physics.body.length, 3)
  })

  test('moves meshes and instances', () => {
    for (let i = 0; i < 180; i++) physics.step(dt)
    near(ball.position.toArray(), [3, 0.5, 0], 0.01)
    const matrix = new THREE.Matrix4()
    for (let i = 0; i < 3; i++) {
      boxes.getMatrixAt(i, matrix)
      near(new THREE.Vector3().setFromMatrixPosition(matrix).toArray(), [-2, 0.5 + i, 0], 0.02)
    }
  })

  test('sets positions and velocities, pushes', () => {
    physics.setMeshPosition(boxes, new THREE.Vector3(0, 5, 0), 2)
    physics.setMeshVelocity(ball, { x: 0, y: 0, z: 1 })
    physics.applyImpulse(boxes, new THREE.Vector3(3, 0, 0), 2)
    const top = boxes.userData.physics.body[2]
    near(top.position, [0, 5, 0])
    near(top.linearVelocity, [3, 0, 0])
    near(ball.userData.physics.body.linearVelocity, [0, 0, 1])
    const strange = new THREE.Mesh()
    const message = /setMeshVelocity: mesh '' is not in the physics/
    assert.throws(() => physics.setMeshVelocity(strange, [0, 0, 0]), { message })
    assert.throws(() => physics.setMeshPosition(boxes, [0, 0, 0], 7), { message: /no instance 7/ })
  })

  test('removes meshes', () => {
    physics.removeMesh(ball)
    assert.equal(physics.world.bodies.length, 4)
    assert.equal(ball.userData.physics.body, undefined)
    physics.removeMesh(ball)
    physics.addMesh(ball, 1)
    assert.equal(physics.world.bodies.length, 5)
  })

  test('a mesh in a group is where its body is in the world', () => {
    const group = new THREE.Group()
    group.position.set(0, 10, 0)
    group.rotation.z = Math.PI / 2
    group.scale.setScalar(2)
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(0.5, 0.5, 0.5))
    mesh.position.set(1, 0, 0)
    group.add(mesh)
    scene.add(group)
    physics.addMesh(mesh, 1)
    near(mesh.userData.physics.body.position, [0, 12, 0])
    near(mesh.userData.physics.collider.halfExtents, [0.5, 0.5, 0.5])
    for (let i = 0; i < 10; i++) physics.step(dt)
    mesh.updateWorldMatrix(true, false)
    const drawn = new THREE.Vector3().setFromMatrixPosition(mesh.matrixWorld)
    const { position } = mesh.userData.physics.body
    assert.ok(position[1] < 11.95)
    near(drawn.toArray(), position, 0.05)
    near(mesh.scale.toArray(), [1, 1, 1])
    physics.removeMesh(mesh)
  })

  test('adds a terrain in the order of RapierPhysics', () => {
    const hill = new THREE.Mesh(new THREE.PlaneGeometry())
    hill.position.set(100, 0, 0)
    // 2 cells along z, 3 along x: 3 x 4 samples by columns. The last of z in the last of x is high.
    const heights = new Float32Array(12)
    heights[2 + 3 * 3] = 1
    const body = physics.addHeightfield(hill, 2, 3, heights, { x: 6, y: 2, z: 4 })
    assert.equal(hill.userData.physics.body, body)
    const at = (/** @type {number} */ x, /** @type {number} */ z) =>
      physics.world.rayCast([100 + x, 9, z], [0, -1, 0])?.position[1] ?? NaN
    near([at(2.999, 1.999), at(-2.999, -1.999), at(2.999, -1.999)], [2, 0, 0], 0.01)
  })

  test('a program without anything else to do ends', () => {
    const script = `import { MoreauPhysics } from 'moreau/three'
      await MoreauPhysics()`
    // Its steps go on by themselves, and the program would run until it is killed.
    const options = { timeout: HANGS_AFTER, encoding: /** @type {const} */ ('utf8') }
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], options)
  })
})

describe('syncInstancedMesh', () => {
  test('keeps scales, leaves out what is gone', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [1, 1, 1] })
    const half = Math.SQRT1_2
    const turned = { position: [1, 2, 3], orientation: [0, 0, half, half] }
    const bodies = [world.createBody({ shape, ...turned }), world.createBody({ shape })]
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 3)
    const others = mesh.instanceMatrix.array.slice(16)
    bodies[1].destroy()
    syncInstancedMesh(mesh, [...bodies, null], world.transforms, [new THREE.Vector3(1, 2, 3)])
    const expected = new THREE.Matrix4().compose(
      new THREE.Vector3(1, 2, 3),
      new THREE.Quaternion(0, 0, half, half),
      new THREE.Vector3(1, 2, 3),
    )
    near(mesh.instanceMatrix.array.slice(0, 16), expected.elements)
    assert.deepEqual(mesh.instanceMatrix.array.slice(16), others)
  })
})

describe('MoreauHelper', () => {
  test('has the lines of the world, in buffers that it uses on', () => {
    const world = new World()
    const helper = new MoreauHelper(world)
    helper.update()
    assert.equal(helper.geometry.drawRange.count, 0)
    world.createBody({ shape: { type: 'box', halfExtents: [1, 1, 1] } })
    helper.update()
    const { position, color } = helper.geometry.attributes
    const { vertices, colors } = world.debugRender()
    assert.equal(helper.geometry.drawRange.count, vertices.length / 3)
    assert.deepEqual(position.array.slice(0, vertices.length), vertices)
    assert.deepEqual(color.array.slice(0, colors.length), colors)
    helper.update()
    assert.equal(helper.geometry.attributes.position, position)
    helper.dispose()
  })
})

describe('MouseGrabber', () => {
  /** An element that is 200 by 100 pixels. */
  class Canvas extends EventTarget {
    setPointerCapture() {}
    getBoundingClientRect() {
      return { left: 0, top: 0, width: 200, height: 100 }
    }
    /**
     * @param {string} name
     * @param {number} clientX
     * @param {number} clientY
     */
    point(name, clientX, clientY) {
      const place = { clientX, clientY, button: 0, isPrimary: true, pointerId: 1 }
      this.dispatchEvent(Object.assign(new Event(name), place))
    }
  }
  const element = (/** @type {Canvas} */ canvas) => /** @type {any} */ (canvas)

  test('pulls a body to where the pointer is, and lets go', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.createBody({ shape: { type: 'sphere', radius: 0.5 } })
    world.createBody({ type: 'static', shape: { type: 'plane', offset: -50 } })
    const camera = new THREE.PerspectiveCamera(90, 2, 0.1, 100)
    camera.position.z = 5
    camera.updateMatrixWorld()
    const canvas = new Canvas()
    const grabber = new MouseGrabber(world, camera, element(canvas))
    canvas.point('pointerdown', 2, 2)
    assert.equal(grabber.isGrabbing, false, 'nothing there')
    canvas.point('pointerdown', 100, 50)
    assert.equal(grabber.body, body)
    canvas.point('pointermove', 110, 50)
    for (let i = 0; i < 240; i++) world.step(dt)
    // 10 of 100 pixels from the middle, in the plane 4.5 m away, whose half is 9 m wide.
    near(body.worldPoint([0, 0, 0.5]), [0.9, 0, 0.5], 0.01)
    canvas.point('pointerup', 110, 50)
    assert.equal(grabber.isGrabbing, false)
    assert.equal(world.joints.length, 0)
    grabber.dispose()
    canvas.point('pointerdown', 110, 50)
    assert.equal(grabber.isGrabbing, false)
  })
})
