/**
 * Energy is the judge of soft-step: in random scenes of all shapes, joints and potentials, in which nothing is elastic and nothing is
 * moved from outside, no step gains more than a thousandth of the kinetic energy.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { init } from 'moreau'
import { load } from '../../bench/engines/moreau.mjs'
import { randomEnergy } from '../../bench/physics/random-energy.mjs'

/** @type {import('../../bench/engines/engine.mjs').Engine} */
let engine

before(async () => {
  await init()
  engine = await load()
})

describe('200 random scenes gain no energy', () => {
  // More than 30.16 is bounded with four substeps.
  for (const world of [{}, { contactHertz: 15 }, { contactHertz: 240 }, { substeps: 8 }]) {
    it(`with ${JSON.stringify(world)}`, async () => {
      const { value, note } = await randomEnergy(engine, { world })
      assert.equal(value, 0, note)
    })
  }
})
