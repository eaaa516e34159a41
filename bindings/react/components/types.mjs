// Props of the components.

/** @import { ReactNode, Ref } from 'react' */
/** @import { ThreeElements } from '@react-three/fiber' */
/** @import { RapierCollider } from '../../rapier/collider.mjs' */
/** @import { ColliderSettings } from '../../rapier/collider-settings.mjs' */
/** @import { RigidBodyTypeString } from '../../rapier/enums.mjs' */
/** @import { ContactManifold } from '../../rapier/manifold.mjs' */
/** @import { RapierRigidBody } from '../../rapier/rigid-body.mjs' */
/** @import { ColliderKind } from '../../rapier/shapes.mjs' */
/** @import { Xyz } from '../../rapier/vectors.mjs' */
/** @import { AutoCollider } from './auto-colliders.mjs' */

/** @typedef {[x: number, y: number, z: number]} Vector3Tuple */
/** @typedef {[x: boolean, y: boolean, z: boolean]} Boolean3Tuple */

/**
 * @typedef {object} CollisionTarget
 * @property {RapierRigidBody} [rigidBody]
 * @property {RapierCollider} collider
 * @property {import('three').Object3D} [rigidBodyObject]
 * @property {import('three').Object3D} [colliderObject]
 */

/** @typedef {CollisionTarget & { target: CollisionTarget, other: CollisionTarget }} CollisionPayload */
/** @typedef {CollisionPayload & { manifold: ContactManifold, flipped: boolean }} CollisionEnterPayload */
/** @typedef {CollisionPayload} CollisionExitPayload */
/** @typedef {CollisionPayload} IntersectionEnterPayload */
/** @typedef {CollisionPayload} IntersectionExitPayload */
/** @typedef {CollisionPayload & { totalForce: Xyz, totalForceMagnitude: number, maxForceDirection: Xyz, maxForceMagnitude: number }} ContactForcePayload */
/** @typedef {(payload: CollisionEnterPayload) => void} CollisionEnterHandler */
/** @typedef {(payload: CollisionExitPayload) => void} CollisionExitHandler */
/** @typedef {(payload: IntersectionEnterPayload) => void} IntersectionEnterHandler */
/** @typedef {(payload: IntersectionExitPayload) => void} IntersectionExitHandler */
/** @typedef {(payload: ContactForcePayload) => void} ContactForceHandler */

/**
 * @typedef {object} PairHandlers
 * @property {CollisionEnterHandler} [onCollisionEnter]
 * @property {CollisionExitHandler} [onCollisionExit]
 * @property {IntersectionEnterHandler} [onIntersectionEnter]
 * @property {IntersectionExitHandler} [onIntersectionExit]
 * @property {ContactForceHandler} [onContactForce]
 */

/** @typedef {Omit<ThreeElements['object3D'], 'ref' | 'args' | 'children'>} ObjectProps */

/**
 * @template {readonly unknown[]} Args
 * @typedef {ObjectProps & ColliderSettings & PairHandlers & { args: Args, children?: ReactNode, ref?: Ref<RapierCollider> }} ColliderProps
 */

/** @typedef {Omit<ColliderProps<any>, 'args'> & { shape: ColliderKind, args: any }} AnyColliderProps */

/** @typedef {[halfX: number, halfY: number, halfZ: number]} CuboidArgs */
/** @typedef {[halfX: number, halfY: number, halfZ: number, border: number]} RoundCuboidArgs */
/** @typedef {[radius: number]} BallArgs */
/** @typedef {[halfHeight: number, radius: number]} RoundArgs */
/** @typedef {[halfHeight: number, radius: number, border: number]} RoundBorderArgs */
/** @typedef {[points: ArrayLike<number>]} HullArgs */
/** @typedef {[vertices: ArrayLike<number>, indices: ArrayLike<number>]} TrimeshArgs */
/** @typedef {[nrows: number, ncols: number, heights: ArrayLike<number>, scale: Xyz]} HeightfieldArgs */

/**
 * @typedef {object} BodyOptions
 * @property {RigidBodyTypeString} [type] `'dynamic'`
 * @property {boolean} [canSleep] true
 * @property {number} [linearDamping] 1/s, 0
 * @property {number} [angularDamping] 1/s, 0
 * @property {Vector3Tuple} [linearVelocity] m/s, at the beginning and when it is another one
 * @property {Vector3Tuple} [angularVelocity] rad/s, likewise
 * @property {number} [gravityScale] 1
 * @property {number} [dominanceGroup] Moreau has none
 * @property {boolean} [ccd] whether it does not pass moving bodies in a step either; false
 * @property {number} [softCcdPrediction] Moreau has none
 * @property {number} [additionalSolverIterations] Moreau has none
 * @property {boolean} [lockRotations]
 * @property {boolean} [lockTranslations]
 * @property {Boolean3Tuple} [enabledRotations]
 * @property {Boolean3Tuple} [enabledTranslations]
 * @property {AutoCollider | false} [colliders] of the meshes within; default: that of `Physics`
 * @property {boolean} [includeInvisible] whether invisible meshes have colliders; false
 * @property {number} [mass] kg of all of it; default: what the colliders have
 * @property {() => void} [onSleep]
 * @property {() => void} [onWake]
 */

/** @typedef {ObjectProps & ColliderSettings & PairHandlers & BodyOptions} RigidBodyOptions */

/**
 * @typedef {RigidBodyOptions & { children?: ReactNode, ref?: Ref<RapierRigidBody>, instanceOf?: any }} RigidBodyProps
 *   `instanceOf` is our own
 */

/** @typedef {Omit<RigidBodyProps, 'ref'> & { key: string | number }} InstancedRigidBodyProps */

/**
 * @typedef {Omit<RigidBodyProps, 'ref'> & { instances: readonly InstancedRigidBodyProps[], colliderNodes?: ReactNode[],
 *   children: ReactNode, ref?: Ref<RapierRigidBody[]> }} InstancedRigidBodiesProps
 */

export {}
