// What characters take and give.

/** @import { Overlap, QueryOptions } from './query.mjs' */
/** @import { ShapeLike } from './shape.mjs' */
/** @import { QuaternionLike, Vector, VectorLike } from './values.mjs' */

/**
 * What a character is like.
 * @typedef {object} CharacterOptions
 * @property {ShapeLike} shape any bounded convex shape; its axis y is put upright. Its own placement is not used
 * @property {VectorLike} [position] of the origin of its shape, metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] default: the axis y of the shape points up
 * @property {VectorLike} [up] of any length above 0; default `[0, 1, 0]`
 * @property {number} [offset] metres, above 0: the gap that it keeps to everything; default 0.01
 * @property {number} [stepHeight] metres: steps up to this height are climbed; default 0.3
 * @property {number} [stepDown] metres that it follows the ground down; default `stepHeight`
 * @property {number} [slopeLimit] radians, 0 to pi/2: steeper slopes are walls; default pi/4
 * @property {number} [slideAngle] radians, `slopeLimit` to pi/2: steeper slopes are no ground; default `slopeLimit`
 * @property {number} [pushForce] newtons: it pushes dynamic bodies with no more; default 0
 * @property {number} [pushMass] kilograms, may be Infinity: it pushes no heavier body; default Infinity
 */

/** @typedef {CharacterOptions & QueryOptions} CharacterDefinition the options of queries say what stops it */

/**
 * @typedef {object} CharacterTouch
 * @property {Vector} position metres, world, on the surface of the shape that was met
 * @property {Vector} normal unit, world, out of that shape
 */

/** @typedef {Overlap & CharacterTouch} CharacterContact what a move met */

export {}
