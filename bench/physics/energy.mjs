/**
 * The energy of a run by masses, velocities and places alone: one judge for all engines. Nothing may gain any: what is not kept
 * goes into friction and impacts.
 */
import { ConvexHull, init } from 'moreau'
import { dot, length, rotate, rotateBack, scale } from '../../scenarios/vector.mjs'
import { DENSITY, GRAVITY } from '../scenes/description.mjs'

/** @typedef {import('./scene.mjs').Experiment} Experiment */
/** @typedef {import('./scene.mjs').State} State */
/** @typedef {import('../scenes/description.mjs').Description} Description */
/** @typedef {import('../scenes/description.mjs').BasicShape} ShapeDescription */
/** @typedef {import('../scenes/description.mjs').PotentialDescription} PotentialDescription */
/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */

/**
 * @param {ShapeDescription} shape
 * @returns {number} m³
 */
export function volumeOf(shape) {
  if (shape.type === 'hull') return ConvexHull.fromPoints(shape.points).volume
  if (shape.type === 'box') return shape.halfExtents.reduce((volume, half) => 2 * half * volume, 1)
  const { radius } = shape
  const ball = (4 / 3) * Math.PI * radius ** 3
  return shape.type === 'sphere' ? ball : ball + 2 * shape.halfHeight * Math.PI * radius ** 2
}

/**
 * The inertia of a homogeneous shape about its centre.
 *
 * @param {ShapeDescription} shape
 * @param {number} mass kg
 * @returns {Vector[]} rows, kg m²
 */
export function inertiaOf(shape, mass) {
  if (shape.type === 'hull') {
    const rows = ConvexHull.fromPoints(shape.points).inertia(mass)
    return [0, 3, 6].map((row) => [rows[row], rows[row + 1], rows[row + 2]])
  }
  const [x, y, z] = scale(gyrationSquared(shape), mass)
  return [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ]
}

/**
 * @param {Exclude<ShapeDescription, { type: 'hull' }>} shape
 * @returns {Vector} moments of inertia by the mass, m²
 */
function gyrationSquared(shape) {
  if (shape.type === 'box') {
    const [x, y, z] = shape.halfExtents.map((half) => (half * half) / 3)
    return [y + z, x + z, x + y]
  }
  const { radius } = shape
  if (shape.type === 'sphere') return scale([1, 1, 1], 0.4 * radius ** 2)
  // A cylinder of length 2 h and two half balls, whose centres of mass are 3 r / 8 from its ends.
  const h = shape.halfHeight
  const ends = volumeOf({ type: 'sphere', radius }) / volumeOf(shape)
  const straight = 1 - ends
  const along = radius ** 2 * (straight / 2 + 0.4 * ends)
  const across =
    straight * (radius ** 2 / 4 + h ** 2 / 3) +
    ends * (0.4 * radius ** 2 + h ** 2 + (3 / 4) * radius * h)
  return [across, along, across]
}

/** What bodies weigh and how they turn, and what energy they have. */
export class Energies {
  #experiment
  #gravity
  #potentials
  #masses
  #inertias

  /**
   * @param {Experiment} experiment
   * @returns {Promise<Energies>} when Moreau is there, whose hulls know their volume
   */
  static async of(experiment) {
    await init()
    return new Energies(experiment)
  }

  /** @param {Experiment} experiment */
  constructor(experiment) {
    const { bodies, gravity = [0, -GRAVITY, 0], potentials = [] } = experiment.description
    const shapes = /** @type {ShapeDescription[]} */ (experiment.description.shapes)
    this.#experiment = experiment
    this.#gravity = gravity
    this.#potentials = potentials
    this.#masses = bodies.map(({ mass, shape }) => mass ?? DENSITY * volumeOf(shapes[shape]))
    this.#inertias = bodies.map(({ shape }, slot) => inertiaOf(shapes[shape], this.#masses[slot]))
  }

  /**
   * @param {number} slot
   * @returns {Vector} about the centre of mass, kg m²/s, world
   */
  angularMomentum(slot) {
    const { orientation, spin } = this.#experiment.state(slot)
    const local = rotateBack(orientation, spin)
    const [x, y, z] = this.#inertias[slot].map((row) => dot(row, local))
    return rotate(orientation, [x, y, z])
  }

  /** @returns {{ kinetic: number, total: number }} J, of all bodies that move by themselves */
  now() {
    let [kinetic, potential] = [0, 0]
    for (const slot of this.#experiment.moving) {
      const { position, velocity, orientation, spin } = this.#experiment.state(slot)
      const local = rotateBack(orientation, spin)
      const turning = this.#inertias[slot].reduce(
        (sum, row, i) => sum + local[i] * dot(row, local),
        0,
      )
      const mass = this.#masses[slot]
      kinetic += (mass * dot(velocity, velocity) + turning) / 2
      potential -= mass * dot(this.#gravity, position)
    }
    for (const each of this.#potentials) potential += this.#energyIn(each)
    return { kinetic, total: kinetic + potential }
  }

  /** @param {PotentialDescription} potential */
  #energyIn({ type, body, ...options }) {
    const { position } = this.#experiment.state(body)
    if (type === 'spring') return (Number(options.stiffness) * dot(position, position)) / 2
    if (type === 'pointGravity') {
      return (-this.#masses[body] * Number(options.mu)) / length(position)
    }
    throw new RangeError(`the energy of '${type}' is not looked at`)
  }
}
