// Chains of links of little inertia, let go from the horizontal: a whip. The corrections of the joints must never tear it apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'

/**
 * @param {number} iterations
 * @param {number} speed m/s upwards at the start: another path of a chaotic motion
 * @returns {Promise<number>} the largest error of a joint in ten seconds, m
 */
async function worstError(iterations, speed) {
  const world = await World.create({ iterations })
  let last = null
  for (let i = 0; i < 8; i++) {
    const link = world.createBody({
      shape: { type: 'sphere', radius: 0.1 },
      position: [(i + 1) / 2, 5, 0],
      linearVelocity: [0, speed, 0],
    })
    world.createJoint({ type: 'ball', bodyA: last, bodyB: link, anchor: [(i + 0.5) / 2, 5, 0] })
    last = link
  }
  let worst = 0
  for (let i = 0; i < 600; i++) {
    world.step(1 / 60)
    for (const joint of world.joints) worst = Math.max(worst, Math.hypot(...joint.violation()))
  }
  world.free()
  return worst
}

for (const iterations of [20, 50, 100]) {
  test(`eight balls on arms of 0.25 m stay together, ${iterations} sweeps`, async () => {
    for (let i = 0; i < 8; i++) {
      const worst = await worstError(iterations, i / 100)
      assert.ok(worst < 0.12, `start ${i}: ${worst} m`)
    }
  })
}

test('a chain with an end 1000 times as heavy, let go from the horizontal, keeps its joints closed', async () => {
  const world = await World.create({ solver: 'exact' })
  const shape = /** @type {const} */ ({ type: 'sphere', radius: 0.1 })
  let last = null
  for (let i = 0; i < 10; i++) {
    const mass = i === 9 ? 1000 : 1
    const link = world.createBody({ shape, mass, position: [(i + 1) / 2, 0, 0] })
    world.createJoint({ type: 'ball', bodyA: last, bodyB: link, anchor: [(i + 0.5) / 2, 0, 0] })
    last = link
  }
  for (let i = 0; i < 600; i++) {
    world.step(1 / 60)
    // The begin of the fall is calm, what follows is a whip.
    const bound = i < 20 ? 1e-9 : 1e-7
    for (const joint of world.joints)
      assert.ok(Math.hypot(...joint.violation()) < bound, `step ${i}`)
  }
  world.free()
})
