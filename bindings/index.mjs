// Moreau: rigid-body physics that proves its step. The whole of the package's default entry.

import { access } from './core/access.mjs'
import { outOfMemory } from './core/engine.mjs'
import { tellOf } from './objects/events.mjs'
import { Journal } from './state/journal.mjs'

export { Body } from './objects/body.mjs'
export { Bounds } from './definitions/bounds.mjs'
export { Character } from './objects/character.mjs'
export { collide, distance } from './objects/collide.mjs'
export { Constraint } from './objects/constraint.mjs'
export { Joint } from './objects/joint.mjs'
export { solveContactProblem } from './objects/contact-problem.mjs'
export { CONTACT_POINT_LAYOUT } from './objects/contacts.mjs'
export { SLEEP_EVENT_LAYOUT } from './objects/events.mjs'
export { CONTACT_EVENT_LAYOUT, SENSOR_EVENT_LAYOUT } from './objects/pair-events.mjs'
export { ConvexHull } from './objects/convex-hull.mjs'
export { MoreauError } from './core/errors.mjs'
export { History } from './state/history.mjs'
export { init, initSync } from './core/loader.mjs'
export { createShape, Shape } from './objects/shape.mjs'
export { Potential } from './objects/potential.mjs'
export { Ragdoll } from './objects/ragdoll.mjs'
export { Vehicle } from './objects/vehicle.mjs'
export { World } from './objects/world.mjs'
export { WorldBatch } from './objects/world-batch.mjs'

/**
 * What `moreau/worker` needs of the engine's inside, and nobody else: it changes with that.
 * @internal
 */
export const internals = Object.freeze({ access, Journal, outOfMemory, tellOf })

/** @typedef {import('./types/index.mjs').Advice} Advice */
/** @typedef {import('./types/index.mjs').AdviceCode} AdviceCode */
/** @typedef {import('./types/index.mjs').BodySummary} BodySummary */
/** @typedef {import('./types/index.mjs').ConstraintRow} ConstraintRow */
/** @typedef {import('./types/index.mjs').ConstraintSummary} ConstraintSummary */
/** @typedef {import('./types/index.mjs').PotentialSummary} PotentialSummary */
/** @typedef {import('./types/index.mjs').VectorLike} VectorLike */
/** @typedef {import('./types/index.mjs').QuaternionLike} QuaternionLike */
/** @typedef {import('./types/index.mjs').VectorOut} VectorOut */
/** @typedef {import('./types/index.mjs').QuaternionOut} QuaternionOut */
/** @typedef {import('./types/index.mjs').Vector} Vector */
/** @typedef {import('./types/index.mjs').Quaternion} Quaternion */
/** @typedef {import('./types/index.mjs').InertiaLike} InertiaLike */
/** @typedef {import('./types/index.mjs').BodyType} BodyType */
/** @typedef {import('./types/index.mjs').ShapeType} ShapeType */
/** @typedef {import('./types/index.mjs').SolverName} SolverName */
/** @typedef {import('./types/index.mjs').FrictionLaw} FrictionLaw */
/** @typedef {import('./types/index.mjs').Effort} Effort */
/** @typedef {import('./types/index.mjs').ImpactLaw} ImpactLaw */
/** @typedef {import('./types/index.mjs').RowRole} RowRole */
/** @typedef {import('./types/index.mjs').Stabilization} Stabilization */
/** @typedef {import('./types/index.mjs').IntegratorName} IntegratorName */
/** @typedef {import('./types/index.mjs').PotentialType} PotentialType */
/** @typedef {import('./types/index.mjs').PotentialBody} PotentialBody */
/** @typedef {import('./types/index.mjs').PotentialForce} PotentialForce */
/** @typedef {import('./types/index.mjs').PotentialEnergy} PotentialEnergy */
/** @typedef {import('./types/index.mjs').PotentialDefinition} PotentialDefinition */
/** @typedef {import('./types/index.mjs').PotentialChanges} PotentialChanges */
/** @typedef {import('./types/index.mjs').Region} Region */
/** @typedef {import('./types/index.mjs').Explosion} Explosion */
/** @typedef {import('./types/index.mjs').CombineRule} CombineRule */
/** @typedef {import('./types/index.mjs').JointType} JointType */
/** @typedef {import('./types/index.mjs').ConstraintType} ConstraintType */
/** @typedef {import('./types/index.mjs').LimitsLike} LimitsLike */
/** @typedef {import('./types/index.mjs').JointLimits} JointLimits */
/** @typedef {import('./types/index.mjs').JointMotor} JointMotor */
/** @typedef {import('./types/index.mjs').JointSpring} JointSpring */
/** @typedef {import('./types/index.mjs').JointDrive} JointDrive */
/** @typedef {import('./types/index.mjs').DriveOptions} DriveOptions */
/** @typedef {import('./types/index.mjs').BallLimits} BallLimits */
/** @typedef {import('./types/index.mjs').JointPath} JointPath */
/** @typedef {import('./types/index.mjs').PathAlignment} PathAlignment */
/** @typedef {import('./types/index.mjs').PoseMotor} PoseMotor */
/** @typedef {import('./types/index.mjs').ConstraintGains} ConstraintGains */
/** @typedef {import('./types/index.mjs').JointPlacement} JointPlacement */
/** @typedef {import('./types/index.mjs').HingeOrSlider} HingeOrSlider */
/** @typedef {import('./types/index.mjs').DistanceMeasures} DistanceMeasures */
/** @typedef {import('./types/index.mjs').JointDefinition} JointDefinition */
/** @typedef {import('./types/index.mjs').ConstraintBody} ConstraintBody */
/** @typedef {import('./types/index.mjs').ConstraintFunction} ConstraintFunction */
/** @typedef {import('./types/index.mjs').BoundsLike} BoundsLike */
/** @typedef {import('./types/index.mjs').CustomMeasures} CustomMeasures */
/** @typedef {import('./types/index.mjs').UnitQuaternionMeasures} UnitQuaternionMeasures */
/** @typedef {import('./types/index.mjs').DistanceBodies} DistanceBodies */
/** @typedef {import('./types/index.mjs').ConstraintDefinition} ConstraintDefinition */
/** @typedef {import('./types/index.mjs').Pose} Pose */
/** @typedef {import('./types/index.mjs').WorldOptions} WorldOptions */
/** @typedef {import('./types/index.mjs').CoordinateReference} CoordinateReference */
/** @typedef {import('./types/index.mjs').JointReference} JointReference */
/** @typedef {import('./types/index.mjs').BatchAction} BatchAction */
/** @typedef {import('./types/index.mjs').BatchFailure} BatchFailure */
/** @typedef {import('./types/index.mjs').BatchObservation} BatchObservation */
/** @typedef {import('./types/index.mjs').BatchOptions} BatchOptions */
/** @typedef {import('./types/index.mjs').BatchStart} BatchStart */
/** @typedef {import('./types/index.mjs').SceneAsset} SceneAsset */
/** @typedef {import('./types/index.mjs').SceneJson} SceneJson */
/** @typedef {import('./types/index.mjs').SceneReading} SceneReading */
/** @typedef {import('./types/index.mjs').Snapshooting} Snapshooting */
/** @typedef {import('./types/index.mjs').HistoryOptions} HistoryOptions */
/** @typedef {import('./types/index.mjs').Restoring} Restoring */
/** @typedef {import('./types/index.mjs').RecordOptions} RecordOptions */
/** @typedef {import('./types/index.mjs').ReplayOptions} ReplayOptions */
/** @typedef {import('./types/index.mjs').Replay} Replay */
/** @typedef {import('./types/index.mjs').ReplayDivergence} ReplayDivergence */
/** @typedef {import('./state/difference.mjs').StateDifference} StateDifference */
/** @typedef {import('./state/recording.mjs').Recording} Recording */
/** @typedef {import('./types/index.mjs').SceneWriting} SceneWriting */
/** @typedef {import('./types/index.mjs').ShapePlacement} ShapePlacement */
/** @typedef {import('./types/index.mjs').SphereMeasures} SphereMeasures */
/** @typedef {import('./types/index.mjs').BoxMeasures} BoxMeasures */
/** @typedef {import('./types/index.mjs').CapsuleMeasures} CapsuleMeasures */
/** @typedef {import('./types/index.mjs').HullMeasures} HullMeasures */
/** @typedef {import('./types/index.mjs').PlaneMeasures} PlaneMeasures */
/** @typedef {import('./types/index.mjs').ShapeDefinition} ShapeDefinition */
/** @typedef {import('./types/index.mjs').PointsLike} PointsLike */
/** @typedef {import('./types/index.mjs').IndicesLike} IndicesLike */
/** @typedef {import('./types/index.mjs').BufferAttributeLike} BufferAttributeLike */
/** @typedef {import('./types/index.mjs').Filter} Filter */
/** @typedef {import('./types/index.mjs').BodyDefinition} BodyDefinition */
/** @typedef {import('./types/index.mjs').ShapeLike} ShapeLike */
/** @typedef {import('./types/index.mjs').BodyContactPoint} BodyContactPoint */
/** @typedef {import('./types/index.mjs').BodyContact} BodyContact */
/** @typedef {import('./types/index.mjs').ContactPoint} ContactPoint */
/** @typedef {import('./types/index.mjs').Collision} Collision */
/** @typedef {import('./types/index.mjs').CollisionPoint} CollisionPoint */
/** @typedef {import('./types/index.mjs').Distance} Distance */
/** @typedef {import('./types/index.mjs').Energy} Energy */
/** @typedef {import('./types/index.mjs').BodyEnergy} BodyEnergy */
/** @typedef {import('./types/index.mjs').EventCounts} EventCounts */
/** @typedef {import('./types/index.mjs').Momentum} Momentum */
/** @typedef {import('./types/index.mjs').Residual} Residual */
/** @typedef {import('./types/index.mjs').Stats} Stats */
/** @typedef {import('./types/index.mjs').SolveStatus} SolveStatus */
/** @typedef {import('./types/index.mjs').Island} Island */
/** @typedef {import('./types/index.mjs').SolverEvent} SolverEvent */
/** @typedef {import('./types/index.mjs').QueryFilter} QueryFilter */
/** @typedef {import('./types/index.mjs').RayCastOptions} RayCastOptions */
/** @typedef {import('./types/index.mjs').RayHit} RayHit */
/** @typedef {import('./types/index.mjs').RayHitOut} RayHitOut */
/** @typedef {import('./types/index.mjs').RayHitRead} RayHitRead */
/** @typedef {import('./types/index.mjs').QueryPredicate} QueryPredicate */
/** @typedef {import('./types/index.mjs').QueryOptions} QueryOptions */
/** @typedef {import('./types/index.mjs').QueryHit} QueryHit */
/** @typedef {import('./types/index.mjs').QueryHitOut} QueryHitOut */
/** @typedef {import('./types/index.mjs').QueryHitRead} QueryHitRead */
/** @typedef {import('./types/index.mjs').Overlap} Overlap */
/** @typedef {import('./types/index.mjs').ShapeCastOptions} ShapeCastOptions */
/** @typedef {import('./types/index.mjs').ShapeCastHit} ShapeCastHit */
/** @typedef {import('./types/index.mjs').ShapeCastHitRead} ShapeCastHitRead */
/** @typedef {import('./types/index.mjs').RayBatchOptions} RayBatchOptions */
/** @typedef {import('./types/index.mjs').ShapeBatchOptions} ShapeBatchOptions */
/** @typedef {import('./types/index.mjs').CastBatchOut} CastBatchOut */
/** @typedef {import('./types/index.mjs').CharacterDefinition} CharacterDefinition */
/** @typedef {import('./types/index.mjs').CharacterOptions} CharacterOptions */
/** @typedef {import('./types/index.mjs').CharacterContact} CharacterContact */
/** @typedef {import('./types/index.mjs').SleepEvents} SleepEvents */
/** @typedef {import('./types/index.mjs').BodyEvents} BodyEvents */
/** @typedef {import('./types/index.mjs').ContactEvent} ContactEvent */
/** @typedef {import('./types/index.mjs').ContactEventPoint} ContactEventPoint */
/** @typedef {import('./types/index.mjs').ContactEventType} ContactEventType */
/** @typedef {import('./types/index.mjs').ContactEvents} ContactEvents */
/** @typedef {import('./types/index.mjs').SensorEvent} SensorEvent */
/** @typedef {import('./types/index.mjs').SensorEvents} SensorEvents */
/** @typedef {import('./types/index.mjs').SleepEvent} SleepEvent */
/** @typedef {import('./types/index.mjs').ContactFilter} ContactFilter */
/** @typedef {import('./types/index.mjs').ContactModifier} ContactModifier */
/** @typedef {import('./objects/contact-function.mjs').ContactPair} ContactPair */
/** @typedef {import('./types/index.mjs').JointEvent} JointEvent */
/** @typedef {import('./types/index.mjs').WorldEvents} WorldEvents */
/** @typedef {import('./types/index.mjs').Profile} Profile */
/** @typedef {import('./types/index.mjs').MatrixLike} MatrixLike */
/** @typedef {import('./types/index.mjs').Triplets} Triplets */
/** @typedef {import('./types/index.mjs').LocalProblem} LocalProblem */
/** @typedef {import('./types/index.mjs').GlobalProblem} GlobalProblem */
/** @typedef {import('./types/index.mjs').ContactProblem} ContactProblem */
/** @typedef {import('./types/index.mjs').SolveOptions} SolveOptions */
/** @typedef {import('./types/index.mjs').SolveResult} SolveResult */
/** @typedef {import('./types/index.mjs').RecordedProblem} RecordedProblem */
/** @typedef {import('./types/index.mjs').MemoryUse} MemoryUse */
/** @typedef {import('./types/index.mjs').AdvanceOptions} AdvanceOptions */
/** @typedef {import('./types/index.mjs').WasmSource} WasmSource */
/** @typedef {import('./types/index.mjs').WasmModule} WasmModule */
/** @typedef {import('./types/index.mjs').ResponseLike} ResponseLike */
/** @typedef {import('./objects/convex-hull.mjs').HullFacet} HullFacet */
/** @typedef {import('./objects/convex-hull.mjs').HullFace} HullFace */
/** @typedef {import('./core/errors.mjs').MoreauErrorCode} MoreauErrorCode */
/** @typedef {import('./core/loader.mjs').InitOptions} InitOptions */
/** @typedef {import('./core/loader.mjs').InitSyncOptions} InitSyncOptions */
/** @typedef {import('./types/index.mjs').DebugLines} DebugLines */
/** @typedef {import('./types/index.mjs').DebugRenderOptions} DebugRenderOptions */
/** @typedef {import('./types/index.mjs').VehicleDefinition} VehicleDefinition */
/** @typedef {import('./types/index.mjs').BoneDefinition} BoneDefinition */
/** @typedef {import('./types/index.mjs').BoneJoint} BoneJoint */
/** @typedef {import('./types/index.mjs').BonePose} BonePose */
/** @typedef {import('./types/index.mjs').RagdollDrive} RagdollDrive */
/** @typedef {import('./types/index.mjs').RagdollTarget} RagdollTarget */
/** @typedef {import('./types/index.mjs').Skeleton} Skeleton */
/** @typedef {import('./types/index.mjs').Wheel} Wheel */
/** @typedef {import('./types/index.mjs').WheelDefinition} WheelDefinition */
/** @typedef {import('./types/index.mjs').WheelReadOuts} WheelReadOuts */
/** @typedef {import('./types/index.mjs').WheelSettings} WheelSettings */
