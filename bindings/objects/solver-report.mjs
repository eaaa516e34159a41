import { outOfMemory } from '../core/engine.mjs'
import {
  ISLAND_NUMBERS,
  PROBLEM_RECORD_NUMBERS,
  takeIsland,
  takeProblemRecord,
  takeWarning,
  WARNING_NUMBERS,
} from '../generated/records.mjs'

/** @import { Island, RecordedProblem, Warning } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * @param {WorldCore} core
 * @returns {Warning[]} of the last step
 */
export function warnings(core) {
  const count = core.engine.exports.world_warnings(core.pointerFor('warnings'))
  core.engine.begin(WARNING_NUMBERS * count)
  return Array.from({ length: count }, () => {
    const { code: option, value, bound } = takeWarning(core.engine)
    const code = /** @type {const} */ (`${option}-bounded`)
    const message = `${option} is ${value}, but ${bound.toPrecision(4)} is in force: more is not stable with these substeps`
    return { code, option, value, bound, message }
  })
}

/**
 * @param {WorldCore} core
 * @returns {Island[]} of the last step, ordered by their first body
 */
export function islands(core) {
  const count = Number(core.ask('world_island_count', 'islands')) >>> 0
  const { engine, pointer } = core
  if (count === 0) return []
  engine.begin(ISLAND_NUMBERS * count)
  if (engine.exports.world_islands(pointer, count) >>> 0 !== count) {
    throw outOfMemory('islands', 8 * ISLAND_NUMBERS * count)
  }
  engine.begin(ISLAND_NUMBERS * count)
  return Array.from({ length: count }, () => {
    const island = takeIsland(engine)
    return { ...island, firstBody: core.find(island.firstBody) }
  })
}

/**
 * @param {WorldCore} core
 * @param {string} name
 * @returns {RecordedProblem}
 */
export function recordProblem(core, name) {
  core.check(Number(core.ask('world_record_problem', 'recordProblem')), 'recordProblem')
  try {
    return copyRecord(core.engine, name)
  } finally {
    core.engine.exports.world_release_record(core.pointer) // it may be most of the memory
  }
}

/**
 * @param {WorldCore['engine']} engine
 * @param {string} name
 * @returns {RecordedProblem}
 */
function copyRecord(engine, name) {
  engine.begin(PROBLEM_RECORD_NUMBERS)
  const { contactCount: contacts, delassus, freeVelocity, friction } = takeProblemRecord(engine)
  const size = 3 * contacts
  const { f64 } = engine
  const list = (/** @type {number} */ address, /** @type {number} */ count) =>
    Array.from(f64.subarray(address / 8, address / 8 + count))
  const matrix = f64.subarray(delassus / 8, delassus / 8 + size * size)
  return {
    name,
    contacts,
    form: 'local',
    W: triplets(matrix, size),
    q: list(freeVelocity, size),
    mu: list(friction, contacts),
  }
}

/**
 * @param {Float64Array} matrix by rows
 * @param {number} size
 */
function triplets(matrix, size) {
  /** @type {RecordedProblem['W']} */
  const out = { shape: [size, size], rows: [], cols: [], vals: [] }
  for (let i = 0; i < matrix.length; i++) {
    if (matrix[i] === 0) continue
    out.rows.push(Math.floor(i / size))
    out.cols.push(i % size)
    out.vals.push(matrix[i])
  }
  return out
}
