/** What a step says of itself: its status, how many islands are of each, and what it may spend. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { budgetWorld, coldStep } from './budget-worlds.mjs'

/** @typedef {import('moreau').WorldOptions} WorldOptions */

const dt = 1 / 60
const TOLERANCE = 1e-8

before(() => init())

/** The counts of a step against its islands, each of them against its certificate. @param {World} world @param {boolean} measured */
function check(world, measured) {
  const { status, convergedIslands, budgetIslands, stalledIslands, islands } = world.stats
  const all = world.islands()
  assert.equal(convergedIslands + budgetIslands + stalledIslands, islands)
  assert.equal(all.length, islands)
  for (const island of all) {
    assert.equal(
      island.status === 'converged',
      island.residual <= TOLERANCE,
      `${island.status}, ${island.residual} m/s`,
    )
    const { event } = island
    if (event === 'budget' || event === 'stalled') assert.equal(island.status, event)
  }
  const wanted = stalledIslands > 0 ? 'stalled' : budgetIslands > 0 ? 'budget' : 'converged'
  assert.equal(status, islands === 0 ? 'none' : wanted)
  if (!measured) return
  const of = (/** @type {string} */ word) => all.filter((island) => island.status === word).length
  assert.deepEqual(
    [convergedIslands, budgetIslands, stalledIslands],
    [of('converged'), of('budget'), of('stalled')],
  )
}

describe('the status of a step is that of its certificates', () => {
  for (const { what, options, measured } of [
    { what: 'exact', options: { solver: 'exact' }, measured: true },
    { what: 'exact with little work', options: { solver: 'exact', workBudget: 2e6 } },
    { what: 'exact with 3 factorisations', options: { solver: 'exact', maxIterations: 3 } },
    { what: 'block-pgs', options: { solver: 'block-pgs' } },
    { what: 'block-pgs with many sweeps', options: { solver: 'block-pgs', iterations: 3000 } },
    { what: 'soft-step', options: { solver: 'soft-step' }, measured: false },
    { what: 'soft-step, certified', options: { solver: 'soft-step', certify: true } },
    { what: 'auto, certified', options: { certify: true, tolerance: TOLERANCE } },
  ])
    test(what, () => {
      const world = budgetWorld('pile 30, seed 1', /** @type {WorldOptions} */ (options))
      for (let step = 0; step < 60; step++) {
        world.step(dt)
        check(world, measured ?? true)
      }
      world.free()
    })

  test("of an empty world it is 'none'", () => {
    const world = new World({ solver: 'exact' })
    world.step(dt)
    check(world, true)
    assert.equal(world.stats.status, 'none')
    world.free()
  })

  test('sweeps that change nothing any more are not called converged', () => {
    const world = budgetWorld('pile 30, seed 1', { solver: 'block-pgs', iterations: 400 })
    const seen = new Set()
    for (let step = 0; step < 90; step++) {
      world.step(dt)
      const { status } = world.stats
      seen.add(status)
      if (status !== 'none')
        assert.equal(status === 'converged', world.residual().worst <= TOLERANCE)
    }
    assert.ok(seen.has('budget') || seen.has('stalled'), [...seen].join())
    world.free()
  })
})

describe('effort', () => {
  /** @type {ReturnType<typeof coldStep>} */
  let stepOf
  before(() => {
    stepOf = coldStep('pile 200, seed 1', 80)
  })

  test("'frame' is the default and has 2e8 operations, 'step' five times as many, 'offline' no bound", () => {
    const world = new World({ solver: 'exact' })
    assert.equal(world.effort, 'frame')
    world.free()
    const exact = /** @type {const} */ ({ solver: 'exact' })
    const [frame, step, offline] = /** @type {const} */ (['frame', 'step', 'offline']).map(
      (effort) => stepOf({ ...exact, effort }),
    )
    assert.ok(frame.work <= 2.1e8 && frame.work > 1e8, `${frame.work}`)
    assert.ok(step.work <= 1.05e9 && step.work > 2.1e8, `${step.work}`)
    assert.ok(offline.work > 1.05e9, `${offline.work}`)
    assert.ok(offline.rms < 0.1 * frame.rms, `${offline.rms} m/s, ${frame.rms} m/s`)
    const [same, other] = [2e8, 1e9].map((workBudget) => stepOf({ ...exact, workBudget }))
    assert.deepEqual([same.work, same.rms], [frame.work, frame.rms])
    assert.deepEqual([other.work, other.rms], [step.work, step.rms])
  })

  test('workBudget overrides it', () => {
    const given = { solver: /** @type {const} */ ('exact'), workBudget: 2e6 }
    const works = /** @type {const} */ (['frame', 'offline']).map(
      (effort) => stepOf({ ...given, effort }).work,
    )
    assert.equal(works[0], works[1])
    assert.ok(works[0] < 1e7)
  })
})
