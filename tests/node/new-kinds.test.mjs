/**
 * A shape and a joint that are added by the recipes of CONTRIBUTING.md to a copy of the bindings, and all of JavaScript that reads shapes
 * and joints: definitions, JSON, snapshots, recordings, drawing. In the engine the shape is a cone and the joint a hinge: what is
 * tried here are the recipes of JavaScript, those of C are in tests/unit/step/toy_consumers.c.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CONSTRAINT_TYPES } from '../../bindings/generated/enums.mjs'
import { SHAPE_KINDS } from '../../bindings/definitions/shape-kinds.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')
const recipes = text('CONTRIBUTING.md')

/** The steps of a recipe: a file, what is looked for in it, and what stands there afterwards. @type {[string, string, string][]} */
const SHAPE = [
  [
    'definitions/shape-kinds.mjs',
    'mesh, heightfield, compound }',
    `mesh, heightfield, compound },
  toyCone: {
    names: ['radius', 'halfHeight'],
    size: 'radius',
    read: ({ radius, halfHeight }, path) => ({
      radius: readPositive(radius, \`\${path}.radius\`),
      halfHeight: readPositive(halfHeight, \`\${path}.halfHeight\`),
    }),
    create: (exports, { radius, halfHeight }) => exports.shape_create_cone(radius, halfHeight, 0),
  }`,
  ],
]
/** @type {[string, string, string][]} */
const JOINT = [
  // The word of the enum, which the generator would write. The engine has no class for one more.
  ['generated/enums.mjs', "'hinge'", "'toyHinge'"],
  ['definitions/constraint-definition.mjs', "...['fixed', 'ball', 'hinge'", "'toyHinge', $&"],
  [
    'definitions/constraint-definition.mjs',
    '  hinge: [',
    '  toyHinge: [...PLACED, ...AXES, ...DRIVE_NAMES],\n$&',
  ],
  ['definitions/joint-frames.mjs', "HAS_AXES = new Set(['hinge'", "HAS_AXES = new Set(['toyHinge'"],
  ['definitions/joint-drives.mjs', '...{ hinge: 1', '...{ toyHinge: 1'],
  [
    'definitions/joint-drives.mjs',
    "HAS_ONE_DRIVE = new Set(['hinge'",
    "HAS_ONE_DRIVE = new Set(['toyHinge'",
  ],
]

/** @type {string} */
let folder
/** @type {any} the classes of the copy, whose definitions have kinds that no type knows */
let copy

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moreau-kinds-'))
  cpSync(join(root, 'bindings'), join(folder, 'bindings'), { recursive: true })
  for (const [path, from, to] of [...SHAPE, ...JOINT]) {
    const file = join(folder, 'bindings', path)
    const old = readFileSync(file, 'utf8')
    assert.equal(old.split(from).length, 2, `${path} has ${from} once`)
    writeFileSync(
      file,
      old.replace(from, (found) => to.replace('$&', found)),
    )
  }
  copy = await import(pathToFileURL(join(folder, 'bindings/index.mjs')).href)
  await copy.init()
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** @param {any} world */
function fill(world) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const shape = () => ({ type: 'toyCone', radius: 0.5, halfHeight: 0.5 })
  world.createBody({ shape: { ...shape(), friction: 0.3 }, position: [0, 0.6, 0] })
  const parts = [shape(), { type: 'sphere', radius: 0.2, position: [0, 0.5, 0] }]
  world.createBody({ shapes: [{ type: 'compound', shapes: parts }], position: [3, 2, 0] })
  const held = world.createBody({
    shape: shape(),
    position: [-3, 3, 0],
    angularVelocity: [0, 0, 1],
  })
  return world.createJoint({
    ...{ type: 'toyHinge', bodyA: null, bodyB: held, anchor: [-3, 3.5, 0], axis: [0, 0, 1] },
    ...{ limits: [-0.5, 0.5], motor: { targetVelocity: 1, maxForce: 5 } },
  })
}

/** @param {any} world @param {number} steps */
function hashAfter(world, steps) {
  for (let step = 0; step < steps; step++) world.step(1 / 60)
  return world.hash()
}

describe('a shape and a joint of the recipes', () => {
  test('their steps are all in CONTRIBUTING', () => {
    for (const [path] of [...SHAPE, ...JOINT]) {
      if (!path.startsWith('generated'))
        assert.ok(recipes.includes(path.split('/').at(-1) ?? ''), path)
    }
  })

  test('they are read back as they were given', () => {
    const world = new copy.World()
    const joint = fill(world)
    assert.equal(joint.type, 'toyHinge')
    assert.deepEqual({ ...joint.limits }, { lower: -0.5, upper: 0.5 })
    assert.ok(Math.abs(joint.axisA[2] - 1) < 1e-12)
    assert.equal(world.bodies[1].shape.type, 'toyCone')
    assert.equal(world.bodies[1].shape.halfHeight, 0.5)
    assert.throws(
      () => world.createBody({ shape: { type: 'toyCone', radius: 1, halfHeight: 1, size: 2 } }),
      { code: 'invalid-argument' },
    )
    world.free()
  })

  test('JSON makes the same world', () => {
    const world = new copy.World()
    fill(world)
    const scene = JSON.parse(JSON.stringify(world))
    const other = copy.World.fromJSON(scene)
    assert.deepEqual(other.toJSON(), world.toJSON())
    assert.equal(hashAfter(other, 30), hashAfter(world, 30))
    world.free()
    other.free()
  })

  test('so does a snapshot', () => {
    const world = new copy.World()
    fill(world)
    world.step(1 / 60)
    const other = new copy.World()
    other.restore(world.snapshot())
    assert.equal(hashAfter(other, 30), hashAfter(world, 30))
    assert.equal(other.joints[0].type, 'toyHinge')
    world.free()
    other.free()
  })

  test('a recording plays again, with what is made, changed and destroyed in it', () => {
    const world = new copy.World()
    const recording = world.record()
    const joint = fill(world)
    hashAfter(world, 10)
    joint.limits = [-0.2, 0.2]
    world.bodies[1].shape = { type: 'toyCone', radius: 0.25, halfHeight: 0.75 }
    hashAfter(world, 10)
    joint.destroy()
    const hash = hashAfter(world, 10)
    const played = copy.World.replay(recording.stop())
    assert.equal(played.divergence, undefined)
    assert.equal(played.world.hash(), hash)
    played.world.free()
    world.free()
  })

  test('they are drawn', () => {
    const world = new copy.World()
    const empty = world.debugRender().vertices.length
    fill(world)
    assert.ok(world.debugRender({ joints: false }).vertices.length > empty + 6 * 30)
    assert.ok(
      world.debugRender().vertices.length > world.debugRender({ joints: false }).vertices.length,
    )
    world.free()
  })
})

describe('no kind is missing in a list', () => {
  test('each shape has its word in the types and in the schema of scenes', async () => {
    const { SCENE_SCHEMA } = await import('../../bindings/schema/scene/index.mjs')
    const schema = JSON.stringify(SCENE_SCHEMA)
    for (const type of Object.keys(SHAPE_KINDS)) {
      assert.ok(text('bindings/types/names.mjs').includes(`'${type}'`), type)
      assert.ok(text('bindings/types/shape.mjs').includes(`'${type}'`), type)
      assert.ok(schema.includes(`{"const":"${type}"}`), type)
    }
  })

  test('each joint has its word in the types, among the options and in the schema', async () => {
    const { SCENE_SCHEMA } = await import('../../bindings/schema/scene/index.mjs')
    const schema = JSON.stringify(SCENE_SCHEMA)
    for (const type of CONSTRAINT_TYPES) {
      assert.ok(text('bindings/types/names.mjs').includes(`'${type}'`), type)
      assert.ok(
        text('bindings/definitions/constraint-definition.mjs').includes(`  ${type}: `),
        type,
      )
      assert.ok(schema.includes(`{"const":"${type}"}`), type)
    }
  })
})
