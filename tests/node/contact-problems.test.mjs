import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { init, solveContactProblem } from 'moreau'
import { certificate } from '../../bench/certificate.mjs'
import { denseProblem } from '../../bench/contact-problem.mjs'
import { boxPyramid } from '../../bench/generators.mjs'
import { ownProblems } from '../../bench/own-problems.mjs'

await init()

describe('the own set of contact problems', () => {
  for (const problem of ownProblems) {
    test(`${problem.name}: the file is what the generator makes, to the bit`, () => {
      const file = new URL(`../../bench/problems/${problem.name}.json`, import.meta.url)
      assert.equal(readFileSync(file, 'utf8'), `${JSON.stringify(problem)}\n`)
    })
  }

  test('another seed is another pile', () => {
    const [one, two] = [1, 2].map((seed) => boxPyramid('pile', 3, { seed }))
    assert.notDeepEqual(one.f, two.f)
    assert.deepEqual(one.H, two.H)
  })
})

describe('the certificate of the benchmarks', () => {
  // A block of 2 kg on the floor in a step of gravity, pushed along at 1 m/s; mu 0.5.
  const W = Float64Array.of(0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5)
  const q = [-0.1635, 1, 0]

  test('is zero for the answer by hand: it slides, friction mu times the normal impulse', () => {
    assert.ok(certificate(W, q, [0.5], [0.327, -0.1635, 0]) < 1e-15)
  })

  test('is the velocity that is wrong', () => {
    // No impulse at all: it falls at 0.1635 m/s.
    const open = certificate(W, [-0.1635, 0, 0], [0.5], [0, 0, 0])
    assert.ok(Math.abs(open - 0.1635) < 1e-15)
    // No friction: d g = (0.1635, 0, 0) and u^ = (0.5, 1, 0) m/s; the cone's point nearest to their difference is
    // (0.1308, -0.0654, 0).
    const frictionless = certificate(W, q, [0.5], [0.327, 0, 0])
    assert.ok(Math.abs(frictionless - Math.hypot(0.0327, 0.0654)) < 1e-15)
    assert.ok(Number.isNaN(certificate(W, q, [0.5], [NaN, 0, 0])))
  })

  for (const name of ['box', 'stack-5', 'sphere-chain-20', 'box-pyramid-4-frictionless']) {
    test(`${name}: equals the engine's own to round-off`, () => {
      const problem = ownProblems.find((candidate) => candidate.name === name)
      assert.ok(problem)
      const { M, H, f, w, mu } = problem
      const options = /** @type {const} */ ({ solver: 'block-pgs', maxIterations: 30 })
      const { impulses, residual } = solveContactProblem({ M, H, f, w, mu }, options)
      const dense = denseProblem(problem)
      assert.ok(Math.abs(certificate(dense.W, dense.q, mu, impulses) - residual) < 1e-14)
    })
  }
})
