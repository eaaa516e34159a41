/**
 * The scene batch-of-dice shows in one world what a WorldBatch has in 64.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World, WorldBatch } from 'moreau'
import { addDieInCell, diceThrows, faceUp } from '../../scenarios/batch-of-dice.mjs'
import { sceneByName, SceneRun } from 'moreau/scenarios'

for (const solver of /** @type {const} */ (['soft-step', 'exact'])) {
  test(`the dice of a batch lie as those of the scene do: ${solver}`, async () => {
    const scene = sceneByName('batch-of-dice')
    const world = await World.create({ ...scene.options, solver })
    const run = new SceneRun(world, scene)
    while (run.time < scene.duration) run.step()
    const shown = /** @type {import('moreau').Body[]} */ (run.things.dice)

    const template = await World.create({ ...scene.options, solver })
    const die = addDieInCell(template)
    const throws = diceThrows()
    const starts = /** @type {const} */ ([
      { type: 'position', body: die },
      { type: 'orientation', body: die },
      { type: 'linearVelocity', body: die },
      { type: 'angularVelocity', body: die },
    ])
    const observations = [starts[1]]
    const batch = new WorldBatch(template, { count: throws.length, starts, observations })
    throws.forEach((thrown, i) => {
      const { position, orientation, linearVelocity, angularVelocity } = thrown
      const row = [...position, ...orientation, ...linearVelocity, ...angularVelocity]
      batch.starts.set(row, i * batch.startSize)
    })
    assert.equal(batch.reset(), 0)
    assert.equal(batch.step(scene.timeStep, run.stepIndex), 0)
    const faces = throws.map((_, i) => faceUp(batch.observations.subarray(4 * i, 4 * i + 4)).face)
    assert.deepEqual(
      faces,
      shown.map(({ orientation }) => faceUp(orientation).face),
    )
    for (const one of [world, template, batch]) one.free()
  })
}
