// The words that name one of a few things. Most are made from bindings/schema.

export * from '../generated/types.mjs'

/**
 * How the coefficients of two materials become that of their contact. Of two different rules the first
 * in this order counts, which is that of glTF.
 * @typedef {'average' | 'minimum' | 'maximum' | 'multiply' | 'geometricMean'} CombineRule
 */
/**
 * @typedef {'sphere' | 'box' | 'capsule' | 'cylinder' | 'cone' | 'hull' | 'plane' | 'mesh'
 *   | 'heightfield' | 'compound'} ShapeType
 */
/**
 * @typedef {'fixed' | 'ball' | 'hinge' | 'slider' | 'distance' | 'rope' | 'spring' | 'universal'
 *   | 'sixDof' | 'gear' | 'rackAndPinion' | 'pulley' | 'wheel' | 'motor' | 'path'} JointType
 */
/** @typedef {'custom' | 'distance' | 'unitQuaternion'} ConstraintType */

export {}
