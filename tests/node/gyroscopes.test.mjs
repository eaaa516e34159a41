// Fast spins: a gyroscope on a pivot that must not fall, and free tops whose angular momentum stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'
import { distance, length, scale } from '../../scenarios/vector.mjs'
import { INTEGRATORS } from '../integrators.mjs'
import { near } from './support.mjs'

const DT = 1 / 60

const METHODS = [
  { solver: /** @type {const} */ ('soft-step'), integrator: INTEGRATORS[0] },
  .../** @type {const} */ (['exact', 'block-pgs']).flatMap((solver) =>
    INTEGRATORS.map((integrator) => ({ solver, integrator })),
  ),
]

/** @typedef {import('moreau').Body} Body */

/**
 * Steps for ten seconds and checks that a gyroscope stays level and precesses about the y axis.
 * @param {World} world
 * @param {Body} wheel
 * @param {number} precession in rad/s
 * @param {number} hertz steps per second
 */
function checkPrecession(world, wheel, precession, hertz) {
  let [angle, last] = [0, 0]
  for (let i = 0; i < 10 * hertz; i++) {
    world.step(1 / hertz)
    const [x, y, z] = wheel.position
    assert.ok(Math.abs(y) < 0.01, `${y} m high after step ${i}`)
    const now = Math.atan2(-z, x)
    angle += now - last + (now < last - Math.PI ? 2 * Math.PI : 0)
    last = now
  }
  near(angle / (10 * precession), 1, 0.01, 'precession')
}

// A wheel of 1 kg on a level axle that is held at its end precesses at m g arm / (I spin) and stays
// level (Goldstein, "Classical Mechanics", 5.7).
for (const { solver, integrator } of METHODS) {
  for (const spin of [30, 100, 200]) {
    test(`a gyroscope of ${spin} rad/s on a pivot stays up, ${solver}, ${integrator}`, async () => {
      const [arm, halfWidth, halfHeight, g] = [0.3, 0.05, 0.2, 9.81]
      const precession = (g * arm) / (((2 * halfHeight ** 2) / 3) * spin)
      const world = await World.create({ allowSleep: false, solver, integrator })
      const wheel = world.createBody({
        shape: { type: 'box', halfExtents: [halfWidth, halfHeight, halfHeight] },
        mass: 1,
        position: [arm, 0, 0],
        linearVelocity: [0, 0, -precession * arm],
        angularVelocity: [spin, precession, 0],
      })
      world.createJoint({ type: 'ball', bodyB: wheel, anchor: [0, 0, 0] })
      checkPrecession(world, wheel, precession, 60)
      near(length(wheel.angularVelocity) / spin, 1, 0.02, 'spin')
      world.free()
    })
  }
}

// The same wheel on a rod of 0.1 kg, whose other end is on the pivot, above a floor that it does
// not touch. A contact is there in half of the steps.
for (const { solver, integrator } of METHODS.slice(1)) {
  test(`a wheel of 200 rad/s on an axle stays up beside a floor, ${solver}, ${integrator}`, async () => {
    const [arm, spin, g] = [0.3, 200, 9.81]
    const precession = (g * (arm + (0.1 * arm) / 2)) / (((2 * 0.2 ** 2) / 3) * spin)
    const world = await World.create({ allowSleep: false, solver, integrator })
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [1, 0.05, 1] },
      position: [0, -0.36, 0],
    })
    const rod = world.createBody({
      shape: { type: 'box', halfExtents: [arm / 2, 0.01, 0.01] },
      mass: 0.1,
      position: [arm / 2, 0, 0],
      linearVelocity: [0, 0, (-precession * arm) / 2],
      angularVelocity: [0, precession, 0],
    })
    const wheel = world.createBody({
      shape: { type: 'box', halfExtents: [0.03, 0.2, 0.2] },
      mass: 1,
      position: [arm, 0, 0],
      linearVelocity: [0, 0, -precession * arm],
      angularVelocity: [spin, precession, 0],
    })
    world.createJoint({ type: 'ball', bodyB: rod, anchor: [0, 0, 0] })
    world.createJoint({
      type: 'hinge',
      bodyA: rod,
      bodyB: wheel,
      anchor: [arm, 0, 0],
      axis: [1, 0, 0],
    })
    checkPrecession(world, wheel, precession, 240)
    world.free()
  })
}

for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
  for (const spin of /** @type {const} */ ([
    [1, 6, 2],
    [10, 60, 20],
    [0, 100, 0.1],
  ])) {
    test(`a free top of ${spin} rad/s keeps angular momentum and energy, ${solver}`, async () => {
      const world = await World.create({ gravity: [0, 0, 0], allowSleep: false, solver })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.3, 0.1] })
      world.createBody({ shape, mass: 1, angularVelocity: spin })
      const direction = () => {
        const { angular } = world.momentum()
        return scale(angular, 1 / length(angular))
      }
      const [start, size] = [direction(), length(world.momentum().angular)]
      const energy = world.energy().kinetic
      for (let i = 0; i < 600; i++) {
        world.step(DT)
        near(distance(direction(), start), 0, 1e-11, `direction after step ${i}`)
      }
      near(length(world.momentum().angular) / size, 1, 1e-11, 'size')
      near(world.energy().kinetic / energy, 1, 1e-11, 'energy')
      world.free()
    })
  }
}
