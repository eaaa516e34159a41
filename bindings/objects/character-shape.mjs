import { access } from '../core/access.mjs'
import { invalid } from '../core/describe.mjs'
import * as CHARACTER from '../generated/places/character.mjs'
import * as DEF from '../generated/places/character-def.mjs'
import { freeIdleShapes, KEPT_SHAPES } from './idle-shapes.mjs'
import { normalize } from './placement.mjs'

/** @import { Shape } from './shape.mjs' */

/**
 * A shape for a character.
 * @param {unknown} value
 * @param {string} where
 */
export function readCharacterShape(value, where) {
  const shape = access.toShape(value, where, 'shape')
  if (hasSurface(shape)) {
    freeIdleShapes(KEPT_SHAPES)
    throw invalid(`${where}: shape`, 'not a plane, mesh or heightfield', value)
  }
  if (partCount(shape) > 1) {
    freeIdleShapes(KEPT_SHAPES)
    throw invalid(`${where}: shape`, 'convex, not a compound of several shapes', value)
  }
  return shape
}

/**
 * Whether a part of it has no inside.
 * @param {Shape} shape
 * @returns {boolean}
 */
function hasSurface(shape) {
  return ['plane', 'mesh', 'heightfield'].includes(shape.type) || !!shape.shapes?.some(hasSurface)
}

/**
 * @param {Shape} shape
 * @returns {number}
 */
const partCount = ({ shapes }) => shapes?.reduce((sum, part) => sum + partCount(part), 0) ?? 1

/**
 * The shortest turn of the axis of shapes, y, to up.
 * @param {Float64Array} def
 * @param {Float64Array} state
 */
export function putUpright(def, state) {
  const [x, y, z] = def.subarray(DEF.up)
  // y x up, and 1 + y . up; straight down it is half a turn about x.
  const turn = new Float64Array(y < -1 + 1e-12 ? [1, 0, 0, 0] : [z, 0, -x, 1 + y])
  normalize(turn, 0)
  state.set(turn, CHARACTER.orientation)
}
