import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init, World } from 'moreau'

// In a file, so in a process, of its own: the heap is measured here.

before(() => init())

const ROUNDS = 100
const FRAMES_PER_ROUND = 1000

/**
 * Bytes of JavaScript's heap that a frame takes, once the compiler has done its work.
 * @param {() => void} frame
 */
function bytesPerFrame(frame) {
  let least = Infinity
  for (let round = 0; round < ROUNDS && least > 1; round++) {
    const used = process.memoryUsage().heapUsed
    for (let i = 0; i < FRAMES_PER_ROUND; i++) frame()
    // Below 0 after a collection, which makes the round useless.
    const more = (process.memoryUsage().heapUsed - used) / FRAMES_PER_ROUND
    if (more >= 0) least = Math.min(least, more)
  }
  return least
}

function settledWorld() {
  const world = new World()
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  const body = world.createBody({ shape: cube, position: [3, 0.5, 0] })
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  return { world, body }
}

test('a step and the bulk arrays make no garbage', () => {
  const { world } = settledWorld()
  const points = new Float64Array(13 * 8)
  let sum = 0
  const bytes = bytesPerFrame(() => {
    world.step(1 / 60)
    sum += world.readContactPoints(points)
    sum += world.transforms.length + world.transforms64.length + world.velocities.length
    sum += world.moved.length + world.bodyIds.length + world.awakeCount
  })
  assert.ok(sum > 0)
  assert.ok(bytes < 1, `${bytes} bytes per frame`)
})

test('nor do the read twins, whatever they write to', () => {
  const { body } = settledWorld()
  const outs = [{ x: 0.5, y: 0.5, z: 0.5, w: 0.5 }, new Float64Array(4), [0.5, 0.5, 0.5, 0.5]]
  const matrix = new Float64Array(9)
  const bytes = bytesPerFrame(() => {
    for (let i = 0; i < outs.length; i++) {
      const out = outs[i]
      body.readPosition(out)
      body.readOrientation(out)
      body.readLinearVelocity(out)
      body.readAngularVelocity(out)
      body.readWorldCenterOfMass(out)
      body.readAngularMomentum(out)
    }
    body.readInertia(matrix)
  })
  assert.ok(bytes < 1, `${bytes} bytes per frame`)
})
