// What modules below the classes need of their private parts.

/** @import { Body } from '../objects/body.mjs' */
/** @import { ConvexHull } from '../objects/convex-hull.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { ReadDefinition } from '../definitions/shape-definition.mjs' */

/**
 * Only a class sees its private parts, so each class fills in its entries where it is defined. They
 * are there before the first call of a user. Imports so point downwards only: a reader of definitions
 * imports no class.
 * @typedef {object} Access
 * @property {(value: unknown) => value is Body} isBody by its private parts: nothing else passes for
 *   one, and nothing throws
 * @property {(value: unknown) => value is ConvexHull} isHull likewise
 * @property {(value: unknown, where: string, name: string) => Shape} toShape the shape of a ShapeLike
 * @property {(shape: Shape, where: string) => number} shapePointer the engine's shape behind a Shape
 * @property {(shape: Shape) => ReadDefinition} shapeDefinition what a Shape was made of
 * @property {() => void} freeIdleShapes frees shapes that were made by the way and that no body uses
 * @property {(shape: Shape) => void} addUser has a Shape know of a body more that uses it
 * @property {(shape: Shape) => void} removeUser and of one less
 */

/** @type {Access} */
export const access = /** @type {Access} */ ({})
