import { checkNames, isObject, readObject } from '../core/arguments.mjs'
import { invalid, unwritable } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { noVector, putVector, writeVector } from '../core/vectors.mjs'
import { readBits } from '../definitions/filter.mjs'
import { Scratch } from '../core/scratch.mjs'
import { idAt } from '../core/world-core.mjs'

/** @import { Body } from './body.mjs' */
/** @import { RayCastOptions, RayHit, RayHitOut, RayHitRead, VectorLike } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

// At `engine.ray` is an mo_ray_hit: the body's id, the index of the shape in a double's place, then in
// doubles position, normal, distance. Behind it is an mo_ray: in doubles origin, direction, greatest
// distance, then category and mask. The id of the body that it passes through (0: none) comes apart.

/** Numbers of a ray, and doubles among them. */
const RAY_SIZE = 9
const RAY_DOUBLES = 7
/** Doubles that a hit takes, and where its numbers begin. */
const HIT_STRIDE = 9
const HIT_START = 2

const ALL_BITS = 0xffffffff

/** @type {RayCastOptions} */
export const NO_OPTIONS = Object.freeze({})

/** Position, normal and distance of a hit. */
const HIT_NUMBERS = 7

const rays = new Scratch(RAY_SIZE)
const hits = new Scratch(HIT_NUMBERS)

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
  ray[6] = Infinity
  ray[7] = ray[8] = ALL_BITS
  const exclude = options === NO_OPTIONS ? 0 : readOptions(core, options, ray, where)
  if (!putVector(origin, ray, 0)) throw noVector(origin, `${where}: origin`)
  if (!putVector(direction, ray, 3)) throw noVector(direction, `${where}: direction`)
  const { f64, u32, ray: hit } = core.engine
  const at = hit + HIT_STRIDE
  for (let i = 0; i < RAY_DOUBLES; i++) f64[at + i] = ray[i]
  for (let i = RAY_DOUBLES; i < RAY_SIZE; i++) u32[2 * at + RAY_DOUBLES + i] = ray[i]
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
    ray[6] = maxDistance
  }
  if (filter !== undefined) {
    const path = `${where}: filter`
    checkNames(readObject(filter, path), ['category', 'mask'], path)
    const { category, mask } = filter
    if (category !== undefined) ray[7] = readBits(category, `${path}.category`)
    if (mask !== undefined) ray[8] = readBits(mask, `${path}.mask`)
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
  return engine.u32[2 * engine.ray] === 0 ? 0 : engine.ray
}

/**
 * @param {WorldCore} core
 * @param {number} at
 * @returns {RayHit}
 */
function hitAt(core, at) {
  const { f64, u32 } = core.engine
  const body = /** @type {Body} */ (core.find(idAt(u32, 2 * at)))
  const shapeIndex = u32[2 * at + 2]
  return {
    body,
    shape: body.shapes[shapeIndex],
    shapeIndex,
    position: [f64[at + 2], f64[at + 3], f64[at + 4]],
    normal: [f64[at + 5], f64[at + 6], f64[at + 7]],
    distance: f64[at + 8],
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
  const body = /** @type {Body} */ (core.find(idAt(u32, 2 * at)))
  const shapeIndex = u32[2 * at + 2]
  // Kept here: what `out` does when it is read and written may cast another ray.
  const numbers = hits.take()
  for (let i = 0; i < HIT_NUMBERS; i++) numbers[i] = f64[at + HIT_START + i]
  const hit = /** @type {Out & RayHitRead} */ (out)
  try {
    writeVector((out.position ??= []), numbers, 0, 'readRayCast: out.position')
    writeVector((out.normal ??= []), numbers, 3, 'readRayCast: out.normal')
    hit.body = body
    hit.shape = body.shapes[shapeIndex]
    hit.shapeIndex = shapeIndex
    hit.distance = numbers[6]
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
  engine.begin(2)
  const count = engine.take()
  const start = engine.take() / 8
  return Array.from({ length: count }, (_, i) => hitAt(core, start + i * HIT_STRIDE))
}
