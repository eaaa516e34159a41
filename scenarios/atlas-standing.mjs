import { addAtlas, SOLE } from './atlas.mjs'
import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, rotate, scale } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */

// Up is z, as in the file of the robot.

/**
 * rad: knees bent, arms down, elbows ahead; the angles of a leg add up to 0, so that the feet are level, and have the centre of mass
 * above the middle of the feet.
 */
const POSTURE = {
  ...{ leg_hpy: -0.2, leg_kny: 0.5, leg_aky: -0.3 },
  ...{ arm_shx: -1.35, arm_ely: 1.57, arm_elx: 0.5 },
}
/** N ahead on the chest, and s from when to when */
const PUSH = { force: 80, from: 3, to: 4 }
/** s after which what begins or ends at once has been answered by the next step */
const ANSWER = 0.05

/** @param {readonly Body[]} bodies @returns {{ mass: number, center: Vector }} kg, m */
function centerOfMass(bodies) {
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  const moment = bodies.reduce(
    (sum, body) => add(sum, scale(body.worldCenterOfMass, body.mass)),
    /** @type {Vector} */ ([0, 0, 0]),
  )
  return { mass, center: scale(moment, 1 / mass) }
}

/** The push at a time, N. @param {number} time s */
const pushAt = (time) => (time > PUSH.from && time <= PUSH.to ? PUSH.force : 0)

/** Whether a push began or ended just now. @param {number} time s */
const isAnswering = (time) =>
  [0, PUSH.from, PUSH.to].some((begin) => time > begin && time <= begin + ANSWER)

/** Where the floor carries the robot along x, m, and what it carries, N. @param {readonly Body[]} feet @param {number} timeStep */
function pressure(feet, timeStep) {
  const points = feet.flatMap((foot) => foot.contacts()).flatMap((contact) => contact.points)
  const total = points.reduce((sum, point) => sum + point.normalImpulse, 0)
  const moment = points.reduce((sum, point) => sum + point.normalImpulse * point.position[0], 0)
  return { center: moment / total, force: total / timeStep }
}

/** How far the corners of a sole are from the floor, m. @param {Body} foot */
function unevenness({ position, orientation }) {
  const corners = [-0.084, 0.179].flatMap((x) => [-0.065, 0.065].map((y) => [x, y, -SOLE]))
  return Math.max(...corners.map((at) => Math.abs(position[2] + rotate(orientation, at)[2])))
}

export default defineScene({
  name: 'atlas-standing',
  title: 'Atlas stands',
  description: `The robot of 146 kg by the numbers of its file, 28 links and 27 motors that give no more than theirs: it stands on its feet, also while something pushes it with ${PUSH.force} N, and all forces are those of statics.`,
  options: { gravity: [0, 0, -GRAVITY], solver: 'exact', allowSleep: false },
  timeStep: 1 / 120,
  duration: 8,
  camera: { position: [2.9, -2.7, 1.7], target: [0, 0, 1.15] },
  setup(world) {
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [4, 4, 0.25], position: [0, 0, -0.25] },
    })
    const { bodies, joints } = addAtlas(world, POSTURE)
    const feet = [bodies.l_foot, bodies.r_foot]
    const ankles = joints.filter(({ name }) => name.endsWith('leg_aky')).map(({ hinge }) => hinge)
    const below = [...feet, bodies.l_talus, bodies.r_talus]
    const all = Object.values(bodies)
    const above = all.filter((body) => !below.includes(body))
    return { chest: bodies.utorso, joints, feet, ankles, all, above, steps: 0 }
  },
  beforeStep(world, things, dt) {
    const force = pushAt(++things.steps * dt)
    if (force > 0) things.chest.applyForce([force, 0, 0])
  },
  checks: [
    {
      name: 'joints-stay-closed',
      description: 'Errors of the anchors and axes of all hinges',
      unit: 'm, rad',
      tolerance: 1e-8,
      error: ({ things }) =>
        Math.max(
          ...things.joints.flatMap(({ hinge }) => hinge.violation().slice(0, 5).map(Math.abs)),
        ),
    },
    {
      name: 'posture-is-held',
      description: 'All joints are where they were at the start',
      unit: 'rad',
      tolerance: 1e-6,
      error: ({ things }) => Math.max(...things.joints.map(({ hinge }) => Math.abs(hinge.angle))),
    },
    {
      name: 'feet-are-flat',
      description: 'Height of the corners of both soles above the floor',
      unit: 'm',
      tolerance: 1e-4,
      error: ({ things }) => Math.max(...things.feet.map(unevenness)),
    },
    {
      name: 'floor-carries-the-weight',
      description: 'Sum of the normal forces under the feet',
      unit: 'N',
      tolerance: 1e-3,
      error({ things: { feet, all }, time, timeStep }) {
        if (isAnswering(time)) return 0
        return Math.abs(pressure(feet, timeStep).force - centerOfMass(all).mass * GRAVITY)
      },
    },
    {
      name: 'centre-of-pressure',
      description:
        'The floor carries it below its centre of mass, and further ahead by F h / (m g) while it is pushed at the height h',
      unit: 'm',
      tolerance: 1e-6,
      error({ things: { feet, all, chest }, time, timeStep }) {
        if (isAnswering(time)) return 0
        const { mass, center } = centerOfMass(all)
        const lever = (pushAt(time) * chest.worldCenterOfMass[2]) / (mass * GRAVITY)
        return Math.abs(pressure(feet, timeStep).center - center[0] - lever)
      },
    },
    {
      name: 'ankles-carry-what-is-above',
      description: 'The motors of both ankles give the moment of all that is above them',
      unit: 'N m',
      tolerance: 1e-3,
      error({ things: { ankles, above, chest }, time }) {
        if (isAnswering(time)) return 0
        const { mass, center } = centerOfMass(above)
        const [x, , z] = ankles[0].bodyB?.position ?? [NaN, 0, NaN]
        const height = chest.worldCenterOfMass[2] - z
        const moment = mass * GRAVITY * (center[0] - x) + pushAt(time) * height
        const torque = ankles.reduce((sum, hinge) => sum + hinge.driveForces().motor, 0)
        return Math.abs(torque - moment)
      },
    },
    {
      name: 'motors-are-strong-enough',
      description: 'Part of its effort that a motor gives',
      unit: '(part)',
      tolerance: 0.9,
      error: ({ things }) =>
        Math.max(
          ...things.joints.map(({ hinge, effort }) => Math.abs(hinge.driveForces().motor) / effort),
        ),
    },
    {
      name: 'certificate-is-good',
      description: 'No step missed the tolerance of the exact solver',
      unit: 'm/s',
      tolerance: 1e-8,
      error: ({ world }) => (world.stats.missedIslands > 0 ? Infinity : world.stats.residual),
    },
  ],
})
