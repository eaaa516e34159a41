/**
 * Whether lengths are counted in metres, times in seconds and masses in kilograms is not felt, where all options with units change with them.
 */
import { scale } from '../../../scenarios/vector.mjs'
import { withChanged } from '../properties.mjs'
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

/** By what the numbers of a unit grow. @param {Units} units */
function factorsOf({ length, time, density }) {
  const force = (density * length ** 4) / time ** 2
  return {
    ...{ length, time, density, force, speed: length / time, acceleration: length / time ** 2 },
    ...{ torque: force * length, mass: density * length ** 3 },
  }
}
/** @typedef {ReturnType<typeof factorsOf>} Factors */

/** @param {number} by @returns {(value: any) => any} of a number, or of lists of numbers */
const times = (by) => (value) => (Array.isArray(value) ? value.map(times(by)) : by * value)

/** @param {any} shape @param {Factors} factors @returns {any} */
function shapeIn(shape, factors) {
  const far = times(factors.length)
  return withChanged(shape, {
    ...{ radius: far, radiusTop: far, radiusBottom: far, rounding: far },
    ...{ halfHeight: far, halfExtents: far, position: far, points: far },
    density: times(factors.density),
    shapes: (shapes) => shapes.map((/** @type {any} */ one) => shapeIn(one, factors)),
  })
}

/** @param {any} body @param {Factors} factors */
function bodyIn(body, factors) {
  const { length, time, density, speed } = factors
  return withChanged(
    { density: DENSITY, ...body },
    {
      ...{ density: times(density), position: times(length) },
      ...{ linearVelocity: times(speed), surfaceVelocity: times(speed) },
      ...{ angularVelocity: times(1 / time), shape: (shape) => shapeIn(shape, factors) },
      ...{ linearDamping: times(1 / time), angularDamping: times(1 / time) },
      shapes: (shapes) => shapes.map((/** @type {any} */ shape) => shapeIn(shape, factors)),
    },
  )
}

/** Joints whose coordinate is a length. */
const ALONG = ['slider', 'distance', 'path']

/** Those of ball joints are angles. @param {any} limits @param {number} by @returns {any} */
const limitsIn = (limits, by) => (Array.isArray(limits) ? times(by)(limits) : limits)

/** What drives a coordinate: a length, or an angle. @param {any} drive @param {Factors} factors @param {boolean} isLength */
function driveIn(drive, { length, time, force, torque }, isLength) {
  const [way, most] = isLength ? [length, force] : [1, torque]
  const gains = { hertz: times(1 / time) }
  return withChanged(drive, {
    limits: (limits) => limitsIn(limits, way),
    ...{ lower: times(way), upper: times(way), friction: times(most) },
    spring: (spring) => withChanged(spring, gains),
    motor: (motor) =>
      withChanged(motor, {
        ...{ ...gains, targetVelocity: times(way / time), targetPosition: times(way) },
        maxForce: times(most),
      }),
  })
}

/** An axis of sixDof. @param {any} axis @param {Factors} factors @param {boolean} isLength */
function axisIn(axis, factors, isLength) {
  if (typeof axis === 'string') return axis
  return Array.isArray(axis)
    ? times(isLength ? factors.length : 1)(axis)
    : driveIn(axis, factors, isLength)
}

/** Of a wheel the limits are of lengths, and the motor turns. @param {any} joint @param {Factors} factors */
function drivesIn(joint, factors) {
  if (joint.type !== 'wheel') return driveIn(joint, factors, ALONG.includes(joint.type))
  return { ...driveIn(joint, factors, false), limits: times(factors.length)(joint.limits) }
}

/** @param {any} joint @param {Factors} factors */
function jointIn(joint, factors) {
  const { length, time, force, torque } = factors
  const far = times(length)
  const axes = (/** @type {boolean} */ isLength) => (/** @type {any[]} */ all) =>
    all.map((axis) => axisIn(axis, factors, isLength))
  return withChanged(drivesIn(joint, factors), {
    ...{ anchor: far, anchorA: far, anchorB: far, groundAnchorA: far, groundAnchorB: far },
    ...{ points: far, targetPosition: far, length: far, hertz: times(1 / time) },
    ...{ maxForce: times(force), maxTorque: times(torque) },
    ...{ linear: axes(true), angular: axes(false) },
    // Of a gear it is a number, of a rack metres per radian.
    ratio: joint.type === 'rackAndPinion' ? far : times(1),
  })
}

/** What a number of a potential is, by the names that most types share. @param {any} potential @param {Factors} factors */
function potentialIn(potential, { length, time, density, mass, speed, acceleration, torque }) {
  const mu = times(length ** 3 / time ** 2)
  return withChanged(potential, {
    ...{ gravity: times(acceleration), mu, center: times(length), softening: times(length) },
    ...{ moment: times(torque), velocity: times(speed), density: times(density) },
    linear: times(mass / time),
    quadratic: times(mass / length),
    angular: times((mass * length ** 2) / time),
    surface: ({ normal, offset }) => ({ normal, offset: offset * length }),
    gravitationalConstant: times(1 / (density * time ** 2)),
    ...{ stiffness: times(mass / time ** 2), damping: times(mass / time) },
    ...{ restLength: times(length), anchorB: times(length) },
  })
}

/** @param {Slab} slab @param {Units} units @returns {Slab} */
const slabIn = (slab, { length }) => ({
  ...slab,
  origin: scale(slab.origin, length),
  half: [slab.half[0] * length, slab.half[1] * length],
  depth: slab.depth * length,
})

/** @param {Scene} scene @param {Units} units @returns {Scene} */
function sceneIn(scene, units) {
  const factors = factorsOf(units)
  return {
    ...scene,
    settings: { ...scene.settings, ...settingsIn(scene, units) },
    slabs: scene.slabs.map((slab) => slabIn(slab, units)),
    bodies: scene.bodies.map((body) => bodyIn(body, factors)),
    joints: scene.joints.map((joint) => jointIn(joint, factors)),
    potentials: scene.potentials.map((potential) => potentialIn(potential, factors)),
    timeStep: scene.timeStep * units.time,
    duration: scene.duration * units.time,
  }
}

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

/** @param {Scene['character']} character @param {Factors} factors */
function characterIn(character, factors) {
  const { length, speed, acceleration, force } = factors
  return withChanged(character, {
    ...{ shape: (shape) => shapeIn(shape, factors), position: times(length) },
    ...{ velocity: times(speed), gravity: times(acceleration), pushForce: times(force) },
  })
}

/**
 * The same lengths in a world that is told its unit: nothing else is set, and masses stay as they are.
 * @param {number} length by which lengths grow @returns {Relation}
 */
const told = (length) => ({
  ...{ group: 'units', name: `lengthUnit ${1 / length}` },
  image(scene) {
    const units = { length, time: 1, density: length ** -3 }
    const { character } = scene
    return {
      scene: {
        ...sceneIn(scene, units),
        settings: { ...scene.settings, lengthUnit: 1 / length },
        character: character && characterIn(character, factorsOf(units)),
      },
      back: eachBody(({ position, orientation }) => ({
        position: scale(position, 1 / length),
        orientation,
      })),
    }
  },
})

/** @param {string} name @param {Partial<Units>} some @returns {Relation} */
const counted = (name, some) => ({
  ...{ group: 'units', name },
  image(scene) {
    // Characters keep a gap and climb steps in metres.
    if (scene.character) return undefined
    const units = { ...ONE, ...some }
    return {
      of: baseOf(scene),
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
  // Centimetres, millimetres, hundreds of metres, and a power of 2, which rounds nothing.
  ...[100, 1000, 0.01, 128].map(told),
  // Twice as long is the longest step: soft-step leaves those above 0.04 s to others where `substeps` is 1.
  ...[0.1, 0.5, 2].map((time) => counted(`times x ${time}`, { time })),
  ...[0.01, 0.5, 2, 100].map((density) => counted(`masses x ${density}`, { density })),
]
