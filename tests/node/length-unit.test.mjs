/**
 * Worlds in other units of length: they move as worlds in metres do, to the bit where the unit is a power of 2, because then nothing is rounded
 * in another way. A threshold in metres that forgets the unit shows here at once.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

const DT = 1 / 60
const STEPS = 120
/** m, m/s: what is smaller is the round-off of a zero. */
const ZERO = 1e-20

before(() => init())

/** @typedef {(value: any) => any} Lengths takes metres to units, of numbers and lists of them */
/** @typedef {{ world: World, far: Lengths, box: (half: number[], position: number[], more?: object) => import('moreau').Body }} Maker */
/** What is looked at besides bodies, in metres. @typedef {() => number[]} Probe */

/** @param {number} metre @returns {Lengths} */
const lengthsOf = (metre) => (value) =>
  Array.isArray(value) ? value.map(lengthsOf(metre)) : value * metre

/** Shapes of all kinds of colliders, m. @param {Lengths} far */
const shapesIn = (far) => [
  { type: 'sphere', radius: far(0.12) },
  { type: 'capsule', radius: far(0.08), halfHeight: far(0.1) },
  { type: 'cylinder', radius: far(0.12), halfHeight: far(0.1) },
  { type: 'cone', radius: far(0.12), halfHeight: far(0.1) },
  { type: 'hull', points: far([...TETRAHEDRON, [0, 0, 0.15]]) },
]
const TETRAHEDRON = [
  [0, 0.2, 0],
  [0.15, -0.1, 0],
  [-0.1, -0.1, 0.12],
  [-0.1, -0.1, -0.12],
]

/** What scenes there are: each fills a world with a floor. @type {Record<string, (maker: Maker) => Probe | void>} */
const SCENES = {
  stack({ box }) {
    for (let i = 0; i < 6; i++) box([0.2, 0.2, 0.2], [0.01 * i, 0.2 + 0.41 * i, 0.003 * i])
  },
  pile({ world, far }) {
    for (let i = 0; i < 20; i++) {
      const place = [0.3 * (i % 3) - 0.3 + 0.02 * i, 0.5 + 0.3 * Math.floor(i / 3), 0.013 * i]
      const shape = /** @type {any} */ (shapesIn(far)[i % 5])
      world.createBody({ shape, position: far(place), angularVelocity: [0.1 * i, 0.5, -0.2] })
    }
  },
  bounces({ box }) {
    box([0.1, 0.1, 0.1], [0, 1, 0], { restitution: 0.8 })
    box([0.1, 0.2, 0.1], [1, 1, 0], { restitution: 0.5, angularVelocity: [1, 2, 3] })
  },
  'a fast body at a thin wall'({ box, far }) {
    box([0.02, 1, 1], [3, 1, 0], { type: 'static' })
    const motion = { linearVelocity: far([90, 0, 0]), angularVelocity: [5, 0, 20], bullet: true }
    box([0.1, 0.1, 0.1], [-2, 0.8, 0.2], motion)
  },
  joints({ world, far, box }) {
    let last = null
    for (const [i, type] of ['ball', 'hinge', 'slider', 'fixed', 'ball'].entries()) {
      const body = box([0.1, 0.05, 0.05], [0.25 * i + 0.1, 1.5, 0])
      const axis = type === 'hinge' ? { axis: [0, 0, 1] } : type === 'slider' && { axis: [1, 0, 0] }
      const joint = { type, bodyA: last, bodyB: body, anchor: far([0.25 * i - 0.025, 1.5, 0]) }
      world.createJoint(/** @type {any} */ ({ ...joint, ...axis }))
      last = body
    }
  },
  'a character'({ world, far, box }) {
    box([0.5, 0.1, 0.5], [1.5, 0.1, 0], { type: 'static' })
    const shape = { type: 'capsule', radius: far(0.3), halfHeight: far(0.6) }
    const hero = world.createCharacter(/** @type {any} */ ({ shape, position: far([0, 1, 0]) }))
    return () => {
      hero.move(far([0.05, -0.1, 0.001]), DT)
      return [...hero.position]
    }
  },
  sleep({ world, box, far }) {
    for (let i = 0; i < 4; i++) box([0.2, 0.2, 0.2], [i, 0.21, 0])
    return () => [far(world.awakeCount)]
  },
}

/** All numbers of a scene in its steps, in metres. @param {string} scene @param {string} solver @param {number} metre in its unit */
function play(scene, solver, metre) {
  const far = lengthsOf(metre)
  const world = new World(/** @type {any} */ ({ lengthUnit: 1 / metre, solver, warnings: false }))
  const box = (/** @type {number[]} */ half, /** @type {number[]} */ position, more = {}) => {
    const shape = { type: 'box', halfExtents: far(half) }
    return world.createBody(/** @type {any} */ ({ shape, position: far(position), ...more }))
  }
  box([10, 0.5, 10], [0, -0.5, 0], { type: 'static' })
  const probe = SCENES[scene]({ world, far, box }) ?? (() => [])
  const states = Array.from({ length: STEPS }, () => {
    world.step(DT)
    const lengths = [...probe(), ...world.bodies.flatMap(lengthsOfBody)]
    return lengths.map((x) => (Math.abs(x) < ZERO * metre ? 0 : x / metre))
  })
  const turns = world.bodies.flatMap(({ orientation }) => [...orientation])
  world.free()
  return { states, turns }
}

/** @param {import('moreau').Body} body */
const lengthsOfBody = ({ position, linearVelocity }) => [...position, ...linearVelocity]

describe('a unit of length that is a power of 2 changes no bit', () => {
  for (const solver of ['soft-step', 'auto', 'block-pgs', 'exact']) {
    for (const scene of Object.keys(SCENES)) {
      // Angles and lengths are weighed against each other there.
      if (scene === 'joints' && ['block-pgs', 'exact'].includes(solver)) continue
      test(`${solver}: ${scene}`, () => {
        const metres = play(scene, solver, 1)
        for (const metre of [64, 128]) assert.deepEqual(play(scene, solver, metre), metres)
      })
    }
  }
})

describe('centimetres and millimetres', () => {
  test('boxes come to rest and fall asleep as they do in metres', () => {
    const { states: metres } = play('sleep', 'soft-step', 1)
    for (const metre of [100, 1000]) {
      const { states } = play('sleep', 'soft-step', metre)
      const apart = states.flatMap((state, i) => state.map((x, k) => Math.abs(x - metres[i][k])))
      // Single precision has 1e-7 of some metres, and contacts enlarge that a hundred times.
      assert.ok(Math.max(...apart) < 2e-5, `${Math.max(...apart)} apart`)
    }
  })

  test('defaults are converted, and what is given is not', () => {
    const world = new World({ lengthUnit: 0.01, hitThreshold: 5 })
    assert.deepEqual([...world.gravity], [0, -981, 0])
    assert.equal(world.maxCorrectionSpeed, 300)
    assert.equal(world.hitThreshold, 5)
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [50, 50, 50] })
    const { mass } = world.createBody({ shape })
    assert.ok(Math.abs(mass - 1000) < 1e-9, `${mass} kg`)
    const { offset, stepHeight } = world.createCharacter({ shape })
    assert.deepEqual([offset, stepHeight], [1, 30])
    world.free()
  })

  test('JSON and snapshots keep the unit', () => {
    const world = new World({ lengthUnit: 0.01 })
    world.createBody({ shape: { type: 'sphere', radius: 5 }, position: [0, 100, 0] })
    for (const copy of [World.fromJSON(JSON.parse(JSON.stringify(world))), new World()]) {
      copy.restore(world.snapshot())
      assert.equal(copy.lengthUnit, 0.01)
      for (const each of [world, copy]) each.step(DT)
      assert.equal(copy.hash(), world.hash())
      copy.free()
    }
    world.free()
  })

  test('a unit that is none is refused by its name and value', () => {
    for (const lengthUnit of [0, -1, Infinity, NaN]) {
      const message = `World: lengthUnit must be a finite number above 0, got ${lengthUnit}`
      assert.throws(() => new World({ lengthUnit }), { code: 'invalid-argument', message })
    }
  })
})
