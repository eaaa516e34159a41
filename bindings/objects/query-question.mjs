import { checkNames, isObject, readBoolean, readFunction, readObject } from '../core/arguments.mjs'
import { KIND } from '../core/callbacks.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { Scratch } from '../core/scratch.mjs'
import { idAt } from '../core/ids.mjs'
import { readBits } from '../definitions/filter.mjs'
import * as QUERY from '../generated/places/query.mjs'
import * as QUERY_HIT from '../generated/places/query-hit.mjs'
import * as QUERY_HITS from '../generated/places/query-hits.mjs'
import * as QUESTION from '../generated/places/query-question.mjs'
import { QUERY_NUMBERS } from '../generated/records.mjs'
import { shapeAt } from './shape-parts.mjs'

// What all queries have in common: how their options reach the engine, how it asks the user's predicate, and
// where the hits are. All that the user gives is read first, since its getters may make queries of their own.

/** @import { Body } from './body.mjs' */
/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { QueryOptions, QueryPredicate, ShapeCastOptions } from '../types/index.mjs' */

/** @typedef {'world_cast_ray' | 'world_cast_ray_all' | 'world_cast_shape' | 'world_cast_shape_all' | 'world_overlap' | 'world_closest_point' | 'world_contains'} QueryExport */

/** @type {Readonly<QueryOptions>} */
export const NO_OPTIONS = Object.freeze({})

/** Doubles that a hit takes. */
export const HIT_STRIDE = QUERY_HIT.BYTES / 8

const ALL_BITS = 0xffffffff

// The names of options, by what they are for.
/** Of what sensors do not stop. */
export const SOLID_NAMES = ['filter', 'exclude', 'predicate']
const NAMES = [...SOLID_NAMES, 'includeSensors']
/** Of what looks no further than some distance. */
export const NEAR_NAMES = ['maxDistance', ...NAMES]
/** Of casts of shapes. */
export const CAST_NAMES = ['stopAtPenetration', ...NEAR_NAMES]
/** Of overlaps and `contains`. */
export const PLAIN_NAMES = NAMES
/** Of many casts at once: a function per cast is what they are there to avoid. */
export const BATCH_NAMES = ['orientations', ...CAST_NAMES].filter((name) => name !== 'predicate')

export const queries = new Scratch(QUERY_NUMBERS)

/**
 * Begins a query: checks that the world is there, and reads the options.
 * @param {WorldCore} core
 * @param {Readonly<QueryOptions & ShapeCastOptions>} options
 * @param {readonly string[]} names that they may have
 * @param {string} where
 * @returns {Float64Array} of `queries`, with everything but places, shape and predicate
 */
export function beginQuery(core, options, names, where) {
  core.alive(where)
  const query = queries.take()
  query.fill(0)
  query[QUERY.orientation + 3] = 1
  query[QUERY.maxDistance] = Infinity
  query[QUERY.category] = query[QUERY.mask] = ALL_BITS
  query[QUERY.stopAtPenetration] = 1
  if (options !== NO_OPTIONS) readOptions(core, options, names, query, where)
  return query
}

/**
 * @param {WorldCore} core
 * @param {Readonly<QueryOptions & ShapeCastOptions>} options
 * @param {readonly string[]} names
 * @param {Float64Array} query
 * @param {string} where
 */
function readOptions(core, options, names, query, where) {
  checkOptions(options, names, where)
  const { maxDistance, filter, exclude, stopAtPenetration, includeSensors } = options
  if (maxDistance !== undefined) {
    if (!(typeof maxDistance === 'number' && maxDistance >= 0)) {
      throw invalid(`${where}: maxDistance`, 'a number, 0 or more', maxDistance)
    }
    query[QUERY.maxDistance] = maxDistance
  }
  if (filter !== undefined) {
    const path = `${where}: filter`
    checkNames(readObject(filter, path), ['category', 'mask'], path)
    const { category, mask } = filter
    if (category !== undefined) query[QUERY.category] = readBits(category, `${path}.category`)
    if (mask !== undefined) query[QUERY.mask] = readBits(mask, `${path}.mask`)
  }
  if (exclude !== undefined) query[QUERY.exclude] = core.own(exclude, `${where}: exclude`).id
  if (stopAtPenetration !== undefined) {
    const stops = readBoolean(stopAtPenetration, `${where}: stopAtPenetration`)
    query[QUERY.stopAtPenetration] = stops ? 1 : 0
  }
  if (includeSensors !== undefined) {
    const includes = readBoolean(includeSensors, `${where}: includeSensors`)
    query[QUERY.includeSensors] = includes ? 1 : 0
  }
}

/**
 * As readObject and checkNames do, but makes no list of the names.
 * @param {unknown} value
 * @param {readonly string[]} names
 * @param {string} where
 */
function checkOptions(value, names, where) {
  if (!isObject(value) || isList(value)) {
    throw invalid(`${where}: options`, 'an object such as { maxDistance: 100 }', value)
  }
  for (const name in value) {
    if (!names.includes(name)) checkNames(readObject(value, where), names, where)
  }
}

/**
 * The predicate of the options, which is read last: only the call that follows has it.
 * @param {Readonly<QueryOptions>} options
 * @param {string} where
 * @returns {QueryPredicate | undefined}
 */
export function predicateOf(options, where) {
  const { predicate } = options
  return predicate === undefined ? undefined : readFunction(predicate, `${where}: predicate`)
}

// --- predicates -----------------------------------------------------------------------------------

/**
 * Asks the predicate of the query that runs: the last one of those that are within each other.
 * @implements {CallbackTarget}
 */
class PredicateCallback {
  #core
  #running

  /**
   * @param {WorldCore} core
   * @param {QueryPredicate[]} running
   */
  constructor(core, running) {
    this.#core = core
    this.#running = running
  }

  /**
   * @param {number} _phase
   * @param {number} address
   */
  answer(_phase, address) {
    const core = this.#core
    // One that failed is not asked again in the same query.
    if (core.callbacks.hasFailed) throw core.callbacks.takeFailure()?.cause
    const at = address / 8
    const id = core.engine.f64[at + QUESTION.body]
    const shape = core.engine.f64[at + QUESTION.shape]
    const body = /** @type {Body} */ (core.find(id))
    const predicate = this.#running[this.#running.length - 1]
    const isTaken = predicate(body, shapeAt(body.shapes, shape), shape)
    core.engine.f64[at + QUESTION.isTaken] = isTaken ? 1 : 0
  }
}

/**
 * The predicates that run, and the handle by which the engine asks for them.
 * @type {WeakMap<WorldCore, { running: QueryPredicate[], handle: number }>}
 */
const predicates = new WeakMap()

/** @param {WorldCore} core */
function predicatesOf(core) {
  let known = predicates.get(core)
  if (known === undefined) {
    /** @type {QueryPredicate[]} */
    const running = []
    const make = () => new PredicateCallback(core, running)
    known = { running, handle: core.callbacks.add(KIND.query, make) }
    predicates.set(core, known)
  }
  return known
}

// --- calls ----------------------------------------------------------------------------------------

/**
 * Puts a query where the engine looks for it.
 * @param {WorldCore} core
 * @param {Float64Array} query
 * @param {number} [more] doubles that follow it
 */
export function putQuery(core, query, more = 0) {
  const { engine } = core
  engine.begin(QUERY_NUMBERS + more)
  const at = engine.place(0)
  const { f64 } = engine
  for (let i = 0; i < QUERY_NUMBERS; i++) f64[at + i] = query[i]
}

/**
 * Has the engine answer a query.
 * @param {WorldCore} core
 * @param {QueryExport} question
 * @param {Float64Array} query of `queries`, which gets it back
 * @param {QueryPredicate | undefined} predicate
 * @param {string} where
 */
export function ask(core, question, query, predicate, where) {
  const pointer = core.pointerFor(where)
  if (predicate !== undefined) query[QUERY.predicate] = predicatesOf(core).handle + 1
  putQuery(core, query)
  queries.giveBack(query)
  const { exports } = core.engine
  if (predicate === undefined) core.check(exports[question](pointer), where)
  else callWithPredicate(core, () => exports[question](pointer), predicate, where)
}

/**
 * The handle of predicates plus one, as a query has it.
 * @param {WorldCore} core
 */
export const predicateHandle = (core) => predicatesOf(core).handle + 1

/**
 * Makes a call of the engine that asks a predicate.
 * @param {WorldCore} core
 * @param {() => number} call gives a code
 * @param {QueryPredicate} predicate
 * @param {string} where
 */
export function callWithPredicate(core, call, predicate, where) {
  const { running } = predicatesOf(core)
  const { callbacks } = core
  const outer = callbacks.enter()
  running.push(predicate)
  let result
  try {
    result = call()
  } catch (error) {
    throw core.abandon(error, where)
  } finally {
    running.pop()
    callbacks.leave(outer)
  }
  // What the predicate threw is thrown.
  if (callbacks.hasFailed) throw callbacks.takeFailure()?.cause
  core.check(result, where)
}

// --- answers --------------------------------------------------------------------------------------

/** @param {WorldCore} core */
export function hitCount(core) {
  return core.engine.at(QUERY_HITS.count)
}

/**
 * Where the hits of the last query are, as an index into the engine's doubles.
 * @param {WorldCore} core
 */
export function hitsAt(core) {
  return core.engine.at(QUERY_HITS.address) / 8
}

/**
 * @param {WorldCore} core
 * @param {number} at
 * @returns {Body}
 */
export function bodyOfHit(core, at) {
  return /** @type {Body} */ (core.find(idAt(core.engine.u32, 2 * at + QUERY_HIT.body)))
}

/**
 * @param {WorldCore} core
 * @param {number} at
 */
export function shapeOfHit(core, at) {
  return core.engine.u32[2 * at + QUERY_HIT.shape]
}
