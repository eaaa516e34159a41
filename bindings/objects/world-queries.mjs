import { rayCastBatch, shapeCastBatch } from './query-batch.mjs'
import * as queries from './queries.mjs'
import { NO_OPTIONS } from './query-question.mjs'
import { coreOf } from './settings-owner.mjs'
import { WorldReports } from './world-reports.mjs'

/** @import { CastBatchOut, Overlap, Pose, QueryHit, QueryHitOut, QueryHitRead } from '../types/index.mjs' */
/** @import { QueryOptions, RayBatchOptions, RayCastOptions, ShapeBatchOptions } from '../types/index.mjs' */
/** @import { ShapeCastHit, ShapeCastHitRead, ShapeCastOptions } from '../types/index.mjs' */
/** @import { ShapeLike, VectorLike } from '../types/index.mjs' */

/**
 * Queries about where bodies are, asleep or awake. They are allowed in callbacks. A part of `World`, and nothing by
 * itself.
 */
export class WorldQueries extends WorldReports {
  /**
   * The first shape that a ray meets, of the bodies as they are now. Shapes are solid: one that the
   * ray starts inside of is met at distance 0, with the normal against the direction.
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {QueryHit | null} null where nothing is met
   * @throws {MoreauError} `invalid-argument`; `stale-handle` of `exclude`
   */
  rayCast(origin, direction, options = NO_OPTIONS) {
    return queries.rayCast(coreOf(this), origin, direction, options)
  }

  /**
   * Writes what `rayCast` gives to what is given, and allocates nothing if `out` has its `position`
   * and `normal`.
   * @template {QueryHitOut} Out
   * @param {Out} out left as it is where nothing is met
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {(Out & QueryHitRead) | null} `out`; null where nothing is met
   * @throws {MoreauError} as `rayCast`
   */
  readRayCast(out, origin, direction, options = NO_OPTIONS) {
    return queries.readRayCast(coreOf(this), out, origin, direction, options)
  }

  /**
   * All shapes that a ray meets, each where it enters.
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {QueryHit[]} ascending by distance
   * @throws {MoreauError} as `rayCast`; `out-of-memory`
   */
  rayCastAll(origin, direction, options = NO_OPTIONS) {
    return queries.rayCastAll(coreOf(this), origin, direction, options)
  }

  /**
   * Writes what `rayCastAll` gives to the objects of a list.
   * @param {QueryHitOut[]} out entries that are missing are made, those behind the last hit stay
   * @param {VectorLike} origin metres, world
   * @param {VectorLike} direction of any length above 0
   * @param {RayCastOptions} [options]
   * @returns {number} how many there are
   * @throws {MoreauError} as `rayCastAll`
   */
  readRayCastAll(out, origin, direction, options = NO_OPTIONS) {
    return queries.readRayCastAll(coreOf(this), out, origin, direction, options)
  }

  /**
   * The first shape that a moving shape meets; it does not turn on its way. A shape that it overlaps at the start is met
   * at distance 0, and then `normal` and `penetrationDepth` are the shortest way out. One that it touches at the start is
   * met if the two approach.
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Pose} pose at the start; the shape's own placement applies inside of it
   * @param {VectorLike} direction of any length above 0
   * @param {ShapeCastOptions} [options]
   * @returns {ShapeCastHit | null} null where nothing is met
   * @throws {MoreauError} `invalid-argument`; `stale-handle` of `exclude` or of a shape
   */
  shapeCast(shape, pose, direction, options = NO_OPTIONS) {
    return queries.shapeCast(coreOf(this), shape, pose, direction, options)
  }

  /**
   * Writes what `shapeCast` gives to what is given, as `readRayCast`.
   * @template {QueryHitOut} Out
   * @param {Out} out left as it is where nothing is met
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Pose} pose at the start; the shape's own placement applies inside of it
   * @param {VectorLike} direction of any length above 0
   * @param {ShapeCastOptions} [options]
   * @returns {(Out & ShapeCastHitRead) | null} `out`; null where nothing is met
   * @throws {MoreauError} as `shapeCast`
   */
  readShapeCast(out, shape, pose, direction, options = NO_OPTIONS) {
    return queries.readShapeCast(coreOf(this), out, shape, pose, direction, options)
  }

  /**
   * All shapes that a moving shape meets, each where it does first.
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Pose} pose at the start; the shape's own placement applies inside of it
   * @param {VectorLike} direction of any length above 0
   * @param {ShapeCastOptions} [options]
   * @returns {ShapeCastHit[]} ascending by distance
   * @throws {MoreauError} as `shapeCast`; `out-of-memory`
   */
  shapeCastAll(shape, pose, direction, options = NO_OPTIONS) {
    return queries.shapeCastAll(coreOf(this), shape, pose, direction, options)
  }

  /**
   * Writes what `shapeCastAll` gives to the objects of a list.
   * @param {QueryHitOut[]} out entries that are missing are made, those behind the last hit stay
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Pose} pose at the start; the shape's own placement applies inside of it
   * @param {VectorLike} direction of any length above 0
   * @param {ShapeCastOptions} [options]
   * @returns {number} how many there are
   * @throws {MoreauError} as `shapeCastAll`
   */
  readShapeCastAll(out, shape, pose, direction, options = NO_OPTIONS) {
    return queries.readShapeCastAll(coreOf(this), out, shape, pose, direction, options)
  }

  /**
   * The shapes that a placed shape overlaps or touches.
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Pose} pose the shape's own placement applies inside of it
   * @param {QueryOptions} [options]
   * @returns {Overlap[]} by `body.index`, then by shape
   * @throws {MoreauError} `invalid-argument`; `stale-handle`; `out-of-memory`
   */
  overlap(shape, pose, options = NO_OPTIONS) {
    return queries.overlap(coreOf(this), shape, pose, options)
  }

  /**
   * Writes what `overlap` gives to the objects of a list.
   * @param {Partial<Overlap>[]} out entries that are missing are made, those behind the last hit stay
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Pose} pose the shape's own placement applies inside of it
   * @param {QueryOptions} [options]
   * @returns {number} how many there are
   * @throws {MoreauError} as `overlap`
   */
  readOverlap(out, shape, pose, options = NO_OPTIONS) {
    return queries.readOverlap(coreOf(this), out, shape, pose, options)
  }

  /**
   * The closest point of all surfaces. Inside of a shape its distance is negative: of several shapes it is that of the one
   * that the point is deepest in.
   * @param {VectorLike} point metres, world
   * @param {RayCastOptions} [options]
   * @returns {QueryHit | null} null where nothing is within `maxDistance`
   * @throws {MoreauError} `invalid-argument`; `stale-handle` of `exclude`
   */
  closestPoint(point, options = NO_OPTIONS) {
    return queries.closestPoint(coreOf(this), point, options)
  }

  /**
   * Writes what `closestPoint` gives to what is given, as `readRayCast`.
   * @template {QueryHitOut} Out
   * @param {Out} out left as it is where nothing is met
   * @param {VectorLike} point metres, world
   * @param {RayCastOptions} [options]
   * @returns {(Out & QueryHitRead) | null} `out`; null where nothing is that close
   * @throws {MoreauError} as `closestPoint`
   */
  readClosestPoint(out, point, options = NO_OPTIONS) {
    return queries.readClosestPoint(coreOf(this), out, point, options)
  }

  /**
   * Whether a point is inside of a shape: `closestPoint` would give a distance below 0.
   * @param {VectorLike} point metres, world
   * @param {QueryOptions} [options]
   * @returns {boolean}
   * @throws {MoreauError} `invalid-argument`; `stale-handle` of `exclude`
   */
  contains(point, options = NO_OPTIONS) {
    return queries.contains(coreOf(this), point, options)
  }

  /**
   * Casts many rays, and writes the first shape that each meets to typed arrays. Allocates next to nothing.
   * @param {Float64Array | Float32Array} origins `x y z` of each ray
   * @param {Float64Array | Float32Array} directions as many
   * @param {CastBatchOut} out which of its arrays there are says what is written
   * @param {RayBatchOptions} [options] of all rays
   * @returns {number} how many rays meet something
   * @throws {MoreauError} as `rayCast`; nothing is written then
   */
  rayCastBatch(origins, directions, out, options = NO_OPTIONS) {
    return rayCastBatch(coreOf(this), origins, directions, out, options)
  }

  /**
   * The same for casts of one shape.
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane
   * @param {Float64Array | Float32Array} origins `x y z` of each cast
   * @param {Float64Array | Float32Array} directions as many
   * @param {CastBatchOut} out
   * @param {ShapeBatchOptions} [options] of all casts
   * @returns {number} how many casts meet something
   * @throws {MoreauError} as `shapeCast`; nothing is written then
   */
  shapeCastBatch(shape, origins, directions, out, options = NO_OPTIONS) {
    return shapeCastBatch(coreOf(this), shape, origins, directions, out, options)
  }
}
