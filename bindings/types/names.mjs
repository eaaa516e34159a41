// The words that name one of a few things. Most are made from bindings/schema.

export * from '../generated/types.mjs'

/** @typedef {'sphere' | 'box' | 'capsule' | 'cylinder' | 'cone' | 'hull' | 'plane'} ShapeType */
/** @typedef {'fixed' | 'ball' | 'hinge' | 'slider' | 'distance' | 'motor'} JointType */
/** @typedef {'custom' | 'distance' | 'unitQuaternion'} ConstraintType */

export {}
