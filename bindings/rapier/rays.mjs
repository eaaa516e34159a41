import { doMeet } from './groups.mjs'
import { triple, xyz } from './vectors.mjs'

// Ray casts of a world, in Rapier's spelling.

/** @import { QueryHit } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { RapierWorld } from './world.mjs' */
/** @import { VectorInput, Xyz } from './vectors.mjs' */

/** Bits of `filterFlags`. */
export const QueryFilterFlags = Object.freeze({
  ...{ EXCLUDE_FIXED: 1, EXCLUDE_KINEMATIC: 2, EXCLUDE_DYNAMIC: 4, EXCLUDE_SENSORS: 8 },
  ...{ EXCLUDE_SOLIDS: 16, ONLY_DYNAMIC: 3, ONLY_KINEMATIC: 5, ONLY_FIXED: 6 },
})

/** A ray: `dir` may have any length, and times of impact are in units of it. */
export class Ray {
  /** @type {Xyz} */
  origin
  /** @type {Xyz} */
  dir

  /** @param {VectorInput} origin @param {VectorInput} dir */
  constructor(origin, dir) {
    this.origin = xyz(triple(origin))
    this.dir = xyz(triple(dir))
  }

  /** @param {number} t @returns {Xyz} */
  pointAt(t) {
    const { origin, dir } = this
    return { x: origin.x + t * dir.x, y: origin.y + t * dir.y, z: origin.z + t * dir.z }
  }
}

/**
 * Which colliders a query sees.
 * @typedef {object} RayFilter
 * @property {number} [flags] `QueryFilterFlags`
 * @property {number} [groups] as of `interactionGroups`
 * @property {RapierCollider} [collider] that it does not see
 * @property {RapierRigidBody} [body] that it does not see
 * @property {(collider: RapierCollider) => boolean} [predicate]
 */

/**
 * The first collider that a ray meets.
 * @param {RapierWorld} world
 * @param {Ray} ray
 * @param {number} maxToi the longest time of impact, in units of the direction
 * @param {RayFilter} filter
 * @returns {{ collider: RapierCollider, timeOfImpact: number, normal: Xyz } | null}
 */
export function castRay(world, { origin, dir }, maxToi, filter) {
  const length = Math.hypot(dir.x, dir.y, dir.z)
  if (!(length > 0)) return null
  const maxDistance = Math.min(maxToi * length, Number.MAX_VALUE)
  const hit = world.raw.rayCast(origin, dir, {
    ...{ maxDistance, includeSensors: true },
    predicate: (body, shape) => {
      const collider = world.colliderOf(body, shape)
      return collider !== undefined && isSeen(collider, filter)
    },
  })
  return hit === null ? null : answer(world, hit, length)
}

/** @param {RapierWorld} world @param {QueryHit} hit @param {number} length */
function answer(world, { body, shape, distance, normal }, length) {
  const collider = /** @type {RapierCollider} */ (world.colliderOf(body, shape))
  return { collider, timeOfImpact: distance / length, normal: xyz(normal) }
}

/** @param {RapierCollider} collider @param {RayFilter} filter */
export function isSeen(collider, { flags = 0, groups, collider: other, body, predicate }) {
  if (collider === other || (body !== undefined && collider.body === body)) return false
  if (groups !== undefined && !doMeet(groups, collider.collisionGroups())) return false
  return (flags & kindOf(collider)) === 0 && (predicate?.(collider) ?? true)
}

/** @param {RapierCollider} collider @returns {number} the flags that leave it out */
function kindOf(collider) {
  const flags = QueryFilterFlags
  const { type } = /** @type {RapierRigidBody} */ (collider.body)
  const matter = collider.isSensor() ? flags.EXCLUDE_SENSORS : flags.EXCLUDE_SOLIDS
  if (type === 'dynamic') return flags.EXCLUDE_DYNAMIC | matter
  return (type === 'fixed' ? flags.EXCLUDE_FIXED : flags.EXCLUDE_KINEMATIC) | matter
}
