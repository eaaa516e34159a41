/**
 * `moreau/rapier`: scenes that are written as those of Rapier's JavaScript testbed are run in both engines, with one import changed,
 * and come to the same end.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import DIMFORGE from '@dimforge/rapier3d-compat'
import MOREAU, { World } from 'moreau/rapier'
import { root } from '../../scripts/tools.mjs'

/** Either module: a scene knows no more of it than the names. @typedef {any} Rapier */
/** @typedef {{ x: number, y: number, z: number }} Vector */

/**
 * What a scene gives: its world, what it does before each step, and what is to be compared, in metres or what it says.
 * @typedef {object} Scene
 * @property {any} world
 * @property {number} [steps] default 120
 * @property {() => void} [before] each step
 * @property {() => number[]} observe
 */

const GRAVITY = { x: 0, y: -9.81, z: 0 }

/** @param {Rapier} RAPIER @param {number} [size] half, metres */
function worldWithGround(RAPIER, size = 30) {
  const world = new RAPIER.World(GRAVITY)
  const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed())
  world.createCollider(RAPIER.ColliderDesc.cuboid(size, 0.1, size), ground)
  return world
}

/** @param {Rapier} RAPIER @param {any} world @param {number} x @param {number} y @param {number} z */
function bodyAt(RAPIER, world, x, y, z) {
  return world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z))
}

/** @param {any[]} bodies */
const heightsOf = (bodies) => bodies.map((body) => body.translation().y)
/** @param {Vector} vector */
const numbers = ({ x, y, z }) => [x, y, z]

/** @type {Record<string, { tolerance: number, make: (RAPIER: Rapier) => Scene }>} */
const SCENES = {
  'pyramid: all boxes stay where they are': {
    tolerance: 0.03,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      /** @type {any[]} */
      const bodies = []
      for (let i = 0; i < 6; i++) {
        for (let j = i; j < 6; j++) {
          const body = bodyAt(RAPIER, world, i / 2 + (j - i) - 3, 0.6 + i, 0)
          world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), body)
          bodies.push(body)
        }
      }
      return { world, observe: () => heightsOf(bodies) }
    },
  },
  'keva tower: planks lie on each other': {
    tolerance: 0.05,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      const half = { x: 0.1, y: 0.5, z: 2 }
      /** @type {any[]} */
      const bodies = []
      for (let layer = 0; layer < 4; layer++) {
        const y = 0.1 + layer * (2 * half.x + 2 * half.y)
        for (const k of [-1.5, 0, 1.5]) {
          const isAcross = layer % 2 === 1
          const upright = isAcross ? [half.z, half.y, half.x] : [half.x, half.y, half.z]
          const body = bodyAt(RAPIER, world, isAcross ? 0 : k, y + half.y, isAcross ? k : 0)
          world.createCollider(RAPIER.ColliderDesc.cuboid(...upright), body)
          bodies.push(body)
        }
        const floor = bodyAt(RAPIER, world, 0, y + 2 * half.y + half.x, 0)
        world.createCollider(RAPIER.ColliderDesc.cuboid(2, half.x, 2), floor)
        bodies.push(floor)
      }
      return { world, observe: () => heightsOf(bodies) }
    },
  },
  'joints: a net of balls hangs from its corners': {
    tolerance: 0.3,
    make(RAPIER) {
      const world = new RAPIER.World(GRAVITY)
      const [rows, columns] = [4, 4]
      /** @type {any[]} */
      const bodies = []
      for (let k = 0; k < columns; k++) {
        for (let i = 0; i < rows; i++) {
          const isFixed = i === 0 && (k === 0 || k === columns - 1)
          const desc = isFixed ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic()
          desc.setTranslation(k, 0, i).setLinearDamping(1)
          const child = world.createRigidBody(desc)
          world.createCollider(RAPIER.ColliderDesc.ball(0.4), child)
          const link = (/** @type {any} */ parent, /** @type {Vector} */ anchor) =>
            world.createImpulseJoint(
              RAPIER.JointData.spherical(anchor, { x: 0, y: 0, z: 0 }),
              ...[parent, child, true],
            )
          if (i > 0) link(bodies.at(-1), { x: 0, y: 0, z: 1 })
          if (k > 0) link(bodies[bodies.length - rows], { x: 1, y: 0, z: 0 })
          bodies.push(child)
        }
      }
      return { world, steps: 600, observe: () => heightsOf(bodies) }
    },
  },
  'joints: sliders, hinges and fixed ones': {
    tolerance: 0.1,
    make(RAPIER) {
      const world = new RAPIER.World(GRAVITY)
      const zero = { x: 0, y: 0, z: 0 }
      const none = { x: 0, y: 0, z: 0, w: 1 }
      const tails = ['prismatic', 'revolute', 'fixed', 'rope', 'spring'].map((kind, i) => {
        const anchor = world.createRigidBody(
          RAPIER.RigidBodyDesc.fixed().setTranslation(3 * i, 9, 0),
        )
        const body = world.createRigidBody(
          RAPIER.RigidBodyDesc.dynamic()
            .setTranslation(3 * i, 8, 0)
            .setLinearDamping(2),
        )
        world.createCollider(RAPIER.ColliderDesc.cuboid(0.2, 0.4, 0.2), body)
        const below = { x: 0, y: 1, z: 0 }
        /** @type {Record<string, () => any>} */
        const makers = {
          prismatic: () => {
            const params = RAPIER.JointData.prismatic(zero, below, { x: 0, y: 1, z: 0 })
            params.limitsEnabled = true
            params.limits = [-1.5, 1.5]
            return params
          },
          revolute: () =>
            RAPIER.JointData.revolute(zero, { x: -1, y: 0, z: 0 }, { x: 0, y: 0, z: 1 }),
          fixed: () => RAPIER.JointData.fixed(zero, none, below, none),
          rope: () => RAPIER.JointData.rope(2, zero, zero),
          spring: () => RAPIER.JointData.spring(1, 10, 1, zero, zero),
        }
        const joint = world.createImpulseJoint(makers[kind](), anchor, body, true)
        assert.ok(joint.isValid() && joint.body2().handle === body.handle)
        return body
      })
      return { world, steps: 900, observe: () => heightsOf(tails) }
    },
  },
  'motors: a hinge turns at its speed, and to its angle': {
    tolerance: 0.05,
    make(RAPIER) {
      const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
      const zero = { x: 0, y: 0, z: 0 }
      const make = (/** @type {number} */ x) => {
        const base = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(x, 0, 0))
        const body = bodyAt(RAPIER, world, x, 0, 0)
        world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), body)
        const params = RAPIER.JointData.revolute(zero, zero, { x: 0, y: 1, z: 0 })
        return { body, joint: world.createImpulseJoint(params, base, body, true) }
      }
      const [spinner, pointer] = [make(0), make(5)]
      spinner.joint.configureMotorVelocity(2, 100)
      pointer.joint.configureMotorPosition(1, 100, 20)
      return {
        world,
        steps: 240,
        observe: () => [spinner.body.angvel().y, 2 * Math.asin(pointer.body.rotation().y)],
      }
    },
  },
  'heightfield: things of all kinds come to lie on it': {
    tolerance: 0.12,
    make(RAPIER) {
      const world = new RAPIER.World(GRAVITY)
      const [rows, columns] = [8, 6]
      const heights = Float32Array.from({ length: (rows + 1) * (columns + 1) }, (_, at) => {
        const [i, j] = [at % (rows + 1), Math.floor(at / (rows + 1))]
        return 0.2 * i + 0.1 * (j % 2)
      })
      const field = RAPIER.ColliderDesc.heightfield(rows, columns, heights, { x: 60, y: 1, z: 80 })
      world.createCollider(field, world.createRigidBody(RAPIER.RigidBodyDesc.fixed()))
      const { ColliderDesc } = RAPIER
      const bodies = [
        ColliderDesc.cuboid(0.5, 0.5, 0.5),
        ColliderDesc.roundCuboid(0.4, 0.4, 0.4, 0.1),
        ColliderDesc.roundCylinder(0.3, 0.5, 0.1),
        ColliderDesc.cylinder(0.4, 0.5),
        ColliderDesc.convexHull(new Float32Array([0, 1, 0, 1, -1, 1, -1, -1, 1, 0, -1, -1])),
        ColliderDesc.roundConvexHull(new Float32Array([0, 1, 0, 1, 0, 1, -1, 0, 1, 0, 0, -1]), 0.1),
      ].map((desc, i) => {
        const body = bodyAt(RAPIER, world, 4 * i - 10, 3, 2)
        world.createCollider(desc.setFriction(1), body)
        body.setLinearDamping(0.5)
        return body
      })
      return { world, steps: 300, observe: () => heightsOf(bodies) }
    },
  },
  'trimesh: balls roll into the valley of a mesh': {
    tolerance: 0.15,
    make(RAPIER) {
      const world = new RAPIER.World(GRAVITY)
      const vertices = new Float32Array([-9, 3, -9, -9, 3, 9, 0, 0, -9, 0, 0, 9, 9, 3, -9, 9, 3, 9])
      const indices = new Uint32Array([0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5])
      const mesh = RAPIER.ColliderDesc.trimesh(vertices, indices)
      world.createCollider(mesh, world.createRigidBody(RAPIER.RigidBodyDesc.fixed()))
      const balls = [-6, 5].map((x, i) => {
        const ball = bodyAt(RAPIER, world, x, 4, 3 * i)
        world.createCollider(RAPIER.ColliderDesc.ball(0.5), ball)
        ball.setLinearDamping(0.8)
        ball.setAngularDamping(0.8)
        return ball
      })
      return {
        world,
        steps: 900,
        observe: () => balls.flatMap((ball) => [ball.translation().x, ball.translation().y]),
      }
    },
  },
  'ccd: fast balls do not pass a thin wall': {
    tolerance: 0.5,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      const wall = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, 3, 0))
      world.createCollider(RAPIER.ColliderDesc.cuboid(0.02, 3, 3), wall)
      const balls = [-1, 0, 1].map((z) => {
        const desc = RAPIER.RigidBodyDesc.dynamic()
        desc.setTranslation(-5, 2, z).setLinvel(400, 0, 0).setCcdEnabled(true)
        const ball = world.createRigidBody(desc)
        world.createCollider(RAPIER.ColliderDesc.ball(0.1).setDensity(10), ball)
        return ball
      })
      return {
        world,
        steps: 3,
        observe: () => balls.map((ball) => Math.sign(ball.translation().x)),
      }
    },
  },
  'character controller: it goes up a step and along a wall': {
    tolerance: 0.25,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      const fixed = (/** @type {number[]} */ half, /** @type {number[]} */ at) => {
        const body = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(...at))
        world.createCollider(RAPIER.ColliderDesc.cuboid(...half), body)
      }
      fixed([1, 0.2, 9], [3, 0.2, 0])
      fixed([0.5, 3, 9], [6, 3, 0])
      const desc = RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 1.12, 0)
      const character = world.createRigidBody(desc)
      const collider = world.createCollider(RAPIER.ColliderDesc.cylinder(0.9, 0.4), character)
      const controller = world.createCharacterController(0.02)
      controller.enableAutostep(0.7, 0.3, true)
      controller.enableSnapToGround(0.7)
      return {
        world,
        steps: 240,
        before() {
          controller.computeColliderMovement(collider, { x: 0.05, y: -0.1, z: 0.01 })
          const { x, y, z } = controller.computedMovement()
          const at = character.translation()
          character.setNextKinematicTranslation({ x: at.x + x, y: at.y + y, z: at.z + z })
        },
        // How far it slides along the wall differs: Rapier loses some of the way there.
        observe() {
          const { x, y, z } = character.translation()
          return [x, y, Number(z > 1), Number(controller.computedGrounded())]
        },
      }
    },
  },
  'pid controller: a body goes where it is wanted, and turns there': {
    tolerance: 0.02,
    make(RAPIER) {
      const world = new RAPIER.World(GRAVITY)
      const body = bodyAt(RAPIER, world, 0, 2, 0)
      world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.2, 0.3), body)
      // Rapier's integrals of places and of turns mix where both are corrected, so here they are not used together.
      const controller = world.createPidController(20, 0, 0.5, RAPIER.PidAxesMask.All)
      const other = bodyAt(RAPIER, world, 5, 2, 0)
      world.createCollider(RAPIER.ColliderDesc.ball(0.5), other)
      const second = world.createPidController(20, 2, 0.5, RAPIER.PidAxesMask.AllLin)
      const zero = { x: 0, y: 0, z: 0 }
      const turn = { x: 0, y: Math.sin(0.5), z: 0, w: Math.cos(0.5) }
      return {
        world,
        steps: 30,
        before() {
          controller.applyLinearCorrection(body, { x: 1, y: 3, z: -1 }, zero)
          controller.applyAngularCorrection(body, turn, zero)
          second.applyLinearCorrection(other, { x: 4, y: 3, z: 0 }, zero)
        },
        observe: () => [
          ...[...numbers(body.translation()), body.rotation().y],
          ...numbers(other.translation()),
        ],
      }
    },
  },
  'locked rotations: what is locked stays, what is free turns': {
    tolerance: 0.05,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      const rod = world.createRigidBody(
        RAPIER.RigidBodyDesc.dynamic()
          .setTranslation(0, 3, 0)
          .lockTranslations()
          .enabledRotations(true, false, false),
      )
      world.createCollider(RAPIER.ColliderDesc.cuboid(0.2, 0.6, 2), rod)
      rod.applyTorqueImpulse({ x: 3, y: 3, z: 3 }, true)
      const post = world.createRigidBody(
        RAPIER.RigidBodyDesc.dynamic().setTranslation(5, 5, 0).lockRotations(),
      )
      world.createCollider(RAPIER.ColliderDesc.capsule(0.6, 0.4), post)
      return {
        world,
        observe: () => [
          ...numbers(rod.translation()),
          ...numbers(rod.angvel()),
          post.translation().y,
        ],
      }
    },
  },
  'collision groups: each falls through the floor of the others': {
    tolerance: 0.02,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      const [green, blue] = [0x00010001, 0x00020002]
      const floor = (/** @type {number} */ y, /** @type {number} */ groups) =>
        world.createCollider(
          RAPIER.ColliderDesc.cuboid(5, 0.1, 5).setTranslation(0, y, 0).setCollisionGroups(groups),
        )
      floor(1, green)
      floor(2, blue)
      const bodies = [green, blue, green, blue].map((groups, i) => {
        const body = bodyAt(RAPIER, world, 2 * i - 3, 4, 0)
        const desc = RAPIER.ColliderDesc.cuboid(0.3, 0.3, 0.3).setCollisionGroups(groups)
        world.createCollider(desc, body)
        return body
      })
      return { world, steps: 180, observe: () => heightsOf(bodies) }
    },
  },
  'fountain: bodies come and go': {
    tolerance: 0,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      /** @type {any[]} */
      const bodies = []
      let step = 0
      return {
        world,
        before() {
          if (step++ % 5 > 0) return
          const desc = RAPIER.RigidBodyDesc.dynamic()
            .setTranslation(0, 5, 0)
            .setLinvel(0, 9, step / 60)
          const body = world.createRigidBody(desc)
          const kinds = [
            RAPIER.ColliderDesc.cuboid(0.3, 0.3, 0.3),
            RAPIER.ColliderDesc.ball(0.3),
            RAPIER.ColliderDesc.cone(0.4, 0.3),
          ]
          world.createCollider(kinds[bodies.length % 3], body)
          bodies.push(body)
          if (bodies.length > 10) world.removeRigidBody(bodies.shift())
        },
        observe() {
          let counted = 0
          world.forEachRigidBody(() => counted++)
          const handle = bodies[3].handle
          return [counted, world.bodies.len(), Number(world.getRigidBody(handle).isValid())]
        },
      }
    },
  },
  'damping: the more of it the slower': {
    tolerance: 0.02,
    make(RAPIER) {
      const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
      const bodies = [0, 1, 2, 3].map((i) => {
        const desc = RAPIER.RigidBodyDesc.dynamic()
        desc
          .setTranslation(3 * i, 0, 0)
          .setLinvel(0, 10, 0)
          .setAngvel({ x: 0, y: 5, z: 0 })
        desc.setLinearDamping(i).setAngularDamping(2 * i)
        const body = world.createRigidBody(desc)
        world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), body)
        return body
      })
      const observe = () => bodies.flatMap((body) => [body.linvel().y / 10, body.angvel().y / 5])
      return { world, steps: 60, observe }
    },
  },
  'platform: a kinematic body carries a box': {
    tolerance: 0.05,
    make(RAPIER) {
      const world = worldWithGround(RAPIER)
      const desc = RAPIER.RigidBodyDesc.kinematicVelocityBased().setTranslation(0, 1, 0)
      const platform = world.createRigidBody(desc)
      world.createCollider(RAPIER.ColliderDesc.cuboid(3, 0.2, 3), platform)
      const box = bodyAt(RAPIER, world, 0, 1.75, 0)
      world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5).setFriction(1), box)
      platform.setLinvel({ x: 1, y: 0.5, z: 0 }, true)
      return { world, observe: () => [...numbers(box.translation()), ...numbers(box.linvel())] }
    },
  },
  'masses: densities, masses, mass properties and what is added': {
    tolerance: 1e-3,
    make(RAPIER) {
      const world = new RAPIER.World(GRAVITY)
      const none = { x: 0, y: 0, z: 0, w: 1 }
      const { ColliderDesc, RigidBodyDesc } = RAPIER
      const cuboid = () => ColliderDesc.cuboid(0.5, 0.5, 0.5)
      const bodies = [
        [RigidBodyDesc.dynamic(), cuboid().setDensity(2)],
        [RigidBodyDesc.dynamic(), cuboid().setMass(5)],
        [RigidBodyDesc.dynamic().setAdditionalMass(3), cuboid()],
        [
          RigidBodyDesc.dynamic().setAdditionalMassProperties(
            ...[2, { x: 0, y: 1, z: 0 }, { x: 1, y: 1, z: 1 }, none],
          ),
          cuboid(),
        ],
      ].map(([desc, shape]) => {
        const body = world.createRigidBody(desc)
        world.createCollider(shape, body)
        return body
      })
      return {
        world,
        steps: 1,
        observe: () => bodies.flatMap((body) => [body.mass(), body.localCom().y]),
      }
    },
  },
}

/** @param {Scene} scene */
function run({ world, steps = 120, before: act, observe }) {
  for (let i = 0; i < steps; i++) {
    act?.()
    world.step()
  }
  const seen = observe()
  world.free()
  return seen
}

before(async () => {
  await Promise.all([MOREAU.init(), DIMFORGE.init()])
})

describe("scenes of Rapier's testbed", () => {
  for (const [name, { tolerance, make }] of Object.entries(SCENES)) {
    test(name, () => {
      const [theirs, ours] = [run(make(DIMFORGE)), run(make(MOREAU))]
      assert.equal(ours.length, theirs.length)
      ours.forEach((number, i) => {
        const text = `${number} is not ${theirs[i]}, place ${i} of ${ours}\n${theirs}`
        assert.ok(Math.abs(number - theirs[i]) <= tolerance, text)
      })
    })
  }
})

describe('what happens, and what is asked', () => {
  /**
   * Both modules' answers to the same questions.
   * @param {(RAPIER: Rapier) => unknown} ask
   */
  function same(ask) {
    const [theirs, ours] = [ask(DIMFORGE), ask(MOREAU)]
    assert.deepEqual(ours, theirs)
  }

  /** A ball above a sensor above the ground, and a box aside. @param {Rapier} RAPIER */
  function stage(RAPIER) {
    const world = worldWithGround(RAPIER)
    const { ColliderDesc, ActiveEvents } = RAPIER
    const ball = bodyAt(RAPIER, world, 0, 3, 0)
    const events = ActiveEvents.COLLISION_EVENTS | ActiveEvents.CONTACT_FORCE_EVENTS
    const ofBall = world.createCollider(ColliderDesc.ball(0.5).setActiveEvents(events), ball)
    const sensor = world.createCollider(
      ColliderDesc.cuboid(1, 0.2, 1).setTranslation(0, 1.8, 0).setSensor(true),
    )
    const box = world.createCollider(ColliderDesc.cuboid(1, 1, 1).setTranslation(5, 1.1, 0))
    return { world, ball, ofBall, sensor, box }
  }

  test('a queue has what begins and ends, of sensors too, and forces', () => {
    same((RAPIER) => {
      const { world, ofBall, sensor } = stage(RAPIER)
      const queue = new RAPIER.EventQueue(true)
      /** @type {string[]} */
      const told = []
      let strongest = 0
      for (let i = 0; i < 90; i++) {
        world.step(queue)
        queue.drainCollisionEvents(
          (/** @type {number} */ a, /** @type {number} */ b, /** @type {boolean} */ started) => {
            assert.ok([a, b].includes(ofBall.handle))
            told.push(`${[a, b].includes(sensor.handle) ? 'sensor' : 'ground'} ${started}`)
          },
        )
        queue.drainContactForceEvents((/** @type {any} */ event) => {
          strongest = Math.max(strongest, event.totalForceMagnitude())
        })
      }
      const isStrong = strongest > ofBall.mass() * 9.81
      world.free()
      return { told, isStrong }
    })
  })

  test('a world that nobody asks keeps no events', () => {
    const { world, ofBall } = stage(MOREAU)
    const queue = new MOREAU.EventQueue(false)
    for (let i = 0; i < 120; i++) world.step()
    world.step(queue)
    let count = 0
    queue.drainCollisionEvents(() => count++)
    assert.equal(count, 0)
    assert.ok(ofBall.isValid())
    world.free()
  })

  test('hooks decide who meets', () => {
    same((RAPIER) => {
      const { world, ball, ofBall } = stage(RAPIER)
      ofBall.setActiveHooks(RAPIER.ActiveHooks.FILTER_CONTACT_PAIRS)
      const pass = { filterContactPair: () => null, filterIntersectionPair: () => true }
      // Rapier asks its hooks only where there is a queue, too.
      const queue = new RAPIER.EventQueue(true)
      for (let i = 0; i < 90; i++) world.step(queue, pass)
      const isBelow = ball.translation().y < -1
      world.free()
      return isBelow
    })
  })

  test('rays, points and shapes find the same colliders', () => {
    same((RAPIER) => {
      const { world, ofBall, sensor, box } = stage(RAPIER)
      world.step()
      const names = new Map([
        [ofBall.handle, 'ball'],
        [sensor.handle, 'sensor'],
        [box.handle, 'box'],
      ])
      const nameOf = (/** @type {any} */ collider) =>
        collider && (names.get(collider.handle) ?? 'ground')
      const listOf = (/** @type {(tell: (one: any) => boolean) => void} */ ask) => {
        /** @type {string[]} */
        const found = []
        ask((one) => found.push(nameOf(one.collider ?? one)) > 0)
        return found.sort()
      }
      const none = { x: 0, y: 0, z: 0, w: 1 }
      const down = new RAPIER.Ray({ x: 0, y: 9, z: 0 }, { x: 0, y: -2, z: 0 })
      const at = { x: 4, y: 1, z: 0 }
      const ball = new RAPIER.Ball(0.5)
      const { EXCLUDE_SENSORS } = RAPIER.QueryFilterFlags
      const hit = world.castRay(down, 100, true)
      const cast = world.castShape(
        { x: 0, y: 1, z: 0 },
        none,
        { x: 2, y: 0, z: 0 },
        ball,
        0,
        10,
        true,
        EXCLUDE_SENSORS,
      )
      const near = world.projectPoint({ x: 5, y: 2.5, z: 0 }, true)
      const round = (/** @type {number} */ x) => Math.round(x * 1000) / 1000 + 0
      const answer = {
        first: [nameOf(hit.collider), round(hit.timeOfImpact)],
        all: listOf((tell) => world.intersectionsWithRay(down, 100, true, tell)),
        solid: listOf((tell) => world.intersectionsWithRay(down, 100, true, tell, EXCLUDE_SENSORS)),
        shape: listOf((tell) => world.intersectionsWithShape(at, none, ball, tell)),
        one: nameOf(world.intersectionWithShape(at, none, new RAPIER.Cuboid(0.2, 0.2, 0.2))),
        point: listOf((tell) => world.intersectionsWithPoint(at, tell)),
        cast: [nameOf(cast.collider), round(cast.time_of_impact)],
        near: [nameOf(near.collider), ...numbers(near.point).map(round), near.isInside],
      }
      world.free()
      return answer
    })
  })

  test('pairs and manifolds of what lies', () => {
    same((RAPIER) => {
      const { world, ball, ofBall, sensor, box } = stage(RAPIER)
      for (let i = 0; i < 180; i++) world.step()
      /** @type {any[]} */
      const touched = []
      world.contactPairsWith(ofBall, (/** @type {any} */ other) => touched.push(other.handle))
      let normal = [0]
      world.getCollider(touched[0])
      world.contactPair(
        world.getCollider(touched[0]),
        ofBall,
        (/** @type {any} */ manifold, /** @type {boolean} */ flipped) => {
          normal = numbers(manifold.normal()).map((x) => Math.round(x) * (flipped ? -1 : 1) + 0)
        },
      )
      const lies = Math.abs(ball.translation().y - 0.6) < 0.02
      const pairs = [world.intersectionPair(ofBall, sensor), touched.includes(box.handle)]
      world.free()
      return { count: touched.length, normal, lies, pairs }
    })
  })

  test('colliders know their shapes', () => {
    same((RAPIER) => {
      const world = new RAPIER.World(GRAVITY)
      const { ColliderDesc } = RAPIER
      const tetrahedron = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
      const made = [
        ColliderDesc.ball(1),
        ColliderDesc.cuboid(1, 2, 3),
        ColliderDesc.roundCuboid(1, 2, 3, 0.25),
        ColliderDesc.capsule(2, 1),
        ColliderDesc.roundCylinder(2, 1, 0.125),
        ColliderDesc.cone(2, 1),
        ColliderDesc.convexHull(tetrahedron),
        ColliderDesc.trimesh(tetrahedron, new Uint32Array([0, 2, 1, 0, 1, 3])),
        new ColliderDesc(new RAPIER.HalfSpace({ x: 0, y: 1, z: 0 })),
      ].map((desc) => world.createCollider(desc))
      made[0].setRadius(2)
      made[1].setHalfExtents({ x: 3, y: 2, z: 1 })
      const types = made.map((one) => [one.shapeType(), one.shape.type])
      const { x, y, z } = made[1].halfExtents()
      const sizes = [made[0].radius(), x, y, z, made[3].halfHeight(), made[4].roundRadius()]
      const mesh = [made[7].vertices().length, made[7].indices().length]
      world.free()
      return { types, sizes, mesh }
    })
  })
})

describe('manners', () => {
  test('gravity may be set by its members', () => {
    const world = new World(GRAVITY)
    world.gravity.y = -20
    assert.deepEqual({ ...world.gravity }, { x: 0, y: -20, z: 0 })
    world.gravity = { x: 1, y: 2, z: 3 }
    assert.deepEqual([...world.raw.gravity], [1, 2, 3])
    world.free()
  })

  test('what there is not throws, and names what to use', () => {
    const world = new World(GRAVITY)
    const refused = [
      [() => /** @type {any} */ (world).createMultibodyJoint(), /createImpulseJoint/],
      [() => /** @type {any} */ (MOREAU.ColliderDesc).voxels(), /cuboids/],
      [() => /** @type {any} */ (MOREAU.JointData).generic(), /createJoint/],
      [() => /** @type {any} */ (World).restoreSnapshot(), /raw\.restore/],
      [() => (world.lengthUnit = 100), /linearSlop/],
    ]
    for (const [call, way] of /** @type {[() => void, RegExp][]} */ (refused)) {
      assert.throws(call, (/** @type {any} */ error) => {
        assert.equal(error.code, 'not-supported')
        assert.match(error.message, way)
        return true
      })
    }
    world.free()
  })

  test('it is required as well as imported, and beside moreau/slim', () => {
    for (const name of ['moreau/rapier', 'moreau/slim/rapier']) {
      const code = `const R = require('${name}'); R.default.init().then(() => console.log(typeof new R.World({ x: 0, y: 0, z: 0 }).step))`
      const text = execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' })
      assert.equal(text.trim(), 'function')
    }
  })
})
