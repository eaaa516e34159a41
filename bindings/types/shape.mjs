// Definitions of shapes.

/** @import { CombineRule } from './names.mjs' */
/** @import { QuaternionLike, VectorLike } from './values.mjs' */

/**
 * What every shape definition may have beside its measures. Friction, restitution and density
 * default to those of the body.
 * @typedef {object} ShapePlacement
 * @property {VectorLike} [position] metres, of the shape in the body's frame; default the origin
 * @property {QuaternionLike} [orientation] of the shape in the body's frame; default no rotation
 * @property {number} [friction] Coulomb coefficient, 0 or more; default: the body's
 * @property {number} [restitution] 0 to 1; default: the body's
 * @property {number} [density] kg/m³, above 0; default: the body's. Where the body has a `mass`, it
 *   only says how the mass is shared out. A sensor may have 0
 * @property {CombineRule} [frictionCombine] default: the body's
 * @property {CombineRule} [restitutionCombine] default: the body's
 * @property {import('./body.mjs').Filter} [filter] what it collides with; what it leaves out meets
 *   everything; default: the body's
 * @property {boolean} [sensor] whether it touches nothing, and reports what it overlaps
 *   (`world.sensorEvents`); default false
 */

/**
 * A ball.
 * @typedef {object} SphereMeasures
 * @property {'sphere'} type
 * @property {number} radius metres, above 0
 */

/**
 * A box with its middle at the origin of the shape.
 * @typedef {object} BoxMeasures
 * @property {'box'} type
 * @property {VectorLike} halfExtents half of each edge in metres, above 0
 * @property {number} [radius] rounding in metres, 0 or more: all points within this distance of the
 *   box belong to the shape; default 0
 */

/**
 * A cylinder between two half balls, along the y axis, with its middle at the origin of the shape. A
 * tapered one has `radiusTop` and `radiusBottom` instead of `radius`: it is the convex hull of two
 * balls, neither of which may be inside the other.
 * @typedef {object} CapsuleMeasures
 * @property {'capsule'} type
 * @property {number} [radius] metres, above 0
 * @property {number} [radiusTop] of the ball at `halfHeight`, metres, 0 or more
 * @property {number} [radiusBottom] of the ball at `-halfHeight`, metres, 0 or more
 * @property {number} halfHeight half of the straight part in metres, above 0; in a tapered capsule
 *   half of the distance between the centres of the balls
 */

/**
 * A cylinder along the y axis, with its middle at the origin of the shape. A tapered one has
 * `radiusTop` and `radiusBottom` instead of `radius`, of which one may be 0.
 * @typedef {object} CylinderMeasures
 * @property {'cylinder'} type
 * @property {number} [radius] metres, above 0
 * @property {number} [radiusTop] of the cap at `halfHeight`, metres, 0 or more
 * @property {number} [radiusBottom] of the cap at `-halfHeight`, metres, 0 or more
 * @property {number} halfHeight half of the height in metres, above 0
 * @property {number} [rounding] metres, 0 or more: all points within this distance of the cylinder
 *   belong to the shape; default 0
 */

/**
 * A cone along the y axis: its origin is at half of the height, its tip at `halfHeight`.
 * @typedef {object} ConeMeasures
 * @property {'cone'} type
 * @property {number} radius of the base, metres, above 0
 * @property {number} halfHeight half of the height in metres, above 0
 * @property {number} [rounding] metres, 0 or more: all points within this distance of the cone belong
 *   to the shape; default 0
 */

/**
 * The convex hull of points: give `points` or `hull`.
 * @typedef {object} HullMeasures
 * @property {'hull'} type
 * @property {PointsLike} [points] metres; see `ConvexHull.fromPoints`
 * @property {import('../objects/convex-hull.mjs').ConvexHull} [hull] a hull that exists already
 * @property {number} [radius] rounding in metres, 0 or more, as of a box; default 0
 */

/**
 * The half-space `normal . x <= offset` is solid. Static bodies only.
 * @typedef {object} PlaneMeasures
 * @property {'plane'} type
 * @property {VectorLike} [normal] of any length above 1e-150, pointing out of the solid; default
 *   `[0, 1, 0]`
 * @property {number} [offset] metres from the origin along the normal; default 0
 */

/**
 * A surface of triangles, without an inside: a body touches it on either side, unless it is one-sided.
 * Static and kinematic bodies only; for dynamic ones there are compounds of hulls. Edges are matched by
 * the positions of their vertices, and those between flat and concave neighbours are not felt.
 * Triangles without an area are ignored. Mass properties need a closed mesh with its fronts outwards.
 * @typedef {object} MeshMeasures
 * @property {'mesh'} type
 * @property {PointsLike} vertices metres, at most 1e18
 * @property {IndicesLike} indices three per triangle, counter-clockwise seen from its front
 * @property {boolean} [oneSided] only fronts are touched and hit by rays; default false
 */

/**
 * Heights over a grid in the plane of x and z, y up: sample (i, j) is `heights[i * columns + j]` at
 * `((j - (columns - 1) / 2) x, height y, (i - (rows - 1) / 2) z)` of the scale. Each cell is divided
 * from (i, j) to (i + 1, j + 1). Static and kinematic bodies only.
 * @typedef {object} HeightfieldMeasures
 * @property {'heightfield'} type
 * @property {readonly number[] | Float32Array | Float64Array} heights `rows` times `columns`
 * @property {number} rows 2 or more
 * @property {number} columns 2 or more
 * @property {VectorLike} [scale] metres per column, per unit of height and per row, above 0; default
 *   `[1, 1, 1]`
 * @property {boolean} [oneSided] only the upper side is touched and hit by rays; default false
 */

/**
 * Several shapes as one, each at its own place in it and with its own friction, restitution and
 * density, if it has them. Compounds in it are dissolved into their parts.
 * @typedef {object} CompoundMeasures
 * @property {'compound'} type
 * @property {readonly ShapeLike[]} shapes one or more, no planes
 */

/**
 * A shape, described. A definition object that is used again while a body uses it is built once,
 * unless its values were changed in the meantime; it is freed with the last body that uses it.
 * @typedef {(SphereMeasures | BoxMeasures | CapsuleMeasures | CylinderMeasures | ConeMeasures
 *   | HullMeasures | PlaneMeasures | MeshMeasures | HeightfieldMeasures | CompoundMeasures)
 *   & ShapePlacement} ShapeDefinition
 */

/**
 * Points: an array of vectors, flat numbers `x y z x y z ...`, or a three.js `BufferAttribute`.
 * @typedef {readonly VectorLike[] | readonly number[] | Float32Array | Float64Array
 *   | BufferAttributeLike} PointsLike
 */

/**
 * Indices: whole numbers, an array of three per triangle, or a three.js `BufferAttribute`.
 * @typedef {readonly number[] | Uint8Array | Uint16Array | Uint32Array | Int32Array
 *   | readonly (readonly number[])[] | BufferAttributeLike} IndicesLike
 */

/**
 * What is needed of a three.js `BufferAttribute` or `InterleavedBufferAttribute`.
 * @typedef {object} BufferAttributeLike
 * @property {number} count
 * @property {number} itemSize 3
 * @property {ArrayLike<number>} [array]
 * @property {(index: number) => number} [getX]
 * @property {(index: number) => number} [getY]
 * @property {(index: number) => number} [getZ]
 */

/** @typedef {import('../objects/shape.mjs').Shape | ShapeDefinition} ShapeLike */

export {}
