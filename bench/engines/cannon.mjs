import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { hullTriangles, hullVolume } from '../scenes/random-hull.mjs'
import {
  localDirection,
  localPoint,
  peerFile,
  peerVersion,
  POSE,
  refuseWhatIsMissing,
  slotCount,
  Unsupported,
} from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').BasicShape} ShapeDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */

const PACKAGE = 'cannon-es'

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const CANNON = await import(peerFile(`${PACKAGE}/dist/cannon-es.js`).href)
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) => new Simulation(CANNON, description, options),
  }
}

class Simulation {
  #CANNON
  #world
  #sleep
  #shapes
  /** @type {any[]} by slot */
  #bodies

  /**
   * @param {any} CANNON
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(CANNON, description, { sleep }) {
    refuseWhatIsMissing(description)
    this.#CANNON = CANNON
    this.#sleep = sleep
    this.#world = new CANNON.World({ gravity: new CANNON.Vec3(0, -GRAVITY, 0), allowSleep: sleep })
    Object.assign(this.#world.defaultContactMaterial, {
      friction: FRICTION,
      restitution: RESTITUTION,
    })
    const shapes = /** @type {ShapeDescription[]} */ (description.shapes)
    this.#shapes = shapes.map((shape) => ({
      shape: this.#shape(shape),
      mass: DENSITY * volume(shape),
    }))
    this.#bodies = new Array(slotCount(description)).fill(null)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint, description.bodies)
  }

  step() {
    this.#world.step(TIME_STEP)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const bodies = this.#bodies
    for (let slot = 0, to = 0; slot < bodies.length; slot++, to += POSE) {
      const body = bodies[slot]
      if (body === null) continue
      const { position, quaternion } = body
      out[to] = position.x
      out[to + 1] = position.y
      out[to + 2] = position.z
      out[to + 3] = quaternion.x
      out[to + 4] = quaternion.y
      out[to + 5] = quaternion.z
      out[to + 6] = quaternion.w
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   */
  add(slot, { fixed, shape: index, position, orientation, linearVelocity }) {
    const { Body, Quaternion } = this.#CANNON
    const { shape, mass } = this.#shapes[index]
    const body = new Body({
      mass: fixed ? 0 : mass,
      shape,
      position: this.#vector(position),
      quaternion: new Quaternion(...orientation),
      velocity: this.#vector(linearVelocity),
      allowSleep: this.#sleep,
    })
    this.#world.addBody(body)
    this.#bodies[slot] = body
  }

  /** @param {number} slot */
  remove(slot) {
    this.#world.removeBody(this.#bodies[slot])
    this.#bodies[slot] = null
  }

  /** @param {Vector} vector */
  #vector(vector) {
    return new this.#CANNON.Vec3(...vector)
  }

  /** @param {ShapeDescription} description */
  #shape(description) {
    const { Box, Sphere, ConvexPolyhedron } = this.#CANNON
    if (description.type === 'box') return new Box(this.#vector(description.halfExtents))
    if (description.type === 'sphere') return new Sphere(description.radius)
    if (description.type === 'capsule') throw new Unsupported('capsules')
    return new ConvexPolyhedron({
      vertices: description.points.map((point) => this.#vector(point)),
      faces: hullTriangles(description.points),
    })
  }

  /**
   * @param {JointDescription} joint
   * @param {BodyDescription[]} bodies
   */
  #join({ type, bodyA, bodyB, anchor, axis, limits }, bodies) {
    if (limits) throw new Unsupported('hinges have no limits')
    const { HingeConstraint, PointToPointConstraint } = this.#CANNON
    const ends = [bodyA, bodyB].map((body) => ({
      body: this.#bodies[body],
      pivot: this.#vector(localPoint(bodies[body], anchor)),
      axis: this.#vector(localDirection(bodies[body], axis)),
    }))
    const [a, b] = ends
    const joint =
      type === 'ball'
        ? new PointToPointConstraint(a.body, a.pivot, b.body, b.pivot)
        : new HingeConstraint(a.body, b.body, {
            pivotA: a.pivot,
            pivotB: b.pivot,
            axisA: a.axis,
            axisB: b.axis,
          })
    joint.collideConnected = false
    this.#world.addConstraint(joint)
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const { RaycastResult } = this.#CANNON
    const [from, to] = [this.#vector([0, 0, 0]), this.#vector([0, 0, 0])]
    const result = new RaycastResult()
    for (let ray = 0, at = 0; ray < distances.length; ray++, at += 7) {
      const reach = rays[at + 6]
      from.set(rays[at], rays[at + 1], rays[at + 2])
      to.set(
        rays[at] + reach * rays[at + 3],
        rays[at + 1] + reach * rays[at + 4],
        rays[at + 2] + reach * rays[at + 5],
      )
      result.reset()
      this.#world.raycastClosest(from, to, {}, result)
      distances[ray] = result.hasHit ? result.distance : Infinity
    }
  }
}

/**
 * @param {ShapeDescription} shape
 * @returns {number} m³
 */
function volume(shape) {
  if (shape.type === 'sphere') return (4 / 3) * Math.PI * shape.radius ** 3
  if (shape.type === 'hull') return hullVolume(shape.points)
  if (shape.type === 'capsule') throw new Unsupported('capsules')
  return shape.halfExtents.reduce((product, half) => product * 2 * half, 1)
}
