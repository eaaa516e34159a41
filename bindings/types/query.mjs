// What queries take and give.

/** @import { Vector, VectorLike, VectorOut } from './values.mjs' */

/**
 * How two shapes touch; in the frame in which their poses are given.
 * @typedef {object} Collision
 * @property {Vector} normal unit, from A to B
 * @property {number} penetrationDepth metres, 0 or more
 * @property {Vector} contactPointA the deepest point of A in B, on the surface of A
 * @property {Vector} contactPointB the deepest point of B in A, on the surface of B
 * @property {CollisionPoint[]} manifold 1 to 4 points
 */

/**
 * @typedef {object} CollisionPoint
 * @property {Vector} position half-way between both surfaces
 * @property {number} penetrationDepth metres
 */

/**
 * How far two shapes are apart.
 * @typedef {object} Distance
 * @property {number} distance metres; 0 where they touch or overlap
 * @property {Vector} pointA the closest point of A
 * @property {Vector} pointB the closest point of B
 * @property {Vector} normal unit, from A to B; zero where they overlap
 */

/**
 * Which shapes a query looks at: those whose category has a bit in `mask`, and whose mask has one in
 * `category`. Groups do not matter.
 * @typedef {object} QueryFilter
 * @property {number} [category] 32 bits: what the query is; default all
 * @property {number} [mask] 32 bits: what it looks for; default all
 */

/**
 * Whether a query takes a shape that it has met; asked once for each that would become a result. The world can be
 * read meanwhile, also by other queries, and not be changed. What it throws, the query throws.
 * @callback QueryPredicate
 * @param {import('../objects/body.mjs').Body} body
 * @param {import('../objects/shape.mjs').Shape} shape
 * @param {number} shapeIndex its place in `body.shapes`
 * @returns {boolean}
 */

/**
 * An explosion: what `world.explode` takes.
 * @typedef {object} Explosion
 * @property {VectorLike} position metres, world
 * @property {number} radius metres, 0 or more: up to here the impulse is whole
 * @property {number} [falloff] metres, 0 or more: over this distance it falls to zero; default 0
 * @property {number} impulse N s that each body gets; below zero it pulls
 * @property {QueryFilter} [filter] default: all bodies
 * @property {import('../objects/body.mjs').Body} [exclude] a body that is not pushed
 */

/**
 * @typedef {object} QueryOptions
 * @property {QueryFilter} [filter] default: all shapes
 * @property {import('../objects/body.mjs').Body} [exclude] a body that the query does not see
 * @property {QueryPredicate} [predicate] default: every shape is taken
 * @property {boolean} [includeSensors] whether sensors are met, too; default `false`
 */

/**
 * @typedef {object} Reach
 * @property {number} [maxDistance] metres, 0 or more; default `Infinity`
 */

/** @typedef {QueryOptions & Reach} RayCastOptions also of `closestPoint` */

/**
 * @typedef {object} ShapeCastBegin
 * @property {boolean} [stopAtPenetration] whether every shape that is overlapped at the start is met; with `false` only
 *   those that the cast goes deeper into. Default `true`
 */

/** @typedef {RayCastOptions & ShapeCastBegin} ShapeCastOptions */

/** @typedef {Omit<RayCastOptions, 'predicate'>} RayBatchOptions */

/**
 * @typedef {object} BatchOrientations
 * @property {Float64Array | Float32Array} [orientations] `x y z w` of each cast; default: no rotation
 */

/** @typedef {Omit<ShapeCastOptions, 'predicate'> & BatchOrientations} ShapeBatchOptions */

/**
 * A shape that a query met.
 * @typedef {object} Overlap
 * @property {import('../objects/body.mjs').Body} body
 * @property {import('../objects/shape.mjs').Shape} shape
 * @property {number} shapeIndex its place in `body.shapes`, where the parts of compounds count one by one
 */

/**
 * Where on its surface.
 * @typedef {object} SurfacePoint
 * @property {Vector} position metres, world, on the surface of the shape that was met
 * @property {Vector} normal unit, world, out of that shape
 * @property {number} distance metres along the ray or cast; of `closestPoint` from the surface, below 0 inside
 * @property {number} [triangle] of the mesh that a ray met
 */

/** @typedef {Overlap & SurfacePoint} QueryHit */

/** @typedef {QueryHit} RayHit */

/**
 * @typedef {object} Penetration
 * @property {number} penetrationDepth metres that `normal` leads out, where the two overlap at the start; else 0
 */

/** @typedef {QueryHit & Penetration} ShapeCastHit */

/**
 * What `readRayCast` and its like write to.
 * @typedef {object} QueryHitOut
 * @property {VectorOut} [position] default: a new array
 * @property {VectorOut} [normal] default: a new array
 */

/** @typedef {QueryHitOut} RayHitOut */

/**
 * What they have written beside position and normal.
 * @typedef {Required<QueryHitOut> & Pick<QueryHit, 'body' | 'shape' | 'shapeIndex' | 'distance'>
 *   } QueryHitRead
 */

/** @typedef {QueryHitRead} RayHitRead */

/** @typedef {QueryHitRead & Penetration} ShapeCastHitRead */

/**
 * Arrays for the hits of many casts, each with room for all of them; those that are left out are not written. Where
 * nothing is met the distance is `Infinity` and all else 0.
 * @typedef {object} CastBatchOut
 * @property {Float64Array | Float32Array} [distances] metres
 * @property {Float64Array | Float32Array} [positions] `x y z`
 * @property {Float64Array | Float32Array} [normals] `x y z`
 * @property {Float64Array | Float32Array} [penetrationDepths] metres; of rays 0
 * @property {Float64Array} [bodyIds] for `world.bodyById`
 * @property {Uint32Array} [shapeIndices] places in `body.shapes`
 */

export {}
