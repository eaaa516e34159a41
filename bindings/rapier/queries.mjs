import { collide } from '../index.mjs'
import { ContactManifold } from './manifold.mjs'
import { manifoldOf } from './overlaps.mjs'
import { isSeen } from './rays.mjs'
import { poseAt } from './shape-classes.mjs'
import { shapeOf } from './shapes.mjs'
import { triple, xyz } from './vectors.mjs'

// Queries of a world beside the ray cast, in Rapier's spelling.

/** @import { Body, Shape, ShapeDefinition } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { RayFilter } from './rays.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { RapierShape } from './shape-classes.mjs' */
/** @import { QuaternionInput, VectorInput, Xyz } from './vectors.mjs' */
/** @import { RapierWorld } from './world.mjs' */

/** Metres: a ball so small stands for a point. */
const POINT_RADIUS = 1e-9

/**
 * What Rapier writes behind the arguments of every query.
 * @typedef {[flags?: number, groups?: number, collider?: RapierCollider, body?: RapierRigidBody,
 *   predicate?: (collider: RapierCollider) => boolean]} FilterArguments
 */

/** @param {FilterArguments} filter @returns {RayFilter} */
export const filterOf = ([flags, groups, collider, body, predicate]) => ({
  ...{ flags, groups, collider, body, predicate },
})

/** Options of a query of Moreau that sees what a filter lets through. @param {RapierWorld} world @param {FilterArguments} args */
function optionsOf(world, args) {
  const filter = filterOf(args)
  return {
    includeSensors: true,
    predicate: (/** @type {Body} */ body, /** @type {Shape} */ shape) => {
      const collider = world.colliderOf(body, shape)
      return collider !== undefined && isSeen(collider, filter)
    },
  }
}

/** @param {RapierWorld} world @param {{ body: Body, shape: Shape }} hit */
const colliderOf = (world, { body, shape }) =>
  /** @type {RapierCollider} */ (world.colliderOf(body, shape))

/** @param {RapierShape} shape @param {number} [skin] metres that it is enlarged by @returns {ShapeDefinition} */
const definitionOf = ({ kind, args }, skin = 0) =>
  shapeOf(kind, args, { scale: [1, 1, 1], isDynamic: true, skin })

/**
 * The first collider that a moving shape meets.
 * @param {RapierWorld} world
 * @param {{ position: VectorInput, rotation: QuaternionInput, velocity: VectorInput, shape: RapierShape }} cast
 * @param {{ targetDistance: number, maxToi: number, stopAtPenetration: boolean }} limits
 * @param {FilterArguments} filter
 */
export function castShape(world, cast, { targetDistance, maxToi, stopAtPenetration }, filter) {
  const velocity = triple(cast.velocity)
  const speed = Math.hypot(...velocity)
  if (!(speed > 0)) return null
  const hit = world.raw.shapeCast(
    definitionOf(cast.shape, targetDistance),
    poseAt(cast.position, cast.rotation),
    velocity,
    {
      ...optionsOf(world, filter),
      ...{ maxDistance: Math.min(maxToi * speed, Number.MAX_VALUE), stopAtPenetration },
    },
  )
  if (hit === null) return null
  const { body, position, normal, distance } = hit
  const inward = normal.map((n) => -n)
  return {
    collider: colliderOf(world, hit),
    time_of_impact: distance / speed,
    ...{ witness1: xyz(body.localPoint(position)), normal1: xyz(body.localVector(normal)) },
    ...{ witness2: xyz(position), normal2: xyz(inward) },
  }
}

/**
 * Tells of each collider that a placed shape overlaps, until the callback says false.
 * @param {RapierWorld} world
 * @param {{ position: VectorInput, rotation: QuaternionInput, shape: RapierShape }} placed
 * @param {(collider: RapierCollider) => boolean} callback
 * @param {FilterArguments} filter
 */
export function intersections(world, { position, rotation, shape }, callback, filter) {
  const pose = poseAt(position, rotation)
  tellEach(world.raw.overlap(definitionOf(shape), pose, optionsOf(world, filter)), (hit) =>
    callback(colliderOf(world, hit)),
  )
}

/**
 * Tells of each collider that a point is in.
 * @param {RapierWorld} world
 * @param {VectorInput} point
 * @param {(collider: RapierCollider) => boolean} callback
 * @param {FilterArguments} filter
 */
export function intersectionsWithPoint(world, point, callback, filter) {
  const ball = /** @type {const} */ ({ type: 'sphere', radius: POINT_RADIUS })
  const pose = { position: triple(point) }
  tellEach(world.raw.overlap(ball, pose, optionsOf(world, filter)), (hit) =>
    callback(colliderOf(world, hit)),
  )
}

/**
 * Tells of each collider that a ray meets.
 * @param {RapierWorld} world
 * @param {{ origin: Xyz, dir: Xyz }} ray
 * @param {number} maxToi in units of the direction
 * @param {(hit: { collider: RapierCollider, timeOfImpact: number, normal: Xyz }) => boolean} callback
 * @param {FilterArguments} filter
 */
export function intersectionsWithRay(world, { origin, dir }, maxToi, callback, filter) {
  const length = Math.hypot(dir.x, dir.y, dir.z)
  if (!(length > 0)) return
  const maxDistance = Math.min(maxToi * length, Number.MAX_VALUE)
  const hits = world.raw.rayCastAll(origin, dir, { ...optionsOf(world, filter), maxDistance })
  tellEach(hits, (hit) =>
    callback({
      collider: colliderOf(world, hit),
      ...{ timeOfImpact: hit.distance / length, normal: xyz(hit.normal) },
    }),
  )
}

/**
 * The nearest point of all colliders.
 * @param {RapierWorld} world
 * @param {VectorInput} point
 * @param {boolean} solid whether a point inside of a collider is its own projection
 * @param {FilterArguments} filter
 */
export function projectPoint(world, point, solid, filter) {
  const hit = world.raw.closestPoint(triple(point), optionsOf(world, filter))
  if (hit === null) return null
  const isInside = hit.distance < 0
  const nearest = isInside && solid ? triple(point) : hit.position
  return { collider: colliderOf(world, hit), point: xyz(nearest), isInside }
}

/**
 * The colliders that touch a collider, or for sensors overlap it.
 * @param {RapierWorld} world
 * @param {RapierCollider} collider
 * @param {boolean} asSensors whether pairs with a sensor are wanted, or those without
 * @returns {RapierCollider[]}
 */
export function pairsWith(world, collider, asSensors) {
  if (!collider.isValid()) return []
  const { raw: body } = /** @type {RapierRigidBody} */ (collider.body)
  const { category, mask } = collider.raw.filter ?? { category: 0xffff, mask: 0xffff }
  return world.raw
    .overlap(collider.raw, body, {
      ...{ exclude: body, includeSensors: true, filter: { category, mask } },
      predicate: (other, shape) => {
        const met = world.colliderOf(other, shape)
        return met !== undefined && (met.isSensor() || collider.isSensor()) === asSensors
      },
    })
    .map((hit) => colliderOf(world, hit))
}

/**
 * How two colliders touch now.
 * @param {RapierWorld} world
 * @param {RapierCollider} a
 * @param {RapierCollider} b
 * @returns {ContactManifold | null} null where they do not
 */
export function contactBetween(world, a, b) {
  if (!a.isValid() || !b.isValid()) return null
  const [bodyA, bodyB] = [a, b].map((one) => /** @type {RapierRigidBody} */ (one.body))
  const touching = collide(a.raw, bodyA.raw, b.raw, bodyB.raw)
  if (touching === null) return null
  const manifold = manifoldOf(bodyA.raw, a.raw, { body: bodyB.raw, shape: b.raw })
  const isOnly = bodyA.colliders.length === 1 && bodyB.colliders.length === 1
  return new ContactManifold(
    isOnly ? { ...manifold, ...solved(world, bodyA.raw, bodyB.raw) } : manifold,
  )
}

/** What the last step made of the points between two bodies: with its impulses. @param {RapierWorld} world @param {Body} a @param {Body} b */
function solved(world, a, b) {
  const points = world.raw
    .contactPoints()
    .filter(({ bodyA, bodyB }) => (bodyA === a && bodyB === b) || (bodyA === b && bodyB === a))
  return points.length > 0 ? { points } : {}
}

/**
 * @template T
 * @param {readonly T[]} hits
 * @param {(hit: T) => boolean} tell until it says false
 */
function tellEach(hits, tell) {
  for (const hit of hits) if (tell(hit) === false) return
}
