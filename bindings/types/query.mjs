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
 * @typedef {object} RayCastOptions
 * @property {number} [maxDistance] metres, 0 or more; default `Infinity`
 * @property {QueryFilter} [filter] default: all shapes
 * @property {import('../objects/body.mjs').Body} [exclude] a body that the ray passes through
 */

/**
 * Where a ray meets the surface of a shape.
 * @typedef {object} RayHit
 * @property {import('../objects/body.mjs').Body} body
 * @property {import('../objects/shape.mjs').Shape} shape
 * @property {number} shapeIndex its place in `body.shapes`
 * @property {Vector} position metres, world
 * @property {Vector} normal unit, world, out of the shape
 * @property {number} distance metres from the origin of the ray
 */

/**
 * What `readRayCast` writes to.
 * @typedef {object} RayHitOut
 * @property {VectorOut} [position] default: a new array
 * @property {VectorOut} [normal] default: a new array
 */

/**
 * What `readRayCast` has written beside position and normal.
 * @typedef {Required<RayHitOut> & Pick<RayHit, 'body' | 'shape' | 'shapeIndex' | 'distance'>
 *   } RayHitRead
 */

export {}
