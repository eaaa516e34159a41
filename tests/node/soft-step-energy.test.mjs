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

describe('random scenes gain no energy', () => {
  for (const world of [{}, { contactHertz: 15 }]) {
    it(`all 200 with ${JSON.stringify(world)}`, async () => {
      const { value, note } = await randomEnergy(engine, { world })
      assert.equal(value, 0, note ?? '')
    })
  }

  // More than 30.16 is bounded with four substeps. In scene 109 a shock goes through a hull that rests, and looks like a load that
  // grows: one step gains 1.2e-3. Loads that may grow by less per step would let stacks sink when they are put up.
  it('199 of 200 with the stiffest contacts', async () => {
    const { value, note } = await randomEnergy(engine, { world: { contactHertz: 240 } })
    assert.ok(value <= 1, `${value} ${note}`)
    assert.ok(Number(/worst ([\d.e-]+)/.exec(note ?? '')?.[1]) < 1.5e-3, note)
  })

  it('all 200 with eight substeps', async () => {
    const { value, note } = await randomEnergy(engine, { world: { substeps: 8 } })
    assert.equal(value, 0, note)
  })
})
