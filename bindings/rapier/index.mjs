// Rapier's spelling, for the entries that stand on it: a bundle of its own, which they share and bundlers may leave out.

export { applyOptions } from './body-options.mjs'
export { standAlone } from './by-hand.mjs'
export { RapierCollider } from './collider.mjs'
export { KinematicCharacterController } from './character-controller.mjs'
export { ColliderDesc, RigidBodyDesc } from './descriptors.mjs'
export {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  JointType,
  MotorModel,
  RigidBodyType,
  SolverFlags,
} from './enums.mjs'
export { ContactForceEvent, EventQueue } from './event-queue.mjs'
export { PAIR_HANDLERS, SLEEP_HANDLERS } from './events.mjs'
export { interactionGroups } from './groups.mjs'
export { JointData, RapierImpulseJoint } from './joint.mjs'
export { ContactManifold } from './manifold.mjs'
export { rapier, WorldSnapshot } from './namespace.mjs'
export { PidAxesMask, PidController } from './pid-controller.mjs'
export { QueryFilterFlags, Ray } from './rays.mjs'
export { refuse } from './refusals.mjs'
export { RapierRigidBody } from './rigid-body.mjs'
export {
  Ball,
  Capsule,
  Cone,
  ConvexPolyhedron,
  Cuboid,
  Cylinder,
  HalfSpace,
  Heightfield,
  RapierShape,
  RoundCone,
  RoundConvexPolyhedron,
  RoundCuboid,
  RoundCylinder,
  ShapeType,
  TriMesh,
} from './shape-classes.mjs'
export { numbersOf, quadruple, Quaternion, triple, Vector3 } from './vectors.mjs'
export { DynamicRayCastVehicleController } from './vehicle-controller.mjs'
export { warnOnce } from './warn.mjs'
export { RapierWorld } from './world.mjs'

// The types that the entries which stand on it name.
/** @typedef {import('./collider-settings.mjs').ColliderSettings} ColliderSettings */
/** @typedef {import('./enums.mjs').RigidBodyTypeString} RigidBodyTypeString */
/** @typedef {import('./joint.mjs').JointParams} JointParams */
/** @typedef {import('./pair-rules.mjs').FilterContactPair} FilterContactPair */
/** @typedef {import('./pair-rules.mjs').FilterIntersectionPair} FilterIntersectionPair */
/** @typedef {import('./pair-rules.mjs').PhysicsHooks} PhysicsHooks */
/** @typedef {import('./rigid-body.mjs').Pose} Pose */
/** @typedef {import('./shapes.mjs').ColliderArgs} ColliderArgs */
/** @typedef {import('./shapes.mjs').ColliderKind} ColliderKind */
/** @typedef {import('./vectors.mjs').QuaternionInput} QuaternionInput */
/** @typedef {import('./vectors.mjs').VectorInput} VectorInput */
/** @typedef {import('./vectors.mjs').Xyz} Xyz */
/** @typedef {import('./vectors.mjs').Xyzw} Xyzw */
