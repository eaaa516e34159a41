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
  // Parts of a compound have theirs.
  if (definition instanceof JOLT.ConvexShapeSettings) definition.mDensity = DENSITY
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
  if (description.type === 'cylinder') {
    return new JOLT.CylinderShapeSettings(description.halfHeight, description.radius)
  }
  if (description.type === 'compound') return compoundSettings(JOLT, description.shapes)
  if (description.type === 'mesh') return meshSettings(JOLT, description)
  const definition = new JOLT.ConvexHullShapeSettings()
  for (const point of description.points) definition.mPoints.push_back(new JOLT.Vec3(...point))
  return definition
}

/**
 * @param {any} JOLT
 * @param {import('../scenes/description.mjs').PartDescription[]} parts
 */
function compoundSettings(JOLT, parts) {
  const definition = new JOLT.StaticCompoundShapeSettings()
  for (const part of parts) {
    const [place, turn] = [new JOLT.Vec3(...part.position), new JOLT.Quat(...part.orientation)]
    definition.AddShapeShape(place, turn, makeShape(JOLT, part), 0)
    for (const each of [place, turn]) JOLT.destroy(each)
  }
  return definition
}

/**
 * @param {any} JOLT
 * @param {import('../scenes/description.mjs').MeshDescription} mesh
 */
function meshSettings(JOLT, { vertices, indices }) {
  const [points, triangles] = [new JOLT.VertexList(), new JOLT.IndexedTriangleList()]
  for (let i = 0; i < vertices.length; i += 3) {
    const point = new JOLT.Float3(vertices[i], vertices[i + 1], vertices[i + 2])
    points.push_back(point)
    JOLT.destroy(point)
  }
  for (let i = 0; i < indices.length; i += 3) {
    const triangle = new JOLT.IndexedTriangle(indices[i], indices[i + 1], indices[i + 2], 0)
    triangles.push_back(triangle)
    JOLT.destroy(triangle)
  }
  return new JOLT.MeshShapeSettings(points, triangles, new JOLT.PhysicsMaterialList())
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
