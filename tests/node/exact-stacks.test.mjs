/** What `solver: 'exact'` must show of what rests: mass ratios, towers, heaps, and their cost. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Random } from '../../scenarios/random.mjs'
import {
  addSlab,
  cube,
  exactWorld,
  g,
  impulseBetween,
  near,
  StepLog,
  stepMany,
} from './support.mjs'

const dt = 1 / 60

/**
 * Cubes on each other, at rest.
 *
 * @param {import('moreau').World} world
 * @param {number[]} masses from below
 * @param {(level: number) => number} [shift] m along x
 */
function buildTower(world, masses, shift = () => 0) {
  const floor = addSlab(world)
  const cubes = masses.map((mass, level) =>
    world.createBody({ shape: cube, mass, position: [shift(level), 0, level + 0.5] }),
  )
  return { floor, cubes }
}

describe('towers of very different masses at 1/60 s for 10 s', () => {
  const million = 1e6
  for (const masses of [
    [1, million],
    [million, 1],
    [1, 1e3],
    [1, million, 1, million, 1, million],
    [million, 1, million, 1, million, 1],
    [1, 1, 1, 1, million],
    [1, 10, 100, 1e3, 1e4, 1e5, million],
  ]) {
    test(`${masses.join(', ')} kg: stands, every force right to a millionth in every step`, async () => {
      const world = await exactWorld()
      const { floor, cubes } = buildTower(world, masses)
      const log = new StepLog(world)
      const above = masses.map((_, level) => masses.slice(level).reduce((sum, m) => sum + m))
      stepMany(
        world,
        600,
        (step) => {
          log.afterStep()
          for (const [level, body] of cubes.entries()) {
            const force = impulseBetween(body, cubes[level - 1] ?? floor) / dt
            near(force / (above[level] * g), 1, 1e-6, `force under ${level} in step ${step}`)
          }
        },
        dt,
      )
      log.check()
      assert.ok(log.deepest < 1e-4, `penetration ${log.deepest}`)
      for (const [level, body] of cubes.entries()) {
        const [x, y, z] = body.position
        assert.ok(Math.hypot(x, y, z - level - 0.5) < 1e-4, `drift of cube ${level}`)
      }
      assert.ok(log.median(10) <= 1, `${log.median(10)} factorisations in the median`)
      world.free()
    })
  }
})

describe('what rests costs next to nothing', () => {
  test('a tower of 10 in line: no factorisation after the first step', async () => {
    const world = await exactWorld()
    buildTower(world, Array(10).fill(1))
    const log = new StepLog(world)
    stepMany(
      world,
      300,
      (step) => {
        log.afterStep()
        assert.equal(world.contactPoints().length, 40, `contacts in step ${step}`)
      },
      dt,
    )
    log.check()
    assert.ok(
      log.factorisations.slice(1).every((count) => count <= 1),
      log.factorisations.join(' '),
    )
    world.free()
  })

  for (const { what, shift } of [
    { what: '0.1 mm', shift: 1e-4 },
    { what: '1 mm', shift: 1e-3 },
    { what: 'a millionth of a metre', shift: 1e-6 },
  ]) {
    test(`a tower of 10, every other cube off by ${what}: 40 contacts, 1 factorisation a step`, async (t) => {
      const world = await exactWorld()
      const { cubes } = buildTower(world, Array(10).fill(1), (level) => (level % 2) * shift)
      const log = new StepLog(world)
      stepMany(
        world,
        300,
        (step) => {
          log.afterStep()
          assert.equal(world.contactPoints().length, 40, `contacts in step ${step}`)
        },
        dt,
      )
      log.check()
      const mean = log.factorisations.reduce((sum, count) => sum + count) / 300
      t.diagnostic(`${mean} factorisations a step, ${log.median()} in the median`)
      assert.ok(mean <= 1, `${mean} factorisations a step`)
      for (const [level, body] of cubes.entries()) {
        near(body.position[0], (level % 2) * shift, 1e-6, `place of cube ${level}`)
      }
      world.free()
    })
  }

  test('a pyramid of 21: 0 or 1 factorisations a step in the median', async (t) => {
    const world = await exactWorld()
    addSlab(world)
    for (let row = 0; row < 6; row++) {
      for (let i = 0; i < 6 - row; i++) {
        const position = /** @type {[number, number, number]} */ ([
          1.1 * (i + row / 2),
          0,
          row + 0.5,
        ])
        world.createBody({ shape: cube, mass: 1, position })
      }
    }
    const log = new StepLog(world)
    stepMany(world, 240, () => log.afterStep(), dt)
    log.check()
    t.diagnostic(`first step ${log.factorisations[0]}, then ${log.median(1)} in the median`)
    assert.ok(log.median(1) <= 1)
    world.free()
  })

  for (const { what, isBall, mostInTheMedian } of [
    { what: 'balls', isBall: () => true, mostInTheMedian: 6 },
    // Flat contacts of four points leave the spread of their loads open, which costs steps of Newton's method.
    { what: 'boxes and balls', isBall: (/** @type {number} */ i) => i % 3 === 0 },
  ]) {
    test(`a settling heap of 30 ${what}`, async (t) => {
      const world = await exactWorld()
      buildHeap(world, isBall)
      const log = new StepLog(world)
      stepMany(world, 240, () => log.afterStep(), dt)
      const sorted = [...log.factorisations].sort((a, b) => a - b)
      t.diagnostic(
        `${world.stats.contactPoints} contacts, factorisations: median ${log.median()}, ` +
          `9 of 10 steps up to ${sorted[216]}, most ${sorted[239]}; certificate ${log.worstResidual}`,
      )
      assert.ok(world.stats.contactPoints >= 25)
      if (mostInTheMedian === undefined) {
        assert.ok(log.missed <= 5, `${log.missed} of 240 steps missed the tolerance`)
      } else {
        assert.ok(log.median() <= mostInTheMedian)
        log.check()
      }
      world.free()
    })
  }
})

/**
 * 30 bodies that fall onto each other.
 *
 * @param {import('moreau').World} world
 * @param {(i: number) => boolean} isBall
 */
function buildHeap(world, isBall) {
  addSlab(world)
  const random = new Random(7)
  for (let i = 0; i < 30; i++) {
    const size = random.between(0.2, 0.4)
    const halfExtents = /** @type {[number, number, number]} */ ([size, 0.8 * size, 0.6 * size])
    world.createBody({
      shape: isBall(i) ? { type: 'sphere', radius: size } : { type: 'box', halfExtents },
      position: [random.between(-0.75, 0.75), random.between(-0.75, 0.75), 0.5 + 0.35 * i],
      density: 100,
    })
  }
}
