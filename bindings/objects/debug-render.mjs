import { checkNames, readBoolean, readObject } from '../core/arguments.mjs'
import { outOfMemory } from '../core/engine.mjs'

/** @import { DebugLines, DebugRenderOptions } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * What is drawn without options. The place of a name is its bit in mo_debug_part.
 * @type {Required<DebugRenderOptions>}
 */
const DEFAULTS = {
  shapes: true,
  bounds: false,
  contacts: true,
  joints: true,
  islands: false,
  centersOfMass: false,
}

/** @type {(keyof DebugRenderOptions)[]} */
const PARTS = ['shapes', 'bounds', 'contacts', 'joints', 'islands', 'centersOfMass']

const VERTEX_NUMBERS = 6
const COLOR_NUMBERS = 8
const LINE_BYTES = 4 * (VERTEX_NUMBERS + COLOR_NUMBERS)

/**
 * @param {WorldCore} core
 * @param {unknown} options
 * @returns {DebugLines}
 */
export function debugRender(core, options) {
  const parts = readParts(options)
  const { engine } = core
  const { exports } = engine
  const count = exports.world_debug_lines(core.pointerFor('debugRender'), parts) >>> 0
  // UINT32_MAX
  if (count === 0xffffffff) throw outOfMemory('debugRender', LINE_BYTES)
  return {
    vertices: copy(engine.buffer, exports.debug_vertices_address(), VERTEX_NUMBERS * count),
    colors: copy(engine.buffer, exports.debug_colors_address(), COLOR_NUMBERS * count),
  }
}

/**
 * @param {unknown} value DebugRenderOptions
 * @returns {number} bits of mo_debug_part
 */
function readParts(value) {
  const options = readObject(value, 'debugRender: options')
  checkNames(options, PARTS, 'debugRender: options')
  let parts = 0
  PARTS.forEach((name, bit) => {
    const isDrawn = options[name] ?? DEFAULTS[name]
    if (readBoolean(isDrawn, `debugRender: ${name}`)) parts |= 1 << bit
  })
  return parts
}

/**
 * @param {ArrayBuffer} buffer
 * @param {number} address
 * @param {number} length
 */
function copy(buffer, address, length) {
  return length === 0 ? new Float32Array() : new Float32Array(buffer, address >>> 0, length).slice()
}
