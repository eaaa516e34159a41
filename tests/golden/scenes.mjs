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
 * The machine, and beside it a body on a spring that is in no joint: `rk4` leaves what is in joints to the midpoint rule, so that the machine by itself
 * moves alike with both.
 *
 * @param {World} world
 */
function setUpIntegrated(world) {
  setUpMachine(world)
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.1, 0.05] })
  const bodyA = world.createBody({ shape, mass: 2, position: [0.5, 2, 3] })
  const ends = { bodyA, anchorA: [0, 0, 0], anchorB: [2, 3, 3.5] }
  world.createPotential({ type: 'spring', ...ends, stiffness: 30 })
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

/**
 * The joints that no scene of the registry has, with the options of the others: a rope, a spring, a universal joint, six degrees of
 * freedom, a rack, a pose motor, an axle that is steered, a joint that breaks, one whose bodies collide.
 *
 * @param {World} world
 */
function setUpJoints(world) {
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.2, 0.1, 0.15] })
  /** @param {number} x @param {number} y @param {number} [mass] */
  const add = (x, y, mass = 1) =>
    world.createBody({ shape, mass, position: [x, y, 0], angularVelocity: [0.5, 0.25, 1] })
  /** Of a body on the world, at its middle. @param {Body} bodyB */
  const placed = (bodyB) => ({ bodyA: null, bodyB, anchorA: bodyB.position, anchorB: [0, 0, 0] })
  const spun = { axisA: [0, 0, 1], axisB: [0, 0, 1] }
  const slid = { axisA: [1, 0, 0], axisB: [1, 0, 0] }
  const hung = add(0, 0)
  world.createJoint({ type: 'rope', ...placed(hung), anchorA: [0, 1, 0], length: 1.2 })
  const bouncing = add(1, 0)
  const spring = { length: 0.8, hertz: 2, damping: 0.1 }
  world.createJoint({ type: 'spring', ...placed(bouncing), anchorA: [1, 1, 0], ...spring })
  const [inner, outer] = [add(2, 0), add(2.6, 0, 2)]
  world.createJoint({ type: 'hinge', ...placed(inner), ...slid, breakForce: 60, friction: 0.1 })
  const cross = { axisA: [0, 1, 0], axisB: [0, 0, 1], collideConnected: true }
  const ends = { anchorA: [0.3, 0, 0], anchorB: [-0.3, 0, 0] }
  world.createJoint({ type: 'universal', bodyA: inner, bodyB: outer, ...ends, ...cross })
  const free = add(4, 0)
  world.createJoint({
    ...{
      type: 'sixDof',
      ...placed(free),
      linear: ['locked', [-0.3, 0.3], { spring: { hertz: 1 } }],
    },
    angular: { z: { motor: { targetVelocity: 2, maxForce: 1 } } },
  })
  const [pinion, rack] = [add(5, 0), add(6, -1)]
  const jointA = world.createJoint({ type: 'hinge', ...placed(pinion), ...spun })
  const jointB = world.createJoint({
    type: 'slider',
    ...placed(rack),
    ...slid,
    limits: [-0.5, 0.5],
  })
  world.createJoint({ type: 'rackAndPinion', jointA, jointB, ratio: 0.1 })
  const posed = add(7, 0)
  const gains = {
    targetOrientation: [0, 0, 1, 3],
    maxForce: 20,
    maxTorque: 5,
    stiffness: 40,
    damping: 1,
  }
  world.createJoint({ type: 'motor', ...placed(posed), targetPosition: [0.1, 0.2, 0.3], ...gains })
  const [chassis, wheel] = [add(8, 0.5, 5), add(8, 0)]
  /** @type {{ spring: import('moreau').JointSpring, limits: [number, number] }} */
  const sprung = { spring: { stiffness: 900, dampingCoefficient: 30 }, limits: [-0.2, 0.2] }
  world.createJoint({
    ...{ type: 'wheel', bodyA: chassis, bodyB: wheel, anchorA: [0, -0.5, 0], anchorB: [0, 0, 0] },
    ...{ axisA: [0, 1, 0], axisB: [0, 0, 1], ...sprung, steering: 0.3, friction: 0.05 },
  })
}

/**
 * Chains that hang at rest, and planks on two joints each between two supports: joints that bear loads from the first step on.
 *
 * @param {World} world
 */
function setUpChains(world) {
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.05, 0.08, 0.05] })
  /** @param {number} x @param {number} count */
  const hang = (x, count) => {
    let last = null
    for (let i = 0; i < count; i++) {
      const link = world.createBody({
        ...{ shape, mass: 1, position: [x, -0.2 * i - 0.1, 0] },
        linearVelocity: i === 40 ? [0.3, 0, 0.1] : [0, 0, 0],
      })
      const anchorA = /** @type {[number, number, number]} */ (last ? [0, -0.1, 0] : [x, 0, 0])
      world.createJoint({ type: 'ball', bodyA: last, bodyB: link, anchorA, anchorB: [0, 0.1, 0] })
      last = link
    }
  }
  hang(0, 20)
  hang(1, 50)
  const plank = /** @type {const} */ ({ type: 'box', halfExtents: [0.08, 0.02, 0.1] })
  const planks = [2.1, 2.3, 2.5, 2.7, 2.9].map((x) =>
    world.createBody({ shape: plank, mass: 1, position: [x, 0, 0] }),
  )
  for (const z of [-0.08, 0.08]) {
    /** @type {[number, number, number][]} */
    const [left, right] = [
      [-0.1, 0, z],
      [0.1, 0, z],
    ]
    /** @param {Body} bodyB @param {number} x @param {[number, number, number]} anchorB */
    const hold = (bodyB, x, anchorB) =>
      world.createJoint({ type: 'ball', bodyA: null, bodyB, anchorA: [x, 0, z], anchorB })
    hold(planks[0], 2, left)
    for (let i = 1; i < 5; i++) {
      const [bodyA, bodyB] = [planks[i - 1], planks[i]]
      world.createJoint({ type: 'ball', bodyA, bodyB, anchorA: right, anchorB: left })
    }
    hold(planks[4], 3, right)
  }
}

/**
 * Plates that slide and turn over tiles that are not quite level, each over more of them than it touches.
 *
 * @param {World} world
 */
function setUpMosaic(world) {
  const half = 0.1
  for (let i = -10; i < 10; i++)
    for (let k = -10; k < 10; k++)
      world.createBody({
        ...{ type: 'static', shape: { type: 'box', halfExtents: [half, half, half] } },
        position: [2 * half * i, -half + ((i + k) % 2) * 1e-4, 2 * half * k],
      })
  for (let n = 0; n < 3; n++)
    world.createBody({
      shape: { type: 'box', halfExtents: [0.75, 0.2, 0.6] },
      ...{ position: [0.1, 0.3 + 0.6 * n, 0.07], linearVelocity: [2 - n, 0, 0.7] },
      angularVelocity: [0.3, 1, 0.2],
    })
}

export const machineScene = { timeStep: 1 / 120, setup: setUpIntegrated }
export const customScene = { timeStep: 1 / 60, setup: setUpCustom }
export const jointsScene = { timeStep: 1 / 60, setup: setUpJoints }
export const chainsScene = { timeStep: 1 / 60, setup: setUpChains }
export const mosaicScene = { timeStep: 1 / 60, setup: setUpMosaic }
