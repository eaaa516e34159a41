/**
 * Whether lengths are counted in metres, times in seconds and masses in kilograms is not felt, where all options with units change with them.
 */
import { scale } from '../../../scenarios/vector.mjs'
import { eachBody, GRAVITY } from '../scene.mjs'

/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Scene, Slab } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/** By what numbers grow: those of lengths, of times and of densities. @typedef {{ length: number, time: number, density: number }} Units */

/** kg/m³: of bodies that say nothing. */
const DENSITY = 1000

/**
 * Options with units, and those that follow from others by numbers with units: as they are by default where soft-step solves.
 * @param {Scene} scene @param {Units} units
 */
const settingsIn = ({ timeStep }, { length, time }) => ({
  gravity: scale(GRAVITY, length / time ** 2),
  // What gravity gives in two steps.
  restitutionThreshold: (2 * 9.81 * timeStep * length) / time,
  linearSlop: 0.005 * length,
  maxCorrectionSpeed: (3 * length) / time,
  tolerance: (1e-8 * length) / time,
  contactHertz: 30 / time,
  jointHertz: 120 / time,
  // Of a step of 1/60 s, as scenes have; longer ones have more, in proportion.
  substeps: 4 / Math.max(1, time),
})

/** @param {any} shape @param {number} by @returns {any} */
function shapeIn({ radius, halfHeight, halfExtents, position, points, ...shape }, by) {
  const far = (/** @type {Vector} */ v) => scale(v, by)
  return {
    ...shape,
    ...(radius && { radius: by * radius }),
    ...(halfHeight && { halfHeight: by * halfHeight }),
    ...(halfExtents && { halfExtents: far(halfExtents) }),
    ...(position && { position: far(position) }),
    ...(points && { points: points.map(far) }),
  }
}

/** @param {any} body @param {Units} units */
const bodyIn = ({ shape, shapes, ...body }, { length, time, density }) => ({
  ...body,
  density: DENSITY * density,
  position: scale(body.position, length),
  linearVelocity: scale(body.linearVelocity, length / time),
  angularVelocity: scale(body.angularVelocity, 1 / time),
  ...(shape && { shape: shapeIn(shape, length) }),
  ...(shapes && { shapes: shapes.map((/** @type {any} */ part) => shapeIn(part, length)) }),
})

/** A torque is a density times the fifth power of a length by the square of a time. @param {any} joint @param {Units} units */
const jointIn = ({ motor, ...joint }, { length, time, density }) => ({
  ...joint,
  anchor: scale(joint.anchor, length),
  ...(motor && {
    motor: {
      targetVelocity: motor.targetVelocity / time,
      maxForce: (motor.maxForce * density * length ** 5) / time ** 2,
    },
  }),
})

/** @param {Slab} slab @param {Units} units @returns {Slab} */
const slabIn = (slab, { length }) => ({
  ...slab,
  origin: scale(slab.origin, length),
  half: [slab.half[0] * length, slab.half[1] * length],
  depth: slab.depth * length,
})

/** @param {Scene} scene @param {Units} units @returns {Scene} */
const sceneIn = (scene, units) => ({
  ...scene,
  settings: { ...scene.settings, ...settingsIn(scene, units) },
  slabs: scene.slabs.map((slab) => slabIn(slab, units)),
  bodies: scene.bodies.map((body) => bodyIn(body, units)),
  joints: scene.joints.map((joint) => jointIn(joint, units)),
  timeStep: scene.timeStep * units.time,
  duration: scene.duration * units.time,
})

/** @type {Units} */
const ONE = Object.freeze({ length: 1, time: 1, density: 1 })

/** Scenes with all options, each made once: its motion is then found once. @type {WeakMap<Scene, Scene>} */
const bases = new WeakMap()

/** @param {Scene} scene @returns {Scene} */
function baseOf(scene) {
  const base = bases.get(scene) ?? sceneIn(scene, ONE)
  bases.set(scene, base)
  return base
}

/** @param {string} name @param {Partial<Units>} some @returns {Relation} */
const counted = (name, some) => ({
  ...{ group: 'units', name },
  image(scene) {
    const units = { ...ONE, ...some }
    return {
      base: baseOf(scene),
      scene: sceneIn(scene, units),
      back: eachBody(({ position, orientation }) => ({
        position: scale(position, 1 / units.length),
        orientation,
      })),
    }
  },
})

/** @type {Relation[]} */
export const units = [
  ...[0.01, 0.1, 0.5, 2, 10, 100].map((length) => counted(`lengths x ${length}`, { length })),
  // Twice as long is the longest step: soft-step leaves those above 0.04 s to others where `substeps` is 1.
  ...[0.1, 0.5, 2].map((time) => counted(`times x ${time}`, { time })),
  ...[0.01, 0.5, 2, 100].map((density) => counted(`masses x ${density}`, { density })),
]
