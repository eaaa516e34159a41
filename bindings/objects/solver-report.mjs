import { outOfMemory } from '../core/engine.mjs'
import { SOLVERS } from '../definitions/settings.mjs'

/** @import { Island, RecordedProblem, SolveStatus } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** In the order of mo_solve_status. @type {readonly SolveStatus[]} */
export const STATUSES = ['none', 'converged', 'max-iterations', 'stalled']

/** In the order of mo_island_event. @type {readonly Island['event'][]} */
const EVENTS = [null, 'missed-tolerance', 'too-big', 'open-joints']

/** Numbers that world_islands (abi/exports_report.c) writes per island. */
const ISLAND_STRIDE = 10

/**
 * @param {WorldCore} core
 * @returns {Island[]} of the last step, ordered by their first body
 */
export function islands(core) {
  const count = Number(core.ask('world_island_count', 'islands')) >>> 0
  const { engine, pointer } = core
  if (count === 0) return []
  engine.begin(ISLAND_STRIDE * count)
  if (engine.exports.world_islands(pointer, count) >>> 0 !== count) {
    throw outOfMemory('islands', 8 * ISLAND_STRIDE * count)
  }
  engine.begin(ISLAND_STRIDE * count)
  return Array.from({ length: count }, () => {
    const solver = SOLVERS[engine.take()]
    const status = STATUSES[engine.take()]
    const event = EVENTS[engine.take()]
    const [iterations, factorisations, bodies, rows, first] = engine.takeAll(5)
    const firstBody = core.find(first)
    const [residual, condition] = engine.takeAll(2)
    return {
      solver,
      status,
      event,
      iterations,
      factorisations,
      bodies,
      rows,
      firstBody,
      residual,
      condition,
    }
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
  engine.begin(4)
  const [contacts, delassus, free, friction] = engine.takeAll(4)
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
    q: list(free, size),
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
