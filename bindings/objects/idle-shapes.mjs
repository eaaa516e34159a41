import { access } from '../core/access.mjs'
import { isObject } from '../core/arguments.mjs'
import { readShapeDefinition, sameDefinition } from '../definitions/shape-definition.mjs'

/** @import { ReadDefinition } from '../definitions/shape-definition.mjs' */
/** @import { Shape } from './shape.mjs' */

/**
 * Shapes made by the way that no body uses, the one that was asked for last at the end.
 * @type {Set<Shape>}
 */
export const idle = new Set()

/** @param {Shape} shape one that was built before */
export function asked(shape) {
  if (idle.delete(shape)) idle.add(shape)
  return shape
}

/**
 * Shapes of definitions that no body uses are kept from call to call, so that a hull is not built
 * anew for each: as many as a loop over some pairs of definitions may need.
 */
export const KEPT_SHAPES = 16

/**
 * Frees shapes that were made by the way and that no body uses.
 * @param {number} kept how many of them may stay, those that were asked for last
 */
export function freeIdleShapes(kept) {
  for (const shape of idle) {
    if (idle.size <= kept) return
    idle.delete(shape)
    shape.free()
  }
}

access.freeIdleShapes = () => freeIdleShapes(0)

/**
 * Definitions that were used before, and their shapes.
 * @type {WeakMap<object, Shape>}
 */
const built = new WeakMap()

/**
 * What only the class of shapes can do.
 * @typedef {object} Making
 * @property {(definition: ReadDefinition, where: string, owner: 'bodies') => Shape} makeShape
 * @property {(value: unknown) => value is Shape} isShape
 * @property {(shape: Shape) => boolean} hasMemory
 */

/**
 * Gives what reads shapes where a call takes them: the shape of a definition, built once per definition object and its
 * values while it is in use; or the Shape itself. One that was built is idle until a body uses it: after the call, `addUser`
 * or `freeIdleShapes` is due.
 * @param {Making} making
 * @returns {typeof access.toShape}
 */
export function readingShapes({ makeShape, isShape, hasMemory }) {
  return function toShape(value, where, name) {
    const key = /** @type {object} */ (value)
    const last = built.get(key)
    const known = last && hasMemory(last) ? last : undefined
    const path = `${where}: ${name}`
    // Mostly it is as it was, and need not be checked anew.
    if (known && isObject(value) && sameDefinition(value, access.shapeDefinition(known)))
      return asked(known)
    if (isShape(value)) {
      access.shapePointer(value, path)
      return value
    }
    const definition = readShapeDefinition(value, path)
    if (known && sameDefinition(definition, access.shapeDefinition(known))) return asked(known)
    const shape = makeShape(definition, path, 'bodies')
    built.set(key, shape)
    idle.add(shape)
    return shape
  }
}
