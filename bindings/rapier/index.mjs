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
