/**
 * Both builds of Rapier: the one with SIMD is a package of its own, and older.
 */
import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import {
  conjugate,
  localDirection,
  localPoint,
  peerFile,
  peerVersion,
  POSE,
  refusePotentials,
  slotCount,
} from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */

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

/** @param {Quaternion} quaternion */
const turn = ([x, y, z, w]) => ({ x, y, z, w })

class Simulation {
  #RAPIER
  #world
  #sleep
  #shapes
  /** @type {any[]} by slot */
  #bodies
  /** Bodies that forces were applied to, which Rapier keeps until they are reset. @type {any[]} */
  #pushed = []

  /**
   * @param {any} RAPIER
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(RAPIER, description, { sleep }) {
    this.#RAPIER = RAPIER
    this.#sleep = sleep
    this.#shapes = description.shapes
    refusePotentials(description)
    this.#world = new RAPIER.World(named(description.gravity ?? [0, -GRAVITY, 0]))
    this.#bodies = new Array(slotCount(description)).fill(null)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint, description.bodies)
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    this.#world.timestep = dt
    this.#world.step()
    for (const body of this.#pushed) {
      body.resetForces(false)
      body.resetTorques(false)
    }
    this.#pushed.length = 0
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
  add(slot, description) {
    const { fixed, kinematic, orientation, linearVelocity, angularVelocity } = description
    const { RigidBodyDesc } = this.#RAPIER
    const definition = fixed
      ? RigidBodyDesc.fixed()
      : kinematic
        ? RigidBodyDesc.kinematicPositionBased()
        : RigidBodyDesc.dynamic()
    definition.setTranslation(...description.position)
    definition.setRotation(turn(orientation))
    definition.setLinvel(...linearVelocity)
    if (angularVelocity) definition.setAngvel(named(angularVelocity))
    definition.setCanSleep(this.#sleep)
    const body = this.#world.createRigidBody(definition)
    const { shape, mass, friction = FRICTION, restitution = RESTITUTION } = description
    const collider = this.#collider(shape)
    collider.setDensity(DENSITY).setFriction(friction).setRestitution(restitution)
    if (mass !== undefined) collider.setMass(mass)
    this.#world.createCollider(collider, body)
    this.#bodies[slot] = body
  }

  /** @param {number} shape */
  #collider(shape) {
    const { ColliderDesc } = this.#RAPIER
    const description = this.#shapes[shape]
    if (description.type === 'box') return ColliderDesc.cuboid(...description.halfExtents)
    if (description.type === 'sphere') return ColliderDesc.ball(description.radius)
    if (description.type === 'capsule') {
      return ColliderDesc.capsule(description.halfHeight, description.radius)
    }
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
    const ends = [bodies[bodyA], bodies[bodyB]]
    const [anchorA, anchorB] = ends.map((body) => named(localPoint(body, anchor)))
    const [frameA, frameB] = ends.map(({ orientation }) => turn(conjugate(orientation)))
    const data = {
      ball: () => JointData.spherical(anchorA, anchorB),
      fixed: () => JointData.fixed(anchorA, frameA, anchorB, frameB),
      hinge: () => JointData.revolute(anchorA, anchorB, named(localDirection(ends[0], axis))),
    }[type]()
    const [a, b] = [this.#bodies[bodyA], this.#bodies[bodyB]]
    const joint = this.#world.createImpulseJoint(data, a, b, true)
    joint.setContactsEnabled(false)
    if (limits) joint.setLimits(...limits)
  }

  /**
   * @param {number} slot
   * @param {Float64Array} out
   */
  readState(slot, out) {
    const body = this.#bodies[slot]
    const [p, q] = [body.translation(), body.rotation()]
    const [v, w] = [body.linvel(), body.angvel()]
    out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z])
  }

  /**
   * @param {number} slot
   * @param {Vector} force
   */
  applyForce(slot, force) {
    this.#bodies[slot].addForce(named(force), true)
    this.#pushed.push(this.#bodies[slot])
  }

  /**
   * @param {number} slot
   * @param {Vector} torque
   */
  applyTorque(slot, torque) {
    this.#bodies[slot].addTorque(named(torque), true)
    this.#pushed.push(this.#bodies[slot])
  }

  /**
   * @param {number} slot
   * @param {Vector} position
   * @param {Quaternion} orientation
   */
  moveTo(slot, position, orientation) {
    this.#bodies[slot].setNextKinematicTranslation(named(position))
    this.#bodies[slot].setNextKinematicRotation(turn(orientation))
  }

  free() {
    this.#world.free()
  }

  /** @param {number} slot */
  isAsleep(slot) {
    return this.#bodies[slot].isSleeping()
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
