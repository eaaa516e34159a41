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
  refuseWhatIsMissing,
  slotCount,
} from './engine.mjs'
import { drive, makeShape, walk } from './rapier-parts.mjs'

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

/** @type {import('./engine.mjs').Has} */
const HAS = {
  shapes: ['cylinder', 'compound', 'mesh'],
  listens: true,
  cars: true,
  characters: true,
  motors: true,
}

class Simulation {
  #RAPIER
  #world
  #sleep
  #shapes
  /** Where contacts that begin and end are told of, if anybody listens. */
  #events
  /** What is done before each step. @type {((dt: number) => void)[]} */
  #movers
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
    refuseWhatIsMissing(description, HAS)
    this.#world = new RAPIER.World(named(description.gravity ?? [0, -GRAVITY, 0]))
    this.#events = description.listens ? new RAPIER.EventQueue(true) : undefined
    this.#bodies = new Array(slotCount(description)).fill(null)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint, description.bodies)
    this.#movers = [
      ...(description.cars ?? []).map((car) => drive(this.#world, car, this.#bodies[car.chassis])),
      ...this.#addCharacters(description),
    ]
  }

  eventCount = 0

  /** @type {any[]} bodies */
  #characters = []

  /** @param {Description} description */
  #addCharacters({ characters = [], shapes }) {
    return characters.map((character) => {
      const { body, move } = walk(this.#RAPIER, this.#world, character, shapes[character.shape])
      this.#characters.push(body)
      return move
    })
  }

  /** @param {Float32Array} out */
  readCharacters(out) {
    for (const [i, body] of this.#characters.entries()) {
      const { x, y, z } = body.translation()
      out.set([x, y, z], 3 * i)
    }
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    for (const move of this.#movers) move(dt)
    this.#world.timestep = dt
    this.#world.step(this.#events)
    this.#events?.drainCollisionEvents(this.#countEvent)
    for (const body of this.#pushed) {
      body.resetForces(false)
      body.resetTorques(false)
    }
    this.#pushed.length = 0
  }

  #countEvent = () => {
    this.eventCount++
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
    for (const collider of makeShape(this.#RAPIER, this.#shapes[shape])) {
      collider.setDensity(DENSITY).setFriction(friction).setRestitution(restitution)
      if (mass !== undefined) collider.setMass(mass)
      if (this.#events) collider.setActiveEvents(this.#RAPIER.ActiveEvents.COLLISION_EVENTS)
      this.#world.createCollider(collider, body)
    }
    this.#bodies[slot] = body
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
  #join({ type, bodyA, bodyB, anchor, axis, limits, motor }, bodies) {
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
    // A damper of so many N m s: where the speed is wrong by 1 rad/s it is as strong as it may be. It knows no bound of its force.
    if (motor && 'targetVelocity' in motor)
      joint.configureMotorVelocity(motor.targetVelocity, motor.maxForce)
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

  /**
   * @param {number} shape
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castShapes(shape, rays, distances) {
    const [{ shape: cast }] = makeShape(this.#RAPIER, this.#shapes[shape])
    const [origin, direction] = [named([0, 0, 0]), named([0, 0, 0])]
    const unturned = { x: 0, y: 0, z: 0, w: 1 }
    for (let index = 0, from = 0; index < distances.length; index++, from += 7) {
      origin.x = rays[from]
      origin.y = rays[from + 1]
      origin.z = rays[from + 2]
      direction.x = rays[from + 3]
      direction.y = rays[from + 4]
      direction.z = rays[from + 5]
      const hit = this.#world.castShape(origin, unturned, direction, cast, 0, rays[from + 6], true)
      distances[index] = hit === null ? Infinity : hit.time_of_impact
    }
  }
}
