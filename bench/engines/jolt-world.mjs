/**
 * Both builds of Jolt: the default one, and the one with SIMD, which is meant for threads and gets none here.
 */
import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { across, peerFile, peerVersion, POSE, slotCount } from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */

const PACKAGE = 'jolt-physics'
const LAYER_FIXED = 0
const LAYER_MOVING = 1
/**
 * What a big scene is given instead of the defaults, with which it would lose bodies and contacts. More contacts do not fit
 * into the memory that the npm build sets aside for a step.
 */
const BIG = { bodies: 20480, pairs: 131072, contacts: 18432 }
/** From so many bodies on a scene is big. */
const BIG_SCENE = 3000

/**
 * @param {string} file of the package's dist
 * @returns {Promise<import('./engine.mjs').Engine>}
 */
export async function loadJolt(file) {
  const { default: start } = await import(peerFile(`${PACKAGE}/dist/${file}`).href)
  const JOLT = await start()
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) => new Simulation(JOLT, description, options),
  }
}

class Simulation {
  #JOLT
  #jolt
  #system
  #interface
  #sleep
  #shapes
  #position
  #rotation
  /** @type {any[]} the id in each slot, or null */
  #ids
  /** @type {any[]} the body in each slot */
  #bodies

  /**
   * @param {any} JOLT
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(JOLT, description, { sleep }) {
    this.#JOLT = JOLT
    this.#jolt = new JOLT.JoltInterface(settings(JOLT, slotCount(description)))
    this.#system = this.#jolt.GetPhysicsSystem()
    this.#system.SetGravity(new JOLT.Vec3(0, -GRAVITY, 0))
    this.#interface = this.#system.GetBodyInterfaceNoLock()
    this.#sleep = sleep
    this.#shapes = description.shapes.map((shape) => makeShape(JOLT, shape))
    this.#position = new JOLT.RVec3(0, 0, 0)
    this.#rotation = new JOLT.Quat(0, 0, 0, 1)
    this.#ids = new Array(slotCount(description)).fill(null)
    this.#bodies = new Array(this.#ids.length).fill(null)
    const groups = collisionGroups(JOLT, description)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body, groups(slot))
    for (const joint of description.joints) this.#join(joint)
    this.#system.OptimizeBroadPhase()
  }

  step() {
    this.#jolt.Step(TIME_STEP, 1)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const JOLT = this.#JOLT
    const bodies = this.#interface
    const ids = this.#ids
    const [position, rotation] = [this.#position, this.#rotation]
    const p = JOLT.getPointer(position) >> 2
    const q = JOLT.getPointer(rotation) >> 2
    for (let slot = 0, to = 0; slot < ids.length; slot++, to += POSE) {
      const id = ids[slot]
      if (id === null) continue
      bodies.GetPositionAndRotation(id, position, rotation)
      const heap = JOLT.HEAPF32
      out[to] = heap[p]
      out[to + 1] = heap[p + 1]
      out[to + 2] = heap[p + 2]
      out[to + 3] = heap[q]
      out[to + 4] = heap[q + 1]
      out[to + 5] = heap[q + 2]
      out[to + 6] = heap[q + 3]
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   * @param {any} [group] what it does not collide with
   */
  add(slot, { fixed, shape, position, orientation, linearVelocity }, group = null) {
    const JOLT = this.#JOLT
    const [place, turn] = [new JOLT.RVec3(...position), new JOLT.Quat(...orientation)]
    const type = fixed ? JOLT.EMotionType_Static : JOLT.EMotionType_Dynamic
    const layer = fixed ? LAYER_FIXED : LAYER_MOVING
    const definition = new JOLT.BodyCreationSettings(this.#shapes[shape], place, turn, type, layer)
    definition.mFriction = FRICTION
    definition.mRestitution = RESTITUTION
    definition.mAllowSleeping = this.#sleep
    const velocity = new JOLT.Vec3(...linearVelocity)
    if (!fixed) definition.mLinearVelocity = velocity
    if (group) definition.mCollisionGroup = group
    const body = this.#interface.CreateBody(definition)
    const id = body.GetID()
    this.#interface.AddBody(id, fixed ? JOLT.EActivation_DontActivate : JOLT.EActivation_Activate)
    // An own copy: what GetID returns belongs to the body.
    this.#ids[slot] = new JOLT.BodyID(id.GetIndexAndSequenceNumber())
    this.#bodies[slot] = body
    for (const each of [definition, place, turn, velocity]) JOLT.destroy(each)
  }

  /** @param {number} slot */
  remove(slot) {
    const id = this.#ids[slot]
    this.#interface.RemoveBody(id)
    this.#interface.DestroyBody(id)
    this.#JOLT.destroy(id)
    this.#ids[slot] = null
    this.#bodies[slot] = null
  }

  /** @param {JointDescription} joint */
  #join(joint) {
    const JOLT = this.#JOLT
    const { bodyA, bodyB } = joint
    const definition = joint.type === 'ball' ? this.#pointSettings(joint) : this.#hinge(joint)
    const constraint = definition.Create(this.#bodies[bodyA], this.#bodies[bodyB])
    this.#system.AddConstraint(constraint)
    JOLT.destroy(definition)
  }

  /** @param {JointDescription} joint */
  #pointSettings({ anchor }) {
    const JOLT = this.#JOLT
    const definition = new JOLT.PointConstraintSettings()
    definition.mPoint1 = definition.mPoint2 = new JOLT.RVec3(...anchor)
    return definition
  }

  /** @param {JointDescription} joint */
  #hinge({ anchor, axis, limits }) {
    const JOLT = this.#JOLT
    const definition = new JOLT.HingeConstraintSettings()
    definition.mPoint1 = definition.mPoint2 = new JOLT.RVec3(...anchor)
    definition.mHingeAxis1 = definition.mHingeAxis2 = new JOLT.Vec3(...axis)
    definition.mNormalAxis1 = definition.mNormalAxis2 = new JOLT.Vec3(...across(axis))
    if (limits) [definition.mLimitsMin, definition.mLimitsMax] = limits
    return definition
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const JOLT = this.#JOLT
    const query = this.#system.GetNarrowPhaseQueryNoLock()
    const castSettings = new JOLT.RayCastSettings()
    const collector = new JOLT.CastRayClosestHitCollisionCollector()
    const layers = new JOLT.BroadPhaseLayerFilter()
    const objects = new JOLT.ObjectLayerFilter()
    const bodies = new JOLT.BodyFilter()
    const shapes = new JOLT.ShapeFilter()
    const ray = new JOLT.RRayCast()
    const [origin, direction] = [ray.mOrigin, ray.mDirection]
    for (let index = 0, from = 0; index < distances.length; index++, from += 7) {
      const reach = rays[from + 6]
      origin.Set(rays[from], rays[from + 1], rays[from + 2])
      direction.Set(reach * rays[from + 3], reach * rays[from + 4], reach * rays[from + 5])
      collector.Reset()
      query.CastRay(ray, castSettings, collector, layers, objects, bodies, shapes)
      distances[index] = collector.HadHit() ? reach * collector.mHit.mFraction : Infinity
    }
    const made = [castSettings, collector, layers, objects, bodies, shapes, ray]
    for (const each of made) JOLT.destroy(each)
  }
}

/**
 * Two layers: what is fixed does not collide with what is fixed.
 *
 * @param {any} JOLT
 * @param {number} bodies that the scene has at most
 */
function settings(JOLT, bodies) {
  const pairs = new JOLT.ObjectLayerPairFilterTable(2)
  pairs.EnableCollision(LAYER_FIXED, LAYER_MOVING)
  pairs.EnableCollision(LAYER_MOVING, LAYER_MOVING)
  const layers = new JOLT.BroadPhaseLayerInterfaceTable(2, 2)
  layers.MapObjectToBroadPhaseLayer(LAYER_FIXED, new JOLT.BroadPhaseLayer(0))
  layers.MapObjectToBroadPhaseLayer(LAYER_MOVING, new JOLT.BroadPhaseLayer(1))
  const filled = new JOLT.JoltSettings()
  if (bodies > BIG_SCENE) {
    filled.mMaxBodies = BIG.bodies
    filled.mMaxBodyPairs = BIG.pairs
    filled.mMaxContactConstraints = BIG.contacts
  }
  filled.mMaxWorkerThreads = 0
  filled.mObjectLayerPairFilter = pairs
  filled.mBroadPhaseLayerInterface = layers
  filled.mObjectVsBroadPhaseLayerFilter = new JOLT.ObjectVsBroadPhaseLayerFilterTable(
    layers,
    2,
    pairs,
    2,
  )
  return filled
}

/**
 * @param {any} JOLT
 * @param {ShapeDescription} description
 */
function makeShape(JOLT, description) {
  const definition = shapeSettings(JOLT, description)
  definition.mDensity = DENSITY
  const shape = definition.Create().Get()
  shape.AddRef()
  return shape
}

/**
 * @param {any} JOLT
 * @param {ShapeDescription} description
 */
function shapeSettings(JOLT, description) {
  if (description.type === 'sphere') return new JOLT.SphereShapeSettings(description.radius)
  if (description.type === 'box') {
    return new JOLT.BoxShapeSettings(new JOLT.Vec3(...description.halfExtents))
  }
  const definition = new JOLT.ConvexHullShapeSettings()
  for (const point of description.points) definition.mPoints.push_back(new JOLT.Vec3(...point))
  return definition
}

/**
 * Jointed bodies collide unless a filter says otherwise. It is a table of all pairs of a group, so that each set of connected
 * bodies is a group.
 *
 * @param {any} JOLT
 * @param {Description} description
 * @returns {(slot: number) => any} the collision group of a body, or null
 */
function collisionGroups(JOLT, { bodies, joints }) {
  const groupOf = new Int32Array(bodies.length).map((_, index) => index)
  /** @param {number} body @returns {number} */
  const find = (body) => (groupOf[body] === body ? body : (groupOf[body] = find(groupOf[body])))
  const links = joints.filter(({ bodyA, bodyB }) => !bodies[bodyA].fixed && !bodies[bodyB].fixed)
  for (const { bodyA, bodyB } of links) groupOf[find(bodyA)] = find(bodyB)
  /** @type {Map<number, number[]>} */
  const groups = new Map()
  for (const body of new Set(links.flatMap(({ bodyA, bodyB }) => [bodyA, bodyB]))) {
    groups.set(find(body), [...(groups.get(find(body)) ?? []), body])
  }
  const filters = new Map([...groups].map(([group, { length }]) => [group, table(JOLT, length)]))
  const place = new Map([...groups.values()].flatMap((list) => list.map((body, i) => [body, i])))
  for (const { bodyA, bodyB } of links) {
    filters.get(find(bodyA)).DisableCollision(place.get(bodyA), place.get(bodyB))
  }
  return (slot) =>
    place.has(slot)
      ? new JOLT.CollisionGroup(filters.get(find(slot)), find(slot), place.get(slot))
      : null
}

/**
 * @param {any} JOLT
 * @param {number} size
 */
function table(JOLT, size) {
  const filter = new JOLT.GroupFilterTable(size)
  filter.AddRef()
  return filter
}
