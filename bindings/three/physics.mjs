import { World } from '../index.mjs'
import * as moreau from '../index.mjs'
import { MeshPhysics } from './mesh-physics.mjs'

/** @import { WorldOptions } from '../index.mjs' */
/** @import { Spelling } from './mesh-bodies.mjs' */

/**
 * @typedef {object} PhysicsOptions
 * @property {boolean} [autoStart] default true: whether a timer steps the world 60 times a second, as in three.js;
 *   with false call `step()` in each frame
 * @property {WorldOptions} [world]
 */

/**
 * A world whose bodies move meshes, with the interface of three.js' `addons/physics` and bodies of Moreau.
 *
 * @param {PhysicsOptions} [options]
 * @returns {Promise<MoreauPhysicsObject>}
 *
 * @example
 * import { MoreauPhysics } from 'moreau/three'
 * const physics = await MoreauPhysics()
 * box.userData.physics = { mass: 1 }
 * physics.addScene(scene)
 */
export async function MoreauPhysics(options = {}) {
  const world = await World.create(options.world)
  return new MoreauPhysicsObject(world, options.autoStart ?? true)
}

/** What `MoreauPhysics` gives. */
export class MoreauPhysicsObject extends MeshPhysics {
  /** The package, as the others give theirs. */
  moreau = moreau

  #world

  /**
   * @param {World} world
   * @param {boolean} autoStart
   */
  constructor(world, autoStart) {
    super(world, spellingOf(world), autoStart)
    this.#world = world
  }

  get world() {
    return this.#world
  }
}

/**
 * Meshes keep a `Body` and its `Shape`, which instances share.
 * @param {World} world
 * @returns {Spelling}
 */
const spellingOf = (world) => ({
  toShape: (definition) => moreau.createShape(definition),
  make(shape, options) {
    const raw = world.createBody({ ...options, shape })
    return { raw, body: raw, collider: shape }
  },
  remove({ raw, collider }) {
    if (raw.isAlive) raw.destroy()
    collider.free()
  },
  free: () => world.free(),
})
