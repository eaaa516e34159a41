// The types that options and results are made of. There is no code here.

/**
 * A vector or point to be read: three numbers, or anything with `x`, `y`, `z` (a three.js `Vector3`).
 * @typedef {readonly number[] | Float32Array | Float64Array
 *   | { readonly x: number, readonly y: number, readonly z: number }} VectorLike
 */

/**
 * A quaternion to be read: `[x, y, z, w]`, or anything with these names (a three.js `Quaternion`).
 * Need not be of unit length: anything from 1e-150 to 1e150 is fine.
 * @typedef {readonly number[] | Float32Array | Float64Array | { readonly x: number,
 *   readonly y: number, readonly z: number, readonly w: number }} QuaternionLike
 */

/**
 * Three numbers or an object that a `read...` function writes to.
 * @typedef {number[] | Float32Array | Float64Array | { x: number, y: number, z: number }} VectorOut
 */

/**
 * Four numbers or an object that a `read...` function writes to.
 * @typedef {number[] | Float32Array | Float64Array
 *   | { x: number, y: number, z: number, w: number }} QuaternionOut
 */

/** @typedef {[x: number, y: number, z: number]} Vector a vector or point, as getters give it */
/** @typedef {[x: number, y: number, z: number, w: number]} Quaternion as getters give it; unit */

/**
 * A symmetric 3 by 3 matrix: `[Ixx, Iyy, Izz]` of a diagonal one, or 9 numbers by rows.
 * @typedef {readonly number[] | Float32Array | Float64Array} InertiaLike
 */

/** @typedef {'dynamic' | 'static' | 'kinematic'} BodyType */
/** @typedef {'sphere' | 'box' | 'capsule' | 'hull' | 'plane'} ShapeType */
/**
 * @typedef {'soft-step' | 'block-pgs' | 'exact' | 'bilateral' | 'active-set' | 'cone'} SolverName
 */
/** @typedef {'coulomb' | 'convex'} FrictionLaw */
/** @typedef {'step' | 'offline'} Effort */
/** @typedef {'split' | 'baumgarte' | 'none'} Stabilization */

/**
 * How the smooth motion is integrated; of order 1, 1, 2, 4, 2. A body that a contact pushes moves with
 * its velocity at the end of the step in each of them.
 * @typedef {'semi-implicit-euler' | 'explicit-euler' | 'velocity-verlet' | 'rk4'
 *   | 'implicit-midpoint'} IntegratorName
 */

/**
 * @typedef {'gravity' | 'pointGravity' | 'tidal' | 'magnetic' | 'drag' | 'spring' | 'custom'
 *   } PotentialType
 */
/** @typedef {'fixed' | 'ball' | 'hinge' | 'slider' | 'distance'} JointType */
/** @typedef {'custom' | 'distance' | 'unitQuaternion'} ConstraintType */

/**
 * Where something is.
 * @typedef {object} Pose
 * @property {VectorLike} [position] metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] default `[0, 0, 0, 1]`, no rotation
 */

/**
 * Options of a world. All but `profile` may also be read and set later, under the same names.
 * @typedef {object} WorldOptions
 * @property {VectorLike} [gravity] m/s²; default `[0, -9.81, 0]`
 * @property {SolverName} [solver] default `'soft-step'`, substeps with soft constraints: fast.
 *   `'block-pgs'`: block projected Gauss-Seidel with true Coulomb friction. `'exact'` solves each island by what it holds: `'bilateral'` where there are
 *   only joints, `'active-set'` without friction, `'cone'` with it; these names ask for one of them
 *   where it can do the work
 * @property {number} [substeps] of `'soft-step'` in a step, a whole number from 1 to 64; default 4
 * @property {number} [iterations] sweeps of `'block-pgs'` per solve, a whole number from 1 to 100000;
 *   default 20
 * @property {number} [tolerance] m/s, default 1e-8. `'block-pgs'`: a sweep that changes no contact
 *   velocity by more than this ends the solve. Exact solvers: what the certificate of an island
 *   must reach
 * @property {FrictionLaw} [frictionLaw] default `'coulomb'`. `'convex'`, for exact solvers only, is
 *   the convex relaxation, in which what slides lifts off by the friction coefficient times its speed
 * @property {Effort} [effort] of the exact solvers; default `'step'`. `'offline'` allows
 *   arclength continuation, which may take thousands of factorisations
 * @property {number} [maxIterations] matrix factorisations that an exact solver may spend on an
 *   island in a step, a whole number from 1 to 100000; default 400
 * @property {number} [exactMemoryLimit] bytes of working memory that the exact solve of an island
 *   may take, default 268435456 (256 MiB); a bigger island is solved by `'block-pgs'`, which
 *   `islands()` and the `solver` event tell
 * @property {IntegratorName} [integrator] default `'semi-implicit-euler'`, the only one of
 *   `'soft-step'`: a world created with another one and no `solver` gets `'block-pgs'`
 * @property {number} [contactHertz] 1/s, above 0: how stiff contacts of `'soft-step'` are; default 30.
 *   More than `substeps / (8 dt)` is not used
 * @property {number} [contactDamping] damping ratio of contacts of `'soft-step'`, 0 or more; default 10
 * @property {number} [jointHertz] 1/s, above 0: how stiff joints of `'soft-step'` are; default 120
 * @property {number} [jointDamping] damping ratio of joints of `'soft-step'`, 0 or more; default 1
 * @property {boolean} [allowSleep] whether islands of bodies that lie still fall asleep: they are not
 *   stepped until something wakes them; default true
 * @property {number | 'auto'} [sleepThreshold] m/s, 0 or more: no point of a body that falls asleep is
 *   faster; default `'auto'`, which is 0.05 where `'soft-step'` solves, else 0.0001
 * @property {number} [timeToSleep] seconds that all bodies of an island have to be that slow, 0 or
 *   more; default 0.5
 * @property {boolean} [frictionPerPoint] whether each point of a contact has a disc of friction of its own in
 *   `'soft-step'`; default false: one and a twist for the contact
 * @property {boolean} [certify] whether `'soft-step'` computes its certificate in every step, for
 *   `stats.residual`; default false. `residual()` is there without
 * @property {boolean} [profile] whether steps are timed from the start (`world.profiling`); default
 *   false
 * @property {number | 'auto'} [restitutionThreshold] m/s of approach below which nothing bounces;
 *   default `'auto'`, which is `max(0.01, 2 |gravity| dt)`
 * @property {number | 'auto'} [linearSlop] metres of overlap that are left alone; in `'soft-step'` the
 *   scale of what counts as near; default `'auto'`, which is 0.005 where `'soft-step'` solves, else 0.001
 * @property {Stabilization} [stabilization] how overlap is removed; default `'split'`:
 *   pseudo-velocities that carry no energy. `'baumgarte'` goes through the velocities, `'none'`
 *   leaves it
 * @property {number} [errorReduction] the part of the overlap beyond the slop that a step removes,
 *   0 to 1; default 0.2
 * @property {number} [maxCorrectionSpeed] m/s, cap of that removal; default 3
 */

/**
 * What every shape definition may have beside its measures. Friction, restitution and density
 * default to those of the body.
 * @typedef {object} ShapePlacement
 * @property {VectorLike} [position] metres, of the shape in the body's frame; default the origin
 * @property {QuaternionLike} [orientation] of the shape in the body's frame; default no rotation
 * @property {number} [friction] Coulomb coefficient, 0 or more; default: the body's
 * @property {number} [restitution] 0 to 1; default: the body's
 * @property {number} [density] kg/m³, above 0; default: the body's. Where the body has a `mass`, it
 *   only says how the mass is shared out
 */

/**
 * A ball.
 * @typedef {object} SphereMeasures
 * @property {'sphere'} type
 * @property {number} radius metres, above 0
 */

/**
 * A box with its middle at the origin of the shape.
 * @typedef {object} BoxMeasures
 * @property {'box'} type
 * @property {VectorLike} halfExtents half of each edge in metres, above 0
 * @property {0} [radius] rounding: not in this version
 */

/**
 * A cylinder between two half balls, along the y axis, with its middle at the origin of the shape.
 * @typedef {object} CapsuleMeasures
 * @property {'capsule'} type
 * @property {number} radius metres, above 0
 * @property {number} halfHeight half of the straight part in metres, above 0
 */

/**
 * The convex hull of points: give `points` or `hull`.
 * @typedef {object} HullMeasures
 * @property {'hull'} type
 * @property {PointsLike} [points] metres; see `ConvexHull.fromPoints`
 * @property {import('./convex-hull.mjs').ConvexHull} [hull] a hull that exists already
 * @property {0} [radius] rounding: not in this version
 */

/**
 * The half-space `normal . x <= offset` is solid. Static bodies only.
 * @typedef {object} PlaneMeasures
 * @property {'plane'} type
 * @property {VectorLike} [normal] of any length above 1e-150, pointing out of the solid; default
 *   `[0, 1, 0]`
 * @property {number} [offset] metres from the origin along the normal; default 0
 */

/**
 * A shape, described. A definition object that is used again while a body uses it is built once,
 * unless its values were changed in the meantime; it is freed with the last body that uses it.
 * @typedef {(SphereMeasures | BoxMeasures | CapsuleMeasures | HullMeasures | PlaneMeasures)
 *   & ShapePlacement} ShapeDefinition
 */

/**
 * Points: an array of vectors, flat numbers `x y z x y z ...`, or a three.js `BufferAttribute`.
 * @typedef {readonly VectorLike[] | readonly number[] | Float32Array | Float64Array
 *   | BufferAttributeLike} PointsLike
 */

/**
 * What is needed of a three.js `BufferAttribute` or `InterleavedBufferAttribute`.
 * @typedef {object} BufferAttributeLike
 * @property {number} count
 * @property {number} itemSize 3
 * @property {ArrayLike<number>} [array]
 * @property {(index: number) => number} [getX]
 * @property {(index: number) => number} [getY]
 * @property {(index: number) => number} [getZ]
 */

/**
 * Which bodies collide with which. Two of the same group other than 0 always do if it is above 0, and
 * never if it is below. All others do if each one's category has a bit in the other's mask.
 * @typedef {object} Filter
 * @property {number} [category] 32 bits: what the body is; default 1
 * @property {number} [mask] 32 bits: what it collides with; default all, 0xffffffff
 * @property {number} [group] a signed 32-bit number; default 0: none
 */

/**
 * How a body begins. `mass` or `density` may be given, `shape` or `shapes`.
 *
 * `sensor`, `lockTranslation` and `lockRotation` are listed with the values that this version can do;
 * other values throw `not-supported`.
 * @typedef {object} BodyDefinition
 * @property {BodyType} [type] default `'dynamic'`
 * @property {VectorLike} [position] of the body's origin, metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] world from body; default `[0, 0, 0, 1]`
 * @property {VectorLike} [linearVelocity] of the centre of mass, m/s, world; default 0
 * @property {VectorLike} [angularVelocity] rad/s, world; default 0
 * @property {ShapeLike} [shape]
 * @property {readonly ShapeLike[]} [shapes] each placed by its own `position` and `orientation`
 * @property {number} [mass] kg, above 0, spread over the shapes by their volume and density
 * @property {number} [density] kg/m³, above 0; default 1000 where no mass is given
 * @property {InertiaLike} [inertia] kg m² about the centre of mass in body axes, `[Ixx, Iyy, Izz]` or
 *   9 numbers by rows, symmetric and positive definite; default: that of the shapes
 * @property {VectorLike} [centerOfMass] body frame, metres; default: where the shapes put it
 * @property {number} [friction] Coulomb coefficient, 0 or more; default 0.5
 * @property {number} [restitution] 0 to 1; default 0
 * @property {number} [linearDamping] 1/s, 0 or more; default 0
 * @property {number} [angularDamping] 1/s, 0 or more; default 0
 * @property {number} [gravityScale] factor on the world's gravity; default 1
 * @property {SolverName} [solver] that the body asks for; default: the world's. The most exact one
 *   that a body of an island asks for solves the island
 * @property {Filter} [filter] what its shapes collide with; default: all
 * @property {boolean} [bullet] whether the body, when it is fast, stops at moving bodies too and does
 *   not pass them in a step, as every body does at static ones; default false
 * @property {boolean} [allowSleep] whether it may fall asleep; default true
 * @property {false} [sensor] default false
 * @property {false | readonly [false, false, false]} [lockTranslation] default false
 * @property {false | readonly [false, false, false]} [lockRotation] default false
 * @property {unknown} [userData] anything; kept as it is
 */

/** @typedef {import('./shape.mjs').Shape | ShapeDefinition} ShapeLike */

/**
 * A point of a contact of one body, seen from it.
 * @typedef {object} BodyContactPoint
 * @property {Vector} position world, metres, half-way between both surfaces
 * @property {Vector} normal unit, world, from this body to the other
 * @property {number} separation metres, below 0 where they overlap
 * @property {number} normalImpulse N s of the last step, 0 or more
 * @property {Vector} tangentImpulse N s of the last step, world, that acted on the other body
 */

/**
 * Limits of an angle in rad, a translation or a distance in metres. One that is left out is infinite.
 * @typedef {readonly [lower: number, upper: number] | { lower?: number, upper?: number }} LimitsLike
 */

/**
 * How errors of a constraint are removed.
 * @typedef {object} ConstraintGains
 * @property {number} [alpha] 1/s², 0 or more; default 10. A row aims at
 *   `J v = -∂C/∂t - alpha C / (beta + alpha dt)`, an implicit spring and damper. Joints and distances
 *   with neither alpha nor beta use the world's `stabilization`
 * @property {number} [beta] 1/s, 0 or more; default 10
 * @property {number} [compliance] γ in 1/kg (1/(kg m²) for angles), 0 or more; default 0: the row gives
 *   way by `γ λ` in m/s, λ being its impulse. With `alpha: k, beta: c` and
 *   `compliance: 1 / (dt (c + k dt))` a row is a spring of k N/m with a damper of c N s/m
 * @property {unknown} [userData]
 */

/**
 * What joints and distances have in common. Where both bodies are at creation, angles and angular
 * errors are 0.
 * @typedef {object} JointPlacement
 * @property {import('./body.mjs').Body | null} [bodyA] null, the default, is the world
 * @property {import('./body.mjs').Body | null} [bodyB] null, the default, is the world; one of both
 *   must be a body
 * @property {VectorLike} [anchor] world, metres: where both bodies are held. `fixed` and `slider` do
 *   without
 * @property {VectorLike} [anchorA] instead of `anchor`: in the frame of body A, or of the world
 * @property {VectorLike} [anchorB] the same for B
 * @property {boolean} [collideConnected] whether both bodies still collide; default false
 */

/** @typedef {{ type: 'fixed' | 'ball' }} FixedOrBall */

/**
 * B turns about an axis of A (`hinge`), or moves along it without turning (`slider`).
 * @typedef {object} HingeOrSlider
 * @property {'hinge' | 'slider'} type
 * @property {VectorLike} [axis] direction in the world, of any length
 * @property {VectorLike} [axisA] instead of `axis`: in the frame of body A, or of the world
 * @property {VectorLike} [axisB] the same for B
 * @property {LimitsLike} [limits] rad (`hinge`, counted over full turns) or metres (`slider`)
 */

/**
 * Keeps the distance of two anchors, which default to the centres of mass: a rod, or with limits
 * something that gives way within them (a rope has only an upper one).
 * @typedef {object} DistanceMeasures
 * @property {'distance'} type
 * @property {number} [length] metres, 0 or more; default: the distance at creation
 * @property {LimitsLike} [limits] metres, instead of `length`
 */

/**
 * @typedef {ConstraintGains & JointPlacement & (FixedOrBall | HingeOrSlider | DistanceMeasures)
 * } JointDefinition
 */

/**
 * A body as the functions of a custom constraint see it: at the pose that they are asked about, which
 * need not be the one that the world holds. The object and its arrays are used again: copy what you
 * keep.
 * @typedef {object} ConstraintBody
 * @property {import('./body.mjs').Body} body
 * @property {Vector} position of the body's origin, world, metres
 * @property {Quaternion} orientation world from body, unit
 * @property {Vector} worldCenterOfMass metres
 * @property {Vector} linearVelocity of the centre of mass, m/s, world
 * @property {Vector} angularVelocity rad/s, world
 */

/**
 * A function of a custom constraint. It writes to `out`, which holds zeros, and must depend on its
 * arguments alone: it is called at trial poses and times too. The world can be read in it, not
 * changed. What it throws becomes the `cause` of the `constraint-failed` that `step` throws.
 * @typedef {(bodyA: ConstraintBody, bodyB: ConstraintBody | null, time: number, out: Float64Array)
 *   => void} ConstraintFunction
 */

/** @typedef {import('./bounds.mjs').Bounds | 'bilateral' | 'unilateral'} BoundsLike */

/**
 * @typedef {object} CustomMeasures
 * @property {'custom'} type
 * @property {import('./body.mjs').Body | readonly import('./body.mjs').Body[]} bodies one or two
 * @property {number} dimension rows, 1 to 32
 * @property {ConstraintFunction} evaluate writes C: `dimension` numbers. Bilateral rows hold where
 *   C = 0, unilateral ones where C ≥ 0
 * @property {ConstraintFunction} [jacobian] writes dC/dt by velocities: `dimension` times 6 numbers
 *   per body by rows, v of the centre of mass and ω of A, then of B, world frame. Default: central
 *   differences of `evaluate`
 * @property {ConstraintFunction} [timeDerivative] writes ∂C/∂t at fixed poses. Default: central
 *   differences of `evaluate`
 * @property {BoundsLike | readonly BoundsLike[]} [bounds] for all rows, or a list with one entry per
 *   row, of which a cone stands for three; default `'bilateral'`
 * @property {(bodyA: ConstraintBody, bodyB: ConstraintBody | null, time: number) => boolean
 *   } [isActive] whether it has rows in this step; default: always
 * @property {string} [typeName] for messages; default `'custom'`
 */

/**
 * |Q|² - 1 = 0 of a body's orientation. The engine keeps it by normalisation, below 1e-15, so it makes
 * no rows; `violation()` and `velocityViolation()` answer.
 * @typedef {object} UnitQuaternionMeasures
 * @property {'unitQuaternion'} type
 * @property {import('./body.mjs').Body | readonly import('./body.mjs').Body[]} bodies one
 */

/**
 * The joint of the same name by `bodies`: one (to a point in the world) or two. They still collide,
 * unless `collideConnected` is false.
 * @typedef {object} DistanceBodies
 * @property {import('./body.mjs').Body | readonly (import('./body.mjs').Body | null)[]} bodies
 * @property {VectorLike} [anchorA] in the frame of the first body; default its centre of mass
 * @property {VectorLike} [anchorB] in the frame of the second one, or of the world
 * @property {boolean} [collideConnected] default true
 */

/**
 * @typedef {ConstraintGains & (CustomMeasures | UnitQuaternionMeasures
 *   | (DistanceMeasures & DistanceBodies))} ConstraintDefinition
 */

/**
 * Another body that a body touches.
 * @typedef {object} BodyContact
 * @property {import('./body.mjs').Body} other
 * @property {BodyContactPoint[]} points
 */

/**
 * A contact point of the last step. A is the body that was created first.
 * @typedef {object} ContactPoint
 * @property {import('./body.mjs').Body} bodyA
 * @property {import('./body.mjs').Body} bodyB
 * @property {Vector} position world, metres, half-way between both surfaces
 * @property {Vector} normal unit, world, from A to B
 * @property {number} separation metres, below 0 where they overlap
 * @property {number} normalImpulse N s along the normal on B
 * @property {Vector} tangentImpulse N s, world, on B
 * @property {number} normalForce N: the impulse divided by the time step
 * @property {Vector} tangentForce N, world, on B
 */

/**
 * How two shapes touch; in the frame in which their poses are given.
 * @typedef {object} Collision
 * @property {Vector} normal unit, from A to B
 * @property {number} penetrationDepth metres, 0 or more
 * @property {Vector} contactPointA the deepest point of A in B, on the surface of A
 * @property {Vector} contactPointB the deepest point of B in A, on the surface of B
 * @property {CollisionPoint[]} manifold 1 to 4 points
 */

/**
 * @typedef {object} CollisionPoint
 * @property {Vector} position half-way between both surfaces
 * @property {number} penetrationDepth metres
 */

/**
 * How far two shapes are apart.
 * @typedef {object} Distance
 * @property {number} distance metres; 0 where they touch or overlap
 * @property {Vector} pointA the closest point of A
 * @property {Vector} pointB the closest point of B
 * @property {Vector} normal unit, from A to B; zero where they overlap
 */

/**
 * @typedef {object} Energy
 * @property {number} kinetic J
 * @property {number} potential J: the sum of `-m g . r`, zero at the world's origin, and the
 *   energies of all potentials
 * @property {number} total J
 */

/**
 * @typedef {object} Momentum
 * @property {Vector} linear kg m/s
 * @property {Vector} angular kg m²/s about the world's origin
 */

/**
 * How well the last step obeys the contact laws: the worst over all contacts, except `rms`.
 * @typedef {object} Residual
 * @property {number} worst m/s: the natural map of the Coulomb law, the certificate of the step
 * @property {number} rms m/s: root mean square of the same
 * @property {number} cone m/s: friction outside of its cone
 * @property {number} dual m/s: approach velocity that is left over
 * @property {number} complementarity J: impulse times separating velocity
 * @property {number} bilateral m/s: error of joints
 * @property {number} contacts contact points looked at
 */

/**
 * @typedef {object} Stats
 * @property {number} bodies alive
 * @property {number} awake bodies that are neither static nor asleep
 * @property {number} contacts pairs of shapes that touch
 * @property {number} contactPoints
 * @property {number} pairs that the broad phase found
 * @property {SolveStatus} status of the solver in the last step, the worst of all islands;
 *   `'none'`, with 0 iterations, where there was nothing to solve
 * @property {number} iterations sweeps and Newton steps in the last step; more than the option
 *   where impacts would have created energy and the step was solved again
 * @property {number} factorisations of matrices, by exact solvers
 * @property {number} islands groups of bodies that contacts or joints link
 * @property {number} missedIslands that an exact solver left outside of the tolerance or could not
 *   take
 * @property {number} residual m/s: the worst certificate of the islands that were solved exactly and,
 *   with `certify`, of those of `'soft-step'`; 0 where none was
 * @property {number} curedEnergyGain J that impacts of the last step would have created by Newton's
 *   restitution with friction, had their restitution not been reduced; 0 where none would
 * @property {number} maxPenetration metres, the deepest overlap that the last step saw
 * @property {number} stepBytes working memory that the last step used
 */

/**
 * Which shapes a query looks at: those whose category has a bit in `mask`, and whose mask has one in
 * `category`. Groups do not matter.
 * @typedef {object} QueryFilter
 * @property {number} [category] 32 bits: what the query is; default all
 * @property {number} [mask] 32 bits: what it looks for; default all
 */

/**
 * @typedef {object} RayCastOptions
 * @property {number} [maxDistance] metres, 0 or more; default `Infinity`
 * @property {QueryFilter} [filter] default: all shapes
 * @property {import('./body.mjs').Body} [exclude] a body that the ray passes through
 */

/**
 * Where a ray meets the surface of a shape.
 * @typedef {object} RayHit
 * @property {import('./body.mjs').Body} body
 * @property {import('./shape.mjs').Shape} shape
 * @property {number} shapeIndex its place in `body.shapes`
 * @property {Vector} position metres, world
 * @property {Vector} normal unit, world, out of the shape
 * @property {number} distance metres from the origin of the ray
 */

/**
 * What `readRayCast` writes to.
 * @typedef {object} RayHitOut
 * @property {VectorOut} [position] default: a new array
 * @property {VectorOut} [normal] default: a new array
 */

/**
 * What `readRayCast` has written beside position and normal.
 * @typedef {Required<RayHitOut> & Pick<RayHit, 'body' | 'shape' | 'shapeIndex' | 'distance'>
 *   } RayHitRead
 */

/**
 * @typedef {object} SleepEvents
 * @property {import('./body.mjs').Body[]} asleep that fell asleep in the last step
 * @property {import('./body.mjs').Body[]} awake that woke since the step before it
 */

/**
 * What listeners of `world.on` are given, by name.
 * @typedef {object} WorldEvents
 * @property {SolverEvent} solver
 * @property {SleepEvents} sleep
 */

/**
 * Seconds that a step spent in its stages.
 * @typedef {object} Profile
 * @property {number} step the whole step in the engine; the others are parts of it
 * @property {number} forces potentials, user forces, velocities without contacts
 * @property {number} broadPhase which shapes are near each other
 * @property {number} narrowPhase how they touch
 * @property {number} islands islands and colours
 * @property {number} prepare rows and constraints of the solver
 * @property {number} solve
 * @property {number} integrate poses; those of `'soft-step'` are part of `solve`
 * @property {number} continuous times of impact of fast bodies
 * @property {number} sleep falling asleep and waking
 * @property {number} commit taking over the results
 * @property {number} certificate
 */

/**
 * What a solve came to. `'converged'`: within the tolerance; `'max-iterations'`: the iterations were
 * used up; `'stalled'`: no method of the solver got further, or sweeps at rest do not. In both cases
 * the best impulses found, by certificate, are used. `'none'`: there was nothing to solve.
 * @typedef {'none' | 'converged' | 'max-iterations' | 'stalled'} SolveStatus
 */

/**
 * A group of bodies that contacts or joints link, as the last step solved it.
 * @typedef {object} Island
 * @property {SolverName} solver that solved it: `'soft-step'`, `'block-pgs'`, `'bilateral'`, `'active-set'` or
 *   `'cone'`
 * @property {SolveStatus} status
 * @property {'missed-tolerance' | 'too-big' | 'open-joints' | null} event what was not as asked for:
 *   the certificate is above the tolerance; the island needs more than `exactMemoryLimit` and was
 *   solved by `'block-pgs'`; or, with `stabilization: 'split'`, a joint is left open by more than
 *   1e-6 m or rad
 * @property {number} iterations sweeps, or Newton steps
 * @property {number} factorisations of matrices
 * @property {number} bodies that impulses move
 * @property {number} rows of constraints: 3 per contact with friction, 1 without
 * @property {import('./body.mjs').Body | undefined} firstBody the member in the lowest slot;
 *   undefined if it was destroyed since
 * @property {number} residual m/s: its certificate
 * @property {number} condition estimated condition number of the matrix of `'bilateral'`; 0 for
 *   other solvers
 */

/**
 * An island that the last step did not solve as asked for.
 * @typedef {object} SolverEvent
 * @property {'missed-tolerance' | 'too-big' | 'open-joints'} type
 * @property {Island} island
 */

/**
 * A matrix: its rows, all numbers in one list by rows, or its entries (those of the same place add
 * up).
 * @typedef {readonly (readonly number[] | Float64Array)[] | Float64Array | Triplets} MatrixLike
 */

/**
 * @typedef {object} Triplets
 * @property {readonly [number, number]} shape rows and columns
 * @property {ArrayLike<number>} rows
 * @property {ArrayLike<number>} cols
 * @property {ArrayLike<number>} vals
 */

/**
 * Frictional contact as a matrix: `u = W r + q`, three rows per contact (normal, tangent 1, tangent
 * 2). Only the symmetric part of W counts.
 * @typedef {object} LocalProblem
 * @property {MatrixLike} W 1/kg, positive semidefinite
 * @property {ArrayLike<number>} q m/s
 * @property {ArrayLike<number>} mu Coulomb coefficients, one per contact
 */

/**
 * The same with masses: `M v = H r + f`, `u = Hᵀ v + w`.
 * @typedef {object} GlobalProblem
 * @property {MatrixLike} M positive definite
 * @property {MatrixLike} H as many rows as M, three columns per contact
 * @property {ArrayLike<number>} f N s
 * @property {ArrayLike<number>} w m/s
 * @property {ArrayLike<number>} mu
 */

/** @typedef {LocalProblem | GlobalProblem} ContactProblem */

/**
 * @typedef {object} SolveOptions
 * @property {'exact' | 'cone' | 'active-set' | 'block-pgs'} [solver] default `'exact'`: `'cone'`, or
 *   `'active-set'` where all of mu is 0
 * @property {number} [tolerance] m/s; default 1e-8
 * @property {number} [maxIterations] factorisations, default 400; of `'block-pgs'` sweeps, default
 *   1000
 * @property {FrictionLaw} [frictionLaw] default `'coulomb'`
 * @property {Effort} [effort] default `'step'`
 * @property {ArrayLike<number>} [impulses] to start from, N s, three per contact
 */

/**
 * @typedef {object} SolveResult
 * @property {Float64Array} impulses N s: normal, tangent 1, tangent 2 of each contact
 * @property {Float64Array} velocities m/s: `W r + q` with the symmetric part of W
 * @property {'exact' | 'cone' | 'active-set' | 'block-pgs' | 'bilateral'} solver that was used
 * @property {SolveStatus} status
 * @property {number} residual m/s: the certificate, `details.worst`
 * @property {Residual} details
 * @property {number} iterations sweeps, or Newton steps
 * @property {number} factorisations of matrices
 */

/**
 * A step's contact problem in the form that `solveContactProblem` takes and
 * `JSON.stringify` writes.
 * @typedef {object} RecordedProblem
 * @property {string} name
 * @property {number} contacts
 * @property {'local'} form
 * @property {{ shape: [number, number], rows: number[], cols: number[], vals: number[] }} W
 * @property {number[]} q
 * @property {number[]} mu
 */

/**
 * Memory of the whole module: all worlds, shapes and hulls together.
 * @typedef {object} MemoryUse
 * @property {number} bytes held by the engine at this moment
 * @property {number} allocations calls to the allocator since the start; a step in the steady
 *   state adds none
 * @property {number} wasmBytes size of the WebAssembly memory, which never shrinks
 */

/**
 * @typedef {object} AdvanceOptions
 * @property {number} [fixedDt] seconds of one step; default 1/60
 * @property {number} [maxSteps] most steps in one call, a whole number above 0; default 8. Time
 *   beyond them is dropped, so that a slow machine does not fall behind for ever
 */

/**
 * Where the WebAssembly module comes from: an address (`URL` or string), a `Response` or the promise
 * of one (`fetch(...)`), its bytes, or a compiled `WebAssembly.Module`.
 * @typedef {URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module
 * } WasmSource
 */

/**
 * A body as the functions of a custom potential see it: in the state that they are asked about, which
 * need not be the one that the world holds. The object and its arrays are used again: copy what you
 * keep.
 * @typedef {ConstraintBody & { mass: number }} PotentialBody
 */

/**
 * Force in N through the centre of mass, or torque in N m about it, world frame: written to `out`,
 * which holds zeros. It must depend on its arguments alone, as integrators ask about states on trial.
 * The world can be read in it, not changed. What it throws becomes the `cause` of the
 * `potential-failed` that `step` throws.
 * @typedef {(body: PotentialBody, time: number, out: Float64Array) => void} PotentialForce
 */

/** @typedef {(body: PotentialBody, time: number) => number} PotentialEnergy J, likewise */

/**
 * What all potentials but springs may have.
 * @typedef {object} PotentialTargets
 * @property {import('./body.mjs').Body | readonly import('./body.mjs').Body[]} [bodies] what it acts
 *   on; default every dynamic body, also those that come later
 * @property {unknown} [userData] anything; kept as it is
 */

/**
 * Uniform gravity on top of the world's: F = m g, V = -m g·r.
 * @typedef {object} GravityMeasures
 * @property {'gravity'} type
 * @property {VectorLike} gravity m/s²
 */

/**
 * Gravity of a fixed point mass: V = -mu m / √(r² + softening²).
 * @typedef {object} PointGravityMeasures
 * @property {'pointGravity'} type
 * @property {number} mu G M of the source, m³/s², 0 or more
 * @property {VectorLike} [center] where it is, metres, world; default the origin
 * @property {number} [softening] metres, 0 or more; default 0
 */

/**
 * What the gradient of such a field adds for a body with an extent: a force and the torque
 * 3 mu/r³ n × I n; V = -mu / (2 r³) (tr I - 3 n·I n). To be used beside `pointGravity`.
 * @typedef {object} TidalMeasures
 * @property {'tidal'} type
 * @property {number} mu G M of the source, m³/s², 0 or more
 * @property {VectorLike} [center] where it is, metres, world; default the origin
 */

/**
 * A magnetic dipole fixed in the body, at its centre of mass: V = -m·B, torque m × B, force ∇(m·B).
 * @typedef {object} MagneticMeasures
 * @property {'magnetic'} type
 * @property {VectorLike} moment of the body, A m², body axes
 * @property {VectorLike} [field] a uniform field, T, world; default none
 * @property {VectorLike} [sourceMoment] a fixed dipole at `center`, A m², world; default none
 * @property {VectorLike} [center] metres, world; default the origin
 */

/**
 * Resistance: F = -(linear + quadratic |v|) v, torque -angular ω. It dissipates and has no energy.
 * Explicit: keep dt well below 2 m / coefficient.
 * @typedef {object} DragMeasures
 * @property {'drag'} type
 * @property {number} [linear] N s/m, 0 or more; default 0
 * @property {number} [quadratic] N s²/m², 0 or more; default 0
 * @property {number} [angular] N m s, 0 or more; default 0
 */

/**
 * A spring between two points with a damper along it: V = stiffness/2 (l - restLength)². Explicit:
 * keep dt well below √(m / stiffness), except with `'implicit-midpoint'`.
 * @typedef {object} SpringMeasures
 * @property {'spring'} type
 * @property {import('./body.mjs').Body} bodyA
 * @property {import('./body.mjs').Body | null} [bodyB] default null, the world
 * @property {VectorLike} [anchorA] in the frame of A; default its centre of mass
 * @property {VectorLike} [anchorB] in the frame of B, or of the world; default B's centre of mass
 * @property {number} stiffness N/m, 0 or more
 * @property {number} [restLength] metres, 0 or more; default 0
 * @property {number} [damping] N s/m along the spring, 0 or more; default 0
 * @property {unknown} [userData] anything; kept as it is
 */

/**
 * @typedef {object} CustomPotentialMeasures
 * @property {'custom'} type
 * @property {PotentialForce} force
 * @property {PotentialForce} [torque] default none
 * @property {PotentialEnergy} [energy] for `energy()`; default 0. Force and torque should be minus
 *   its gradient
 */

/**
 * @typedef {SpringMeasures | (PotentialTargets & (GravityMeasures | PointGravityMeasures
 *   | TidalMeasures | MagneticMeasures | DragMeasures | CustomPotentialMeasures))
 *   } PotentialDefinition
 */

export {}
