import { access } from '../core/access.mjs'
import { SHAPE_KINDS } from '../definitions/shape-kinds.mjs'
import { takeShapeState, SHAPE_STATE_NUMBERS } from '../generated/records.mjs'
import { hasAsset } from './assets.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { ShapeState } from '../generated/records.mjs' */
/** @import { AssetWriter } from './assets.mjs' */

/** Measures that an asset has, or that are written in another way. */
const ELSEWHERE = new Set(['points', 'hull', 'vertices', 'indices', 'heights', 'shapes'])
const MATERIAL = /** @type {const} */ ([
  ...['friction', 'restitution', 'frictionCombine', 'restitutionCombine', 'filter'],
])

/**
 * The shapes of a body as a scene has them.
 * @param {WorldCore} core
 * @param {Body} body
 * @param {number} density of the body's shapes that have none of their own
 * @param {AssetWriter} assets
 * @returns {unknown[]}
 */
export function writeShapes(core, body, density, assets) {
  const states = statesOf(core, body)
  return body.shapes.map((shape) => writeShape(shape, density, states, assets))
}

/**
 * How the shapes are now: setters of the body may have changed what their definitions say.
 * @param {WorldCore} core
 * @param {Body} body
 * @returns {Iterator<ShapeState>} one for each part of a compound
 */
function statesOf(core, body) {
  const count = body.shapes.reduce((sum, shape) => sum + partCount(shape), 0)
  core.engine.begin(SHAPE_STATE_NUMBERS * count)
  core.check(core.engine.exports.body_get_shapes(core.pointer, body.id, count), 'toJSON')
  core.engine.begin(SHAPE_STATE_NUMBERS * count)
  return Array.from({ length: count }, () => takeShapeState(core.engine)).values()
}

/**
 * @param {Shape} shape
 * @returns {number}
 */
function partCount({ shapes }) {
  return shapes?.reduce((sum, part) => sum + partCount(part), 0) ?? 1
}

/**
 * A shape as its definition has it, without its density, its sensor flag and its parts.
 * @param {Shape} shape
 * @param {AssetWriter} assets
 * @returns {Record<string, unknown>}
 */
function writeOwn(shape, assets) {
  const definition = access.shapeDefinition(shape)
  const { type, position, orientation } = definition
  /** @type {Record<string, unknown>} */
  const written = { type }
  for (const name of SHAPE_KINDS[type].names) {
    if (!ELSEWHERE.has(name)) written[name] = definition[name]
  }
  if (hasAsset(type)) {
    const points = definition.points ?? (definition.hull && access.hullPoints(definition.hull))
    const { vertices, indices, heights } = definition
    written.asset = assets.add(type, { points, vertices, indices, heights })
  }
  if (!isOrigin(position)) written.position = position
  if (!isNoTurn(orientation)) written.orientation = orientation
  for (const name of MATERIAL) written[name] = definition[name]
  return written
}

/**
 * A shape as it was made.
 * @param {Shape} shape
 * @param {AssetWriter} assets
 * @returns {Record<string, unknown>}
 */
export function writeDefinition(shape, assets) {
  const { density, sensor, shapes } = access.shapeDefinition(shape)
  const parts = shapes && shapes.map((part) => writeDefinition(part, assets))
  return { ...writeOwn(shape, assets), density, sensor: sensor || undefined, shapes: parts }
}

/**
 * @param {Shape} shape
 * @param {number} inherited density, where the shape has none
 * @param {Iterator<ShapeState>} states
 * @param {AssetWriter} assets
 * @returns {Record<string, unknown>}
 */
function writeShape(shape, inherited, states, assets) {
  const definition = access.shapeDefinition(shape)
  const written = writeOwn(shape, assets)
  const density = definition.density ?? inherited
  if (definition.shapes) {
    written.density = definition.density
    written.shapes = definition.shapes.map((part) => writeShape(part, density, states, assets))
  } else {
    const state = /** @type {ShapeState} */ (states.next().value)
    written.density = state.density === density ? definition.density : state.density
    written.sensor = state.sensor || undefined
  }
  return written
}

/** @param {readonly number[]} vector */
export function isOrigin(vector) {
  return vector.every((x) => Object.is(x, 0))
}

/** @param {readonly number[]} quaternion */
export function isNoTurn(quaternion) {
  return quaternion.every((x, i) => Object.is(x, i === 3 ? 1 : 0))
}
