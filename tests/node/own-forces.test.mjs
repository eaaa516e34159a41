// Forces of the user's own in soft-step, as potentials and by applyForce: they neither pump energy nor disturb what rests.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { cross, dot, length, rotate, scale } from '../../scenarios/vector.mjs'
import { near } from './support.mjs'

/** @typedef {import('moreau').Body} Body */
/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {'force' | 'potential'} Way */

const DT = 1 / 60
const WAYS = /** @type {const} */ (['force', 'potential'])
const WEIGHTLESS = /** @type {const} */ ([0, 0, 0])

/** @param {WorldOptions} [options] */
const worldOf = (options = {}) =>
  World.create({ gravity: WEIGHTLESS, allowSleep: false, ...options })

/**
 * Steps for ten seconds.
 *
 * @param {World} world
 * @param {() => void} push what happens before each step
 * @param {() => number} coordinate
 * @returns {number} its greatest size in the last second
 */
function lastAmplitude(world, push, coordinate) {
  let most = 0
  for (let i = 0; i < 600; i++) {
    push()
    world.step(DT)
    if (i >= 540) most = Math.max(most, Math.abs(coordinate()))
  }
  world.free()
  return most
}

/**
 * The amplitude of a body of 1 kg on a spring along x after ten seconds, let go at 1.
 *
 * @param {World} world
 * @param {Body} body
 * @param {number} hertz
 * @param {Way} way
 */
function springAmplitude(world, body, hertz, way) {
  const stiffness = (2 * Math.PI * hertz) ** 2
  const anchorB = /** @type {[number, number, number]} */ ([0, body.position[1], 0])
  if (way === 'potential')
    world.createPotential({ type: 'spring', bodyA: body, anchorB, stiffness })
  const push = () => {
    if (way === 'force') body.applyForce([-stiffness * body.position[0], 0, 0])
  }
  return lastAmplitude(world, push, () => body.position[0])
}

for (const way of WAYS) {
  describe(`by ${way}`, () => {
    for (const hertz of [1, 2]) {
      test(`a spring of ${hertz} Hz keeps its amplitude`, async () => {
        const world = await worldOf()
        const ball = { shape: { type: 'sphere', radius: 0.1 }, mass: 1, position: [1, 0, 0] }
        const body = world.createBody(/** @type {import('moreau').BodyDefinition} */ (ball))
        near(springAmplitude(world, body, hertz, way), 1, 0.01)
      })
    }

    test('a spring of 1 Hz keeps its amplitude on a table without friction', async () => {
      const world = await worldOf({ gravity: [0, -9.81, 0] })
      world.createBody({ type: 'static', shape: { type: 'plane' }, friction: 0 })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.1, 0.1, 0.1] })
      const body = world.createBody({ shape, mass: 1, position: [1, 0.1, 0], friction: 0 })
      near(springAmplitude(world, body, 1, way), 1, 0.01)
    })

    test('a spring of 1 Hz keeps its amplitude on a slider', async () => {
      const world = await worldOf()
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.1, 0.1, 0.1] })
      const body = world.createBody({ shape, mass: 1, position: [1, 0, 0] })
      world.createJoint({ type: 'slider', bodyB: body, anchor: [1, 0, 0], axis: [1, 0, 0] })
      near(springAmplitude(world, body, 1, way), 1, 0.01)
    })

    test('an orbit keeps its energy for twenty turns', async () => {
      const world = await worldOf()
      const shape = /** @type {const} */ ({ type: 'sphere', radius: 0.05 })
      const moon = world.createBody({
        shape,
        mass: 1,
        position: [1, 0, 0],
        linearVelocity: [0, 1, 0],
      })
      if (way === 'potential')
        world.createPotential({ type: 'pointGravity', bodies: [moon], mu: 1 })
      const energy = () =>
        dot(moon.linearVelocity, moon.linearVelocity) / 2 - 1 / length(moon.position)
      const before = energy()
      for (let i = 0; i < 20 * 2 * Math.PI * 60; i++) {
        const place = moon.position
        if (way === 'force') moon.applyForce(scale(place, -1 / length(place) ** 3))
        world.step(DT)
        near(energy() / before, 1, 0.01, `energy after step ${i}`)
      }
      world.free()
    })

    test('a compass needle of 1 Hz keeps its amplitude', async () => {
      const world = await worldOf()
      const release = 0.1
      const moment = /** @type {const} */ ([1, 0, 0])
      const field = /** @type {const} */ ([(2 * Math.PI) ** 2 / 6, 0, 0])
      const needle = world.createBody({
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
        mass: 1,
        orientation: [0, 0, Math.sin(release / 2), Math.cos(release / 2)],
      })
      if (way === 'potential') {
        world.createPotential({ type: 'magnetic', bodies: [needle], moment, field })
      }
      const direction = () => rotate(needle.orientation, moment)
      const push = () => {
        if (way === 'force') needle.applyTorque(cross(direction(), field))
      }
      const angle = () => Math.atan2(direction()[1], direction()[0])
      near(lastAmplitude(world, push, angle) / release, 1, 0.01)
    })
  })
}

test('a door on a torsion spring of 1 Hz keeps its amplitude', async () => {
  const world = await worldOf()
  const door = world.createBody({
    shape: { type: 'box', halfExtents: [0.5, 0.05, 0.3] },
    mass: 1,
    position: [0.5, 0, 0],
    linearVelocity: [0, 0.5, 0],
    angularVelocity: [0, 0, 1],
  })
  world.createJoint({ type: 'hinge', bodyB: door, anchor: [0, 0, 0], axis: [0, 0, 1] })
  const inertia = (0.5 ** 2 + 0.05 ** 2) / 3 + 0.5 ** 2
  const omega = 2 * Math.PI
  const angle = () => 2 * Math.atan2(door.orientation[2], door.orientation[3])
  const push = () => door.applyTorque([0, 0, -inertia * omega ** 2 * angle()])
  near(lastAmplitude(world, push, angle) * omega, 1, 0.01)
})

test('a body that is held against gravity hovers', async () => {
  const world = await worldOf({ gravity: [0, -9.81, 0] })
  const body = world.createBody({ shape: { type: 'sphere', radius: 0.1 }, mass: 1 })
  for (let i = 0; i < 60; i++) {
    body.applyForce([0, 9.81, 0])
    world.step(DT)
  }
  near(length(body.position), 0, 1e-12)
  near(length(body.linearVelocity), 0, 1e-12)
  world.free()
})

test('a box that is pressed to the floor with fifty times its weight lies still', async () => {
  const world = await worldOf({ gravity: [0, -9.81, 0] })
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  const box = world.createBody({ shape, mass: 1, position: [0, 0.5, 0] })
  for (let i = 0; i < 300; i++) {
    box.applyForce([0, -500, 0])
    world.step(DT)
    if (i > 60) assert.ok(length(box.linearVelocity) < 1e-5, `${length(box.linearVelocity)} m/s`)
  }
  near(box.position[1], 0.5, 5e-3) // no deeper than the slop
  world.free()
})
