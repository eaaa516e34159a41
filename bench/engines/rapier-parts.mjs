/**
 * Rapier's shapes, cars and characters.
 */
import { GRAVITY } from '../scenes/description.mjs'

/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('../scenes/description.mjs').CarDescription} CarDescription */
/** @typedef {import('../scenes/description.mjs').CharacterDescription} CharacterDescription */

/**
 * Of a spring, per mass of the chassis: the default, 5.88, lets the wheels of a heavy car go through their travel. 1/s²
 */
const STIFFNESS = 25
/** m that characters keep to everything, as Moreau's do by default. */
const CHARACTER_OFFSET = 0.01

/** @param {Vector} vector */
const named = ([x, y, z]) => ({ x, y, z })

/**
 * @param {any} RAPIER
 * @param {ShapeDescription} description
 * @returns {any[]} descriptions of colliders, several of a compound
 */
export function makeShape(RAPIER, description) {
  const { ColliderDesc } = RAPIER
  switch (description.type) {
    case 'box':
      return [ColliderDesc.cuboid(...description.halfExtents)]
    case 'sphere':
      return [ColliderDesc.ball(description.radius)]
    case 'capsule':
      return [ColliderDesc.capsule(description.halfHeight, description.radius)]
    case 'cylinder':
      return [ColliderDesc.cylinder(description.halfHeight, description.radius)]
    case 'hull':
      return [ColliderDesc.convexHull(new Float32Array(description.points.flat()))]
    case 'mesh': {
      const { vertices, indices } = description
      return [ColliderDesc.trimesh(new Float32Array(vertices), new Uint32Array(indices))]
    }
    case 'compound':
      return description.shapes.map((part) => {
        const [collider] = makeShape(RAPIER, part)
        const [x, y, z, w] = part.orientation
        return collider.setTranslation(...part.position).setRotation({ x, y, z, w })
      })
  }
}

/**
 * @param {any} world
 * @param {CarDescription} car
 * @param {any} chassis
 * @returns {(dt: number) => void} what comes before each step
 */
export function drive(world, { wheels, radius, restLength, engineForce, steering }, chassis) {
  const vehicle = world.createVehicleController(chassis)
  vehicle.indexUpAxis = 1
  vehicle.setIndexForwardAxis = 0
  const [down, axle] = [named([0, -1, 0]), named([0, 0, 1])]
  for (const [i, position] of wheels.entries()) {
    vehicle.addWheel(named(position), down, axle, restLength, radius)
    vehicle.setWheelSuspensionStiffness(i, STIFFNESS)
    vehicle.setWheelEngineForce(i, engineForce)
    if (i < 2) vehicle.setWheelSteering(i, steering)
  }
  return (dt) => vehicle.updateVehicle(dt)
}

/**
 * @param {any} RAPIER
 * @param {any} world
 * @param {CharacterDescription} character
 * @param {ShapeDescription} shape
 * @returns {{ body: any, move: (dt: number) => void }}
 */
export function walk(RAPIER, world, { position, velocity, stepHeight }, shape) {
  const definition = RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(...position)
  const body = world.createRigidBody(definition)
  const collider = world.createCollider(makeShape(RAPIER, shape)[0], body)
  const controller = world.createCharacterController(CHARACTER_OFFSET)
  controller.enableAutostep(stepHeight, 0.1, false)
  controller.enableSnapToGround(stepHeight)
  // Characters walk through each other, as those of other engines do.
  const { EXCLUDE_KINEMATIC } = RAPIER.QueryFilterFlags
  let fall = 0
  const move = (/** @type {number} */ dt) => {
    fall = controller.computedGrounded() ? 0 : fall - GRAVITY * dt
    const way = { x: velocity[0] * dt, y: fall * dt, z: velocity[2] * dt }
    controller.computeColliderMovement(collider, way, EXCLUDE_KINEMATIC)
    const at = body.translation()
    const moved = controller.computedMovement()
    const to = { x: at.x + moved.x, y: at.y + moved.y, z: at.z + moved.z }
    body.setNextKinematicTranslation(to)
  }
  return { body, move }
}
