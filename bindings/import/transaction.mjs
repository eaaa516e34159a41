/** @import { World } from '../index.mjs' */

/**
 * Makes things in a world, or leaves it as it was: bodies, joints, ids and all that later steps depend on.
 * @template Result
 * @param {World} world
 * @param {() => Result} make is done when it returns
 * @returns {Result}
 * @throws {unknown} what `make` throws
 */
export function transact(world, make) {
  const before = world.snapshot({ assets: false })
  const known = new Set(world.bodies)
  try {
    return make()
  } catch (error) {
    // Gives memory back first: what is missing may be that. Joints go with their bodies.
    for (const body of world.bodies) if (!known.has(body)) body.destroy()
    world.restore(before)
    throw error
  }
}
