import { access } from '../core/access.mjs'
import { checkNames, isObject, readBoolean } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { isArrayBuffer, isTypedArray } from '../core/lists.mjs'
import { outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { badSnapshot, decodeRoster, encodeRoster, frameLength } from './frame.mjs'
import { readFrame, sameBytes, writeFrame } from './frame.mjs'
import { FUNCTION_WORDS, Plan } from './plan.mjs'
import { rostersOf } from './roster.mjs'

/** @import { Restoring, Snapshooting } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Kind, Roster } from './frame.mjs' */

// --- writing --------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {unknown} options a Snapshooting, or the array to write to
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function takeSnapshot(core, options) {
  const where = 'snapshot'
  const { assets, out } = readOptions(options)
  core.begin(where)
  core.callbacks.checkUnlocked(where)
  const { exports } = core.engine
  const { whole, bare } = rostersOf(core).encoded()
  core.check(exports.world_snapshot(core.pointer, assets ? 1 : 0), where)
  return give(core, 'snapshot', assets ? whole : bare, out, `${where}: out`)
}

/**
 * @param {WorldCore} core
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function takeAssets(core) {
  const where = 'assets'
  core.begin(where)
  core.callbacks.checkUnlocked(where)
  const roster = encodeRoster(JSON.stringify(rostersOf(core).assets()))
  core.check(core.engine.exports.world_assets(core.pointer), where)
  return give(core, 'assets', roster, undefined, where)
}

/**
 * Copies the bytes that the engine has just written, with the roster.
 * @param {WorldCore} core
 * @param {Kind} kind
 * @param {Roster} roster
 * @param {Uint8Array | undefined} out
 * @param {string} path of `out`
 */
function give(core, kind, roster, out, path) {
  const module = core.engine
  const [address, count] = [module.at(0), module.at(1)]
  const length = frameLength(count, roster)
  if (out !== undefined && out.length < length) {
    throw invalid(path, `a Uint8Array of ${length} or more bytes`, `${out.length} bytes`)
  }
  const bytes = out === undefined ? new Uint8Array(length) : out.subarray(0, length)
  writeFrame(kind, new Uint8Array(module.buffer, address, count), roster, bytes)
  return bytes
}

/**
 * @param {unknown} value
 * @returns {{ assets: boolean, out: Uint8Array | undefined }}
 */
function readOptions(value) {
  if (value === undefined) return { assets: true, out: undefined }
  if (isBytes(value)) return { assets: true, out: value }
  if (!isObject(value)) throw invalid('snapshot: options', 'an object or a Uint8Array', value)
  checkNames(value, ['assets', 'out'], 'snapshot: options')
  const { assets = true, out } = /** @type {Snapshooting} */ (value)
  if (out !== undefined && !isBytes(out)) {
    throw invalid('snapshot: options.out', 'a Uint8Array', out)
  }
  return { assets: readBoolean(assets, 'snapshot: options.assets'), out }
}

/** By tag: a Proxy is none. @param {unknown} value @returns {value is Uint8Array} */
export const isBytes = (value) => isTypedArray(value, ['Uint8Array'])

// --- reading --------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {unknown} bytes
 * @param {unknown} options a Restoring
 */
export function restoreSnapshot(core, bytes, options) {
  const where = 'restore'
  core.begin(where)
  core.callbacks.checkUnlocked(where)
  if (core.isTelling) {
    throw new MoreauError('world-locked', `${where}: a listener cannot take its world back`)
  }
  const restoring = readRestoring(options)
  const { engine, roster, hash } = readFrame(
    'snapshot',
    readBytes(bytes, 'bytes'),
    'restore: bytes',
  )
  const given = readAssets(restoring)
  // The same objects as now, as in most rollbacks: nothing of JavaScript's has to change.
  const { whole, bare } = rostersOf(core).encoded()
  const isSame = [whole, bare].some(
    (now) => sameBytes(hash, now.hash) && sameBytes(roster, now.bytes),
  )
  if (isSame) {
    restoreEngine(core, engine, given.engine, functionsOf(core))
    core.comeBack(undefined)
    return
  }
  const read = decodeRoster(roster, hash, 'restore: bytes')
  const { version } = core
  const plan = new Plan(core, read, { ...given.assets, ...read.assets }, restoring)
  try {
    if (core.version !== version) {
      throw new MoreauError('world-locked', `${where}: a getter of options has changed the world`)
    }
    restoreEngine(core, engine, given.engine, plan.functions)
  } catch (error) {
    plan.drop()
    throw error
  }
  core.comeBack(plan)
}

/**
 * The functions of what lives now, for the engine.
 * @param {WorldCore} core
 * @returns {number[]}
 */
function functionsOf(core) {
  /** @type {number[]} */
  const words = []
  for (const [constraint, handle] of core.constraints) {
    const { functions } = access.constraintMaking(constraint).making
    if (handle !== undefined && functions)
      words.push(0, slotOf(constraint.id), handle, functions.has)
  }
  for (const [potential, handle] of core.potentials) {
    const { functions } = access.potentialMaking(potential)
    if (handle !== undefined && functions)
      words.push(1, slotOf(potential.id), handle, functions.has)
  }
  return words
}

/** @param {number} id */
const slotOf = (id) => (id % 2 ** 32) - 1

/**
 * @param {WorldCore} core
 * @param {Uint8Array} engine
 * @param {Uint8Array | undefined} assets
 * @param {readonly number[]} functions
 */
function restoreEngine(core, engine, assets, functions) {
  const { exports } = core.engine
  const assetCount = assets?.length ?? 0
  // Words first, which have to be at multiples of four.
  const words = Uint32Array.from(functions)
  const bytes = words.byteLength + engine.length + assetCount
  const block = exports.allocate(bytes) >>> 0
  if (block === 0) throw outOfMemory('restore', bytes)
  try {
    const at = block + words.byteLength
    new Uint32Array(core.engine.buffer, block, words.length).set(words)
    new Uint8Array(core.engine.buffer, at, engine.length).set(engine)
    if (assets) new Uint8Array(core.engine.buffer, at + engine.length, assetCount).set(assets)
    const [assetsAt, count] = [assets ? at + engine.length : 0, words.length / FUNCTION_WORDS]
    const { pointer } = core
    const parts = [at, engine.length, assetsAt, assetCount, block, count]
    core.check(exports.world_restore(pointer, ...parts), 'restore')
    core.lastDt = core.engine.at(0)
  } finally {
    exports.release(block)
  }
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {Uint8Array}
 */
function readBytes(value, name) {
  if (isBytes(value)) return value
  if (isArrayBuffer(value)) return new Uint8Array(value)
  throw invalid(`restore: ${name}`, 'a Uint8Array or an ArrayBuffer', value)
}

/**
 * @param {Restoring} options
 * @returns {{ engine: Uint8Array | undefined, assets: Record<string, unknown> }}
 */
function readAssets({ assets }) {
  if (assets === undefined) return { engine: undefined, assets: {} }
  const path = 'restore: options.assets'
  const frame = readFrame('assets', readBytes(assets, 'options.assets'), path)
  const table = decodeRoster(frame.roster, frame.hash, path)
  if (!isObject(table)) throw badSnapshot(`${path}: they are no table of assets`)
  return { engine: frame.engine, assets: /** @type {Record<string, unknown>} */ (table) }
}

/**
 * @param {unknown} value
 * @returns {Restoring}
 */
function readRestoring(value) {
  if (value === undefined) return {}
  if (!isObject(value)) {
    throw new MoreauError(
      'invalid-argument',
      `restore: options must be an object, got ${describe(value)}`,
    )
  }
  checkNames(value, ['assets', 'constraints', 'potentials'], 'restore: options')
  return /** @type {Restoring} */ (value)
}
