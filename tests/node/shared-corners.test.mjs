/**
 * Two parts of a compound that share a corner: on a mesh it is two contact points at one place, which hold no torque.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { sceneByName } from 'moreau/scenarios'

const terrain = sceneByName('terrain')

describe('a corner that two parts share', () => {
  // Gravities with which block-pgs once gave such a point an impulse of 1e7 N s and more.
  for (const more of [0, 1e-4, 7e-4]) {
    test(`rests on a mesh: gravity ${9.81 + more} m/s²`, async () => {
      const gravity = /** @type {const} */ ([0, -9.81 - more, 0])
      const world = await World.create({ ...terrain.options, solver: 'block-pgs', gravity })
      const { pieces } = terrain.setup(world)
      let fastest = 0
      for (let step = 0; step < 210; step++) {
        world.step(1 / 60)
        for (const piece of pieces) fastest = Math.max(fastest, piece.speed)
      }
      // They fall by 3 m at the most.
      assert.ok(fastest < 8, `${fastest} m/s`)
      world.free()
    })
  }
})
