import { access } from '../core/access.mjs'
import { checkNames, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isTypedArray } from '../core/lists.mjs'
import * as CAST from '../generated/places/batch-cast.mjs'
import * as HIT from '../generated/places/batch-hit.mjs'
import * as QUERY from '../generated/places/query.mjs'
import { BATCH_CAST_NUMBERS, BATCH_HIT_NUMBERS, QUERY_NUMBERS } from '../generated/records.mjs'
import { normalize, PLACEMENT_NUMBERS, placeInside } from './placement.mjs'
import { BATCH_NAMES, beginQuery, NEAR_NAMES, putQuery, queries } from './query-question.mjs'
import { freeIdleShapes, KEPT_SHAPES } from './idle-shapes.mjs'

// Many casts in one call: typed arrays in, typed arrays out. Only typed arrays, since reading these runs nothing of the
// user, so the block that is shared with the engine stays as it is.

/** @import { Shape } from './shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { CastBatchOut, RayBatchOptions, ShapeBatchOptions, ShapeLike } from '../types/index.mjs' */

/** Casts in one call of the engine: with their hits they take 64 KB. */
const MOST_AT_ONCE = 400

const FLOATS = Object.freeze(['Float64Array', 'Float32Array'])

/**
 * What `out` may have: numbers per cast, where a hit has them, and the arrays that hold them.
 * @type {Readonly<Record<keyof CastBatchOut, { numbers: number, place: number, types: readonly string[] }>>}
 */
const OUTPUTS = Object.freeze({
  distances: { numbers: 1, place: HIT.distance, types: FLOATS },
  positions: { numbers: 3, place: HIT.position, types: FLOATS },
  normals: { numbers: 3, place: HIT.normal, types: FLOATS },
  penetrationDepths: { numbers: 1, place: HIT.penetrationDepth, types: FLOATS },
  bodyIds: { numbers: 1, place: HIT.body, types: ['Float64Array'] },
  shapeIndices: { numbers: 1, place: HIT.shape, types: ['Uint32Array'] },
})

/** @typedef {{ array: Float64Array | Float32Array | Uint32Array, numbers: number, place: number }} Output */

/**
 * @typedef {object} Casts
 * @property {number} count
 * @property {Float64Array | Float32Array} origins
 * @property {Float64Array | Float32Array} directions
 * @property {Float64Array | Float32Array | undefined} orientations
 * @property {Shape | undefined} shape
 * @property {Output[]} outputs
 */

// --- arguments ------------------------------------------------------------------------------------

/**
 * @param {unknown} value
 * @param {number | undefined} length that it must have; undefined: any number of vectors
 * @param {string} path
 * @returns {Float64Array | Float32Array}
 */
function readFloats(value, length, path) {
  if (isTypedArray(value, FLOATS)) {
    const floats = /** @type {Float64Array} */ (value)
    if (length === undefined ? floats.length % 3 === 0 : floats.length === length) return floats
  }
  const many = length === undefined ? 'three numbers per cast' : `${length} numbers`
  throw invalid(path, `a Float64Array or Float32Array of ${many}`, value)
}

/**
 * @param {Float64Array | Float32Array} list
 * @param {number} numbers of each item
 * @param {boolean} mayBeZero
 * @param {string} path
 */
function checkItems(list, numbers, mayBeZero, path) {
  for (let i = 0; i < list.length; i += numbers) {
    let isZero = true
    for (let k = i; k < i + numbers; k++) {
      if (!Number.isFinite(list[k])) throw invalid(`${path}[${k}]`, 'a finite number', list[k])
      isZero &&= list[k] === 0
    }
    if (isZero && !mayBeZero) {
      const item = list.slice(i, i + numbers)
      throw invalid(`${path}[${i}..${i + numbers - 1}]`, 'not all zero', item)
    }
  }
}

/**
 * @param {unknown} value
 * @param {number} count
 * @param {string} where
 * @returns {Output[]}
 */
function readOutputs(value, count, where) {
  const out = readObject(value, `${where}: out`)
  checkNames(out, Object.keys(OUTPUTS), `${where}: out`)
  return Object.entries(OUTPUTS).flatMap(([name, { numbers, place, types }]) => {
    const array = out[name]
    if (array === undefined) return []
    if (!isTypedArray(array, types) || array.length < numbers * count) {
      const expected = `a ${types.join(' or ')} of ${numbers * count} or more`
      throw invalid(`${where}: out.${name}`, expected, array)
    }
    return [{ array: /** @type {Float64Array} */ (array), numbers, place }]
  })
}

/**
 * @param {unknown} origins
 * @param {unknown} directions
 * @param {unknown} orientations
 * @param {unknown} out
 * @param {Shape | undefined} shape
 * @param {string} where
 * @returns {Casts}
 */
function readCasts(origins, directions, orientations, out, shape, where) {
  const from = readFloats(origins, undefined, `${where}: origins`)
  const along = readFloats(directions, from.length, `${where}: directions`)
  const count = from.length / 3
  checkItems(from, 3, true, `${where}: origins`)
  checkItems(along, 3, false, `${where}: directions`)
  const outputs = readOutputs(out, count, where)
  let turns
  if (orientations !== undefined) {
    turns = readFloats(orientations, 4 * count, `${where}: orientations`)
    checkItems(turns, 4, false, `${where}: orientations`)
  }
  return { count, origins: from, directions: along, orientations: turns, shape, outputs }
}

// --- casting --------------------------------------------------------------------------------------

const placement = new Float64Array(PLACEMENT_NUMBERS)

/**
 * @param {Float64Array} f64
 * @param {number} at where the cast goes
 * @param {Casts} casts
 * @param {number} i
 */
function putCast(f64, at, { origins, directions, orientations, shape }, i) {
  for (let k = 0; k < 3; k++) placement[k] = origins[3 * i + k]
  for (let k = 0; k < 4; k++) placement[3 + k] = orientations?.[4 * i + k] ?? (k === 3 ? 1 : 0)
  if (orientations !== undefined) normalize(placement, 3)
  if (shape !== undefined) placeInside(shape, placement, 0)
  for (let k = 0; k < PLACEMENT_NUMBERS; k++) f64[at + CAST.origin + k] = placement[k]
  for (let k = 0; k < 3; k++) f64[at + CAST.direction + k] = directions[3 * i + k]
}

/**
 * @param {Float64Array} f64
 * @param {number} at where the hit is
 * @param {Output[]} outputs
 * @param {number} i
 */
function takeHit(f64, at, outputs, i) {
  const isHit = f64[at + HIT.body] !== 0
  for (const { array, numbers, place } of outputs) {
    const missing = place === HIT.distance ? Infinity : 0
    for (let k = 0; k < numbers; k++) {
      array[numbers * i + k] = isHit ? f64[at + place + k] : missing
    }
  }
  return isHit ? 1 : 0
}

/**
 * @param {WorldCore} core
 * @param {Float64Array} query of `queries`, which gets it back
 * @param {Casts} casts
 * @param {string} where
 * @returns {number} how many of them hit
 */
function castMany(core, query, casts, where) {
  const { engine } = core
  let hits = 0
  for (let start = 0; start < casts.count; start += MOST_AT_ONCE) {
    const count = Math.min(MOST_AT_ONCE, casts.count - start)
    const pointer = core.pointerFor(where)
    putQuery(core, query, count * (BATCH_CAST_NUMBERS + BATCH_HIT_NUMBERS))
    const at = engine.place(QUERY_NUMBERS)
    for (let i = 0; i < count; i++) {
      putCast(engine.f64, at + i * BATCH_CAST_NUMBERS, casts, start + i)
    }
    core.check(engine.exports.world_cast_batch(pointer, count), where)
    const first = at + count * BATCH_CAST_NUMBERS
    for (let i = 0; i < count; i++) {
      hits += takeHit(engine.f64, first + i * BATCH_HIT_NUMBERS, casts.outputs, start + i)
    }
  }
  queries.giveBack(query)
  return hits
}

/**
 * @param {WorldCore} core
 * @param {Float64Array | Float32Array} origins
 * @param {Float64Array | Float32Array} directions
 * @param {CastBatchOut} out
 * @param {RayBatchOptions} options
 * @returns {number}
 */
export function rayCastBatch(core, origins, directions, out, options) {
  const where = 'rayCastBatch'
  const names = NEAR_NAMES.filter((name) => name !== 'predicate')
  const query = beginQuery(core, options, names, where)
  const casts = readCasts(origins, directions, undefined, out, undefined, where)
  return castMany(core, query, casts, where)
}

/**
 * @param {WorldCore} core
 * @param {ShapeLike} shape
 * @param {Float64Array | Float32Array} origins
 * @param {Float64Array | Float32Array} directions
 * @param {CastBatchOut} out
 * @param {ShapeBatchOptions} options
 * @returns {number}
 */
export function shapeCastBatch(core, shape, origins, directions, out, options) {
  const where = 'shapeCastBatch'
  core.begin(where)
  try {
    const query = beginQuery(core, options, BATCH_NAMES, where)
    const { orientations } = options
    const placed = access.toShape(shape, where, 'shape')
    const casts = readCasts(origins, directions, orientations, out, placed, where)
    query[QUERY.shape] = access.shapePointer(placed, where)
    return castMany(core, query, casts, where)
  } finally {
    freeIdleShapes(KEPT_SHAPES)
  }
}
