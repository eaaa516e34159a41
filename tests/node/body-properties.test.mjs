/**
 * Every property of a body through all that reads or writes bodies: JSON, its schema, snapshots, setters, recordings, workers, types and
 * fuzzers. Who adds a property gives it a value here, and each place that was forgotten fails a test of its name.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { World as RemoteWorld } from 'moreau/worker'
import { BODY_NAMES } from '../../bindings/definitions/body-definition.mjs'
import { body as BODY_SCHEMA } from '../../bindings/schema/scene/bodies.mjs'

const text = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const TYPES = text('bindings/types/body.mjs').split('@typedef {object} BodyDefinition')[1]
const [LINES] = text('tests/fuzz/javascript/lines.mjs').split('// --- joints')
const BALL = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

/** A value that is no default, of each property. @type {Record<string, unknown>} */
const VALUES = {
  type: 'kinematic',
  position: [1, 2, 3],
  orientation: [0, 0.6, 0, 0.8],
  linearVelocity: [1, 0, 2],
  angularVelocity: [0, 3, 1],
  shape: { type: 'box', halfExtents: [0.5, 0.25, 0.75] },
  shapes: [BALL, { type: 'capsule', radius: 0.25, halfHeight: 0.5, position: [1, 0, 0] }],
  mass: 3,
  density: 700,
  inertia: [1, 2, 2.5],
  centerOfMass: [0.1, 0.2, 0],
  friction: 0.25,
  restitution: 0.75,
  linearDamping: 0.5,
  angularDamping: 0.25,
  gravityScale: -0.5,
  solver: 'exact',
  filter: { category: 2, mask: 5, group: -1 },
  sensor: true,
  isEnabled: false,
  bullet: true,
  allowSleep: false,
  lockTranslation: [true, false, true],
  lockRotation: [false, true, false],
  frictionCombine: 'maximum',
  restitutionCombine: 'minimum',
  rollingFriction: 0.02,
  spinningFriction: 0.03,
  surfaceVelocity: [0, 0, 1.5],
  userData: 'a name',
}
/** What a written shape has in place of its body. */
const OF_SHAPES = ['shape', 'sensor']
/** What keeps its meaning only in the process that made it. */
const ONLY_HERE = ['userData']

/** @param {string} name */
const definitionOf = (name) =>
  /** @type {any} */ ({
    ...(name === 'shape' || name === 'shapes' ? {} : { shape: BALL }),
    [name]: VALUES[name],
  })

/** @param {World} world */
const written = (world) => JSON.parse(JSON.stringify(world))

/** @param {string} name */
function worldWith(name) {
  const world = new World()
  const body = world.createBody(definitionOf(name))
  return { world, body }
}

/** Whether the property can be set on a body that is there. @param {string} name @param {object} body */
function isSettable(name, body) {
  for (let at = body; at; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name)
    if (descriptor) return descriptor.set !== undefined
  }
  return false
}

before(() => init())

test('each property has a value here, and there is no other', () => {
  assert.deepEqual(Object.keys(VALUES).sort(), [...BODY_NAMES].sort())
})

for (const name of BODY_NAMES) {
  describe(name, () => {
    /** @type {ReturnType<typeof worldWith>} */
    let made
    before(() => {
      made = worldWith(name)
    })
    after(() => made.world.free())

    test('is in the JSON of a world, which makes the same world', () => {
      const scene = written(made.world)
      const plain = worldWith('shape')
      plain.body.shape = BALL
      const [one] = scene.bodies
      const ordinary = written(plain.world).bodies[0]
      plain.world.free()
      assert.notDeepEqual(one, ordinary, 'the value is written')
      if (!OF_SHAPES.includes(name)) assert.ok(name in one, JSON.stringify(one))
      const again = World.fromJSON(scene)
      assert.deepEqual(written(again), scene)
      assert.equal(again.hash(), made.world.hash())
      again.free()
    })

    test('is in a snapshot', () => {
      const other = new World()
      other.restore(made.world.snapshot())
      const [scene, found] = [written(made.world), written(other)]
      if (ONLY_HERE.includes(name)) delete scene.bodies[0][name]
      assert.deepEqual(found, scene)
      other.free()
    })

    test('can be set, to what a definition makes of it, and a recording has it', (context) => {
      const plain = new World()
      const recording = plain.record()
      const body = /** @type {any} */ (plain.createBody({ shape: BALL }))
      if (isSettable(name, body)) {
        body[name] = VALUES[name]
        plain.step(1 / 60)
        const direct = new World()
        direct.createBody(definitionOf(name))
        direct.step(1 / 60)
        const at = OF_SHAPES.includes(name) ? 'shapes' : name
        assert.deepEqual(written(plain).bodies[0][at], written(direct).bodies[0][at])
        direct.free()
        const played = World.replay(recording.stop())
        assert.equal(played.divergence, undefined)
        if (!ONLY_HERE.includes(name)) assert.deepEqual(written(played.world), written(plain))
        played.world.free()
      } else {
        context.skip('it is given once')
      }
      plain.free()
    })

    test('is known to the schema of scenes, the types and the fuzzer', () => {
      assert.ok(name in /** @type {any} */ (BODY_SCHEMA).properties, 'schema')
      assert.match(TYPES, new RegExp(`@property \\{.*\\} \\[${name}\\]`), 'types')
      if (!ONLY_HERE.includes(name)) assert.match(LINES, new RegExp(`\\b${name}\\b`), 'fuzzer')
    })
  })
}

test('a world in a worker has them all', async () => {
  const worker = await RemoteWorld.create()
  for (const name of BODY_NAMES) worker.createBody(definitionOf(name))
  const here = new World()
  for (const name of BODY_NAMES) here.createBody(definitionOf(name))
  const there = JSON.parse(JSON.stringify(await worker.toJSON()))
  assert.deepEqual(there.bodies, written(here).bodies)
  here.free()
  worker.free()
})
