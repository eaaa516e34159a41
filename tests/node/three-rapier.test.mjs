/**
 * `RapierPhysics` of moreau/three: what programs that are written for three.js' own `addons/physics` call of Rapier.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MoreauPhysics, RapierPhysics } from 'moreau/three'
import * as THREE from 'three'

/** @typedef {import('moreau/three').RapierPhysicsObject} Physics */

const DT = 1 / 60

/** @param {THREE.BufferGeometry} geometry @param {number} y */
function meshAt(geometry, y) {
  const mesh = new THREE.Mesh(geometry)
  mesh.position.y = y
  return mesh
}

/** A floor whose top is at 0. @param {Physics} physics @param {number} [size] */
function addFloor(physics, size = 200) {
  const floor = meshAt(new THREE.BoxGeometry(size, 0.5, size), -0.25)
  physics.addMesh(floor)
  return floor
}

/** @param {Physics} physics @param {number} seconds @param {() => void} [each] */
function run(physics, seconds, each) {
  for (let i = 0; i < Math.round(seconds / DT); i++) {
    each?.()
    physics.step(DT)
  }
}

/** @param {(physics: Physics) => void} body @returns {() => Promise<void>} */
const withPhysics = (body) => async () => {
  const physics = await RapierPhysics({ autoStart: false })
  body(physics)
  physics.dispose()
}

/** @param {number} actual @param {number} expected @param {number} tolerance */
function near(actual, expected, tolerance) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`)
}

describe('RapierPhysics: the interface of addons/physics', () => {
  test(
    'meshes keep a rigid body and a collider in the spelling of Rapier',
    withPhysics((physics) => {
      const ball = meshAt(new THREE.SphereGeometry(0.5), 3)
      physics.addMesh(ball, 2, 0.25)
      const { body, collider } = ball.userData.physics
      assert.deepEqual(body.translation(), { x: 0, y: 3, z: 0 })
      near(body.mass(), 2, 1e-12)
      assert.deepEqual([collider.restitution(), collider.friction()], [0.25, 0.5])
      assert.equal(physics.world.getRigidBody(body.handle), body)
      assert.equal(physics.world.raw.bodies[0], body.raw)
      body.setLinvel(new physics.RAPIER.Vector3(1, 2, 3), true)
      assert.deepEqual(body.linvel(), { x: 1, y: 2, z: 3 })
      physics.removeMesh(ball)
      assert.equal(body.isValid(), false)
      assert.equal(physics.world.bodies.len(), 0)
      assert.equal(ball.userData.physics.body, undefined)
    }),
  )

  test(
    'a restitution above 1 counts when pairs are combined, and loses nothing with itself',
    withPhysics((physics) => {
      const balls = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(0.1, 1), undefined, 2)
      balls.userData.physics = { mass: 1, restitution: 1.1 }
      balls.setMatrixAt(0, new THREE.Matrix4().setPosition(0, 2, 0))
      balls.setMatrixAt(1, new THREE.Matrix4().setPosition(5, 2, 0))
      const scene = new THREE.Scene().add(balls, meshAt(new THREE.BoxGeometry(50, 1, 50), -0.5))
      scene.children[1].userData.physics = { mass: 0, restitution: 0 }
      physics.addScene(scene)
      let bounce = 0
      run(physics, 1.2, () => {
        const body = balls.userData.physics.body[0]
        if (body.linvel().y > 0) bounce = Math.max(bounce, body.translation().y)
      })
      // The mean of 1.1 and 0 of the speed: 0.3025 of the height of the fall.
      near(bounce, 0.1 + 0.3025 * 1.9, 0.06)
    }),
  )

  test(
    'a terrain, and dispose',
    withPhysics((physics) => {
      const mesh = new THREE.Mesh(new THREE.PlaneGeometry(10, 10))
      const heights = new Float32Array(9).fill(1)
      const ground = physics.addHeightfield(mesh, 2, 2, heights, { x: 10, y: 1, z: 10 })
      assert.equal(ground, mesh.userData.physics.body)
      assert.equal(ground.isFixed(), true)
      const ball = meshAt(new THREE.SphereGeometry(0.5), 2)
      physics.addMesh(ball, 1)
      run(physics, 2)
      near(ball.position.y, 1.5, 0.01)
    }),
  )

  test(
    'joints of JointData hold meshes',
    withPhysics((physics) => {
      const { JointData, Vector3 } = physics.RAPIER
      const pivot = meshAt(new THREE.SphereGeometry(0.5), 6)
      physics.addMesh(pivot)
      const rod = meshAt(new THREE.CapsuleGeometry(0.25, 1.8), 5.9)
      rod.position.x = 1.15
      rod.rotateZ(Math.PI / 2)
      physics.addMesh(rod, 1)
      const params = JointData.spherical(new Vector3(0, -0.1, 0), new Vector3(0, 1.15, 0))
      const { body } = rod.userData.physics
      body.setAngularDamping(1)
      physics.world.createImpulseJoint(params, pivot.userData.physics.body, body, true)
      run(physics, 2, () => {
        const { x, y, z } = body.translation()
        near(Math.hypot(x, y - 5.9, z), 1.15, 0.02)
      })
      assert.ok(rod.position.y < 5.7, 'it swings')
    }),
  )
})

describe('meshes that are somewhere', () => {
  for (const [name, make] of /** @type {const} */ ([
    ['MoreauPhysics', MoreauPhysics],
    ['RapierPhysics', RapierPhysics],
  ])) {
    test(`${name}: instances are where their mesh has them, moved, turned and scaled`, async () => {
      const physics = await make({ autoStart: false, world: { gravity: [0, -10, 0] } })
      const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), undefined, 2)
      const group = new THREE.Group().add(mesh)
      new THREE.Scene().add(group)
      group.position.set(5, 4, 0)
      mesh.rotation.z = Math.PI / 2
      mesh.scale.setScalar(2)
      mesh.setMatrixAt(0, new THREE.Matrix4().setPosition(1, 0, 0))
      mesh.setMatrixAt(1, new THREE.Matrix4().setPosition(-1, 0, 0))
      physics.addMesh(mesh, 1)
      const world = 'raw' in physics.world ? physics.world.raw : physics.world
      const [first, second] = world.bodies
      first.position.forEach((x, i) => near(x, [5, 6, 0][i], 1e-6))
      second.position.forEach((x, i) => near(x, [5, 2, 0][i], 1e-6))
      first.shapes[0].halfExtents?.forEach((half) => near(half, 1, 1e-6))
      physics.setMeshVelocity(mesh, [0, 3, 0])
      for (let i = 0; i < 12; i++) physics.step(DT)
      const seen = new THREE.Matrix4()
      mesh.getMatrixAt(0, seen)
      seen.premultiply(mesh.matrixWorld)
      const [at, turn, size] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()]
      seen.decompose(at, turn, size)
      assert.ok(first.position[1] > 6.3)
      at.toArray().forEach((x, i) => near(x, first.position[i], 0.06))
      size.toArray().forEach((x) => near(x, 2, 1e-5))
      near(Math.abs(turn.z), Math.SQRT1_2, 1e-5)
      physics.dispose()
    })

    test(`${name}: what was put elsewhere is drawn there, and not on its way`, async () => {
      const physics = await make({ autoStart: false, world: { gravity: [0, 0, 0] } })
      const mesh = meshAt(new THREE.SphereGeometry(0.5), 1)
      physics.addMesh(mesh, 1)
      physics.step(DT)
      physics.setMeshPosition(mesh, new THREE.Vector3(50, 1, 0))
      physics.step(DT / 2)
      assert.deepEqual(mesh.position.toArray(), [50, 1, 0])
      physics.dispose()
    })
  }
})

describe('bodies and colliders that are made by hand', () => {
  test(
    'a body of a description, with colliders that come later',
    withPhysics(({ world, RAPIER, step }) => {
      const { ColliderDesc, RigidBodyDesc } = RAPIER
      const desc = RigidBodyDesc.dynamic().setTranslation(0, 5, 0).setLinvel(1, 0, 0)
      const body = world.createRigidBody(desc.setAngularDamping(3).setUserData('mine'))
      assert.deepEqual([body.isDynamic(), body.userData, body.numColliders()], [true, 'mine', 0])
      const hull = Float32Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1)
      for (const collision of [
        ColliderDesc.ball(0.5).setMass(2),
        ColliderDesc.cuboid(1, 1, 1).setTranslation(0, 2, 0).setDensity(0.25).setFriction(0.1),
        ColliderDesc.convexHull(hull).setMass(1).setRestitution(0.3),
      ]) {
        assert.equal(world.createCollider(collision, body).parent(), body)
      }
      assert.equal(body.numColliders(), 3)
      near(body.mass(), 5, 1e-9)
      assert.equal(body.collider(1).friction(), 0.1)
      assert.deepEqual(body.collider(1).translationWrtParent(), { x: 0, y: 2, z: 0 })
      step(DT)
      near(body.linvel().x, 1, 0.1)
      assert.ok(body.linvel().y < -0.1, 'it falls')
      assert.equal(body.angularDamping(), 3)
      world.removeCollider(body.collider(1), true)
      near(body.mass(), 3, 1e-9)
      world.removeRigidBody(body)
      assert.deepEqual([world.bodies.len(), world.colliders.len()], [0, 0])
      step(DT)
    }),
  )

  test(
    'a collider without a body is ground, and can be put elsewhere',
    withPhysics((physics) => {
      const { world, RAPIER } = physics
      const desc = RAPIER.ColliderDesc.cuboid(2, 0.5, 2).setTranslation(0, 1, 0)
      const ground = world.createCollider(desc)
      assert.equal(ground.parent(), null)
      const ball = meshAt(new THREE.SphereGeometry(0.5), 2.5)
      physics.addMesh(ball, 1)
      run(physics, 1)
      near(ball.position.y, 2, 0.01)
      ground.setTranslation({ x: 0, y: -4, z: 0 })
      assert.deepEqual(ground.translation(), { x: 0, y: -4, z: 0 })
      run(physics, 2)
      near(ball.position.y, -3, 0.01)
      world.removeCollider(ground)
      assert.equal(ground.isValid(), false)
      run(physics, 1)
      assert.ok(ball.position.y < -5)
    }),
  )

  test(
    'types of bodies',
    withPhysics(({ world, RAPIER: { RigidBodyDesc, RigidBodyType, ColliderDesc }, step }) => {
      let made = 0
      const make = (/** @type {any} */ desc) => {
        const body = world.createRigidBody(desc.setTranslation(0, 0, 5 * made++))
        world.createCollider(ColliderDesc.ball(0.5), body)
        return body
      }
      const mover = make(RigidBodyDesc.kinematicPositionBased())
      mover.setNextKinematicTranslation({ x: 1, y: 0, z: 0 })
      const roller = make(RigidBodyDesc.kinematicVelocityBased().setLinvel(0, 6, 0))
      const locked = make(
        new RigidBodyDesc(RigidBodyType.Dynamic).enabledTranslations(true, false, true),
      )
      const sleeper = make(RigidBodyDesc.dynamic().setSleeping(true))
      assert.equal(make(RigidBodyDesc.fixed()).isFixed(), true)
      step(DT)
      near(mover.translation().x, 1, 1e-9)
      near(roller.translation().y, 0.1, 1e-9)
      assert.equal(locked.translation().y, 0)
      assert.deepEqual([sleeper.isSleeping(), sleeper.translation().y], [true, 0])
    }),
  )

  test(
    'what there is not says what there is, and bad input is named',
    withPhysics(({ world, RAPIER }) => {
      const untyped = /** @type {any} */ (world)
      assert.throws(() => untyped.createSoftBody(), { code: 'not-supported', message: /joints/ })
      assert.throws(() => untyped.createMultibodyJoint(), /use createImpulseJoint/)
      assert.throws(() => untyped.createRigidBody({}), /createRigidBody: desc must be a rapier\./)
      assert.throws(() => untyped.createCollider(null), /createCollider: desc must .* got null/)
      const ball = RAPIER.ColliderDesc.ball(1)
      assert.throws(() => untyped.createCollider(ball, 3), /parent must be a rigid body.* got 3/)
      assert.throws(() => world.createCharacterController(0), /offset must be above 0, got 0/)
      assert.throws(() => new RAPIER.RigidBodyDesc(9), /must be a RigidBodyType, got 9/)
      const car = world.createVehicleController(
        world.createRigidBody(RAPIER.RigidBodyDesc.dynamic()),
      )
      assert.throws(() => car.setWheelBrake(0, 1), /wheel must be below 0, got 0/)
    }),
  )
})

describe('character controllers', () => {
  /**
   * A capsule that walks along x until it has asked for `way` metres.
   * @param {Physics} physics
   * @param {number} way
   * @param {(controller: any) => void} [prepare]
   */
  function walk(physics, way, prepare) {
    const { world, RAPIER } = physics
    const controller = world.createCharacterController(0.01)
    prepare?.(controller)
    const desc = RAPIER.ColliderDesc.capsule(0.5, 0.3).setTranslation(0, 0.81, 0)
    const collider = world.createCollider(desc)
    run(physics, way / 2.5, () => {
      controller.computeColliderMovement(collider, { x: 2.5 * DT, y: -0.05, z: 0 })
      const [at, by] = [collider.translation(), controller.computedMovement()]
      collider.setTranslation({ x: at.x + by.x, y: at.y + by.y, z: at.z + by.z })
    })
    return { controller, ...collider.translation() }
  }

  test(
    'walk, and stand on the ground',
    withPhysics((physics) => {
      addFloor(physics)
      const { x, y, controller } = walk(physics, 5)
      near(x, 5, 0.01)
      near(y, 0.81, 0.005)
      assert.equal(controller.computedGrounded(), true)
    }),
  )

  test(
    'are stopped by walls, and say by which; a predicate leaves some out',
    withPhysics((physics) => {
      addFloor(physics)
      const wall = meshAt(new THREE.BoxGeometry(1, 4, 4), 2)
      wall.position.x = 2
      physics.addMesh(wall)
      const { x, controller } = walk(physics, 5)
      near(x, 1.5 - 0.3 - 0.01, 0.005)
      const count = controller.numComputedCollisions()
      const met = Array.from({ length: count }, (_, i) => controller.computedCollision(i))
      const hit = met.find((one) => one?.collider === wall.userData.physics.collider)
      near(hit?.normal1.x ?? 0, -1, 1e-6)
      assert.equal(controller.computedCollision(count), null)
      const { collider } = wall.userData.physics
      const probe = physics.world.createCollider(
        physics.RAPIER.ColliderDesc.ball(0.3).setTranslation(1, 2, 0),
      )
      const through = (/** @type {unknown} */ other) => other !== collider
      controller.computeColliderMovement(probe, { x: 3, y: 0, z: 0 }, 0, undefined, through)
      near(controller.computedMovement().x, 3, 1e-6)
      controller.computeColliderMovement(probe, { x: 3, y: 0, z: 0 })
      assert.ok(controller.computedMovement().x < 0.5)
    }),
  )

  test('climb steps only if they are told to', async () => {
    const heights = []
    for (const height of [0, 0.3]) {
      const physics = await RapierPhysics({ autoStart: false })
      addFloor(physics)
      const step = meshAt(new THREE.BoxGeometry(6, 0.4, 4), 0)
      step.position.x = 5
      physics.addMesh(step)
      const { y } = walk(physics, 4, (one) => height > 0 && one.enableAutostep(height, 0.1, true))
      heights.push(y)
      physics.dispose()
    }
    near(heights[0], 0.81, 0.01)
    near(heights[1], 1.01, 0.01)
  })

  test('push what is light, if they are told to', async () => {
    const ways = []
    for (const mayPush of [false, true]) {
      const physics = await RapierPhysics({ autoStart: false })
      addFloor(physics)
      const ball = meshAt(new THREE.SphereGeometry(0.25), 0.25)
      ball.position.x = 1
      physics.addMesh(ball, 0.5)
      walk(physics, 3, (one) => {
        one.setApplyImpulsesToDynamicBodies(mayPush)
        one.setCharacterMass(3)
      })
      ways.push(ball.position.x)
      physics.dispose()
    }
    assert.ok(ways[1] > 3, `pushed to ${ways[1]}`)
    assert.ok(ways[0] < ways[1], `${ways[0]} without a push`)
  })
})

describe('vehicle controllers', () => {
  /** A car of 10 kg as long as z, on four wheels, of which the first two steer. @param {Physics} physics */
  function makeCar(physics) {
    const mesh = meshAt(new THREE.BoxGeometry(2, 1, 4), 1)
    physics.addMesh(mesh, 10)
    const { body } = mesh.userData.physics
    const car = physics.world.createVehicleController(body)
    for (const z of [-1.5, 1.5]) {
      for (const x of [-1, 1]) {
        car.addWheel({ x, y: 0, z }, { x: 0, y: -1, z: 0 }, { x: -1, y: 0, z: 0 }, 0.8, 0.3)
        car.setWheelSuspensionStiffness(car.numWheels() - 1, 24)
        car.setWheelFrictionSlip(car.numWheels() - 1, 1000)
      }
    }
    const drive = (/** @type {number} */ force, steering = 0, brake = 0) => {
      for (const i of [0, 1]) {
        car.setWheelEngineForce(i, force)
        car.setWheelSteering(i, steering)
      }
      for (const i of [0, 1, 2, 3]) car.setWheelBrake(i, brake)
      car.updateVehicle(DT)
    }
    return { car, mesh, body, drive }
  }

  test(
    'a car stands on its springs, drives, steers and brakes',
    withPhysics((physics) => {
      addFloor(physics)
      const { car, mesh, drive } = makeCar(physics)
      run(physics, 2, () => drive(0))
      // The weight of 10 kg on four springs of 24 N/m per kg.
      near(car.wheelSuspensionLength(0) ?? 0, 0.8 - 9.81 / 96, 0.002)
      near(car.wheelSuspensionForce(3) ?? 0, (10 * 9.81) / 4, 0.2)
      assert.equal(car.wheelIsInContact(2), true)
      near(car.wheelContactPoint(1)?.y ?? 1, 0, 0.01)

      run(physics, 1, () => drive(-20))
      // 40 N on 10 kg for a second.
      near(mesh.position.z, -2, 0.2)
      near(Math.abs(car.currentVehicleSpeed()), 4, 0.3)
      near(car.wheelRotation(0) ?? 0, mesh.position.z / 0.3, 0.7)

      run(physics, 1, () => drive(0, 0.2))
      assert.ok(
        mesh.position.x < -0.2,
        `${mesh.position.x}, ${mesh.position.z}: to the left of its way along -z`,
      )

      run(physics, 2, () => drive(0, 0, 1))
      near(car.currentVehicleSpeed(), 0, 0.05)
    }),
  )

  test(
    'wheels are read and written by their number, and act no more when the controller is removed',
    withPhysics((physics) => {
      addFloor(physics)
      const { car, mesh, drive } = makeCar(physics)
      car.setWheelRadius(0, 0.5)
      assert.deepEqual(
        [car.wheelRadius(0), car.wheelRadius(1), car.wheelRadius(9)],
        [0.5, 0.3, null],
      )
      assert.deepEqual(car.wheelAxleCs(0), { x: -1, y: 0, z: 0 })
      assert.equal(car.wheelMaxSuspensionForce(0), 6000)
      assert.equal(car.wheelSuspensionLength(0), null)
      car.setWheelRadius(0, 0.3)
      run(physics, 1, () => drive(0))
      physics.world.removeVehicleController(car)
      run(physics, 2)
      near(mesh.position.y, 0.5, 0.01)
    }),
  )
})
