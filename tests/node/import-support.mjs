/**
 * What the tests of moreau/import share.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { World } from 'moreau'
import { root } from '../../scripts/tools.mjs'

/** @import { SolverName } from 'moreau' */

/** @param {string} name of a file of tests/node/import */
export const fileOf = (name) => readFileSync(join(root, 'tests/node/import', name), 'utf8')

/** @param {SolverName} [solver] */
export const worldZUp = (solver = 'exact') =>
  World.create({ gravity: [0, 0, -9.81], solver, allowSleep: false })

/**
 * @param {ArrayLike<number>} got
 * @param {ArrayLike<number>} expected
 * @param {number} tolerance
 * @param {string} [what]
 */
export function near(got, expected, tolerance, what = '') {
  assert.equal(got.length, expected.length, what)
  for (let i = 0; i < expected.length; i++) {
    const isNear = Math.abs(got[i] - expected[i]) <= tolerance
    assert.ok(isNear, `${what}[${i}]: ${got[i]} instead of ${expected[i]}`)
  }
}

/**
 * The warnings whose path and message match.
 * @param {{ warnings: readonly { path: string, message: string }[] }} result
 * @param {RegExp} path
 * @param {RegExp} [message]
 */
export const warningsOf = ({ warnings }, path, message = /./) =>
  warnings.filter((one) => path.test(one.path) && message.test(one.message))
