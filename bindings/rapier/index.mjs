// Rapier's spelling, for the entries that stand on it: a bundle of its own, which they share and bundlers may leave out.

export { applyOptions } from './body-options.mjs'
export { standAlone } from './by-hand.mjs'
export { RapierCollider } from './collider.mjs'
export { ColliderDesc, RigidBodyDesc } from './descriptors.mjs'
export {
  ActiveCollisionTypes,
  ActiveHooks,
  CoefficientCombineRule,
  MotorModel,
  RigidBodyType,
  SolverFlags,
} from './enums.mjs'
export { PAIR_HANDLERS, SLEEP_HANDLERS } from './events.mjs'
export { interactionGroups } from './groups.mjs'
export { JointData, RapierImpulseJoint } from './joint.mjs'
export { rapier, WorldSnapshot } from './namespace.mjs'
export { RapierRigidBody } from './rigid-body.mjs'
export { euler, numbersOf, quadruple, quat, triple, vec3 } from './vectors.mjs'
export { warnOnce } from './warn.mjs'
export { RapierWorld } from './world.mjs'

// The types that the entries which stand on it name.
/** @typedef {import('./collider-settings.mjs').ColliderSettings} ColliderSettings */
/** @typedef {import('./enums.mjs').RigidBodyTypeString} RigidBodyTypeString */
/** @typedef {import('./joint.mjs').JointParams} JointParams */
/** @typedef {import('./manifold.mjs').ContactManifold} ContactManifold */
/** @typedef {import('./pair-rules.mjs').FilterContactPair} FilterContactPair */
/** @typedef {import('./pair-rules.mjs').FilterIntersectionPair} FilterIntersectionPair */
/** @typedef {import('./rigid-body.mjs').Pose} Pose */
/** @typedef {import('./shapes.mjs').ColliderArgs} ColliderArgs */
/** @typedef {import('./shapes.mjs').ColliderKind} ColliderKind */
/** @typedef {import('./vectors.mjs').QuaternionInput} QuaternionInput */
/** @typedef {import('./vectors.mjs').VectorInput} VectorInput */
/** @typedef {import('./vectors.mjs').Xyz} Xyz */
