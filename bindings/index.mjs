// Moreau: rigid-body physics that proves its step. The whole of the package's default entry.

export { Body } from './body.mjs'
export { Bounds } from './bounds.mjs'
export { collide, distance } from './collide.mjs'
export { Constraint, Joint } from './constraint.mjs'
export { solveContactProblem } from './contact-problem.mjs'
export { CONTACT_POINT_LAYOUT } from './contacts.mjs'
export { ConvexHull } from './convex-hull.mjs'
export { MoreauError } from './errors.mjs'
export { init, initSync } from './loader.mjs'
export { createShape, Shape } from './shape.mjs'
export { Potential } from './potential.mjs'
export { World } from './world.mjs'

/** @typedef {import('./types.mjs').VectorLike} VectorLike */
/** @typedef {import('./types.mjs').QuaternionLike} QuaternionLike */
/** @typedef {import('./types.mjs').VectorOut} VectorOut */
/** @typedef {import('./types.mjs').QuaternionOut} QuaternionOut */
/** @typedef {import('./types.mjs').Vector} Vector */
/** @typedef {import('./types.mjs').Quaternion} Quaternion */
/** @typedef {import('./types.mjs').InertiaLike} InertiaLike */
/** @typedef {import('./types.mjs').BodyType} BodyType */
/** @typedef {import('./types.mjs').ShapeType} ShapeType */
/** @typedef {import('./types.mjs').SolverName} SolverName */
/** @typedef {import('./types.mjs').FrictionLaw} FrictionLaw */
/** @typedef {import('./types.mjs').Effort} Effort */
/** @typedef {import('./types.mjs').Stabilization} Stabilization */
/** @typedef {import('./types.mjs').IntegratorName} IntegratorName */
/** @typedef {import('./types.mjs').PotentialType} PotentialType */
/** @typedef {import('./types.mjs').PotentialBody} PotentialBody */
/** @typedef {import('./types.mjs').PotentialForce} PotentialForce */
/** @typedef {import('./types.mjs').PotentialEnergy} PotentialEnergy */
/** @typedef {import('./types.mjs').PotentialDefinition} PotentialDefinition */
/** @typedef {import('./types.mjs').JointType} JointType */
/** @typedef {import('./types.mjs').ConstraintType} ConstraintType */
/** @typedef {import('./types.mjs').LimitsLike} LimitsLike */
/** @typedef {import('./types.mjs').ConstraintGains} ConstraintGains */
/** @typedef {import('./types.mjs').JointPlacement} JointPlacement */
/** @typedef {import('./types.mjs').FixedOrBall} FixedOrBall */
/** @typedef {import('./types.mjs').HingeOrSlider} HingeOrSlider */
/** @typedef {import('./types.mjs').DistanceMeasures} DistanceMeasures */
/** @typedef {import('./types.mjs').JointDefinition} JointDefinition */
/** @typedef {import('./types.mjs').ConstraintBody} ConstraintBody */
/** @typedef {import('./types.mjs').ConstraintFunction} ConstraintFunction */
/** @typedef {import('./types.mjs').BoundsLike} BoundsLike */
/** @typedef {import('./types.mjs').CustomMeasures} CustomMeasures */
/** @typedef {import('./types.mjs').UnitQuaternionMeasures} UnitQuaternionMeasures */
/** @typedef {import('./types.mjs').DistanceBodies} DistanceBodies */
/** @typedef {import('./types.mjs').ConstraintDefinition} ConstraintDefinition */
/** @typedef {import('./types.mjs').Pose} Pose */
/** @typedef {import('./types.mjs').WorldOptions} WorldOptions */
/** @typedef {import('./types.mjs').ShapePlacement} ShapePlacement */
/** @typedef {import('./types.mjs').SphereMeasures} SphereMeasures */
/** @typedef {import('./types.mjs').BoxMeasures} BoxMeasures */
/** @typedef {import('./types.mjs').CapsuleMeasures} CapsuleMeasures */
/** @typedef {import('./types.mjs').HullMeasures} HullMeasures */
/** @typedef {import('./types.mjs').PlaneMeasures} PlaneMeasures */
/** @typedef {import('./types.mjs').ShapeDefinition} ShapeDefinition */
/** @typedef {import('./types.mjs').PointsLike} PointsLike */
/** @typedef {import('./types.mjs').BufferAttributeLike} BufferAttributeLike */
/** @typedef {import('./types.mjs').Filter} Filter */
/** @typedef {import('./types.mjs').BodyDefinition} BodyDefinition */
/** @typedef {import('./types.mjs').ShapeLike} ShapeLike */
/** @typedef {import('./types.mjs').BodyContactPoint} BodyContactPoint */
/** @typedef {import('./types.mjs').BodyContact} BodyContact */
/** @typedef {import('./types.mjs').ContactPoint} ContactPoint */
/** @typedef {import('./types.mjs').Collision} Collision */
/** @typedef {import('./types.mjs').CollisionPoint} CollisionPoint */
/** @typedef {import('./types.mjs').Distance} Distance */
/** @typedef {import('./types.mjs').Energy} Energy */
/** @typedef {import('./types.mjs').Momentum} Momentum */
/** @typedef {import('./types.mjs').Residual} Residual */
/** @typedef {import('./types.mjs').Stats} Stats */
/** @typedef {import('./types.mjs').SolveStatus} SolveStatus */
/** @typedef {import('./types.mjs').Island} Island */
/** @typedef {import('./types.mjs').SolverEvent} SolverEvent */
/** @typedef {import('./types.mjs').QueryFilter} QueryFilter */
/** @typedef {import('./types.mjs').RayCastOptions} RayCastOptions */
/** @typedef {import('./types.mjs').RayHit} RayHit */
/** @typedef {import('./types.mjs').RayHitOut} RayHitOut */
/** @typedef {import('./types.mjs').RayHitRead} RayHitRead */
/** @typedef {import('./types.mjs').SleepEvents} SleepEvents */
/** @typedef {import('./types.mjs').WorldEvents} WorldEvents */
/** @typedef {import('./types.mjs').Profile} Profile */
/** @typedef {import('./types.mjs').MatrixLike} MatrixLike */
/** @typedef {import('./types.mjs').Triplets} Triplets */
/** @typedef {import('./types.mjs').LocalProblem} LocalProblem */
/** @typedef {import('./types.mjs').GlobalProblem} GlobalProblem */
/** @typedef {import('./types.mjs').ContactProblem} ContactProblem */
/** @typedef {import('./types.mjs').SolveOptions} SolveOptions */
/** @typedef {import('./types.mjs').SolveResult} SolveResult */
/** @typedef {import('./types.mjs').RecordedProblem} RecordedProblem */
/** @typedef {import('./types.mjs').MemoryUse} MemoryUse */
/** @typedef {import('./types.mjs').AdvanceOptions} AdvanceOptions */
/** @typedef {import('./types.mjs').WasmSource} WasmSource */
/** @typedef {import('./convex-hull.mjs').HullFacet} HullFacet */
/** @typedef {import('./convex-hull.mjs').HullFace} HullFace */
/** @typedef {import('./errors.mjs').MoreauErrorCode} MoreauErrorCode */
/** @typedef {import('./loader.mjs').InitOptions} InitOptions */
/** @typedef {import('./loader.mjs').InitSyncOptions} InitSyncOptions */
