/**
 * What a world of Jolt is made of: its settings, shapes, and what does not collide.
 */
import { DENSITY } from '../scenes/description.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */

export const LAYER_FIXED = 0
export const LAYER_MOVING = 1
/**
 * What a big scene is given instead of the defaults, with which it would lose bodies and contacts. More contacts do not fit
 * into the memory that the npm build sets aside for a step.
 */
const BIG = { bodies: 20480, pairs: 131072, contacts: 18432 }
/** From so many bodies on a scene is big. */
const BIG_SCENE = 3000

/**
 * Two layers: what is fixed does not collide with what is fixed.
 *
 * @param {any} JOLT
 * @param {number} bodies that the scene has at most
 */
export function settings(JOLT, bodies) {
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
export function makeShape(JOLT, description) {
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
  if (description.type === 'capsule') {
    return new JOLT.CapsuleShapeSettings(description.halfHeight, description.radius)
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
export function collisionGroups(JOLT, { bodies, joints }) {
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
