import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { World } from 'moreau'
import { INTEGRATORS } from '../integrators.mjs'
import { sceneByName } from 'moreau/scenarios'
import { randomScene } from './random-scene.mjs'
import { hexFloat, recordBodies, replayText } from './recording.mjs'

/** @typedef {Pick<import('moreau/scenarios').Scene, 'setup' | 'timeStep'>} Setup */
/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {import('moreau').SolverName} SolverName */

const replay = fileURLToPath(new URL('../../build/native-release/replay', import.meta.url))
const joinedBodies = fileURLToPath(
  new URL('../../build/native-release/joined_bodies', import.meta.url),
)

/**
 * Runs a scene in wasm.
 *
 * @param {Setup} scene
 * @param {number} steps
 * @param {WorldOptions} options
 */
async function runInWasm(scene, steps, options) {
  const world = await World.create(options)
  const recording = recordBodies(world)
  scene.setup(recording.world)
  for (let step = 0; step < steps; step++) world.step(scene.timeStep)
  const hash = world.hash()
  world.free()
  return { hash, recording: recording.recording }
}

/**
 * Runs what was recorded in the native build of the engine.
 *
 * @param {string} text
 * @returns {Promise<string>} hash
 */
async function runNatively(text) {
  assert.ok(existsSync(replay), `${replay} is missing: cmake --build --preset native-release`)
  const folder = await mkdtemp(join(tmpdir(), 'moreau-replay-'))
  try {
    const file = join(folder, 'scene.txt')
    await writeFile(file, text)
    const { stdout } = await promisify(execFile)(replay, [file])
    return stdout.trim()
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** In the order of tests/native/joined_bodies.c, which has the same machine. */
const JOINTS = /** @type {const} */ (['ball', 'hinge', 'distance', 'fixed', 'ball', 'slider'])

/**
 * @param {import('moreau').WorldOptions} options
 * @returns {Promise<string>} the hash after 500 steps
 */
async function runMachine(options) {
  const world = await World.create(options)
  world.createBody({ type: 'static', shape: { type: 'plane', offset: -1.5 } })
  /** @type {import('moreau').Body | null} */
  let last = null
  for (const [i, type] of JOINTS.entries()) {
    const link = world.createBody({
      shape: { type: 'box', halfExtents: [0.25, 0.1, 0.05] },
      mass: 1 + i,
      position: [0.5 * i + 0.25, 0, 0],
      angularVelocity: [0.5, 0.25 * i, 0],
    })
    const axes = type === 'hinge' || type === 'slider' ? { axisA: [0, 0, 1], axisB: [0, 0, 1] } : {}
    const anchors = { anchorA: last ? [0.25, 0, 0] : [0, 0, 0], anchorB: [-0.25, 0, 0] }
    world.createJoint({ type, bodyA: last, bodyB: link, ...anchors, ...axes })
    last = link
  }
  const bodyA = /** @type {import('moreau').Body} */ (last)
  world.createPotential({
    type: 'spring',
    bodyA,
    anchorB: [3, 2, 1],
    stiffness: 20,
    damping: 0.5,
  })
  for (let i = 0; i < 500; i++) world.step(1 / 120)
  const hash = world.hash()
  world.free()
  return hash
}

describe('A63 the same bits', () => {
  test('of joints and a spring, with every integrator and solver', async () => {
    const { stdout } = await promisify(execFile)(joinedBodies)
    const native = stdout.trim().split('\n')
    /** @type {string[]} */
    const wasm = []
    for (const solver of /** @type {const} */ (['block-pgs', 'exact'])) {
      for (const integrator of INTEGRATORS) wasm.push(await runMachine({ solver, integrator }))
    }
    wasm.push(await runMachine({ solver: 'soft-step' }))
    assert.deepEqual(wasm, native)
    assert.equal(new Set(wasm).size, wasm.length, 'all of them differ from each other')
  })

  test('hex floats are exact', () => {
    assert.equal(hexFloat(1), '0x1.0000000000000p0')
    assert.equal(hexFloat(-0.1), '-0x1.999999999999ap-4')
    assert.equal(hexFloat(0), '0x0.0000000000000p-1022')
    assert.equal(hexFloat(5e-324), '0x0.0000000000001p-1022')
  })

  for (const [name, steps, solver] of /** @type {[string, number, SolverName][]} */ ([
    ['pyramid-210', 1000, 'block-pgs'],
    ['tumbling-boxes', 1000, 'block-pgs'],
    ['tipping-box', 1000, 'block-pgs'],
    // Long enough for the last piece to have hit the others.
    ['pour', 300, 'block-pgs'],
    ['pyramid-210', 1000, 'soft-step'],
    ['pour', 1000, 'soft-step'],
    ['ragdolls', 1000, 'soft-step'],
    ['sleeping-field', 1000, 'soft-step'],
    ['far-from-origin', 1000, 'soft-step'],
    ['bullet-wall', 100, 'soft-step'],
    ['tumbling-boxes', 1000, 'soft-step'],
    ['sleeping-field', 400, 'block-pgs'],
    ['ragdolls', 300, 'block-pgs'],
    ['stack-of-10', 1000, 'exact'],
    ['tipping-box', 1000, 'exact'],
    ['glancing-cubes', 300, 'exact'],
    ['tumbling-boxes', 60, 'exact'],
  ])) {
    test(`${name}, ${solver}: native and wasm agree after ${steps} steps`, async () => {
      const scene = sceneByName(name)
      const options = { ...scene.options, solver }
      const { hash, recording } = await runInWasm(scene, steps, options)
      const text = replayText(options, recording, scene.timeStep, steps)
      assert.match(hash, /^[0-9a-f]{16}$/)
      assert.equal(await runNatively(text), hash)
    })
  }

  test('random scenes of all shapes and joints: native and wasm agree after 600 steps', async () => {
    const hashes = new Set()
    for (let seed = 1; seed <= 12; seed++) {
      /** @type {WorldOptions} */
      const options = { solver: 'soft-step', substeps: 2 + (seed % 4), allowSleep: seed % 2 === 0 }
      const scene = randomScene(seed)
      const { hash, recording } = await runInWasm(scene, 600, options)
      const text = replayText(options, recording, scene.timeStep, 600)
      assert.equal(await runNatively(text), hash, `seed ${seed}`)
      hashes.add(hash)
    }
    assert.equal(hashes.size, 12)
  })

  test('the same input twice in one module, with other worlds in between', async () => {
    const scene = sceneByName('tumbling-boxes')
    const first = await runInWasm(scene, 300, scene.options)
    await runInWasm(sceneByName('stack-of-10'), 50, {})
    const second = await runInWasm(scene, 300, scene.options)
    assert.equal(first.hash, second.hash)
    const other = await runInWasm(scene, 301, scene.options)
    assert.notEqual(first.hash, other.hash, 'the hash sees one more step')
  })

  test('looking at a world does not change it', async () => {
    const scene = sceneByName('tumbling-boxes')
    const world = await World.create(scene.options)
    scene.setup(world)
    for (let step = 0; step < 300; step++) {
      world.step(scene.timeStep)
      world.residual()
      world.energy()
      world.contactPoints()
    }
    const hash = world.hash()
    world.free()
    assert.equal(hash, (await runInWasm(scene, 300, scene.options)).hash)
  })
})
