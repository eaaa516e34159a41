/**
 * Scenes of the golden hashes that show what no scene of the registry has.
 */
import { CONSTRAINTS, POTENTIALS } from './functions.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').Body} Body */

const LINK_JOINTS = /** @type {const} */ (['ball', 'hinge', 'distance', 'fixed', 'ball', 'slider'])

/**
 * A chain of all joints with a spring at its end, above a floor. tests/native/joined_bodies.c is the same in C.
 *
 * @param {World} world
 */
function setUpMachine(world) {
  const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 1, 0], offset: -1.5 })
  world.createBody({ type: 'static', shape: floor })
  /** @type {Body | null} */
  let last = null
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.1, 0.05] })
  for (const [i, type] of LINK_JOINTS.entries()) {
    const link = world.createBody({
      shape,
      mass: 1 + i,
      position: [0.5 * i + 0.25, 0, 0],
      angularVelocity: [0.5, 0.25 * i, 0],
    })
    const axes = type === 'hinge' || type === 'slider' ? { axisA: [0, 0, 1], axisB: [0, 0, 1] } : {}
    const anchors = { anchorA: last ? [0.25, 0, 0] : [0, 0, 0], anchorB: [-0.25, 0, 0] }
    world.createJoint({ type, bodyA: last, bodyB: link, ...anchors, ...axes })
    last = link
  }
  const bodyA = /** @type {Body} */ (last)
  const ends = { bodyA, anchorA: [0, 0, 0], anchorB: [3, 2, 1] }
  world.createPotential({ type: 'spring', ...ends, stiffness: 20, damping: 0.5 })
}

/**
 * Functions of the user: a bead on a rail, two balls on a leash, a well that pulls all of them; beside them a cube on a floor.
 *
 * @param {World} world
 */
function setUpCustom(world) {
  const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 1, 0], offset: -2 })
  world.createBody({ type: 'static', shape: floor })
  const shape = /** @type {const} */ ({ type: 'sphere', radius: 0.25 })
  const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.3, 0.2, 0.25] })
  const bead = world.createBody({ shape, mass: 1, position: [2, 1, 0] })
  const ends = [-1, 1].map((side) =>
    world.createBody({
      ...{ shape, mass: 2 + side, position: [0.75 * side, 1.5, 2] },
      ...{ linearVelocity: [side, 0.5, 0], angularVelocity: [0, side, 3] },
    }),
  )
  world.createBody({
    ...{ shape: cube, mass: 3, position: [0, -1.7, -2], angularVelocity: [0.5, 2, 0.25] },
  })
  const [rail, leash] = CONSTRAINTS
  world.createConstraint({ type: 'custom', bodies: bead, ...rail })
  world.createConstraint({ type: 'custom', bodies: ends, ...leash })
  world.createPotential({ type: 'custom', ...POTENTIALS[0] })
}

export const machineScene = { timeStep: 1 / 120, setup: setUpMachine }
export const customScene = { timeStep: 1 / 60, setup: setUpCustom }
