/**
 * The examples that are packages of their own: they run as their users start them, on less.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { root } from '../../scripts/tools.mjs'

/** Does what `npm install` does in an example, whose package.json asks for "moreau": "file:../..". @param {string} example */
function install(example) {
  const folder = join(root, 'examples', example, 'node_modules')
  mkdirSync(folder, { recursive: true })
  const link = join(folder, 'moreau')
  if (!existsSync(link)) symlinkSync(root, link, 'junction')
}

describe('train-cart-pole', () => {
  before(() => install('train-cart-pole'))

  test('learns within three generations of 24, the same way each time', async () => {
    const { train } = await import('../../examples/train-cart-pole/train.mjs')
    /** @type {number[]} */
    const told = []
    const {
      curve,
      policy,
      test: reward,
    } = await train({
      ...{ population: 24, elites: 4, generations: 3, seed: 1 },
      onGeneration: ({ generation }) => told.push(generation),
    })
    assert.deepEqual(told, [1, 2, 3])
    assert.ok(curve[0].mean < 50, `${curve[0].mean}`)
    assert.ok(curve[2].elite > 5 * curve[0].elite, `${curve[2].elite}`)
    assert.ok(reward > 10 * curve[0].mean, `${reward}`)
    const again = await train({ population: 24, elites: 4, generations: 1, seed: 1 })
    assert.deepEqual(again.curve[0], curve[0])
    assert.ok(policy.every(Number.isFinite))
  })
})

describe('monte-carlo', () => {
  before(() => install('monte-carlo'))
  const load = () => import('../../examples/monte-carlo/monte-carlo.mjs')

  test('throws are the same for one worker and for two, and those of a fair die', async () => {
    const { experiment, summarize } = await load()
    let done = 0
    const throws = 600
    const onProgress = (/** @type {number} */ count) => (done = Math.max(done, count))
    const alone = await experiment({ throws, workers: 1, seed: 3, onProgress })
    assert.equal(done, throws)
    assert.deepEqual(await experiment({ throws, workers: 2, seed: 3 }), alone)
    const { counts, chiSquared } = summarize(alone)
    assert.ok(counts[0] <= 3, `${counts}`)
    // Of a fair die it is above in one experiment of a thousand, and this seed is always the same.
    assert.ok(chiSquared < 20.5, `${chiSquared}`)
  })

  test('a loaded die shows the one more often than the six', async () => {
    const { experiment, histogram, summarize } = await load()
    const faces = await experiment({ throws: 250, workers: 1, bias: 0.5 })
    const { counts, intervals, chiSquared } = summarize(faces)
    assert.ok(intervals[1][0] > intervals[6][1], `${counts}`)
    assert.ok(chiSquared > 20.5)
    assert.match(histogram(faces), /not a fair die$/)
  })

  test('intervals are those of Wilson', async () => {
    const { summarize } = await load()
    // 1 of 10: 0.0179 to 0.4042, as textbooks have it.
    const { intervals } = summarize(Uint8Array.of(1, 2, 2, 2, 3, 3, 4, 5, 6, 6))
    assert.ok(
      Math.abs(intervals[1][0] - 0.0179) < 1e-4 && Math.abs(intervals[1][1] - 0.4042) < 1e-4,
    )
    assert.ok(intervals[0][0] < 1e-12 && intervals[0][1] > 0.2)
  })
})
