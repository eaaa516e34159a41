/**
 * How the page spends real time on steps, and what its panels see of them. It needs no browser.
 */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { sceneByName, scenes } from 'moreau/scenarios'
import { Simulation } from '../../web/src/simulation.mjs'

describe('simulation of the page', () => {
  /** @type {Simulation} */
  let simulation
  /** ms on the clock, which stands still unless a test moves it. */
  let clock = 0

  beforeEach(async () => {
    const now = () => clock
    simulation = await Simulation.create(sceneByName('bouncing-ball'), {}, { now })
  })

  afterEach(() => simulation.free())

  test('frames shorter than a step add up to whole steps', () => {
    const { timeStep } = simulation
    const taken = Array.from({ length: 8 }, () => simulation.advance(0.375 * timeStep))
    assert.deepEqual(taken, [0, 0, 1, 0, 0, 1, 0, 1])
    assert.equal(simulation.world.stepCount, 3)
    assert.ok(Math.abs(simulation.interpolation) < 1e-9)
  })

  test('the picture lies between the last two states', () => {
    const { timeStep, world } = simulation
    const start = world.transforms.slice()
    simulation.advance(1.5 * timeStep)
    assert.deepEqual(simulation.before, start)
    assert.notDeepEqual(world.transforms, start)
    assert.ok(Math.abs(simulation.interpolation - 0.5) < 1e-9)
    simulation.settle()
    assert.deepEqual(simulation.before, world.transforms)
  })

  test('speed stretches time', () => {
    const { timeStep } = simulation
    simulation.speed = 0.1
    assert.equal(simulation.advance(timeStep * 4.9), 0)
    simulation.speed = 4
    assert.equal(simulation.advance(timeStep), 4)
  })

  test('time that slow steps cannot simulate is dropped', () => {
    simulation.beforeStep = () => (clock += 8)
    simulation.speed = 4
    assert.equal(simulation.advance(10), 2, 'steps of 8 ms until 11 ms are over')
    assert.equal(simulation.late, true)
    assert.ok(simulation.interpolation < 1)
  })

  test('tells how long the last step took, also when the checks rest', () => {
    const { world } = simulation
    let end = clock + 3
    // It is asked for within the step, however often.
    world.createPotential({ type: 'custom', force: () => void (clock = end) })
    simulation.step()
    assert.equal(simulation.stepTime, 3)
    simulation.disturb()
    clock += 5
    end = clock + 3
    simulation.step()
    assert.equal(simulation.stepTime, 3)
    assert.equal(world.stepCount, 2)
  })

  test('checks rest once a body was pulled, and after the duration of the scene', () => {
    for (let i = 0; i < 5; ++i) simulation.step()
    simulation.disturb()
    const checks = simulation.readChecks()
    for (const body of simulation.world.bodies) {
      if (body.type === 'dynamic') body.position = [0, -5, 0]
    }
    for (let i = 0; i < 200; ++i) simulation.step()
    assert.deepEqual(simulation.readChecks(), checks)
    assert.ok(checks.every(({ passed }) => passed !== false))
  })
})

describe('clock of the panels', () => {
  /** s from one frame to the next, and frames from one look at the checks to the next: some 120 ms. */
  const SCREENS = [
    { frame: 1 / 30, look: 4 },
    { frame: 1 / 60, look: 7 },
  ]

  for (const scene of scenes) {
    test(`${scene.name}: all checks have their verdict after ${scene.duration} s`, async () => {
      for (const { frame, look } of SCREENS) {
        const simulation = await Simulation.create(emptied(scene), {}, { now: () => 0 })
        let reports = simulation.readChecks()
        const frames = Math.ceil(scene.duration / frame) + 2 * look
        for (let i = 1; i <= frames; i++) {
          simulation.advance(frame)
          if (i % look === 0) reports = simulation.readChecks()
        }
        assert.ok(simulation.world.time > scene.duration)
        const waiting = reports.filter(({ passed }) => passed === null).map(({ name }) => name)
        assert.deepEqual(waiting, [], `no verdict at a frame of ${frame} s`)
        simulation.free()
      }
    })
  }
})

/**
 * A scene with the times of another one and its checks, but with nothing in it that costs time.
 *
 * @param {import('moreau/scenarios').Scene} scene
 * @returns {import('moreau/scenarios').Scene}
 */
function emptied({ beforeStep: _, ...scene }) {
  const checks = scene.checks.map((check) => ({ ...check, error: () => 0 }))
  return { ...scene, setup: () => ({}), checks }
}
