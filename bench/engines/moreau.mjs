import { readFileSync } from 'node:fs'
import { MoreauError, World } from 'moreau'
import { DENSITY, FRICTION, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { POSE, slotCount, Unsupported } from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('moreau').Body} Body */

/** Numbers per slot in `world.transforms`: x y z 0, then the quaternion. */
const STRIDE = 8

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8'))
  return { version, create }
}

/**
 * @param {Description} description
 * @param {SimulationOptions} options
 */
async function create(description, { sleep, world: options }) {
  try {
    const world = await World.create(/** @type {any} */ ({ allowSleep: sleep, ...options }))
    return new Simulation(world, description)
  } catch (error) {
    if (error instanceof MoreauError && error.code === 'not-supported') {
      throw new Unsupported(error.message)
    }
    throw error
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
    if ('readRayCast' in world) this.castRays = this.#castRays
  }

  step() {
    this.#world.step(TIME_STEP)
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
  add(slot, { fixed, shape, position, orientation, linearVelocity }) {
    const body = this.#world.createBody({
      type: fixed ? 'static' : 'dynamic',
      shape: this.#shapes[shape],
      position,
      orientation,
      ...(fixed ? {} : { linearVelocity, density: DENSITY }),
      friction: FRICTION,
      restitution: RESTITUTION,
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
    this.#world.createJoint({
      type,
      bodyA: this.#bodies[bodyA] ?? null,
      bodyB: this.#bodies[bodyB] ?? null,
      anchor,
      ...(type === 'hinge' ? { axis, ...(limits ? { limits } : {}) } : {}),
    })
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
