import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import {
  localPoint,
  peerVersion,
  POSE,
  refuseWhatIsMissing,
  relativeTurn,
  slotCount,
  turnOfX,
} from './engine.mjs'
import { startPhysX } from './physx-module.mjs'
import { listenTo, makeGeometries, walk } from './physx-parts.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */

const PACKAGE = 'physx-js-webidl'

/** rad/s that a body may have which is to spin; the default, 100, is what some scenes are about. */
const MAX_SPIN = 1000

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const { PX, heap } = await startPhysX(PACKAGE)
  const top = PX.PxTopLevelFunctions.prototype
  const errors = new PX.PxDefaultErrorCallback()
  const allocator = new PX.PxDefaultAllocator()
  // There may be one foundation, so all scenes share it.
  const foundation = top.CreateFoundation(top.PHYSICS_VERSION, allocator, errors)
  const physics = top.CreatePhysics(top.PHYSICS_VERSION, foundation, new PX.PxTolerancesScale())
  top.InitExtensions(physics)
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) =>
      new Simulation({ PX, heap, physics }, description, options),
  }
}

/** @type {import('./engine.mjs').Has} */
const HAS = { shapes: ['cylinder', 'compound', 'mesh'], listens: true, characters: true }

class Simulation {
  #PX
  #heap
  #physics
  #scene
  #sleep
  #descriptions
  /** By friction and restitution. @type {Map<string, any>} */
  #materials = new Map()
  /** By index of the shape, with where they are in it. @type {ReturnType<typeof makeGeometries>[]} */
  #geometries
  /** What is done before each step. @type {((dt: number) => void)[]} */
  #movers = []
  /** @type {any[]} */
  #characters = []

  eventCount = 0

  #filter
  #flags
  /** @type {any[]} by slot */
  #actors

  /**
   * @param {{ PX: any, heap: import('./physx-module.mjs').Heap, physics: any }} module
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor({ PX, heap, physics }, description, { sleep }) {
    refuseWhatIsMissing(description, HAS)
    this.#PX = PX
    this.#heap = heap
    this.#sleep = sleep
    this.#physics = physics
    const tolerances = new PX.PxTolerancesScale()
    this.#scene = this.#createScene(tolerances, description)
    // Everything collides with everything.
    this.#filter = new PX.PxFilterData(1, 1, 0, 0)
    const { eSCENE_QUERY_SHAPE, eSIMULATION_SHAPE } = PX.PxShapeFlagEnum
    this.#flags = new PX.PxShapeFlags(eSCENE_QUERY_SHAPE | eSIMULATION_SHAPE)
    this.#descriptions = description.bodies
    const cooking = new PX.PxCookingParams(tolerances)
    this.#geometries = description.shapes.map((shape) => makeGeometries(PX, shape, cooking))
    this.#actors = new Array(slotCount(description)).fill(null)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint)
    this.#addCharacters(description)
  }

  /** @param {Description} description */
  #addCharacters({ characters = [], shapes }) {
    if (characters.length === 0) return
    const manager = this.#PX.PxTopLevelFunctions.prototype.CreateControllerManager(this.#scene)
    const material = this.#materialOf(FRICTION, RESTITUTION)
    for (const each of characters) {
      const { controller, move } = walk(this.#PX, manager, material, each, shapes[each.shape])
      this.#characters.push(controller)
      this.#movers.push(move)
    }
  }

  /** @param {Float32Array} out */
  readCharacters(out) {
    for (const [i, character] of this.#characters.entries()) {
      const { x, y, z } = character.getPosition()
      out.set([x, y, z], 3 * i)
    }
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    for (const move of this.#movers) move(dt)
    this.#scene.simulate(dt)
    this.#scene.fetchResults(true)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const PX = this.#PX
    const actors = this.#actors
    for (let slot = 0, to = 0; slot < actors.length; slot++, to += POSE) {
      const actor = actors[slot]
      if (actor === null) continue
      // A PxTransform: the quaternion, then the position. Its getters would be seven more calls.
      const from = PX.getPointer(actor.getGlobalPose()) >> 2
      const heap = this.#heap.floats
      out[to] = heap[from + 4]
      out[to + 1] = heap[from + 5]
      out[to + 2] = heap[from + 6]
      out[to + 3] = heap[from]
      out[to + 4] = heap[from + 1]
      out[to + 5] = heap[from + 2]
      out[to + 6] = heap[from + 3]
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   */
  add(slot, description) {
    const PX = this.#PX
    const { fixed, shape: index, friction = FRICTION, restitution = RESTITUTION } = description
    const pose = this.#transform(description.position, description.orientation)
    const actor = fixed
      ? this.#physics.createRigidStatic(pose)
      : this.#physics.createRigidDynamic(pose)
    const material = this.#materialOf(friction, restitution)
    for (const { geometry, pose: place } of this.#geometries[index]) {
      const shape = this.#physics.createShape(geometry, material, true, this.#flags)
      shape.setSimulationFilterData(this.#filter)
      if (place) shape.setLocalPose(place)
      actor.attachShape(shape)
      shape.release()
    }
    if (!fixed) this.#setMass(actor, description)
    this.#scene.addActor(actor)
    if (!fixed && !description.kinematic) this.#setMotion(actor, description)
    this.#actors[slot] = actor
    PX.destroy(pose)
  }

  /**
   * @param {number} friction
   * @param {number} restitution
   */
  #materialOf(friction, restitution) {
    const key = `${friction} ${restitution}`
    const known = this.#materials.get(key)
    if (known) return known
    const made = this.#physics.createMaterial(friction, friction, restitution)
    this.#materials.set(key, made)
    return made
  }

  /**
   * @param {any} actor
   * @param {BodyDescription} body
   */
  #setMass(actor, { kinematic, mass, undamped, angularVelocity }) {
    const PX = this.#PX
    const { prototype: extension } = PX.PxRigidBodyExt
    if (mass === undefined) extension.updateMassAndInertia(actor, DENSITY)
    else extension.setMassAndUpdateInertia(actor, mass)
    if (kinematic) actor.setRigidBodyFlag(PX.PxRigidBodyFlagEnum.eKINEMATIC, true)
    if (!this.#sleep) actor.setSleepThreshold(0)
    if (undamped) {
      actor.setLinearDamping(0)
      actor.setAngularDamping(0)
    }
    if (angularVelocity) actor.setMaxAngularVelocity(MAX_SPIN)
  }

  /**
   * @param {any} actor
   * @param {BodyDescription} body
   */
  #setMotion(actor, { linearVelocity, angularVelocity }) {
    const velocity = this.#vector(linearVelocity)
    actor.setLinearVelocity(velocity)
    this.#PX.destroy(velocity)
    if (!angularVelocity) return
    const spin = this.#vector(angularVelocity)
    actor.setAngularVelocity(spin)
    this.#PX.destroy(spin)
  }

  /** @param {number} slot */
  remove(slot) {
    const actor = this.#actors[slot]
    this.#scene.removeActor(actor)
    actor.release()
    this.#actors[slot] = null
  }

  /**
   * @param {any} tolerances
   * @param {Description} description
   */
  #createScene(tolerances, { gravity = [0, -GRAVITY, 0], listens }) {
    const PX = this.#PX
    const definition = new PX.PxSceneDesc(tolerances)
    definition.gravity = this.#vector(gravity)
    // No threads beside the one that steps.
    definition.cpuDispatcher = PX.PxTopLevelFunctions.prototype.DefaultCpuDispatcherCreate(0)
    definition.filterShader = PX.PxTopLevelFunctions.prototype.DefaultFilterShader()
    if (listens) listenTo(PX, definition, (count) => (this.eventCount += count))
    return this.#physics.createScene(definition)
  }

  /** @param {Vector} vector */
  #vector(vector) {
    return new this.#PX.PxVec3(...vector)
  }

  /**
   * @param {Vector} position
   * @param {Quaternion} orientation
   */
  #transform(position, orientation) {
    const PX = this.#PX
    const place = this.#vector(position)
    const turn = new PX.PxQuat(...orientation)
    const transform = new PX.PxTransform(place, turn)
    for (const each of [place, turn]) PX.destroy(each)
    return transform
  }

  /** @param {JointDescription} joint */
  #join({ type, bodyA, bodyB, anchor, axis, limits }) {
    const PX = this.#PX
    const [a, b] = [bodyA, bodyB].map((slot) => {
      const body = this.#descriptions[slot]
      // Both frames lie alike in the world, so that angles are 0 and a fixed joint holds what it finds.
      const turn = relativeTurn(body.orientation, turnOfX(axis))
      return { actor: this.#actors[slot], frame: this.#transform(localPoint(body, anchor), turn) }
    })
    const top = PX.PxTopLevelFunctions.prototype
    const ends = [this.#physics, a.actor, a.frame, b.actor, b.frame]
    if (type === 'ball') {
      top.SphericalJointCreate(...ends)
      return
    }
    if (type === 'fixed') {
      top.FixedJointCreate(...ends)
      return
    }
    const joint = top.RevoluteJointCreate(...ends)
    if (!limits) return
    joint.setLimit(new PX.PxJointAngularLimitPair(...limits))
    joint.setRevoluteJointFlag(PX.PxRevoluteJointFlagEnum.eLIMIT_ENABLED, true)
  }

  /**
   * @param {number} slot
   * @param {Float64Array} out
   */
  readState(slot, out) {
    const actor = this.#actors[slot]
    const { p, q } = actor.getGlobalPose()
    out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w])
    if (this.#descriptions[slot].fixed) {
      out.fill(0, POSE)
      return
    }
    const v = actor.getLinearVelocity()
    out.set([v.x, v.y, v.z], POSE)
    const w = actor.getAngularVelocity()
    out.set([w.x, w.y, w.z], POSE + 3)
  }

  /**
   * @param {number} slot
   * @param {Vector} force
   */
  applyForce(slot, force) {
    const vector = this.#vector(force)
    this.#actors[slot].addForce(vector)
    this.#PX.destroy(vector)
  }

  /**
   * @param {number} slot
   * @param {Vector} torque
   */
  applyTorque(slot, torque) {
    const vector = this.#vector(torque)
    this.#actors[slot].addTorque(vector)
    this.#PX.destroy(vector)
  }

  /**
   * @param {number} slot
   * @param {Vector} position
   * @param {Quaternion} orientation
   */
  moveTo(slot, position, orientation) {
    const target = this.#transform(position, orientation)
    this.#actors[slot].setKinematicTarget(target)
    this.#PX.destroy(target)
  }

  /** @param {number} slot */
  isAsleep(slot) {
    return this.#actors[slot].isSleeping()
  }

  free() {
    this.#scene.release()
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const PX = this.#PX
    const result = new PX.PxRaycastResult()
    const [origin, direction] = [this.#vector([0, 0, 0]), this.#vector([0, 0, 0])]
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      const heap = this.#heap.floats
      const [o, d] = [PX.getPointer(origin) >> 2, PX.getPointer(direction) >> 2]
      for (let i = 0; i < 3; i++) {
        heap[o + i] = rays[from + i]
        heap[d + i] = rays[from + 3 + i]
      }
      result.clear()
      this.#scene.raycast(origin, direction, rays[from + 6], result)
      distances[ray] = closest(result)
    }
    for (const each of [result, origin, direction]) PX.destroy(each)
  }

  /**
   * @param {number} shape
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castShapes(shape, rays, distances) {
    const PX = this.#PX
    const [{ geometry }] = this.#geometries[shape]
    const result = new PX.PxSweepResult()
    const pose = this.#transform([0, 0, 0], [0, 0, 0, 1])
    const direction = this.#vector([0, 0, 0])
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      const heap = this.#heap.floats
      const [o, d] = [(PX.getPointer(pose) >> 2) + 4, PX.getPointer(direction) >> 2]
      for (let i = 0; i < 3; i++) {
        heap[o + i] = rays[from + i]
        heap[d + i] = rays[from + 3 + i]
      }
      result.clear()
      this.#scene.sweep(geometry, pose, direction, rays[from + 6], result)
      distances[ray] = closest(result)
    }
    for (const each of [result, pose, direction]) PX.destroy(each)
  }
}

/**
 * The bindings have no buffer for the closest hit alone: with those that they have PhysX collects all hits, in no order.
 *
 * @param {any} result a PxRaycastResult or PxSweepResult
 * @returns {number} m
 */
function closest(result) {
  const count = result.getNbTouches()
  let least = Infinity
  for (let index = 0; index < count; index++) {
    least = Math.min(least, result.getTouch(index).distance)
  }
  return least
}
