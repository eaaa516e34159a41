import { access } from '../core/access.mjs'
import { readBoolean, readInteger } from '../core/arguments.mjs'
import { invalid, invalidLength } from '../core/describe.mjs'
import { engine, outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { isList, readItems } from '../core/lists.mjs'
import { toVector } from '../core/vectors.mjs'
import { PLACED_SHAPE_NUMBERS } from '../generated/records.mjs'
import { putPlaced } from './placed-shape.mjs'
import { readIndices, readVertices } from './triangles.mjs'

// The kinds of shapes that are made of many things: meshes, height fields and compounds.

/** @import { Shape } from '../objects/shape.mjs' */
/** @import { ShapeKind } from './shape-kinds.mjs' */

/** The most samples of a height field (shape_mesh.c). */
const MOST_SAMPLES = 2 ** 28

/** @type {ShapeKind} */
export const mesh = {
  names: ['vertices', 'indices', 'oneSided'],
  size: 'vertices',
  read({ vertices, indices, oneSided }, path) {
    const points = readVertices(vertices, `${path}.vertices`)
    const corners = readIndices(indices, points.length / 3, `${path}.indices`)
    return { vertices: points, indices: corners, ...readSided(oneSided, path) }
  },
  create(exports, { vertices = NOTHING, indices = NO_INDICES, oneSided = false }) {
    return withBlock([vertices, indices], (first, second) =>
      exports.shape_create_mesh(
        ...[first, vertices.length / 3, second, indices.length, Number(oneSided)],
      ),
    )
  },
}

/** @type {ShapeKind} */
export const heightfield = {
  names: ['heights', 'rows', 'columns', 'scale', 'oneSided'],
  size: 'scale',
  read({ heights, rows, columns, scale = [1, 1, 1], oneSided }, path) {
    const rowCount = readInteger(rows, `${path}.rows`, 2, MOST_SAMPLES)
    const columnCount = readInteger(columns, `${path}.columns`, 2, MOST_SAMPLES / rowCount)
    const count = rowCount * columnCount
    const samples = readHeights(heights, count, `${path}.heights`)
    const factors = Object.freeze(toVector(scale, `${path}.scale`))
    if (!factors.every((x) => x > 0)) {
      throw invalid(`${path}.scale`, 'three finite numbers above 0', scale)
    }
    const measures = { heights: samples, rows: rowCount, columns: columnCount, scale: factors }
    return { ...measures, ...readSided(oneSided, path) }
  },
  create(exports, { heights = NOTHING, rows = 0, columns = 0, scale = [1, 1, 1], oneSided }) {
    return withBlock([heights], (block) =>
      exports.shape_create_heightfield(block, rows, columns, ...scale, Number(oneSided)),
    )
  },
}

/** @type {ShapeKind} */
export const compound = {
  names: ['shapes'],
  size: 'shapes',
  read({ shapes }, path) {
    if (!isList(shapes) || shapes.length === 0) {
      throw invalid(`${path}.shapes`, 'an array of one or more shapes', shapes)
    }
    const parts = readItems(shapes, (part, i) => access.toShape(part, path, `shapes[${i}]`))
    const infinite = parts.findIndex((part) => part.type === 'plane')
    if (infinite < 0) return { shapes: Object.freeze(parts) }
    const message = `${path}.shapes[${infinite}]: a plane has no bounds: it cannot be a part`
    throw new MoreauError('invalid-argument', message)
  },
  create(exports, { shapes = [] }) {
    const module = engine()
    module.begin(PLACED_SHAPE_NUMBERS * shapes.length)
    for (const part of shapes) putPlaced(module, part, 'createShape')
    return exports.shape_create_compound(shapes.length)
  },
}

const NOTHING = new Float64Array()
const NO_INDICES = new Uint32Array()

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {{ oneSided: boolean | undefined }}
 */
function readSided(value, path) {
  return { oneSided: value === undefined ? undefined : readBoolean(value, `${path}.oneSided`) }
}

/**
 * @param {unknown} value
 * @param {number} count
 * @param {string} path
 * @returns {Float64Array}
 */
function readHeights(value, count, path) {
  if (!isList(value)) throw invalid(path, 'an array of numbers', value)
  if (value.length !== count) {
    throw invalidLength(path, `rows times columns = ${count} numbers`, value)
  }
  const heights = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const height = value[i]
    if (typeof height !== 'number') throw invalid(`${path}[${i}]`, 'a number', height)
    if (!Number.isFinite(height)) {
      throw new MoreauError('not-finite', `${path}[${i}]: must be finite, got ${height}`)
    }
    heights[i] = height
  }
  return heights
}

/**
 * Has a function read arrays in the memory of the module.
 * @param {readonly (Float64Array | Uint32Array)[]} arrays numbers of 8 bytes before those of 4
 * @param {(...addresses: number[]) => number} call
 * @returns {number} what it gives
 */
function withBlock(arrays, call) {
  const module = engine()
  const bytes = arrays.reduce((sum, array) => sum + array.byteLength, 8)
  const block = module.exports.allocate(bytes) >>> 0
  if (block === 0) throw outOfMemory('createShape', bytes)
  const addresses = []
  let at = block
  for (const array of arrays) {
    if (array instanceof Float64Array) module.f64.set(array, at / 8)
    else module.u32.set(array, at / 4)
    addresses.push(at)
    at += array.byteLength
  }
  try {
    return call(...addresses)
  } finally {
    module.exports.release(block)
  }
}
