import { readObject } from '../core/arguments.mjs'
import { invalid, unwritable } from '../core/describe.mjs'
import { isArray } from '../core/lists.mjs'
import { writeVector } from '../core/vectors.mjs'
import { idAt } from '../core/ids.mjs'
import * as QUERY_HIT from '../generated/places/query-hit.mjs'
import { shapeAt } from './shape-parts.mjs'
import { bodyOfHit, HIT_STRIDE, hitCount, hitsAt, shapeOfHit } from './query-question.mjs'

/** MO_NO_INDEX */
const NO_INDEX = 0xffffffff

// Hits of queries, as objects that are made or written to. Which fields a hit has depends on the query.

/** @import { Body } from './body.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Overlap, QueryHit, ShapeCastHit, Vector } from '../types/index.mjs' */

/** @typedef {'hit' | 'cast' | 'overlap'} HitKind `cast` has a depth too; `overlap` is body and shape alone */

/**
 * @param {Float64Array} f64
 * @param {number} at
 * @returns {Vector}
 */
function vectorAt(f64, at) {
  return [f64[at], f64[at + 1], f64[at + 2]]
}

/**
 * @param {WorldCore} core
 * @param {number} at
 * @returns {Overlap}
 */
export function overlapAt(core, at) {
  const body = bodyOfHit(core, at)
  const shapeIndex = shapeOfHit(core, at)
  return { body, shape: shapeAt(body.shapes, shapeIndex), shapeIndex }
}

/**
 * @param {WorldCore} core
 * @param {number} at
 * @returns {QueryHit}
 */
export function hitAt(core, at) {
  const { body, shape, shapeIndex } = overlapAt(core, at)
  const { f64, u32 } = core.engine
  const triangle = u32[2 * at + QUERY_HIT.triangle]
  return {
    ...{ body, shape, shapeIndex },
    ...(triangle === NO_INDEX ? undefined : { triangle }),
    position: vectorAt(f64, at + QUERY_HIT.position),
    normal: vectorAt(f64, at + QUERY_HIT.normal),
    distance: f64[at + QUERY_HIT.distance],
  }
}

/**
 * @param {WorldCore} core
 * @param {number} at
 * @returns {ShapeCastHit}
 */
export function castHitAt(core, at) {
  const penetrationDepth = core.engine.f64[at + QUERY_HIT.penetrationDepth]
  return { ...hitAt(core, at), penetrationDepth }
}

/**
 * The hit of the last query for one.
 * @template Hit
 * @param {WorldCore} core
 * @param {(core: WorldCore, at: number) => Hit} read
 * @returns {Hit | null}
 */
export function bestHit(core, read) {
  return hitCount(core) === 0 ? null : read(core, hitsAt(core))
}

/**
 * The hits of the last query for all.
 * @template Hit
 * @param {WorldCore} core
 * @param {(core: WorldCore, at: number) => Hit} read
 * @returns {Hit[]}
 */
export function allHits(core, read) {
  const start = hitsAt(core)
  return Array.from({ length: hitCount(core) }, (_, i) => read(core, start + i * HIT_STRIDE))
}

// --- into what the user has -----------------------------------------------------------------------

/** Hits out of the engine: what they are written to may make queries of its own. */
class HitCopy {
  f64 = new Float64Array(8 * HIT_STRIDE)
  u32 = new Uint32Array(this.f64.buffer)

  /**
   * @param {WorldCore} core
   * @param {number} count
   */
  fill(core, count) {
    const length = count * HIT_STRIDE
    if (length > this.f64.length) {
      this.f64 = new Float64Array(2 * length)
      this.u32 = new Uint32Array(this.f64.buffer)
    }
    const { u32 } = core.engine
    const start = 2 * hitsAt(core)
    // As words: a double that is an id may not stay the same as a number.
    for (let i = 0; i < 2 * length; i++) this.u32[i] = u32[start + i]
  }
}

/** @type {HitCopy | undefined} the one that nobody uses */
let spare

/**
 * @param {WorldCore} core
 * @param {number} count
 */
function copyHits(core, count) {
  const copy = spare ?? new HitCopy()
  spare = undefined
  copy.fill(core, count)
  return copy
}

/**
 * Writes a hit to an object of the user.
 * @param {WorldCore} core
 * @param {object} out
 * @param {HitCopy} copy
 * @param {number} at
 * @param {HitKind} kind
 * @param {string} path
 */
function writeHit(core, out, { f64, u32 }, at, kind, path) {
  const body = /** @type {Body} */ (core.find(idAt(u32, 2 * at + QUERY_HIT.body)))
  const shapeIndex = u32[2 * at + QUERY_HIT.shape]
  const hit = /** @type {ShapeCastHit} */ (out)
  try {
    if (kind !== 'overlap') {
      writeVector((hit.position ??= [0, 0, 0]), f64, at + QUERY_HIT.position, `${path}.position`)
      writeVector((hit.normal ??= [0, 0, 0]), f64, at + QUERY_HIT.normal, `${path}.normal`)
      hit.distance = f64[at + QUERY_HIT.distance]
    }
    hit.body = body
    hit.shape = shapeAt(body.shapes, shapeIndex)
    hit.shapeIndex = shapeIndex
    const triangle = u32[2 * at + QUERY_HIT.triangle]
    if (triangle !== NO_INDEX) hit.triangle = triangle
    else if (hit.triangle !== undefined) hit.triangle = undefined
    if (kind === 'cast') hit.penetrationDepth = f64[at + QUERY_HIT.penetrationDepth]
  } catch (error) {
    throw unwritable(error, path, 'an object', out)
  }
}

/**
 * Writes the hit of the last query for one.
 * @param {WorldCore} core
 * @param {object} out
 * @param {HitKind} kind
 * @param {string} path
 * @returns {boolean} whether there is one
 */
export function writeBestHit(core, out, kind, path) {
  if (hitCount(core) === 0) return false
  const copy = copyHits(core, 1)
  writeHit(core, out, copy, 0, kind, path)
  spare = copy
  return true
}

/**
 * Writes the hits of the last query for all to the objects of a list, which grows where it is too short.
 * @param {WorldCore} core
 * @param {unknown[]} out
 * @param {HitKind} kind
 * @param {string} path
 * @returns {number} how many there are
 */
export function writeAllHits(core, out, kind, path) {
  const count = hitCount(core)
  const copy = copyHits(core, count)
  for (let i = 0; i < count; i++) {
    if (out[i] === undefined) out[i] = {}
    writeHit(core, readObject(out[i], path), copy, i * HIT_STRIDE, kind, path)
  }
  spare = copy
  return count
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {unknown[]}
 */
export function readHitList(value, path) {
  if (!isArray(value)) throw invalid(path, 'an array of objects', value)
  return /** @type {unknown[]} */ (value)
}
