/** Worlds of the scenes that do not always fit into a step's budget. */
import assert from 'node:assert/strict'
import { World } from 'moreau'
import { BUDGET_SCENES } from '../../bench/exact-scenes.mjs'

/** @param {string} name of one of BUDGET_SCENES @param {import('moreau').WorldOptions} options */
export function budgetWorld(name, options) {
  const scene = BUDGET_SCENES.find((each) => each.name === name)
  assert.ok(scene, name)
  const world = new World({ allowSleep: false, warnings: false, ...options })
  scene.fill(world)
  return world
}

/**
 * The step of a scene after `at` others, without a warm start: those before were made by sweeps in another world.
 *
 * @param {string} name
 * @param {number} at
 */
export function coldStep(name, at) {
  const from = budgetWorld(name, { solver: 'block-pgs', iterations: 50 })
  for (let step = 0; step < at; step++) from.step(1 / 60)
  const states = from.bodies.map(({ position, orientation, linearVelocity, angularVelocity }) => ({
    ...{ position: [...position], orientation: [...orientation] },
    ...{ linearVelocity: [...linearVelocity], angularVelocity: [...angularVelocity] },
  }))
  from.free()
  /** Its counted work and the rms of its certificate, m/s. @param {import('moreau').WorldOptions} options */
  return (options) => {
    const world = budgetWorld(name, options)
    world.bodies.forEach((body, i) => Object.assign(body, states[i]))
    world.step(1 / 60)
    const { work } = world.stats
    const { rms } = world.residual()
    world.free()
    return { work, rms }
  }
}
