import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { cosineOf, sineOf } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Quaternion} Quaternion */

/** m: the crank from its shaft to its pin, the rod from pin to pin */
const CRANK = 0.1
const ROD = 0.3
/** kg and kg m²: crank and flywheel about the shaft, which is their centre of mass, and the rod about its middle */
const WHEEL = { mass: 4, inertia: 0.02 }
const ROD_BODY = { mass: 1, inertia: 0.01 }
/** kg */
const PISTON_MASS = 1.5
/** rad/s: of the crank at the start, when it is in line with the rod */
const START_SPEED = 12

/** The axis of a cylinder, y, along z. @type {Quaternion} */
const ACROSS = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
/** The same along x. @type {Quaternion} */
const ALONG = [0, 0, -Math.SQRT1_2, Math.SQRT1_2]

/** A body of a flat mechanism: its inertia about z is what counts. @param {number} inertia kg m² */
const flat = (inertia) => /** @type {[number, number, number]} */ ([inertia, inertia, inertia])

/**
 * The mechanism at an angle of its crank, in closed form. The rod reaches s = sqrt(l² - r² sin²) along x, so the piston is at
 * r cos + s. `inertia` is twice the kinetic energy at a speed of 1 rad/s.
 *
 * @param {number} angle rad, of the crank
 */
function mechanismAt(angle) {
  const [cosine, sine] = [cosineOf(angle), sineOf(angle)]
  const reach = Math.sqrt(ROD ** 2 - (CRANK * sine) ** 2)
  // Derivatives by the angle: of s, of the piston, of the angle of the rod, of the rod's middle.
  const reachRate = (-(CRANK ** 2) * sine * cosine) / reach
  const pistonRate = -CRANK * sine + reachRate
  const rodRate = (-CRANK * cosine) / reach
  const middleRate = [-CRANK * sine + reachRate / 2, (CRANK * cosine) / 2]
  const inertia =
    WHEEL.inertia +
    PISTON_MASS * pistonRate ** 2 +
    ROD_BODY.mass * (middleRate[0] ** 2 + middleRate[1] ** 2) +
    ROD_BODY.inertia * rodRate ** 2
  const rod = { sine: (-CRANK * sine) / ROD, middleHeight: (CRANK * sine) / 2, rate: rodRate }
  return { piston: CRANK * cosine + reach, rod, inertia, middleRate }
}

/** The speed of the crank that the energy of the start gives it at an angle, rad/s. @param {number} angle */
function speedAt(angle) {
  const { inertia, rod } = mechanismAt(angle)
  const kinetic = mechanismAt(0).inertia * START_SPEED ** 2
  return Math.sqrt((kinetic - 2 * ROD_BODY.mass * GRAVITY * rod.middleHeight) / inertia)
}

/** Crank with flywheel, rod and piston, in line along x. @param {World} world */
function addBodies(world) {
  const bar = (/** @type {number} */ half) =>
    /** @type {const} */ ({ type: 'box', halfExtents: [half, 0.012, 0.01] })
  const filter = { mask: 0 }
  const crank = world.createBody({
    shapes: [
      {
        ...{ type: 'cylinder', radius: 0.13, halfHeight: 0.012 },
        ...{ position: [0, 0, -0.05], orientation: ACROSS },
      },
      { ...bar(CRANK / 2), position: [CRANK / 2, 0, -0.025] },
      {
        ...{ type: 'cylinder', radius: 0.015, halfHeight: 0.03 },
        ...{ position: [CRANK, 0, 0], orientation: ACROSS },
      },
    ],
    ...{ mass: WHEEL.mass, inertia: flat(WHEEL.inertia), centerOfMass: [0, 0, 0], filter },
    angularVelocity: [0, 0, START_SPEED],
  })
  const { rod: turned, middleRate } = mechanismAt(0)
  const rod = world.createBody({
    ...{ shape: bar(ROD / 2), position: [CRANK + ROD / 2, 0, 0], filter },
    ...{ mass: ROD_BODY.mass, inertia: flat(ROD_BODY.inertia) },
    linearVelocity: [0, middleRate[1] * START_SPEED, 0],
    angularVelocity: [0, 0, turned.rate * START_SPEED],
  })
  const piston = world.createBody({
    shape: { type: 'cylinder', radius: 0.06, halfHeight: 0.04, orientation: ALONG },
    ...{ position: [CRANK + ROD, 0, 0], mass: PISTON_MASS, filter },
  })
  return { crank, rod, piston }
}

/** Walls beside the way of the piston. @param {World} world */
function addCylinder(world) {
  const wall = (/** @type {number} */ y) =>
    /** @type {const} */ ({ type: 'box', halfExtents: [0.15, 0.008, 0.07], position: [0.3, y, 0] })
  const shapes = [wall(-0.075), wall(0.075)]
  return world.createBody({ type: 'static', shapes, filter: { mask: 0 } })
}

export default defineScene({
  name: 'slider-crank',
  title: 'Slider-crank',
  description:
    'A crank with a flywheel, a connecting rod and a piston, let go at 12 rad/s: a closed loop of three hinges and a slider that stays closed to 1e-8 m, with the way of the piston and the speed of the crank of the closed form.',
  // Midpoints conserve the energy that the speed is computed from to second order.
  options: { solver: 'exact', integrator: 'implicit-midpoint', allowSleep: false },
  timeStep: 1 / 480,
  duration: 4,
  camera: { position: [0.25, 0.25, 0.75], target: [0.18, 0, 0] },
  setup(world) {
    const { crank, rod, piston } = addBodies(world)
    const cylinder = addCylinder(world)
    /** Along the shaft, at places along x of both. @param {Body | null} bodyA @param {Body} bodyB */
    const hinge = (bodyA, bodyB, xA = 0, xB = 0) =>
      world.createJoint({
        ...{ type: 'hinge', bodyA, bodyB, anchorA: [xA, 0, 0], anchorB: [xB, 0, 0] },
        ...{ axisA: [0, 0, 1], axisB: [0, 0, 1] },
      })
    const shaft = hinge(null, crank)
    const crankPin = hinge(crank, rod, CRANK, -ROD / 2)
    const pistonPin = hinge(rod, piston, ROD / 2)
    const guide = world.createJoint({
      ...{ type: 'slider', bodyA: null, bodyB: piston, anchorA: piston.position },
      ...{ anchorB: [0, 0, 0], axisA: [1, 0, 0], axisB: [1, 0, 0] },
    })
    return { glass: [cylinder], joints: [shaft, crankPin, pistonPin, guide], shaft, rod, piston }
  },
  checks: [
    {
      name: 'loop-stays-closed',
      description: 'Errors of the anchors and axes of the three hinges and the slider',
      unit: 'm, rad',
      tolerance: 1e-8,
      error: ({ things }) =>
        Math.max(...things.joints.flatMap((joint) => joint.violation().map(Math.abs))),
    },
    {
      name: 'piston-by-the-closed-form',
      description: 'The piston is at r cos θ + sqrt(l² - r² sin² θ) of the angle of the crank',
      unit: 'm',
      tolerance: 1e-8,
      error: ({ things: { shaft, piston } }) =>
        Math.abs(piston.position[0] - mechanismAt(shaft.angle).piston),
    },
    {
      name: 'rod-by-the-closed-form',
      description: 'The middle of the rod is at half of the height of the crank pin',
      unit: 'm',
      tolerance: 1e-8,
      error: ({ things: { shaft, rod } }) =>
        Math.abs(rod.position[1] - mechanismAt(shaft.angle).rod.middleHeight),
    },
    {
      name: 'speed-by-the-closed-form',
      description:
        'Nothing takes energy: the crank has the speed that this and the inertia of all at its angle give',
      unit: 'rad/s',
      tolerance: 1e-3,
      error: ({ things: { shaft } }) => Math.abs(shaft.speed - speedAt(shaft.angle)),
    },
  ],
})
