/**
 * Both builds of Rapier: the one with SIMD is a package of its own, and older.
 */
import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { localDirection, localPoint, peerFile, peerVersion, POSE, slotCount } from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */

/**
 * @param {string} name of the package
 * @returns {Promise<import('./engine.mjs').Engine>}
 */
export async function loadRapier(name) {
  const RAPIER = await import(peerFile(`${name}/dist/rapier.mjs`).href)
  await RAPIER.init()
  return {
    version: peerVersion(name),
    create: async (description, options) => new Simulation(RAPIER, description, options),
  }
}

/** @param {Vector} vector */
const named = ([x, y, z]) => ({ x, y, z })

class Simulation {
  #RAPIER
  #world
  #sleep
  #shapes
  /** @type {any[]} by slot */
  #bodies

  /**
   * @param {any} RAPIER
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(RAPIER, description, { sleep }) {
    this.#RAPIER = RAPIER
    this.#sleep = sleep
    this.#shapes = description.shapes
    this.#world = new RAPIER.World({ x: 0, y: -GRAVITY, z: 0 })
    this.#world.timestep = TIME_STEP
    this.#bodies = new Array(slotCount(description)).fill(null)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint, description.bodies)
  }

  step() {
    this.#world.step()
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const position = { x: 0, y: 0, z: 0 }
    const rotation = { x: 0, y: 0, z: 0, w: 1 }
    const bodies = this.#bodies
    for (let slot = 0, to = 0; slot < bodies.length; slot++, to += POSE) {
      const body = bodies[slot]
      if (body === null) continue
      body.translation(position)
      body.rotation(rotation)
      out[to] = position.x
      out[to + 1] = position.y
      out[to + 2] = position.z
      out[to + 3] = rotation.x
      out[to + 4] = rotation.y
      out[to + 5] = rotation.z
      out[to + 6] = rotation.w
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   */
  add(slot, { fixed, shape, position, orientation: [x, y, z, w], linearVelocity }) {
    const { RigidBodyDesc } = this.#RAPIER
    const definition = fixed ? RigidBodyDesc.fixed() : RigidBodyDesc.dynamic()
    definition.setTranslation(...position)
    definition.setRotation({ x, y, z, w })
    definition.setLinvel(...linearVelocity)
    definition.setCanSleep(this.#sleep)
    const body = this.#world.createRigidBody(definition)
    const collider = this.#collider(shape)
    collider.setDensity(DENSITY).setFriction(FRICTION).setRestitution(RESTITUTION)
    this.#world.createCollider(collider, body)
    this.#bodies[slot] = body
  }

  /** @param {number} shape */
  #collider(shape) {
    const { ColliderDesc } = this.#RAPIER
    const description = this.#shapes[shape]
    if (description.type === 'box') return ColliderDesc.cuboid(...description.halfExtents)
    if (description.type === 'sphere') return ColliderDesc.ball(description.radius)
    return ColliderDesc.convexHull(new Float32Array(description.points.flat()))
  }

  /** @param {number} slot */
  remove(slot) {
    this.#world.removeRigidBody(this.#bodies[slot])
    this.#bodies[slot] = null
  }

  /**
   * @param {JointDescription} joint
   * @param {BodyDescription[]} bodies
   */
  #join({ type, bodyA, bodyB, anchor, axis, limits }, bodies) {
    const { JointData } = this.#RAPIER
    const anchors = [bodyA, bodyB].map((body) => named(localPoint(bodies[body], anchor)))
    const data =
      type === 'ball'
        ? JointData.spherical(...anchors)
        : JointData.revolute(...anchors, named(localDirection(bodies[bodyA], axis)))
    const [a, b] = [this.#bodies[bodyA], this.#bodies[bodyB]]
    const joint = this.#world.createImpulseJoint(data, a, b, true)
    joint.setContactsEnabled(false)
    if (limits) joint.setLimits(...limits)
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const ray = new this.#RAPIER.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 })
    for (let index = 0, from = 0; index < distances.length; index++, from += 7) {
      ray.origin.x = rays[from]
      ray.origin.y = rays[from + 1]
      ray.origin.z = rays[from + 2]
      ray.dir.x = rays[from + 3]
      ray.dir.y = rays[from + 4]
      ray.dir.z = rays[from + 5]
      const hit = this.#world.castRay(ray, rays[from + 6], true)
      distances[index] = hit === null ? Infinity : hit.timeOfImpact
    }
  }
}
