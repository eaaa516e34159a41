/**
 * `moreau/worker`: characters, vehicles and ragdolls of a world in a worker.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World as LocalWorld } from 'moreau'
import { World } from 'moreau/worker'
import { until } from './until.mjs'

const functions = new URL('./worker-module.mjs', import.meta.url)
const DT = 1 / 60
const TRANSPORTS = /** @type {const} */ (['shared', 'transferred'])

/** @param {any} world @param {any} [more] */
function walkers(world, more) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [1, 0.1, 3] },
    position: [3, 0.1, 0],
  })
  const crate = world.createBody({
    shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
    position: [5.5, 0.3, 0],
    mass: 5,
  })
  const shape = { type: 'capsule', radius: 0.3, halfHeight: 0.5 }
  const hero = world.createCharacter({ shape, position: [0, 1, 0], pushForce: 200 })
  const other = world.createCharacter({ shape, position: [0, 1, 2], exclude: crate, ...more })
  return { crate, hero, other }
}

/** @param {any} character */
const seen = (character) => ({
  ...{ position: character.position, orientation: character.orientation },
  ...{ velocity: character.velocity, grounded: character.grounded, ground: character.ground?.id },
  contacts: character
    .contacts()
    .map((/** @type {any} */ { body, shapeIndex, position, normal }) => ({
      ...{ body: body.id, shapeIndex, position, normal },
    })),
  state: [...character.state],
})

/**
 * A car of four wheels on the ground.
 * @param {any} world
 */
function car(world) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const chassis = world.createBody({
    shape: { type: 'box', halfExtents: [2, 0.4, 0.9] },
    ...{ mass: 1200, position: [0, 1, 0] },
  })
  const wheels = []
  for (const x of [1.4, -1.4]) for (const z of [-0.8, 0.8]) wheels.push({ position: [x, -0.2, z] })
  return { chassis, vehicle: world.createVehicle({ chassis, wheels }) }
}

for (const transport of TRANSPORTS) {
  describe(`in a worker, frames ${transport}`, () => {
    test('characters walk, climb and push to the bits of a world here', async () => {
      const world = await World.create({}, { transport, functions })
      const local = await LocalWorld.create()
      const things = walkers(world, { predicate: 'solidOnly' })
      const own = walkers(local, { predicate: () => true })
      for (let i = 0; i < 150; i++) {
        for (const { hero, other } of [things, own]) {
          if (i === 50) hero.stepHeight = 0.25
          if (i === 70) other.position = [0, 2, -2]
          hero.move([0.05, -0.02, 0], DT)
          other.move([0.04, -0.05, 0.01], DT)
        }
        await world.step(DT)
        local.step(DT)
        assert.deepEqual(seen(things.hero), seen(own.hero), `step ${i}`)
        assert.deepEqual(seen(things.other), seen(own.other), `step ${i}`)
      }
      assert.ok(things.crate.position[0] > 5.6, 'it was pushed')
      assert.ok(things.hero.contacts().length > 0)
      assert.deepEqual([...world.transforms64], [...local.transforms64])
      const low = { type: 'capsule', radius: 0.3, halfHeight: 0.1 }
      assert.equal(await things.hero.setShape(/** @type {any} */ (low)), true)
      assert.equal(own.hero.setShape(low), true)
      assert.equal(things.hero.shape.type, 'capsule')
      things.hero.move([0.05, -0.02, 0], DT)
      own.hero.move([0.05, -0.02, 0], DT)
      await world.step(DT)
      local.step(DT)
      assert.deepEqual(seen(things.hero), seen(own.hero))
      things.other.destroy()
      own.other.destroy()
      await world.step(DT)
      local.step(DT)
      assert.equal(await world.hash(), local.hash())
      assert.throws(() => things.hero.move([NaN, 0, 0], DT), { code: 'invalid-argument' })
      world.free()
      local.free()
    })

    test('vehicles drive to the bits of a world here, and tell what their wheels do', async () => {
      const world = await World.create({}, { transport })
      const local = await LocalWorld.create()
      const [there, here] = [car(world), car(local)]
      for (let i = 0; i < 120; i++) {
        for (const { vehicle } of [there, here]) {
          const [left, right, ...rear] = vehicle.wheels
          left.steering = right.steering = i > 60 ? 0.2 : 0
          for (const wheel of rear) wheel.engineForce = 1500
          vehicle.update(DT)
        }
        await world.step(DT)
        local.step(DT)
        assert.deepEqual([...world.transforms64], [...local.transforms64], `step ${i}`)
        for (const [k, wheel] of there.vehicle.wheels.entries()) {
          const { ground, ...rest } = here.vehicle.wheels[k]
          assert.deepEqual({ ...wheel, ground: wheel.ground?.id }, { ...rest, ground: ground?.id })
        }
      }
      assert.ok(there.vehicle.speed > 3)
      there.vehicle.wheels[0].radius = -1
      assert.throws(() => there.vehicle.update(DT), {
        code: 'invalid-argument',
        message: /wheels\[0\]/,
      })
      world.free()
      local.free()
    })

    test('a vehicle that was driven once stands on its springs by the own clock of the worker', async () => {
      const world = await World.create({}, { transport })
      const { chassis, vehicle } = car(world)
      vehicle.update(DT)
      world.start({ hz: 240, rate: 4 })
      await until(() => (world.update(), world.time > 3), 'three seconds')
      assert.ok(chassis.position[1] > 0.6, `the chassis is at ${chassis.position[1]}`)
      assert.ok(vehicle.wheels.every((/** @type {any} */ { isInContact }) => isInContact))
      for (const wheel of vehicle.wheels) wheel.engineForce = 1000
      vehicle.update(DT)
      await until(() => (world.update(), vehicle.speed > 5), 'speed')
      chassis.destroy()
      const { stepCount } = world
      await until(() => (world.update(), world.stepCount > stepCount + 20), 'steps without it')
      assert.equal(world.isCrashed, false)
      world.free()
    })

    test('ragdolls fall and follow poses to the bits of a world here', async () => {
      const world = await World.create({}, { transport })
      const local = await LocalWorld.create()
      const joint = /** @type {const} */ ({ type: 'ball', cone: 0.7, twist: [-1, 1] })
      const [there, here] = [world, local].map((one) => {
        one.createBody({ type: 'static', shape: { type: 'plane' } })
        return one.createRagdoll({
          position: [0, 1, 0],
          bones: [
            { name: 'torso', length: 0.6, radius: 0.15 },
            { name: 'head', parent: 'torso', length: 0.25, radius: 0.1, joint },
            {
              name: 'arm',
              parent: 'torso',
              length: 0.5,
              radius: 0.08,
              joint: { type: 'hinge', axis: [0, 0, 1] },
            },
          ],
        })
      })
      for (let i = 0; i < 90; i++) {
        for (const doll of [there, here]) {
          const turn = 0.2 * Math.sin(0.1 * i)
          if (i < 60)
            doll.drive(
              { head: [0, 0, turn, Math.sqrt(1 - turn * turn)] },
              { hertz: 5, maxTorque: 20 },
            )
          if (i === 60) doll.setLimp()
        }
        await world.step(DT)
        local.step(DT)
        assert.deepEqual(there.pose(), here.pose(), `step ${i}`)
      }
      assert.equal(await world.hash(), local.hash())
      world.free()
      local.free()
    })
  })
}

describe('characters and vehicles', () => {
  test('are what they were after a restart, and after a snapshot is restored', async () => {
    const world = await World.create({}, { snapshotEvery: 0.3 })
    const { hero } = walkers(world)
    const { vehicle } = car(world)
    const step = async () => {
      hero.move([0.03, -0.02, 0], DT)
      vehicle.update(DT)
      await world.step(DT)
    }
    for (let i = 0; i < 20; i++) await step()
    const [bytes, place] = [await world.snapshot(), hero.position]
    for (let i = 0; i < 30; i++) await step()
    const [hash, end] = [await world.hash(), seen(hero)]
    world.restore(bytes)
    assert.deepEqual(hero.position, place)
    for (let i = 0; i < 30; i++) await step()
    assert.deepEqual(seen(hero), end)
    assert.equal(await world.hash(), hash)
    await world.restart()
    assert.ok(world.stepCount < 50 && world.stepCount > 20)
    while (world.stepCount < 50) await step()
    assert.deepEqual(seen(hero), end)
    assert.equal(await world.hash(), hash)
    world.free()
  })
})
