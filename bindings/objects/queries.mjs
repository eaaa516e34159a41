import { access } from '../core/access.mjs'
import { readObject } from '../core/arguments.mjs'
import { noVector, putVector } from '../core/vectors.mjs'
import * as QUERY from '../generated/places/query.mjs'
import { putPlacement } from './placement.mjs'
import { allHits, bestHit, castHitAt, hitAt, overlapAt, readHitList } from './query-hits.mjs'
import { writeAllHits, writeBestHit } from './query-hits.mjs'
import { ask, beginQuery, CAST_NAMES, NEAR_NAMES, PLAIN_NAMES } from './query-question.mjs'
import { predicateOf } from './query-question.mjs'
import { freeIdleShapes, KEPT_SHAPES } from './idle-shapes.mjs'

// Queries of a world, one at a time. Each reads its arguments, has the engine answer, and reads the hits.

/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Overlap, Pose, QueryHit, QueryOptions, RayCastOptions } from '../types/index.mjs' */
/** @import { QueryHitOut, QueryHitRead, ShapeCastHit, ShapeCastHitRead } from '../types/index.mjs' */
/** @import { ShapeCastOptions, ShapeLike, VectorLike } from '../types/index.mjs' */

// --- rays -----------------------------------------------------------------------------------------

/**
 * Checks a ray and has the engine cast it. What names an argument is put together only where that is
 * wrong.
 * @param {WorldCore} core
 * @param {'world_cast_ray' | 'world_cast_ray_all'} question
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @param {string} where
 */
function castRay(core, question, origin, direction, options, where) {
  const query = beginQuery(core, options, NEAR_NAMES, where)
  if (!putVector(origin, query, QUERY.origin)) throw noVector(origin, `${where}: origin`)
  if (!putVector(direction, query, QUERY.direction)) {
    throw noVector(direction, `${where}: direction`)
  }
  ask(core, question, query, predicateOf(options, where), where)
}

/**
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {QueryHit | null}
 */
export function rayCast(core, origin, direction, options) {
  castRay(core, 'world_cast_ray', origin, direction, options, 'rayCast')
  return bestHit(core, hitAt)
}

/**
 * @template {QueryHitOut} Out
 * @param {WorldCore} core
 * @param {Out} out
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {(Out & QueryHitRead) | null}
 */
export function readRayCast(core, out, origin, direction, options) {
  readObject(out, 'readRayCast: out')
  castRay(core, 'world_cast_ray', origin, direction, options, 'readRayCast')
  const isHit = writeBestHit(core, out, 'hit', 'readRayCast: out')
  return isHit ? /** @type {Out & QueryHitRead} */ (out) : null
}

/**
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {QueryHit[]}
 */
export function rayCastAll(core, origin, direction, options) {
  castRay(core, 'world_cast_ray_all', origin, direction, options, 'rayCastAll')
  return allHits(core, hitAt)
}

/**
 * @param {WorldCore} core
 * @param {QueryHitOut[]} out
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {number}
 */
export function readRayCastAll(core, out, origin, direction, options) {
  const list = readHitList(out, 'readRayCastAll: out')
  castRay(core, 'world_cast_ray_all', origin, direction, options, 'readRayCastAll')
  return writeAllHits(core, list, 'hit', 'readRayCastAll: out')
}

// --- shapes ---------------------------------------------------------------------------------------

/**
 * Puts a placed shape into a query.
 * @param {Float64Array} query
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {string} where
 */
function putShape(query, shape, pose, where) {
  const placed = access.toShape(shape, where, 'shape')
  putPlacement(pose, placed, query, QUERY.origin, `${where}: pose`)
  query[QUERY.shape] = access.shapePointer(placed, where)
}

/**
 * @param {WorldCore} core
 * @param {'world_cast_shape' | 'world_cast_shape_all'} question
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {VectorLike} direction
 * @param {ShapeCastOptions} options
 * @param {string} where
 */
function castShape(core, question, shape, pose, direction, options, where) {
  core.begin(where)
  try {
    const query = beginQuery(core, options, CAST_NAMES, where)
    if (!putVector(direction, query, QUERY.direction)) {
      throw noVector(direction, `${where}: direction`)
    }
    const predicate = predicateOf(options, where)
    putShape(query, shape, pose, where)
    ask(core, question, query, predicate, where)
  } finally {
    freeIdleShapes(KEPT_SHAPES)
  }
}

/**
 * @param {WorldCore} core
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {VectorLike} direction
 * @param {ShapeCastOptions} options
 * @returns {ShapeCastHit | null}
 */
export function shapeCast(core, shape, pose, direction, options) {
  castShape(core, 'world_cast_shape', shape, pose, direction, options, 'shapeCast')
  return bestHit(core, castHitAt)
}

/**
 * @template {QueryHitOut} Out
 * @param {WorldCore} core
 * @param {Out} out
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {VectorLike} direction
 * @param {ShapeCastOptions} options
 * @returns {(Out & ShapeCastHitRead) | null}
 */
export function readShapeCast(core, out, shape, pose, direction, options) {
  readObject(out, 'readShapeCast: out')
  castShape(core, 'world_cast_shape', shape, pose, direction, options, 'readShapeCast')
  const isHit = writeBestHit(core, out, 'cast', 'readShapeCast: out')
  return isHit ? /** @type {Out & ShapeCastHitRead} */ (out) : null
}

/**
 * @param {WorldCore} core
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {VectorLike} direction
 * @param {ShapeCastOptions} options
 * @returns {ShapeCastHit[]}
 */
export function shapeCastAll(core, shape, pose, direction, options) {
  castShape(core, 'world_cast_shape_all', shape, pose, direction, options, 'shapeCastAll')
  return allHits(core, castHitAt)
}

/**
 * @param {WorldCore} core
 * @param {QueryHitOut[]} out
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {VectorLike} direction
 * @param {ShapeCastOptions} options
 * @returns {number}
 */
export function readShapeCastAll(core, out, shape, pose, direction, options) {
  const list = readHitList(out, 'readShapeCastAll: out')
  castShape(core, 'world_cast_shape_all', shape, pose, direction, options, 'readShapeCastAll')
  return writeAllHits(core, list, 'cast', 'readShapeCastAll: out')
}

/**
 * @param {WorldCore} core
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {QueryOptions} options
 * @param {string} where
 */
function overlapShapes(core, shape, pose, options, where) {
  core.begin(where)
  try {
    const query = beginQuery(core, options, PLAIN_NAMES, where)
    const predicate = predicateOf(options, where)
    putShape(query, shape, pose, where)
    ask(core, 'world_overlap', query, predicate, where)
  } finally {
    freeIdleShapes(KEPT_SHAPES)
  }
}

/**
 * @param {WorldCore} core
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {QueryOptions} options
 * @returns {Overlap[]}
 */
export function overlap(core, shape, pose, options) {
  overlapShapes(core, shape, pose, options, 'overlap')
  return allHits(core, overlapAt)
}

/**
 * @param {WorldCore} core
 * @param {Partial<Overlap>[]} out
 * @param {ShapeLike} shape
 * @param {Pose} pose
 * @param {QueryOptions} options
 * @returns {number}
 */
export function readOverlap(core, out, shape, pose, options) {
  const list = readHitList(out, 'readOverlap: out')
  overlapShapes(core, shape, pose, options, 'readOverlap')
  return writeAllHits(core, list, 'overlap', 'readOverlap: out')
}

// --- points ---------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {'world_closest_point' | 'world_contains'} question
 * @param {VectorLike} point
 * @param {RayCastOptions} options
 * @param {readonly string[]} names of options
 * @param {string} where
 */
function askPoint(core, question, point, options, names, where) {
  const query = beginQuery(core, options, names, where)
  if (!putVector(point, query, QUERY.origin)) throw noVector(point, `${where}: point`)
  ask(core, question, query, predicateOf(options, where), where)
}

/**
 * @param {WorldCore} core
 * @param {VectorLike} point
 * @param {RayCastOptions} options
 * @returns {QueryHit | null}
 */
export function closestPoint(core, point, options) {
  askPoint(core, 'world_closest_point', point, options, NEAR_NAMES, 'closestPoint')
  return bestHit(core, hitAt)
}

/**
 * @template {QueryHitOut} Out
 * @param {WorldCore} core
 * @param {Out} out
 * @param {VectorLike} point
 * @param {RayCastOptions} options
 * @returns {(Out & QueryHitRead) | null}
 */
export function readClosestPoint(core, out, point, options) {
  readObject(out, 'readClosestPoint: out')
  askPoint(core, 'world_closest_point', point, options, NEAR_NAMES, 'readClosestPoint')
  const isHit = writeBestHit(core, out, 'hit', 'readClosestPoint: out')
  return isHit ? /** @type {Out & QueryHitRead} */ (out) : null
}

/**
 * @param {WorldCore} core
 * @param {VectorLike} point
 * @param {QueryOptions} options
 * @returns {boolean}
 */
export function contains(core, point, options) {
  askPoint(core, 'world_contains', point, options, PLAIN_NAMES, 'contains')
  return core.engine.at(0) !== 0
}
