/**
 * The project's own set of contact problems: what `problems/` holds, made by `problems/generate.mjs`.
 */
import { boxPyramid, boxRow, sphereChain, sphereHeap, stack } from './generators.mjs'

const MILLION = 1e6
const equal = (/** @type {number} */ count) => Array(count).fill(1)
const alternating = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, level) => (level % 2 ? MILLION : 1))
const powers = (/** @type {number} */ base, /** @type {number} */ count) =>
  Array.from({ length: count }, (_, level) => base ** level)

/** @type {import('./contact-problem.mjs').GlobalProblem[]} */
export const ownProblems = [
  stack('box', equal(1)),
  stack('stack-5', equal(5)),
  stack('stack-10', equal(10)),
  stack('stack-20', equal(20)),
  stack('stack-4-under-1e3', [...equal(4), 1e3]),
  stack('stack-4-under-1e6', [...equal(4), MILLION]),
  stack('stack-9-under-1e6', [...equal(9), MILLION]),
  stack('stack-19-under-1e6', [...equal(19), MILLION]),
  stack('stack-alternating-4', alternating(4)),
  stack('stack-alternating-6', alternating(6)),
  stack('stack-alternating-10', alternating(10)),
  stack('stack-alternating-20', alternating(20)),
  stack('stack-geometric-10', powers(10, 7)),
  stack('stack-geometric-2', powers(2, 10)),
  stack('stack-10-frictionless', equal(10), 0),
  boxRow('box-row-10', equal(10)),
  boxRow('box-row-alternating', [1, 1e3, 1, 1e3, 1, 1e3]),
  sphereChain('sphere-chain-20', equal(20)),
  sphereChain('sphere-chain-geometric', powers(10, 7)),
  boxPyramid('box-pyramid-6', 6, { seed: 1 }),
  boxPyramid('box-pyramid-10', 10, { seed: 1 }),
  boxPyramid('box-pyramid-6-ratio-1e3', 6, { seed: 2, ratio: 1e3 }),
  boxPyramid('box-pyramid-6-ratio-1e6', 6, { seed: 2, ratio: MILLION }),
  boxPyramid('box-pyramid-6-alternating', 6, { seed: 2, ratio: MILLION, alternating: true }),
  boxPyramid('box-pyramid-4-frictionless', 4, { seed: 3, mu: 0 }),
  sphereHeap('sphere-heap-60', 60, { seed: 1 }),
  sphereHeap('sphere-heap-60-ratio-1e6', 60, { seed: 1, ratio: MILLION }),
  sphereHeap('sphere-heap-30-frictionless', 30, { seed: 2, mu: 0 }),
]
