/**
 * The short exam, with seeds that stay, and tests of the exam itself: that it sees a fault, and tells it so that others can see it too.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { init } from 'moreau'
import { scale } from '../../scenarios/vector.mjs'
import { examine, shrink } from './examine.mjs'
import { relationsOf } from './exam.mjs'
import { readKnown, unknownFaults } from './known.mjs'
import { RELATIONS } from './relations/index.mjs'
import { GRAVITY } from './scene.mjs'
import { scriptOf } from './script.mjs'
import { SOLVERS } from './solvers.mjs'

/** @import { Relation } from './relations/index.mjs' */

/** Per group and solver; all together take less than a minute on one core. */
const PAIRS = 60
const SEED = 1

/** Pairs that are enough to see a planted fault, and ms to make its scene smaller. */
const [FEW, SHORT] = [20, 2000]

/** @type {Relation} */
const planted = {
  ...{ group: 'planted', name: 'gravity 1 % larger' },
  image: (scene) => ({
    scene: { ...scene, settings: { ...scene.settings, gravity: scale(GRAVITY, 1.01) } },
  }),
}

/** @param {string} solver */
function plantedFault(solver) {
  const [{ faults }] = examine({ solver, relations: [planted], pairs: FEW, seed: SEED })
  const [most] = faults.toSorted((a, b) => b.scene.bodies.length - a.scene.bodies.length)
  assert.ok(most, `none of ${FEW} pairs moves apart`)
  return most
}

const groups = [...new Set(RELATIONS.map(({ group }) => group))]

before(() => init())

describe('the short exam', () => {
  for (const group of groups)
    test(group, async () => {
      const relations = relationsOf([group])
      for (const { prepare } of relations) await prepare?.()
      const rows = SOLVERS.flatMap((solver) =>
        examine({ solver, relations, pairs: PAIRS, seed: SEED }),
      )
      assert.deepEqual(unknownFaults(rows), [])
    })
})

describe('a planted fault', () => {
  const build = fileURLToPath(new URL('../../build', import.meta.url))
  mkdirSync(build, { recursive: true })
  const folder = mkdtempSync(join(build, 'invariance-'))
  after(() => rmSync(folder, { recursive: true }))

  for (const solver of SOLVERS)
    test(`is seen with ${solver}`, () => {
      plantedFault(solver)
    })

  test('is not known', () => {
    const rows = examine({ solver: 'auto', relations: [planted], pairs: FEW, seed: SEED })
    assert.match(unknownFaults(rows).join(), /gravity 1 % larger/)
  })

  test('is found in a smaller scene', () => {
    const fault = plantedFault('auto')
    const { scene } = shrink(fault, 'auto', planted, SHORT)
    assert.ok(JSON.stringify(scene).length < JSON.stringify(fault.scene).length)
  })

  test('is printed by its script', () => {
    const { scene, difference } = plantedFault('exact')
    const file = join(folder, 'fault.mjs')
    writeFileSync(file, scriptOf(scene, 'exact', planted, difference))
    const lines = execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim().split('\n')
    const [one, other] = lines.map((line) => line.split(' ').map(Number))
    const apart = Math.hypot(...one.map((x, i) => x - other[i]))
    // Of poses apart is the way, and what the turn moves: 0.6 m times the part of the quaternions.
    assert.ok(apart > 0.5 * difference.distance, `${apart} of ${difference.distance} m`)
  })
})

describe('names', () => {
  test('of relations may have commas', () => {
    const name = 'box tiles, a body'
    assert.deepEqual(
      relationsOf([name, 'plane']).map((relation) => relation.name),
      [name, 'plane'],
    )
  })

  test('that are unknown are answered by those that are known', () => {
    assert.throws(() => relationsOf(['grund']), /no relation 'grund'; there are ground; /)
  })

  test('in known.json are of relations and solvers', () => {
    for (const { relation, solver } of readKnown()) {
      assert.ok(
        RELATIONS.some(({ name }) => name === relation),
        relation,
      )
      assert.ok(
        SOLVERS.some((name) => name === solver),
        solver,
      )
    }
  })
})
