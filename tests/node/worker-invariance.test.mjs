/**
 * Random scenes of the exam without answers (tests/invariance) in a worker: after the same steps a world there has the bits of one here.
 * They are not among the relations of the exam, as a worker is asked by promises.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { World as WorkerWorld } from 'moreau/worker'
import { sceneOf } from '../invariance/exam.mjs'
import { SOLVERS } from '../invariance/solvers.mjs'
import { fileOf } from '../invariance/scene.mjs'

/** @import { Scene } from '../invariance/scene.mjs' */

/** Seeds of scenes; each has a world in a worker of its own, whose start takes most of the time. */
const SEEDS = [1, 2, 3, 4]

before(() => init())

/** @param {Scene} scene @param {string} solver @returns {any} */
function fileFor(scene, solver) {
  const file = fileOf(scene)
  return { ...file, settings: { ...file.settings, solver } }
}

/** @param {Scene} scene */
const stepsOf = ({ duration, timeStep }) => Math.round(duration / timeStep)

/** @param {Scene} scene @param {string} solver @returns {string} */
function hashHere(scene, solver) {
  const world = World.fromJSON(fileFor(scene, solver))
  for (let i = 0; i < stepsOf(scene); i++) world.step(scene.timeStep)
  const hash = world.hash()
  world.free()
  return hash
}

/** @param {Scene} scene @param {string} solver @returns {Promise<string>} */
async function hashInWorker(scene, solver) {
  const world = await WorkerWorld.fromJSON(fileFor(scene, solver))
  try {
    await Promise.all(Array.from({ length: stepsOf(scene) }, () => world.step(scene.timeStep)))
    return await world.hash()
  } finally {
    world.free()
  }
}

describe('scenes of the exam in a worker', () => {
  for (const solver of SOLVERS) {
    test(`have the same bits with ${solver}`, async () => {
      for (const seed of SEEDS) {
        const scene = sceneOf(seed)
        assert.equal(await hashInWorker(scene, solver), hashHere(scene, solver), `seed ${seed}`)
      }
    })
  }
})
