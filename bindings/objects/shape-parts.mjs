/** @import { Shape } from './shape.mjs' */

/**
 * The shape behind an index of the engine, which counts the parts of compounds one by one.
 * @param {readonly Shape[]} shapes of a body
 * @param {number} index
 * @returns {Shape}
 */
export function shapeAt(shapes, index) {
  const shape = shapes[index]
  if (shapes.every((one) => one.shapes === undefined)) return shape
  return shapes.flatMap(leavesOf)[index]
}

/**
 * @param {Shape} shape
 * @returns {readonly Shape[]}
 */
function leavesOf(shape) {
  return shape.shapes?.flatMap(leavesOf) ?? [shape]
}
