/**
 * The scenes of the comparison with other engines, its referee, and what becomes of an engine that fails. The other engines
 * themselves are not needed.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ConvexHull, init } from 'moreau'
import { Referee } from '../../bench/comparison/referee.mjs'
import { runRounds } from '../../bench/comparison/rounds.mjs'
import { Run } from '../../bench/comparison/scene-run.mjs'
import { bestPeers, summarize } from '../../bench/comparison/summary.mjs'
import { POSE, slotCount } from '../../bench/engines/engine.mjs'
import { hashOf, SceneBuilder } from '../../bench/scenes/description.mjs'
import { describeScene, sceneNames } from '../../bench/scenes/index.mjs'
import { hullTriangles, hullVolume } from '../../bench/scenes/random-hull.mjs'

/** @typedef {import('../../bench/scenes/description.mjs').Description} Description */

/** So big that looking at all pairs takes longer than the rest of this file; made by the same lines as the smaller ones. */
const BIG = ['growth-4000', 'growth-8000', 'growth-16000']
/** What single precision does to a position of some ten metres, m. */
const ROUNDING = 1e-5

/**
 * What the scenes were when the tables of docs/performance.md were made. Whoever changes a scene on purpose runs them again.
 *
 * @type {Record<string, string>}
 */
const HASHES = {
  'pyramid-20': 'd57f3f0d261691fa',
  'pyramid-40': '46a5d48d1ae71c0a',
  boxes: '86d81bb828e1e2ce',
  hulls: 'aa8aeb5f640744d4',
  spheres: '8405030af26f8ee9',
  stacks: '4f9ab2431c27178e',
  sheet: 'a18c21e43f6ef116',
  chains: 'e15bc92d077d6839',
  ragdolls: '49f9c6a6658473d7',
  debris: 'eb827e9cf35c87a3',
  sleeping: '38f3d64ef1a8035f',
  rays: '2a2e36839331a1d9',
  churn: '3e4bdbeff89ccb4c',
  mixed: '492893d4d737bd04',
  terrain: 'fd3ab925c167f2f0',
  tiles: '0c31945c30fd7365',
  compounds: '6ddaee7ab54d215d',
  cars: 'acab4958f914ffdf',
  characters: 'a370ae57cc7a2643',
  listened: '72037bce9678928d',
  casts: 'b0e27ceae98affcb',
  'growth-125': 'f98494acb04e7604',
  'growth-250': 'df6b7ab8215fb0e5',
  'growth-500': '7aade5f26b5b5c9c',
  'growth-1000': '1ca8794c681b6cf1',
  'growth-2000': 'd1d7b52dec6668e0',
  'growth-4000': 'bb8e0c37906575c0',
  'growth-8000': '261ef21ff3c409ca',
  'growth-16000': '317dec004027965b',
}

before(() => init())

describe('the scenes of the comparison', () => {
  for (const name of sceneNames) {
    it(`${name} is the same every time`, () => {
      assert.equal(hashOf(describeScene(name)).slice(0, 16), HASHES[name])
    })
  }

  for (const name of sceneNames.filter((each) => !BIG.includes(each))) {
    it(`${name} begins without overlap, inside of its bounds, with closed joints`, () => {
      const description = describeScene(name)
      const verdict = new Referee(description).judge(startPoses(description))
      assert.ok(verdict.maxPenetration <= ROUNDING, `overlap of ${verdict.maxPenetration} m`)
      assert.equal(verdict.escaped, 0)
      assert.ok((verdict.maxJointError ?? 0) <= ROUNDING, `gap of ${verdict.maxJointError} m`)
      assert.ok((verdict.maxLimitError ?? 0) <= 0, `${verdict.maxLimitError} rad`)
    })
  }

  it('hulls have 16 corners each and their centroid at the origin', () => {
    for (const shape of describeScene('hulls').shapes) {
      if (shape.type !== 'hull') continue
      const hull = ConvexHull.fromPoints(shape.points)
      assert.equal(hull.vertices.length, 16)
      assert.equal(hullTriangles(shape.points).length, 2 * 16 - 4)
      assert.ok(Math.abs(hullVolume(shape.points) / hull.volume - 1) < 1e-12)
      for (const coordinate of hull.centroid) assert.ok(Math.abs(coordinate) < 1e-12)
    }
  })

  it('rays have unit directions', () => {
    const { rays } = describeScene('rays')
    assert.equal(rays?.length, 7 * 10000)
    for (let ray = 0; ray < 10000; ray++) {
      const [x, y, z] = rays?.subarray(7 * ray + 3, 7 * ray + 6) ?? []
      assert.ok(Math.abs(x * x + y * y + z * z - 1) < 1e-12)
    }
  })

  it('churn creates and destroys 1000 bodies a second, each in a free slot', () => {
    const description = describeScene('churn')
    /** @type {Set<number>} */
    const alive = new Set()
    let created = 0
    const run = new Run(
      {
        step() {},
        readPoses() {},
        add(slot) {
          assert.ok(!alive.has(slot), `slot ${slot} is taken`)
          assert.ok(slot >= description.bodies.length && slot < slotCount(description))
          alive.add(slot)
          created++
        },
        remove(slot) {
          assert.ok(alive.delete(slot), `slot ${slot} is free`)
        },
      },
      description,
    )
    for (let step = 0; step < 600; step++) run.step()
    assert.equal(created, 10000)
    assert.equal(alive.size, 2000)
  })
})

describe('the referee of the comparison', () => {
  const cubes = () => {
    const scene = new SceneBuilder('cubes', 'two cubes on a floor', 'stands', 1)
    scene.floor(10)
    const cube = scene.shape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
    scene.body(cube, [0, 0.5, 0])
    scene.body(cube, [0, 1.5, 0])
    return scene
  }

  it('measures overlap and drift', () => {
    const { description } = cubes()
    const poses = startPoses(description)
    poses[POSE * 2 + 1] -= 0.25
    const verdict = new Referee(description).judge(poses)
    assert.equal(verdict.touching, 2)
    assert.ok(Math.abs(verdict.maxPenetration - 0.25) < ROUNDING)
    assert.ok(Math.abs(verdict.meanPenetration - 0.125) < ROUNDING)
    assert.ok(Math.abs((verdict.drift ?? 0) - 0.25) < ROUNDING)
  })

  it('counts bodies that left, and those that are nowhere', () => {
    const { description } = cubes()
    const poses = startPoses(description)
    poses[POSE * 1 + 1] = -50
    poses[POSE * 2] = NaN
    assert.equal(new Referee(description).judge(poses).escaped, 2)
  })

  it('measures joints and their limits', () => {
    const scene = cubes()
    scene.hinge(1, 2, [0, 1, 0], [1, 0, 0], [-0.1, 0.2])
    const poses = startPoses(scene.description)
    // The upper cube turned by 0.5 rad about the hinge's axis, and lifted off it by 3 cm.
    const [sine, cosine] = [Math.sin(0.25), Math.cos(0.25)]
    const [y, z] = [0.5 * Math.cos(0.5), 0.5 * Math.sin(0.5)]
    poses.set([0, 1.03 + y, z, sine, 0, 0, cosine], POSE * 2)
    const { maxJointError, maxLimitError } = new Referee(scene.description).judge(poses)
    assert.ok(Math.abs((maxJointError ?? 0) - 0.03) < ROUNDING)
    assert.ok(Math.abs((maxLimitError ?? 0) - 0.3) < ROUNDING)
  })
})

describe('the rounds of the comparison', () => {
  const plan = {
    scenes: ['growth-125'],
    engines: ['moreau'],
    sleep: [false],
    rounds: 1,
    quality: false,
    world: {},
    timeout: 100,
  }

  it('measure an engine in a process of its own', async () => {
    const records = await runRounds(plan, () => {})
    assert.equal(records[0].failure, null)
    const { rows } = summarize(records)
    assert.equal(rows[0].bodies, 125)
    assert.equal(rows[0].ratio, 1)
    assert.equal(rows[0].verdict.escaped, 0)
    assert.equal(rows[0].hash, hashOf(describeScene('growth-125')))
    assert.ok(rows[0].wasmBytes > 0)
  })

  it('tell of an engine that hangs or fails', async () => {
    const [hanging] = await runRounds({ ...plan, timeout: 0.01 }, () => {})
    assert.match(hanging.failure ?? '', /^timed out/)
    const [failing] = await runRounds({ ...plan, world: { gravity: 'down' } }, () => {})
    assert.match(failing.failure ?? '', /gravity/)
    assert.equal(summarize([hanging, failing]).failed.length, 2)
  })

  it('compare with the fastest of the others, by sleep mode', async () => {
    const [ours] = summarize(await runRounds(plan, () => {})).rows
    const row = (/** @type {string} */ engine, /** @type {number} */ cpu, sleep = false) => ({
      ...ours,
      engine,
      sleep,
      times: { cpu, median: cpu, p95: cpu, max: cpu, stepMedian: cpu, clock: '' },
    })
    const rows = [row('moreau', 3), row('havok', 4), row('jolt', 6), row('rapier', 1, true)]
    const [best] = bestPeers(rows)
    assert.deepEqual([best.peer, best.ratio], ['havok', 0.75])
  })
})

/**
 * @param {Description} description
 * @returns {Float32Array}
 */
function startPoses(description) {
  const { bodies } = description
  const numbers = bodies.flatMap(({ position, orientation }) => [...position, ...orientation])
  const poses = new Float32Array(POSE * slotCount(description))
  poses.set(numbers)
  return poses
}
