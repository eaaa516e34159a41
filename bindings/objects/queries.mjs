import { checkNames, isObject, readObject } from '../core/arguments.mjs'
import { invalid, unwritable } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { noVector, putVector, writeVector } from '../core/vectors.mjs'
import { idAt } from '../core/world-core.mjs'
import { readBits } from '../definitions/filter.mjs'
import * as RAY from '../generated/places/ray.mjs'
import * as RAY_HIT from '../generated/places/ray-hit.mjs'
import { RAY_HITS_NUMBERS, takeRayHits } from '../generated/records.mjs'
import { Scratch } from '../core/scratch.mjs'

/** @import { Body } from './body.mjs' */
/** @import { RayCastOptions, RayHit, RayHitOut, RayHitRead, Vector, VectorLike } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

// At `engine.ray` is a hit, and behind it is the ray that the engine casts. The id of the body that it
// passes through comes apart.

/** Numbers of a ray: doubles, and then 32-bit numbers. */
const RAY_SIZE = 9
const RAY_DOUBLES = RAY.maxDistance + 1
/** Where they are among these. */
const [CATEGORY, MASK] = [7, 8]
/** Doubles that a hit takes. */
const HIT_STRIDE = RAY_HIT.BYTES / 8

const ALL_BITS = 0xffffffff

/** @type {RayCastOptions} */
export const NO_OPTIONS = Object.freeze({})

const rays = new Scratch(RAY_SIZE)
const hits = new Scratch(HIT_STRIDE)

/**
 * Checks a ray and puts it where the engine looks for it. What names an argument is put together only where
 * that is wrong.
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @param {string} where
 * @returns {number} the id of the body that it passes through, 0: none
 */
function putRay(core, origin, direction, options, where) {
  core.alive(where)
  const ray = rays.take()
  ray[RAY.maxDistance] = Infinity
  ray[CATEGORY] = ray[MASK] = ALL_BITS
  const exclude = options === NO_OPTIONS ? 0 : readOptions(core, options, ray, where)
  if (!putVector(origin, ray, RAY.origin)) throw noVector(origin, `${where}: origin`)
  if (!putVector(direction, ray, RAY.direction)) throw noVector(direction, `${where}: direction`)
  const { f64, u32, ray: hit } = core.engine
  const at = hit + HIT_STRIDE
  for (let i = 0; i < RAY_DOUBLES; i++) f64[at + i] = ray[i]
  u32[2 * at + RAY.category] = ray[CATEGORY]
  u32[2 * at + RAY.mask] = ray[MASK]
  rays.giveBack(ray)
  return exclude
}

/**
 * @param {WorldCore} core
 * @param {RayCastOptions} options
 * @param {Float64Array} ray
 * @param {string} where
 * @returns {number} as putRay
 */
function readOptions(core, options, ray, where) {
  checkOptions(options, where)
  const { maxDistance, filter, exclude } = options
  if (maxDistance !== undefined) {
    if (!(typeof maxDistance === 'number' && maxDistance >= 0)) {
      throw invalid(`${where}: maxDistance`, 'a number, 0 or more', maxDistance)
    }
    ray[RAY.maxDistance] = maxDistance
  }
  if (filter !== undefined) {
    const path = `${where}: filter`
    checkNames(readObject(filter, path), ['category', 'mask'], path)
    const { category, mask } = filter
    if (category !== undefined) ray[CATEGORY] = readBits(category, `${path}.category`)
    if (mask !== undefined) ray[MASK] = readBits(mask, `${path}.mask`)
  }
  return exclude === undefined ? 0 : core.own(exclude, `${where}: exclude`).id
}

/**
 * As readObject and checkNames do, but makes no list of the names.
 * @param {unknown} value
 * @param {string} where
 */
function checkOptions(value, where) {
  if (!isObject(value) || isList(value)) throw invalid(`${where}: options`, 'an object', value)
  for (const name in value) {
    if (name !== 'maxDistance' && name !== 'filter' && name !== 'exclude') {
      checkNames(readObject(value, where), ['maxDistance', 'filter', 'exclude'], where)
    }
  }
}

/**
 * Has the engine cast a ray.
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @param {string} where
 * @returns {number} where the hit is, as an index into the engine's doubles; 0 if there is none
 */
function cast(core, origin, direction, options, where) {
  const exclude = putRay(core, origin, direction, options, where)
  const { engine } = core
  core.check(engine.exports.world_cast_ray(core.pointer, exclude), where)
  return engine.u32[2 * engine.ray + RAY_HIT.body] === 0 ? 0 : engine.ray
}

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
 * @returns {RayHit}
 */
function hitAt(core, at) {
  const { f64, u32 } = core.engine
  const body = /** @type {Body} */ (core.find(idAt(u32, 2 * at + RAY_HIT.body)))
  const shapeIndex = u32[2 * at + RAY_HIT.shape]
  return {
    body,
    shape: body.shapes[shapeIndex],
    shapeIndex,
    position: vectorAt(f64, at + RAY_HIT.position),
    normal: vectorAt(f64, at + RAY_HIT.normal),
    distance: f64[at + RAY_HIT.distance],
  }
}

/**
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {RayHit | null}
 */
export function rayCast(core, origin, direction, options) {
  const at = cast(core, origin, direction, options, 'rayCast')
  return at === 0 ? null : hitAt(core, at)
}

/**
 * @template {RayHitOut} Out
 * @param {WorldCore} core
 * @param {Out} out
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {(Out & RayHitRead) | null}
 */
export function readRayCast(core, out, origin, direction, options) {
  readObject(out, 'readRayCast: out')
  const at = cast(core, origin, direction, options, 'readRayCast')
  if (at === 0) return null
  const { f64, u32 } = core.engine
  const body = /** @type {Body} */ (core.find(idAt(u32, 2 * at + RAY_HIT.body)))
  const shapeIndex = u32[2 * at + RAY_HIT.shape]
  // Kept here: what `out` does when it is read and written may cast another ray.
  const numbers = hits.take()
  for (let i = 0; i < HIT_STRIDE; i++) numbers[i] = f64[at + i]
  const hit = /** @type {Out & RayHitRead} */ (out)
  try {
    writeVector((out.position ??= []), numbers, RAY_HIT.position, 'readRayCast: out.position')
    writeVector((out.normal ??= []), numbers, RAY_HIT.normal, 'readRayCast: out.normal')
    hit.body = body
    hit.shape = body.shapes[shapeIndex]
    hit.shapeIndex = shapeIndex
    hit.distance = numbers[RAY_HIT.distance]
  } catch (error) {
    throw unwritable(error, 'readRayCast: out', 'an object', out)
  }
  hits.giveBack(numbers)
  return hit
}

/**
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @returns {RayHit[]}
 */
export function rayCastAll(core, origin, direction, options) {
  const exclude = putRay(core, origin, direction, options, 'rayCastAll')
  const { engine } = core
  core.check(engine.exports.world_cast_ray_all(core.pointer, exclude), 'rayCastAll')
  engine.begin(RAY_HITS_NUMBERS)
  const { count, address } = takeRayHits(engine)
  const start = address / 8
  return Array.from({ length: count }, (_, i) => hitAt(core, start + i * HIT_STRIDE))
}
