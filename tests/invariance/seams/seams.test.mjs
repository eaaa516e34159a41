/**
 * Seams of what is one surface are not felt by what slides and rolls over them; what is no seam is. MOREAU_SLOW: with all variants.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init } from 'moreau'
import { SOLVERS } from '../solvers.mjs'
import { CONTROLS, PLACES } from './controls.mjs'
import { Judge } from './judge.mjs'
import { allRuns, sampleRuns, unknownFaults } from './sample.mjs'

before(() => init())

describe('over floors of parts everything moves as over one box', () => {
  const runs = process.env.MOREAU_SLOW ? allRuns() : sampleRuns()
  for (const solver of SOLVERS)
    test(`with ${solver}`, () => {
      const judge = new Judge()
      const results = runs.filter((run) => run.solver === solver).map((run) => judge.judge(run))
      assert.deepEqual(unknownFaults(results), [])
    })
})

describe('what is no seam is felt', () => {
  for (const solver of SOLVERS)
    for (const place of PLACES)
      test(`with ${solver}, ${place} m away from the origin`, () => {
        const wrong = Object.entries(CONTROLS).flatMap(([name, control]) => {
          const { isRight, seen } = control(solver, place)
          return isRight ? [] : [`${name}: ${seen}`]
        })
        assert.deepEqual(wrong, [])
      })
})
