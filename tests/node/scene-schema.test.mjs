/**
 * The schema of scene files and the code that reads them: what is written is a scene by the schema, and bad input is refused
 * by both, by the code with its place.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import * as moreau from 'moreau'
import { scenes } from 'moreau/scenarios'
import { sequence, worldOptions } from '../fuzz/javascript/lines.mjs'
import { NAMES, Stage } from '../fuzz/javascript/stage.mjs'
import { fileOf, idleFunctions, isScene } from './scene-files.mjs'

const { World } = moreau
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

before(() => moreau.init())

/** @param {unknown} file */
function assertScene(file) {
  assert.ok(isScene(file), JSON.stringify(isScene.errors?.slice(0, 3)))
}

describe('what toJSON writes is a scene by the schema', () => {
  for (const scene of scenes) {
    test(scene.name, async () => {
      const world = await World.create(scene.options)
      const things = scene.setup(world)
      assertScene(fileOf(world))
      for (let i = 0; i < 30; i++) {
        scene.beforeStep?.(world, things, scene.timeStep)
        world.step(scene.timeStep)
      }
      assertScene(fileOf(world))
      world.free()
    })
  }
})

/** Sequences of calls that make a world; the fuzzer's own, without what only reads. */
const SEQUENCES = 150
const MOST_LINES = 40

/**
 * Runs the lines that are not refused.
 * @param {object} options
 * @param {readonly string[]} lines
 */
function play(options, lines) {
  const stage = /** @type {any} */ (new Stage(moreau, options))
  for (const line of lines) {
    try {
      new Function(...NAMES, `return (${line})`)(...NAMES.map((name) => stage[name]))
    } catch {
      // What is refused changes nothing.
    }
  }
  return stage
}

/**
 * Spins beyond all measure leave bodies without an orientation, places as far out have distances that overflow, and products of
 * tiny moments of inertia are 0: no definition may have these.
 * @param {import('moreau').Body} body
 */
const isOfThisWorld = ({ position, orientation, inertia }) =>
  orientation.some(Boolean) &&
  position.every((x) => Math.abs(x) < 1e100) &&
  [0, 4, 8].every((i) => inertia[i] === 0 || inertia[i] > 1e-60)

test(`${SEQUENCES} random worlds come out of their files as they went in`, () => {
  const property = fc.property(worldOptions, sequence(MOST_LINES), (options, lines) => {
    const stage = play(options, lines)
    try {
      fc.pre(stage.world.bodies.every(isOfThisWorld))
      const file = fileOf(stage.world)
      assertScene(file)
      const [copy, other] = [0, 1].map(() => World.fromJSON(file, idleFunctions(file)))
      assert.deepEqual(fileOf(copy), file)
      assert.equal(copy.hash(), other.hash())
      assert.deepEqual(
        copy.bodies.map(({ position, mass, inertia }) => ({ position, mass, inertia })),
        stage.world.bodies.map((/** @type {any} */ { position, mass, inertia }) => ({
          ...{ position, mass, inertia },
        })),
      )
      for (const one of [copy, other]) one.free()
    } finally {
      stage.free()
    }
  })
  fc.assert(property, { numRuns: SEQUENCES, seed: 5 })
})

/** A file with one of everything, for changes. @returns {any} */
function example() {
  const box = { ...cube, position: [0, 1, 0] }
  return {
    version: 1,
    settings: { gravity: [0, -9.81, 0], solver: 'soft-step' },
    bodies: [
      { name: 'floor', type: 'static', shape: { type: 'plane' } },
      { position: [0, 1, 0], shapes: [box, { type: 'sphere', radius: 0.5 }] },
      { position: [3, 1, 0], shapes: [{ type: 'hull', asset: 'pyramid' }], mass: 2 },
      { type: 'kinematic', position: [0, 9, 0] },
    ],
    joints: [
      { type: 'hinge', bodyA: 'floor', bodyB: 1, anchor: [0, 0, 0], axis: [0, 0, 1] },
      { type: 'slider', bodyB: 2, anchor: [3, 1, 0], axis: [1, 0, 0], limits: { upper: 2 } },
      { type: 'rackAndPinion', jointA: 0, jointB: 1, ratio: 0.5 },
    ],
    constraints: [{ type: 'distance', bodies: [1, 2], length: 3 }],
    potentials: [{ type: 'drag', linear: 0.5, bodies: [2] }],
    assets: { pyramid: { type: 'hull', points: base64([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]) } },
  }
}

/** @param {number[]} numbers */
function base64(numbers) {
  return Buffer.from(new Float64Array(numbers).buffer).toString('base64')
}

/**
 * What somebody gets wrong, and what is said. `isFine`: the schema cannot know.
 * @type {readonly { change: (file: any) => unknown, says: string | RegExp, isFine?: boolean }[]}
 */
const MISTAKES = [
  { change: (file) => delete file.version, says: 'version must be 1, got undefined' },
  { change: (file) => (file.version = 2), says: 'version must be 1, got 2' },
  {
    change: (file) => (file.boddies = []),
    says: "World.fromJSON: unknown option 'boddies'; did you mean 'bodies'?",
  },
  { change: (file) => (file.bodies = {}), says: 'bodies must be an array, got {}' },
  { change: (file) => (file.bodies[3] = 7), says: 'bodies[3] must be an object, got 7' },
  {
    change: (file) => (file.settings.solver = 'soft'),
    says: /^settings\.solver must be one of .*, got 'soft'; did you mean 'soft-step'\?$/,
  },
  {
    change: (file) => (file.settings.substeps = 0),
    says: 'settings.substeps must be a whole number from 1 to 64, got 0',
  },
  {
    change: (file) => (file.settings.gravitation = 1),
    says: /^settings: unknown option 'gravitation'/,
  },
  { change: (file) => (file.time = 'noon'), says: "time must be a finite number, got 'noon'" },
  {
    change: (file) => (file.stepCount = 0.5),
    says: /^stepCount must be a whole number from 0 to \d+, got 0\.5$/,
  },
  {
    change: (file) => (file.bodies[1].shapes[1].radius = -1),
    says: 'bodies[1].shapes[1].radius must be a finite number above 0, got -1',
  },
  {
    change: (file) => (file.bodies[1].shapes[0].type = 'cube'),
    says: /^bodies\[1\]\.shapes\[0\]\.type must be one of .*, got 'cube'/,
  },
  {
    change: (file) => (file.bodies[1].shapes[0].size = 3),
    says: /^bodies\[1\]\.shapes\[0\] of type 'box' has an unknown option 'size'/,
  },
  {
    change: (file) => (file.bodies[1].position = [0, 1]),
    says: /^bodies\[1\]\.position must be three finite numbers .*, got \[0, 1\]$/,
  },
  {
    change: (file) => (file.bodies[1].position[2] = 'Infinity'),
    says: /^bodies\[1\]\.position must be three finite numbers .*, got \[0, 1, Infinity\]$/,
  },
  {
    change: (file) => (file.bodies[1].colour = 'red'),
    says: /^bodies\[1\]: unknown option 'colour'/,
  },
  { change: (file) => (file.bodies[2].mass = 0), says: /^bodies\[2\]\.mass must be .*, got 0$/ },
  {
    change: (file) => (file.bodies[1].shape = cube),
    says: 'bodies[1]: shape and shapes exclude each other, got both',
  },
  {
    change: (file) => (file.bodies[1].name = 'floor'),
    says: "bodies[1].name: another body has the name 'floor'",
    isFine: true,
  },
  { change: (file) => (file.bodies[1].name = 5), says: 'bodies[1].name must be a string, got 5' },
  {
    change: (file) => (file.bodies[1].asleep = 'yes'),
    says: "bodies[1].asleep must be true or false, got 'yes'",
  },
  {
    change: (file) => (file.bodies[3].target = { position: [0, 1, 0] }),
    says: /^bodies\[3\]\.target\.orientation must be four finite numbers/,
  },
  {
    change: (file) => (file.bodies[2].target = { position: [0, 1, 0], orientation: [0, 0, 0, 1] }),
    says: 'bodies[2]: only a kinematic body has a target',
    isFine: true,
  },
  {
    change: (file) => (file.bodies[3].force = [1, 0, 0]),
    says: 'bodies[3]: force and torque must be 0 for a body that is not dynamic',
    isFine: true,
  },
  {
    change: (file) => (file.bodies[2].shapes[0].asset = 'cube'),
    says: "bodies[2].shapes[0].asset must be the name of an entry of assets, or options.assets be given, got 'cube'",
    isFine: true,
  },
  {
    change: (file) => (file.bodies[1].shapes[1].asset = 'pyramid'),
    says: "bodies[1].shapes[1].asset must be left out for this type of shape, got 'pyramid'",
  },
  {
    change: (file) => (file.assets.pyramid.points = 'AAA!'),
    says: "assets['pyramid'].points must be base64 of a Float64Array, got 'AAA!'",
    isFine: true,
  },
  {
    change: (file) => (file.assets.pyramid.points = base64([0, 0, 0, 1, 0, 0])),
    says: 'bodies[2].shapes[0]: 2 points are too few; at least 4 that span a volume are needed',
    isFine: true,
  },
  {
    change: (file) => (file.assets.pyramid.type = 'mash'),
    says: /^assets\['pyramid'\]\.type must be one of 'hull', 'mesh', 'heightfield', got 'mash'/,
  },
  {
    change: (file) => (file.joints[0].bodyB = 9),
    says: 'joints[0].bodyB must be the index of a body, below 4, or the name of one, got 9',
    isFine: true,
  },
  {
    change: (file) => (file.joints[0].bodyA = 'roof'),
    says: "joints[0].bodyA must be the index of a body, below 4, or the name of one, got 'roof'",
    isFine: true,
  },
  {
    change: (file) => (file.joints[2].jointB = 2),
    says: 'joints[2].jointB must be the index of a joint that comes before it, got 2',
    isFine: true,
  },
  {
    change: (file) => (file.joints[1].limits = { upper: 'far' }),
    says: /^joints\[1\]\.limits must be \[lower, upper\] with lower <= upper, got/,
  },
  {
    change: (file) => (file.joints[1].motor = { maxForce: -1 }),
    says: 'joints[1].motor.maxForce must be 0 or more, got -1',
  },
  {
    change: (file) => (file.joints[0].reference = { frameA: [0, 0, 0, 1] }),
    says: /^joints\[0\]\.reference\.frameB must be four finite numbers/,
  },
  {
    change: (file) => (file.joints[0].drives = [{ limits: [1, 'up'] }]),
    says: /^joints\[0\]\.drives\[0\]\.limits must be \[lower, upper\]/,
  },
  {
    change: (file) => delete file.joints[0].axis,
    says: /^joints\[0\]\.axis must be/,
    isFine: true,
  },
  {
    change: (file) => (file.constraints[0].after = 4),
    says: 'constraints[0].after must be a whole number from 0 to 3, got 4',
    isFine: true,
  },
  {
    change: (file) => (file.constraints[0].bodies = 1),
    says: 'constraints[0].bodies must be an array of one or two, got 1',
  },
  {
    change: (file) =>
      (file.constraints[0] = {
        type: 'custom',
        bodies: [1],
        dimension: 1,
        bounds: [{ lower: 'x' }],
      }),
    says: /^constraints\[0\]\./,
  },
  {
    change: (file) => (file.potentials[0].linear = -2),
    says: 'potentials[0].linear must be a finite number, 0 or more, got -2',
  },
  {
    change: (file) => (file.potentials[0].region = { type: 'ball', radius: 1 }),
    says: /^potentials\[0\]\.region\.type must be one of 'sphere', 'box', got 'ball'/,
  },
  {
    change: (file) => (file.potentials[0].bodies = []),
    says: 'potentials[0].bodies must be a body or an array of one or more, got []',
  },
  {
    change: (file) => (file.contactFunctions = ['contactSorter']),
    says: /^contactFunctions\[0\] must be one of 'contactFilter', 'contactModifier'/,
  },
]

describe('bad input', () => {
  test('without a mistake the example is a scene, and a world', () => {
    assertScene(example())
    const world = World.fromJSON(example())
    assert.equal(world.bodies.length, 4)
    assert.equal(world.bodies[0].userData, 'floor')
    world.free()
  })

  for (const { change, says, isFine = false } of MISTAKES) {
    const name = `${change}`.replace(/^\(?file\)? =>\s*/, '')
    test(name, () => {
      const file = example()
      change(file)
      const keeper = new World()
      const { bytes } = keeper.memory()
      assert.throws(() => World.fromJSON(file), { name: 'MoreauError', message: says })
      assert.equal(isScene(file), isFine)
      // Less, if worlds of other tests are collected meanwhile.
      assert.ok(keeper.memory().bytes <= bytes, 'nothing is left of what was made before')
      keeper.free()
    })
  }

  test('what is no scene at all', () => {
    for (const value of [undefined, null, 'text', 3, [], new Map()]) {
      assert.throws(() => World.fromJSON(/** @type {any} */ (value)), { code: 'invalid-argument' })
    }
    const body = /** @type {Record<string, unknown>} */ ({ position: [0, 0, 0] })
    body.target = { self: body }
    assert.throws(() => World.fromJSON({ version: 1, bodies: [body] }), {
      message: 'bodies[0]: objects are within each other more than 64 deep',
    })
    assert.throws(() => World.fromJSON({ version: 1 }, /** @type {any} */ ({ asset: 1 })), {
      message: /unknown option 'asset'; did you mean 'assets'\?/,
    })
  })
})
