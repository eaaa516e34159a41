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
/** @typedef {'sphere' | 'box' | 'hull' | 'plane'} ShapeType */
/** @typedef {'block-pgs'} SolverName */
/** @typedef {'split' | 'baumgarte' | 'none'} Stabilization */

/**
 * Where something is.
 * @typedef {object} Pose
 * @property {VectorLike} [position] metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] default `[0, 0, 0, 1]`, no rotation
 */

/**
 * Options of a world. All may also be read and set later, under the same names.
 *
 * `solver`, `substeps`, `frictionLaw`, `integrator`, `allowSleep`, `contactHertz` and
 * `contactDamping` are listed with the values that this version can do; any other value that the
 * documentation knows throws `not-supported`.
 * @typedef {object} WorldOptions
 * @property {VectorLike} [gravity] m/s²; default `[0, -9.81, 0]`
 * @property {SolverName} [solver] default `'block-pgs'`, block projected Gauss-Seidel with true
 *   Coulomb friction
 * @property {1} [substeps] default 1
 * @property {number} [iterations] sweeps of the solver per solve, a whole number from 1 to 100000;
 *   default 20
 * @property {number} [tolerance] m/s: a sweep that changes no contact velocity by more than this
 *   ends the solve; default 1e-8
 * @property {'coulomb'} [frictionLaw] default `'coulomb'`, without the convex relaxation
 * @property {'semi-implicit-euler'} [integrator] default `'semi-implicit-euler'`
 * @property {false} [allowSleep] default false
 * @property {undefined} [contactHertz] of soft contacts: not in this version
 * @property {undefined} [contactDamping] of soft contacts: not in this version
 * @property {number | 'auto'} [restitutionThreshold] m/s of approach below which nothing bounces;
 *   default `'auto'`, which is `max(0.01, 2 |gravity| dt)`
 * @property {number} [linearSlop] metres of overlap that are left alone; default 0.001
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
 * @typedef {(SphereMeasures | BoxMeasures | HullMeasures | PlaneMeasures) & ShapePlacement
 * } ShapeDefinition
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
 * Which bodies collide with which. This version collides all with all: only that may be asked for.
 * @typedef {object} Filter
 * @property {number} [category] 32 bits; default all, 0xffffffff
 * @property {number} [mask] 32 bits; default all, 0xffffffff
 * @property {number} [group] default 0
 */

/**
 * How a body begins. `mass` or `density` may be given, `shape` or `shapes`.
 *
 * `filter`, `sensor`, `bullet`, `allowSleep`, `lockTranslation` and `lockRotation` are listed with
 * the values that this version can do; other values throw `not-supported`.
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
 * @property {Filter} [filter] default: collides with all
 * @property {false} [sensor] default false
 * @property {false} [bullet] default false
 * @property {false} [allowSleep] default false
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
 * @property {number} potential J: the sum of `-m g . r`, zero at the world's origin
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
 * @property {number} awake bodies that move
 * @property {number} contacts pairs of shapes that touch
 * @property {number} contactPoints
 * @property {number} pairs that the broad phase found
 * @property {'none' | 'converged' | 'max-iterations'} status of the solver in the last step;
 *   `'none'`, with 0 iterations, where there was nothing to solve
 * @property {number} iterations sweeps of the solver in the last step; more than the option
 *   where impacts would have created energy and the step was solved again
 * @property {number} maxPenetration metres, the deepest overlap that the last step saw
 * @property {number} stepBytes working memory that the last step used
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

export {}
