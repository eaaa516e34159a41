import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { sceneByName } from 'moreau/scenarios'

describe('memory', () => {
  // Counts of the C allocator are exact, so a busy machine does not matter. JavaScript's heap is watched by the benchmark.
  for (const [name, warmUp, steps] of /** @type {[string, number, number][]} */ ([
    ['pyramid-210', 100, 500],
    ['stack-of-10', 60, 2000],
    ['sliding-45', 20, 2000],
    ['tumbling-boxes', 420, 2000],
  ])) {
    test(`${name}: no allocation in the steady state, in ${steps} steps`, async () => {
      const scene = sceneByName(name)
      const world = await World.create(scene.options)
      scene.setup(world)
      for (let step = 0; step < warmUp; step++) world.step(scene.timeStep)
      const { allocations, bytes } = world.memory()
      for (let step = 0; step < steps; step++) world.step(scene.timeStep)
      assert.equal(world.memory().allocations, allocations, 'calls of the allocator')
      assert.equal(world.memory().bytes, bytes, 'bytes held')
      world.free()
    })
  }

  test('a world gives all of its memory back', async () => {
    const scene = sceneByName('tumbling-boxes')
    const run = async () => {
      const world = await World.create(scene.options)
      scene.setup(world)
      for (let step = 0; step < 60; step++) world.step(scene.timeStep)
      world.free()
    }
    await run()
    const probe = await World.create()
    const before = probe.memory().wasmBytes
    for (let count = 0; count < 20; count++) await run()
    assert.equal(probe.memory().wasmBytes, before, 'the module does not grow from world to world')
    probe.free()
  })
})
