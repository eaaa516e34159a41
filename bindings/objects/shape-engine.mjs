import { invalid } from '../core/describe.mjs'
import { engine } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { SHAPE_KINDS } from '../definitions/shape-kinds.mjs'
import { hullPointer } from './convex-hull.mjs'

// How the engine makes a shape, and whether it has a volume.

/** @import { ReadDefinition } from '../definitions/shape-definition.mjs' */
/** @import { ConvexHull } from './convex-hull.mjs' */

/**
 * @param {ReadDefinition} definition
 * @param {ConvexHull | null} hull
 * @param {string} where
 * @returns {number}
 */
export function createPointer(definition, hull, where) {
  const module = engine()
  const { exports } = module
  const kind = SHAPE_KINDS[definition.type]
  const pointer = kind.create(exports, definition, hull ? hullPointer(hull, where) : 0)
  if (pointer === 0) {
    const failure = module.failure(exports.last_result(), where, 0)
    if (failure.code !== 'invalid-argument') throw failure
    // Every number was checked before; what is left is a product of them.
    const what = 'such that volume and inertia are finite numbers above 0'
    throw invalid(`${where}: ${kind.size}`, what, definition[kind.size])
  }
  return pointer >>> 0
}

const DEFECTS = Object.freeze({
  'mesh-open': 'is open at the edge between vertices',
  'mesh-orientation': 'turns over at the edge between vertices',
})

/**
 * Refuses a shape whose volume is not defined. That of a plane counts as 0.
 * @param {number} pointer
 * @param {string} where
 */
export function checkSolid(pointer, where) {
  const module = engine()
  const code = module.code(module.exports.shape_check_solid(pointer))
  if (code === 'mesh-inside-out') {
    throw new MoreauError(code, `${where}: the fronts of the mesh look inwards; turn its triangles`)
  }
  if (code === 'mesh-open' || code === 'mesh-orientation') {
    module.begin(2)
    const [a, b] = module.takeAll(2)
    throw new MoreauError(code, `${where}: the mesh ${DEFECTS[code]} ${a} and ${b}`)
  }
}
