/**
 * PhysX's shapes, contact events and characters.
 */
import { GRAVITY } from '../scenes/description.mjs'
import { Unsupported } from './engine.mjs'

/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('../scenes/description.mjs').CharacterDescription} CharacterDescription */
/** @typedef {{ geometry: any, pose?: any }} Placed a geometry and where it is in its shape */

/** Turns the x axis, along which capsules and cylinders lie, to the y axis. @type {[number, number, number, number]} */
const UPRIGHT = [0, 0, Math.SQRT1_2, Math.SQRT1_2]
/** m: a way that is shorter is not gone. */
const SHORTEST_WAY = 1e-4

/**
 * @param {any} PX
 * @param {ShapeDescription} description
 * @param {any} cooking
 * @returns {Placed[]} several of a compound
 */
export function makeGeometries(PX, description, cooking) {
  switch (description.type) {
    case 'box':
      return [{ geometry: new PX.PxBoxGeometry(...description.halfExtents) }]
    case 'sphere':
      return [{ geometry: new PX.PxSphereGeometry(description.radius) }]
    case 'capsule': {
      const { radius, halfHeight } = description
      const geometry = new PX.PxCapsuleGeometry(radius, halfHeight)
      return [{ geometry, pose: transform(PX, [0, 0, 0], UPRIGHT) }]
    }
    case 'cylinder': {
      const { radius, halfHeight } = description
      const core = new PX.PxConvexCoreCylinder(2 * halfHeight, radius)
      const geometry = PX.PxConvexCoreGeometryFactory.prototype.createFromCylinder(core, 0)
      return [{ geometry, pose: transform(PX, [0, 0, 0], UPRIGHT) }]
    }
    case 'hull':
      return [{ geometry: hull(PX, description.points, cooking) }]
    case 'mesh':
      return [{ geometry: mesh(PX, description, cooking) }]
    case 'compound':
      return description.shapes.map((part) => {
        const [{ geometry, pose }] = makeGeometries(PX, part, cooking)
        if (pose) throw new Unsupported('capsules and cylinders in compounds')
        return { geometry, pose: transform(PX, part.position, part.orientation) }
      })
  }
}

/**
 * @param {any} PX
 * @param {Vector} position
 * @param {[number, number, number, number]} orientation
 */
function transform(PX, position, orientation) {
  const [place, turn] = [new PX.PxVec3(...position), new PX.PxQuat(...orientation)]
  const made = new PX.PxTransform(place, turn)
  for (const each of [place, turn]) PX.destroy(each)
  return made
}

/**
 * @param {any} PX
 * @param {Vector[]} list
 */
function pointsOf(PX, list) {
  const points = new PX.PxArray_PxVec3(list.length)
  for (const [index, point] of list.entries()) {
    const vector = new PX.PxVec3(...point)
    points.set(index, vector)
    PX.destroy(vector)
  }
  return points
}

/**
 * @param {any} PX
 * @param {Vector[]} list
 * @param {any} cooking
 */
function hull(PX, list, cooking) {
  const definition = new PX.PxConvexMeshDesc()
  definition.flags = new PX.PxConvexFlags(PX.PxConvexFlagEnum.eCOMPUTE_CONVEX)
  fillPoints(PX, definition, list)
  const made = PX.PxTopLevelFunctions.prototype.CreateConvexMesh(cooking, definition)
  return new PX.PxConvexMeshGeometry(made)
}

/**
 * @param {any} PX
 * @param {any} definition
 * @param {Vector[]} list
 */
function fillPoints(PX, definition, list) {
  definition.points.count = list.length
  definition.points.stride = 12
  definition.points.data = pointsOf(PX, list).begin()
}

/**
 * @param {any} PX
 * @param {import('../scenes/description.mjs').MeshDescription} description
 * @param {any} cooking
 */
function mesh(PX, { vertices, indices }, cooking) {
  const list = Array.from({ length: vertices.length / 3 }, (_, i) => {
    return /** @type {Vector} */ (vertices.slice(3 * i, 3 * i + 3))
  })
  const triangles = new PX.PxArray_PxU32(indices.length)
  for (const [i, index] of indices.entries()) triangles.set(i, index)
  const definition = new PX.PxTriangleMeshDesc()
  fillPoints(PX, definition, list)
  definition.triangles.count = indices.length / 3
  definition.triangles.stride = 12
  definition.triangles.data = triangles.begin()
  const made = PX.PxTopLevelFunctions.prototype.CreateTriangleMesh(cooking, definition)
  return new PX.PxTriangleMeshGeometry(made)
}

/**
 * Contacts that begin and end are told of if the filter asks for it, which is called once per pair.
 *
 * @param {any} PX
 * @param {any} definition of the scene
 * @param {(count: number) => void} onEvents
 */
export function listenTo(PX, definition, onEvents) {
  const { eCONTACT_DEFAULT, eNOTIFY_TOUCH_FOUND, eNOTIFY_TOUCH_LOST } = PX.PxPairFlagEnum
  const shader = new PX.PassThroughFilterShaderImpl()
  shader.filterShader = () => {
    shader.outputPairFlags = eCONTACT_DEFAULT | eNOTIFY_TOUCH_FOUND | eNOTIFY_TOUCH_LOST
    return PX.PxFilterFlagEnum.eDEFAULT
  }
  const callback = new PX.PxSimulationEventCallbackImpl()
  callback.onContact = (
    /** @type {unknown} */ header,
    /** @type {unknown} */ pairs,
    /** @type {number} */ count,
  ) => onEvents(count)
  for (const name of ['onConstraintBreak', 'onWake', 'onSleep', 'onTrigger']) {
    callback[name] = () => {}
  }
  definition.simulationEventCallback = callback
  PX.PxTopLevelFunctions.prototype.setupPassThroughFilterShader(definition, shader)
}

/**
 * @param {any} PX
 * @param {any} manager
 * @param {any} material
 * @param {CharacterDescription} character
 * @param {ShapeDescription} shape
 * @returns {{ controller: any, move: (dt: number) => void }}
 */
export function walk(PX, manager, material, { position, velocity, stepHeight }, shape) {
  if (shape.type !== 'capsule') throw new Unsupported(`characters that are a ${shape.type}`)
  const definition = new PX.PxCapsuleControllerDesc()
  definition.radius = shape.radius
  definition.height = 2 * shape.halfHeight
  definition.stepOffset = stepHeight
  definition.material = material
  definition.position = new PX.PxExtendedVec3(...position)
  const controller = manager.createController(definition)
  const way = new PX.PxVec3(0, 0, 0)
  const filters = new PX.PxControllerFilters()
  const down = PX.PxControllerCollisionFlagEnum.eCOLLISION_DOWN
  let [fall, grounded] = [0, false]
  const move = (/** @type {number} */ dt) => {
    fall = grounded ? -GRAVITY * dt : fall - GRAVITY * dt
    way.x = velocity[0] * dt
    way.y = fall * dt
    way.z = velocity[2] * dt
    grounded = controller.move(way, SHORTEST_WAY, dt, filters).isSet(down)
  }
  return { controller, move }
}
