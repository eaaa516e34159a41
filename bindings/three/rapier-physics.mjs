import { ConvexHull, init } from '../index.mjs'
import * as moreau from '../index.mjs'
import { ColliderDesc, rapier, RapierWorld, RigidBodyDesc } from '../rapier/index.mjs'
import { MeshPhysics } from './mesh-physics.mjs'

/** @import { ShapeDefinition } from '../index.mjs' */
/** @import { Spelling } from './mesh-bodies.mjs' */
/** @import { PhysicsOptions } from './physics.mjs' */

/**
 * `MoreauPhysics` with `world`, `RAPIER` and the bodies of meshes in Rapier's spelling: for programs that are written for the
 * `RapierPhysics` of three.js and call Rapier, too.
 *
 * @param {PhysicsOptions} [options]
 * @returns {Promise<RapierPhysicsObject>}
 *
 * @example
 * import { RapierPhysics } from 'moreau/three'
 * const physics = await RapierPhysics()
 * physics.addMesh(car, 10)
 * const vehicle = physics.world.createVehicleController(car.userData.physics.body)
 */
export async function RapierPhysics(options = {}) {
  await init()
  return new RapierPhysicsObject(new RapierWorld(options.world), options.autoStart ?? true)
}

/** What `RapierPhysics` gives. */
export class RapierPhysicsObject extends MeshPhysics {
  /**
   * As much of Rapier's module as there is.
   * @type {typeof rapier}
   */
  RAPIER = rapier
  /** The package. */
  moreau = moreau

  #world

  /**
   * @param {RapierWorld} world
   * @param {boolean} autoStart
   */
  constructor(world, autoStart) {
    const beforeStep = (/** @type {number} */ dt) => {
      world.timestep = dt
      world.prepare()
    }
    super(world.raw, spellingOf(world), autoStart, { beforeStep, afterStep: () => world.finish() })
    this.#world = world
  }

  /** In Rapier's spelling; `world.raw` is the `World` of Moreau. */
  get world() {
    return this.#world
  }
}

/**
 * Meshes keep a rigid body and its collider.
 * @param {RapierWorld} world
 * @returns {Spelling}
 */
const spellingOf = (world) => ({
  toShape: withHull,
  make(shape, { type, mass = 0, friction, restitution = 0, position, orientation }) {
    const desc = type === 'static' ? RigidBodyDesc.fixed() : RigidBodyDesc.dynamic()
    if (position) desc.setTranslation(position)
    if (orientation) desc.setRotation(orientation)
    const body = world.createRigidBody(desc)
    const collision = new ColliderDesc('shape', [shape]).setMass(mass).setRestitution(restitution)
    if (friction !== undefined) collision.setFriction(friction)
    const collider = world.createCollider(collision, body)
    return { raw: body.raw, body, collider }
  },
  remove: ({ body }) => world.removeRigidBody(body),
  free: () => world.free(),
})

/**
 * Instances share their hull.
 * @param {ShapeDefinition} definition
 * @returns {ShapeDefinition}
 */
function withHull(definition) {
  if (definition.type !== 'hull' || definition.points === undefined) return definition
  const { points, ...others } = definition
  return { ...others, hull: ConvexHull.fromPoints(points) }
}
