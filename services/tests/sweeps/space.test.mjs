/**
 * Parameter spaces: what makes grids, Sobol's sequence and Latin hypercubes what they are.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parameterRandom, randomPermutation } from '../../source/sweeps/random-runs.mjs'
import { SOBOL_DIMENSIONS, sobolCoordinate } from '../../source/sweeps/sobol.mjs'
import { gridPoints, parameterSampler, readAxis } from '../../source/sweeps/space.mjs'

const RUNS = 1000

/** @param {string[]} words 'grid a=1:2:3' @param {number} runs @param {number} [seed] */
function parameters(words, runs, seed = 1) {
  const axes = words.map((word) => {
    const [kind, text] = word.split(' ')
    return readAxis(/** @type {any} */ (kind), text)
  })
  const sample = parameterSampler({ axes, runs, seed })
  return Array.from({ length: runs }, (_, run) => sample(run))
}

test('a grid has each of its points equally often, the ends of its ranges, and words', () => {
  const runs = parameters(['grid a=0:1:5', 'grid solver=exact,fast,4'], 31)
  const points = runs.map(({ a, solver }) => `${a} ${solver}`)
  const counts = [...new Set(points)].map(
    (point) => points.filter((other) => other === point).length,
  )
  assert.equal(counts.length, 15)
  assert.deepEqual([...new Set(counts)].sort(), [2, 3])
  assert.deepEqual([...new Set(runs.map(({ a }) => a))], [0, 0.25, 0.5, 0.75, 1])
  assert.deepEqual([...new Set(runs.map(({ solver }) => solver))], ['exact', 'fast', 4])
})

test('random parameters depend on seed and run alone, are in their range, and fill it', () => {
  const [first, again] = [parameters(['random a=2:4'], RUNS), parameters(['random a=2:4'], RUNS)]
  assert.deepEqual(first, again)
  const other = parameters(['random a=2:4'], RUNS, 2)
  assert.ok(first.every(({ a }, run) => a !== other[run].a))
  const values = first.map(({ a }) => Number(a))
  assert.ok(values.every((value) => value >= 2 && value < 4))
  const mean = values.reduce((sum, value) => sum + value / RUNS, 0)
  // Four standard deviations of the mean of uniform numbers
  assert.ok(Math.abs(mean - 3) < 4 * (2 / Math.sqrt(12 * RUNS)), `mean ${mean}`)
})

test('two random parameters of a run are independent', () => {
  const points = parameters(['random a=-1:1', 'random b=-1:1'], RUNS)
  const product = points.reduce((sum, { a, b }) => sum + (Number(a) * Number(b)) / RUNS, 0)
  assert.ok(Math.abs(product) < 4 / (3 * Math.sqrt(RUNS)), `${product}`)
})

test('a Latin hypercube has one run in each of as many parts as there are runs, in every parameter', () => {
  const points = parameters(['latin a=0:1', 'latin b=0:1'], RUNS)
  for (const name of ['a', 'b']) {
    const parts = points.map((point) => Math.floor(Number(point[name]) * RUNS))
    assert.equal(new Set(parts).size, RUNS)
  }
  const product = points.reduce(
    (sum, { a, b }) => sum + ((Number(a) - 0.5) * (Number(b) - 0.5)) / RUNS,
    0,
  )
  assert.ok(Math.abs(product) < 4 / (12 * Math.sqrt(RUNS)), `${product}`)
})

for (const count of [1, 2, 3, 5, 64, 1000, 4097]) {
  test(`the random permutation of ${count} numbers has each of them`, () => {
    const place = randomPermutation(count, parameterRandom(1, 0))
    const places = new Set(Array.from({ length: count }, (_, index) => place(index)))
    assert.equal(places.size, count)
    assert.ok([...places].every((index) => index >= 0 && index < count))
  })
}

describe("Sobol's sequence", () => {
  for (let dimension = 0; dimension < SOBOL_DIMENSIONS; dimension++) {
    test(`dimension ${dimension}: 2^k points have one in each of 2^k parts, shifted or not`, () => {
      for (const shift of [0, 0xdeadbeef]) {
        const coordinate = sobolCoordinate(dimension, shift)
        for (const first of [0, 1024, 7 * 1024]) {
          const parts = Array.from({ length: 1024 }, (_, i) =>
            Math.floor(1024 * coordinate(first + i)),
          )
          assert.equal(new Set(parts).size, 1024)
        }
      }
    })
  }

  test('the first points are those that are known', () => {
    const points = [0, 1, 2, 3, 4].map((index) =>
      [0, 1, 2].map((d) => sobolCoordinate(d, 0)(index)),
    )
    // In the order of the numbers; Gray code has 2 and 3 the other way round.
    assert.deepEqual(points, [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.25, 0.75, 0.75],
      [0.75, 0.25, 0.25],
      [0.125, 0.625, 0.375],
    ])
  })

  test('it integrates a product over eight dimensions better than random numbers do', () => {
    const runs = 4096
    const names = [...'abcdefgh']
    const error = (/** @type {string} */ kind) => {
      const points = parameters(
        names.map((name) => `${kind} ${name}=0:1`),
        runs,
      )
      // The mean of prod(1 + (x - 1/2)/2) is 1.
      const mean = points.reduce(
        (sum, point) =>
          sum +
          names.reduce((product, name) => product * (0.75 + Number(point[name]) / 2), 1) / runs,
        0,
      )
      return Math.abs(mean - 1)
    }
    assert.ok(error('sobol') < error('random') / 4, `${error('sobol')}, ${error('random')}`)
  })
})

test('a space without axes has one point', () => {
  assert.equal(gridPoints([]), 1)
  assert.deepEqual(parameters([], 2), [{}, {}])
})
