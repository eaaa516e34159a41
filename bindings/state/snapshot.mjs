import { access } from '../core/access.mjs'
import { checkNames, isObject, readBoolean } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { isArrayBuffer, isTypedArray } from '../core/lists.mjs'
import { outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readControls, restoreControls, writeControls } from './controls.mjs'
import { badSnapshot, decodeRoster, encodeRoster, frameLength } from './frame.mjs'
import { NO_CONTROLS, readFrame, sameBytes, writeFrame } from './frame.mjs'
import { FUNCTION_WORDS, Plan } from './plan.mjs'
import { rostersOf } from './roster.mjs'

/** @import { Restoring, Snapshooting } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Kind, Part, Roster } from './frame.mjs' */

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
  const controls = writeControls(core, where)
  const { whole, bare } = rostersOf(core).encoded()
  core.check(exports.world_snapshot(core.pointer, assets ? 1 : 0), where)
  return give(core, 'snapshot', [assets ? whole : bare, controls], out, `${where}: out`)
}

/**
 * What bytes of a world have besides the engine's.
 * @param {WorldCore} core
 * @param {string} where
 * @returns {{ roster: Roster, controls: Part }}
 */
export function partsOf(core, where) {
  core.begin(where)
  return { roster: rostersOf(core).encoded().whole, controls: writeControls(core, where) }
}

/**
 * Makes a new world what a world of the engine is, of which JavaScript has no object.
 * @param {WorldCore} core of the new one
 * @param {number} pointer of the other one, which has been stepped since it was the world of the parts
 * @param {{ roster: Roster, controls: Part }} parts
 * @param {string} where
 */
export function takeAfter(core, pointer, parts, where) {
  const module = core.engine
  const result = module.exports.world_snapshot(pointer, 1)
  if (result !== 0) throw module.failure(result, where, pointer)
  const engine = new Uint8Array(module.buffer, module.at(0), module.at(1)).slice()
  bringBack(
    core,
    parts,
    {},
    (functions) => restoreEngine(core, engine, undefined, functions),
    where,
  )
  for (const constraint of [...core.constraints.keys()]) {
    // Joints that broke since.
    const isGone = module.exports.constraint_get_state(core.pointer, constraint.id) !== 0
    if (isGone) core.removeConstraint(constraint)
  }
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
  return give(core, 'assets', [roster, NO_CONTROLS], undefined, where)
}

/**
 * Copies the bytes that the engine has just written, with the other parts.
 * @param {WorldCore} core
 * @param {Kind} kind
 * @param {readonly [roster: Roster, controls: Part]} parts
 * @param {Uint8Array | undefined} out
 * @param {string} path of `out`
 */
function give(core, kind, parts, out, path) {
  const module = core.engine
  const [address, count] = [module.at(0), module.at(1)]
  const length = frameLength(count, parts)
  if (out !== undefined && out.length < length) {
    throw invalid(path, `a Uint8Array of ${length} or more bytes`, `${out.length} bytes`)
  }
  const bytes = out === undefined ? new Uint8Array(length) : out.subarray(0, length)
  writeFrame(kind, new Uint8Array(module.buffer, address, count), parts, bytes)
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
  checkMayRestore(core, where)
  const restoring = readRestoring(options)
  const { engine, roster, controls } = readFrame(
    'snapshot',
    readBytes(bytes, 'bytes'),
    'restore: bytes',
  )
  const given = readAssets(restoring)
  const load = (/** @type {readonly number[]} */ functions) =>
    restoreEngine(core, engine, given.engine, functions)
  const parts = { roster, controls }
  bringBack(core, parts, { restoring, assets: given.assets }, load, where)
}

/**
 * Throws where a world cannot be taken elsewhere now.
 * @param {WorldCore} core
 * @param {string} where
 */
export function checkMayRestore(core, where) {
  core.begin(where)
  core.callbacks.checkUnlocked(where)
  if (core.isTelling) {
    throw new MoreauError('world-locked', `${where}: a listener cannot take its world back`)
  }
}

/**
 * Has a world be what it was, with the objects that it had then.
 * @param {WorldCore} core
 * @param {{ roster: Roster, controls: Part }} parts
 * @param {{ restoring?: Restoring, assets?: Record<string, unknown> }} given
 * @param {(functions: readonly number[]) => void} load has the engine restore its part
 * @param {string} where
 */
export function bringBack(core, { roster, controls }, { restoring = {}, assets }, load, where) {
  const rows = readControls(controls)
  // The same objects as now, as in most rollbacks: nothing of JavaScript's has to change.
  const { whole, bare } = rostersOf(core).encoded()
  const isSame = [whole, bare].some(
    (now) => sameBytes(roster.hash, now.hash) && sameBytes(roster.bytes, now.bytes),
  )
  if (isSame) {
    load(functionsOf(core))
    core.comeBack(undefined)
    restoreControls(core, rows)
    return
  }
  const read = decodeRoster(roster, `${where}: bytes`)
  const { version } = core
  const plan = new Plan(core, read, { ...assets, ...read.assets }, restoring)
  try {
    if (core.version !== version) {
      throw new MoreauError('world-locked', `${where}: a getter of options has changed the world`)
    }
    load(plan.functions)
  } catch (error) {
    plan.drop()
    throw error
  }
  core.comeBack(plan)
  restoreControls(core, rows)
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
 * The same of the frame that a mo_delta_coder holds.
 * @param {WorldCore} core
 * @param {number} coder
 * @param {readonly number[]} functions
 * @param {string} where
 */
export function loadHeld(core, coder, functions, where) {
  const { exports } = core.engine
  const words = Uint32Array.from(functions)
  const block = words.length > 0 ? exports.allocate(words.byteLength) >>> 0 : 0
  if (words.length > 0 && block === 0) throw outOfMemory(where, words.byteLength)
  try {
    if (block !== 0) new Uint32Array(core.engine.buffer, block, words.length).set(words)
    const count = words.length / FUNCTION_WORDS
    core.check(exports.delta_coder_restore(coder, core.pointer, block, count), where)
    core.lastDt = core.engine.at(0)
  } finally {
    if (block !== 0) exports.release(block)
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
  const table = decodeRoster(frame.roster, path)
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
