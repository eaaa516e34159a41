import { readFileSync } from 'node:fs'
import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import {
  localDirection,
  localPoint,
  peerFile,
  peerVersion,
  POSE,
  slotCount,
  turnOfX,
} from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */

const PACKAGE = 'physx-js-webidl'

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const { default: start } = await import(peerFile(`${PACKAGE}/physx-js-webidl.mjs`).href)
  const bytes = readFileSync(peerFile(`${PACKAGE}/physx-js-webidl.wasm`))
  const heap = new Heap()
  const instantiateWasm = (/** @type {any} */ imports, /** @type {any} */ done) => {
    WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => {
      heap.memory = Object.values(instance.exports).find(isMemory)
      done(instance, module)
    })
    return {}
  }
  const PX = await asInBrowser(() => start({ instantiateWasm }))
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) => new Simulation(PX, heap, description, options),
  }
}

/** @type {(value: unknown) => value is WebAssembly.Memory} */
const isMemory = (value) => value instanceof WebAssembly.Memory

/** The module's memory, which it does not give out by itself. */
class Heap {
  /** @type {WebAssembly.Memory | undefined} */
  memory
  #floats = new Float32Array()

  /** A new array after the memory has grown. */
  get floats() {
    const buffer = this.memory?.buffer
    if (buffer && this.#floats.buffer !== buffer) this.#floats = new Float32Array(buffer)
    return this.#floats
  }
}

/**
 * Its loader was built for browsers and refuses what looks like Node.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function asInBrowser(work) {
  const place = /** @type {any} */ (globalThis)
  const { process } = place
  Object.assign(place, { process: undefined, window: place })
  try {
    return await work()
  } finally {
    place.process = process
    delete place.window
  }
}

class Simulation {
  #PX
  #heap
  #physics
  #scene
  #sleep
  #descriptions
  #material
  /** @type {any[]} by index of the shape */
  #geometries
  #filter
  #flags
  /** @type {any[]} by slot */
  #actors

  /**
   * @param {any} PX
   * @param {Heap} heap
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(PX, heap, description, { sleep }) {
    this.#PX = PX
    this.#heap = heap
    this.#sleep = sleep
    const top = PX.PxTopLevelFunctions.prototype
    const version = top.PHYSICS_VERSION
    const errors = new PX.PxDefaultErrorCallback()
    const foundation = top.CreateFoundation(version, new PX.PxDefaultAllocator(), errors)
    const tolerances = new PX.PxTolerancesScale()
    this.#physics = top.CreatePhysics(version, foundation, tolerances)
    top.InitExtensions(this.#physics)
    this.#scene = this.#createScene(tolerances)
    this.#material = this.#physics.createMaterial(FRICTION, FRICTION, RESTITUTION)
    // Everything collides with everything.
    this.#filter = new PX.PxFilterData(1, 1, 0, 0)
    const { eSCENE_QUERY_SHAPE, eSIMULATION_SHAPE } = PX.PxShapeFlagEnum
    this.#flags = new PX.PxShapeFlags(eSCENE_QUERY_SHAPE | eSIMULATION_SHAPE)
    this.#descriptions = description.bodies
    const cooking = new PX.PxCookingParams(tolerances)
    this.#geometries = description.shapes.map((shape) => this.#geometry(shape, cooking))
    this.#actors = new Array(slotCount(description)).fill(null)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint)
  }

  step() {
    this.#scene.simulate(TIME_STEP)
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
  add(slot, { fixed, shape: index, position, orientation, linearVelocity }) {
    const PX = this.#PX
    const pose = this.#transform(position, orientation)
    const actor = fixed
      ? this.#physics.createRigidStatic(pose)
      : this.#physics.createRigidDynamic(pose)
    const geometry = this.#geometries[index]
    const shape = this.#physics.createShape(geometry, this.#material, true, this.#flags)
    shape.setSimulationFilterData(this.#filter)
    actor.attachShape(shape)
    shape.release()
    if (!fixed) {
      PX.PxRigidBodyExt.prototype.updateMassAndInertia(actor, DENSITY)
      if (!this.#sleep) actor.setSleepThreshold(0)
    }
    this.#scene.addActor(actor)
    const velocity = this.#vector(linearVelocity)
    if (!fixed) actor.setLinearVelocity(velocity)
    this.#actors[slot] = actor
    for (const each of [pose, velocity]) PX.destroy(each)
  }

  /** @param {number} slot */
  remove(slot) {
    const actor = this.#actors[slot]
    this.#scene.removeActor(actor)
    actor.release()
    this.#actors[slot] = null
  }

  /** @param {any} tolerances */
  #createScene(tolerances) {
    const PX = this.#PX
    const definition = new PX.PxSceneDesc(tolerances)
    definition.gravity = this.#vector([0, -GRAVITY, 0])
    // No threads beside the one that steps.
    definition.cpuDispatcher = PX.PxTopLevelFunctions.prototype.DefaultCpuDispatcherCreate(0)
    definition.filterShader = PX.PxTopLevelFunctions.prototype.DefaultFilterShader()
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

  /**
   * @param {ShapeDescription} description
   * @param {any} cooking
   */
  #geometry(description, cooking) {
    const PX = this.#PX
    if (description.type === 'box') return new PX.PxBoxGeometry(...description.halfExtents)
    if (description.type === 'sphere') return new PX.PxSphereGeometry(description.radius)
    const points = new PX.PxArray_PxVec3(description.points.length)
    for (const [index, point] of description.points.entries()) {
      points.set(index, this.#vector(point))
    }
    const definition = new PX.PxConvexMeshDesc()
    definition.flags = new PX.PxConvexFlags(PX.PxConvexFlagEnum.eCOMPUTE_CONVEX)
    definition.points.count = description.points.length
    definition.points.stride = 12
    definition.points.data = points.begin()
    const mesh = PX.PxTopLevelFunctions.prototype.CreateConvexMesh(cooking, definition)
    return new PX.PxConvexMeshGeometry(mesh)
  }

  /** @param {JointDescription} joint */
  #join({ type, bodyA, bodyB, anchor, axis, limits }) {
    const PX = this.#PX
    const [a, b] = [bodyA, bodyB].map((slot) => {
      const body = this.#descriptions[slot]
      const turn = turnOfX(localDirection(body, axis))
      return { actor: this.#actors[slot], frame: this.#transform(localPoint(body, anchor), turn) }
    })
    const top = PX.PxTopLevelFunctions.prototype
    const ends = [this.#physics, a.actor, a.frame, b.actor, b.frame]
    if (type === 'ball') {
      top.SphericalJointCreate(...ends)
      return
    }
    const joint = top.RevoluteJointCreate(...ends)
    if (!limits) return
    joint.setLimit(new PX.PxJointAngularLimitPair(...limits))
    joint.setRevoluteJointFlag(PX.PxRevoluteJointFlagEnum.eLIMIT_ENABLED, true)
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
}

/**
 * The bindings have no buffer for the closest hit alone: with those that they have PhysX collects all hits, in no order.
 *
 * @param {any} result a PxRaycastResult
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
