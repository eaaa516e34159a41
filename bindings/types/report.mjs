// What a world tells of its last step.

/** @import { IslandEvent, SolveStatus, SolverName } from './names.mjs' */
/** @import { Vector } from './values.mjs' */

/**
 * A point of a contact of one body, seen from it.
 * @typedef {object} BodyContactPoint
 * @property {Vector} position world, metres, half-way between both surfaces
 * @property {Vector} normal unit, world, from this body to the other
 * @property {number} separation metres between the surfaces, below 0 where they overlap: at the end of the step with `'soft-step'`,
 *   at its start with `'exact'` and `'block-pgs'`
 * @property {number} normalImpulse N s of the last step, along the normal on the other body; 0 or more
 * @property {Vector} tangentImpulse N s of the last step, world, that acted on the other body
 */

/**
 * Another body that a body touches.
 * @typedef {object} BodyContact
 * @property {import('../objects/body.mjs').Body} other
 * @property {BodyContactPoint[]} points
 */

/**
 * A contact point of the last step. A is the body that was created first.
 * @typedef {object} ContactPoint
 * @property {import('../objects/body.mjs').Body} bodyA
 * @property {import('../objects/body.mjs').Body} bodyB
 * @property {Vector} position world, metres, half-way between both surfaces
 * @property {Vector} normal unit, world, from A to B
 * @property {number} separation metres between the surfaces, below 0 where they overlap: at the end of the step with `'soft-step'`,
 *   at its start with `'exact'` and `'block-pgs'`
 * @property {number} normalImpulse N s of the last step, along the normal on B; 0 or more
 * @property {Vector} tangentImpulse N s of the last step, of friction: world, at right angles to the normal, on B
 * @property {number} normalForce N: the impulse divided by the time step
 * @property {Vector} tangentForce N, world, on B
 */

/**
 * @typedef {object} Energy
 * @property {number} kinetic J
 * @property {number} potential J: the sum of `-m g . r`, zero at the world's origin, and the
 *   energies of all potentials
 * @property {number} total J
 */

/**
 * Energy of a body, J; all 0 if it is not dynamic.
 * @typedef {object} BodyEnergy
 * @property {number} translational `m v²/2` of the centre of mass
 * @property {number} rotational about the centre of mass
 * @property {number} kinetic the sum of both
 * @property {number} potential `-m g . r` of the world's gravity times `gravityScale`, zero at the world's origin; joints
 *   and potentials have energies of their own
 * @property {number} total `kinetic + potential`
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
 * @property {number} refusedPairs that it found and did not take, as they were too many for so few shapes: bodies in each
 *   other by the hundred
 * @property {SolveStatus} status of the last step, the worst of all islands; `'none'`, with 0 iterations, where there was
 *   nothing to solve
 * @property {number} convergedIslands whose certificate is within `tolerance`
 * @property {number} budgetIslands whose certificate is not, because what the step may spend ran out. Those of
 *   `'soft-step'`, which makes its substeps and does not look, are among them, unless `certify` finds them good
 * @property {number} stalledIslands whose certificate is not, with work left
 * @property {number} iterations sweeps and Newton steps in the last step; more than the option
 *   where impacts would have created energy and the step was solved again
 * @property {number} factorisations of matrices, by exact solvers
 * @property {number} work floating-point operations of the exact solvers, as they are counted against
 *   `effort` or `workBudget`
 * @property {number} islands groups of bodies that contacts or joints link
 * @property {number} missedIslands that an exact solver left outside of the tolerance or could not
 *   take
 * @property {number} residual m/s: the worst certificate of the islands that were solved exactly and,
 *   with `certify`, of those of `'soft-step'`; 0 where none was
 * @property {number} curedEnergyGain J that impacts of the last step would have created by Newton's
 *   restitution with friction, had their restitution not been reduced; 0 where none would
 * @property {number} maxPenetration metres, the deepest overlap that the last step saw
 * @property {number} stepBytes working memory that the last step used
 * @property {EventCounts} events how many events it had
 */

/**
 * How many events the last step had. Those of contacts and sensors are made, and counted, only from the first reading
 * or listener on.
 * @typedef {object} EventCounts
 * @property {number} contactBegin pairs of shapes, as of all contact events
 * @property {number} contactEnd
 * @property {number} contactHit
 * @property {number} contactForce
 * @property {number} sensorEnter
 * @property {number} sensorExit
 * @property {number} jointBreak joints and constraints
 * @property {number} asleep bodies that fell asleep
 * @property {number} awake bodies that woke since the step before it
 */

/**
 * @typedef {object} SleepEvents
 * @property {import('../objects/body.mjs').Body[]} asleep that fell asleep in the last step
 * @property {import('../objects/body.mjs').Body[]} awake that woke since the step before it
 */

/**
 * `'begin'`: two shapes touch, and did not in the step before; `'end'`: they no longer do; `'hit'`: a
 * point that was not pushed in the step before is, with an approach speed above `hitThreshold`;
 * `'force'`: they push harder than `contactForceThreshold`. Shapes touch in a step when an impulse
 * pushes them apart in it, or when they overlap at its end.
 * @typedef {'begin' | 'end' | 'hit' | 'force'} ContactEventType
 */

/**
 * A point of a contact event, with the impulses of the step.
 * @typedef {object} ContactEventPoint
 * @property {Vector} position metres, world, half-way between both surfaces
 * @property {Vector} normal unit, world, from A to B
 * @property {number} separation metres between the surfaces, below 0 where they overlap: at the end of the step with `'soft-step'`,
 *   at its start with `'exact'` and `'block-pgs'`
 * @property {number} normalImpulse N s of the step, along the normal on B; 0 or more
 * @property {Vector} tangentImpulse N s of the step, of friction: world, at right angles to the normal, on B
 */

/**
 * What happened between two shapes. An `'end'` has no points, and its numbers are 0.
 * @typedef {object} ContactEvent
 * @property {ContactEventType} type
 * @property {import('../objects/body.mjs').Body} bodyA that was created first; of an end, one of both
 *   may be destroyed
 * @property {import('../objects/body.mjs').Body} bodyB
 * @property {number} idA
 * @property {number} idB
 * @property {import('../objects/shape.mjs').Shape} shapeA
 * @property {import('../objects/shape.mjs').Shape} shapeB
 * @property {number} shapeIndexA in the shapes of A when they last touched
 * @property {number} shapeIndexB
 * @property {Vector} position metres, world: the mean of the points by their impulses
 * @property {Vector} normal unit, world, from A to B, at the point that is pushed most
 * @property {number} approachSpeed m/s, of the fastest point before the forces of the step; 0 or more
 * @property {number} impulse N s: the normal impulses of all points
 * @property {number} force N: the mean over the step
 * @property {Vector} tangentImpulse N s, world, on B
 * @property {ContactEventPoint[]} points
 */

/**
 * @typedef {object} ContactEvents
 * @property {ContactEvent[]} begin
 * @property {ContactEvent[]} end
 * @property {ContactEvent[]} hit
 * @property {ContactEvent[]} force
 */

/**
 * Whether two shapes may touch in the step.
 * @typedef {(pair: import('../objects/contact-function.mjs').ContactPair) => boolean} ContactFilter
 */

/**
 * Changes how two shapes touch in the step.
 * @typedef {(pair: import('../objects/contact-function.mjs').ContactPair) => void} ContactModifier
 */

/**
 * A shape that came into a sensor by the end of the step, or left it.
 * @typedef {object} SensorEvent
 * @property {'enter' | 'exit'} type
 * @property {import('../objects/body.mjs').Body} sensor the body that has the sensor
 * @property {import('../objects/body.mjs').Body} body the visitor; of an exit, both may be destroyed
 * @property {number} sensorId
 * @property {number} bodyId
 * @property {import('../objects/shape.mjs').Shape} sensorShape
 * @property {import('../objects/shape.mjs').Shape} shape
 * @property {number} sensorShapeIndex in the shapes of the sensor's body when they last overlapped
 * @property {number} shapeIndex
 */

/**
 * @typedef {object} SensorEvents
 * @property {SensorEvent[]} enter
 * @property {SensorEvent[]} exit
 */

/**
 * A body that fell asleep in the last step, or woke since the one before it.
 * @typedef {object} SleepEvent
 * @property {'asleep' | 'awake'} type
 * @property {import('../objects/body.mjs').Body} body
 */

/**
 * A joint that broke. It is not alive any more.
 * @typedef {object} JointEvent
 * @property {'break'} type
 * @property {import('../objects/constraint.mjs').Constraint} joint
 * @property {import('../objects/body.mjs').Body | null} bodyA
 * @property {import('../objects/body.mjs').Body | null} bodyB
 * @property {number} force N, of the step that was too much
 * @property {number} torque N m, the couple about B's anchor
 */

/**
 * What listeners of `world.on` are given, by name.
 * @typedef {object} WorldEvents
 * @property {ContactEvent} contact
 * @property {SensorEvent} sensor
 * @property {SolverEvent} solver
 * @property {SleepEvents} sleep
 * @property {JointEvent} joint once for each that breaks
 */

/**
 * What listeners of `body.on` are given, by name.
 * @typedef {object} BodyEvents
 * @property {ContactEvent} contact
 * @property {SensorEvent} sensor of its own sensors, and of those that it visits
 * @property {JointEvent} joint
 * @property {SleepEvent} sleep
 */

/**
 * What `debugRender` draws.
 * @typedef {object} DebugRenderOptions
 * @property {boolean} [shapes] outlines, by the type of their body: static green, kinematic blue,
 *   dynamic orange, asleep violet; default true
 * @property {boolean} [bounds] the boxes in which the broad phase has the shapes; default false
 * @property {boolean} [contacts] contact points with their normals; default true
 * @property {boolean} [joints] anchors, axes, limits, and lines to the centres of mass; default true
 * @property {boolean} [islands] outlines with a colour for each island; default false
 * @property {boolean} [centersOfMass] axes of dynamic bodies, x red, y green, z blue; default false
 */

/**
 * Line segments, two vertices each, as `THREE.LineSegments` has them.
 * @typedef {object} DebugLines
 * @property {Float32Array} vertices x y z per vertex, metres, world
 * @property {Float32Array} colors red, green, blue, alpha per vertex, 0 to 1
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
 * An option that takes effect only up to a bound.
 * @typedef {object} Warning
 * @property {'contactHertz-bounded' | 'jointHertz-bounded'} code
 * @property {'contactHertz' | 'jointHertz'} option
 * @property {number} value of the option
 * @property {number} bound of it that was in force in the last step
 * @property {string} message all of this in words
 */

/**
 * A group of bodies that contacts or joints link, as the last step solved it.
 * @typedef {object} Island
 * @property {SolverName} solver that solved it: `'soft-step'`, `'block-pgs'`, `'bilateral'`, `'active-set'` or
 *   `'cone'`
 * @property {SolveStatus} status
 * @property {IslandEvent} event what was not as asked for; null: nothing
 * @property {number} iterations sweeps, or Newton steps
 * @property {number} factorisations of matrices
 * @property {number} bodies that impulses move
 * @property {number} rows of constraints: 3 per contact with friction, 1 without
 * @property {import('../objects/body.mjs').Body | undefined} firstBody the member in the lowest slot;
 *   undefined if it was destroyed since
 * @property {number} residual m/s: its certificate
 * @property {number} condition estimated condition number of the matrix of `'bilateral'`; 0 for
 *   other solvers
 */

/**
 * An island that the last step did not solve as asked for.
 * @typedef {object} IslandSolverEvent
 * @property {NonNullable<IslandEvent>} type
 * @property {Island} island
 * @property {undefined} [pairs]
 */

/**
 * Pairs that the last step found and did not look at, as they were too many for so few shapes (`stats.refusedPairs`).
 * @typedef {object} RefusedPairsEvent
 * @property {'refused-pairs'} type
 * @property {number} pairs how many
 * @property {undefined} [island]
 */

/** @typedef {IslandSolverEvent | RefusedPairsEvent} SolverEvent */

export {}
