import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'

/** @type {import('moreau').ShapeDefinition} */
const box = { type: 'box', halfExtents: [0.5, 0.5, 0.5] }

async function worldOfJoints() {
  const world = await World.create()
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const post = world.createBody({ type: 'static', shape: box, position: [0, 3, 0] })
  const door = world.createBody({ shape: box, position: [1.2, 3, 0] })
  const limits = { lower: -1, upper: 0.5 }
  const anchor = [0.6, 3, 0]
  world.createJoint({ type: 'hinge', bodyA: post, bodyB: door, anchor, axis: [0, 1, 0], limits })
  return { world, door }
}

/** @param {Float32Array} vertices */
function points(vertices) {
  const all = []
  for (let i = 0; i < vertices.length; i += 3) all.push([...vertices.subarray(i, i + 3)])
  return all
}

const OFF = { shapes: false, contacts: false, joints: false }

test('debugRender gives vertices and colours as three.js has them', async () => {
  const { world } = await worldOfJoints()
  const { vertices, colors } = world.debugRender()
  assert.ok(vertices instanceof Float32Array && colors instanceof Float32Array)
  assert.equal(vertices.length % 6, 0)
  assert.equal(colors.length / 4, vertices.length / 3)
  assert.ok(vertices.every(Number.isFinite))
  assert.ok(colors.every((part) => part >= 0 && part <= 1))
  world.free()
})

test('each part can be drawn alone', async () => {
  const { world } = await worldOfJoints()
  world.step(1 / 60)
  assert.equal(world.debugRender(OFF).vertices.length, 0)
  const all = { ...OFF, shapes: true, bounds: true, joints: true, centersOfMass: true }
  const together = world.debugRender(all).vertices.length
  let sum = 0
  for (const part of ['shapes', 'bounds', 'joints', 'centersOfMass']) {
    const { length } = world.debugRender({ ...OFF, [part]: true }).vertices
    assert.ok(length > 0, part)
    sum += length
  }
  assert.equal(sum, together)
  world.free()
})

test('a hinge with limits has an arc about its anchor', async () => {
  const { world } = await worldOfJoints()
  const lines = points(world.debugRender({ ...OFF, joints: true }).vertices)
  const distances = lines.map(([x, y, z]) => Math.hypot(x - 0.6, y - 3, z))
  const radius = Math.max(...distances.filter((d, i) => Math.abs(lines[i][2]) > 1e-3))
  const arc = lines.filter((_, i) => Math.abs(distances[i] - radius) < 1e-5)
  assert.ok(arc.length > 8)
  assert.ok(arc.every(([, y]) => Math.abs(y - 3) < 1e-5))
  world.free()
})

test('arrays belong to the caller and follow the bodies', async () => {
  const { world, door } = await worldOfJoints()
  const options = { ...OFF, centersOfMass: true }
  const before = world.debugRender(options)
  const copy = before.vertices.slice()
  door.position = [1.2, 4, 0]
  const after = world.debugRender(options)
  assert.deepEqual(before.vertices, copy)
  assert.ok(Math.abs(after.vertices[1] - before.vertices[1] - 1) < 1e-6)
  world.free()
})

test('bad options are refused by name', async () => {
  const { world } = await worldOfJoints()
  // @ts-expect-error a misspelt name
  assert.throws(() => world.debugRender({ shape: true }), /unknown option 'shape'.*'shapes'/)
  // @ts-expect-error a wrong type
  assert.throws(() => world.debugRender({ joints: 1 }), /debugRender: joints.*true or false.*1/)
  world.free()
  assert.throws(() => world.debugRender(), { code: 'stale-handle' })
})
