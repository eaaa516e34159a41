// `moreau/react`: physics for @react-three/fiber, by the names of @react-three/rapier 2. React, three and fiber are the
// user's, optional peers.

export * from './components/colliders.mjs'
export { useRapier } from './components/context.mjs'
export { InstancedRigidBodies } from './components/instanced-rigid-bodies.mjs'
export { MeshCollider } from './components/mesh-collider.mjs'
export { Physics } from './components/physics.mjs'
export { RigidBody } from './components/rigid-body.mjs'
export * from './hooks/joints.mjs'
export * from './hooks/steps.mjs'
export { RapierCollider } from '../rapier/index.mjs'
export { ActiveCollisionTypes, ActiveHooks, CoefficientCombineRule } from '../rapier/index.mjs'
export { MotorModel, RigidBodyType, SolverFlags } from '../rapier/index.mjs'
export { interactionGroups } from '../rapier/index.mjs'
export { RapierImpulseJoint } from '../rapier/index.mjs'
export { RapierRigidBody } from '../rapier/index.mjs'
export { euler, quat, vec3 } from './vectors.mjs'
export { RapierWorld } from '../rapier/index.mjs'

/** @typedef {import('./components/auto-colliders.mjs').AutoCollider} RigidBodyAutoCollider */
/** @typedef {import('./components/mesh-collider.mjs').MeshColliderProps} MeshColliderProps */
/** @typedef {import('./components/physics.mjs').PhysicsProps} PhysicsProps */
/** @typedef {import('./components/physics.mjs').PhysicsContext} RapierContext */
/** @typedef {import('./components/simulation.mjs').StepCallback} WorldStepCallback */
/** @typedef {import('./components/types.mjs').BallArgs} BallArgs */
/** @typedef {import('./components/types.mjs').Boolean3Tuple} Boolean3Tuple */
/** @typedef {import('./components/types.mjs').CollisionEnterHandler} CollisionEnterHandler */
/** @typedef {import('./components/types.mjs').CollisionEnterPayload} CollisionEnterPayload */
/** @typedef {import('./components/types.mjs').CollisionExitHandler} CollisionExitHandler */
/** @typedef {import('./components/types.mjs').CollisionExitPayload} CollisionExitPayload */
/** @typedef {import('./components/types.mjs').CollisionPayload} CollisionPayload */
/** @typedef {import('./components/types.mjs').CollisionTarget} CollisionTarget */
/** @typedef {import('./components/types.mjs').ContactForceHandler} ContactForceHandler */
/** @typedef {import('./components/types.mjs').ContactForcePayload} ContactForcePayload */
/** @typedef {import('./components/types.mjs').CuboidArgs} CuboidArgs */
/** @typedef {import('./components/types.mjs').HeightfieldArgs} HeightfieldArgs */
/** @typedef {import('./components/types.mjs').HullArgs} ConvexHullArgs */
/** @typedef {import('./components/types.mjs').InstancedRigidBodiesProps} InstancedRigidBodiesProps */
/** @typedef {import('./components/types.mjs').InstancedRigidBodyProps} InstancedRigidBodyProps */
/** @typedef {import('./components/types.mjs').IntersectionEnterHandler} IntersectionEnterHandler */
/** @typedef {import('./components/types.mjs').IntersectionEnterPayload} IntersectionEnterPayload */
/** @typedef {import('./components/types.mjs').IntersectionExitHandler} IntersectionExitHandler */
/** @typedef {import('./components/types.mjs').IntersectionExitPayload} IntersectionExitPayload */
/** @typedef {import('./components/types.mjs').RigidBodyOptions} RigidBodyOptions */
/** @typedef {import('./components/types.mjs').RigidBodyProps} RigidBodyProps */
/** @typedef {import('./components/types.mjs').RoundArgs} CapsuleArgs */
/** @typedef {import('./components/types.mjs').RoundArgs} ConeArgs */
/** @typedef {import('./components/types.mjs').RoundArgs} CylinderArgs */
/** @typedef {import('./components/types.mjs').RoundBorderArgs} RoundConeArgs */
/** @typedef {import('./components/types.mjs').RoundBorderArgs} RoundCylinderArgs */
/** @typedef {import('./components/types.mjs').RoundCuboidArgs} RoundCuboidArgs */
/** @typedef {import('./components/types.mjs').TrimeshArgs} TrimeshArgs */
/** @typedef {import('./components/types.mjs').Vector3Tuple} Vector3Tuple */
/** @typedef {import('../rapier/enums.mjs').RigidBodyTypeString} RigidBodyTypeString */
/** @typedef {number} InteractionGroups */

/**
 * @template {readonly unknown[]} Args
 * @typedef {import('./components/types.mjs').ColliderProps<Args>} ColliderOptionsRequiredArgs
 */
/** @typedef {ColliderOptionsRequiredArgs<BallArgs>} BallColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<CuboidArgs>} CuboidColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<CapsuleArgs>} CapsuleColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<ConeArgs>} ConeColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<CylinderArgs>} CylinderColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<ConvexHullArgs>} ConvexHullColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<RoundCuboidArgs>} RoundCuboidColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<TrimeshArgs>} TrimeshColliderProps */
/** @typedef {ColliderOptionsRequiredArgs<HeightfieldArgs>} HeightfieldColliderProps */
