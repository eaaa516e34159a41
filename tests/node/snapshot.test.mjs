/**
 * Snapshots: a world that is restored steps as it did, to the bit, and its objects are the same again.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'
import { WORLD_OPTIONS } from '../../bindings/schema/world-options.mjs'
import { refused } from './support.mjs'

/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {import('moreau').Body} Body */

const DT = 1 / 60
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.25, 0.25] })
const floor = /** @type {const} */ ({ type: 'static', shape: { type: 'plane' } })

before(() => init())

/** @param {World} world @param {number} count */
function run(world, count) {
  for (let i = 0; i < count; i++) world.step(DT)
  return world.hash()
}

/** A floor of triangles, 12 m wide, slightly bumpy. */
function meshFloor() {
  const [count, size] = [8, 1.5]
  const vertices = []
  const indices = []
  for (let i = 0; i <= count; i++) {
    for (let k = 0; k <= count; k++) {
      vertices.push((i - count / 2) * size, 0.05 * ((i * k) % 3), (k - count / 2) * size)
    }
  }
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < count; k++) {
      const a = i * (count + 1) + k
      indices.push(a, a + 1, a + count + 1, a + 1, a + count + 2, a + count + 1)
    }
  }
  return { type: /** @type {const} */ ('mesh'), vertices, indices }
}

/**
 * The pile of A137: boxes, cylinders, cones, a mesh floor, a sensor, two motors, a rope, a kinematic body.
 * @param {WorldOptions} options
 */
function pile(options) {
  const world = new World(options)
  world.createBody({ type: 'static', shape: meshFloor(), userData: 'floor' })
  const shapes = [
    cube,
    { type: 'cylinder', radius: 0.2, halfHeight: 0.25 },
    { type: 'cone', radius: 0.25, halfHeight: 0.25 },
  ]
  for (let i = 0; i < 50; i++) {
    world.createBody({
      shape: /** @type {any} */ (shapes[i % 3]),
      position: [0.6 * ((i % 4) - 1.5), 0.6 + 0.55 * Math.floor(i / 8), 0.7 * ((i >> 2) % 2)],
      userData: `body ${i}`,
    })
  }
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [1, 1, 1], sensor: true },
    position: [0, 1, 0],
  })
  const lift = world.createBody({ type: 'kinematic', shape: cube, position: [3, 1, 0] })
  lift.moveTo({ position: [3, 2, 1] }, 4)
  motors(world)
  return world
}

/** @param {World} world two wheels that turn, and a ball on a rope */
function motors(world) {
  for (const x of [-4, 4]) {
    const wheel = world.createBody({ shape: cube, position: [x, 2, 2] })
    const motor = { targetVelocity: 2, maxForce: 5 }
    world.createJoint({ type: 'hinge', bodyA: wheel, anchor: [x, 2, 2], axis: [0, 0, 1], motor })
  }
  const ball = world.createBody({ shape: { type: 'sphere', radius: 0.2 }, position: [-3, 1.5, -2] })
  world.createJoint({
    type: 'rope',
    bodyA: ball,
    anchorA: [-3, 1.5, -2],
    anchorB: [-3, 3, -2.5],
    length: 1.6,
  })
}

describe('A137: a world that was restored', () => {
  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact', 'auto'])) {
    test(`steps on with the same bits: ${solver}`, () => {
      const world = pile({ solver })
      run(world, 100)
      const bytes = world.snapshot()
      const start = world.hash()
      const end = run(world, 100)
      for (let i = 0; i < 4; i++) {
        world.restore(bytes)
        assert.equal(world.hash(), start)
        assert.deepEqual(world.snapshot(), bytes)
        assert.equal(run(world, 100), end)
      }
      const other = new World({ gravity: [0, 0, 0] })
      other.createBody({ shape: cube })
      other.restore(bytes)
      assert.equal(other.hash(), start)
      assert.deepEqual(other.snapshot(), bytes)
      assert.equal(run(other, 100), end)
      world.free()
      other.free()
    })
  }

  test('in another process', () => {
    const world = pile({})
    run(world, 60)
    const bytes = world.snapshot()
    const program = `
      import { readFileSync } from 'node:fs'
      import { World } from 'moreau'
      const world = await World.create()
      world.restore(readFileSync(0))
      for (let i = 0; i < 40; i++) world.step(1 / 60)
      process.stdout.write(world.hash())`
    const options = { input: bytes, encoding: /** @type {const} */ ('utf8') }
    const hash = execFileSync(process.execPath, ['--input-type=module', '-e', program], options)
    assert.equal(hash, run(world, 40))
    world.free()
  })

  test('in moreau/threads', async () => {
    const threads = await import('moreau/threads')
    await threads.init({ threads: 2 })
    const world = pile({})
    run(world, 60)
    const other = new threads.World()
    other.restore(world.snapshot())
    for (let i = 0; i < 40; i++) other.step(DT)
    assert.equal(other.hash(), run(world, 40))
    world.free()
    other.free()
  })

  test('goes on with impulses that no single-precision number holds', () => {
    const world = new World({ warnings: false })
    const joint = /** @type {const} */ ({ type: 'hinge', limits: [0, 2] })
    world.createRagdoll({
      bones: [
        { name: 'hip', shape: { type: 'box', halfExtents: [0.2, 0.1, 0.1] } },
        {
          name: 'thigh',
          parent: 'hip',
          length: 0.4,
          radius: 0.1,
          joint: { type: 'ball', cone: 1 },
        },
        { name: 'shin', parent: 'thigh', length: 0.4, radius: 0.1, joint },
      ],
      position: [0, 3, 2],
    })
    world.createPotential({ type: 'pointGravity', mu: 1e39, center: [-1.38, 0.1, -0.85] })
    for (let i = 0; i < 4; i++) {
      const bytes = world.snapshot()
      const end = run(world, 1)
      world.restore(bytes)
      assert.equal(run(world, 1), end, `step ${i}`)
    }
    world.free()
  })

  test('gives the next body the id that it had', () => {
    const world = pile({})
    const bytes = world.snapshot()
    const { id } = world.createBody({ shape: cube })
    world.restore(bytes)
    assert.equal(world.createBody({ shape: cube }).id, id)
    world.free()
  })

  test('without bodies', () => {
    const world = new World()
    const bytes = world.snapshot()
    const start = world.hash()
    motors(world)
    run(world, 3)
    world.restore(bytes)
    assert.equal(world.hash(), start)
    assert.deepEqual([world.bodies, world.joints], [[], []])
    world.free()
  })

  test('has the settings and the time of the snapshot', () => {
    const world = new World({ gravity: [0, -1, 0] })
    run(world, 5)
    const { time } = world
    const bytes = world.snapshot()
    world.gravity = [0, 2, 0]
    run(world, 5)
    world.restore(bytes)
    assert.deepEqual([...world.gravity, world.time], [0, -1, 0, time])
    world.free()
  })

  test('has the settings on which no motion depends, in another world too', () => {
    const others = WORLD_OPTIONS.filter(({ state, member }) => state === false && member !== false)
    assert.ok(others.length >= 3)
    for (const { name, default: preset } of others) {
      const value = typeof preset === 'number' ? preset + 2 : !preset
      const read = (/** @type {any} */ of) => of[name]
      const world = new World({ [name]: value })
      const bytes = world.snapshot()
      const other = new World()
      assert.equal(other.hash(), world.hash(), name)
      other.restore(bytes)
      assert.equal(read(other), value, name)
      Object.assign(world, { [name]: preset })
      assert.equal(read(world), preset, name)
      world.restore(bytes)
      assert.equal(read(world), value, name)
      for (const each of [world, other]) each.free()
    }
  })
})

describe('objects of a world that was restored', () => {
  test('are the same again, with what the user gave them', () => {
    const world = pile({})
    run(world, 20)
    const bytes = world.snapshot()
    const [bodies, joints] = [world.bodies, world.joints]
    const [body, joint] = [bodies[7], joints[2]]
    const { position, shapes } = body
    joint.userData = 'rope'
    body.shape = { type: 'sphere', radius: 0.3 }
    body.destroy()
    joint.destroy()
    world.createBody({ shape: cube })
    run(world, 20)
    world.restore(bytes)
    assert.deepEqual([...world.bodies], [...bodies])
    assert.deepEqual([...world.joints], [...joints])
    assert.ok(body.isAlive && joint.isAlive)
    assert.deepEqual([body.userData, joint.userData], ['body 6', 'rope'])
    assert.deepEqual(body.position, position)
    assert.deepEqual(
      body.shapes.map((shape) => shape.type),
      shapes.map((shape) => shape.type),
    )
    assert.equal(world.bodyById(body.id), body)
    world.free()
  })

  test('are stale if they are newer', () => {
    const world = new World()
    const first = world.createBody({ shape: cube })
    const bytes = world.snapshot()
    const second = world.createBody({ shape: cube, position: [0, 2, 0] })
    const rope = world.createJoint({ type: 'rope', bodyA: first, bodyB: second, length: 3 })
    const field = world.createPotential({ type: 'gravity', gravity: [1, 0, 0] })
    world.restore(bytes)
    assert.deepEqual([second.isAlive, rope.isAlive, field.isAlive], [false, false, false])
    refused(() => second.position, 'stale-handle')
    refused(() => rope.impulse(), 'stale-handle')
    assert.deepEqual([world.bodies, world.joints, world.potentials], [[first], [], []])
    world.free()
  })

  /** A body, a rope to it and a field. @param {World} world @param {Body} first @param {number} height */
  function addThree(world, first, height) {
    const body = world.createBody({ shape: cube, position: [0, height, 0] })
    const rope = world.createJoint({ type: 'rope', bodyA: first, bodyB: body, length: 3 })
    return [body, rope, world.createPotential({ type: 'gravity', gravity: [1, 0, 0] })]
  }

  test('stay stale when their ids are given again', () => {
    const world = new World()
    const first = world.createBody({ shape: cube })
    const bytes = world.snapshot()
    const old = addThree(world, first, 2)
    const [body, rope, field] = /** @type {any[]} */ (old)
    world.restore(bytes)
    const others = addThree(world, first, 4)
    assert.deepEqual(
      old.map(({ id }) => id),
      others.map(({ id }) => id),
    )
    assert.deepEqual(
      [...old, ...others].map(({ isAlive }) => isAlive),
      [false, false, false, true, true, true],
    )
    const joint = { type: 'ball', bodyA: first, bodyB: body, anchor: [0, 0, 0] }
    for (const use of [
      () => body.position,
      () => body.speed,
      () => body.mass,
      () => body.applyForce([1, 0, 0]),
      () => (body.position = [1, 2, 3]),
      () => body.destroy(),
      () => rope.impulse(),
      () => rope.destroy(),
      () => field.update({ gravity: [0, 0, 1] }),
      () => world.createJoint(/** @type {any} */ (joint)),
    ]) {
      refused(use, 'stale-handle')
    }
    assert.equal(world.bodyById(body.id), others[0])
    assert.equal(world.bodies[1].position[1], 4)
    world.free()
  })

  test('live in snapshots of their own timeline and in no others', () => {
    const world = new World()
    const first = world.createBody({ shape: cube })
    const start = world.snapshot()
    const timelines = [2, 4, 6].map((height) => {
      world.restore(start)
      const objects = addThree(world, first, height)
      run(world, 2)
      return { objects, bytes: world.snapshot(), hash: world.hash() }
    })
    for (const i of [0, 2, 1, 1, 0]) {
      const { objects, bytes, hash } = timelines[i]
      world.restore(bytes)
      assert.equal(world.hash(), hash)
      assert.deepEqual(world.snapshot(), bytes)
      assert.deepEqual(
        [world.bodies, world.joints, world.potentials],
        [[first, objects[0]], [objects[1]], [objects[2]]],
      )
      for (const [k, other] of timelines.entries()) {
        assert.deepEqual(
          other.objects.map(({ isAlive }) => isAlive),
          [k === i, k === i, k === i],
        )
      }
    }
    world.free()
  })

  test('are the same in a world that was built alike', () => {
    const [server, client] = [new World(), new World()]
    const bodies = [server, client].map((world) => addThree(world, world.createBody(floor), 2)[0])
    run(server, 5)
    client.restore(server.snapshot())
    assert.equal(client.bodies[1], bodies[1])
    const guess = client.createBody({ shape: cube, position: [0, 9, 0] }) // by the client alone
    const extra = server.createBody({ shape: cube, position: [0, 5, 0] })
    assert.equal(guess.id, extra.id)
    client.restore(server.snapshot())
    assert.deepEqual([guess.isAlive, client.bodies[2].id], [false, extra.id])
    const known = client.bodies[2]
    run(server, 5)
    client.restore(server.snapshot())
    assert.equal(client.bodies[2], known)
    server.free()
    client.free()
  })

  test('have their contacts', () => {
    const world = new World()
    const ground = world.createBody(floor)
    const box = world.createBody({ shape: cube, position: [0, 0.25, 0] })
    run(world, 10)
    const bytes = world.snapshot()
    const old = box.contacts()
    box.position = [0, 5, 0]
    run(world, 2)
    world.restore(bytes)
    const after = box.contacts()
    assert.ok(old.length > 0)
    assert.equal(after[0].other, ground)
    assert.deepEqual(after.map(pointsOf), old.map(pointsOf))
    world.free()
  })

  test('have what a potential had', () => {
    const world = new World()
    const field = world.createPotential({ type: 'gravity', gravity: [1, 0, 0] })
    const bytes = world.snapshot()
    field.update({ gravity: [3, 0, 0] })
    const written = world.toJSON()
    world.restore(bytes)
    assert.notDeepEqual(world.toJSON(), written)
    field.destroy()
    world.restore(bytes)
    assert.deepEqual(world.potentials, [field])
    world.free()
  })

  test('are made in a world that does not know them, of their own kinds', () => {
    const world = pile({})
    const copy = new World()
    copy.restore(world.snapshot())
    assert.equal(copy.bodies.length, world.bodies.length)
    assert.deepEqual(
      copy.joints.map(({ type, bodyA }) => [type, bodyA?.id]),
      world.joints.map(({ type, bodyA }) => [type, bodyA?.id]),
    )
    assert.deepEqual(
      copy.bodies.map((body) => body.shapes.map(({ type }) => type)),
      world.bodies.map((body) => body.shapes.map(({ type }) => type)),
    )
    assert.deepEqual(withoutUserData(copy), withoutUserData(world))
    assert.equal(copy.bodies[3].userData, undefined)
    world.free()
    copy.free()
  })

  test('that have an id of the snapshot and are something else stay out', () => {
    const world = pile({})
    const other = new World()
    const [a, b] = [other.createBody({ shape: cube }), other.createBody({ shape: cube })]
    const ball = other.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [0, 0, 0] })
    assert.equal(ball.id, world.joints[0].id)
    other.restore(world.snapshot())
    assert.deepEqual([ball.isAlive, other.joints[0].type], [false, 'hinge'])
    world.free()
    other.free()
  })

  test('share shapes of the user, which stay theirs', () => {
    const world = new World()
    const shape = createShape({ type: 'sphere', radius: 0.5 })
    const body = world.createBody({ shape })
    const bytes = world.snapshot()
    body.destroy()
    world.restore(bytes)
    run(world, 3)
    world.free()
    shape.free()
    const again = new World()
    again.restore(bytes)
    assert.equal(again.bodies[0].shape?.radius, 0.5)
    again.free()
  })

  /** @param {import('moreau').BodyContact} contact */
  const pointsOf = ({ other, ...rest }) => ({ id: other.id, ...rest })

  /** @param {World} world */
  function withoutUserData(world) {
    const file = JSON.parse(JSON.stringify(world))
    for (const list of [file.bodies, file.constraints, file.joints]) {
      for (const one of list) delete one.userData
    }
    return file
  }
})

describe('vehicles and characters of a world that was restored', () => {
  /** A car on a plane, and somebody on a lift that turns. */
  function street() {
    const world = new World()
    world.createBody({ ...floor, friction: 1 })
    const hull = /** @type {const} */ ({ type: 'box', halfExtents: [2, 0.4, 0.9] })
    const chassis = world.createBody({ shape: hull, mass: 1200, position: [0, 0.8, 0] })
    const places = [1.4, -1.4].flatMap((x) => [-0.8, 0.8].map((z) => [x, -0.2, z]))
    const wheels = places.map((position) => ({ position: /** @type {any} */ (position) }))
    const car = world.createVehicle({ chassis, wheels })
    const lift = world.createBody({ type: 'kinematic', shape: hull, position: [0, 1, 9] })
    lift.linearVelocity = [0.3, 0.2, 0]
    lift.angularVelocity = [0, 0.5, 0]
    const capsule = /** @type {const} */ ({ type: 'capsule', radius: 0.3, halfHeight: 0.5 })
    const hero = world.createCharacter({ shape: capsule, position: [0.5, 2.3, 9] })
    return { world, car, hero }
  }

  /** @param {ReturnType<typeof street>} one @param {number} from @param {number} to steps */
  function drive({ world, car, hero }, from, to) {
    const [left, right] = car.wheels
    for (let i = from; i < to; i++) {
      if (i % 50 === 0) left.steering = right.steering = i % 100 === 0 ? 0.3 : -0.2
      if (i % 30 === 0) for (const wheel of car.wheels) wheel.engineForce = i < 150 ? 900 : 0
      if (i === 160) for (const wheel of car.wheels) wheel.brake = 40
      car.update(DT)
      hero.move([0.4 * DT, -2 * DT, 0], DT)
      world.step(DT)
    }
    return JSON.stringify([world.hash(), [...hero.state], car.wheels.map(readOut)])
  }

  /** @param {import('moreau').Wheel} wheel */
  const readOut = ({ ground, ...rest }) => ({ ...rest, ground: ground?.id })

  test('go on as they did, with all that they had', () => {
    const one = street()
    drive(one, 0, 65)
    const bytes = one.world.snapshot()
    const then = drive(one, 65, 65)
    const end = drive(one, 65, 220)
    one.car.wheels[0].friction = 0.1
    one.hero.stepHeight = 0.7
    one.hero.position = [5, 5, 5]
    assert.ok(one.hero.setShape({ type: 'sphere', radius: 0.3 }))
    one.world.restore(bytes)
    assert.equal(drive(one, 65, 65), then)
    assert.deepEqual([one.hero.stepHeight, one.hero.shape.type], [0.3, 'capsule'])
    assert.deepEqual(one.world.snapshot(), bytes)
    assert.equal(drive(one, 65, 220), end)
    one.world.free()
  })

  test('of a world that was built alike', () => {
    const [one, other] = [street(), street()]
    drive(one, 0, 65)
    drive(other, 0, 20)
    other.world.restore(one.world.snapshot())
    assert.equal(drive(other, 65, 220), drive(one, 65, 220))
    one.world.free()
    other.world.free()
  })

  test('that the snapshot does not have are left as they are, and it may have others', () => {
    const one = street()
    const bytes = one.world.snapshot()
    const later = one.world.createCharacter({ shape: cube, position: [3, 9, 3] })
    one.world.restore(bytes)
    assert.deepEqual(later.position, [3, 9, 3])
    one.hero.destroy()
    one.world.restore(bytes)
    const empty = new World()
    empty.restore(bytes)
    assert.equal(empty.hash(), one.world.hash())
    one.world.free()
    empty.free()
  })

  test('are bytes that are checked', () => {
    const one = street()
    drive(one, 0, 3)
    const bytes = one.world.snapshot()
    const count = new DataView(bytes.buffer).getUint32(24, true)
    assert.ok(count > 1000)
    for (let at = bytes.length - count; at < bytes.length; at += 3) {
      bytes[at] ^= 1 << (at % 8)
      refused(() => one.world.restore(bytes), 'bad-snapshot', /vehicles and characters/)
      bytes[at] ^= 1 << (at % 8)
    }
    one.car.wheels[1].brake = /** @type {any} */ ('hard')
    refused(() => one.world.snapshot(), 'invalid-argument', /snapshot: wheels\[1\]\.brake/)
    one.world.free()
  })
})

describe('A138: bytes that are no snapshot', () => {
  const world = () => {
    const one = pile({})
    run(one, 20)
    return one
  }

  test('cut at 200 places', () => {
    const one = world()
    const bytes = one.snapshot()
    const hash = one.hash()
    for (let i = 0; i < 200; i++) {
      const end = Math.floor((bytes.length * i) / 200)
      refused(() => one.restore(bytes.subarray(0, end)), 'bad-snapshot')
    }
    assert.equal(one.hash(), hash)
    one.restore(bytes)
    one.free()
  })

  for (const [where, make] of /** @type {const} */ ([
    ['in the same world', (/** @type {World} */ one) => one],
    ['in another world', () => new World()],
  ])) {
    test(`with one bit flipped at 1000 places, ${where}`, () => {
      const one = world()
      const bytes = one.snapshot()
      const other = make(one)
      const hash = other.hash()
      const count = 1000
      for (let i = 0; i < count; i++) {
        const at = Math.floor(((bytes.length - 1) * i) / (count - 1))
        bytes[at] ^= 1 << (i % 8)
        refused(() => other.restore(bytes), 'bad-snapshot')
        bytes[at] ^= 1 << (i % 8)
      }
      assert.equal(other.hash(), hash)
      other.restore(bytes)
      assert.equal(other.hash(), one.hash())
      one.free()
      other.free()
    })
  }

  test('damaged in 10,000 ways: none is accepted, and nothing traps', () => {
    const one = fewBodies()
    const bytes = one.snapshot()
    const hash = one.hash()
    let random = 1
    const choose = (/** @type {number} */ below) => {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0
      return Math.floor((random / 2 ** 32) * below)
    }
    for (let i = 0; i < 10000; i++) {
      refused(() => one.restore(damaged(bytes, choose)), 'bad-snapshot')
    }
    assert.equal(one.hash(), hash)
    one.restore(bytes)
    run(one, 2)
    one.free()
  })

  /** A few bodies of several kinds, so that 10,000 readings take seconds. */
  function fewBodies() {
    const one = new World()
    one.createBody(floor)
    const sizes = [0.2, 0.25, 0.3]
    for (const [i, radius] of sizes.entries()) {
      one.createBody({ shape: cube, position: [0.1 * i, 0.3 + 0.6 * i, 0] })
      one.createBody({ shape: { type: 'sphere', radius }, position: [1 + 0.1 * i, 0.7 * i, 0] })
    }
    motors(one)
    run(one, 20)
    return one
  }

  /**
   * Bits, bytes, or pieces of it are others, or it is shorter or longer.
   * @param {Uint8Array} bytes
   * @param {(below: number) => number} choose
   */
  function damaged(bytes, choose) {
    const copy = bytes.slice()
    const at = choose(copy.length)
    const kind = choose(5)
    if (kind === 0) copy[at] ^= 1 << choose(8)
    else if (kind === 1) copy[at] ^= 1 + choose(255)
    else if (kind === 2) return copy.subarray(0, at)
    else if (kind === 3) return Uint8Array.from([...copy, choose(256)])
    else {
      const end = Math.min(copy.length, at + 1 + choose(64))
      for (let i = at; i < end; i++) copy[i] ^= 1 + choose(255)
    }
    return copy
  }

  test('foreign bytes, none, and other things', () => {
    const one = world()
    const hash = one.hash()
    const foreign = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)
    refused(() => one.restore(foreign), 'bad-snapshot')
    refused(() => one.restore(new Uint8Array(0)), 'bad-snapshot')
    refused(() => one.restore(one.assets()), 'bad-snapshot')
    const bytes = one.snapshot()
    new DataView(bytes.buffer).setUint32(16, 0xffffffff, true)
    refused(() => one.restore(bytes), 'bad-snapshot')
    for (const value of [null, undefined, 3, 'text', {}, [1, 2]]) {
      refused(() => one.restore(/** @type {any} */ (value)), 'invalid-argument', /restore: bytes/)
    }
    for (const value of [null, 3, { solvers: 1 }]) {
      const options = /** @type {any} */ (value)
      refused(() => one.restore(bytes, options), 'invalid-argument', /options/)
    }
    assert.equal(one.hash(), hash)
    run(one, 2)
    one.free()
  })

  test('within functions that the engine calls, and in listeners', () => {
    const one = world()
    const bytes = one.snapshot()
    /** @type {unknown[]} */
    const errors = []
    const attempt = () => {
      try {
        one.restore(bytes)
      } catch (error) {
        errors.push(error)
      }
    }
    one.contactFilter = () => (attempt(), true)
    one.step(DT)
    one.contactFilter = null
    const inFilter = errors.length
    const end = one.on('contact', attempt)
    one.bodies[9].position = [0, 0.1, 0]
    run(one, 10)
    end()
    assert.ok(inFilter > 0 && errors.length > inFilter)
    for (const error of errors) assert.equal(/** @type {any} */ (error).code, 'world-locked')
    one.restore(bytes)
    one.free()
  })

  test('in a world that was freed', () => {
    const one = world()
    const bytes = one.snapshot()
    one.free()
    for (const call of [() => one.snapshot(), () => one.assets(), () => one.restore(bytes)]) {
      refused(call, 'stale-handle')
    }
  })
})

describe('assets', () => {
  test('are left out, and given to another world', () => {
    const world = pile({})
    run(world, 10)
    const [whole, bare, assets] = [
      world.snapshot(),
      world.snapshot({ assets: false }),
      world.assets(),
    ]
    assert.ok(bare.length < whole.length)
    const end = run(world, 10)
    world.restore(bare)
    assert.equal(run(world, 10), end)
    const other = new World()
    refused(() => other.restore(bare), 'bad-snapshot')
    assert.deepEqual(other.bodies, [])
    refused(() => other.restore(bare, { assets: bare }), 'bad-snapshot', /assets/)
    const damaged = assets.slice()
    damaged[damaged.length >> 1] ^= 4
    refused(() => other.restore(bare, { assets: damaged }), 'bad-snapshot', /assets/)
    other.restore(bare, { assets })
    assert.equal(run(other, 10), end)
    world.free()
    other.free()
  })
})

describe('functions', () => {
  const evaluate = (
    /** @type {any} */ a,
    /** @type {any} */ _b,
    /** @type {any} */ _t,
    /** @type {any} */ out,
  ) => {
    const [x, y] = a.position
    out[0] = (x * x + y * y - 1) / 2
  }
  const force = (/** @type {any} */ body, /** @type {any} */ _t, /** @type {any} */ out) => {
    out[0] = -3 * body.worldCenterOfMass[0]
  }
  const make = () => {
    const world = new World()
    const bead = world.createBody({ shape: cube, position: [1, 0, 0] })
    const wire = world.createConstraint({
      ...{ type: 'custom', typeName: 'wire', bodies: [bead], dimension: 1, evaluate },
    })
    const pull = world.createPotential({ type: 'custom', typeName: 'pull', force })
    return { world, bead, wire, pull }
  }

  test('are kept with what has them, also when that was destroyed', () => {
    const { world, bead, wire, pull } = make()
    run(world, 5)
    const bytes = world.snapshot()
    const end = run(world, 10)
    wire.destroy()
    pull.destroy()
    run(world, 3)
    world.restore(bytes)
    assert.deepEqual([world.constraints, world.potentials], [[wire], [pull]])
    assert.equal(run(world, 10), end)
    bead.destroy()
    world.restore(bytes)
    assert.equal(run(world, 10), end)
    world.free()
  })

  test('are given to another world by their names', () => {
    const { world } = make()
    run(world, 5)
    const bytes = world.snapshot()
    const end = run(world, 10)
    const other = new World()
    const options = { constraints: { wire: { evaluate } }, potentials: { pull: { force } } }
    refused(() => other.restore(bytes), 'bad-snapshot', /'wire'.*nothing/)
    const wrong = { ...options, potentials: { push: { force } } }
    refused(() => other.restore(bytes, wrong), 'bad-snapshot', /'pull'.*'push'/)
    assert.deepEqual(other.bodies, [])
    other.restore(bytes, options)
    assert.equal(run(other, 10), end)
    other.restore(bytes)
    assert.equal(run(other, 10), end)
    world.free()
    other.free()
  })
})

describe('out', () => {
  test('has the bytes, and nothing else is made', () => {
    const world = pile({})
    const bytes = world.snapshot()
    const out = new Uint8Array(bytes.length + 8).fill(7)
    const written = world.snapshot(out)
    assert.equal(written.buffer, out.buffer)
    assert.deepEqual(written, bytes)
    assert.deepEqual(out.subarray(bytes.length), new Uint8Array(8).fill(7))
    assert.deepEqual(world.snapshot({ out }), bytes)
    world.free()
  })

  test('that is too short is refused with the length that is needed', () => {
    const world = pile({})
    const { length } = world.snapshot()
    const out = new Uint8Array(length - 1)
    refused(() => world.snapshot(out), 'invalid-argument', new RegExp(`${length} or more bytes`))
    assert.ok(out.every((byte) => byte === 0))
    refused(() => world.snapshot(/** @type {any} */ ({ out: [] })), 'invalid-argument', /out/)
    refused(() => world.snapshot(/** @type {any} */ ({ into: 3 })), 'invalid-argument', /into/)
    world.free()
  })
})

describe('events of a world that was restored', () => {
  test('tell of ends with bodies that were destroyed before the snapshot', () => {
    const world = new World()
    const ground = world.createBody(floor)
    world.createBody({ shape: cube, position: [0, 0.25, 0] })
    world.on('contact', () => {})
    run(world, 5)
    ground.destroy()
    const bytes = world.snapshot()
    const other = new World()
    for (const one of [world, other]) {
      /** @type {number[]} */
      const ended = []
      one.on('contact', ({ type, bodyA }) => void (type === 'end' && ended.push(bodyA.id)))
      one.restore(bytes)
      run(one, 1)
      assert.deepEqual(ended, [ground.id])
      one.free()
    }
  })

  test('begin again', () => {
    const world = new World()
    world.createBody(floor)
    const ball = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 0.6, 0] })
    const bytes = world.snapshot()
    let begun = 0
    world.on('contact', (event) => {
      if (event.type === 'begin') begun++
      assert.ok(event.bodyA === ball || event.bodyB === ball)
    })
    run(world, 30)
    assert.equal(begun, 1)
    ball.destroy()
    world.restore(bytes)
    run(world, 30)
    assert.equal(begun, 2)
    world.free()
  })
})
