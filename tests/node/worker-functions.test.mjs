/**
 * `moreau/worker`: functions of the user that run in the steps of a world in a worker, given by the address of their module.
 */
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { World as LocalWorld } from 'moreau'
import { World } from 'moreau/worker'
import * as module from './worker-module.mjs'

const functions = new URL('./worker-module.mjs', import.meta.url)
const DT = 1 / 60

/**
 * A bead on a circle in the wind, and a box that slides down a slope onto another; the same in any world.
 * @param {any} world
 * @param {boolean} isLocal functions are given as such
 */
function scene(world, isLocal) {
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [-0.3, 1, 0] } })
  const bead = world.createBody({
    shape: { type: 'sphere', radius: 0.1 },
    position: [1, 0, 0],
    filter: { category: 2, mask: 0 },
  })
  const boxes = [0, 1, 2].map((i) =>
    world.createBody({
      shape: { type: 'box', halfExtents: [0.3, 0.2, 0.3] },
      position: [4, 1.8 + 0.6 * i, 0],
    }),
  )
  const circle = world.createConstraint({
    ...{ type: 'custom', typeName: 'circle', bodies: [bead], dimension: 2 },
    ...(isLocal && module.constraints.circle),
  })
  const wind = world.createPotential({
    ...{ type: 'custom', typeName: 'wind', bodies: [bead] },
    ...(isLocal && module.potentials.wind),
  })
  world.contactFilter = isLocal ? module.unlessGhost : 'unlessGhost'
  world.contactModifier = isLocal ? module.slippery : 'slippery'
  return { bead, boxes, circle, wind }
}

/** @returns {Promise<[World, LocalWorld]>} one in a worker, one here */
const worlds = async () => [await World.create({}, { functions }), await LocalWorld.create()]

describe('functions of a module', () => {
  afterEach(() => module.reset())

  test('run in the steps of a worker, to the bits of a world here', async () => {
    const [world, local] = await worlds()
    const [things, own] = [scene(world, false), scene(local, true)]
    for (let i = 0; i < 90; i++) {
      await world.step(DT)
      local.step(DT)
      assert.deepEqual([...world.transforms64], [...local.transforms64], `step ${i}`)
    }
    assert.equal(await world.hash(), local.hash())
    // They were needed: the bead is on its circle, and the lowest box has slid away without friction.
    const [x, y] = things.bead.position
    assert.ok(Math.abs(Math.hypot(x, y) - 1) < 0.1 && x < 0, `the bead is at ${x}, ${y}`)
    assert.ok(things.boxes[0].position[0] < 3)
    // What is asked here of constraints and potentials is computed by the copy of the module that is here.
    assert.deepEqual(things.circle.violation(), own.circle.violation())
    assert.deepEqual(world.energy(), local.energy())
    assert.equal(things.wind.typeName, 'wind')
    world.free()
    local.free()
  })

  test('are told what they go by, in order with all that is called', async () => {
    const [world, local] = await worlds()
    const [things, own] = [scene(world, false), scene(local, true)]
    for (let i = 0; i < 120; i++) {
      if (i === 20) {
        assert.deepEqual(await world.call('setStrength', 30), { strength: 30 })
        module.setStrength(30)
      }
      if (i === 40) {
        const told = world.call('makeGhost', things.boxes[0].id)
        module.makeGhost(own.boxes[0].id)
        await Promise.all([told, world.step(DT)])
      } else await world.step(DT)
      local.step(DT)
    }
    assert.equal(await world.hash(), local.hash())
    const [x, y] = things.boxes[0].position
    assert.ok(y < 0.3 * x - 2, 'the ghost falls through the ground')
    await assert.rejects(world.call('fail'), { code: 'worker-failed', message: /it fails/ })
    await assert.rejects(world.call('giveFunction'), { code: 'worker-failed' })
    world.contactFilter = null
    assert.equal(world.contactFilter, null)
    await world.step(DT)
    world.free()
    local.free()
  })

  test('are there again after a restart and in snapshots, scenes and recordings', async () => {
    const [world, local] = await worlds()
    scene(world, false)
    const recording = await world.record()
    for (let i = 0; i < 70; i++) await world.step(DT)
    assert.equal(await recording.steps, 70)
    const { constraints, potentials, unlessGhost, slippery } = module
    const given = { constraints, potentials, contactFilter: unlessGhost, contactModifier: slippery }
    const replay = LocalWorld.replay(await recording.stop(), /** @type {any} */ (given))
    assert.equal(replay.divergence, undefined)
    assert.equal(replay.world.hash(), await world.hash())

    const bytes = await world.snapshot()
    await world.step(DT)
    const hash = await world.hash()
    await world.restart() // to the snapshot that it sent after a second
    while (world.stepCount < 71) await world.step(DT)
    assert.equal(await world.hash(), hash)
    assert.equal(world.contactModifier, 'slippery')
    const other = await World.create({}, { functions })
    other.contactFilter = 'unlessGhost'
    other.contactModifier = 'slippery'
    other.restore(bytes)
    await other.step(DT)
    assert.equal(await other.hash(), hash)

    scene(local, true)
    const names = { contactFilter: 'unlessGhost', contactModifier: 'slippery' }
    const read = await World.fromJSON(local.toJSON(), names, { functions })
    const own = LocalWorld.fromJSON(local.toJSON(), /** @type {any} */ (given))
    for (let i = 0; i < 40; i++) {
      await read.step(DT)
      own.step(DT)
    }
    assert.equal(await read.hash(), own.hash())
    assert.equal(read.constraints[0].typeName, 'circle')
    for (const one of [world, other, read, local, own, replay.world]) one.free()
  })

  test('that are not there are refused where the call is, by name', async () => {
    const world = await World.create({}, { functions })
    const any = /** @type {any} */ (world)
    const bead = world.createBody({ shape: { type: 'sphere', radius: 1 } })
    const custom = { type: 'custom', bodies: [bead], dimension: 1 }
    /** @type {[() => unknown, string, RegExp][]} */
    const calls = [
      [
        () => any.createConstraint({ ...custom, evaluate() {} }),
        'not-supported',
        /^createConstraint: evaluate.*functions/,
      ],
      [
        () => any.createPotential({ type: 'custom', force() {} }),
        'not-supported',
        /^createPotential: force/,
      ],
      [
        () => any.createConstraint({ ...custom, typeName: 'square' }),
        'invalid-argument',
        /^createConstraint: typeName.*'circle'.*'square'/,
      ],
      [
        () => any.createPotential({ type: 'custom' }),
        'invalid-argument',
        /^createPotential: typeName.*'wind'.*'custom'/,
      ],
      [() => (any.contactFilter = () => true), 'not-supported', /^contactFilter/],
      [
        () => (any.contactModifier = 'sticky'),
        'invalid-argument',
        /^contactModifier.*'slippery'.*'sticky'/,
      ],
      [
        () => (any.contactModifier = 'notAFunction'),
        'invalid-argument',
        /^contactModifier: notAFunction/,
      ],
      [() => any.call('toString'), 'invalid-argument', /^call: name/],
      [
        () => any.createCharacter({ shape: { type: 'sphere', radius: 1 }, predicate: () => true }),
        'not-supported',
        /^createCharacter: predicate/,
      ],
    ]
    for (const [call, code, message] of calls) assert.throws(call, { code, message })
    world.free()
    const wrong = new URL('./no-such-module.mjs', import.meta.url)
    await assert.rejects(World.create({}, { functions: wrong }), {
      code: 'invalid-argument',
      message: /no-such-module/,
    })
    await assert.rejects(World.create({}, { functions: 'not an address' }), {
      code: 'invalid-argument',
      message: /workerOptions\.functions.*'not an address'/,
    })
  })

  test('that throw in a step make it fail, as in a world here', async () => {
    const text = `data:text/javascript,${encodeURIComponent("export const broken = () => { throw new Error('of the filter') }")}`
    const world = await World.create({}, { functions: text })
    for (let i = 0; i < 2; i++)
      world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [i, 0, 0] })
    world.contactFilter = 'broken'
    await assert.rejects(world.step(DT), { message: /of the filter/ })
    assert.equal(world.stepCount, 0)
    world.free()
  })
})
