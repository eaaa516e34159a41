// What a world tells of its last step.

/** @import { IslandEvent, SolveStatus, SolverName } from './names.mjs' */
/** @import { Vector } from './values.mjs' */

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
 * @property {number} separation metres, below 0 where they overlap
 * @property {number} normalImpulse N s along the normal on B
 * @property {Vector} tangentImpulse N s, world, on B
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
 * @property {number} work floating-point operations of the exact solvers, as they are counted against
 *   `workBudget`
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
 * @typedef {object} SleepEvents
 * @property {import('../objects/body.mjs').Body[]} asleep that fell asleep in the last step
 * @property {import('../objects/body.mjs').Body[]} awake that woke since the step before it
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
 * @property {SolverEvent} solver
 * @property {SleepEvents} sleep
 * @property {JointEvent} joint once for each that breaks
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
 * @typedef {object} SolverEvent
 * @property {NonNullable<IslandEvent>} type
 * @property {Island} island
 */

export {}
