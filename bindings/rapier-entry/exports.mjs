export { init, reserveMemory, version } from './start.mjs'
export { World } from './world.mjs'
export {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  Ball,
  Capsule,
  CoefficientCombineRule,
  RapierCollider as Collider,
  ColliderDesc,
  Cone,
  ConvexPolyhedron,
  Cuboid,
  Cylinder,
  DynamicRayCastVehicleController,
  EventQueue,
  HalfSpace,
  Heightfield,
  RapierImpulseJoint as ImpulseJoint,
  JointData,
  JointType,
  KinematicCharacterController,
  MotorModel,
  PidAxesMask,
  PidController,
  Quaternion,
  QueryFilterFlags,
  Ray,
  RapierRigidBody as RigidBody,
  RigidBodyDesc,
  RigidBodyType,
  RoundCone,
  RoundConvexPolyhedron,
  RoundCuboid,
  RoundCylinder,
  RapierShape as Shape,
  ShapeType,
  SolverFlags,
  ContactForceEvent as TempContactForceEvent,
  ContactManifold as TempContactManifold,
  TriMesh,
  Vector3,
} from '../rapier/index.mjs'

/** @typedef {import('../rapier/index.mjs').Xyz} Vector */
/** @typedef {import('../rapier/index.mjs').Xyzw} Rotation */
/** @typedef {Pick<import('../rapier/index.mjs').PhysicsHooks, 'filterContactPair' | 'filterIntersectionPair'>} PhysicsHooks */
/** @typedef {number} InteractionGroups */
/** @typedef {number} RigidBodyHandle */
/** @typedef {number} ColliderHandle */
/** @typedef {number} ImpulseJointHandle */
