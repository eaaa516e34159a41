/**
 * `moreau/worker`: histories of a world in a worker.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World as LocalWorld } from 'moreau'
import { World } from 'moreau/worker'
import { until } from './until.mjs'

const DT = 1 / 60

/** @param {any} world */
function pile(world) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  return Array.from({ length: 12 }, (_, i) =>
    world.createBody({
      shape: { type: 'box', halfExtents: [0.4, 0.3, 0.4] },
      position: [0.05 * (i % 3), 0.5 + 0.7 * i, 0],
    }),
  )
}

describe('a history of a world in a worker', () => {
  test('goes back and forth to the bits and objects that there were', async () => {
    const [world, local] = [await World.create(), await LocalWorld.create()]
    const boxes = pile(world)
    pile(local)
    const history = await world.history({ seconds: 10 })
    const own = local.history({ seconds: 10 })
    for (let i = 0; i < 90; i++) {
      if (i === 50) {
        boxes[3].destroy()
        local.bodies[4].destroy()
      }
      await world.step(DT)
      local.step(DT)
    }
    assert.deepEqual(await history.frames, own.frames)
    assert.equal(await history.bytes, own.bytes)
    await history.rewind(60)
    own.rewind(60)
    assert.equal(world.stepCount, 30)
    assert.equal(world.time, local.time)
    assert.equal(await world.hash(), local.hash())
    assert.equal(world.bodies[4], boxes[3], 'what was destroyed since is there again')
    assert.deepEqual([...world.transforms64], [...local.transforms64])
    await history.seek(80)
    own.seek(80)
    assert.equal(await world.hash(), local.hash())
    assert.ok(!boxes[3].isAlive)
    await history.seek(40)
    own.seek(40)
    for (const [one, box] of /** @type {const} */ ([
      [world, boxes[5]],
      [local, local.bodies[6]],
    ])) {
      box.applyImpulse([30, 0, 0])
      one.createBody({ shape: { type: 'sphere', radius: 0.3 }, position: [0, 9, 0] })
    }
    for (let i = 0; i < 30; i++) {
      await world.step(DT)
      local.step(DT)
    }
    assert.equal(await world.hash(), local.hash())
    assert.deepEqual(await history.frames, own.frames)
    await assert.rejects(history.seek(1000), { code: 'invalid-argument', message: /^seek: frame/ })
    await assert.rejects(world.history({}), {
      code: 'invalid-argument',
      message: /^history: options/,
    })
    history.free()
    await assert.rejects(history.rewind(1), { code: 'stale-handle' })
    world.free()
    local.free()
  })

  test('loses what is called before its promise has settled, and nothing else', async () => {
    const world = await World.create()
    const boxes = pile(world)
    const history = await world.history({ frames: 100 })
    for (let i = 0; i < 40; i++) await world.step(DT)
    const before = await world.hash()
    for (let i = 0; i < 20; i++) await world.step(DT)
    const back = history.rewind(20)
    const late = world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [9, 9, 9] })
    boxes[0].applyImpulse([100, 0, 0])
    const hero = world.createCharacter({
      shape: { type: 'sphere', radius: 0.3 },
      position: [5, 1, 5],
    })
    const step = world.step(DT)
    const again = assert.rejects(history.seek(5), { code: 'world-locked' })
    await assert.rejects(step, { code: 'world-locked', message: /rewind/ })
    await again
    await back
    assert.equal(await world.hash(), before)
    assert.throws(() => late.position, { code: 'stale-handle' })
    const next = world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [9, 9, 9] })
    hero.move([0.1, -0.1, 0], DT)
    await world.step(DT)
    assert.equal(world.stepsBehind, 0)
    assert.ok(next.position[1] < 9)
    assert.ok(hero.position[0] > 5.05, 'a character is no part of a frame, and stays')
    assert.equal(world.isCrashed, false)
    world.free()
  })

  test('goes back while the worker goes on by its own clock', async () => {
    const world = await World.create({ gravity: [0, -1, 0] })
    const ball = world.createBody({ shape: { type: 'sphere', radius: 0.1 }, position: [0, 0, 0] })
    const history = await world.history({ seconds: 5 })
    world.start({ hz: 240 })
    await until(() => (world.update(), world.stepCount >= 60), '60 steps')
    const { first, last } = await history.frames
    assert.equal(first, 0)
    await history.seek(10)
    const { stepCount } = world
    assert.ok(stepCount >= 10 && stepCount < last, `${stepCount} of ${last}`)
    await until(() => (world.update(), world.stepCount >= stepCount + 20), '20 more')
    world.pause()
    await world.hash()
    world.update()
    assert.ok(ball.position[1] < 0)
    world.free()
  })
})
