import { checkNames, invalid, readObject, readVector, writeVector } from './arguments.mjs'
import { Body } from './body.mjs'
import { readBits } from './filter.mjs'

/** @import { RayCastOptions, RayHit, RayHitOut, RayHitRead, VectorLike } from './types.mjs' */
/** @import { WorldCore } from './world-core.mjs' */

// A ray travels as origin, direction, greatest distance, category, mask and the id of the body that
// it passes through (0: none); the same order as read_ray in exports.c. A hit comes as an
// mo_ray_hit: two 32-bit numbers, the body's id and the index of the shape, then in doubles position,
// normal, distance.

/** Doubles of a ray, and of a hit. */
const RAY_SIZE = 10
const HIT_STRIDE = 8

const ALL_BITS = 0xffffffff

/** @type {RayCastOptions} */
export const NO_OPTIONS = Object.freeze({})

// Read here first: a getter of an option may make a call of its own.
const first = new Float64Array(3)
const second = new Float64Array(3)

/**
 * Checks a ray and puts it into the shared block.
 * @param {WorldCore} core
 * @param {VectorLike} origin
 * @param {VectorLike} direction
 * @param {RayCastOptions} options
 * @param {string} where
 */
function putRay(core, origin, direction, options, where) {
  core.alive(where)
  let maxDistance = Infinity
  let category = ALL_BITS
  let mask = ALL_BITS
  let exclude = 0
  if (options !== NO_OPTIONS) {
    check(options, OPTION_NAMES, `${where}: options`, where)
    if (options.maxDistance !== undefined) {
      maxDistance = readDistance(options.maxDistance, `${where}: maxDistance`)
    }
    if (options.filter !== undefined) {
      const filter = options.filter
      const path = `${where}: filter`
      check(filter, FILTER_NAMES, path, path)
      if (filter.category !== undefined) category = readBits(filter.category, `${path}.category`)
      if (filter.mask !== undefined) mask = readBits(filter.mask, `${path}.mask`)
    }
    if (options.exclude !== undefined) exclude = readExcluded(core, options.exclude, where)
  }
  readVector(origin, `${where}: origin`, first)
  readVector(direction, `${where}: direction`, second)
  const { engine } = core
  engine.begin(RAY_SIZE)
  engine.putVector(first)
  engine.putVector(second)
  engine.put(maxDistance)
  engine.put(category)
  engine.put(mask)
  engine.put(exclude)
}

const OPTION_NAMES = ['maxDistance', 'filter', 'exclude']
const FILTER_NAMES = ['category', 'mask']

/**
 * As readObject and checkNames do, but makes no list of the names.
 * @param {unknown} value
 * @param {readonly string[]} names
 * @param {string} path
 * @param {string} owner
 */
function check(value, names, path, owner) {
  const options = readObject(value, path)
  for (const name in options) {
    if (!names.includes(name)) checkNames(options, names, owner)
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
function readDistance(value, path) {
  if (typeof value === 'number' && value >= 0) return value
  throw invalid(path, 'a number, 0 or more', value)
}

/**
 * @param {WorldCore} core
 * @param {unknown} body
 * @param {string} where
 * @returns {number} its id
 */
function readExcluded(core, body, where) {
  const path = `${where}: exclude`
  if (!(body instanceof Body) || body.world !== core.world) {
    throw invalid(path, 'a body of this world', body)
  }
  core.slot(body.id, path)
  return body.id
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
  putRay(core, origin, direction, options, where)
  const { exports } = core.engine
  core.check(exports.world_cast_ray(core.pointer), where)
  const at = (exports.ray_hit_address() >>> 0) / 8
  return core.engine.u32[2 * at] === 0 ? 0 : at
}

/**
 * @param {WorldCore} core
 * @param {number} at
 * @returns {RayHit}
 */
function hitAt(core, at) {
  const { f64, u32 } = core.engine
  const body = /** @type {Body} */ (core.find(u32[2 * at]))
  const shapeIndex = u32[2 * at + 1]
  return {
    body,
    shape: body.shapes[shapeIndex],
    shapeIndex,
    position: [f64[at + 1], f64[at + 2], f64[at + 3]],
    normal: [f64[at + 4], f64[at + 5], f64[at + 6]],
    distance: f64[at + 7],
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
  const body = /** @type {Body} */ (core.find(u32[2 * at]))
  const shapeIndex = u32[2 * at + 1]
  const hit = /** @type {Out & RayHitRead} */ (out)
  writeVector((out.position ??= []), f64, at + 1, 'readRayCast: out.position')
  writeVector((out.normal ??= []), f64, at + 4, 'readRayCast: out.normal')
  hit.body = body
  hit.shape = body.shapes[shapeIndex]
  hit.shapeIndex = shapeIndex
  hit.distance = f64[at + 7]
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
  putRay(core, origin, direction, options, 'rayCastAll')
  const { engine } = core
  core.check(engine.exports.world_cast_ray_all(core.pointer), 'rayCastAll')
  engine.begin(2)
  const count = engine.take()
  const start = engine.take() / 8
  return Array.from({ length: count }, (_, i) => hitAt(core, start + i * HIT_STRIDE))
}
