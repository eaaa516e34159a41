import { readFileSync } from 'node:fs'
import { MoreauError, World } from 'moreau'
import { DENSITY, FRICTION, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { scale, subtract } from '../../scenarios/vector.mjs'
import { POSE, relativeTurn, rotate, rotationVector, slotCount, Unsupported } from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */
/** @typedef {import('../scenes/description.mjs').PotentialDescription} PotentialDescription */
/** @typedef {import('moreau').Body} Body */

/** Numbers per slot in `world.transforms`: x y z 0, then the quaternion. */
const STRIDE = 8

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8'))
  return { version, create, hasPotentials: true }
}

/**
 * @param {Description} description
 * @param {SimulationOptions} options
 */
async function create(description, { sleep, world: options }) {
  try {
    const { gravity } = description
    const own = { allowSleep: sleep, ...(gravity ? { gravity } : {}), ...options }
    const world = await World.create(/** @type {any} */ (own))
    return new Simulation(world, description)
  } catch (error) {
    if (error instanceof MoreauError && error.code === 'not-supported') {
      throw new Unsupported(error.message)
    }
    throw error
  }
}

/**
 * How a body moves at first, and its mass.
 *
 * @param {BodyDescription} body
 */
function motionOf({ linearVelocity, angularVelocity = [0, 0, 0], mass }) {
  return {
    linearVelocity,
    angularVelocity,
    ...(mass === undefined ? { density: DENSITY } : { mass }),
  }
}

class Simulation {
  #world
  #shapes
  /** @type {(Body | undefined)[]} by slot */
  #bodies
  /** Where a slot's pose is in `world.transforms`, or -1. */
  #places

  /**
   * @param {World} world
   * @param {Description} description
   */
  constructor(world, description) {
    this.#world = world
    this.#shapes = description.shapes
    this.#bodies = new Array(slotCount(description))
    this.#places = new Int32Array(slotCount(description)).fill(-1)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint)
    for (const potential of description.potentials ?? []) this.#attract(potential)
    if ('readRayCast' in world) this.castRays = this.#castRays
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    this.#world.step(dt)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const poses = this.#world.transforms
    const places = this.#places
    for (let slot = 0, to = 0; slot < places.length; slot++, to += POSE) {
      const from = places[slot]
      if (from < 0) continue
      out[to] = poses[from]
      out[to + 1] = poses[from + 1]
      out[to + 2] = poses[from + 2]
      out[to + 3] = poses[from + 4]
      out[to + 4] = poses[from + 5]
      out[to + 5] = poses[from + 6]
      out[to + 6] = poses[from + 7]
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   */
  add(slot, description) {
    const { fixed, kinematic, shape, position, orientation } = description
    const { friction = FRICTION, restitution = RESTITUTION } = description
    const body = this.#world.createBody({
      type: fixed ? 'static' : kinematic ? 'kinematic' : 'dynamic',
      shape: this.#shapes[shape],
      position,
      orientation,
      friction,
      restitution,
      ...(fixed ? {} : motionOf(description)),
    })
    this.#bodies[slot] = body
    this.#places[slot] = STRIDE * body.index
  }

  /** @param {number} slot */
  remove(slot) {
    this.#bodies[slot]?.destroy()
    this.#bodies[slot] = undefined
    this.#places[slot] = -1
  }

  /** @param {JointDescription} joint */
  #join({ type, bodyA, bodyB, anchor, axis, limits }) {
    const hinge = { type: /** @type {const} */ ('hinge'), axis, ...(limits ? { limits } : {}) }
    this.#world.createJoint({
      ...(type === 'hinge' ? hinge : { type }),
      bodyA: this.#bodies[bodyA] ?? null,
      bodyB: this.#bodies[bodyB] ?? null,
      anchor,
    })
  }

  /** @param {PotentialDescription} description */
  #attract({ body, ...definition }) {
    const of = this.#bodies[body]
    const ends = definition.type === 'spring' ? { bodyA: of } : { bodies: of }
    this.#world.createPotential(/** @type {any} */ ({ ...definition, ...ends }))
  }

  /**
   * @param {number} slot
   * @param {Float64Array} out
   */
  readState(slot, out) {
    const from = this.#places[slot]
    const { transforms64: poses, velocities } = this.#world
    for (let i = 0; i < 3; i++) {
      out[i] = poses[from + i]
      out[7 + i] = velocities[from + i]
      out[10 + i] = velocities[from + 4 + i]
    }
    for (let i = 0; i < 4; i++) out[3 + i] = poses[from + 4 + i]
  }

  /**
   * @param {number} slot
   * @param {Vector} force
   */
  applyForce(slot, force) {
    this.#bodies[slot]?.applyForce(force)
  }

  /**
   * @param {number} slot
   * @param {Vector} torque
   */
  applyTorque(slot, torque) {
    this.#bodies[slot]?.applyTorque(torque)
  }

  /**
   * @param {number} slot
   * @param {Vector} position
   * @param {Quaternion} orientation
   * @param {number} dt
   */
  moveTo(slot, position, orientation, dt) {
    const body = /** @type {Body} */ (this.#bodies[slot])
    const turn = relativeTurn(/** @type {Quaternion} */ (body.orientation), orientation)
    // A body that moves by its velocities is where it should be in the end if they are those of the whole step.
    body.linearVelocity = scale(subtract(position, body.position), 1 / dt)
    body.angularVelocity = scale(rotate(orientation, rotationVector(turn)), 1 / dt)
  }

  free() {
    this.#world.free()
  }

  /** @param {number} slot */
  isAsleep(slot) {
    return !this.#bodies[slot]?.isAwake
  }

  /** @type {import('./engine.mjs').Simulation['castRays']} */
  castRays

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  #castRays(rays, distances) {
    const world = /** @type {any} */ (this.#world)
    const origin = [0, 0, 0]
    const direction = [0, 0, 0]
    const options = { maxDistance: 0 }
    const out = { position: [0, 0, 0], normal: [0, 0, 0] }
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      for (let i = 0; i < 3; i++) {
        origin[i] = rays[from + i]
        direction[i] = rays[from + 3 + i]
      }
      options.maxDistance = rays[from + 6]
      const hit = world.readRayCast(out, origin, direction, options)
      distances[ray] = hit === null ? Infinity : hit.distance
    }
  }
}
